"""A resolution means what it says (invariant 7): read again, the file holds the settled entries and the chosen ones, each
whole and for itself, and no marker.

What it is compared with are the two texts in which every part is decided for one side; those the merge has read itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from memdesk.core import intake
from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry

REMEDY = "Change the text, or choose otherwise."


class Piece(NamedTuple):
    """A stretch of the new text. `number`: the part that it decides, 0 for settled text; `side`: "ours", "theirs", "edited";
    `expected`: the entries that a side has in just this stretch, None where it is a piece of one; `tags`: theirs and ours,
    of an edited one."""

    data: bytes
    number: int = 0
    side: str = ""
    expected: tuple[Entry, ...] | None = ()
    tags: frozenset[str | None] = frozenset()


class Stretches:
    """The entries of a text by where they stand, for many questions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._starts = [entry.start for entry in document.entries]

    def within(self, start: int, end: int) -> tuple[Entry, ...] | None:
        """The entries in a stretch, in order, blank lines aside; None where one reaches out of it."""
        document = self._document
        body = document.data[start:end]
        start, end = end - len(body.lstrip(b"\r\n")), start + len(body.rstrip())
        found = []
        for index in range(max(0, bisect_right(self._starts, start) - 1), len(self._starts)):
            entry = document.entries[index]
            if entry.start >= end:
                break
            if entry.end > start:
                if entry.start < start or _trimmed(document.data, entry.start, entry.end) > end:
                    return None
                found.append(entry)
        return tuple(found)


def reread(after: Document, ours: Document, theirs: Document, made: Sequence[Piece], person: bool) -> list[Entry]:
    """The chosen entries of a new text. `ours`, `theirs`: the texts with all parts decided for one side. `person`: whether one
    confirms; else nothing edited may claim to be stated. Raises Refused, with the line of the new text."""
    _readable(after, ours, theirs)
    spans = _spans(made)
    chosen = _chosen(after, spans)
    overlapping = {id(entry) for found in chosen for entry in found}
    for (start, _, piece), entries in zip(spans, chosen, strict=True):
        _decided(after, start, piece, entries, person)
    _settled(after, ours, theirs, overlapping)
    _once(after, ours, theirs, [entry for found in chosen for entry in found])
    return list({id(entry): entry for found in chosen for entry in found}.values())


def _readable(after: Document, ours: Document, theirs: Document) -> None:
    problem = intake.problem(after.data)
    if problem is not None:
        raise Refused(
            "The text would still hold a conflict marker." if problem.rule == "conflict-marker" else problem.message,
            path=after.path, line=problem.line, field="text", remedy="Take it out: choose `edited` for this part.",
        )
    unclosed = after.page.unclosed
    if unclosed is not None and ours.page.unclosed is None and theirs.page.unclosed is None:
        raise Refused(
            f"A {unclosed.kind} would never close, and swallow what follows it.", path=after.path, line=unclosed.line,
            field="text", remedy="Close it in the text.",
        )


def _spans(made: Sequence[Piece]) -> list[tuple[int, int, Piece]]:
    """Where the decided pieces stand, blank lines around them aside."""
    found = []
    at = 0
    for piece in made:
        if piece.number and piece.data.strip():
            start = at + len(piece.data) - len(piece.data.lstrip(b"\r\n"))
            found.append((start, at + len(piece.data.rstrip()), piece))
        at += len(piece.data)
    return found


def _chosen(after: Document, spans: Sequence[tuple[int, int, Piece]]) -> list[list[Entry]]:
    """For each decided piece the entries that it touches."""
    starts = [start for start, _, _ in spans]
    found: list[list[Entry]] = [[] for _ in spans]
    for entry in after.entries:
        end = _trimmed(after.data, entry.start, entry.end)
        for index in range(max(0, bisect_right(starts, entry.start) - 1), len(spans)):
            if spans[index][0] >= end:
                break
            if spans[index][1] > entry.start:
                found[index].append(entry)
    return found


