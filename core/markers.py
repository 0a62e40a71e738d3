"""git's conflict markers in a text: which lines are some, the regions that they bound, and the sides they were made from.

What a marker is stands here alone: the check reports by it (formats/common.md, `conflict-marker`), and what is resolved is
told by it. All of it is about raw lines: a fence protects nothing, since git knows of none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from memdesk.core.errors import StoreError
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy

SIZE = 7  # signs of a marker as git writes them where nobody sets another size


class Region(NamedTuple):
    """One conflict: its whole lines `start` to `end` (bytes), the 1-based `line` of its opening marker, the bytes of its
    parts (whole lines), and what stands behind its markers. `base` None: git was not asked to show it."""

    start: int
    end: int
    line: int
    ours: bytes
    base: bytes | None
    theirs: bytes
    ours_label: str
    theirs_label: str
    ours_at: int  # where each part begins
    theirs_at: int
    size: int = SIZE


class Sides(NamedTuple):
    """Whole texts as if each conflict were decided for one side; what git merged by itself is in all of them."""

    base: bytes | None  # None where a conflict doesn't show its base
    ours: bytes
    theirs: bytes


def regions(data: bytes, path: str | None = None) -> list[Region]:
    """The conflicts of a text, in order; none where nothing is reported.

    A marker has seven signs or more, as many as the other markers of its conflict; those of another length between them are
    text, such as the conflict in a base that was itself merged. Raises StoreError, naming the line, for markers that are no
    whole conflict, and for one that could be read in two ways.
    """
    marks = _marks(data)
    if not any(True for _ in _reported(marks)):
        return []
    found: list[Region] = []
    at = 0
    while at < len(marks.all):
        mark = marks.all[at]
        if mark.sign == "<" and (mark.size == SIZE or marks.closing(at) is not None):
            region, at = _region(data, marks, at, path)
            found.append(region)
            continue
        if mark.size == SIZE and mark.sign != "=":
            what = "end" if mark.sign == ">" else "base"
            raise _error(mark, f"This is the {what} of a merge conflict whose beginning is gone.", path)
        at += 1
    return found


def sides(data: bytes, path: str | None = None) -> Sides:
    """The texts of the sides. Raises StoreError as `regions` does."""
    found = regions(data, path)
    ours, theirs = bytearray(), bytearray()
    base: bytearray | None = bytearray()
    at = 0
    for region in found:
        between = data[at : region.start]
        ours += between + region.ours
        theirs += between + region.theirs
        if base is not None:
            base = None if region.base is None else base + between + region.base
        at = region.end
    rest = data[at:]
    return Sides(None if base is None else bytes(base + rest), bytes(ours + rest), bytes(theirs + rest))


def reported(data: bytes) -> Iterator[tuple[int, str]]:
    """(line, words) of each conflict that the check reports: an opening and a closing marker in order, a lone closing one or
    one of a base. An opening one alone is text, and so is a line of `=`. Of more than seven signs only a whole conflict
    counts: a lone line of eight is a nested quote, or a rule."""
    return _reported(_marks(data))


class Places:
    """Where a side's text stands in the text with markers."""

    def __init__(self, found: Sequence[Region], side: str) -> None:
        """`side`: "ours" or "theirs"."""
        self._starts = [0]  # in the side's text: where each run of bytes begins
        self._there = [0]  # and where that begins in the marked text
        before = at = 0
        for region in found:
            part, start = (region.ours, region.ours_at) if side == "ours" else (region.theirs, region.theirs_at)
            before += region.start - at
            for length, there in ((len(part), start), (0, region.end)):
                self._starts.append(before)
                self._there.append(there)
                before += length
            at = region.end

    def at(self, offset: int) -> int:
        """The place of the byte at `offset` of the side's text."""
        run = bisect_right(self._starts, offset) - 1
        return self._there[run] + offset - self._starts[run]


# Below: the marks


class _Mark(NamedTuple):
    start: int
    end: int  # of its line, the ending included
    line: int
    sign: str
    size: int
    label: str


_MARK = lazy(rb"^(?:(<{7,}|\|{7,}|>{7,})(?:[ \t]([^\n]*))?|(={7,}))\r?$", re.MULTILINE)


