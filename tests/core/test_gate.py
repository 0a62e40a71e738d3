"""The recurrence gate by its examples: what adds up, what counts once, what is old."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from memdesk.core.gate import Gate, Signal, weigh

TODAY = date(2026, 11, 30)


def signal(days: int, session: str, text: str = "") -> Signal:
    """A signal so many days old; its text is its own where none is given."""
    made = f"{days} {session} {text}"
    return Signal(made, f"{session}.md", 3, TODAY - timedelta(days), session, text or made)


@pytest.mark.parametrize(
    ("signals", "total", "sessions", "passes"),
    [
        ([signal(1, "a", "x"), signal(1, "a", "y"), signal(1, "a", "z")], 3, 1, False),
        ([signal(1, "a", "x"), signal(1, "a", "y"), signal(2, "b")], 3, 2, True),
        ([signal(1, "a"), signal(40, "b", "w"), signal(41, "b", "x"), signal(50, "c", "y"), signal(60, "c", "z")], 3, 3, True),
        ([signal(1, "a"), signal(40, "b"), signal(50, "c"), signal(60, "d")], 2.5, 4, False),
        ([signal(1, "a", "same"), signal(1, "a", "same"), signal(2, "b"), ], 2, 2, False),
        ([signal(1, "a", "Same  text"), signal(1, "a", "same text"), signal(2, "b", "x"), signal(2, "b", "y")], 3, 2, True),
        ([signal(1, "a", "same"), signal(2, "b", "same"), signal(3, "c", "same")], 3, 3, True),
        ([signal(30, "a"), signal(30, "b"), signal(30, "c")], 3, 3, True),
        ([signal(31, "a"), signal(30, "b"), signal(30, "c")], 2.5, 3, False),
        ([signal(-2, "a"), signal(1, "b"), signal(1, "c")], 3, 3, True),
        ([], 0, 0, False),
    ],
    ids=[
        "three fresh in one session", "three fresh over two", "one fresh, four old over three", "one fresh, three old",
        "one text twice in a session", "white space and case aside", "one text in three sessions", "thirty days are whole",
        "thirty-one are half", "a date to come is fresh", "none",
    ],
)
def test_what_adds_up(signals: list[Signal], total: float, sessions: int, passes: bool) -> None:
    gate = Gate(tuple(signals), None, TODAY)
    weighed = gate.weigh([each.id for each in signals])
    assert (weighed.total, weighed.sessions, gate.passed(weighed)) == (total, sessions, passes)


def test_only_what_is_ticked_counts_and_the_lesson_s_own_line_always() -> None:
    own, other, third = signal(0, "a"), signal(1, "b"), signal(2, "c")
    gate = Gate((own, other, third), own.id, TODAY)
    assert gate.weigh(()).counted == (own,)
    assert gate.weigh([other.id]).counted == (own, other)
    assert gate.weigh([other.id, "unknown"]).total == 2


def test_the_meter_says_what_is_missing() -> None:
    signals = [signal(1, "a"), signal(40, "b")]
    gate = Gate(tuple(signals), None, TODAY, signals=4, sessions=3)
    assert gate.meter(gate.weigh([each.id for each in signals])) == "1.5 of 4 signals · 2 of 3 sessions"


def test_another_half_life() -> None:
    assert weigh([signal(8, "a")], TODAY, 7).total == 0.5
    assert weigh([signal(8, "a")], TODAY, 8).total == 1
