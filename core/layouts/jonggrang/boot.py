"""What every session loads at the start: the project's memory. What a feature learned is recalled on demand, within bounds."""

from __future__ import annotations

from memdesk.core.layouts.booting import TASK, alone
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest, Route
    from memdesk.core.model import Document, Store, Workspace


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The boot load. Raises UsageError for another task or for modules, which this layout has none of."""
    from memdesk.core.layouts.base import Route, RouteFile

    alone(store, request)
    project = store.join(paths.PROJECT)
    stays = [
        (document.path, _why(store, document)) for document in workspace.documents_of(store) if document.path != project
    ]
    files = (RouteFile(project, False, "the project's memory"),)
    return Route(store.path, store.layout, request.task, TASK, files, tuple(stays))


def _why(store: Store, document: Document) -> str:
    feature = paths.feature_of(store.inner(document.path) or "")
    if document.place.role == "feature":
        return f"it is recalled on demand: memdesk recall QUERY --feature {feature}"
    return _WHY[document.place.role]


_WHY = {
    "progress": "notes of a feature's tasks: they are recalled on demand",
    "fragment": "it waits for compaction, and nobody has reviewed it",
    "archive": "it was compacted, and is kept for a while",
}
