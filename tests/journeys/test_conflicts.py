"""Conflicts settled by keyboard alone; afterwards the files are compared to the byte with what is to be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.panes.conflicts import ConflictsPane
from tests.support.benches import bench
from tests.support.clashing import DECISIONS, PREFERENCES, TOMBSTONES, clashing, unmerged
from tests.support.pilots import play, press, screen_text, toasts, type_
from tests.support.stores import MEMORY, git, snapshot


def pane_of(app: Workbench) -> ConflictsPane:
    assert isinstance(app.pane, ConflictsPane)
    return app.pane


def name(pane: ConflictsPane) -> str:
    item = pane.lines.item
    return getattr(item, "name", getattr(item, "title", ""))


@pytest.mark.slow
def test_three_conflicts_are_settled_and_taken_back(tmp_path: Path) -> None:
    """A decision yields to the tombstone, a preference gets a scope, and the last is no conflict."""
    clashing(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "inbox")
    after: list[dict[str, bytes]] = []

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "3")
        pane = pane_of(app)
        assert pane.count == 3
        await press(pilot, "j")
        assert name(pane) == "Cloud sync"
        await press(pilot, "f")
        assert "Strike in decisions.md" in screen_text(app)
        await press(pilot, "enter")
        after.append(snapshot(tmp_path))
        assert (pane.count, name(pane)) == (2, "Tone"), "the next one"
        await press(pilot, "b", "end")
        await type_(pilot, "letters")
        await press(pilot, "ctrl+s")
        after.append(snapshot(tmp_path))
        assert (pane.count, name(pane)) == (1, "Store counts as CSV")
        await press(pilot, "d")
        await type_(pilot, "two exports")
        await press(pilot, "enter")
        after.append(snapshot(tmp_path))
        assert pane.count == 0
        assert "✓ No two sources disagree." in screen_text(app)
        assert "1 dismissed: D shows it." in screen_text(app)
        for count in (1, 2, 3):
            await press(pilot, "u")
            assert pane.count == count
        assert name(pane) == "Cloud sync", "what came back is selected"

    play(app, script)
    decisions, preferences = f"{MEMORY}/decisions.md", f"{MEMORY}/preferences.md"
    followed, narrowed, dismissed = after
    assert {path for path in followed if followed[path] != before.get(path)} == {decisions}
    assert followed[decisions].decode() == DECISIONS.replace(
        "## 2026-02-01 - Cloud sync\n",
        '## ~~2026-02-01 - Cloud sync~~\n\nStruck: 2026-11-30. "Cloud sync" holds instead (docs/memory/do-not-use.md).\n',
    )
    assert {path for path in narrowed if narrowed[path] != followed.get(path)} == {preferences}
    assert narrowed[preferences].decode() == PREFERENCES + "\nScope:\nletters\n"
    assert {path for path in dismissed if dismissed[path] != narrowed.get(path)} == {".memdesk/judgments.toml"}
    judged = dismissed[".memdesk/judgments.toml"].decode()
    assert 'reason = "two exports"\nby = "Test Person"\ndate = "2026-11-30"\n' in judged
    assert snapshot(tmp_path) == before


@pytest.mark.slow
def test_what_is_taken_back_is_selected_though_its_entry_is_in_another_conflict_too(tmp_path: Path) -> None:
    another = TOMBSTONES.partition("\n\n")[2].replace("Cloud sync", "Store counts as CSV")
    clashing(tmp_path, **{"do-not-use": f"{TOMBSTONES}\n{another}"})
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        chosen = next(
            row.key for row in reversed(pane.lines.rows)
            if row.key and row.item.conflict.kind == "tombstone" and row.item.name == "Store counts as CSV"
        )
        pane.return_to(chosen)
        await press(pilot, "f", "enter", "u")
        assert pane.lines.key == chosen

    play(app, script)


@pytest.mark.slow
def test_two_files_with_markers_are_resolved_and_one_is_staged(tmp_path: Path) -> None:
    folder = unmerged(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "greater_than_sign", "r")
        assert "Resolve 1 conflict in constraints.md" in screen_text(app)
        assert snapshot(tmp_path) == before, "nothing before Enter"
        await press(pilot, "enter")
        assert isinstance(app.screen, Confirm)
        assert git(tmp_path, "ls-files", "--unmerged", "--", f"{MEMORY}/constraints.md"), "nothing is staged unasked"
        await press(pilot, "enter")
        assert toasts(app)[-1] == f"Staged {MEMORY}/constraints.md."
        assert name(pane) == "2026-08-19 - The public API is tRPC"
        await press(pilot, "less_than_sign", "greater_than_sign", "r", "enter", "escape")
        assert toasts(app)[-1] == f"Not staged. git add {MEMORY}/decisions.md does it."
        assert not any(row.key.startswith("git:") for row in pane.lines.rows)

    play(app, script)
    text = (folder / "decisions.md").read_text()
    assert text == DECISIONS.replace("until March", "no more").replace("nine years", "twelve years")
    assert (folder / "constraints.md").read_text().endswith("- Old logs are kept for two years.\n")
    assert git(tmp_path, "diff", "--cached", "--name-only", "--diff-filter=M").split() == [f"{MEMORY}/constraints.md"]
    assert git(tmp_path, "ls-files", "--unmerged").count(f"{MEMORY}/decisions.md") == 3


@pytest.mark.slow
def test_a_resolved_file_gets_its_markers_back(tmp_path: Path) -> None:
    unmerged(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "b", "r", "enter", "escape")
        assert snapshot(tmp_path) != before
        await press(pilot, "u")
        assert pane_of(app).lines.rows[1].item.answer is None, "it is asked anew"

    play(app, script)
    assert snapshot(tmp_path) == before
