"""BM25 against the formula worked out by hand, and what it must not depend on."""

from __future__ import annotations

from math import log

import pytest

from memdesk.core.bm25 import bag, scores

TEXTS = ["red red apple", "red pear", "green pear tart cream", "plum"]
BAGS = [bag(text.split()) for text in TEXTS]


def test_the_formula() -> None:
    # N = 4; "red" is in two texts, "apple" in one; lengths 3, 2, 4, 1, so 2.5 on average.
    red, apple = log(1 + 2.5 / 2.5), log(1 + 3.5 / 1.5)
    first = red * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.5)) + apple * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 2.5))
    second = red * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2.5))
    assert scores(["red", "apple"], BAGS) == pytest.approx({0: first, 1: second}, abs=1e-6)


def test_a_word_that_all_texts_have_still_counts_a_little() -> None:
    found = scores(["x"], [bag(["x"]), bag(["x", "y"])])
    assert 0 < found[1] < found[0]


def test_nothing_matches_nothing() -> None:
    assert scores(["zebra"], BAGS) == {}
    assert scores([], BAGS) == {}
    assert scores(["x"], []) == {}
    assert scores(["x"], [bag([])]) == {}


def test_a_word_asked_for_twice_counts_once_and_order_does_not_matter() -> None:
    assert scores(["red", "pear", "red"], BAGS) == scores(["pear", "red"], BAGS)
    turned = scores(["red", "pear"], BAGS[::-1])
    assert {len(BAGS) - 1 - index: score for index, score in turned.items()} == scores(["red", "pear"], BAGS)


def test_equal_texts_are_tied_exactly() -> None:
    found = scores(["red", "pear"], [*BAGS, bag(["pear", "red"])])
    assert found[1] == found[4]


def test_words_that_do_not_make_a_text_longer() -> None:
    found = scores(["red"], [bag(["red", "pear"]), bag(["red", "pear", "crate"], 2)])
    assert found[0] == found[1]
    assert scores(["crate"], [bag(["crate"], 0)])[0] > 0
