"""Numbers, dates and negations of a text: what is read off, and when two texts differ in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.differing import Signs, differs, signs


def between(one: str, other: str) -> str:
    found = differs(signs(one)[0], signs(other)[0])
    assert found == differs(signs(other)[0], signs(one)[0]), "the same from both sides"
    return found


@pytest.mark.parametrize(("one", "other"), [
    ("kept for a year", "kept for 12 months"), ("60 s", "a minute"), ("1500 ms", "1.5 seconds"), ("5MB", "5 MB"),
    ("1,000 rows", "1000 rows"), ("v3.11", "3.11"), ("80 %", "80%"), ("two people", "2 people"), ("a 30-day limit", "30 days"),
    ("1 week", "7 days"), ("30 Tage", "30 days"), ("保留30天", "30天保留"), ("each Monday", "on Mondays"),
    ("not allowed", "forbidden"), ("don't enable it", "disable it"), ("can't merge", "cannot merge"),
    ("never log names", "do not log names"), ("it runs after a restart", "it runs when restarted"),
    ("kept on disk", "kept for 30 days on disk"), ("it may run", "it runs in May"), ("turned off on Monday", "turned off"),
    ("RS256 signs", "RS512 signs"), ("2fa for all", "3fa for all"),  # names: their words tell them apart
])  # fmt: skip
def test_no_difference(one: str, other: str) -> None:
    assert between(one, other) == ""


@pytest.mark.parametrize(("what", "one", "other"), [
    ("number", "5 MB", "50 MB"), ("number", "5 MB", "5 GB"), ("number", "5 MB", "5 MiB"), ("number", "3.11", "3.12"),
    ("number", "10:30", "11:30"), ("number", "port 80", "port 8080"), ("number", "once", "twice"),
    ("number", "daily", "weekly"), ("number", "15 minutes", "15 hours"), ("number", "a year", "30 days"),
    ("number", "zwei Personen", "drei Personen"), ("number", "trois jours", "5 jours"), ("number", "保留三天", "保留五天"),
    ("number", "1/2", "1/3"), ("number", "1st", "2nd"), ("number", "1.1.1", "1.1.2"),
    ("date", "until 2026-06-30", "until 2026-09-30"), ("date", "on Mondays", "on Friday"), ("date", "in March", "in April"),
    ("date", "until 1 July 2026", "until 1 June 2026"), ("date", "im Mai", "im Juni"), ("date", "at noon", "at midnight"),
    ("date", "每周一重建", "每周五重建"),
    ("polarity", "sync at night", "never sync at night"), ("polarity", "use it", "avoid it"), ("polarity", "ask", "don’t ask"),
    ("polarity", "with a network", "without a network"), ("polarity", "before merging", "after merging"),
    ("polarity", "enabled", "disabled"), ("polarity", "turned on", "turned off"), ("polarity", "at least 5", "at most 5"),
    ("polarity", "use abc, not def", "use def, not abc"), ("polarity", "wird gelöscht", "wird nicht gelöscht"),
    ("polarity", "est permis", "n'est pas permis"), ("polarity", "se permite", "no se permite"), ("polarity", "提交", "不提交"),
    ("polarity", "再起動する", "再起動しない"), ("polarity", "хранится", "не хранится"),
    ("polarity", "no use", "no use without"),
])  # fmt: skip
def test_what_differs(what: str, one: str, other: str) -> None:
    assert between(one, other) == what


def test_what_is_read_off_is_gone_from_the_text() -> None:
    found, rest = signs("Never keep more than 5 MB after 2026-06-30, not on Mondays.")
    scopes = (frozenset({"keep", "more", "than"}), frozenset[str]())
    assert found._replace(negated=()) == Signs(("5000000B",), ("2026-06-30", "monday"), (), ("+more", "+on", "-before"))
    assert set(found.negated) == set(scopes)
    assert " ".join(rest.split()) == "keep more than before , on ."


def test_in_which_order_they_stand_makes_no_difference() -> None:
    assert signs("5 days or 3 weeks, on Monday or 2026-01-02")[0] == signs("2026-01-02 or on Monday, 3 weeks or 5 days")[0]


@pytest.mark.parametrize("unit", [
    "1.", "1_", "v1.", "a'", "1 ", "not ", "不", "a 1 ", "-1", ".1,", "n't", "1:", "二", "ない", "ず", "\u0301", "v", "星期",
])  # fmt: skip
def test_each_character_is_looked_at_a_few_times(unit: str) -> None:
    """A quadratic pattern would take minutes on these."""
    found, rest = signs(unit * (100_000 // len(unit)))
    assert len(rest) + sum(map(len, found)) > 0, "it came to an end"


@settings(max_examples=150, deadline=None)
@given(st.text(), st.text())
def test_any_text_has_signs_and_none_against_itself(one: str, other: str) -> None:
    assert between(one, one) == ""
    assert between(one, other) in ("", "number", "date", "polarity")
