"""What would be written against what holds: a promotion that an accepted record opposes is refused (verbs.md, Authority)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core import conflicts, layouts, ranking
from memdesk.core.errors import Refused
from memdesk.core.layouts.texts import shown
from memdesk.core.model import Workspace

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Entry
    from memdesk.core.verify import Verified

SETTLED = conflicts.SOURCES | {"tombstone"}  # ranks of roles that what is new can stand against


def refuse(workspace: Workspace, changed: Sequence[Verified]) -> list[str]:
    """Warnings of the exact conflicts that these new texts would make. Raises Refused where one is with an accepted record:
    the way on is a record that supersedes it.

    Only sources, tombstones and the changed files are looked at: two lines of memory under one title the check finds.
    """
    fresh = {entry for verified in changed for entry in (*verified.made, *verified.amended)}
    found = [clash for clash in _after(workspace, changed) if clash.exact and fresh.intersection(clash.entries)]
    for clash in found:
        record = next((entry for entry in clash.entries if entry not in fresh and _stands(entry)), None)
        if record is not None:
            mine = next(entry for entry in clash.entries if entry in fresh)
            raise Refused(
                f"An accepted record says otherwise: {clash.reason} ({record.path}:{record.line}).", path=mine.path,
                line=mine.line,
                remedy=f"Where {shown(record.heading)!r} no longer holds, supersede it by a new record first (strike it, with "
                "what holds instead); else reject the candidate.",
            )
    return [f"It conflicts with {_others(clash, fresh)}: {clash.reason}." for clash in found]


def _after(workspace: Workspace, changed: Sequence[Verified]) -> list[Conflict]:
    kept = {
        path: document for path, document in workspace.documents.items()
        if layouts.get(document.store.layout).ranks.get(document.place.role) in SETTLED
    }
    kept |= {verified.document.path: verified.document for verified in changed}
    small = Workspace(workspace.tree, workspace.stores, dict(sorted(kept.items())), [], [], workspace.reading)
    return conflicts.across(small)


def _stands(entry: Entry) -> bool:
    return not (entry.struck or entry.candidate) and ranking.kind(entry) == "record"


def _others(clash: Conflict, fresh: set[Entry]) -> str:
    return ", ".join(f"{entry.path}:{entry.line}" for entry in clash.entries if entry not in fresh) or "what is new itself"
