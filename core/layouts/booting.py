"""Layouts without tasks have one load: what every session begins with."""

from __future__ import annotations

from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.values import LoadRequest, Route
    from memdesk.core.model import Store, Workspace

TASK = "boot"


def alone(store: Store, request: LoadRequest) -> None:
    """Raises UsageError for another task than the boot load, and for modules, which such a layout has none of."""
    if request.task.strip().casefold() != TASK:
        raise UsageError(
            f"Unknown task {request.task!r}: {store.path} has no tasks.", remedy=f"Known: {TASK}, what every session loads."
        )
    for flag, names in (("--area", request.areas), ("--module-rule", request.rules), ("--profile", request.profiles)):
        if names:
            raise UsageError(f"{flag} {names[0]}: {store.path} has no modules.", remedy="Ask by words: memdesk recall QUERY.")


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The load of a layout that says nothing else: its index and all that is durable, in path order, the index first. Raises
    UsageError as `alone` does."""
    from memdesk.core.layouts.values import Route, RouteFile

    alone(store, request)
    documents = sorted(workspace.documents_of(store), key=lambda document: document.place.tier != "index")
    files = [
        RouteFile(document.path, True, _LOADS[document.place.tier]) for document in documents if document.place.tier in _LOADS
    ]
    stays = [(document.path, _STAYS[document.place.tier]) for document in documents if document.place.tier in _STAYS]
    return Route(store.path, store.layout, request.task, TASK, tuple(files), tuple(stays))


_LOADS = {"index": "the index", "durable": "what holds until somebody changes it"}
_STAYS = {
    "working": "candidates, or working state: nobody has reviewed it", "archive": "it is archived, and kept for the record",
    "log": "a log: it is recalled when a question asks for it",
}
