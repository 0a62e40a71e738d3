"""A merged tree of units as text: each unit with the bytes of the side that it is taken from, and fitting space between."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memdesk.core.lean import NamedTuple
from memdesk.core.linemerge import Clash, joined, merge_lines
from memdesk.core.mergeslots import BASE, CLASHES, GONE, OURS, THEIRS, Slot, Slots
from memdesk.core.mergeunits import ENTRY, HEADING, NotByEntry, Outline, Unit, lf, styled

_SIDES = (OURS, THEIRS, BASE)


class Expected(NamedTuple):
    """An entry that must be read in a merged text; `path`: the texts of what it stands under, None where that is open."""

    text: bytes  # LF
    path: tuple[bytes, ...] | None


class Written(NamedTuple):
    """The parts of a merged text, and the entries that must be read in it when every clash is settled for one side."""

    parts: list[bytes | Clash]
    expected: dict[int, list[Expected]]  # OURS, THEIRS: the entries, in order


def write(slots: Slots) -> Written:
    """The text that the slots stand for."""
    return _Writer(slots).write()


class _Writer:
    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.outlines = slots.outlines
        base, ours, theirs = self.outlines
        versions = [version for version in (base, ours, theirs) if version is not None]
        self.newline = three_way(versions, lambda version: version.newline)
        self.bom = three_way(versions, lambda version: version.bom)
        self.tail = styled(three_way(versions, lambda version: lf(version.tail)), self.newline)
        self.expected: dict[int, list[Expected]] = {OURS: [], THEIRS: []}

    def write(self) -> Written:
        order = list(_down(self.slots.root))
        written = {*order, *(inner for slot in order for run in slot.runs or () for inner in run)}
        if any(slot.fate != GONE and slot not in written for slot in self.slots.all):
            raise NotByEntry  # something has no place: rather ordinary markers than a loss
        parts: list[bytes | Clash] = [self.bom]
        before: Slot | None = None
        for slot in order:
            parts.append(self._gap(before, slot))
            parts += self._own(slot, last=slot is order[-1])
            before = slot
        if order:
            settled = order[-1].fate != CLASHES or isinstance(parts[-1], bytes)
            parts.append(self.tail if settled else self.tail.removeprefix(self.newline))  # a clash ends its lines itself
        return Written(joined(parts), self.expected)

    def _own(self, slot: Slot, last: bool) -> Iterator[bytes | Clash]:
        if slot.fate != CLASHES:
            unit = slot.unit
            if unit.entry is not None:
                for side in self.expected:
                    self.expected[side].append(Expected(unit.text, slot.path))
            yield self._bytes(slot, slot.side)
            if not last:
                yield self._ending(slot.side, unit)
            return
        base, ours, theirs = (self._whole(slot, side) for side in (BASE, OURS, THEIRS))
        if slot.kind != ENTRY and slot.runs is None and slot.units[OURS] and slot.units[THEIRS] and base:
            parts = merge_lines(base, ours, theirs)
            if last and parts and isinstance(parts[-1], bytes):  # the tail brings its ending
                parts[-1] = parts[-1].removesuffix(b"\n").removesuffix(b"\r")
            yield from parts
            return
        for side in self.expected:
            found = slot.units[side]
            if found is not None and found.entry is not None:
                self.expected[side].append(Expected(found.text, slot.path))
        yield Clash(base if self.outlines[BASE] is not None else None, ours, theirs)

    def _whole(self, slot: Slot, side: int) -> bytes:
        """What a side has in a clash, as whole lines."""
        if slot.runs is not None:
            run = [] if side == BASE else slot.runs[0 if side == OURS else 1]
            pieces = []
            for at, one in enumerate(run):
                pieces += [self._gap(run[at - 1], one) if at else b"", self._bytes(one, side), self.newline]
            return b"".join(pieces)
        return b"" if slot.units[side] is None else self._bytes(slot, side) + self.newline

    def _bytes(self, slot: Slot, side: int) -> bytes:
        unit = slot.units[side] or slot.any
        return unit.raw if self._style(side) == self.newline else styled(unit.raw, self.newline)

    def _ending(self, side: int, unit: Unit) -> bytes:
        return unit.ending if unit.ending and self._style(side) == self.newline else self.newline

    def _style(self, side: int) -> bytes | None:
        outline = self.outlines[side]
        return None if outline is None else outline.newline

    # The blank lines between two units

    def _gap(self, before: Slot | None, slot: Slot) -> bytes:
        """As they have it who have the two together; else as their like has it; else one blank line, none in a list."""
        found = self._known(before, slot)
        if found is None:
            assert before is not None
            one, other = before.any, slot.any
            if one.bullet and other.bullet:
                gaps = [*self._list_gaps(before), *self._list_gaps(slot)]
                found = min(gaps, key=len, default=b"")
            elif one.kind == HEADING and not other.heads:
                found = next(self._below_heading(before, slot), b"\n")
            elif other.heads and other.index > 0 and other.raw.startswith(b"#"):
                found = lf(other.gap)
            else:
                found = b"\n"
        return styled(found, self.newline)

    def _known(self, before: Slot | None, slot: Slot) -> bytes | None:
        """The gap where the two follow each other (or the second begins the file) in some version; a changed one first."""
        gaps: list[bytes | None] = []
        for side in (BASE, OURS, THEIRS):
            unit = slot.units[side]
            outline = self.outlines[side]
            above = None if unit is None or outline is None or unit.index < 0 else outline.before(unit)
            previous = None if before is None else _last(before, side)
            together = unit is not None and unit.index >= 0 and above is previous and (before is None or previous is not None)
            gaps.append(lf(unit.gap) if unit is not None and together else None)
        base, ours, theirs = gaps
        if before is None and ours is None and theirs is None:
            return b""
        if ours is not None and theirs is not None:
            return theirs if ours == base else ours
        return ours if ours is not None else theirs if theirs is not None else base

    def _list_gaps(self, slot: Slot) -> Iterator[bytes]:
        """The gaps of an item to the items beside it, in every version."""
        for side in _SIDES:
            unit, outline = slot.units[side], self.outlines[side]
            if unit is None or outline is None or unit.index < 0:
                continue
            above, below = outline.before(unit), outline.after(unit)
            if above is not None and above.bullet and above.parent is unit.parent:
                yield lf(unit.gap)
            if below is not None and below.bullet and below.parent is unit.parent:
                yield lf(below.gap)

    def _below_heading(self, heading: Slot, slot: Slot) -> Iterator[bytes]:
        """The gaps below a heading before what is like `slot`, in every version."""
        for side in _SIDES:
            unit, outline = heading.units[side], self.outlines[side]
            below = None if unit is None or outline is None else outline.after(unit)
            if below is not None and below.parent is unit and below.bullet is slot.any.bullet:
                yield lf(below.gap)


def three_way(versions: list[Outline], what: Callable[[Outline], bytes]) -> bytes:
    """What three versions come to in one respect: the changed one, ours where both changed it, or nobody knows."""
    *_, ours, theirs = (what(version) for version in versions)
    return theirs if len(versions) == 3 and ours == what(versions[0]) else ours


def _down(slot: Slot) -> Iterator[Slot]:
    """The slots below one, as they stand in the file."""
    work = list(reversed(slot.children))
    while work:
        slot = work.pop()
        yield slot
        work += reversed(slot.children)


def _last(slot: Slot, side: int) -> Unit | None:
    if slot.runs is not None:
        run = slot.runs[0 if side == OURS else 1] if side != BASE else []
        return run[-1].units[side] if run else None
    return slot.units[side]
