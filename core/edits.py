"""Span edits over bytes: what plans are made of. Bytes that no edit names are copied, never rendered (invariant 2).

All edits of a document are told against its bytes as they were read, and applied together; so they do not depend on the
order in which they were asked for, but for insertions at one offset, which keep it. Text comes in with LF and goes out
with the ending that the file uses most.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from memdesk.core.lean import NamedTuple

_BLANK = b" \t\r\n"
STRUCTURE = -1  # owner of an edit that belongs to no entry: a heading, an index row, a placeholder line
ADDED = -2  # owner of an insertion that is exactly one new entry


class Edit(NamedTuple):
    """Replaces the bytes `start` to `end` by `new`.

    `gap`: "" puts `new` in as it is. "tight" and "loose" put it on lines of its own: what stands before it is ended with
    a newline where it has none, and "loose" sees to one blank line on each side; "close" follows the insertion before it
    at the same offset without a blank line. `owner` is the index of the entry that
    the edit is inside of, or STRUCTURE, or ADDED.
    """

    start: int
    end: int
    new: bytes = b""
    gap: str = ""
    owner: int = STRUCTURE


class Applied:
    """The bytes after, and where everything went. `places[i]` is the span that edit `i` of those given fills now."""

    __slots__ = ("_kept", "_starts", "after", "places")

    def __init__(self, after: bytes, places: list[tuple[int, int]], kept: list[tuple[int, int, int]]) -> None:
        self.after = after
        self.places = places
        self._kept = kept  # (old start, old end, new start) of each run of bytes that stayed
        self._starts = [start for start, _, _ in kept]

    def position(self, offset: int) -> int | None:
        """Where the byte at `offset` went; None for one that is gone."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0 or offset >= self._kept[at][1]:
            return None
        return self._kept[at][2] + offset - self._kept[at][0]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the bytes `start` to `end` went, from the first to the last that stayed; None when none did."""
        first = last = None
        for at in range(max(0, bisect_right(self._starts, start) - 1), len(self._kept)):
            old_start, old_end, new_start = self._kept[at]
            low, high = max(start, old_start), min(end, old_end)
            if old_start >= end:
                break
            if low < high:
                first = new_start + low - old_start if first is None else first
                last = new_start + high - old_start
        return None if first is None or last is None else (first, last)


class Cover:
    """Spans that do not overlap, asked by bisection: thousands of entries may leave in one plan."""

    __slots__ = ("_spans",)

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)

    def holds(self, start: int, end: int) -> bool:
        """Whether one of the spans holds all of `start` to `end`."""
        at = bisect_right(self._spans, (start, sys.maxsize)) - 1
        return at >= 0 and end <= self._spans[at][1]


class Spans:
    """Spans in any order, asked for what they meet. An empty one is met by what holds its place inside."""

    __slots__ = ("_highest", "_spans")

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._highest = list(accumulate((end for _, end in self._spans), max))

    def meets(self, start: int, end: int) -> bool:
        """Whether one of the spans shares a byte with `start` to `end`, or is an empty one inside of them."""
        at = bisect_left(self._spans, (end, 0)) - 1
        return at >= 0 and self._highest[at] > start

    def holding(self, offset: int) -> tuple[int, int] | None:
        """The last span that begins at an offset or before it, if it holds that; for spans that do not overlap."""
        at = bisect_right(self._spans, (offset, sys.maxsize)) - 1
        return self._spans[at] if at >= 0 and offset < self._spans[at][1] else None


def apply(data: bytes, edits: Sequence[Edit], newline: str = "\n") -> Applied:
    """The bytes after all `edits`. Pure deletions may overlap; any other overlap is a ValueError, as is a span out of range.

    A file without a final newline stays one; appending to it ends the old last line alone.
    """
    ending = newline.encode("ascii")
    order = sorted(range(len(edits)), key=lambda index: _rank(data, edits[index]))
    out = bytearray()
    places: list[tuple[int, int]] = [(0, 0)] * len(edits)
    kept: list[tuple[int, int, int]] = []
    done = 0
    follow = ""  # the gap that the last block asks for after it
    cut_to = 0  # bytes before it went with a pure deletion

    def keep(upto: int) -> None:
        nonlocal done, follow
        if upto <= done:
            return
        piece = data[done:upto]
        close(piece)
        kept.append((done, upto, len(out)))
        out.extend(piece)
        done = upto

    def close(piece: bytes) -> None:
        nonlocal follow
        if piece:
            if follow == "loose" and piece.split(b"\n", 1)[0].strip(b" \t\r"):
                out.extend(ending)
            follow = ""

    for index in order:
        edit = edits[index]
        if not 0 <= edit.start <= edit.end <= len(data):
            raise ValueError(f"edit {edit.start}:{edit.end} outside {len(data)} bytes")
        inside_cut = edit.start < cut_to and (not edit.new or edit.start == edit.end)
        if edit.start < done and not inside_cut:
            raise ValueError(f"edit {edit.start}:{edit.end} overlaps another")
        keep(edit.start)
        if edit.new and edit.gap:
            _separate(out, ending, edit.gap if len(out) > _bom(data) else "tight", follow)
            begin = len(out)
            out.extend(edit.new)
            follow = follow if edit.gap == "close" and follow else edit.gap
        else:
            close(edit.new)
            begin = len(out)
            out.extend(edit.new)
        places[index] = (begin, len(out))
        if edit.end > done:
            done = edit.end
        if not edit.new:
            cut_to = max(cut_to, edit.end)
    keep(len(data))
    if follow and data and not data.endswith((b"\n", b"\r")) and len(data) > _bom(data) and out.endswith(b"\n"):
        del out[-2 if out.endswith(b"\r\n") else -1 :]
        places = [(begin, min(end, len(out))) for begin, end in places]
    return Applied(bytes(out), places, kept)


def lines(text: str, newline: str = "\n") -> bytes:
    """Text with LF endings as whole lines in the file's ending, outer blank lines off, the last line ended."""
    body = text.strip("\n")
    return (body.replace("\n", newline) + newline).encode("utf-8", "surrogateescape")


