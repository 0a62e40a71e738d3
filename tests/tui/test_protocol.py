"""A store of complete entries in the workbench: what a candidate says of itself is proposed, what could be picked is offered,
and each refusal has a key that leads on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.widgets.form import Form, ManyLines
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, type_
from tests.support.protocol import faults
from tests.support.protocol_stores import protocol_store, seen


def run(root: Path, script: Callable[[Pilot[Any], Workbench], Coroutine[Any, Any, None]]) -> None:
    protocol_store(root)
    app = bench(root)

    async def scripted(pilot: Pilot[Any]) -> None:
        await script(pilot, app)

    play(app, scripted, (80, 24))


def asked(app: Workbench) -> dict[str, str]:
    assert isinstance(app.screen, Verdict), app.screen
    return dict(app.screen.request().words)


@pytest.mark.slow
def test_a_candidate_goes_to_the_place_that_it_names_with_the_evidence_that_a_person_takes(tmp_path: Path) -> None:
    async def script(pilot: Pilot[Any], app: Workbench) -> None:
        await press(pilot, "p")
        assert asked(app)["to"] == "do-not-use"
        await press(pilot, "escape", "j", "j", "j", "p")
        assert asked(app)["to"] == "area:storage"
        await press(pilot, "enter", "1", "enter")
        area = app.focused
        assert isinstance(area, ManyLines)
        assert (area.text, area.suggestion) == ("", "user-confirmed")
        await type_(pilot, "pr")
        assert area.suggestion == ":#"
        await press(pilot, "right")
        await type_(pilot, "4")
        await press(pilot, "enter")
        await type_(pilot, "Disks fail.")
        await press(pilot, "enter")
        assert "Promoted" in screen_text(app)

    run(tmp_path, script)
    assert faults(seen(tmp_path)) == []
    assert b"- pr:#4\n" in (tmp_path / "docs/memory/areas/storage.md").read_bytes()


def test_a_strike_of_what_is_rejected_here_leads_there_with_the_reason(tmp_path: Path) -> None:
    async def script(pilot: Pilot[Any], app: Workbench) -> None:
        await press(pilot, "s")
        await type_(pilot, "Slow.")
        assert "^r  rejects it instead" in screen_text(app)
        await press(pilot, "ctrl+r")
        assert asked(app)["reason"] == "Slow."
        await press(pilot, "ctrl+t")
        fields = {field.ask.field: field.ask for field in app.screen.query_one("#verdict-form", Form).fields}
        assert fields["subject"].choices == ("Entry forms", "Network", "Export", "Storage")
        assert asked(app)["reason"] == "Slow."
        await press(pilot, "enter", "enter", "4", "enter", "s", "e")
        assert (asked(app)["subject"], asked(app)["facet"]) == ("Storage", "security")
        await press(pilot, "enter")

    run(tmp_path, script)
    assert faults(seen(tmp_path)) == []
    assert b"Facet: security" in (tmp_path / "docs/memory/do-not-use.md").read_bytes()


@pytest.mark.slow
def test_several_that_need_different_things_come_one_after_the_other(tmp_path: Path) -> None:
    async def script(pilot: Pilot[Any], app: Workbench) -> None:
        await press(pilot, "space", "j", "j", "j", "space", "p")
        assert isinstance(app.screen, Verdict)
        assert len(app.screen.ids) == 1

    run(tmp_path, script)
