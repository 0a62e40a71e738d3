"""Characters that can't be seen: where they are legitimate, and where they hide something."""

from __future__ import annotations

import pytest

from memdesk.core.checks.invisible import hidden, name
from memdesk.core.checks.screens import clean

FINE = {
    "astronaut": "\U0001f469\u200d\U0001f680",
    "family with skin tones": "\U0001f468\U0001f3fd\u200d\U0001f469\U0001f3fb\u200d\U0001f467",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "heart": "I ❤\ufe0f it",
    "keycap": "1\ufe0f\u20e3",
    "copyright": "©\ufe0f",
    "Persian": "می\u200cخواهم",
    "Hindi": "क्\u200dष and क्\u200cष",
    "Arabic abbreviation": "ه\u200d.",
    "Thai break": "ภาษา\u200bไทย",
    "Hebrew with mark": "שלום\u200f (abc)",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "ideographic variation": "葛\U000e0100",
    "Mongolian": "ᠮᠣ\u180b",
    "byte order mark at the start": "\ufeff# Title",
    "tab and line feed": "a\tb\n",
    "accents": "e\u0301 ñ ü",
}
HIDDEN = {
    "soft hyphen in a heading": ("## Ru\u00adles", "U+00AD soft hyphen"),
    "joiner between letters": ("foo\u200dbar", "U+200D zero width joiner"),
    "non-joiner between Latin letters": ("foo\u200cbar", "U+200C zero width non-joiner"),
    "zero width space": ("foo\u200bbar", "U+200B zero width space"),
    "override": ("x\u202ey", "U+202E right-to-left override"),
    "isolate": ("x\u2066y", "U+2066 left-to-right isolate"),
    "mark in Latin text": ("a\u200eb", "U+200E left-to-right mark"),
    "mark that would vouch for itself": ("c\u061cd", "U+061C Arabic letter mark"),
    "escape": ("a\x1b[31mb", "U+001B escape"),
    "bell": ("a\x07", "U+0007 bell"),
    "form feed": ("a\x0cb", "U+000C form feed"),
    "C1": ("a\x9bb", "U+009B control sequence introducer"),
    "next line": ("a\x85b", "U+0085 next line"),
    "line separator": ("a\u2028b", "U+2028 line separator"),
    "delete": ("a\x7fb", "U+007F delete"),
    "byte order mark inside": ("a\ufeffb", "U+FEFF byte order mark"),
    "word joiner": ("a\u2060b", "U+2060 word joiner"),
    "tag character": ("a\U000e0041b", "U+E0041 tag character"),
    "selector on a letter": ("a\ufe0fb", "U+FE0F variation selector"),
    "second selector": ("❤\ufe0f\ufe0e", "U+FE0E variation selector"),
    "smuggling selector": ("a\U000e0110b", "U+E0110 variation selector"),
    "Hangul filler": ("a\u3164b", "U+3164 Hangul filler"),
    "joiner at the end": ("\U0001f469\u200d", "U+200D zero width joiner"),
    "joiner after an emoji, before a letter": ("\U0001f469\u200dx", "U+200D zero width joiner"),
}


@pytest.mark.parametrize("case", FINE)
def test_f08_legitimate_uses_are_fine(case: str) -> None:
    assert hidden(FINE[case]) == []


@pytest.mark.parametrize("case", HIDDEN)
def test_f08_hidden_characters_are_named(case: str) -> None:
    text, what = HIDDEN[case]
    assert [sign.what for sign in hidden(text)] == [what]


def test_f08_a_tag_string_is_found_whole_even_after_a_flag() -> None:
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    assert len(hidden(flag + "\U000e0041\U000e0042\U000e007f")) == 3
    assert len(hidden("\U0001f3f4\U000e0075\U000e0073\U000e007f")) == 3  # no region that Unicode recommends


def test_every_control_character_but_tab_and_line_ends_is_reported() -> None:
    for code in [*range(9), 11, 12, *range(14, 32), *range(127, 160)]:
        assert [sign.at for sign in hidden(f"a{chr(code)}b")] == [1], hex(code)


def test_the_fast_screen_agrees_with_the_slow_one_on_ascii() -> None:
    for code in range(128):
        if code != 13:
            assert clean(bytes([97, code, 98])) == (hidden(f"a{chr(code)}b") == []), code
    assert not clean("é".encode())


@pytest.mark.parametrize("code", [0x200D, 0x1B, 0x9B, 0xE0041, 0xFE0F, 0x2063])
def test_a_name_begins_with_the_code_point(code: int) -> None:
    assert name(code).startswith(f"U+{code:04X} ")


@pytest.mark.parametrize("unit", ["a\u200e", "\u200d", "\U0001f3f4\U000e0067", "\ufe0f", "א\u200f", "می\u200c"])
def test_no_text_makes_it_slow(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    assert len(hidden(text, 1000)) <= 1000
    assert len(hidden(text[:30_000])) <= 30_000
