"""Signs on whose width terminals disagree: what stands to their right stays where it is, in every terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.driver import Driver

from memdesk.tui import anchor
from memdesk.tui.anchor import anchored, widest
from memdesk.tui.text import inert, width, wrap
from memdesk.tui.widgets.paint import Painter, Piece
from tests.support.terminal import Counting, Grid, by_character, by_grapheme, read

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
SIGNS = (
    FAMILY, "\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea", "\U0001f1e9", "\u0915\u093f\u0902",
    "\u0915\u094d\u200d\u0937", "\u1100\u1161\u11a8", "\u0e01\u0e33", "\u2630", "\ue0b0", "\u4dc0", "\U0001d360", "\u0600",
    "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3fd", "\U00020000", "\U0001fae9", "e\u0301",
)  # fmt: skip
TERMINALS = pytest.mark.parametrize("counting", [by_character, by_grapheme])


def grid(output: str, counting: Counting, columns: int = 60) -> Grid:
    found = Grid(columns, 2, counting)
    found.feed(read(output))
    return found


@TERMINALS
@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_what_follows_a_sign_stands_where_it_was_counted(counting: Counting, sign: str) -> None:
    line = f"\x1b[1;1H\x1b[1mab{sign}\x1b[0mcd{sign}{sign}ef│"
    at = 6 + 3 * cell_len(sign)
    found = grid(anchored(line), counting)
    assert found.cell(at, 0) == "│"
    assert found.lines[0].startswith("ab")


@TERMINALS
def test_what_a_narrower_sign_leaves_is_blank(counting: Counting) -> None:
    found = grid("\x1b[1;1H" + "#" * 20 + "\x1b[1;1H" + anchored("\u2764\ufe0f\u2630|"), counting)
    assert found.lines[0].count("#") == 15


def test_what_is_not_doubtful_is_left_alone() -> None:
    for line in ("\x1b[3;4Hplain ─│ äöü \u6f22\u5b57 e\u0301 עברית كتاب кит", "\x1b]22;default\x07", ""):
        assert anchored(line) == line


def test_an_escape_sequence_in_front_of_a_mark_stays_whole() -> None:
    assert anchored("\x1b[0m\ufe0fx").startswith("\x1b[0m\x1b7\ufe0f\x1b8x")
    assert anchored("\x1b[12;3H\U0001f3fd").startswith("\x1b[12;3H")


@given(st.text(st.one_of(st.sampled_from("".join(SIGNS) + "ab │\n"), st.characters(exclude_categories=["Cs"])), max_size=60))
def test_any_inert_line_ends_where_it_was_counted(value: str) -> None:
    line = inert(value).replace("\n", " ").replace("\t", " ")
    for counting in (by_character, by_grapheme):
        found = Grid(2000, 1, counting)
        found.feed(read("\x1b[1;1H" + anchored(line) + "│"))
        assert found.cell(cell_len(line), 0) == "│"


@given(st.text(st.sampled_from("".join(SIGNS) + "ab  │"), max_size=60), st.integers(4, 30))
def test_a_wrapped_line_is_drawn_inside_its_room_in_every_terminal(value: str, room: int) -> None:
    value = inert(value)
    lines = wrap(value, max(room, 12))
    assert "".join("".join(lines).split(" ")) == "".join(value.split(" "))
    assert all(widest(line) <= max(room, 12) for line in lines)


@TERMINALS
@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_a_list_line_never_reaches_over_its_edge(counting: Counting, sign: str) -> None:
    painter = object.__new__(Painter)
    for lead in range(8):
        strip = painter.strip_of([Piece("x" * lead), Piece(sign * 40)], 30, Style())
        assert sum(cell_len(segment.text) for segment in strip) == 30
        found = grid("\x1b[1;1H" + "x" * 60 + "\x1b[1;1H" + anchored("".join(segment.text for segment in strip)), counting)
        assert "".join(found.cell(x, 0) for x in range(30, 60)) == "x" * 30


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("e" + "\u0301" * 8, "e" + "\u0301" * 8),
        ("e" + "\u0301" * 10, "e" + "\u0301" * 8 + "‹U+0301›" * 2),
        ("\u0915" + "\u093f" * 9 + "x", "\u0915" + "\u093f" * 8 + "‹U+093F›x"),
        ("\U0001f44d\U0001f3fd\U0001f3fd", "\U0001f44d\U0001f3fd‹U+1F3FD›"),
        ("\U0001f3fdx", "‹U+1F3FD›x"),
        (FAMILY, FAMILY),
        ("\U0001f468\u200d" * 4 + "\U0001f468", "\U0001f468\u200d" * 3 + "\U0001f468‹U+200D›\U0001f468"),
        ("\u0f67\u0fb8\u0fb3\u0fba\u0fbb\u0fbc", "\u0f67\u0fb8\u0fb3\u0fba\u0fbb\u0fbc"),
    ],
    ids=ascii,
)
def test_more_than_any_script_has_on_one_letter_is_shown_as_symbols(value: str, shown: str) -> None:
    assert inert(value) == shown


@pytest.mark.parametrize("char", ["\u0301", "\u093f", "\u200d\u0915", "\U0001f468\u200d", "\ufe0f", "\U0001f3fd", "\u0f90"])
def test_a_flood_takes_room(char: str) -> None:
    """What takes no cell, however much of it there is, can hide anything, and can be drawn anywhere."""
    shown = inert("\u0915" + char * 5000)
    assert width(shown) >= 5000 / 4
    assert all(len(line) < 200 for line in wrap(shown, 40))


def test_a_driver_writes_anchored() -> None:
    class Quiet(Driver):
        def __init__(self) -> None:
            self.written = ""

        def write(self, data: str) -> None:
            self.written += data

        def start_application_mode(self) -> None: ...
        def disable_input(self) -> None: ...
        def stop_application_mode(self) -> None: ...

    made = anchor.driver(Quiet)()  # type: ignore[call-arg]
    made.write("\u2764\ufe0f")
    assert made.written == anchored("\u2764\ufe0f") != "\u2764\ufe0f"  # type: ignore[attr-defined]


def test_a_segment_of_a_line_is_cut_alone() -> None:
    painter = object.__new__(Painter)
    strip = painter.strip_of([Piece("a" * 26), Piece(FAMILY), Piece(FAMILY)], 30, Style())
    assert [segment.text for segment in strip if isinstance(segment, Segment)] == ["a" * 26, "  ", "  "]
