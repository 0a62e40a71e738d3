"""A reviewer goes through a branch by keyboard: what each task gains and loses, what it brings struck and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.panes.context import ContextPane
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, type_
from tests.support.reviewing import branch
from tests.support.stores import git


@pytest.mark.slow
@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
def test_look_at_a_branch_strike_what_it_brings_and_take_that_back(tmp_path: Path, size: tuple[int, int]) -> None:
    store = branch(tmp_path)
    app = bench(tmp_path)
    before = (store / "decisions.md").read_bytes()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "2", "v", "tab")
        pane = app.pane
        assert isinstance(pane, ContextPane)
        against = pane.against
        assert against is not None
        await press(pilot, "slash")
        await type_(pilot, "Markdown too")
        await press(pilot, "enter")
        assert "+ gained · docs/memory/decisions.md:5 · 37 tokens" in against.reading.plain
        await press(pilot, "enter")
        assert "Readers asked for headings that survive." in screen_text(app)
        await press(pilot, "escape", "s")
        assert "2026-11-20 - Export as Markdown too" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert "## ~~2026-11-20 - Export as Markdown too~~" in (store / "decisions.md").read_text()
        assert "~~2026-11-20 - Export as Markdown too~~" in against.reading.plain, "it is compared anew"
        await press(pilot, "u")
        assert (store / "decisions.md").read_bytes() == before
        assert "~~" not in against.reading.plain
        await press(pilot, "escape", "P")
        assert "| 733 -> 740 (+7) | 2 | 1 | 3 |  | 1 |  |" in app.clipboard
        await press(pilot, "v")
        assert pane.choices.has_focus_within

    play(app, script, size)
    assert git(tmp_path, "status", "--porcelain") == " M docs/memory/changelog.md\n", "it tells of the strike and its undo"
