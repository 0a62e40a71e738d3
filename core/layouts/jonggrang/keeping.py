"""How the files of this layout are kept, for merging two versions of one, and what their entries rank as."""

from __future__ import annotations

from memdesk.core.layouts.base import Order
from memdesk.core.layouts.jonggrang import sections
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Place

SOFT = frozenset({sections.DONE, sections.LESSONS, sections.OPEN, sections.PROMOTION})


def order(place: Place) -> Order:
    """Lines stay as people put them, those of both sides one below the other. The line that says that a section is empty is
    each section's own: it goes and comes with what stands there."""
    return Order(newest=("updated_at",))


def rank(entry: Entry) -> str:
    """What a memory states ranks as curated. What was learned, done and left open in one feature is a soft note until it is
    promoted; so is all that agents write on the way."""
    if entry.role == "project":
        return "fact"
    return "fact" if entry.role == "feature" and entry.fields.get("section", "") not in SOFT else "note"


def identity(entry: Entry) -> str:
    """A line is what it says, in its section; whether it was promoted meanwhile makes it no other. A line of notes, which
    nobody edits, is its whole text."""
    if entry.role == "progress":
        return ""
    text = entry.fields.get("text", "")
    return f"{entry.fields.get('section', '')} {text}"
