"""Facts that nobody touched for long: they may hold still, and somebody should look."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import fields, layouts
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, ago, made, name, plural

if TYPE_CHECKING:
    from memdesk.core.model import Document
    from memdesk.core.prune.proposal import Proposal

KIND = "untouched"


def untouched(look: Look) -> Iterator[Proposal]:
    """One proposal for each file of facts whose last commit is longer ago than `prune.untouched_days`, and in which no date is
    newer than that. By file: git tells of files, and a line that was never changed stands in one that was. Decisions,
    constraints and rejected paths don't age: they hold until something else is decided."""
    if look.touched is None:
        return
    limit = look.settings.prune.untouched_days
    for document in look.documents(KIND):
        layout = layouts.get(document.store.layout)
        if document.place.tier != "durable" or layout.ranks.get(document.place.role) != "fact":
            continue
        day = look.touched(document.path)
        if day is None or (look.today - day).days <= limit or _told_since(look, document, limit):
            continue
        going = [entry for entry in document.entries if layout.whole or layout.leaves(entry) == "archive"]
        live = [entry for entry in going if not entry.struck]
        if not live:
            continue
        title = name(live[0]) if len(going) == 1 else document.store.named(document.path)
        evidence = [
            f"{document.path} was changed last on {day.isoformat()}, {ago((look.today - day).days)} ago (git); "
            f"{ago(limit)} is the limit (prune.untouched_days).",
            f"{plural(len(live), 'entry', 'entries')} in it, by file: which line was changed when is not looked at.",
        ]
        yield made(KIND, going, [], Request("archive", tuple(entry.id for entry in going)), title, evidence)


def _told_since(look: Look, document: Document, limit: int) -> bool:
    """Whether the text names a day within the limit, or one to come: somebody looked then, or will have to."""
    days = fields.dates(document.data.decode("utf-8", "replace"))
    return any((look.today - date.fromisoformat(day)).days <= limit for day in days)
