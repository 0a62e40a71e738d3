"""What differs between texts, word by word."""

from __future__ import annotations

from itertools import pairwise
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.tui.wordiff import differences, long


def marked(*texts: str) -> list[str]:
    """The texts with what differs in brackets."""
    found = []
    for text, spans in zip(texts, differences(texts), strict=True):
        for start, end in reversed(spans):
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        found.append(text)
    return found


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("Counts are CSV.", "Counts are CSV.", ["Counts are CSV.", "Counts are CSV."]),
        ("Counts are CSV.", "Counts are in SQLite.", ["Counts are [CSV].", "Counts are [in SQLite]."]),
        ("one two three", "one three", ["one [two] three", "one three"]),
        ("a  b\n c", "a b c", ["a  b\n c", "a b c"]),
        ("for six years", "for 7 years", ["for [six] years", "for [7] years"]),
        ("one\ntwo", "three\nfour", ["[one]\n[two]", "[three]\n[four]"]),
        ("メモは一つ", "メモは二つ", ["メモは[一]つ", "メモは[二]つ"]),
        ("", "new", ["", "[new]"]),
        ("one two three a four five six", "x y z a u v w", ["[one two three a four five six]", "[x y z a u v w]"]),
        ("one two a four five", "x y a u v", ["[one two] a [four five]", "[x y] a [u v]"]),
        ("~~old~~", "old", ["[~~]old[~~]", "old"]),
    ],
)
def test_words_that_differ_are_marked(one: str, other: str, shown: list[str]) -> None:
    assert marked(one, other) == shown


def test_of_several_the_first_is_marked_where_any_other_differs() -> None:
    assert marked("a b c", "a x c", "a b y") == ["a [b c]", "a [x] c", "a b [y]"]
    assert differences([]) == []
    assert differences(["alone"]) == [[]]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(alphabet="ab \n.", max_size=40), min_size=2, max_size=3))
def test_what_is_not_marked_is_the_same_in_both(texts: list[str]) -> None:
    spans = differences(texts)
    assert len(spans) == len(texts)
    for text, own in zip(texts, spans, strict=True):
        assert all(0 <= start < end <= len(text) for start, end in own)
        assert all(before[1] < after[0] for before, after in pairwise(own))
    if len(texts) == 2:
        rest = []
        for text, own in zip(texts, spans, strict=True):
            kept = [char for at, char in enumerate(text) if not any(start <= at < end for start, end in own)]
            rest.append("".join(kept).split())
        assert "".join(rest[0]) == "".join(rest[1])


@pytest.mark.slow
def test_a_text_made_to_be_slow_takes_no_longer_than_a_moment() -> None:
    texts = [" ".join(["a", "b"] * 20_000), " ".join(["a", "a", "b", "b"] * 10_000)]
    lines = ["\n".join(["a", "b"] * 20_000), "\n".join(["b", "c"] * 20_000)]
    assert long(texts)
    start = monotonic()
    assert differences(texts)[0]
    assert differences(lines)[0]
    assert monotonic() - start < 10
