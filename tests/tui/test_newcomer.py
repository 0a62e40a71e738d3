"""What a newcomer met in the workbench: refusals, keys typed ahead, undo, and words that lead on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.errors import Refused
from memdesk.tui.dialogs.verdict import Verdict
from tests.support.benches import bench, demo
from tests.support.pilots import play, press, screen_text, type_


@pytest.mark.parametrize("keys", [("p", "2"), ("s", "=why")])
def test_what_cannot_be_written_is_said_in_the_dialog(tmp_path: Path, keys: tuple[str, ...]) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    real = app.desk.commit

    def refuse(plan: Any, who: str) -> Any:
        raise Refused("The file cannot be written.", path=plan.paths[0], remedy="Give yourself the right (--force).")

    app.desk.commit = refuse  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        for key in keys:
            await (type_(pilot, key[1:]) if key.startswith("=") else press(pilot, key))
        await press(pilot, "enter")
        assert isinstance(app.screen, Verdict)
        text = screen_text(app)
        assert "The file cannot be written." in text
        assert "Give yourself the right." in text
        assert "--force" not in text
        if "=why" in keys:
            assert app.screen.request().words["reason"] == "why"
        assert {path: path.read_bytes() for path in folder.rglob("*.md")} == before
        app.desk.commit = real  # type: ignore[method-assign]
        await press(pilot, "enter")  # the button is live: once it can be written, Enter writes
        assert len(app.screen_stack) == 1
        assert len(app.desk.history()) == 1

    play(app, script)
