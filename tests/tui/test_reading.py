"""The reading pane: everything whole, styled lightly, wrapped by cells, harmless, and where the person left it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, lay_out, markdown, plain, rule
from tests.support.pilots import play, press, screen_text


class Bench(App[None]):
    CSS = "Reading { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.reading = Reading()

    def compose(self) -> ComposeResult:
        yield self.reading

    def on_mount(self) -> None:
        self.reading.focus()


def roles(source: str) -> list[tuple[str, str]]:
    return [(piece.text, piece.role) for para in markdown(source) for piece in para.pieces]


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("## Title", [("## Title", "heading")]),
        ("##NoSpace", [("##NoSpace", "")]),
        ("- [observed] tabs", [("- ", "accent"), ("[observed]", "tag"), (" tabs", "")]),
        ("- [ ] task", [("- [ ] ", "accent"), ("task", "")]),
        ("12. twelve", [("12. ", "accent"), ("twelve", "")]),
        ("Reason: it holds", [("Reason:", "strong"), (" it holds", "")]),
        ("see `a[b]` **now**", [("see ", ""), ("`a[b]`", "code"), (" ", ""), ("**now**", "strong")]),
        ("~~old~~ new", [("~~old~~", "struck"), (" new", "")]),
        ("> quoted", [("> quoted", "quote")]),
        ("x [/b] [@click=a]y[/]", [("x [/b] [@click=a]y[/]", "")]),
        ("```\n# no heading\n```", [("```", "code"), ("# no heading", "code"), ("```", "code")]),
        ("~~~\n```\n~~~\n# heading", [("~~~", "code"), ("```", "code"), ("~~~", "code"), ("# heading", "heading")]),
        ("", [("", "")]),
    ],
)
def test_light_styling(source: str, pieces: list[tuple[str, str]]) -> None:
    assert roles(source) == pieces


@pytest.mark.parametrize(
    "source", ["# a\n\n- b `c`\n  - d\n> e\n```\nf\n```\nReason: g ~~h~~", "a\u2028b\x0cc\r\nd\x1b[0m", "\n\n"]
)
def test_styling_changes_no_character_but_what_the_gate_shows(source: str) -> None:
    from memdesk.tui import text

    shown = "\n".join("".join(piece.text for piece in para.pieces) for para in markdown(source))
    assert shown == text.inert(source)


def test_words_that_were_looked_for_are_marked() -> None:
    found = [(piece.text, piece.role) for piece in markdown("Red **red** green", ("red",))[0].pieces]
    assert found == [("Red", "match"), (" ", ""), ("**", "strong"), ("red", "strong match"), ("**", "strong"), (" green", "")]


@pytest.mark.parametrize("room", [5, 9, 20, 80])
def test_lines_fit_and_nothing_is_lost(room: int) -> None:
    para = Para((Piece("- ", "accent"), Piece("日本語 and `code` words that wrap, 👩\u200d🚀 too", "")), hang=2)
    laid = lay_out(para, room)
    assert all(sum(cell_len(piece.text) for piece in line.pieces) <= room for line in laid)
    joined = "".join("".join(piece.text for piece in line.pieces) for line in laid).replace(" ", "")
    assert joined == "".join(piece.text for piece in para.pieces).replace(" ", "")


def test_a_line_of_200_000_characters_is_shown_whole() -> None:
    app = Bench()

    async def script(pilot: Pilot[Any]) -> None:
        start = time.perf_counter()
        app.reading.show(markdown("x" * 200_000 + " the end"))
        assert time.perf_counter() - start < 2  # a guard against quadratic work
        await press(pilot, "G")
        assert "the end" in screen_text(app)
        assert app.reading.virtual_size.height >= 200_000 // 78
        await pilot.resize_terminal(40, 10)
        await press(pilot, "G")
        assert "the end" in screen_text(app)

    play(app, script, (80, 10))


def test_keys_scroll_and_the_same_subject_keeps_its_place() -> None:
    app = Bench()
    lines = "\n".join(f"line {number}" for number in range(100))

    async def script(pilot: Pilot[Any]) -> None:
        app.reading.show(markdown(lines), "one")
        await press(pilot, "pagedown", "j", "j", "k")
        assert app.reading.scroll_offset.y == 10
        app.reading.show(markdown(lines + "\nmore"), "one")
        await pilot.pause()
        assert app.reading.scroll_offset.y == 10
        app.reading.show(markdown(lines), "another")
        await pilot.pause()
        assert app.reading.scroll_offset.y == 0
        await press(pilot, "G")
        assert "line 99" in screen_text(app)

    play(app, script, (40, 10))


def test_our_own_rules_go_across() -> None:
    app = Bench()

    async def script(pilot: Pilot[Any]) -> None:
        app.reading.show([rule("near"), *plain("x [/b]\x1b")])
        await pilot.pause()
        first, second = screen_text(app).split("\n")[:2]
        assert first.rstrip() == " ─ near " + "─" * 31
        assert second.rstrip() == " x [/b]␛"

    play(app, script, (40, 4))


def test_tiny_widths_do_not_crash() -> None:
    app = Bench()

    async def script(pilot: Pilot[Any]) -> None:
        app.reading.show([*markdown("- 日本語 `code` words"), rule("near")])
        for width in (1, 2, 3, 5):
            await pilot.resize_terminal(width, 3)
            await press(pilot, "G")

    play(app, script, (1, 3))
