"""Where the parts of a merge stand in the marked file that it takes apart: the line and the heading that a person is shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from memdesk.core import markers
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.plaintext import plain

if TYPE_CHECKING:
    from memdesk.core.markers import Region
    from memdesk.core.model import Document, Entry


class Place(NamedTuple):
    """Where a part stands: the heading of its entry ("" for none), its line in the marked file, the conflict that it belongs
    to, and all that it reaches into, as indices. `close`: both sides are bullets, or no entries."""

    heading: str
    line: int
    region: int
    regions: Sequence[int]
    close: bool


class Finder:
    """Asked for the parts of a merge in their order."""

    def __init__(self, marked: Document, regions: Sequence[Region], ours: Document, theirs: Document) -> None:
        """`ours`, `theirs`: the sides as they were rebuilt from the markers."""
        self._data = marked.data
        self._regions = regions
        self._sides = _Side(ours, regions, "ours"), _Side(theirs, regions, "theirs")
        self._next = 0  # the conflict behind those that were found
        self._counted = (1, 0)  # a line, and a place in it

    def find(self, ours: bytes, theirs: bytes) -> Place:
        """The place of a part by what its sides say."""
        found = [side.find(data) for side, data in zip(self._sides, (ours, theirs), strict=True)]
        spots = [spot for spot in found if spot is not None]
        reached = sorted({index for spot in spots for index in spot.regions})
        entries = [spot.entry for spot in spots if spot.entry is not None]
        heading = entries[0].heading if entries else ""
        close = all(entry.kind == "bullet" for entry in entries)
        if not reached:  # it cannot be told: the next conflict
            index = min(self._next, len(self._regions) - 1)
            return Place(heading, self._regions[index].line, index, [index], close)
        self._next = reached[-1] + 1
        return Place(heading, self._line(spots[0].at), reached[0], reached, close)

    def _line(self, at: int) -> int:
        """The line of a byte; the parts come nearly in order, so that it is counted from the last one on."""
        line, counted = self._counted
        line += self._data.count(b"\n", counted, at) if at >= counted else -self._data.count(b"\n", at, counted)
        self._counted = line, at
        return line


class _Spot(NamedTuple):
    at: int  # in the marked file
    entry: Entry | None
    regions: Sequence[int]


class _Side:
    """One side's text: where each entry of it stands, and where that is in the marked file."""

    def __init__(self, document: Document, regions: Sequence[Region], side: str) -> None:
        self._document = document
        self._places = markers.Places(regions, side)
        self._regions = regions
        self._starts = [region.start for region in regions]
        self._entry_starts = [entry.start for entry in document.entries]
        self._entries: dict[str, list[Entry]] = {}
        for entry in document.entries:
            self._entries.setdefault(entry.text, []).append(entry)
        self._from = 0  # texts between entries are looked for behind the last one

    def find(self, data: bytes) -> _Spot | None:
        """Where a part of this side stands, by the entry that it is or else by its lines. Of equal ones the first that is in
        a conflict and was not given yet."""
        if not data.strip():
            return None
        known = self._entries.get(plain(data), [])
        for index, entry in enumerate(known):
            spot = self._spot(entry.start, entry.end, entry)
            if spot.regions:
                del known[index]
                return spot
        body = b"\n" + data.strip(b"\r\n")
        whole = self._document.data
        at = 0 if whole.startswith(body[1:]) and not self._from else whole.find(body, self._from) + 1
        if not at and not whole.startswith(body[1:]):
            at = whole.find(body) + 1
            if not at:
                return None
        self._from = at + len(body) - 2
        number = bisect_right(self._entry_starts, at) - 1
        inside = self._document.entries[number] if number >= 0 else None
        return self._spot(at, at + len(body) - 1, inside if inside is not None and inside.end > at else None)

    def _spot(self, start: int, end: int, entry: Entry | None) -> _Spot:
        low, high = self._places.at(start), self._places.at(max(start, end - 1))
        first = bisect_right(self._starts, low) - 1
        if first < 0 or self._regions[first].end <= low:
            first += 1
        return _Spot(low, entry, range(first, max(first, bisect_right(self._starts, high))))
