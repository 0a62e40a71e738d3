"""Memory as text to read and compare."""

from __future__ import annotations

import re
from itertools import product

from memdesk.core.plaintext import plain, without_outer_blanks


def test_outer_blank_lines_go_and_nothing_else() -> None:
    """As the pattern that says it says it, on every short text."""
    pattern = re.compile(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z")
    for length in range(7):
        for letters in product("a \n\t", repeat=length):
            text = "".join(letters)
            assert without_outer_blanks(text) == pattern.sub("", text), text


def test_plain_text_keeps_its_first_lines_indentation_and_its_last_lines_blanks() -> None:
    assert plain(b"\r\n \r\n  a  \r\n\r\n b\t\r\n\n") == "  a  \n\n b\t"
    assert plain(b"\n\n") == ""
