"""What becomes of each unit when three versions are merged: one slot for each thing, with its version on every side.

The rules: new on one side stays; taken out on one side and untouched on the other goes; changed on one side is taken from
there; the same change on both counts once; changed differently, or changed and taken out, is a clash. Where it stands is
decided apart from what it says, so that an entry can move on one side and be edited on the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdesk.core import fields
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.mergematch import Name, pairs, twins
from memdesk.core.mergeunits import ENTRY, HEADING, PROSE, NotByEntry, Outline, Unit

if TYPE_CHECKING:
    from typing import TypeAlias

    from memdesk.core.layouts.base import Order

BASE, OURS, THEIRS = range(3)
Outlines: TypeAlias = "tuple[Outline | None, Outline, Outline]"

GONE, KEPT, CLASHES = "gone", "kept", "clashes"


class Slot:
    """One thing in up to three versions. `fate`: GONE, KEPT or CLASHES; `parent`, `children`: where it ends up. `runs`: texts
    that each side put at one place, which clash as a whole."""

    __slots__ = ("children", "fate", "parent", "runs", "side", "units")

    def __init__(self, units: Iterable[Unit | None]) -> None:
        self.units: list[Unit | None] = list(units)
        self.parent: Slot | None = None
        self.children: list[Slot] = []
        self.runs: tuple[list[Slot], list[Slot]] | None = None
        self.side = OURS  # whose bytes it has, when it is kept
        self.fate = self._decide()

    @property
    def any(self) -> Unit:
        return next(unit for unit in (self.units[OURS], self.units[THEIRS], self.units[BASE]) if unit is not None)

    @property
    def unit(self) -> Unit:
        """The version that is kept."""
        return self.units[self.side] or self.any

    @property
    def kind(self) -> str:
        return self.any.kind

    @property
    def path(self) -> tuple[bytes, ...] | None:
        """The texts of what it ends up under; None where that is still to be decided."""
        found: list[bytes] = []
        above = self.parent
        while above is not None and above.parent is not None:
            if above.fate == CLASHES:
                return None
            found.append(above.unit.text)
            above = above.parent
        return tuple(reversed(found))

    def changed(self, side: int) -> bool:
        """Whether a side has another text than the base, or none any more."""
        one, base = self.units[side], self.units[BASE]
        return (None if one is None else one.text) != (None if base is None else base.text)

    def _decide(self) -> str:
        base, ours, theirs = self.units
        same = ours is not None and theirs is not None and ours.text == theirs.text
        if same:
            assert ours is not None
            self.side = THEIRS if base is not None and ours.raw == base.raw else OURS  # line endings count too
            return KEPT
        if base is None and (ours is None or theirs is None):
            self.side = THEIRS if ours is None else OURS
            return KEPT
        if not self.changed(OURS):
            self.side = THEIRS
            return GONE if theirs is None else KEPT
        if not self.changed(THEIRS):
            self.side = OURS
            return GONE if ours is None else KEPT
        return GONE if ours is None and theirs is None else CLASHES

    def __repr__(self) -> str:
        return f"<Slot {self.fate} {self.any!r}>"


class Slots:
    """All slots of a merge as the tree that results. Raises NotByEntry where the two sides' moves contradict each other."""

    def __init__(self, outlines: Outlines, name: Name, order: Order) -> None:
        """`name`: what an entry is known by; `order`: the ways of the file's layout."""
        self.outlines = outlines
        self.order = order
        self.all: list[Slot] = []
        self.of: dict[Unit, Slot] = {}
        base, ours, theirs = outlines
        self.root = Slot([None if base is None else base.root, ours.root, theirs.root])
        for unit in self.root.units:
            if unit is not None:
                self.of[unit] = self.root
        self._match(name)
        self._stand_ins()
        self._parents()
        self._sections()

    def _match(self, name: Name) -> None:
        base, ours, theirs = self.outlines
        in_ours = {} if base is None else pairs(base, ours, name)
        in_theirs = {} if base is None else pairs(base, theirs, name)
        if base is not None:
            for unit in base.units:
                self._add([unit, in_ours.get(unit), in_theirs.get(unit)])
        self._new(ours, theirs, name)

    def _new(self, ours: Outline, theirs: Outline, name: Name) -> None:
        """Units that both sides have and the base has not: section by section, so that what is in a new one is told apart."""
        mine = [unit for unit in ours.units if unit not in self.of]
        others = [unit for unit in theirs.units if unit not in self.of]
        while mine or others:  # one level of the tree at a time
            here = [unit for unit in mine if unit.parent in self.of]
            there = [unit for unit in others if unit.parent in self.of]
            both = twins(here, there, lambda unit: (self.of[self._above(unit)], unit.kind, unit.text))
            done = {unit for pair in both for unit in pair}
            both += twins(
                (unit for unit in here if unit not in done and name(unit)),
                (unit for unit in there if unit not in done and name(unit)),
                lambda unit: (self.of[self._above(unit)], name(unit)),
            )
            for one, other in both:
                self._add([None, one, other])
            for unit in here:
                if unit not in self.of:
                    self._add([None, unit, None])
            for unit in there:
                if unit not in self.of:
                    self._add([None, None, unit])
            mine = [unit for unit in mine if unit not in self.of]
            others = [unit for unit in others if unit not in self.of]

    def _add(self, units: list[Unit | None], *, made: bool = False) -> None:
        """`made`: by this merge, and by neither side."""
        slot = Slot(units)
        if not made and slot.kind != HEADING and self.outlines[BASE] is None and None in slot.units[OURS:]:
            slot.fate = CLASHES  # without a base nobody can tell what is new from what the other side took out
        self.all.append(slot)
        for unit in units:
            if unit is not None:
                self.of[unit] = slot

    @staticmethod
    def _above(unit: Unit) -> Unit:
        assert unit.parent is not None
        return unit.parent

    def _stand_ins(self) -> None:
        """The line that stands for no candidates goes where there are some, and comes back when the last one went."""
        order = self.order
        if not order.empty:
            return
        lines = {slot for slot in self.all if slot.kind != ENTRY and any(unit and self._stands_in(unit) for unit in slot.units)}
        holding = [self._holds(outline) for outline in self.outlines[OURS:] if outline is not None]
        waiting = any(
            slot.fate != GONE and any(unit and unit.entry and unit.entry.candidate for unit in slot.units) for slot in self.all
        )
        if waiting and not any(candidates and line for candidates, line in holding):
            for slot in lines:
                slot.fate = GONE
        elif not waiting and all(slot.fate == GONE for slot in lines) and all(any(held) for held in holding):
            line = Unit(PROSE, order.empty.encode())
            _, ours, _ = self.outlines
            line.parent = next((unit for unit in ours.units if unit.kind == HEADING), ours.root)
            self._add([None, line, None], made=True)

    def _holds(self, outline: Outline) -> tuple[bool, bool]:
        """Whether a version has candidates, and a line that stands for none."""
        candidates = any(unit.entry is not None and unit.entry.candidate for unit in outline.units)
        return candidates, any(unit.kind != ENTRY and self._stands_in(unit) for unit in outline.units)

    def _stands_in(self, unit: Unit) -> bool:
        return self.order.is_empty(unit.text.decode("utf-8", "replace").strip().removeprefix("- ").strip())

    # Where it stands

    def _parents(self) -> None:
        for slot in self.all:
            above = [None if unit is None else self.of[self._above(unit)] for unit in slot.units]
            base, ours, theirs = above
            moved = ours is not None and ours is not base
            slot.parent = ours if moved else theirs or ours or base
        for slot in self.all:  # a section that goes leaves what only follows it to the one that it was in
            while slot.parent is not None and slot.parent.kind == ENTRY and slot.parent.fate == GONE:
                slot.parent = slot.parent.parent
        for slot in self.all:
            seen = 0
            above_it: Slot | None = slot
            while above_it is not None:
                above_it = above_it.parent
                seen += 1
                if seen > 100:
                    raise NotByEntry

    def _sections(self) -> None:
        """A heading stays while anything stands under it, and goes with the last of it where the layout says so."""
        below: dict[Slot, list[Slot]] = {}
        for slot in self.all:
            assert slot.parent is not None
            below.setdefault(slot.parent, []).append(slot)
        for slot in [*reversed(self._down(below)), self.root]:
            alive = [child for child in below.get(slot, []) if child.fate != GONE]
            slot.children = alive
            if slot is self.root or slot.kind == ENTRY:
                continue
            if alive and slot.fate == GONE:
                slot.fate = KEPT
                slot.side = next(side for side in (OURS, THEIRS, BASE) if slot.units[side] is not None)
            elif not alive and slot.fate == KEPT and slot.kind == HEADING and self._emptied(slot):
                slot.fate = GONE
        for slot in [self.root, *self._down(below)]:
            slot.children = self._ordered(slot, [child for child in below.get(slot, []) if child.fate != GONE])

    def _down(self, below: dict[Slot, list[Slot]]) -> list[Slot]:
        """All slots, each after the one above it."""
        found: list[Slot] = []
        work = [self.root]
        while work:
            inner = below.get(work.pop(), [])
            found += inner
            work += inner
        return found

    def _emptied(self, slot: Slot) -> bool:
        """Whether a heading lost its last unit in the merge: neither side has it without any."""
        sides = [unit for unit in slot.units[OURS:] if unit is not None]
        return all(unit.children for unit in sides) and (self.order.groups or fields.is_date(_title(slot.unit)))

    # In which order

    def _ordered(self, parent: Slot, alive: list[Slot]) -> list[Slot]:
        if len(alive) < 2:
            return alive
        sequences = [self._sequence(parent, side) for side in (BASE, OURS, THEIRS)]
        first, second = (THEIRS, OURS) if self._reordered(sequences) else (OURS, THEIRS)
        here = set(alive)
        found = [slot for slot in sequences[first] if slot in here]
        found = self._woven(found, sequences[second], here)
        done = {*found, *(slot for both in found if both.runs is not None for run in both.runs for slot in run)}
        found += (slot for slot in alive if slot not in done)
        leading = [slot for slot in found if not slot.any.heads]
        return [*leading, *(slot for slot in found if slot.any.heads)]  # what no heading heads comes before all that are

    def _sequence(self, parent: Slot, side: int) -> list[Slot]:
        """The slots that a side has below one, in its order."""
        unit = parent.units[side]
        return [] if unit is None else [self.of[child] for child in unit.children if self.of[child].parent is parent]

    @staticmethod
    def _reordered(sequences: list[list[Slot]]) -> bool:
        """Whether theirs has what all three have in another order, and ours has not."""
        everywhere = set(sequences[BASE]) & set(sequences[OURS]) & set(sequences[THEIRS])
        base, ours, theirs = ([slot for slot in sequence if slot in everywhere] for sequence in sequences)
        return ours == base and theirs != base

    def _woven(self, found: list[Slot], other: list[Slot], here: set[Slot]) -> list[Slot]:
        """`found` with what the other side alone has, each run of it where it stands there between its neighbours."""
        place = {slot: at for at, slot in enumerate(found)}
        runs: dict[int, list[Slot]] = {}
        after = -1
        for slot in other:
            if slot in place:
                after = place[slot]
            elif slot in here:
                runs.setdefault(after, []).append(slot)
        both = set(other)
        made: list[Slot] = []
        at = 0
        while at <= len(found):
            run = runs.get(at - 1, [])
            mine = []
            while run and at < len(found) and found[at] not in both:
                mine.append(found[at])
                at += 1
            made += self._meeting(mine, run)
            if at < len(found):
                made.append(found[at])
            at += 1
        return made

    def _meeting(self, mine: list[Slot], others: list[Slot]) -> Iterator[Slot]:
        """Two runs at one place: each in its order, by date where the file goes by date."""
        mine, others = list(mine), list(others)
        if mine and others and all(slot.kind == PROSE and slot.fate == KEPT for slot in (*mine, *others)):
            both = Slot([None, mine[0].unit, others[0].unit])
            both.runs, both.fate = (mine, others), CLASHES
            yield both
            return
        newest_first = self.order.newest_first
        while mine and others:
            one, other = _date(mine[0].unit), _date(others[0].unit)
            dated = newest_first is not None and one is not None and other is not None and one != other
            yield (others if dated and (other > one) is newest_first else mine).pop(0)  # type: ignore[operator]
        yield from mine
        yield from others


def _title(unit: Unit) -> str:
    """A heading's words."""
    return unit.text.split(b"\n", 1)[0].strip(b"# \t").decode("utf-8", "replace")


def _date(unit: Unit) -> str | None:
    """The date that a file goes by: that of an entry, or of a heading over several."""
    if unit.entry is not None:
        return unit.entry.date
    return fields.split_date(_title(unit))[0] if unit.kind == HEADING else None
