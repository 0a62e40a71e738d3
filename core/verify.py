"""An edit means what it says (invariant 7): what is read after must be what was there, plus or minus exactly what the
action names. A bullet with an unclosed fence, or text over `---`, must not swallow its neighbours.
"""

from __future__ import annotations

from memdesk.core.edits import Applied, Cover
from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.draft import Work
    from memdesk.core.model import Document, Entry


class Verified(NamedTuple):
    """A document as it would be read after, with the entries that are new or changed in it."""

    document: Document
    made: list[Entry]
    amended: list[Entry]


class _Expected(NamedTuple):
    """An entry that must be read after at `start`, its text ending at `end` (its line ending aside)."""

    start: int
    end: int
    old: Entry | None  # None: a new one; with `amended`, one that text becomes when its bullets have gone
    amended: bool


def verify(work: Work) -> Verified:
    """The document after the edits of `work`, read again. Raises Refused, with the line after, unless its entries are the
    old ones without those that leave, with those that are new, in the place where the edits put them."""
    applied = work.apply()
    after = work.after(applied.after)
    _readable(work, after)
    expected = _expected(work, applied, after)
    entries = after.entries
    made: list[Entry] = []
    amended: list[Entry] = []
    for index in range(max(len(expected), len(entries))):
        want = expected[index] if index < len(expected) else None
        have = entries[index] if index < len(entries) else None
        if want is None or have is None or not _same(want, have):
            raise _refusal(work, after, want, have)
        if want.old is None and not want.amended:
            made.append(have)
        elif want.old is not None and want.amended:
            amended.append(have)
    _headings(work, applied, after)
    return Verified(after, made, amended)


def _readable(work: Work, after: Document) -> None:
    """The text must still be text whose blocks all close, where they did before."""
    try:
        after.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = after.data.count(b"\n", 0, error.start) + 1
        raise Refused("The new text is not UTF-8.", path=after.path, line=line, field="text") from None
    page = after.page
    before = work.document.page.unclosed
    if page.unclosed is not None and before is None:
        raise Refused(
            f"The edit would leave a {page.unclosed.kind} that never closes, and swallow what follows it.",
            path=after.path, line=page.unclosed.line, remedy="Close it in the text.", field="text",
        )


def _expected(work: Work, applied: Applied, after: Document) -> list[_Expected]:
    """What must be read after, by the edits alone."""
    touched: dict[int, list[tuple[int, int]]] = {}
    found: list[_Expected] = []
    for edit, (start, end) in zip(work.edits, applied.places, strict=False):
        if edit.owner >= 0 and edit.new:
            touched.setdefault(edit.owner, []).append((start, end))
        elif edit.owner >= 0:
            touched.setdefault(edit.owner, [])
    for number in work.made:
        start, end = applied.places[number]
        found.append(_Expected(start, _trimmed(after.data, start, end), None, False))
    for start, end in work.becomes:
        span = applied.span(start, end)
        if span is not None:
            found.append(_Expected(span[0], _trimmed(after.data, *span), None, True))
    for entry in work.document.entries:
        if entry.index in work.gone:
            continue
        spans = list(touched.get(entry.index, []))
        kept = applied.span(entry.start, entry.end)
        if kept is not None:
            spans.append(kept)
        if not spans:
            raise Refused(f"{_quoted(entry.heading)} would go with the edit.", path=entry.path, line=entry.line)
        start, end = min(span[0] for span in spans), max(span[1] for span in spans)
        amended = entry.index in touched
        found.append(_Expected(start, _trimmed(after.data, start, end), entry, amended))
    return sorted(found, key=lambda item: item.start)


def _trimmed(data: bytes, start: int, end: int) -> int:
    while end > start and data[end - 1] in b" \t\r\n":
        end -= 1
    return end


def _same(want: _Expected, have: Entry) -> bool:
    if want.start != have.start or want.end != _trimmed(have.document.data, have.start, have.end):
        return False
    old = want.old
    if old is None:
        return True
    if old.heading_path != have.heading_path or old.kind != have.kind:
        return False
    return want.amended or (old.struck, old.candidate, old.heading) == (have.struck, have.candidate, have.heading)


def _refusal(work: Work, after: Document, want: _Expected | None, have: Entry | None) -> Refused:
    """The first place at which what is read differs from what was meant."""
    remedy = "Change the text: indent or fence lines that Markdown takes for a heading, a list, a rule or a comment."
    field = "text"
    if want is not None and (have is None or want.start <= have.start):
        line = after.data.count(b"\n", 0, want.start) + 1
        if have is not None and want.start == have.start and (want.old is None or want.amended) and have.end < want.end:
            line = after.data.count(b"\n", 0, have.end) + 1
            what = f"{_quoted(have.heading)} would end above this line, and the rest be read as something else"
        elif want.old is None:
            what = "The new text would not be read as one entry of its own"
        elif have is not None and want.start == have.start:
            what = f"{_quoted(want.old.heading)} would take in its neighbours, lose a part or count as something else"
        else:
            what = f"{_quoted(want.old.heading)} would no longer be read as an entry of its own"
    elif have is not None and not any(edit.new for edit in work.edits):
        message = f"Without it, text that stays would be read as an entry of its own: {_quoted(have.heading)}."
        return Refused(message, path=after.path, line=have.line, remedy="Move that text, or change it, by hand first.")
    elif have is not None:
        line = have.line
        what = f"The text would be read as one more entry, {_quoted(have.heading)}"
    else:  # pragma: no cover - one of them is there
        raise AssertionError
    return Refused(f"{what}.", path=after.path, line=line, remedy=remedy, field=field)


def _headings(work: Work, applied: Applied, after: Document) -> None:
    """Every heading that was there outside what leaves is still one, and none comes up where nothing was written."""
    want: list[int] = []
    for block in work.document.page.blocks:
        if block.kind == "heading" and block.depth == 0:
            place = applied.position(block.start)
            if place is not None:
                want.append(place)
    places = applied.places[: len(work.edits)]
    written = Cover((start, end) for start, end in places if end > start)
    have = [block for block in after.page.blocks if block.kind == "heading" and block.depth == 0]
    starts = {block.start for block in have}
    known = set(want)
    for block in have:
        if block.start not in known and not written.holds(block.start, block.start + 1):
            raise Refused(
                "A line that was no heading would become one.", path=after.path, line=block.line,
                remedy="Put a blank line around the text, or change it.", field="text",
            )
    inside = [place for edit, place in zip(work.edits, places, strict=True) if edit.owner >= 0]
    for place in want:
        if place not in starts and not any(start <= place <= end for start, end in inside):
            line = after.data.count(b"\n", 0, place) + 1
            raise Refused(
                "A heading would no longer be one.", path=after.path, line=line, remedy="Change the text that comes before it.",
                field="text",
            )


def _quoted(title: str) -> str:
    from memdesk.core.checks.secrets import brief

    return f"\u201c{brief(title, 60)}\u201d"
