"""Struck entries past their keep time: history that was kept long enough where everyone reads it, and goes to the archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import fields, layouts, strikes
from memdesk.core.judgments import digest
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, ago, made, name, plural

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry
    from memdesk.core.prune.proposal import Proposal

KIND = "struck"


def struck(look: Look) -> Iterator[Proposal]:
    """One proposal for each file. Where a layout's archive takes whole files alone, a file whose every entry is past."""
    keep = look.settings.prune.keep_struck_days
    refused = look.refused(KIND)
    for document in look.documents(KIND):
        if b"~~" not in document.data and b"tatus" not in document.data and b"uperseded" not in document.data:
            continue
        layout = layouts.get(document.store.layout)
        past = [(entry, day) for entry in document.entries if entry.struck and (day := _past(look, entry, keep))]
        if layout.whole:
            if past and len(past) == len(document.entries) and document.place.tier == "durable":
                yield _proposal(document, past, keep)
            continue
        past = [(entry, day) for entry, day in past if layout.leaves(entry) == "archive"]
        open_ = [(entry, day) for entry, day in past if not refused or digest(entry.text) not in refused]
        look.judged += len(open_) < len(past)  # of a set that has grown since, what is new is proposed
        past = open_
        if past:
            yield _proposal(document, past, keep)


def struck_on(entry: Entry) -> str | None:
    """The day on which an entry was struck, as it says itself behind the strike or below its heading; None where it doesn't."""
    for label in ("struck", "superseded"):
        said = entry.fields.get(label)
        if said:
            day = fields.dates(said.partition("\n")[0])
            if day:
                return day[0]
    text = _first(entry)
    span = strikes.struck_span(text)
    if span is None:
        return None
    remark = fields.dates(text[span[1] :].partition("\n\n")[0].partition("\n")[0])
    return remark[0] if remark else None


def _first(entry: Entry) -> str:
    """What a strike would stand in: a heading's text, or a bullet's without its marker."""
    import re

    return re.sub(r"\A\s*(?:#{1,6}|[-*+]|[0-9]{1,9}[.)])[ \t]+", "", entry.text, count=1)


def _past(look: Look, entry: Entry, keep: int) -> str:
    """Since when an entry is struck, in words, where that is longer ago than the keep time; "" where it is not, or where nobody
    can tell. Of one that names no day: what its file's last commit says, after which nobody can have struck it."""
    day = struck_on(entry)
    if day is not None:
        days = (look.today - date.fromisoformat(day)).days
        return f"struck {day}, {ago(days)} ago" if days > keep else ""
    touched = look.touched(entry.path) if look.touched is not None else None
    if touched is None:
        return ""
    days = (look.today - touched).days
    return f"struck by {touched.isoformat()}, when its file was changed last, {ago(days)} ago" if days > keep else ""


def _proposal(document: Document, past: list[tuple[Entry, str]], keep: int) -> Proposal:
    entries = [entry for entry, _ in past]
    evidence = [f"Struck entries are kept for {ago(keep)} (prune.keep_struck_days)."]
    evidence += [f"Line {entry.line}, {since}: {name(entry)}" for entry, since in past]
    title = f"{document.store.named(document.path)}: {plural(len(entries), 'struck entry', 'struck entries')}"
    request = Request("archive", tuple(entry.id for entry in entries))
    return made(KIND, entries, [], request, title, evidence)
