"""How much of what should not be kept is found, and how much of what is found should not be kept: over the whole corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from memdesk.core.checks.secrets import mask, scan
from tests.support.values_corpus import FIRST, LOOKALIKES, SECRET, TRUE, VALUE, Case
from tests.support.values_unseen import MISSED, UNSEEN

EVERY = (*FIRST, *UNSEEN)
LEAST = 0.95
FALSE = {
    "second: see 3.2.1.4, above": "a number of four parts that nothing calls a version or a section",
    "third: Depends on cryptography 42.0.8.1": "a number of four parts that nothing calls a version or a section",
}


def figures(cases: Iterable[Case], rules: Sequence[str]) -> tuple[float, float, set[str], set[str]]:
    """(precision, recall, names of the cases that were missed, of those with a false alarm). Found is a value whole."""
    found = alarms = 0
    missed: set[str] = set()
    false: set[str] = set()
    for case in cases:
        hits = [hit for hit in scan(case.text) if hit.rule in rules]
        start = case.text.index(case.value) if case.rule in rules else len(case.text)
        end = start + len(case.value)
        if case.rule in rules:
            whole = any(hit.start <= start and end <= hit.end for hit in hits)
            found += whole
            missed |= set() if whole else {case.name}
        wrong = [hit for hit in hits if not (hit.start < end and start < hit.end)]
        alarms += len(wrong)
        false |= {case.name} if wrong else set()
    return found / (found + alarms), found / (found + len(missed)), missed, false


def test_the_corpus_is_as_large_as_it_says_and_no_case_comes_twice() -> None:
    assert min(len(TRUE), len(LOOKALIKES)) >= 80
    assert min(sum(case.rule == rule for case in EVERY) for rule in (SECRET, VALUE)) >= 80
    assert len({case.text for case in EVERY}) == len(EVERY)
    assert all(case.text.count(case.value) == 1 for case in EVERY if case.rule)


@pytest.mark.parametrize("rules", [(SECRET,), (VALUE,), (SECRET, VALUE)], ids=["secrets", "example values", "together"])
def test_precision_and_recall_are_what_the_page_says(rules: tuple[str, ...]) -> None:
    precision, recall, missed, false = figures(EVERY, rules)
    print(f"\n{' and '.join(rules)}: precision {precision:.3f}, recall {recall:.3f} over {len(EVERY)} texts")  # noqa: T201 - shown by -s
    assert precision >= LEAST
    assert recall >= LEAST
    assert missed <= set(MISSED)
    assert false <= set(FALSE)


def test_what_is_known_to_be_missed_is_missed() -> None:
    """A case that is found now goes from the list, and from the page."""
    _, _, missed, false = figures(EVERY, (SECRET, VALUE))
    assert missed == set(MISSED)
    assert false == set(FALSE)


@pytest.mark.parametrize("case", [case for case in EVERY if case.rule and case.name not in MISSED], ids=lambda case: case.name)
def test_a_value_that_is_found_is_masked_whole(case: Case) -> None:
    assert case.value not in mask(case.text)
    assert case.value not in mask(f"before it {case.text} and behind")
