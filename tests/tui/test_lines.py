"""The list: selection and marks go by identity, headings are skipped, and 10,000 rows cost what is on screen."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece
from tests.support.pilots import play, press, screen_text


def rows(*names: str) -> list[Row]:
    """`# words` makes a heading."""
    return [Row("" if name.startswith("#") else name, name) for name in names]


class Bench(App[None]):
    CSS = "Lines { height: 1fr; }"

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.drawn = 0
        self.log_: list[str] = []

        def draw(item: Any, width: int) -> Sequence[Piece]:
            self.drawn += 1
            return [Piece(str(item))]

        self.lines = Lines(draw)
        self.lines.set_rows(rows(*names))

    def compose(self) -> ComposeResult:
        yield self.lines

    def on_lines_moved(self, event: Lines.Moved) -> None:
        self.log_.append(f"moved {event.key}")

    def on_lines_opened(self, event: Lines.Opened) -> None:
        self.log_.append(f"opened {event.key}")


def test_the_first_row_that_is_no_heading_is_selected() -> None:
    assert Bench("# one", "a", "b").lines.key == "a"
    assert Bench().lines.key == ""
    assert Bench("# only headings").lines.key == ""


def test_who_asks_is_called_with_the_move_and_before_its_message() -> None:
    app = Bench("a", "b")
    app.lines.at_move = lambda: app.log_.append(f"at {app.lines.key}")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "j")
        assert app.log_[-2:] == ["at b", "moved b"]
        await press(pilot, "j", "k")  # the first goes nowhere
        assert app.log_[-2:] == ["at a", "moved a"]
        assert app.log_.count("at a") == app.log_.count("at b") == 1

    play(app, script)


def test_keys_move_over_headings() -> None:
    app = Bench("# one", "a", "b", "# two", "c", "d")

    async def script(pilot: Pilot[Any]) -> None:
        for keys, key in (
            ("j", "b"), ("down down", "c"), ("G", "d"), ("end up", "c"), ("G g", "a"), ("k", "a"), ("G j", "d"),
            ("pagedown", "d"), ("G pageup", "a"),
        ):
            app.lines.select("a")
            await press(pilot, *keys.split())
            assert app.lines.key == key, keys

    play(app, script, (40, 10))


def test_the_selection_stays_on_its_row_when_others_come_and_go() -> None:
    lines = Bench("a", "b", "c", "d").lines
    lines.select("c")
    lines.set_rows(rows("# new", "x", "c", "y", "a"))
    assert lines.key == "c"


@pytest.mark.parametrize(
    ("left", "key"), [(("a", "b", "d", "e"), "d"), (("a", "b"), "b"), (("e", "a"), "e"), (("x", "y", "z"), "z"), ((), "")]
)
def test_the_next_takes_the_place_of_a_row_that_goes(left: tuple[str, ...], key: str) -> None:
    lines = Bench("a", "b", "c", "d", "e").lines
    lines.select("c")
    lines.set_rows(rows(*left))
    assert lines.key == key


def test_marks_go_by_identity_too() -> None:
    app = Bench("a", "b", "c")

    async def script(pilot: Pilot[Any]) -> None:
        lines = app.lines
        lines.toggle_mark()
        assert (lines.marks, lines.key) == (("a",), "b")
        lines.select("c")
        lines.toggle_mark()
        assert lines.chosen == ("a", "c")
        lines.set_rows(rows("c", "x", "a", "b"))
        assert lines.chosen == ("c", "a")
        lines.set_rows(rows("b", "a"))
        assert lines.chosen == ("a",)
        lines.clear_marks()
        assert lines.chosen == (lines.key,)
        lines.mark_all()
        assert lines.marks == ("b", "a")
        lines.mark_all()
        assert lines.marks == ()

    play(app, script)


def test_the_filter_wants_every_word_and_keeps_headings_of_what_it_finds() -> None:
    app = Bench("# one", "Red apple", "green apple", "# two", "red pear", "# three", "plum")

    async def script(pilot: Pilot[Any]) -> None:
        lines = app.lines
        lines.select("red pear")
        lines.set_filter("RED")
        await pilot.pause()
        assert lines.key == "red pear"
        assert (lines.count, lines.total) == (2, 4)
        text = screen_text(app)
        assert "# one" in text
        assert "# three" not in text
        lines.set_filter("apple red")
        assert lines.key == "Red apple"
        lines.set_filter("nothing at all")
        assert lines.key == ""
        lines.set_filter("")
        assert lines.count == 4
        assert lines.key == "Red apple"

    play(app, script, (40, 12))


def test_enter_and_double_click_open() -> None:
    app = Bench("a", "b", "c")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "enter")
        await pilot.click(Lines, offset=(5, 2))
        assert app.lines.key == "c"
        await pilot.click(Lines, offset=(5, 1), times=2)
        assert [line for line in app.log_ if line.startswith("opened")] == ["opened a", "opened b"]
        await pilot.click(Lines, offset=(1, 2))
        assert app.lines.marks == ("c",)

    play(app, script, (40, 8))


def test_ten_thousand_rows_are_drawn_a_screen_at_a_time() -> None:
    app = Bench(*(f"row {number}" for number in range(10_000)))

    async def script(pilot: Pilot[Any]) -> None:
        app.drawn = 0
        await press(pilot, "G")
        assert app.lines.key == "row 9999"
        assert "row 9999" in screen_text(app)
        assert app.drawn < 100
        start = time.perf_counter()
        app.lines.set_filter("9999")
        assert app.lines.count == 1
        app.lines.set_filter("")
        app.lines.set_rows(app.lines.rows)
        assert time.perf_counter() - start < 1  # a guard against quadratic work, not a benchmark

    play(app, script, (60, 20))


def test_tiny_widths_do_not_crash() -> None:
    app = Bench("# heading", "日本語日本語", "👩\u200d🚀 x", "\x1b[31m")

    async def script(pilot: Pilot[Any]) -> None:
        for width in (1, 2, 3, 4, 7):
            await pilot.resize_terminal(width, 3)
            await press(pilot, "G", "g")

    play(app, script, (1, 3))


def test_hostile_rows_are_drawn_as_symbols() -> None:
    app = Bench("x [/b] \x1b]0;gone\x07", "[@click=app.exit]click[/]", "a\tb\nc")

    async def script(pilot: Pilot[Any]) -> None:
        text = screen_text(app)
        assert "x [/b] ␛]0;gone␇" in text
        assert "[@click=app.exit]click[/]" in text
        assert "\x1b" not in text

    play(app, script, (60, 6))


def test_the_time_of_painting_follows_the_selection() -> None:
    app = Bench("a", "b")

    async def script(pilot: Pilot[Any]) -> None:
        first = app.lines.painted_at
        assert 0 < first < float("inf")
        app.lines.select("b")
        assert app.lines.painted_at == float("inf")
        await pilot.pause()
        assert first < app.lines.painted_at < float("inf")

    play(app, script, (20, 4))


def test_texts_are_looked_at_ahead_a_few_at_a_time_and_once() -> None:
    looked: list[str] = []

    def haystack(item: Any) -> str:
        looked.append(item)
        return str(item)

    app = Bench()
    app.lines = lines = Lines(lambda item, width: [Piece(str(item))], haystack)

    async def script(pilot: Pilot[Any]) -> None:
        names = [f"row {number}" for number in range(450)]
        lines.set_rows(rows(*names))
        lines._look_ahead(iter(lines.rows))
        assert looked == names[:200]
        lines.set_filter("row 44")
        assert sorted(looked) == sorted(names)
        assert lines.count == 14  # every word, anywhere: 44, 144, ..., 440 to 449
        lines.set_rows(rows("other"))
        lines.set_filter("oth")
        assert looked[-1] == "other"

    play(app, script)
