"""The verdict dialog on a desk in memory: what it asks, when Enter counts, and that nothing typed is ever lost."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.errors import Refused, StoreError
from memdesk.core.plan import Plan, Request
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.confirm import Notice
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.widgets.form import Form
from tests.support.fake_desk import FakeDesk
from tests.support.pilots import play, press, screen_text, settle, toasts, type_

TEXTS = ["Retry three times", "Never write outside $HOME", "JSON grows", "Third [x] [/b]"]


def open_bench(**options: Any) -> tuple[Workbench, FakeDesk]:
    desk = FakeDesk(TEXTS, **options)
    return Workbench(desk, environ={"TERM": "xterm-256color"}), desk  # type: ignore[arg-type]


def dialog(app: Workbench) -> Verdict:
    assert isinstance(app.screen, Verdict), app.screen
    return app.screen


def test_only_what_is_needed_is_in_sight_and_the_rest_unfolds() -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p")
        text = screen_text(app)
        assert "Title *" in text
        assert "Reason *" in text
        assert "▸ more: scope, tag" in text
        assert "Reason is still to be filled in." in text
        await press(pilot, "tab", "tab", "tab", "enter")
        text = screen_text(app)
        assert "Scope" in text
        assert "▸ more" not in text

    play(app, script)


def test_the_button_says_what_will_happen_and_the_diff_is_there() -> None:
    app, desk = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "enter")
        await type_(pilot, "why")
        text = screen_text(app)
        assert "Promote to decisions.md · 640 → 671 of 800 tokens · inbox 12 → 11" in text
        assert "+ Reason: why" in text
        assert "- - Third [x] [/b]" in text
        assert desk.committed == []
        await press(pilot, "enter")
        assert [plan.request.words for plan in desk.committed] == [
            {"to": "decisions", "title": "Third [x] [/b]", "reason": "why"}
        ]
        assert desk.committed[0].request.person
        assert toasts(app) == ["promote of 1 u undoes it."]

    play(app, script)


@pytest.mark.slow
def test_another_destination_asks_other_things_and_keeps_what_was_typed() -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "enter")
        await type_(pilot, "why")
        await press(pilot, "shift+tab", "shift+tab", "2")
        assert dialog(app).request().words == {"to": "constraints"}
        await press(pilot, "3")
        assert dialog(app).request().words == {"to": "area:storage", "title": "Third [x] [/b]", "reason": "why"}

    play(app, script)


def test_enter_counts_only_for_the_plan_on_screen() -> None:
    app, desk = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2")
        verdict = dialog(app)
        verdict.replan()  # the words changed: the plan for them is not there yet
        app.key_time = float("inf")
        verdict.action_confirm()
        assert desk.committed == []
        await settle(pilot)
        app.key_time = 0.0  # a key from before the plan was drawn
        verdict.action_confirm()
        await settle(pilot)
        assert desk.committed == []
        await press(pilot, "enter")
        assert len(desk.committed) == 1

    play(app, script)


def test_a_drifted_plan_is_shown_anew_and_enter_waits_for_another_key() -> None:
    app, desk = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2")
        desk.drift = "someone else's line\n"
        await press(pilot, "enter")
        assert desk.committed == []
        assert "! NEW" in screen_text(app)
        assert "+ someone else's line" in screen_text(app)
        await press(pilot, "enter", "enter")
        assert desk.committed == []
        await press(pilot, "pagedown", "enter")
        assert len(desk.committed) == 1

    play(app, script)


@pytest.mark.slow
def test_a_reading_from_outside_marks_a_diff_that_is_another_one() -> None:
    app, desk = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2")
        app.refresh_panes()
        await settle(pilot)
        assert "! NEW" not in screen_text(app), "the same diff needs no second look"
        desk.drift = "someone else's line\n"
        app.refresh_panes()
        await settle(pilot)
        assert "! NEW" in screen_text(app)
        await press(pilot, "enter")
        assert desk.committed == []

    play(app, script)


def test_a_refusal_says_why_and_keeps_what_was_typed() -> None:
    app, desk = open_bench()

    def refuse(plan: Plan, who: str) -> Any:
        raise Refused("It has an example value.", path="docs/memory/inbox.md", line=4, remedy="Generalise it.", field="scope")

    desk.commit = refuse  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "enter")
        await type_(pilot, "why")
        original = desk.plan

        def plan(request: Request) -> Plan:
            if "local" not in request.words.get("scope", ""):
                raise Refused(
                    "It has an example value.", path="docs/memory/inbox.md", line=4, remedy="Generalise it.", field="scope"
                )
            return original(request)

        desk.plan = plan  # type: ignore[method-assign]
        await press(pilot, "enter")
        text = screen_text(app)
        assert "✕ docs/memory/inbox.md:4: It has an example value." in text
        assert "→ Generalise it." in text
        assert dialog(app).request().words["reason"] == "why"
        await press(pilot, "enter")  # goes to the field that the refusal names, folded as it was
        await type_(pilot, "local")
        assert dialog(app).request().words["scope"] == "local"
        assert "640 → 671" in screen_text(app)

    play(app, script)


def test_an_error_keeps_the_dialog_and_the_workbench() -> None:
    app, desk = open_bench()

    def fail(plan: Plan, who: str) -> Any:
        raise StoreError("Permission denied: x [/b] \x1b[2J", path="docs/memory/inbox.md", remedy="Make it writable.")

    desk.commit = fail  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2", "enter")
        text = screen_text(app)
        assert "Permission denied: x [/b] ␛[2J" in text
        assert "Make it writable." in text
        await press(pilot, "escape")
        assert dialog(app).query_one("#verdict-form", Form).display is False
        await press(pilot, "escape")
        assert len(app.screen_stack) == 1

    play(app, script)


@pytest.mark.slow
def test_a_fault_of_our_own_is_a_notice_and_no_traceback() -> None:
    app, desk = open_bench()

    def fault(request: Request) -> Any:
        raise ZeroDivisionError("division by zero")

    desk.plan = fault  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        text = screen_text(app)
        assert "ZeroDivisionError: division by zero" in text
        assert "Traceback" not in text
        await press(pilot, "escape", "escape")
        assert len(app.screen_stack) == 1

    play(app, script)


def test_nothing_opens_where_nothing_can_be_written() -> None:
    app, _ = open_bench(read_only="The folder is not writable.")

    async def script(pilot: Pilot[Any]) -> None:
        assert "Read-only: The folder is not writable." in screen_text(app)
        for key in "prsmeaf":
            app.clear_notifications()
            await press(pilot, key)
            assert len(app.screen_stack) == 1, key
            assert toasts(app) == ["The folder is not writable."], key

    play(app, script)


@pytest.mark.parametrize("size", [(40, 12), pytest.param((20, 6), marks=pytest.mark.slow)])
def test_narrow_terminals_still_do_the_work(size: tuple[int, int]) -> None:
    app, desk = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2")
        await pilot.resize_terminal(80, 24)
        await pilot.resize_terminal(*size)
        await press(pilot, "enter")
        assert len(desk.committed) == 1

    play(app, script, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(12, 5), (5, 2), (1, 1)])
def test_tiny_terminals_do_not_crash(size: tuple[int, int]) -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        app.push_screen(
            Notice("Could not promote", "The file changed, and words go on and on.", "docs/memory/inbox.md:7", "Again.")
        )
        app.say("A toast with several words in it")
        await settle(pilot)
        app.pop_screen()
        for verb in ("promote", "help", "filter", "snooze"):
            app.key_time = float("inf")
            app.run_verb(verb)
            await settle(pilot)
            while len(app.screen_stack) > 1:
                app.pop_screen()
        await pilot.resize_terminal(80, 24)
        assert "Retry three times" in screen_text(app)

    play(app, script, size)
