"""The rules over what a record says of itself: its status, and why it was decided."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records import statuses, statuslines
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.layouts.records.read import status_of
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Document, Finding

ROLES = frozenset({"record", "design"})


def adr_status(context: CheckContext) -> Checked:
    """A status that is missing or can't be read, quoted. A design record without one is a warning: it may be a mere note."""
    found: list[Finding] = []
    checked = 0
    for document in context.readable:
        if document.place.role not in ROLES:
            continue
        checked += 1
        if not document.entries:
            found.append(ADR_STATUS.finding(document.path, None, "The file is empty: it has no status."))
        elif document.entries[0].status is None:
            status = status_of(document.page, statuslines.find(document), document.store.settings.statuses)
            mild = document.place.role == "design" and not status.written
            found.append(
                ADR_STATUS.finding(document.path, status.line, f"{status.problem}.", severity="warning" if mild else None)
            )
    return Checked(checked, found)


def adr_why(context: CheckContext) -> Checked:
    """An accepted record that gives no context or reason, or names no considered option."""
    found: list[Finding] = []
    checked = 0
    for document in context.readable:
        if document.place.role != "record" or not document.entries:
            continue
        entry = document.entries[0]
        if entry.status not in statuses.CURRENT:
            continue
        checked += 1
        missing = [
            words for words, labels in (("no context or reason", _WHY), ("no considered option", _OPTIONS))
            if not any(_says(document, entry.fields.get(label, "")) for label in labels)
        ]
        if missing:
            message = f"The record is accepted and names {' and '.join(missing)}."
            found.append(ADR_WHY.finding(document.path, entry.line, message))
    return Checked(checked, found)


_WHY = ("context", "reason", "decision drivers")
_OPTIONS = ("options", "pros and cons of the options")


def _says(document: Document, text: str) -> bool:
    """Whether a section says anything: comments and the placeholders of templates don't."""
    return bool(statuses.bare(text).strip(" \t\n-*+{}.\u2026"))


ADR_STATUS = Rule(
    "adr-status", "error", "a status that is missing or can't be read (a warning for a design record without one)",
    f"Begin it with one of: {', '.join(statuses.KNOWN)}; or say what its word means in records.statuses.", "records",
    adr_status, NAME,
)
ADR_WHY = Rule(
    "adr-why", "warning", "an accepted record without context or reason, or without considered options",
    "Say why in `## Context`, and what was not chosen in `## Considered options`.", "records", adr_why, NAME,
)
RULES = (ADR_STATUS, ADR_WHY)
