"""A lesson through its gate, by keyboard: below it nothing is written, with the signals ticked it becomes standing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from memdesk.tui.widgets.signals import Signals
from tests.support.pilots import play, press, screen_text, type_
from tests.support.stores import FACTS, agent_memory_store, git_repo, snapshot

TODAY = datetime(2026, 11, 30, 9, 0)
LESSON = "- [inferred] When sites report late, counts drift; a second pass fixed it\n"
NOTES = {
    "memory/2026-11-29.md": f"# 2026-11-29\n\n{LESSON}",
    "memory/2026-11-20.md": "# 2026-11-20\n\n- [inferred] Late sites let counts drift again; a second pass fixed it\n",
    "memory/2026-11-10.md": "# 2026-11-10\n\n- [inferred] When sites report late the counts drift; a second pass fixed it\n",
    "AGENTS.md": "# For agents\n\nThe memory of this repository is in MEMORY.md.\n\n- Be brief.\n",
}


def bench(root: Path) -> Workbench:
    agent_memory_store(root, **NOTES)
    git_repo(root)
    desk = Desk.open(str(root), clock=Clock(TODAY), user_config=None)
    return Workbench(desk, environ={"TERM": "xterm-256color"})


@pytest.mark.slow
def test_a_lesson_becomes_standing(tmp_path: Path) -> None:
    app = bench(tmp_path)
    before = snapshot(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "G", "p")  # the newest candidate
        dialog = app.screen
        places = [line for line in screen_text(app).split("\n") if " To " in line]
        assert "memory/people/ada.md" in places[0]
        while "AGENTS.md]" not in screen_text(app):
            await press(pilot, "right")
        signals = app.screen.query_one(Signals)
        assert "1 of 3 signals · 1 of 2 sessions" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert snapshot(tmp_path) == before  # refused, and the dialog stays
        signals.focus()
        await press(pilot, "space", "down", "space")
        assert "✓ 3 of 3 signals · 3 of 2 sessions" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert app.screen is not dialog

    play(app, script)
    after = snapshot(tmp_path)
    trail = (
        "; seen 2026-11-10 in memory/2026-11-10.md, 2026-11-20 in memory/2026-11-20.md, 2026-11-29 in memory/2026-11-29.md)\n"
    )
    line = LESSON[:-1] + " (2026-11-29, from memory/2026-11-29.md" + trail
    assert after["AGENTS.md"].decode() == NOTES["AGENTS.md"] + line
    assert after["memory/2026-11-29.md"].decode() == f"# 2026-11-29\n\n{LESSON[:-1]} → AGENTS.md\n"
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {"AGENTS.md", "memory/2026-11-29.md"}


@pytest.mark.slow
def test_three_versions_and_back(tmp_path: Path) -> None:
    """Superseding the current version by keyboard, then undo: every byte is back."""
    app = bench(tmp_path)
    before = snapshot(tmp_path)
    current = "**tRPC, chosen 2026-08-19, from the architecture review** [stated]"

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "ctrl+f")
        await type_(pilot, "tRPC")
        await press(pilot, "enter")
        await press(pilot, "s")
        assert "Strike" in screen_text(app)
        await type_(pilot, "gRPC")
        await press(pilot, "ctrl+s")
        text = (tmp_path / "memory/decisions/api.md").read_text()
        struck = f"~~{current}~~ superseded 2026-11-30\n\n**gRPC** [stated] (2026-11-30)\n"
        assert text == FACTS["memory/decisions/api.md"].replace(f"{current}\n", struck)
        await press(pilot, "escape", "u", "enter")

    play(app, script)
    assert snapshot(tmp_path) == before
