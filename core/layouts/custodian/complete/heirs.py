"""The entry that came in another's place already, though not both say so: striking the other says it, and needs no new text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdesk.core.layouts.custodian.complete import kinds
from memdesk.core.layouts.texts import flat

if TYPE_CHECKING:
    from memdesk.core.model import Entry

_OWN = ("scope", "subject", "facet")


def heir(entry: Entry, active: Iterable[Entry]) -> Entry | None:
    """The one among the active entries that says it supersedes this one; else the one other owner of the same that supersedes
    nothing yet. None where there is none, or several."""
    kind = kinds.of_entry(entry)
    if kind is None or not entry.fields.get("subject"):
        return None
    own = _owned(entry)
    others = [
        other for other in active
        if other is not entry and other.fields.get("id") and kinds.of_entry(other) is kind and _owned(other) == own
    ]
    naming = [other for other in others if supersedes(other, entry)]
    found = naming or [other for other in others if not (other.fields.get("supersedes") or supersedes(entry, other))]
    return found[0] if len(found) == 1 else None


def supersedes(entry: Entry, other: Entry) -> bool:
    """Whether an entry says that it supersedes another."""
    return entry.fields.get("supersedes", "").strip("` .").casefold() == other.fields.get("id", "").casefold()


def _owned(entry: Entry) -> list[str]:
    return [flat(entry.fields.get(name, "")).casefold() for name in _OWN]
