"""Taking one change of a file back while keeping what came after it: an edit mapped through a later edit, line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdesk.core.lean import NamedTuple


class Moved(Exception):
    """The lines that would have to change are not there any more; `line` (1-based) is where they were."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Span(NamedTuple):
    """Lines `start` to `end` of one text that stand for lines `other` to `other_end` of another."""

    start: int
    end: int
    other: int
    other_end: int


def taken_back(before: bytes, after: bytes, now: bytes) -> bytes:
    """`now` without the edit that made `after` of `before`; `before` itself where nothing changed since.

    Raises Moved where a line that the edit made was changed since, or where the surroundings of what it took away were
    rewritten, so that nobody can say where it belongs.
    """
    if now == after:
        return before
    old, made, present = _lines(before), _lines(after), _lines(now)
    later = _changed(made, present)
    out: list[bytes] = []
    done = 0
    for span in _changed(made, old):  # lines of `made` that are to become lines of `old`
        start = _position(span, made, present, later)
        end = start + span.end - span.start
        if start < done:
            raise Moved(span.start + 1)
        out += present[done:start]
        out += old[span.other : span.other_end]
        done = end
    out += present[done:]
    return b"\n".join(out)


def stays(before: bytes, after: bytes, now: bytes) -> bool:
    """Whether all that would come back or go stands below the very heading line that it stood below, and holds none
    itself: then it lands in its place. False tells nothing. Raises Moved as `taken_back` does."""
    old, made, present = _lines(before), _lines(after), _lines(now)
    later = _changed(made, present)
    for span in _changed(made, old):
        start = _position(span, made, present, later)
        if any(_STRUCTURE.match(line) for line in (*made[span.start : span.end], *old[span.other : span.other_end])):
            return False
        if _heading(made, span.start) != _heading(present, start):
            return False
        below = present[start + span.end - span.start :][:1]
        if below and below[0].strip() and below != made[span.end :][:1] and not _BULLET.match(below[0]):
            return False
    return True


_STRUCTURE = re.compile(rb" {0,3}(?:#|=+[ \t]*\r?$|-{2,}[ \t]*\r?$|```|~~~|<)")
_BULLET = re.compile(rb" {0,3}[-*+] ")


def _heading(lines: Sequence[bytes], end: int) -> bytes | None:
    """The nearest heading line above a line."""
    return next((lines[at] for at in range(end - 1, -1, -1) if _STRUCTURE.match(lines[at])), None)


def keeping(before: bytes, after: bytes, kind: re.Pattern[bytes]) -> bytes:
    """`before` with those lines of `after` that are new and match, each with room behind it for what came there."""
    old, made = _lines(before), _lines(after)
    out: list[bytes] = []
    done = 0
    for span in _changed(made, old):
        out += made[done : span.start]
        for line in made[span.start : span.end]:
            if kind.fullmatch(line):
                blank = b"\r" if line.endswith(b"\r") else b""
                out += [line, blank, blank]
        out += old[span.other : span.other_end]
        done = span.end
    return b"\n".join([*out, *made[done:]])


def _position(span: Span, made: Sequence[bytes], present: Sequence[bytes], later: Sequence[Span]) -> int:
    """The line of `present` at which the lines of a span stand now. For an empty one: where they would."""
    if span.start == span.end:
        return _gap(span.start, made, later)
    offset = 0
    for change in later:
        if change.end <= span.start and not change.start == change.end == span.start:
            offset = change.other_end - change.end
        elif change.start == change.end and change.start == span.start:
            offset = change.other_end - change.end  # put in right before it
        elif change.start < span.end:
            return _elsewhere(span, made, present)
        else:
            break
    return span.start + offset


def _elsewhere(span: Span, made: Sequence[bytes], present: Sequence[bytes]) -> int:
    """The diff cut through the span; equal lines nearby can make it do so. The span still counts if it is unmistakable."""
    wanted = list(made[span.start : span.end])
    if any(line.strip() for line in wanted):
        places = [_occurrences(wanted, text) for text in (made, present)]
        if len(places[0]) == len(places[1]) == 1:
            return places[1][0]
    raise Moved(span.start + 1)


def _occurrences(wanted: Sequence[bytes], text: Sequence[bytes]) -> list[int]:
    first, size = wanted[0], len(wanted)
    return [at for at, line in enumerate(text) if line == first and list(text[at : at + size]) == wanted]


def _gap(position: int, made: Sequence[bytes], later: Sequence[Span]) -> int:
    """Where a place between two lines is now. Of lines that were put in at that very place, it comes after (files grow
    at the top, the newer above the older), but at the end of a file before (there they grow downwards)."""
    at_end = position >= len(made) - (made[-1] == b"")
    offset = 0
    for change in later:
        if change.end < position:
            offset = change.other_end - change.end
        elif change.start == change.end == position:
            return change.other if at_end else change.other_end
        elif change.start == position:
            return change.other
        elif change.end == position:
            return change.other_end
        elif change.start < position:
            if change.other == change.other_end:
                return change.other  # all around it was taken away
            raise Moved(position + 1)
        else:
            break
    return position + offset


def _changed(one: Sequence[bytes], other: Sequence[bytes]) -> list[Span]:
    """Where two texts differ. What they have in common at their ends is set aside first: most edits are small."""
    from difflib import SequenceMatcher

    head = 0
    shortest = min(len(one), len(other))
    # What stands behind the last line ending of one is no blank line in the middle of the other.
    apart = shortest - (len(one) != len(other))
    while head < apart and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < shortest - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    middle, counterpart = one[head : len(one) - tail], other[head : len(other) - tail]
    if not middle or not counterpart:
        if not middle and not counterpart:
            return []
        return [Span(head, head + len(middle), head, head + len(counterpart))]
    matcher = SequenceMatcher(None, middle, counterpart, autojunk=len(middle) > 2000)
    return [
        Span(head + i1, head + i2, head + j1, head + j2) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    ]


def _lines(data: bytes) -> list[bytes]:
    """Without their `\\n`, so that a last line is the same line with and without one."""
    return data.split(b"\n")
