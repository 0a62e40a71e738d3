"""The gate: nothing that a terminal would act on, or an eye would miss, gets through; what is readable stays as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memdesk.tui import text

HARMFUL = {
    "title": ("\x1b]0;gone\x07", "␛]0;gone␇"),
    "clipboard": ("\x1b]52;c;eA==\x07", "␛]52;c;eA==␇"),
    "clear": ("\x1b[2J", "␛[2J"),
    "c1 csi": ("a\x9b2Jb", "a‹U+009B›2Jb"),
    "nul": ("a\x00b", "a␀b"),
    "delete": ("a\x7fb", "a␡b"),
    "lone carriage return": ("safe\rEVIL", "safe␍EVIL"),
    "form feed": ("a\x0cb", "a␌b"),
    "next line": ("a\x85b", "a‹U+0085›b"),
    "line separator": ("a\u2028b", "a‹U+2028›b"),
    "bidi override": ("a\u202eb", "a‹U+202E›b"),
    "bidi isolate": ("a\u2066b\u2069", "a‹U+2066›b‹U+2069›"),
    "tag characters": ("hi\U000e0068\U000e0069", "hi‹U+E0068›‹U+E0069›"),
    "joiner in a word": ("foo\u200dbar", "foo‹U+200D›bar"),
    "zero width space": ("a\u200bb", "a‹U+200B›b"),
    "soft hyphen": ("Ru\u00adles", "Ru‹U+00AD›les"),
    "word joiner": ("a\u2060b", "a‹U+2060›b"),
    "byte order mark inside": ("a\ufeffb", "a‹U+FEFF›b"),
    "byte order mark at the start": ("\ufeffabc", "‹U+FEFF›abc"),
    "filler": ("a\u3164b", "a‹U+3164›b"),
    "variation selectors as cargo": ("a\ufe01\ufe02", "a‹U+FE01›‹U+FE02›"),
    "supplementary selectors": ("a\U000e0100", "a‹U+E0100›"),
    "mark without right-to-left text": ("abc\u200fdef", "abc‹U+200F›def"),
    "a byte that is no text": (b"caf\xe9".decode("utf-8", "surrogateescape"), "caf‹\\xe9›"),
    "a lone surrogate": ("a\ud800b", "a‹U+D800›b"),
    "a combining mark that would sit on our chrome": ("\u0301abc", "◌\u0301abc"),
}
HARMLESS = (
    "plain", "tab\tand\nnewline", "[stated] [x] [/b] [[wikilink]] \\", "日本語", "👩\u200d🚀 astronaut", "❤\ufe0f", "1\ufe0f⃣",
    "می\u200cخواهم", "क\u094d\u200dष", "שלום\u200f!", "café", "cafe\u0301", "葛\U000e0100", "- [ ] task", "naïve – “quoted” …",
)


@pytest.mark.parametrize(("raw", "shown"), HARMFUL.values(), ids=HARMFUL)
def test_what_could_act_is_shown_as_a_symbol(raw: str, shown: str) -> None:
    assert text.inert(raw) == shown


@pytest.mark.parametrize("raw", HARMLESS)
def test_what_is_readable_stays_as_it_is(raw: str) -> None:
    assert text.inert(raw) == raw


def test_windows_line_ends_are_line_ends() -> None:
    assert text.inert("a\r\nb\r\n") == "a\nb\n"
    assert text.inert("é\r\nb") == "é\nb"


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_or_hidden_character_is_left(value: str) -> None:
    shown = text.inert(value)
    for index, character in enumerate(shown):
        if character in "\n\t":
            continue
        assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}, hex(ord(character))
        assert not 0x202A <= ord(character) <= 0x202E, index
    shown.encode("utf-8")
    assert text.inert(shown) == shown


def test_content_takes_brackets_literally() -> None:
    for hostile in ("x [/b] y", "x = a[/b", "[@click=app.bell]click[/]", "[[wikilink]]", "[stated] tabs", "\\"):
        assert text.content(hostile).plain == hostile
        assert text.content(hostile).spans == []


def test_a_line_is_one_line() -> None:
    assert text.line("  a\n\tb\r\n c  ") == "a b c"
    assert text.content_line("a\x1b\nb").plain == "a␛ b"


@pytest.mark.parametrize(
    ("value", "cells", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("日本語", 5, "日本…"),
        ("日本語", 6, "日本語"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("a" * 9999, 4, "aaa…"),
    ],
)
def test_clip_counts_cells(value: str, cells: int, cut: str) -> None:
    assert text.clip(value, cells) == cut
    assert cell_len(text.fit(value, cells)) == cells


@pytest.mark.parametrize(
    ("value", "cells", "lines"),
    [
        ("hello world this is", 11, ["hello world", "this is"]),
        ("  indented text here", 10, ["  indented", "text here"]),
        ("x" * 7, 3, ["xxx", "xxx", "x"]),
        ("ab " + "x" * 5 + " cd", 4, ["ab", "xxxx", "x cd"]),
        ("日本語日本", 5, ["日本", "語日", "本"]),
        ("ab 日本語日本語", 9, ["ab 日本語", "日本語"]),
        ("", 5, [""]),
    ],
)
def test_wrap(value: str, cells: int, lines: list[str]) -> None:
    assert text.wrap(value, cells) == lines


@given(st.text("ab 日é👩\u200d🚀x", max_size=80), st.integers(3, 20), st.integers(0, 4))
def test_wrapping_fits_and_loses_nothing_but_blanks(value: str, cells: int, hang: int) -> None:
    hang = min(hang, cells - 2)
    value = text.inert(value)
    spans = text.wrap_spans(value, cells, hang)
    for number, (start, end) in enumerate(spans):
        assert cell_len(value[start:end].rstrip(" ")) <= (cells - hang if number else cells)
    assert "".join(value[start:end] for start, end in spans).replace(" ", "") == value.replace(" ", "")


@pytest.mark.parametrize("code", [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF])
def test_what_will_never_be_a_character_is_named(code: int) -> None:
    assert text.inert(f"a{chr(code)}b") == f"a‹U+{code:04X}›b"


def test_marks_do_not_vouch_for_each_other() -> None:
    assert text.inert("a\u200eb\u200fc\u061cd") == "a‹U+200E›b‹U+200F›c‹U+061C›d"
