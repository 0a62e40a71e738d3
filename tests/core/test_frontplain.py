"""Front matter that is read without YAML: what is read is what YAML reads, and the usual forms are."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import frontplain


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("a: b\n", "b"), ("a:\n", ""), ("a: \n", ""), ("a:  b c  \n", "b c"), ("a: b\r\n", "b"), ("# c\n\na: b\n", "b"),
        ('a: "b: c"\n', "b: c"), ("a: 'b: ''c'''\n", "b: 'c'"), ("a: 2026-01-01\n", "2026-01-01"), ("a: yes\n", "yes"),
        ("a: [b, c d, e/f.md]\n", ["b", "c d", "e/f.md"]), ("a: []\n", []), ("a: \u00fc \u2014 b, c\n", "\u00fc \u2014 b, c"),
        ("a: it's (12 \u20ac) b:c\n", "it's (12 \u20ac) b:c"), ("a: ''\n", ""), ("a: x]\n", "x]"),
    ],
)
def test_the_usual_forms(block: str, value: object) -> None:
    assert frontplain.read(block) == {"a": value}


@pytest.mark.parametrize(
    "block",
    [
        "", "# c\n", "a: b: c\n", "a: b # c\n", "a: b\n  c\n", "a:\n- b\n", "a: |\n  b\n", "a: b\na: c\n", "a: &x b\n",
        "a: *x\n", 'a: "b\\n"\n', "a: 'b' c\n", "a: {b: c}\n", "a: [[b]]\n", "a: ['b']\n", "a: [b,]\n", "- a\n", "a:b\n",
        "a: b:\n", "a: b\tc\n", "a: b\x85c\n", "a: b\u2028c\n", "a: b\rc: d\n", " a: b\n", "a: @b\n", "a: - b\n", "? a\n",
        "a: 'b\n", "a: '\n", "a: b\x07\n", "# c\x07\na: b\n", "%YAML 1.2\n",
    ],
)
def test_what_yaml_has_to_be_asked(block: str) -> None:
    assert frontplain.read(block) is None


_PIECES = st.sampled_from(
    [
        "a", "b1", "key: ", "x: ", ":", ": ", " ", "  ", "#", " # ", "'", "''", '"', "[", "]", ",", ", ", "{", "}", "-", "- ",
        "&", "*", "!", "|", ">", "%", "@", "`", "~", "<<", "=", "?", "\\", "\n", "\n", "\r\n", "\t", "\u00fc", "\u2028", "\x85",
        "\ufeff", "null", "2026-01-01", ".", "/", "(", ")",
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_what_is_read_is_what_yaml_reads(block: str) -> None:
    found = frontplain.read(block)
    if found is not None:
        assert yaml.load(block, Loader=yaml.BaseLoader) == found
