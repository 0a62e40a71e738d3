"""What has rotted among records: one that another supersedes, and whose status doesn't say so (docs/prune.md)."""

from __future__ import annotations

from datetime import date

from memdesk.core.layouts.records import statuses
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.config import Settings
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.prune.proposal import Proposal


def mends(entry: Entry) -> bool:
    """A record that was decided is not rewritten, and a design record that is finished neither."""
    return entry.status not in statuses.CURRENT | statuses.CLOSED


def proposals(workspace: Workspace, store: Store, today: date, settings: Settings) -> Sequence[Proposal]:
    """Records that still stand although one that stands says that it supersedes them: their status gets that record's link,
    and nothing else of them changes. None where several records claim one: a person has to say which holds."""
    from memdesk.core.errors import MemdeskError
    from memdesk.core.layouts.records.index import Index
    from memdesk.core.layouts.texts import titled
    from memdesk.core.plan import Request
    from memdesk.core.prune.proposal import Proposal

    entries = [
        document.entries[0] for document in workspace.documents_of(store)
        if document.place.role == "record" and document.problem is None and document.entries
    ]
    index = Index.of(workspace, {})
    claims: dict[Entry, list[Entry]] = {}
    for entry in entries:
        if entry.status not in statuses.CURRENT:
            continue
        for kind, target in entry.relations:
            old = index.find(entry, target) if kind == "supersedes" else None
            if old is None or old is entry or old.document.store is not store:
                continue
            if entry not in claims.setdefault(old, []):
                claims[old].append(entry)
    found = []
    for old, after in claims.items():
        if len(after) != 1 or old.status not in statuses.CURRENT or _circle(old, claims):
            continue
        new = after[0]
        try:
            text = _closed(workspace, old, new, today)
        except MemdeskError:
            continue  # its form has no place for it: the check tells of it, and a person writes it
        evidence = (
            f"{new.path}:{new.line} says that it supersedes it: {titled(new)}.",
            f"{old.path}:{old.line} has the status {old.status} all the same.",
        )
        request = Request("edit", (old.id,), {"text": text})
        found.append(Proposal("superseded", True, titled(old), evidence, (old, new), 1, request, store))
    return found


def _circle(old: Entry, claims: dict[Entry, list[Entry]]) -> bool:
    """Whether a record ends up superseding itself."""
    seen = {old}
    waiting = list(claims[old])
    while waiting:
        one = waiting.pop()
        if one is old:
            return True
        if one not in seen:
            seen.add(one)
            waiting += claims.get(one, ())
    return False


def _closed(workspace: Workspace, old: Entry, new: Entry, today: date) -> str:
    """A record's text with the status that says what came in its place. Raises Refused."""
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records import asks, newrecord, succession
    from memdesk.core.plaintext import plain

    draft = Draft(workspace)
    succession.close(draft, old, today, newrecord.link(new, asks.folder_of(old)))
    work = draft.works[old.path]
    after = work.after(work.apply().after).entries[0]
    return plain(after.raw)
