"""The History pane: what was done, its diffs, and undoing after a look at the exact inverse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.panes.history import HistoryPane, local
from tests.support.benches import act, bench, demo, undo
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import custodian_store, snapshot

REJECT = {"reason": "no longer wanted"}


def pane_of(app: Any) -> HistoryPane:
    assert isinstance(app.pane, HistoryPane)
    return app.pane


@pytest.mark.slow
def test_newest_first_with_diffs_and_how_each_stands(tmp_path: Path) -> None:
    demo(tmp_path)
    first = act(tmp_path, "reject", "Keep the session in SQLite", REJECT, hour=8)
    second = act(tmp_path, "reject", "encrypting", REJECT, hour=9)
    undo(tmp_path, second)
    app = bench(tmp_path, "history")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        ids = [row.key for row in pane.lines.rows]
        assert ids[1:] == [second, first]
        text = screen_text(app)
        assert "3 actions" in text
        assert "undone" in text
        assert "an undo" in text
        pane.lines.select(first)
        await settle(pilot)
        for path, diff in app.desk.transactions.diffs(first):
            assert path in pane.reading.plain
            for line in diff.split("\n")[2:]:
                if line[:1] in "+-" and line[1:].strip():
                    assert line[1:] in pane.reading.plain
        assert "2026-11-29 08:00 · by Ada · reject" in pane.reading.plain
        pane.lines.select(second)
        await settle(pilot)
        assert "It cannot be undone: " in pane.reading.plain
        await press(pilot, "u")
        assert toasts(app)[-1].startswith("It cannot be undone: ")
        assert type(app.screen).__name__ == "Screen"

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 36), (80, 24), (40, 14)])
def test_undo_shows_the_inverse_and_brings_every_byte_back(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = demo(tmp_path)
    (folder / "changelog.md").unlink()
    before = snapshot(folder)
    ident = act(tmp_path, "reject", "encrypting", REJECT)
    after = snapshot(folder)
    app = bench(tmp_path, "history")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "u")
        assert "Undo · Rejected" in screen_text(app)
        await press(pilot, "escape")
        assert snapshot(folder) == after
        await press(pilot, "u", "enter")
        assert type(app.screen).__name__ == "Screen"
        assert snapshot(folder) == before
        assert [row.item.transaction.undoes for row in pane.lines.rows] == [ident, None]
        await press(pilot, "g", "u", "enter")  # an undo undone is the redo
        assert snapshot(folder) == after

    play(app, script, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_a_text_that_was_saved_late_is_told_of_and_shown_with_where_it_lies(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)
    late = b"# Inbox\n\n- Saved late, [/b] by an editor\n"

    async def script(pilot: Pilot[Any]) -> None:
        handle = os.open(folder / "inbox.md", os.O_WRONLY)
        await press(pilot, "s")
        await type_(pilot, "no")
        await press(pilot, "enter")
        assert not [words for words in toasts(app) if "late" in words]
        os.pwrite(handle, late, 0)
        os.ftruncate(handle, len(late))
        os.utime(handle, (1_796_011_371, 1_796_011_371))
        os.close(handle)
        await press(pilot, "ctrl+r")
        assert "Saved late, and kept apart: inbox.md. See History (6)." in toasts(app)
        await press(pilot, "6")
        pane = pane_of(app)
        (row,) = pane.lines.rows
        assert "! " in screen_text(app)
        assert "keeps a text" in screen_text(app)
        plain = " ".join(pane.reading.plain.split())
        assert "Someone saved docs/memory/inbox.md at 2026-11-30 04:02, but to the file that memdesk was " in plain
        file = tmp_path / ".git" / "memdesk" / "history" / row.key / "s0"
        assert str(file) in plain
        assert file.read_bytes() == late
        assert "+ - Saved late, [/b] by an editor" in pane.reading.plain
        assert f"memdesk history --forget {row.key} lets go of it" in plain
        await type_(pilot, "/keeps")
        assert len(pane.lines.rows) == 1
        await press(pilot, "escape", "ctrl+r")
        assert toasts(app)[-1] != "Saved late, and kept apart: inbox.md. See History (6)."

    play(app, script, size)


def test_cancel_with_the_keyboard(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    act(tmp_path, "reject", "encrypting", REJECT)
    after = snapshot(folder)
    app = bench(tmp_path, "history")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "u", "tab", "enter")
        assert type(app.screen).__name__ == "Screen"
        assert snapshot(folder) == after

    play(app, script)


def test_files_that_change_under_the_dialog_make_the_diff_again(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    (folder / "changelog.md").unlink()
    act(tmp_path, "reject", "Keep the session in SQLite", REJECT)
    app = bench(tmp_path, "history")
    inbox = folder / "inbox.md"

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "u")
        lines = inbox.read_text().split("\n")
        inbox.write_text("\n".join(lines) + "\n- A line that someone adds elsewhere.\n")
        await press(pilot, "enter")  # the hunks are the same: planned anew under the lock, and applied
        assert type(app.screen).__name__ == "Screen"
        assert "Keep the session in SQLite" in inbox.read_text()
        assert "A line that someone adds elsewhere." in inbox.read_text()

    play(app, script)


@pytest.mark.slow
def test_an_undo_whose_own_span_changed_is_refused_with_the_reason(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    act(
        tmp_path,
        "edit",
        "No third-party packages",
        {"text": "## 2026-06-30 - No packages\n\nDecision:\nNone at all.\n\nReason:\nFewer parts."},
    )
    app = bench(tmp_path, "history")
    decisions = folder / "decisions.md"

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "u")
        assert type(app.screen).__name__ == "Planned"
        decisions.write_text(decisions.read_text().replace("None at all.", "Hardly any."))
        await press(pilot, "enter")
        assert type(app.screen).__name__ == "Planned"
        assert "✕" in screen_text(app)
        assert "Hardly any." in decisions.read_text()
        await press(pilot, "enter")
        await press(pilot, "escape")
        assert type(app.screen).__name__ == "Screen"

    play(app, script)


@pytest.mark.slow
def test_empty_filtered_and_damaged(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "history")

    async def script(pilot: Pilot[Any]) -> None:
        assert "Nothing was done yet." in screen_text(app)
        for key in ("u", "o", "y", "enter"):
            await press(pilot, key)
        act(tmp_path, "strike", "Store counts as CSV", {"reason": "no"})
        await press(pilot, "ctrl+r")
        assert pane_of(app).lines.count == 1
        await press(pilot, "slash")
        await type_(pilot, "zzz")
        assert "No action holds these words." in screen_text(app)
        await press(pilot, "escape")
        history = next((tmp_path / ".memdesk/state/history").iterdir())
        (history / "journal").write_bytes(b"no journal") if (history / "journal").exists() else None
        for file in history.iterdir():
            if file.name.startswith("journal"):
                file.write_bytes(b"no journal")
        app.desk.transactions._history._headers.clear()
        app.refresh_panes()
        await settle(pilot)
        assert "cannot be read" in screen_text(app)

    play(app, script)


def test_a_stamp_that_cannot_be_read_is_shown_as_it_is() -> None:
    assert local("2026-11-29T08:00:00Z") == "2026-11-29 08:00"
    assert local("yesterday") == "yesterday"
    assert local("") == "?"
