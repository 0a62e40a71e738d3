"""Another memdesk holds the lock: the workbench says who, goes on answering keys, and Escape gives up with all typed kept."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.widgets.form import Form
from tests.support.benches import act, bench, demo
from tests.support.holders import held, let_go
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import snapshot


async def until(pilot: Pilot[Any], what: Any) -> None:
    """Goes on answering messages until it holds. Work that waits for a lock never settles."""
    while not what():
        await pilot.pause()
        await asyncio.sleep(0)


async def shown(pilot: Pilot[Any], words: str) -> None:
    await until(pilot, lambda: words in _flat(pilot.app))


def _flat(app: Any) -> str:
    """The screen as one run of words, whatever was wrapped."""
    return " ".join(screen_text(app).split())


async def promoting(pilot: Pilot[Any]) -> Verdict:
    """The dialog of a promote, filled in."""
    await press(pilot, "p")
    verdict = pilot.app.screen
    assert isinstance(verdict, Verdict)
    for field in verdict.query_one("#verdict-form", Form).fields:
        if field.ask.field == "reason":
            field.control.focus()
    await type_(pilot, "Volunteers asked for it.")
    return verdict


def reason(verdict: Verdict) -> str:
    return verdict.request().words["reason"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (40, 14)])
def test_it_says_who_holds_the_lock_and_escape_gives_up_with_the_words_kept(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = demo(tmp_path)
    before = snapshot(folder)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        verdict = await promoting(pilot)
        with held(str(tmp_path), "strike") as holder:
            await pilot.press("enter")
            await shown(pilot, f"Waiting for process {holder} on ")
            await shown(pilot, "(strike, since 2026-11-30T04:02:51Z). Esc gives up; nothing is written.")
            assert app.screen is verdict
            await pilot.press("escape")
            await settle(pilot)
            assert app.screen is verdict, "the first Escape ends the wait, not the dialog"
            assert "Waiting for" not in _flat(app)
            assert toasts(app) == ["Called off: could not promote. Nothing was written."]
            assert reason(verdict) == "Volunteers asked for it."
            assert snapshot(folder) == before
        await press(pilot, "enter")  # once more, and the lock is free
        assert type(app.screen).__name__ == "Screen"
        assert "Volunteers asked for it." in (folder / "decisions.md").read_text()

    play(app, script, size)


@pytest.mark.slow
def test_it_goes_on_by_itself_when_the_holder_is_gone(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await promoting(pilot)
        with held(str(tmp_path)) as holder:
            await pilot.press("enter")
            await shown(pilot, f"Waiting for process {holder} on ")
            let_go(holder)
            await settle(pilot)
        assert type(app.screen).__name__ == "Screen"
        assert "Waiting for" not in _flat(app)
        assert (folder / "decisions.md").read_text().count("Volunteers asked for it.") == 1

    play(app, script)


@pytest.mark.slow
def test_keys_are_answered_and_panes_read_while_an_undo_waits(tmp_path: Path) -> None:
    """The desk is not held meanwhile: another pane reads its history, a search finds, a dialog makes its diff."""
    folder = demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await promoting(pilot)
        await press(pilot, "enter")
        after = snapshot(folder)
        with held(str(tmp_path)):
            await pilot.press("u")
            await shown(pilot, "Waiting for process ")
            await pilot.press("6")
            await shown(pilot, "1 action")
            await pilot.press("1", "j", "p")
            await until(pilot, lambda: isinstance(app.screen, Verdict))
            await shown(pilot, "Reason is still to be filled in.")
            assert "Waiting for process " in _flat(app), "over the dialog, too"
            await pilot.press("escape")
            await until(pilot, lambda: not app.waiter.told)
            await settle(pilot)
            assert isinstance(app.screen, Verdict)
            await press(pilot, "escape")
            assert snapshot(folder) == after
        await press(pilot, "u")  # it still is the last verdict
        assert "Volunteers asked for it." not in (folder / "decisions.md").read_text()

    play(app, script)


@pytest.mark.slow
def test_words_that_change_during_the_wait_are_what_is_written_after_it(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        verdict = await promoting(pilot)
        with held(str(tmp_path)):
            await pilot.press("enter")
            await shown(pilot, "Waiting for process ")
            await pilot.press("exclamation_mark")
            await pilot.press("escape")
            await settle(pilot)
        assert reason(verdict) == "Volunteers asked for it.!"
        await press(pilot, "enter")
        assert "Volunteers asked for it.!\n" in (folder / "decisions.md").read_text()

    play(app, script)


@pytest.mark.slow
def test_quitting_gives_up_the_wait(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    before = snapshot(folder)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await promoting(pilot)
        with held(str(tmp_path)):
            await pilot.press("enter")
            await shown(pilot, "Waiting for process ")
            await pilot.press("ctrl+q")
            await until(pilot, lambda: app._exit)

    play(app, script)
    assert app.return_code == 0
    assert snapshot(folder) == before


@pytest.mark.slow
def test_reading_never_waits(tmp_path: Path) -> None:
    """The lock is held from before the start: the panes fill, changes outside are seen, and no wait is ever told of."""
    folder = demo(tmp_path)
    act(tmp_path, "reject", "encrypting", {"reason": "no"})
    with held(str(tmp_path)):
        app = bench(tmp_path)

        async def script(pilot: Pilot[Any]) -> None:
            assert "waiting" in screen_text(app)
            for key in ("2", "5", "6", "1"):
                await press(pilot, key)
            inbox = folder / "inbox.md"
            inbox.write_text(inbox.read_text() + "\n- Somebody adds this by hand.\n")
            await press(pilot, "ctrl+r")
            assert any("by hand" in entry.text for entry in app.desk.candidates())
            assert not app.waiter.told
            assert "Waiting for" not in _flat(app)

        play(app, script)


@pytest.mark.slow
def test_two_waits_end_together(tmp_path: Path) -> None:
    """A snooze and an undo: one Escape, and neither is done."""
    folder = demo(tmp_path)
    app: Workbench = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await promoting(pilot)
        await press(pilot, "enter")
        after = snapshot(folder)
        with held(str(tmp_path)):
            await pilot.press("u")
            await shown(pilot, "Waiting for process ")
            await pilot.press("z")
            await until(pilot, lambda: type(app.screen).__name__ == "Snooze")
            await pilot.press("enter")
            await until(pilot, lambda: len(app.waiter._waiting) == 2)
            await pilot.press("escape")
            await settle(pilot)
            assert not app.waiter.told
            assert snapshot(folder) == after
        assert Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None).snoozes() == []

    play(app, script)


def test_a_request_of_another_thread_is_not_called_off_by_an_escape_of_before(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        app.waiter.call_off()  # nobody waits
        desk = app.desk
        receipt = desk.perform(Request("add", (), {"text": "After it", "tag": "observed"}), "agent")
        assert receipt.id is not None

    play(app, script)


class _Watched(dict[int, Any]):
    """Notes which thread writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.writers: list[int] = []

    def __setitem__(self, key: int, value: Any) -> None:
        self.writers.append(threading.get_ident())
        super().__setitem__(key, value)

    def pop(self, *args: Any) -> Any:
        self.writers.append(threading.get_ident())
        return super().pop(*args)


def test_what_runs_is_written_down_by_the_thread_that_reads_it(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)
    app._works = watched = _Watched()

    async def script(pilot: Pilot[Any]) -> None:
        results: list[int] = []
        for number in range(20):
            app.work(partial(int, number), results.append, doing="count", turn=number % 2 == 0)
        await settle(pilot)
        assert sorted(results) == list(range(20))
        assert not watched
        assert set(watched.writers) == {threading.get_ident()}

    play(app, script)
