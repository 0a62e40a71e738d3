"""Fields made from what a layout asks: choices on one line, text that grows, nothing typed ever lost."""

from __future__ import annotations

from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from memdesk.core.layouts.base import Ask
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.form import Form, OneLine
from tests.support.pilots import play, press, screen_text, type_

TITLE = Ask("title", "Title", True, "A title")
REASON = Ask("reason", "Reason", True, long=True)
SCOPE = Ask("scope", "Scope")
TAG = Ask("tag", "Tag", choices=("stated", "observed", "inferred"))


class Bench(App[None]):
    CSS = """
    Form { height: auto; }
    .field { height: auto; }
    .field-label { width: 12; }
    Choice { height: 1; }
    Form.-fold .-folded { display: none; }
    """

    def __init__(self, *asks: Ask) -> None:
        super().__init__()
        self.form = Form()
        self.asks = asks
        self.sent = 0

    def compose(self) -> ComposeResult:
        yield self.form

    async def on_mount(self) -> None:
        await self.form.ask(self.asks)

    @on(Form.Submitted)
    def _sent(self) -> None:
        self.sent += 1


def test_required_fields_are_in_sight_and_the_rest_is_folded() -> None:
    app = Bench(TITLE, REASON, SCOPE, TAG, Ask("lasts", "Hard to reverse?", choices=("yes", "no"), shown=True))

    async def script(pilot: Pilot[Any]) -> None:
        assert [field.ask.field for field in app.form.fields if field.has_class("-folded")] == ["scope", "tag"]
        missing = app.form.first_missing()
        assert missing is not None
        assert missing.ask is REASON
        assert app.form.words() == {"title": "A title"}

    play(app, script)


def test_the_same_questions_again_change_nothing_also_where_one_in_sight_comes_after_one_that_is_folded() -> None:
    """Fields that are made anew say that they changed, and who asks by what changed would ask without end."""
    app = Bench(SCOPE, TITLE, TAG, REASON)

    async def script(pilot: Pilot[Any]) -> None:
        assert [field.ask for field in app.form.fields] == [TITLE, REASON, SCOPE, TAG]
        before = list(app.form.fields)
        await app.form.ask([SCOPE, TITLE, TAG, REASON])
        assert all(one is other for one, other in zip(app.form.fields, before, strict=True))
        await app.form.ask([SCOPE._replace(required=True), TITLE, TAG, REASON])
        assert [field.ask.field for field in app.form.fields] == ["scope", "title", "reason", "tag"]

    play(app, script)


@pytest.mark.slow
def test_a_field_that_stays_keeps_what_was_typed_and_one_that_returns_too() -> None:
    app = Bench(TITLE, REASON)

    async def script(pilot: Pilot[Any]) -> None:
        app.form.fields[1].control.focus()
        await type_(pilot, "why")
        await app.form.ask([SCOPE])
        assert app.form.words() == {}
        await app.form.ask([REASON, SCOPE])
        assert app.form.words() == {"reason": "why"}

    play(app, script)


def test_what_nobody_touched_comes_back_to_the_byte() -> None:
    hostile = "a\x1b[31m\tb \u202e"
    app = Bench(Ask("text", "Text", True, hostile, long=True), Ask("title", "Title", True, "x\x9by"))

    async def script(pilot: Pilot[Any]) -> None:
        assert app.form.words() == {"text": hostile.strip(), "title": "x\x9by"}
        assert "␛[31m" in screen_text(app)
        assert isinstance(app.form.fields[1].control, OneLine)
        assert app.form.fields[1].control.value == "x‹U+009B›y"
        app.form.fields[1].control.focus()
        await press(pilot, "end", "z")
        assert app.form.words()["title"] == "x‹U+009B›yz"

    play(app, script)


def test_enter_sends_and_ctrl_j_begins_a_line() -> None:
    app = Bench(REASON)

    async def script(pilot: Pilot[Any]) -> None:
        app.form.fields[0].control.focus()
        await press(pilot, "a", "ctrl+j", "b", "enter")
        assert app.form.words() == {"reason": "a\nb"}
        assert app.sent == 1

    play(app, script)


