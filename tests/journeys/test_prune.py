"""A prune session by keyboard alone, over a restart; the files are compared to the byte with what is to be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from memdesk.tui.panes.prune import PrunePane
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, toasts, type_
from tests.support.rotten import CONSTRAINTS, DECISIONS, PREFERENCES, rotten
from tests.support.stores import MEMORY, snapshot

LOG = f"{MEMORY}/changelog.md"


def pane_of(app: Workbench) -> PrunePane:
    assert isinstance(app.pane, PrunePane)
    return app.pane


def title(pane: PrunePane) -> str:
    return pane.case.title if pane.case is not None else ""


def changed(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    """The files that differ, the log aside."""
    return {path for path in one | other if one.get(path) != other.get(path)} - {LOG}


@pytest.mark.slow
def test_a_whole_session(tmp_path: Path) -> None:
    """Copies go together, an older version is struck, a tombstone's candidate stays, a set is another one, the rest is left."""
    rotten(tmp_path)
    states = [snapshot(tmp_path)]
    first = bench(tmp_path, "inbox")

    async def begin(pilot: Pilot[Any]) -> None:
        await press(pilot, "4")
        pane = pane_of(first)
        assert pane.count == 8
        await press(pilot, "space", "space", "a")
        assert "Accept 2 together · Said twice" in screen_text(first)
        await press(pilot, "enter")
        states.append(snapshot(tmp_path))
        assert title(pane) == "Every count names its observer."
        await press(pilot, "z", "3", "enter")
        assert title(pane) == "The public API is tRPC", "the next kind"
        await press(pilot, "a", "enter")
        states.append(snapshot(tmp_path))
        assert title(pane) == "decisions.md: 2 struck entries"
        await press(pilot, "a", "j", "space")
        assert "[ ] stays" in screen_text(first)
        await press(pilot, "enter")
        states.append(snapshot(tmp_path))
        await press(pilot, "q")

    play(first, begin)
    again = bench(tmp_path, "prune")

    async def resume(pilot: Pilot[Any]) -> None:
        pane = pane_of(again)
        assert toasts(again)[0] == "Session of 2026-11-30 resumed, 5 verdicts given."
        assert "✓ 4 accepted · z 1 snoozed · 4 left" in screen_text(again)
        assert title(pane) == "decisions.md: 1 struck entry", "what was taken out of the set is proposed again"
        await press(pilot, "j", "j")
        assert title(pane) == "Cloud sync"
        await press(pilot, "r")
        await type_(pilot, "sites get a network next year")
        await press(pilot, "enter")
        states.append(snapshot(tmp_path))
        await press(pilot, "u")
        assert title(pane) == "Cloud sync"
        await press(pilot, "r", "enter")
        states.append(snapshot(tmp_path))
        await press(pilot, "E")
        assert "- accepted: 4" in screen_text(again)
        assert "- left for the next: 3" in screen_text(again)
        await press(pilot, "enter")
        states.append(snapshot(tmp_path))
        assert "No session yet: the first verdict begins one · 3 left" in screen_text(again)

    play(again, resume)
    _, copies, older, archived, rejected, silent, ended = states
    name = f"{MEMORY}/constraints.md"
    assert changed(states[0], copies) == {name}
    lines = CONSTRAINTS.splitlines()
    lines[5:7] = [f"- ~~{line[2:]}~~ struck 2026-11-30: Said twice in constraints.md" for line in lines[5:7]]
    assert copies[name].decode() == "\n".join(lines) + "\n"
    name = f"{MEMORY}/decisions.md"
    assert changed(copies, older) == {name}
    assert older[name].decode() == DECISIONS.replace(
        "## 2026-01-14 - The public API is tRPC\n",
        '## ~~2026-01-14 - The public API is tRPC~~\n\nStruck: 2026-11-30. Superseded by "The public API is tRPC" of '
        "2026-08-19 in decisions.md.\n",
    )
    gone = DECISIONS[DECISIONS.index("## ~~2024-03-01") : DECISIONS.index("## ~~2024-02-01")]
    assert archived[name].decode() == older[name].decode().replace(gone, "")
    kept = changed(older, archived) - {name}
    assert len(kept) == 1
    assert gone.strip() in archived[kept.pop()].decode()
    assert changed(archived, rejected) == {".memdesk/judgments.toml"}
    assert b'reason = "sites get a network next year"' in rejected[".memdesk/judgments.toml"]
    assert b'reason = ""' in silent[".memdesk/judgments.toml"]
    assert changed(silent, ended) == {".memdesk/sessions.toml"}
    assert "accepted = 4\nrejected = 1\nsnoozed = 1\n" in ended[".memdesk/sessions.toml"].decode()
    assert "- Prune session: 4 accepted, 1 rejected, 1 snoozed; " in ended[LOG].decode()
    assert ended[f"{MEMORY}/preferences.md"].decode() == PREFERENCES, "what was left is as it was"


@pytest.mark.slow
def test_everything_is_taken_back(tmp_path: Path) -> None:
    rotten(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "A", "enter", "a", "enter", "r", "enter", "z", "enter", "E", "enter")
        assert "No session yet" in screen_text(app)
        for _ in range(5):
            await press(pilot, "u")
        assert pane.count == 8
        assert changed(before, snapshot(tmp_path)) == set()

    play(app, script)
