"""Which unit of one version is which of another: by its text and place, by what its layout knows it by, by likeness."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.linemerge import align
from memdesk.core.mergeunits import ENTRY, HEADING, ITEM, PROSE, Outline, Unit

if TYPE_CHECKING:
    from typing import TypeAlias

ALIKE = 0.5  # of their letters and words, in order: two texts in one place are then one that was edited
ALONE = 0.4  # enough for what stands alone in its place, and was accepted once: candidates come and go
_LONG = 2000  # bytes: of longer texts the words alone are compared
_MOST = 4000  # pairs in one place that are all compared for likeness
_COMMON = 16  # a word that more units of one place have tells none of them
_NEAR = 3  # units that one is compared with where there are more

Pairs: TypeAlias = "dict[Unit, Unit]"
Place: TypeAlias = "tuple[Unit, Unit | None, Unit | None]"
Name: TypeAlias = "Callable[[Unit], str]"


def pairs(base: Outline, side: Outline, name: Name) -> Pairs:
    """Each unit of the base with what became of it in a side; what is gone is left out. `name`: what an entry is known by."""
    made = _Pairs(base, side)
    made.aligned(lambda unit: (unit.kind, unit.path, unit.text))
    made.alike_in_text(lambda unit: (unit.kind, unit.path, unit.text), {ENTRY, HEADING, PROSE, ITEM})
    made.alike_in_text(lambda unit: (unit.kind, unit.text), {ENTRY})  # moved to another section, or that one was renamed
    made.alike_in_text(lambda unit: name(unit) or None, {ENTRY})
    made.renamed()
    made.alike_in_text(lambda unit: (unit.kind, unit.text), {PROSE, ITEM, HEADING}, below=True)
    made.edited()
    return made.found


class _Pairs:
    def __init__(self, base: Outline, side: Outline) -> None:
        self.base = base
        self.side = side
        self.found: Pairs = {base.root: side.root}
        self.taken: Pairs = {side.root: base.root}

    def pair(self, one: Unit, other: Unit) -> None:
        self.found[one] = other
        self.taken[other] = one

    def left(self) -> tuple[list[Unit], list[Unit]]:
        return (
            [unit for unit in self.base.units if unit not in self.found],
            [unit for unit in self.side.units if unit not in self.taken],
        )

    def aligned(self, key: Callable[[Unit], Hashable]) -> None:
        """What is alike and in the same order."""
        for one, other in align([key(unit) for unit in self.base.units], [key(unit) for unit in self.side.units]):
            self.pair(self.base.units[one], self.side.units[other])

    def alike_in_text(self, key: Callable[[Unit], Hashable], kinds: set[str], below: bool = False) -> None:
        """What is alike anywhere, twins in their order; `below`: only under headings that are paired themselves."""
        base, side = self.left()
        known: dict[Hashable, list[Unit]] = {}
        for unit in side:
            if unit.kind in kinds:
                full = self._full(key, unit, self.taken.get(_parent(unit)), below)
                known.setdefault(full, []).append(unit)
        for unit in base:
            if unit.kind in kinds:
                full = self._full(key, unit, _parent(unit), below)
                there = known.get(full)
                if there and full is not None:
                    self.pair(unit, there.pop(0))

    @staticmethod
    def _full(key: Callable[[Unit], Hashable], unit: Unit, parent: Unit | None, below: bool) -> Hashable:
        if not below:
            return key(unit)
        return None if parent is None else (id(parent), key(unit))

    def renamed(self) -> None:
        """Headings under which most of what was there still is."""
        base, side = self.left()
        titles = [[unit for unit in units if unit.kind == HEADING and unit.level == 1] for units in (base, side)]
        if len(titles[0]) == len(titles[1]) == 1:
            self.pair(titles[0][0], titles[1][0])
        for unit in side:
            if unit.kind != HEADING or unit in self.taken:
                continue
            votes: dict[Unit, int] = {}
            for child in unit.children:
                origin = self.taken.get(child)
                if origin is not None and (above := _parent(origin)) not in self.found and above.kind == HEADING:
                    votes[above] = votes.get(above, 0) + 1
            best = max(votes, key=lambda above: votes[above], default=None)
            if best is not None and best.level == unit.level and 2 * votes[best] >= min(len(best.children), len(unit.children)):
                self.pair(best, unit)

    def edited(self) -> None:
        """What is left in one place and is mostly the same, the likest first."""
        here, there = self._places(self.base, self.found), self._places(self.side, self.taken)
        for (parent, before, after), units in here.items():
            if parent not in self.found:
                continue
            place = self.found[parent], before and self.found[before], after and self.found[after]
            others = there.get(place, [])
            if not others:
                continue
            alone = len(units) == len(others) == 1 and not _waits(units[0])
            scored = [
                (score, -at, -other_at) for at, other_at in _candidates(units, others)
                if (one := units[at]).kind == (two := others[other_at]).kind != HEADING and _dated(one) == _dated(two)
                and (score := likeness(one, two)) >= (ALONE if alone else ALIKE)
            ]
            for _, at, other_at in sorted(scored, reverse=True):
                one, two = units[-at], others[-other_at]
                if one not in self.found and two not in self.taken:
                    self.pair(one, two)
            prose = [unit for unit in units if unit.kind == PROSE and unit not in self.found]
            rewritten = [unit for unit in others if unit.kind == PROSE and unit not in self.taken]
            if len(prose) == len(rewritten):  # text has no name: what stands in its place is what became of it
                for one, two in zip(prose, rewritten, strict=True):
                    self.pair(one, two)

    @staticmethod
    def _places(outline: Outline, paired: Pairs) -> dict[Place, list[Unit]]:
        """The units without a partner by where they stand: in which section, between which units that have one."""
        found: dict[Place, list[Unit]] = {}
        for parent in (outline.root, *outline.units):
            before: Unit | None = None
            waiting: list[Unit] = []
            for child in (*parent.children, None):
                if child is None or child in paired:
                    if waiting:
                        found[parent, before, child] = waiting
                    before, waiting = child, []
                else:
                    waiting.append(child)
        return found


def _candidates(units: list[Unit], others: list[Unit]) -> Iterable[tuple[int, int]]:
    """The pairs, by position, that may be one edited: all; where those are too many to compare, each with the few that share
    most of its rarer words, and with the one that stands where it stood."""
    if len(units) * len(others) <= _MOST:
        return [(at, other_at) for at in range(len(units)) for other_at in range(len(others))]
    holding: dict[bytes, list[int]] = {}
    for other_at, two in enumerate(others):
        for word in set(_words(two)):
            holding.setdefault(word, []).append(other_at)
    found = []
    for at, one in enumerate(units):
        shared: dict[int, float] = {}
        for word in set(_words(one)):
            there = holding.get(word, ())
            if len(there) <= _COMMON:
                for other_at in there:
                    shared[other_at] = shared.get(other_at, 0) + 1 / len(there)
        near = sorted(shared, key=lambda other_at: (-shared[other_at], other_at))[:_NEAR]
        found += [(at, other_at) for other_at in dict.fromkeys([*near, min(at, len(others) - 1)])]
    return found


def likeness(one: Unit, other: Unit) -> float:
    """How much of two units is the same and in order, 0 to 1: of their words, and where they are short of their letters."""
    from difflib import SequenceMatcher

    words, others = _words(one), _words(other)
    ratios = [SequenceMatcher(None, words, others, autojunk=False).ratio()]
    if len(one.text) + len(other.text) < _LONG:
        ratios.append(SequenceMatcher(None, b" ".join(words), b" ".join(others), autojunk=False).ratio())
    return sum(ratios) / len(ratios)


def _waits(unit: Unit) -> bool:
    return unit.entry is not None and unit.entry.candidate


def _words(unit: Unit) -> list[bytes]:
    """What a unit says: no markers and labels, which its like have all the same."""
    return [word for word in unit.text.split() if word.strip(b"#-*:") and not word.endswith(b":")]


def _dated(unit: Unit) -> str | None:
    """The date that is part of what a section is called."""
    return unit.entry.date if unit.entry is not None and unit.entry.kind == "section" else None


def _parent(unit: Unit) -> Unit:
    assert unit.parent is not None
    return unit.parent


def twins(units: Iterable[Unit], others: Iterable[Unit], key: Callable[[Unit], Hashable]) -> list[tuple[Unit, Unit]]:
    """New units of both sides that are one and the same, in their order."""
    known: dict[Hashable, list[Unit]] = {}
    for unit in others:
        known.setdefault(key(unit), []).append(unit)
    found = []
    for unit in units:
        there = known.get(key(unit))
        if there:
            found.append((unit, there.pop(0)))
    return found
