"""What rots in this layout alone: facts past their day of review, an index that leads nowhere or not to all of them
(docs/prune.md)."""

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
    """Facts whose `review_by` has passed go to the archive, unless somebody says that they hold. An index that has lines which
    lead nowhere, or none for a fact that so is never read, is made anew: what is missing is a line, and no reason to part
    with the fact."""
    documents = [document for document in workspace.documents_of(store) if document.problem is None]
    return [*_to_review(documents, today), *_of_index(workspace, store)]


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


def _of_index(workspace: Workspace, store: Store) -> Iterator[Proposal]:
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
    missing = [workspace.documents[path] for path in crosslinks.unreached(workspace, store)]
    unlisted = [entry for document in missing if document.problem is None for entry in document.entries[:1]]
    evidence = [f"{index.path}:{line.line}: {line.target} leads nowhere." for _, line in dead]
    evidence += [f"{entry.path}: {kept.index} has no line for it, and nothing that loads links to it." for entry in unlisted]
    request = Request("reindex", store=workspace.store_name(store))
    name = store.named(index.path)
    if dead:  # both are one rewriting of the index
        title = f"{name}: {plural(len(dead), 'line leads', 'lines lead')} nowhere"
        yield made("dead-link", [entry for entry, _ in dead], unlisted, request, title, evidence)
    elif unlisted:
        evidence.append("If it should not be read, archive it instead.")
        title = f"{name}: no line for {plural(len(unlisted), 'fact', 'facts')}"
        yield made("unreachable", unlisted, [], request, title, evidence)
