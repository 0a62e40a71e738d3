"""What every session loads at the start: the index, and the log of the last days; facts are opened when a task needs them."""

from __future__ import annotations

from datetime import date, timedelta

from memdesk.core.layouts.booting import TASK, alone
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.layouts.tiers.read import day_of
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest, Route
    from memdesk.core.model import Budget, Document, Store, Workspace


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The boot load. Raises UsageError for another task or for modules, which this layout has none of."""
    from memdesk.core.layouts.base import Route, RouteFile

    alone(store, request)
    kept: Kept = store.settings
    index = store.join(kept.index)
    files = [RouteFile(index, True, "the index")]
    stays: list[tuple[str, str]] = []
    named = index_lines(workspace, store)
    for document in workspace.documents_of(store):
        if document.path == index:
            continue
        why = _window(document, request.today, kept.log_days) if document.place.role == "log" else ""
        if why.startswith("the log"):
            files.append(RouteFile(document.path, False, why))
        else:
            lost = document.place.role == "fact" and document.path not in named
            why = _LOST if lost else why or _WHY.get(document.place.role, "it is recalled when a question asks for it")
            stays.append((document.path, why))
    return Route(store.path, store.layout, request.task, TASK, tuple(files), tuple(stays))


def index_lines(workspace: Workspace, store: Store) -> dict[str, int]:
    """The facts that lines of the index name, by path, with the first such line."""
    kept: Kept = store.settings
    index = workspace.documents.get(store.join(kept.index))
    if index is None or index.problem is not None:
        return {}
    from memdesk.core.layouts.tiers.crosslinks import names_of
    from memdesk.core.layouts.tiers.indexlines import lines

    names = names_of(workspace, store)
    found: dict[str, int] = {}
    for line in lines(index):
        found.setdefault(names.line(index, line) or "", line.line)
    return found


def meters(workspace: Workspace, store: Store) -> list[Budget]:
    """Its facts against their most (fact-count)."""
    from memdesk.core.model import Budget

    kept: Kept = store.settings
    count = sum(document.place.role == "fact" for document in workspace.documents_of(store))
    return [Budget(store.path, "facts", count, kept.max_facts)]


def _window(document: Document, today: date | None, days: int) -> str:
    """Why a log loads ("the log of ..."), or why it doesn't."""
    day = day_of(document.path)
    if day is None:
        return "its name is no date, so nobody can tell whether it is recent"
    if today is None:
        return "nobody said which day it is"
    first = (today - timedelta(days=days - 1)).isoformat()
    if day > today.isoformat():
        return "its date is still to come"
    if day < first:
        return f"older than the last {days} days: it is recalled when a question asks for it"
    return "the log of today" if day == today.isoformat() else f"the log of the last {days} days"


_WHY = {
    "archive": "it is archived, and kept for the record",
    "fact": "a fact: it is opened when its line in the index bears on the task",
    "working": "working state of a task: it is opened by whoever works on that",
    "inbox": "candidates, which nobody has reviewed",
}
_LOST = "a fact that no line of the index names, so that nobody is sent to it"
