"""What rots in this layout alone: archived fragments that were kept as long as they should be (docs/prune.md)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from memdesk.core.layouts.jonggrang import fragmentrules, paths
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.prune.proposal import Proposal


def proposals(workspace: Workspace, store: Store, today: date, settings: Settings) -> Sequence[Proposal]:
    """The archived fragments of each feature that are past their time are cleared, whole. One in which nothing is an entry goes
    with the others of its feature."""
    from memdesk.core.plan import Request
    from memdesk.core.prune.look import made, plural

    kept: Features = store.settings
    past: dict[str, list[tuple[date, Document]]] = {}
    for document in workspace.documents_of(store):
        inner = store.inner(document.path) or ""
        day = paths.archived_on(inner) if document.place.role == "archive" and document.problem is None else None
        if day is not None and fragmentrules.is_expired(day, today, kept.archive_days):
            past.setdefault(paths.feature_of(inner), []).append((day, document))
    found = []
    for feature, old in past.items():
        entries = [entry for _, document in old for entry in document.entries]
        if not entries:
            continue
        evidence = [f"{document.path}: archived on {day.isoformat()}." for day, document in old]
        evidence.append("They are in no commit: once they went, an undo brings them back, for 90 days.")
        title = f"{shown(feature, 60) or 'no feature'}: {plural(len(old), 'archived fragment', 'archived fragments')}"
        words = {"paths": "\n".join(document.path for _, document in old)}
        request = Request("clear", words=words, store=workspace.store_name(store))
        found.append(made("expired", entries, [], request, f"{title}, past {kept.archive_days} days", evidence))
    return found
