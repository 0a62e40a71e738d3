"""Fragments of two tasks by keyboard: compacted with one left out and one edited, a line promoted to the project's memory, all
of it taken back. The files are compared to the byte with what formats/jonggrang.md and formats/verbs.md say is written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core import judgments
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from tests.support.pilots import play, press, screen_text, settle, type_
from tests.support.stores import FRAGMENTS, feature_memory, fragment, git_repo, jonggrang_store, snapshot

TODAY = datetime(2026, 5, 10, 14, 5)
STORE = ".jonggrang"
MEMORY, PROJECT = f"{STORE}/.output/features/counts/MEMORY.md", f"{STORE}/MEMORY.md"
ONE, TWO = "task-001-2026-05-07T10-15-00-000Z.md", "task-002-2026-05-08T16-40-12-345Z.md"
FILES = {
    f"{FRAGMENTS}/counts/{ONE}": fragment(
        facts="- A file has at most 400 rows", lessons="- The header may stand in the second row",
        promotion="- Ask the county first",
    ),
    f"{FRAGMENTS}/counts/{TWO}": fragment(facts="- A file has at most 400 rows", free="Draw maps by hand."),
}
STAMP = TODAY.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
COMPACTED = feature_memory(
    context="The counts of spring come in as spreadsheets.",
    facts="- Each site sends one file\n- A file has at most 400 rows (from task-001, 2026-05-07)",
    what="- 2026-05-07 task-001: reads a file (from progress notes, task-001, 2026-05-07)\n"
    "- 2026-05-08 task-002: two files had no header (from progress notes, task-002, 2026-05-08)",
    lessons="- Read the header by name, never by place\n- The header may stand anywhere in the first three rows",
    promotion="- Read the header by name, never by place\n- Ask the county first (from task-001, 2026-05-07)",
).replace("2026-05-08T09:30:00Z", STAMP)
LINE = f"- Read the header by name, never by place (reason: Both counties do it; from [counts]({MEMORY}), 2026-05-10)\n"


@pytest.mark.slow
def test_from_fragments_to_the_project_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jonggrang_store(tmp_path, **FILES)
    git_repo(tmp_path)
    before = snapshot(tmp_path)
    editor = tmp_path.parent / f"{tmp_path.name}.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/^- The header may stand in the second row.*/- The header may stand anywhere in "
                      "the first three rows/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    states: list[dict[str, bytes]] = []
    app = Workbench(Desk.open(str(tmp_path), clock=Clock(TODAY), user_config=None), environ={"TERM": "xterm-256color"})

    def keep() -> None:
        states.append({path: data for path, data in snapshot(tmp_path).items() if ".memdesk/state/" not in path})

    async def choose(pilot: Pilot[Any], lines: Any, text: str) -> None:
        assert lines.select(next(row.key for row in lines.rows if row.key and text in _text(row.item)))
        await settle(pilot)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        screen: Any = app.screen
        await choose(pilot, screen.lines, "Draw maps")
        await press(pilot, "x")
        await type_(pilot, "Nobody can")
        await press(pilot, "enter", "e")
        await choose(pilot, screen.lines, "second row")
        assert "✕ left out  The header may stand" in screen_text(app), "an edit that no longer says it is accounted for"
        await press(pilot, "x")
        await type_(pilot, "It is any of three")
        await press(pilot, "enter")
        assert "✓ 4 carried · = 1 folded · ✕ 2 left out · edited by you" in screen_text(app)
        await press(pilot, "enter")
        assert "Compact counts: 4 carried, 1 folded, 2 left out; 2 fragments archived" in screen_text(app)
        await press(pilot, "enter")
        keep()
        await choose(pilot, app.pane.lines, "by name, never by place")  # type: ignore[union-attr]
        await press(pilot, "p", "tab", "1", "tab", "2", "tab")
        await type_(pilot, "Both counties do it")
        await press(pilot, "ctrl+s")
        keep()
        await press(pilot, "u", "u")
        keep()

    play(app, script)
    compacted, promoted, undone = states
    assert compacted[MEMORY].decode() == COMPACTED
    archive = f"{STORE}/.ephemeral/memory/archive/counts/2026-05-10"
    assert {path: data for path, data in compacted.items() if "/.ephemeral/" in path} == {
        f"{archive}/{ONE}": before[f"{STORE}/{FRAGMENTS}/counts/{ONE}"],
        f"{archive}/{TWO}": before[f"{STORE}/{FRAGMENTS}/counts/{TWO}"],
    }
    reasons = {judgment.reason for judgment in judgments.parse(compacted[judgments.PATH])}
    assert reasons == {"Nobody can", "It is any of three"}
    project = before[PROJECT].decode().replace("2026-04-20T08:00:00Z", STAMP)
    written = "- Dates are written as 2026-05-02, in every file\n"
    assert promoted[PROJECT].decode() == project.replace(written, written + LINE)
    name = "- Read the header by name, never by place"
    head, _, rest = COMPACTED.rpartition(name + "\n")
    assert promoted[MEMORY].decode() == f"{head}{name} → promoted 2026-05-10\n{rest}"
    assert undone == before


def _text(item: Any) -> str:
    return str(item.row.entry.text if hasattr(item, "row") else item.entry.text)
