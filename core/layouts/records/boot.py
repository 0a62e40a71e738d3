"""What every session loads at the start: the words of the domain, and the decisions that stand."""

from __future__ import annotations

from memdesk.core.layouts.booting import TASK, alone
from memdesk.core.layouts.records import statuses
from memdesk.core.layouts.records.kept import GLOSSARY
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import UNPARSED

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest, Route
    from memdesk.core.model import Document, Store, Workspace


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The glossary, the map, and the records that stand, by number. Raises UsageError for another task or for modules."""
    from memdesk.core.layouts.base import Route, RouteFile

    alone(store, request)
    files, stays = [], []
    documents = workspace.documents_of(store)
    for document in sorted(documents, key=_order):
        role = document.place.role
        if role in ("glossary", "map"):
            why = "the glossary" if role == "glossary" else "the map of glossaries"
            files.append(RouteFile(document.path, role == "glossary", why))
        elif role == "record" and _status(document) in statuses.CURRENT:
            files.append(RouteFile(document.path, False, f"a record that stands ({_status(document)})"))
        else:
            stays.append((document.path, _why(document, documents)))
    notes = tuple(
        f"{other.path} has words or records of its own: memdesk pack --task {TASK} --store {workspace.store_name(other)}"
        for other in workspace.stores
        if other.layout == store.layout and other is not store and store.inner(other.path) is not None
    )
    return Route(store.path, store.layout, request.task, TASK, tuple(files), tuple(sorted(stays)), notes)


def _order(document: Document) -> tuple[int, int, str]:
    rank = {"map": 0, "glossary": 1, "record": 2}.get(document.place.role, 3)
    number = document.entries[0].number if rank == 2 and document.entries else None
    return rank, number or 0, document.path


def _status(document: Document) -> str | None:
    return document.entries[0].status if document.entries else None


def _why(document: Document, others: list[Document]) -> str:
    role, status = document.place.role, _status(document)
    if document.problem is not None and document.problem.rule in UNPARSED:
        return f"it cannot be read: {document.problem.message}"
    if role == "terms":
        return f"words that are not settled: they await {GLOSSARY}"
    if role == "design":
        return f"a design record ({status or 'without a status'}): it is recalled when a question asks for it"
    if status is None:
        return "a record whose status is missing or can't be read"
    if status not in statuses.CLOSED:
        return f"a record that is not decided ({status})"
    return f"a record that does not stand ({status}{_by(document, others)})"


def _by(document: Document, others: list[Document]) -> str:
    """The record that superseded one, where it can be told."""
    numbers = {target for kind, target in document.entries[0].relations if kind == "superseded-by"}
    later = [
        other.path for other in others
        if other.place.role == "record" and other.entries and str(other.entries[0].number) in numbers
    ]
    return f" by {', '.join(later)}" if later else ""