def _decided(after: Document, start: int, piece: Piece, entries: Sequence[Entry], person: bool) -> None:
    """Raises Refused where a decided piece isn't read as what was chosen."""
    if piece.expected is None:
        return  # lines of one entry, which is both sides' by now
    end = start + len(piece.data.strip())
    for entry in entries:
        if entry.start < start or _trimmed(after.data, entry.start, entry.end) > end:
            line = entry.line if entry.start < start else after.data.count(b"\n", 0, end) + 1
            raise _refusal(after, line, piece, f"{_quoted(entry)} would run together with its neighbour")
    if piece.side != "edited":
        if [_key(entry) for entry in entries] != [_key(entry) for entry in piece.expected]:
            line = after.data.count(b"\n", 0, start) + 1
            raise _refusal(after, line, piece, f"What {piece.side} has would not be read as it is there")
        return
    if piece.expected and not entries:
        line = after.data.count(b"\n", 0, start) + 1
        raise _refusal(after, line, piece, "The text would not be read as an entry")
    for entry in entries:
        if entry.tag == "stated" and not person and "stated" not in piece.tags:
            raise Refused(
                "Only a person can state: the text claims the tag `stated`.", path=after.path, line=entry.line,
                field=f"text{piece.number}", remedy="Use observed, inferred or suggested.",
            )


def _settled(after: Document, ours: Document, theirs: Document, decided: set[int]) -> None:
    """Raises Refused where an entry that nobody asked about is no longer read as it was."""
    sides = [Counter(_key(entry) for entry in side.entries) for side in (ours, theirs)]
    rest = Counter(_key(entry) for entry in after.entries)
    lost = (sides[0] & sides[1]) - rest
    if lost:
        heading = next(iter(lost))[1]
        raise Refused(f"\u201c{heading}\u201d would no longer be read as it is.", path=after.path, field="text", remedy=REMEDY)
    placed = Counter(_groups(ours)) == Counter(_groups(theirs))
    known = {(_key(entry), entry.heading_path if placed else ()) for side in (ours, theirs) for entry in side.entries}
    for entry in after.entries:
        if id(entry) not in decided and (_key(entry), entry.heading_path if placed else ()) not in known:
            raise Refused(
                f"{_quoted(entry)} would be read as something else.", path=after.path, line=entry.line, field="text",
                remedy=REMEDY,
            )


def _groups(document: Document) -> list[str]:
    """The headings that are no entries. Where both sides have the same, every entry must stay below its own."""
    starts = {entry.start for entry in document.entries}
    return [
        document.page.text[block.inner[0] : block.inner[1]]
        for block in document.page.blocks if block.kind == "heading" and block.depth == 0 and block.start not in starts
    ]


def _once(after: Document, ours: Document, theirs: Document, chosen: Sequence[Entry]) -> None:
    """Raises Refused where a choice doubles an entry."""
    counts = [Counter(entry.text for entry in document.entries if not entry.struck) for document in (after, ours, theirs)]
    for entry in chosen:
        if not entry.struck and counts[0][entry.text] > max(1, counts[1][entry.text], counts[2][entry.text]):
            raise Refused(
                f"{_quoted(entry)} would stand there twice.", path=after.path, line=entry.line, field="text", remedy=REMEDY
            )


def _key(entry: Entry) -> tuple[str, str, bool, bool, str]:
    return entry.kind, entry.heading, entry.struck, entry.candidate, entry.text


def _refusal(after: Document, line: int, piece: Piece, what: str) -> Refused:
    field = f"text{piece.number}" if piece.side == "edited" else str(piece.number)
    return Refused(f"{what}.", path=after.path, line=line, field=field, remedy=REMEDY)


def _trimmed(data: bytes, start: int, end: int) -> int:
    return start + len(data[start:end].rstrip())


def _quoted(entry: Entry) -> str:
    from memdesk.core.checks.secrets import brief, heading

    return f"\u201c{brief(heading(entry), 60)}\u201d"