def removals(data: bytes, spans: Iterable[tuple[int, int]]) -> list[Edit]:
    """Deletions of whole-line spans, with the blank lines around them that would be left over.

    Of the runs of blank lines that a removal brings together the longest stays (the first of those); at the beginning of the
    file only what is blank before it, at its end only what is blank behind it. A file without a final newline stays one. So
    what stays is the same whether spans go together or one after the other, in any order.
    """
    groups: list[list[tuple[int, int]]] = []
    for start, end in sorted(spans):
        last = groups[-1][-1][1] if groups else 0
        if groups and start < last:
            groups[-1][-1] = (groups[-1][-1][0], max(end, last))
        elif groups and not data[last:start].strip(_BLANK):
            groups[-1].append((start, end))
        else:
            groups.append([(start, end)])
    return [edit for group in groups for edit in _without(data, group)]


def line_start(data: bytes, offset: int) -> int:
    """The offset at which the line of `offset` begins."""
    return data.rfind(b"\n", 0, offset) + 1


def changed_lines(before: bytes, text: str, start: int, newline: str, owner: int) -> list[Edit]:
    """Edits that make the whole lines `before` (at `start` in their file) into `text` (LF), line by line: lines that are
    equal but for their ending keep their bytes. The last line keeps its state: ended, or not."""
    from difflib import SequenceMatcher

    old = _git_lines(before)
    body = text.strip("\n")
    new = [part.encode("utf-8", "surrogateescape") for part in body.split("\n")] if body else []
    bare = [line.rstrip(b"\r\n") for line in old]
    offsets = [start]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    ending = newline.encode("ascii")
    ended = before.endswith(b"\n")
    edits = []
    for kind, low, high, new_low, new_high in SequenceMatcher(None, bare, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        own = [line[len(text) :] or ending for line, text in zip(old[low:high], bare[low:high], strict=True)]
        endings = [*own, *[ending] * (new_high - new_low - len(own))]  # a line in place of another keeps that one's ending
        piece = b"".join(line + end for line, end in zip(new[new_low:new_high], endings, strict=False))
        begin, stop = offsets[low], offsets[high]
        if high == len(old) and not ended:
            if piece:
                piece = piece.removesuffix(endings[new_high - new_low - 1])
                if low == high:
                    piece = ending + piece
            else:  # the lines at the end go, and with them the ending before them
                begin = offsets[low] - (len(old[low - 1]) - len(bare[low - 1]) if low else 0)
        edits.append(Edit(begin, stop, piece, "", owner))
    return edits


def _rank(data: bytes, edit: Edit) -> tuple[int, bool, bool]:
    """By offset; there, what is replaced comes last, and text that joins a line stays on it: it goes behind lines of their
    own where a line begins, before them where one ends."""
    begins = edit.start == _bom(data) or data.endswith(b"\n", 0, edit.start)
    return edit.start, edit.start != edit.end, (not edit.gap) is begins


def _git_lines(data: bytes) -> list[bytes]:
    """Lines at LF alone, endings kept."""
    parts = data.split(b"\n")
    rows = [part + b"\n" for part in parts[:-1]]
    return [*rows, parts[-1]] if parts[-1] else rows


def _bom(data: bytes) -> int:
    return 3 if data.startswith(b"\xef\xbb\xbf") else 0


def _separate(out: bytearray, ending: bytes, gap: str, before: str) -> None:
    """Ends the line before a block, and sees to a blank line where the block, or the one before it, asks for one."""
    if out and not out.endswith(b"\n") and out != b"\xef\xbb\xbf":
        out.extend(ending)
    if gap != "close" and "loose" in (gap, before) and not _ends_blank(out):
        out.extend(ending)


def _ends_blank(out: bytearray) -> bool:
    """Whether the last line is blank, or there is none."""
    if not out or out == b"\xef\xbb\xbf":
        return True
    previous = out.rfind(b"\n", 0, len(out) - 1)
    return not out[previous + 1 :].strip(b" \t\r\n")


def _without(data: bytes, group: Sequence[tuple[int, int]]) -> list[Edit]:
    """Removes spans that have but blank lines between them, and those around them that go with them."""
    low, high = _blank_before(data, group[0][0]), _blank_after(data, group[-1][1])
    runs = [(low, group[0][0]), *((one[1], other[0]) for one, other in pairwise(group)), (group[-1][1], high)]
    if low == _bom(data) or high == len(data):
        kept = [run for run, outer in ((runs[0], low == _bom(data)), (runs[-1], high == len(data))) if outer]
    else:
        kept = [max(runs, key=lambda run: data.count(b"\n", *run))]
    if group[-1][1] == len(data) and not data.endswith(b"\n") and low > _bom(data):
        low -= 2 if data.endswith(b"\r\n", 0, low) else 1  # what is the last line now stays without an ending
    edges = [low, *(place for run in kept for place in run), high]
    return [Edit(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def _blank_before(data: bytes, offset: int) -> int:
    """Where the blank lines begin that end at the start of a line."""
    while offset > _bom(data):
        start = max(line_start(data, offset - 1), _bom(data))
        if data[start:offset].strip(_BLANK):
            break
        offset = start
    return offset


def _blank_after(data: bytes, offset: int) -> int:
    """Where the blank lines end that begin at an offset."""
    while offset < len(data):
        stop = data.find(b"\n", offset) + 1 or len(data)
        if data[offset:stop].strip(_BLANK):
            break
        offset = stop
    return offset
