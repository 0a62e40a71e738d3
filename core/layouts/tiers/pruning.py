"""What rots in this layout alone: facts past their day of review, lines of the index that lead nowhere (docs/prune.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from memdesk.core import fields
from memdesk.core.layouts.tiers import crosslinks, facts, indexlines
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.prune.proposal import Proposal


def proposals(workspace: Workspace, store: Store, today: date, settings: Settings) -> Sequence[Proposal]:
    """Facts whose `review_by` has passed go to the archive, unless somebody says that they hold; lines that lead nowhere go
    when the index is made anew."""
    documents = [document for document in workspace.documents_of(store) if document.problem is None]
    return [*_to_review(documents, today), *_dead_lines(workspace, store)]


def _to_review(documents: Sequence[Document], today: date) -> Iterator[Proposal]:
    from memdesk.core.plan import Request
    from memdesk.core.prune.look import ago, made

    for document in documents:
        if document.place.role != "fact" or not document.entries:
            continue
        day = facts.fact_of(document).review_by[:10]
        if not fields.is_date(day) or day >= today.isoformat():
            continue
        entry = document.entries[0]
        days = (today - date.fromisoformat(day)).days
        evidence = [
            f"{document.path}:{facts.line_of(document.page, 'review_by')}: it was to be reviewed by {day}, {ago(days)} ago.",
            "If it holds, reject this and give it a later review_by; if it holds in other words, correct it.",
        ]
        words = {"reason": f"its day of review, {day}, has passed"}
        yield made("review", [entry], [], Request("archive", (entry.id,), words), "", evidence)


def _dead_lines(workspace: Workspace, store: Store) -> Iterator[Proposal]:
    from memdesk.core.plan import Request
    from memdesk.core.prune.look import made, plural

    kept: Kept = store.settings
    index = workspace.documents.get(store.join(kept.index))
    if index is None or index.problem is not None:
        return
    names = crosslinks.names_of(workspace, store)
    entries = {entry.start: entry for entry in index.entries}
    dead = [
        (entries[line.start], line) for line in indexlines.lines(index)
        if line.start in entries and line.target.endswith(".md") and names.line(index, line) is None
    ]
    if dead:
        evidence = [f"{index.path}:{line.line}: {line.target} leads nowhere." for _, line in dead]
        title = f"{store.named(index.path)}: {plural(len(dead), 'line leads', 'lines lead')} nowhere"
        request = Request("reindex", store=workspace.store_name(store))
        yield made("dead-link", [entry for entry, _ in dead], [], request, title, evidence)
