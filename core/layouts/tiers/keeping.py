"""How the files of this layout are kept, for merging two versions of one, and what their entries rank as."""

from __future__ import annotations

from memdesk.core.layouts.base import Order
from memdesk.core.layouts.inbox import PLACEHOLDER, is_placeholder
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Place


def order(place: Place) -> Order:
    """Lines of a log and of the index stay as people put them, those of both sides one below the other; in the inbox a heading
    goes with its last candidate, and a line stands for none."""
    if place.role == "inbox":
        return Order(True, PLACEHOLDER, is_placeholder, groups=True)
    return Order()


def rank(entry: Entry) -> str:
    """A fact ranks by its type where that is one of the ranks of curated memory, else as a fact."""
    kind = entry.fields.get("type", "").casefold()
    if entry.role == "fact":
        return kind if kind in ("constraint", "decision", "preference") else "fact"
    return "note"


def identity(entry: Entry) -> str:
    """A line of the index is that of the fact it leads to; of a log, which nobody edits, a line is what it says."""
    if entry.role == "index":
        return entry.fields.get("to", "")
    if entry.role == "log":
        return ""
    if entry.kind != "section":
        return entry.fields.get("text", "")
    return f"{entry.date or ''} {entry.fields.get('title') or entry.heading}"
