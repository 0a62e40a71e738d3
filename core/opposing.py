"""What would be written against what holds: a promotion that an accepted record opposes is refused (verbs.md, Authority),
and a candidate that would be opposed is flagged before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memdesk.core import conflicts, layouts, ranking
from memdesk.core.errors import Refused
from memdesk.core.layouts.texts import titled
from memdesk.core.model import Document, Workspace

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Entry
    from memdesk.core.verify import Verified

CURRENT = "current"  # a role that no layout has: what stands in it is memory, and no kind of its own
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
                remedy=f"Where {titled(record)!r} no longer holds, supersede it by a new record first (strike it, with "
                "what holds instead); else reject the candidate.",
            )
    return [f"It conflicts with {_others(clash, fresh)}: {clash.reason}." for clash in found]


def opposed(workspace: Workspace, candidates: Sequence[Entry]) -> dict[str, str]:
    """Id -> why, of the candidates that would be in exact conflict with a record, a term or a design if they held as they
    stand. What has the title of a tombstone is not among them (see `near`)."""
    documents: dict[str, Document] = {}
    for path in {entry.path for entry in candidates}:
        known = workspace.documents[path]
        held = [entry for entry in candidates if entry.path == path]
        place = known.place._replace(role=CURRENT, tier="durable")
        documents[path] = Document(path, known.store, place, known.data, partial(_as_current, held))
    ids = {id(copy): entry.id for document in documents.values() for copy, entry in _pairs(document, candidates)}
    found = conflicts.across(_small(workspace, documents.values()))
    return {
        ids[id(entry)]: clash.reason for clash in found if clash.exact for entry in clash.entries if id(entry) in ids
    }


def _after(workspace: Workspace, changed: Sequence[Verified]) -> list[Conflict]:
    return conflicts.across(_small(workspace, [verified.document for verified in changed]))


def _small(workspace: Workspace, more: Iterable[Document]) -> Workspace:
    """Just what something new can stand against, and the documents that hold it."""
    kept = {
        path: document for path, document in workspace.documents.items()
        if layouts.get(document.store.layout).ranks.get(document.place.role) in SETTLED
    }
    kept |= {document.path: document for document in more}
    return Workspace(workspace.tree, workspace.stores, dict(sorted(kept.items())), [], [], workspace.reading)


def _as_current(candidates: Sequence[Entry], document: Document) -> list[Entry]:
    """Copies of candidates as they would be read if they held."""
    copies = [entry.moved(document, 0, 0) for entry in candidates]
    for copy in copies:
        copy.candidate = False
    return copies


def _pairs(document: Document, candidates: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    return zip(document.entries, [entry for entry in candidates if entry.path == document.path], strict=True)


def _stands(entry: Entry) -> bool:
    return not (entry.struck or entry.candidate) and ranking.kind(entry) == "record"


def _others(clash: Conflict, fresh: set[Entry]) -> str:
    return ", ".join(f"{entry.path}:{entry.line}" for entry in clash.entries if entry not in fresh) or "what is new itself"
