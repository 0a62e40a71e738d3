"""Decision records by keyboard: what an agent proposed is accepted with what it supersedes, another is rejected, and undone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from memdesk.tui.app import Workbench
from tests.support.pilots import play, press, screen_text, toasts, type_
from tests.support.stores import git_repo, record, records_store, snapshot

TODAY = datetime(2026, 11, 30, 9, 0)
FIRST, SECOND, THIRD = (
    "docs/adr/0001-store-counts-as-csv.md", "docs/adr/0002-sync-at-night.md", "docs/adr/0003-counts-are-stored-as-xml.md"
)
WORDS = {
    "text": "Counts are stored as XML.", "kind": "adr", "reason": "A law asks for it.", "options": "- CSV: not allowed.",
    "consequences": "Volunteers need a program.", "supersedes": "1",
}
OLD, LATER = record(1, "Store counts as CSV"), record(2, "Sync at night", "Proposed", date="2026-06-01")


@pytest.mark.slow
def test_accept_what_supersedes_reject_another_and_undo(tmp_path: Path) -> None:
    records_store(tmp_path)
    git_repo(tmp_path)
    desk = Desk.open(str(tmp_path), clock=Clock(TODAY), user_config=None)
    desk.perform(Request("add", words=WORDS), "agent")
    added = snapshot(tmp_path)
    app = Workbench(desk, environ={"TERM": "xterm-256color"})
    states = []

    async def script(pilot: Pilot[Any]) -> None:
        await type_(pilot, "/XML")
        await press(pilot, "enter", "p")
        assert "accept it" in screen_text(app)
        await press(pilot, "ctrl+s")
        states.append(snapshot(tmp_path))
        await press(pilot, "escape", "r")
        await type_(pilot, "Volunteers sleep")
        await press(pilot, "ctrl+s")
        states.append(snapshot(tmp_path))
        assert app.pane is not None
        assert app.pane.count == 0
        await press(pilot, "u", "u")
        assert "Undone" in toasts(app)[-1] or "Undid" in toasts(app)[-1]

    play(app, script)
    new = added[THIRD].decode()
    link = "[ADR-0003](0003-counts-are-stored-as-xml.md)"
    assert "## Status\n\nProposed\n\nSupersedes [ADR-0001](0001-store-counts-as-csv.md)\n\n## Context\n\nA law asks" in new
    assert states[0][THIRD].decode() == new.replace("Proposed", "Accepted")
    assert states[0][FIRST].decode() == OLD.replace("Accepted", f"Superseded by {link}, 2026-11-30")
    assert {path for path in added if states[0][path] != added[path]} == {FIRST, THIRD}
    assert states[1][SECOND].decode() == LATER.replace("Proposed", "Rejected, 2026-11-30: Volunteers sleep")
    assert {path for path in added if states[1][path] != states[0][path]} == {SECOND}
    assert snapshot(tmp_path) == added
