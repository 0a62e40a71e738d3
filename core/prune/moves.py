"""The smallest set of moves that frees enough: pure numbers, exact at any size.

The largest first give the fewest moves. What they free beyond the need is less than one of them, so what is left is to swap
some of them for smaller ones that stay, as far as that surplus goes: a search over sums up to the surplus alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import gcd

from memdesk.core.lean import NamedTuple


class Move(NamedTuple):
    """One entry that may leave: `key` names it, `cost` is what the file is smaller by without it. `past`: it holds no more.
    Of two that free the same, the one with the older `date` (YYYY-MM-DD, "" for none) goes first."""

    key: str
    cost: int
    past: bool = False
    date: str = ""


def plan_moves(costs: Sequence[Move], excess: int) -> tuple[Move, ...] | None:
    """The moves that free at least `excess`, in the order given: of entries that hold as few as can be, and of these the least
    (none, where those that hold no more free enough); beside them as few others as can be, and of these the least. () where
    nothing is to be freed; None where all of them together don't free enough."""
    past, held = _ranked(costs, past=True), _ranked(costs, past=False)
    live = _smallest([costs[at].cost for at in held], excess - sum(costs[at].cost for at in past))
    if live is None:
        return None
    rest = _smallest([costs[at].cost for at in past], excess - sum(costs[held[index]].cost for index in live))
    assert rest is not None  # all of them are enough
    chosen = {*(held[index] for index in live), *(past[index] for index in rest)}
    return tuple(costs[at] for at in sorted(chosen))


def _ranked(costs: Sequence[Move], *, past: bool) -> list[int]:
    """The places of those that free something, the largest first, then the oldest."""
    able = [at for at, move in enumerate(costs) if move.cost > 0 and move.past is past]
    return sorted(able, key=lambda at: (-costs[at].cost, costs[at].date or "~", at))


def _smallest(sizes: Sequence[int], need: int) -> set[int] | None:
    """Which of these, the largest first, are the fewest with this sum at least, and of those the ones with the least; None
    where all are not enough. Few swaps are tried before many: they are nearly always enough."""
    taken = next((count for count, total in enumerate(accumulate(sizes, initial=0)) if total >= need), None)
    if taken is None:
        return None
    swaps = _Swaps(sizes, taken, sum(sizes[:taken]) - need if taken else 0)
    most = 1
    while True:
        swaps.widen(most)
        if swaps.best >= swaps.goal or most >= swaps.limit:
            return swaps.choice(swaps.best)
        most *= 2


class _Swaps:
    """What can be saved by taking smaller ones in place of some of the `taken` largest, as many for as many.

    A set of numbers up to the surplus is an integer whose bits are those numbers. Each size is told by how far it is from
    the smallest one taken: what a swap saves is the sum of both distances.
    """

    def __init__(self, sizes: Sequence[int], taken: int, surplus: int) -> None:
        self._taken, self._surplus = taken, surplus
        pivot = sizes[taken - 1] if taken else 0
        out = [(sizes[at] - pivot, at) for at in range(taken - 1, -1, -1)]
        into = [(pivot - sizes[at], at) for at in range(taken, len(sizes))] if taken else []
        self._out, self._into = self._near(out), self._near(into)
        step = gcd(*(distance for distance, _ in (*self._out, *self._into)))
        self.goal = surplus - surplus % step if step else 0  # no more can be saved: all that can be are multiples of the step
        self.limit = min(len(self._out), len(self._into), surplus)  # swaps of one for the same size save nothing
        self.best = 0  # what can be saved with the swaps that were looked at
        self._levels: tuple[_Level, _Level] | None = None

    def widen(self, most: int) -> None:
        """Finds `best` anew, with up to so many swaps."""
        most = min(most, self.limit)
        if not most:
            return
        self._levels = out, into = _Level(self._out, most, self._surplus), _Level(self._into, most, self._surplus)
        for some, others in zip(out.sums, into.sums, strict=True):
            for one in _ones(some):
                fit = others & ((1 << self._surplus - one + 1) - 1)
                if fit:
                    self.best = max(self.best, one + fit.bit_length() - 1)

    def choice(self, saved: int) -> set[int]:
        """The indices that are taken where the swaps save just that."""
        chosen = set(range(self._taken))
        if not saved or self._levels is None:
            return chosen
        out, into = self._levels
        for number, (some, others) in enumerate(zip(out.sums, into.sums, strict=True)):
            for one in _ones(some):
                if one <= saved and others >> saved - one & 1:
                    return chosen - set(out.members(number, one)) | set(into.members(number, saved - one))
        raise AssertionError  # pragma: no cover - it is one of the sums

    def _near(self, distances: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those that a swap can hold, of one distance no more than fit together."""
        found = []
        often: Counter[int] = Counter()
        for distance, at in distances:
            if distance <= self._surplus and often[distance] < (self._surplus // distance if distance else self._surplus):
                often[distance] += 1
                found.append((distance, at))
        return found


class _Level:
    """The sums of some numbers, by how many of them are in it: `sums[2]` holds those of two."""

    def __init__(self, numbers: Sequence[tuple[int, int]], most: int, top: int) -> None:
        self.sums = [1] + [0] * most
        self._last: list[dict[int, tuple[int, int]]] = [{} for _ in range(most + 1)]  # the number that made a sum first
        mask = (1 << top + 1) - 1
        high = 0
        for number, at in numbers:
            for count in range(min(high, most - 1), -1, -1):
                fresh = self.sums[count] << number & mask & ~self.sums[count + 1]
                if fresh:
                    self.sums[count + 1] |= fresh
                    self._last[count + 1].update(dict.fromkeys(_ones(fresh), (number, at)))
                    high = max(high, count + 1)

    def members(self, count: int, total: int) -> Iterator[int]:
        """So many that have this sum: what made a sum first came after all that its rest was made of."""
        while count:
            number, at = self._last[count][total]
            yield at
            count, total = count - 1, total - number


def _ones(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
