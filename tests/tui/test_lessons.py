"""A command's proposals for the project's memory at the workbench: none chosen, each promoted by the ordinary dialog."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.dialogs.lessons import Distilling
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.widgets.form import Form
from tests.support.agents import gone, numbers
from tests.support.pilots import inspected, play, press, screen_text, settle, toasts
from tests.support.stores import snapshot
from tests.tui.test_compacting import with_agent

ANSWER = r"""
say('up')
text = sys.stdin.read()
number = text.split("of Lessons Learned>>>")[0].split()[-1]
print("Sure [/]!\n\n## Conventions\n\n- [b]Names[/b] hold, [link='x']not[/] places (from: " + number + ")")
print("- Dates are written as 2026-05-02, in every file (from: 1)\n\n## Rules\n\n- Be good (from: 1)")
"""


@pytest.mark.slow
def test_each_proposal_is_promoted_by_itself_and_the_review_is_said_by_the_person(tmp_path: Path) -> None:
    app = with_agent(tmp_path, ANSWER)
    before = snapshot(tmp_path / "repo/.jonggrang")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "L")
        assert isinstance(app.screen, Confirm)
        assert "what the feature's memory" in inspected(app, "approval")
        assert not (tmp_path / "tools/up").exists()
        await press(pilot, "left", "enter")
        screen = app.screen
        assert isinstance(screen, Distilling)
        text = inspected(app, "proposals")
        assert "3 proposals, none chosen" in text
        assert "○ proposed       Conventions: [b]Names[/b] hold, [link='x']not[/] places" in text
        assert text.count("✕ can't be taken") == 2
        assert "Sure [/]!" in text
        await press(pilot, "down", "enter")
        assert toasts(app)[-1] == "It is there already, in line 11."
        await press(pilot, "down", "enter")
        assert toasts(app)[-1].startswith("The project's memory has no section 'Rules'.")
        await press(pilot, "up", "up", "enter")
        assert isinstance(app.screen, Verdict)
        words = app.screen.query_one("#verdict-form", Form).words()
        assert (words["section"], words["text"]) == ("Conventions", "[b]Names[/b] hold, [link='x']not[/] places")
        assert not words.get("reviewed")
        assert snapshot(tmp_path / "repo/.jonggrang") == before
        for field in app.screen.query_one("#verdict-form", Form).fields:
            if field.ask.field == "reviewed":
                field.control.choose(1)  # type: ignore[union-attr]
        await settle(pilot)
        await press(pilot, "ctrl+s")
        assert app.screen is screen
        assert "✓ promoted" in screen_text(app)
        await press(pilot, "enter")
        assert toasts(app)[-1] == "It was promoted."
        os.unlink(tmp_path / "tools/up")
        await press(pilot, "escape", "L")
        assert "✓ promoted" in screen_text(app)
        assert not (tmp_path / "tools/up").exists(), "what it gave is there again"

    play(app, script)
    text = (tmp_path / "repo/.jonggrang/MEMORY.md").read_text()
    assert "- [b]Names[/b] hold, [link='x']not[/] places (from [counts](" in text


@pytest.mark.slow
def test_a_command_that_fails_or_is_called_off_leaves_all_as_it_was(tmp_path: Path) -> None:
    app = with_agent(tmp_path, "say('up')\nif os.path.exists('again'):\n    hang()\nsys.exit('no [/] idea')")
    before = snapshot(tmp_path / "repo/.jonggrang")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "L", "left", "enter")
        assert "no [/] idea" in inspected(app, "failure")
        assert "There is no draft" in screen_text(app)
        os.unlink(tmp_path / "tools/up")
        (tmp_path / "tools/again").touch()
        await pilot.press("d")
        while not (tmp_path / "tools/up").exists():
            await pilot.pause()
        await press(pilot, "escape")
        assert isinstance(app.screen, Distilling)
        assert "The draft was called off; the command was ended." in screen_text(app)
        assert all(gone(number) for number in numbers(tmp_path / "tools"))
        await press(pilot, "escape")
        assert not isinstance(app.screen, Distilling)

    play(app, script)
    assert snapshot(tmp_path / "repo/.jonggrang") == before
