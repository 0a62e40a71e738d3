"""The token estimate of custodian.md and the other units of a budget."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import tokens
from memdesk.core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0), (" \t\r\n", 0), ("src/app.py", 5), ("a_b1", 1), ("a b", 2), ("don't", 3), ("日本語", 3), ("é", 1), ("né", 2),
        ("🙂", 1),
        ("**bold**", 5), ("2026-05-02", 5), ("\u00a0\u2003\u2028\u3000", 0), ("a\u00a0b", 2), ("\u200b", 1), ("x\x0cy", 2),
        ("\x1c\x1f", 0), ("\x00", 1), ("- [observed] text (for: x)", 10), ("…", 1),
    ],
)  # fmt: skip
def test_the_estimate(text: str, expected: int) -> None:
    assert tokens.count(text) == expected


@pytest.mark.parametrize(
    "unit",
    [
        "a" * 70_000, "a" * 200_000, "ab " * 50_000, "日" * 70_000, " " * 140_000, "a" * 65_535 + " b",
    ],
)  # fmt: skip
def test_pieces_of_a_long_text_count_as_the_whole(unit: str) -> None:
    assert tokens.count(unit) == len(re.findall(r"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]", unit))


@pytest.mark.slow
@given(st.text(max_size=60), st.text(max_size=60))
def test_text_apart_by_white_space_adds_up(one: str, two: str) -> None:
    assert tokens.count(f"{one}\n{two}") == tokens.count(one) + tokens.count(two)


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("a b", "tokens", 2), ("é🙂", "chars", 3), ("\ud800", "chars", 1), ("", "chars", 0), ("a\r\n", "chars", 3),
        ("", "lines", 0), ("a", "lines", 1), ("a\n", "lines", 1), ("a\n\n", "lines", 2), ("\n", "lines", 1),
        ("a\u2028b\x0cc", "lines", 1),
        ("a\r\nb", "lines", 2),
    ],
)  # fmt: skip
def test_units(text: str, unit: str, expected: int) -> None:
    assert tokens.measure(text, unit) == expected


def test_an_unknown_unit_is_named() -> None:
    with pytest.raises(UsageError, match="'words' is no unit"):
        tokens.measure("a", "words")
