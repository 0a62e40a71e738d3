"""The smallest set of moves: as few and as little as can be of what holds, then of the rest; the same every time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.prune.moves import Move, plan_moves


def moves(*costs: int, past: bool = True) -> list[Move]:
    return [Move(f"e{number}", cost, past) for number, cost in enumerate(costs)]


Rank = tuple[int, int, int, int]


def rank(chosen: Sequence[Move]) -> Rank:
    live = [move.cost for move in chosen if not move.past]
    return len(live), sum(live), len(chosen), sum(move.cost for move in chosen)


def best(costs: list[Move], excess: int) -> Rank | None:
    """By trying all sets."""
    sets = (chosen for size in range(len(costs) + 1) for chosen in combinations(costs, size))
    return min((rank(chosen) for chosen in sets if sum(move.cost for move in chosen) >= excess), default=None)


@pytest.mark.parametrize(
    ("costs", "excess", "keys"),
    [
        (moves(5, 9, 3), 0, []),
        (moves(5, 9, 3), -4, []),
        (moves(5, 9, 3), 9, ["e1"]),
        (moves(5, 9, 3), 4, ["e0"]),  # one is enough, and the smaller one is
        (moves(5, 9, 3), 10, ["e1", "e2"]),
        (moves(50, 40, 30, 20, 10), 60, ["e0", "e4"]),
        (moves(50, 40, 30, 20, 10), 61, ["e0", "e3"]),
        (moves(0, -3, 4), 4, ["e2"]),
        ([], 1, None),
        (moves(5, 9), 15, None),
    ],
)
def test_the_fewest_that_free_the_least(costs: list[Move], excess: int, keys: list[str] | None) -> None:
    found = plan_moves(costs, excess)
    if keys is None:
        assert found is None
    else:
        assert found is not None
        assert rank(found) == rank([move for move in costs if move.key in keys])


def test_what_holds_no_more_goes_first_however_many_it_takes() -> None:
    past, held = moves(5, 5, 5), [Move("big", 100), Move("small", 8)]
    assert plan_moves([*held, *past], 15) == tuple(past)
    assert plan_moves([*held, *past], 16) == (held[1], *past[:2]), "one that holds, the smaller, and what it takes beside it"
    assert plan_moves([*held, *past], 100) == (held[0],), "one that holds, where the others are not enough with the smaller"
    assert plan_moves([*held, *past], 101) == (held[0], past[0])


def test_of_two_that_free_the_same_the_older_goes_and_then_the_first() -> None:
    days = ["", "2026-05-01", "2026-01-01", "2026-01-01"]
    costs = [Move(f"e{number}", 5, True, day) for number, day in enumerate(days)]
    assert plan_moves(costs, 5) == (costs[2],)
    assert plan_moves(costs, 15) == (costs[1], costs[2], costs[3])


@given(st.lists(st.builds(Move, st.just(""), st.integers(-2, 30), st.booleans()), max_size=9), st.integers(-5, 150))
def test_no_other_set_is_smaller(costs: list[Move], excess: int) -> None:
    costs = [move._replace(key=str(number)) for number, move in enumerate(costs)]
    found = plan_moves(costs, excess)
    assert (None if found is None else rank(found)) == best(costs, excess)
    assert found == plan_moves(costs, excess)
    if found is not None:
        assert list(found) == [move for move in costs if move in found]


@pytest.mark.parametrize("sizes", [(20, 120), (4, 9), (2_000, 9_000)], ids=["entries", "lines", "characters"])
def test_thousands_are_planned_to_the_token(sizes: tuple[int, int]) -> None:
    random = Random(7)
    costs = [Move(str(number), random.randint(*sizes), random.random() < 0.4) for number in range(5_000)]
    total = sum(move.cost for move in costs)
    for excess in (total // 50, total // 3, total - sizes[0]):
        found = plan_moves(costs, excess)
        assert found is not None
        freed = sum(move.cost for move in found)
        held = sorted((move.cost for move in found if not move.past), reverse=True)
        assert excess <= freed
        assert freed - min(move.cost for move in found) < excess, "none of them is spare"
        assert excess > total - sizes[1] or freed == excess
        assert held == [] or sum(move.cost for move in costs if move.past) + sum(held[:-1]) < excess


def test_sizes_that_have_a_step_in_common_are_no_long_search() -> None:
    costs = moves(*(2 * (5_000 + number % 7_919) for number in range(3_000)))
    largest = sorted((move.cost for move in costs), reverse=True)
    found = plan_moves(costs, sum(largest[:1_499]) + 1)
    assert found is not None
    assert len(found) == 1_500
    assert sum(move.cost for move in found) == sum(largest[:1_499]) + 2
