"""First use of the workbench: refusals, keys typed ahead, undo, and words that lead on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from memdesk.core.errors import Refused
from memdesk.tui import ahead
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.dialogs.search import Search
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.widgets.form import Fold, Form
from tests.support.benches import act, bench, demo
from tests.support.pilots import play, press, screen_text, settle, toasts, type_


@pytest.mark.slow
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


async def burst(pilot: Pilot[Any], keys: str) -> None:
    """Keys at once, as a fast hand or a slow machine gives them, until all of them were taken."""
    for key in keys:
        name = {"⏎": "enter", " ": "space"}.get(key, key)
        pilot.app.post_message(events.Key(name, key if len(name) == 1 else " " if key == " " else None))
    for _ in range(500):
        await settle(pilot)
        if pilot.app._ahead is None:  # type: ignore[attr-defined]
            return
        await asyncio.sleep(0.01)
    raise AssertionError("keys were never taken")


@pytest.mark.slow
def test_typed_ahead_undone_and_selected_again(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)
    constraints, inbox = folder / "constraints.md", folder / "inbox.md"
    before = constraints.read_bytes(), inbox.read_bytes()

    async def script(pilot: Pilot[Any]) -> None:
        lines = app.pane.lines  # type: ignore[union-attr]
        first, total = lines.key, lines.total
        await burst(pilot, "p2⏎")
        assert constraints.read_bytes() != before[0]
        assert lines.total == total - 1
        second = lines.key
        await press(pilot, "z", "enter")  # a snooze is a verdict as any
        assert lines.total == total - 2
        await press(pilot, "u")
        assert (lines.total, lines.key) == (total - 1, second)
        assert constraints.read_bytes() != before[0], "only the snooze was taken back"
        await press(pilot, "u")
        assert (constraints.read_bytes(), inbox.read_bytes()) == before
        assert lines.key == first
        await burst(pilot, "s2 years⏎")
        assert b"struck 2026-11-30: 2 years" in inbox.read_bytes(), "digits and blanks in a reason are text"

    play(app, script)


def test_undo_asks_before_it_takes_back_what_another_session_did(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    entry = next(line for line in (folder / "inbox.md").read_text().splitlines() if line.startswith("- "))
    act(tmp_path, "reject", entry[2:30])
    before = (folder / "inbox.md").read_bytes()
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "u")
        assert isinstance(app.screen, Planned)
        assert "not of this session · by Ada" in screen_text(app)
        assert (folder / "inbox.md").read_bytes() == before
        await press(pilot, "escape", "u", "enter")
        assert len(app.screen_stack) == 1
        assert entry in (folder / "inbox.md").read_text()

    play(app, script)


@pytest.mark.slow
def test_the_dialog_leads_on(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p")
        assert "⏎ next/apply · 1-9 choose · Tab fields · ^s apply · Esc cancel" in screen_text(app)
        await type_(pilot, "pace")  # no destination begins to be chosen by its letters
        words = app.screen.request().words  # type: ignore[attr-defined]
        assert (words["to"], words["reason"]) == ("decisions", "pace")
        fold = app.screen.query_one(Fold)
        fold.focus()
        await press(pilot, "space")
        form = app.screen.query_one("#verdict-form", Form)
        folded = [field for field in form.fields if field.has_class("-folded")]
        assert folded[0].control.has_focus
        await press(pilot, "tab")
        assert folded[1].control.has_focus
        await press(pilot, "escape", "e")
        assert "^s apply" in screen_text(app)
        await press(pilot, "escape", "r")
        assert "Leave a tombstone" in screen_text(app)
        await type_(pilot, "no use")
        await press(pilot, "ctrl+t")
        text = screen_text(app)
        assert "Reason *" in text
        assert "do-not-use" in text
        assert app.screen.request().words["reason"] == "no use"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+t")
        assert "Reason *" not in screen_text(app)

    play(app, script, size=(80, 24))


@pytest.mark.slow
def test_search_offers_its_actions_and_opens_a_hit_in_full(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "ctrl+f")
        await type_(pilot, "the")
        await press(pilot, "ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        await press(pilot, "escape")
        search = app.screen
        assert isinstance(search, Search)
        await press(pilot, "enter")
        while search.entry is not None and search.entry.candidate:
            await press(pilot, "down")
        await press(pilot, "enter")
        assert search.reading.has_focus
        assert not search.lines.region, "the hit has the whole of it"
        await press(pilot, "escape")
        assert search.lines.has_focus
        await press(pilot, "escape")
        assert len(app.screen_stack) == 1

    play(app, script)


def test_without_a_store_the_inbox_says_how_to_make_one(tmp_path: Path) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        text = screen_text(app)
        assert "There is no store here." in text
        assert "memdesk init" in text
        assert "memdesk add" not in text
        await press(pilot, "ctrl+r")
        assert toasts(app) == ["No file differs from what was read."]
        toast = app.screen.query_one(Toast)
        assert toast.region.bottom <= app.query_one("#meters").region.y
        app.watch_outside = True
        app._count_now()
        await settle(pilot)
        assert app.count("health") == 0

    play(app, script, size=(80, 24))


@pytest.mark.slow
def test_a_dialog_that_never_answers_holds_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo(tmp_path)
    monkeypatch.setattr(Verdict, "settled", False)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "escape")
        assert len(app.screen_stack) == 1
        monkeypatch.setattr(ahead, "SOON", 0.5)
        monkeypatch.setattr(ahead, "PATIENCE", 0.0)
        await burst(pilot, "sno")
        await settle(pilot)
        assert app.screen.request().words == {"reason": "no"}  # type: ignore[attr-defined]

    play(app, script)
