"""The forms of protocol 0.6 and later: every new entry has an id and all that its kind needs, or is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.layouts.custodian import places, pruning
from memdesk.core.layouts.custodian.complete import owners
from memdesk.core.layouts.custodian.complete.asks import asks, destinations, informed, vouched
from memdesk.core.layouts.custodian.complete.heirs import heir
from memdesk.core.layouts.custodian.complete.saying import grounded, merged, said, scoped
from memdesk.core.layouts.custodian.complete.writes import add, amend, put, take

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Workspace

__all__ = [
    "add", "amend", "asks", "destinations", "ends", "grounded", "informed", "leaves", "merged", "put", "remarks", "said",
    "scoped", "take", "vouched",
]


def leaves(entry: Entry) -> str:
    """As elsewhere, but that nothing with an id is struck by itself: it is rejected, which keeps it in the archive. A tombstone
    stays."""
    verb = pruning.leaves(entry)
    if verb != "strike" or not entry.fields.get("id"):
        return verb
    return "" if "rejected" in entry.fields else "reject"


def ends(workspace: Workspace, entry: Entry, by: Entry | None = None) -> str:
    """What has an id is struck where what came in its place is there; else it is rejected. A tombstone needs a new text."""
    if not entry.fields.get("id") or "rejected" in entry.fields:
        return "strike"
    after = None if entry.candidate else heir(entry, owners.active(workspace, entry.document.store))
    return "strike" if after is not None and by in (None, after) else "reject"


def remarks(entry: Entry) -> list[str]:
    """As elsewhere; and of a subject that it is new or another one: a name that was mistyped would be one."""
    if entry.role == "subjects":
        return [f"The registry of subjects changes: {entry.fields.get('title') or entry.heading}."]
    return places.remarks(entry)
