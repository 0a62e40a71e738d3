"""Changes of a record's status: they touch its status, date and relation lines alone, each in the form that it has.

What follows the status on its line stays (prose, other relations); its own date, and a remark in brackets, go with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdesk.core import frontmatter
from memdesk.core.errors import Refused
from memdesk.core.layouts.records import statuses, statuslines
from memdesk.core.layouts.texts import flat
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.layouts.records.statuslines import Line, StatusLines
    from memdesk.core.model import Entry

_LEADS = re.compile(r"(?:~~[^~\n]*~~|<!--.*?-->|[^\w~<]|_)*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_REMARK = re.compile(r"[ \t]*\((?P<remark>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_DATED = re.compile(
    r"(?P<before>[ \t]*,[ \t]*|[ \t]*[\u2013\u2014-]+[ \t]*|[ \t]*:[ \t]*|[ \t]+(?:on[ \t]+)?|[ \t]*\()"
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w-])(?P<after>\)?)"
)
_REMEDY = "Write the status lines by hand: the file's own form can't be told."


class Written(NamedTuple):
    """A status on its line: the span of the word with its date and remark, the word as written, and how its date stands
    there: what is before and behind it, ("", "") without one."""

    start: int
    end: int
    word: str
    dated: tuple[str, str]


def accept(draft: Draft, entry: Entry, today: date, reason: str = "") -> None:
    """The status becomes accepted, with today's date where the record has its date: in its status, or in a date of its own,
    else behind the status; what was said of it behind that."""
    label, why = "Accepted", f": {flat(reason)}" if reason else ""
    lines = statuslines.find(entry.document)
    day = today.isoformat()
    own = _own_date(entry, lines)
    dated = any(written.dated[0] for _, written in _all(entry, lines))
    front = lines.status is not None and lines.status.form == "front"
    if own is not None:
        if entry.document.data[slice(*own)] != day.encode():
            draft.patch(entry.document, *own, day, entry)
        _restate(draft, entry, lines, label, day if dated else "", why)
    elif front and lines.status is not None:
        _restate(draft, entry, lines, label, "", why)
        draft.below(entry, lines.status.end, f"date: {day}", loose=False)
    else:
        _restate(draft, entry, lines, label, day, why)


def reject(draft: Draft, entry: Entry, today: date, reason: str) -> None:
    """The status becomes rejected, with the date and the reason behind it."""
    why = flat(reason)
    _restate(draft, entry, statuslines.find(entry.document), "Rejected", today.isoformat(), f": {why}" if why else "")


def supersede(draft: Draft, entry: Entry, today: date, by: str, kept: Kept) -> None:
    """The status becomes `Superseded by [ADR-0007](0007-x.md), DATE`; `by` is that link. `records.supersede_as` may say
    another word in front: `Rejected, superseded by ...`."""
    own = kept.supersede_as.strip()
    plain = own.casefold() in ("superseded", "superseded by")
    label = f"Superseded by {by}" if plain else f"{own[:1].upper()}{own[1:]}, superseded by {by}"
    lines = statuslines.find(entry.document)
    _restate(draft, entry, lines, label, today.isoformat())
    for line in lines.relations:
        if line.kind == "superseded-by" and line.label and not statuses.relations(line.text, line.kind):
            if line.form == "front":
                span = frontmatter.value_span(entry.document.page, line.label)
                if span is not None:
                    draft.patch(entry.document, *span, frontmatter.scalar(by), entry)
            else:
                gap = "" if entry.document.data[line.value[0] - 1 : line.value[0]] in (b" ", b"\t") else " "
                draft.patch(entry.document, *line.value, gap + by, entry)


def relate(draft: Draft, entry: Entry, label: str, links: list[str]) -> None:
    """Relations that a record is given: `Supersedes [ADR-0003](0003-x.md)` below its status, in its own form."""
    lines = statuslines.find(entry.document)
    status = lines.status
    if status is None or not links:
        return
    document = entry.document
    said = ", ".join(links)
    if status.form == "front":
        draft.below(entry, status.end, f"{label.lower()}: {frontmatter.scalar(said)}", loose=False)
    elif status.form in ("section", "heading"):
        at = lines.body[1] if lines.body else status.end
        draft.below(entry, at, f"{label} {said}", loose=True)
    else:
        line = document.data[status.start : status.end].decode("utf-8", "replace")
        mark = re.match(r"([ \t]*(?:[-*+][ \t]+)?)(\*\*|__|\*|_|)", line)
        lead, sign = (mark[1], mark[2]) if mark else ("", "")
        tail = re.search(r"(  |\\)?\r?\n?\Z", line)
        row = f"{lead}{sign}{label}:{sign} {said}{(tail[1] or '') if tail else ''}"
        alone = status.form != "bullet" and not document.data[status.end :].split(b"\n", 1)[0].strip()
        draft.below(entry, status.end, row, loose=alone)


def _restate(draft: Draft, entry: Entry, lines: StatusLines, label: str, day: str, tail: str = "") -> None:
    """Puts `label` in place of the status, wherever the file says it, with the day in the form that it has there."""
    document = entry.document
    for line, written in _all(entry, lines):
        before, after = written.dated if written.dated[0] else (", ", "")
        low = written.word[:1].islower()
        said = (label[:1].lower() + label[1:] if low else label) + (f"{before}{day}{after}" if day else "") + tail
        if line.form == "front":
            span = frontmatter.value_span(document.page, line.label)
            assert span is not None  # `_all` has looked
            value = document.data[slice(*span)].decode("utf-8")
            quoted = value[:1] in ("'", '"')
            inner = value[1:-1].replace("''", "'") if value[:1] == "'" else value[1:-1] if quoted else value
            found = _written(entry, line, inner)
            rest = inner[found.end :]
            if tail and rest[:1] == ".":
                said = said.rstrip(".")
            draft.patch(document, *span, frontmatter.scalar(inner[: found.start] + said + rest), entry)
            continue
        start, end = line.value
        text = document.data[start:end].decode("utf-8")
        if tail and text[written.end :][:1] == ".":
            said = said.rstrip(".")
        low_byte = start + len(text[: written.start].encode())
        draft.patch(document, low_byte, start + len(text[: written.end].encode()), said, entry)


def _all(entry: Entry, lines: StatusLines) -> list[tuple[Line, Written]]:
    """The places where a file says its status, with the status on each. Raises Refused where there is none, or no word that
    can be read."""
    kept: Kept = entry.document.store.settings
    if not lines.statuses:
        raise Refused(
            "The record has no status, so there is none to change.", path=entry.path, line=entry.line,
            remedy="Give it one first: a section `## Status` with the word `Accepted` below it.",
        )
    found = []
    for line in lines.statuses:
        if statuses.read(line.text, kept.statuses).status is None:
            raise Refused(
                f"The status {flat(line.text)[:80]!r} can't be read.", path=entry.path, line=line.line,
                remedy=f"Write one of {', '.join(statuses.KNOWN)}, or name it in records.statuses.",
            )
        if line.form == "front" and frontmatter.value_span(entry.document.page, line.label) is None:
            raise Refused(
                "The status in the front matter is no word on the line of its key.", path=entry.path, line=line.line,
                remedy=f"Write it as `status: {entry.status or 'proposed'}`, on one line.",
            )
        start, end = line.value
        found.append((line, _written(entry, line, entry.document.data[start:end].decode("utf-8"))))
    return found


def _written(entry: Entry, line: Line, text: str) -> Written:
    """The status on its line. Raises Refused."""
    kept: Kept = entry.document.store.settings
    words = {*statuses.KNOWN, "on-hold", "superceded", *kept.statuses}
    choice = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))
    lead = _LEADS.match(text)
    start = lead.end() if lead else 0
    match = re.compile(rf"(?:{choice})(?!\w)", re.IGNORECASE).match(text, start)
    if match is None:
        raise Refused("The status doesn't begin its line.", path=entry.path, line=line.line, remedy=_REMEDY)
    end = match.end()
    remark = _REMARK.match(text, end)
    if remark is not None and not _DAY.fullmatch(remark["remark"].strip()) and not statuses.relations(remark["remark"]):
        end = remark.end()
    dated = _DATED.match(text, end)
    if dated is None or (dated["before"].strip() == "(") != bool(dated["after"]):
        return Written(start, end, match[0], ("", ""))
    return Written(start, dated.end(), match[0], (dated["before"], dated["after"]))


def _own_date(entry: Entry, lines: StatusLines) -> tuple[int, int] | None:
    """The span of the day in the record's own date, if it has one that is a day."""
    line = lines.date
    if line is None:
        return None
    start, end = line.value
    match = _DAY.search(entry.document.page.text, start, end)
    return None if match is None else match.span()