def test_in_a_text_of_several_lines_enter_is_a_line() -> None:
    app = Bench(Ask("text", "Text", True, "one\ntwo", long=True))

    async def script(pilot: Pilot[Any]) -> None:
        app.form.fields[0].control.focus()
        await press(pilot, "down", "end", "enter", "x")
        assert app.form.words() == {"text": "one\ntwo\nx"}
        assert app.sent == 0

    play(app, script)


def test_a_proposal_does_not_replace_what_was_typed() -> None:
    app = Bench(REASON, TITLE)

    async def script(pilot: Pilot[Any]) -> None:
        app.form.propose("title", "Another")
        app.form.propose("reason", "proposed")
        assert app.form.words() == {"title": "Another", "reason": "proposed"}
        app.form.fields[1].control.focus()
        await press(pilot, "end", "x")
        app.form.propose("title", "Third")
        assert app.form.words()["title"] == "Anotherx"

    play(app, script)


def test_pasted_escapes_are_symbols() -> None:
    field = OneLine()
    assert field.validate_value("a\x1b]0;x\x07\nb") == "a␛]0;x␇ b"


@pytest.mark.slow
def test_a_choice_by_arrows_digits_and_letters() -> None:
    choice = Choice([Pick(name, name) for name in TAG.choices], needed=False)

    class One(App[None]):
        def compose(self) -> ComposeResult:
            yield choice

        def on_mount(self) -> None:
            choice.focus()

    async def script(pilot: Pilot[Any]) -> None:
        for keys, value in (
            ("right", "stated"), ("right right", "observed"), ("left", "inferred"), ("2", "observed"), ("9", None),
            ("o", "observed"), ("i n", "inferred"), ("x", None), ("end", "inferred"), ("2 backspace", None), ("2 1", "stated"),
        ):
            choice.action_clear()
            choice.on_blur()  # forgets the letters typed so far
            await press(pilot, *keys.split())
            assert choice.value == value, keys

    play(One(), script, (60, 3))


def test_the_chosen_one_of_many_is_in_sight() -> None:
    choice = Choice([Pick(str(number), f"destination {number}") for number in range(40)], "20")

    class One(App[None]):
        CSS = "Choice { height: 1; }"

        def compose(self) -> ComposeResult:
            yield choice

    app = One()

    async def script(pilot: Pilot[Any]) -> None:
        for width in (1, 5, 12, 30, 80):
            await pilot.resize_terminal(width, 2)
            assert "[destination 20]" in screen_text(app) or width < 30

    play(app, script, (1, 2))


@pytest.mark.parametrize("needed", [True, False])
@pytest.mark.parametrize("chosen", ["", "stated"])
def test_a_choice_shows_that_it_has_the_focus_chosen_or_not(needed: bool, chosen: str) -> None:
    choices = [Choice([Pick(name, name) for name in TAG.choices], chosen, needed=needed) for _ in range(2)]

    class Two(App[None]):
        def compose(self) -> ComposeResult:
            yield from choices

    def look(choice: Choice) -> list[tuple[str, str]]:
        return [(segment.text, str(segment.style)) for segment in choice.render_line(0)]

    async def script(pilot: Pilot[Any]) -> None:
        for one, other in (choices, choices[::-1]):
            one.focus()
            await pilot.pause()
            assert look(one) != look(other)

    play(Two(), script, (60, 3))


def test_what_was_proposed_or_typed_stays_however_often_the_questions_change() -> None:
    app = Bench(TITLE, REASON)

    async def script(pilot: Pilot[Any]) -> None:
        app.form.propose("reason", "It was said before.")
        await app.form.ask([TITLE._replace(default="")])
        for asks in ([REASON, SCOPE], [REASON, TAG], [REASON._replace(long=False), SCOPE, TAG]):
            await app.form.ask(asks)
            assert app.form.words()["reason"] == "It was said before."

    play(app, script)


def test_a_line_is_completed_by_the_first_offer_that_goes_on_with_it() -> None:
    app = Bench(REASON._replace(offers=("user-confirmed", "issue:#", "pr:#")))

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "tab", "right")
        assert app.form.words() == {"reason": "user-confirmed"}
        await press(pilot, "ctrl+j")
        await type_(pilot, "u")
        await press(pilot, "right", "backspace", "right")  # what is there already is offered no more
        await type_(pilot, "7")
        assert app.form.words() == {"reason": "user-confirmed\nissue:#7"}

    play(app, script)
