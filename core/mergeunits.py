"""A memory file as a tree of units, for merging: entries whole, and what stands between them block by block.

A unit is whole lines without the ending of the last one; the blank lines before it are kept beside it. What stands under a
heading is below it in the tree, so that a merge can move, keep or drop a section with what is in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.markdown import Block
    from memdesk.core.model import Document, Entry

ENTRY, HEADING, ITEM, PROSE = "entry", "heading", "item", "prose"
_DEEP = 7  # below every heading: the level of what heads nothing


class NotByEntry(Exception):
    """The file cannot be taken apart by entries: it is merged by lines."""


class Unit:
    """One entry, heading, list item or other block. `raw`: its own bytes; `ending`: that of its last line; `gap`: the blank
    lines before it; `text`: `raw` with LF endings, to compare."""

    __slots__ = ("bullet", "children", "ending", "entry", "gap", "index", "kind", "level", "parent", "path", "raw", "text")

    def __init__(self, kind: str, raw: bytes, gap: bytes = b"", level: int = _DEEP, entry: Entry | None = None) -> None:
        body = raw.removesuffix(b"\n").removesuffix(b"\r") if raw.endswith(b"\n") else raw
        self.kind = kind
        self.raw = body
        self.ending = raw[len(body) :]
        self.text = lf(body)
        self.gap = gap
        self.level = level
        self.entry = entry
        self.bullet = kind == ITEM or (entry is not None and entry.kind in ("bullet", "row"))
        self.index = -1  # its place in the file
        self.parent: Unit | None = None
        self.children: list[Unit] = []
        self.path: tuple[bytes, ...] = ()  # the texts of the headings above it

    @property
    def heads(self) -> bool:
        """Whether what follows it at its level belongs to it."""
        return self.level < _DEEP

    def __repr__(self) -> str:
        return f"<Unit {self.kind} {self.raw[:30]!r}>"


class Outline:
    """The units of one version in order; `root` is above them all. `tail`: what follows the last one, its ending first."""

    def __init__(self, document: Document) -> None:
        """Raises NotByEntry for what has blocks that never close, or entries inside of each other."""
        page = document.page
        if document.problem is not None or page.unclosed is not None or page.locked:
            raise NotByEntry
        self.document = document
        self.newline = page.newline.encode("ascii")
        self.bom = document.data[: page.bom]
        self.root = Unit(HEADING, b"", level=0)
        self.units: list[Unit] = []
        at = page.bom
        gap = at
        for unit, start, end in _cut(document):
            unit.gap = document.data[gap:start]
            self._place(unit)
            gap = at = end
        self.tail = document.data[at:]
        if self.units:
            self.tail = self.units[-1].ending + self.tail

    def _place(self, unit: Unit) -> None:
        above = self.units[-1] if self.units else self.root
        group = _group_of(unit)
        if group is not None:
            parent = group
        else:
            parent = above
            while parent is not self.root and (not parent.heads or parent.level >= unit.level):
                assert parent.parent is not None
                parent = parent.parent
        unit.parent = parent
        unit.path = (*parent.path, parent.text) if parent is not self.root else ()
        unit.index = len(self.units)
        parent.children.append(unit)
        self.units.append(unit)

    def before(self, unit: Unit) -> Unit | None:
        return self.units[unit.index - 1] if unit.index else None

    def after(self, unit: Unit) -> Unit | None:
        return self.units[unit.index + 1] if unit.index + 1 < len(self.units) else None


def lf(data: bytes) -> bytes:
    """Bytes with LF for CRLF, to compare or to write anew."""
    return data.replace(b"\r\n", b"\n")


def styled(data: bytes, newline: bytes) -> bytes:
    """Bytes with all their line endings made `newline`."""
    return lf(data) if newline == b"\n" else lf(data).replace(b"\n", newline)


def _group_of(unit: Unit) -> Unit | None:
    """The item that a unit was cut out of, as `_cut` left it; None for one that stands for itself."""
    return unit.parent


def _cut(document: Document) -> Iterator[tuple[Unit, int, int]]:
    """The units with their spans, in order. What no block covers, and is not blank, is a unit too."""
    data = document.data
    if document.page.front is not None:
        start, end = document.page.front
        yield Unit(PROSE, data[start:end]), start, end
    else:
        end = document.page.bom
    done = end
    for unit, start, end in _blocks(document, done):
        for low, high in _filled(data, done, start):
            yield Unit(PROSE, data[low:high]), low, high
        yield unit, start, end
        done = end
    for low, high in _filled(data, done, len(data)):
        yield Unit(PROSE, data[low:high]), low, high


def _blocks(document: Document, done: int) -> Iterator[tuple[Unit, int, int]]:
    """Entries whole, and the blocks that are in none; of a block that holds entries what comes before the first of them."""
    data = document.data
    entries = sorted(document.entries, key=lambda entry: entry.start)
    if any(one.end > other.start for one, other in pairwise(entries)):
        raise NotByEntry
    blocks = {block.start: block for block in reversed(document.page.blocks)}  # the outermost that begins at a place
    starts = [entry.start for entry in entries]
    groups: list[tuple[Unit, int]] = []  # items that hold entries, and where they end
    for start in sorted({*blocks, *starts}):
        at = bisect_left(starts, start)
        begins = at < len(starts) and starts[at] == start
        if start < done:
            if begins:
                raise NotByEntry
            continue
        while groups and groups[-1][1] <= start:
            groups.pop()
        block = blocks.get(start)
        if begins:
            level = block.level if block is not None and block.kind == "heading" else _DEEP
            unit, end = Unit(ENTRY, data[start : entries[at].end], level=level, entry=entries[at]), entries[at].end
            yield _below(unit, groups), start, end
        else:
            assert block is not None
            end = min(block.end, starts[at]) if at < len(starts) else block.end
            heading = block.kind == "heading" and not block.depth
            if block.kind == "item" and end < block.end:
                end = min(end, _inner(document, block) or end)
            kind = HEADING if heading else ITEM if block.kind == "item" else PROSE
            holds = kind == ITEM and end < block.end
            end = next((high for _, high in _filled(data, start, end)), end)  # without the blank lines before what is in it
            unit = Unit(kind, data[start:end], level=block.level if heading else _DEEP)
            yield _below(unit, groups), start, end
            if holds:
                groups.append((unit, block.end))
        done = end


def _below(unit: Unit, groups: list[tuple[Unit, int]]) -> Unit:
    unit.parent = groups[-1][0] if groups else None
    return unit


def _inner(document: Document, block: Block) -> int | None:
    """Where the first item inside of another begins, on a line of its own."""
    blocks = document.page.blocks
    at = blocks.index(block)
    inner = (one for one in blocks[at + 1 :] if one.kind == "item" and one.line > block.line and one.start < block.end)
    return next((one.start for one in inner), None)


def _filled(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole lines from `start` to `end` without the blank ones around them."""
    lines = data[start:end].splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    last = next((at for at in range(len(lines), first, -1) if lines[at - 1].strip()), first)
    if first < last:
        low = start + sum(map(len, lines[:first]))
        yield low, low + sum(map(len, lines[first:last]))