class _Marks:
    """All lines of a text that could be markers, and what of each length comes next."""

    def __init__(self, marks: list[_Mark]) -> None:
        self.all = marks
        self._of: dict[tuple[str, int], list[int]] = {}
        for index, mark in enumerate(marks):
            self._of.setdefault((mark.sign, mark.size), []).append(index)

    def next(self, sign: str, size: int, after: int) -> int | None:
        """The index of the next such mark behind the one at `after`."""
        known = self._of.get((sign, size), [])
        at = bisect_right(known, after)
        return known[at] if at < len(known) else None

    def closing(self, at: int) -> int | None:
        """The index of a closing mark that, behind a separator, may belong to the opening one at `at`; None without one."""
        size = self.all[at].size
        between = self.next("=", size, at)
        return None if between is None else self.next(">", size, between)


def _marks(data: bytes) -> _Marks:
    found = []
    line, counted = 1, 0
    for match in _MARK.finditer(data):
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        signs = match[1] or match[3]
        label = (match[2] or b"").rstrip(b"\r").strip().decode("utf-8", "replace")
        end = match.end() + 1 if match.end() < len(data) else match.end()
        found.append(_Mark(match.start(), end, line, chr(signs[0]), len(signs), label))
    return _Marks(found)


def _reported(marks: _Marks) -> Iterator[tuple[int, str]]:
    opened: _Mark | None = None
    base: _Mark | None = None
    until = -1  # the index of the closing mark of a longer conflict: what is in it is its text
    for index, mark in enumerate(marks.all):
        if index <= until or mark.sign == "=":
            continue
        if mark.size != SIZE:
            close = marks.closing(index) if mark.sign == "<" and opened is None else None
            if close is not None:
                until = close
                yield mark.line, _whole(marks.all[close])
        elif mark.sign == "<":
            opened = opened or mark
        elif mark.sign == "|":
            base = base or mark
        else:
            if opened is not None:
                yield opened.line, _whole(mark)
            else:
                yield (base or mark).line, "The end of a merge conflict whose beginning is gone."
            opened = base = None
    if base is not None:
        yield (opened or base).line, "A part of a merge conflict (`|||||||`)."


def _whole(closing: _Mark) -> str:
    return f"A merge conflict, up to line {closing.line}."


def _region(data: bytes, marks: _Marks, at: int, path: str | None) -> tuple[Region, int]:
    """The conflict that the mark at index `at` opens, and the index of the mark behind it."""
    opening = marks.all[at]
    size = opening.size
    base: _Mark | None = None
    between: list[_Mark] = []
    depth = 0  # in a base: conflicts of the same length that a merge of merges left there
    index = at + 1
    while index < len(marks.all):
        mark = marks.all[index]
        index += 1
        if mark.size != size:
            continue
        if mark.sign == "<":
            if base is None or between:
                raise _error(mark, f"A conflict begins inside of that of line {opening.line}.", path)
            depth += 1
        elif mark.sign == ">":
            if depth == 0:
                return _made(data, opening, base, between, mark, path), index
            depth -= 1
        elif depth == 0 and mark.sign == "=":
            between.append(mark)
        elif depth == 0:
            if base is not None:
                raise _error(mark, f"The conflict of line {opening.line} has two bases.", path)
            base, between = mark, []  # a line of `=` above it is ours: an underlined title
    raise _error(opening, "The conflict that begins here has no end.", path)


def _made(
    data: bytes, opening: _Mark, base: _Mark | None, between: list[_Mark], closing: _Mark, path: str | None
) -> Region:
    if not between:
        what = f"The conflict of line {opening.line} ends here without its line of {'=' * opening.size}."
        raise _error(closing, what, path)
    if len(between) > 1:
        lines = " or ".join(str(mark.line) for mark in between)
        raise StoreError(
            f"The sides of this conflict may be parted by line {lines}: nobody can tell.", path=path,
            line=opening.line, remedy=_LONGER,
        )
    middle = between[0]
    return Region(
        start=opening.start, end=closing.end, line=opening.line,
        ours=data[opening.end : (base or middle).start],
        base=None if base is None else data[base.end : middle.start],
        theirs=data[middle.end : closing.start],
        ours_label=opening.label, theirs_label=closing.label, ours_at=opening.end, theirs_at=middle.end,
        size=opening.size,
    )


_MEND = "Mend the markers by hand, or have git write them anew: git checkout --merge -- FILE."
_LONGER = (
    "Have git write longer markers: put `FILE conflict-marker-size=9` in .gitattributes, then git checkout --merge -- FILE."
)


def _error(mark: _Mark, message: str, path: str | None) -> StoreError:
    return StoreError(message, path=path, line=mark.line, remedy=_MEND)
