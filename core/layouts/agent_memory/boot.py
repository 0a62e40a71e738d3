"""What every session loads at the start: the index and the instruction files alone; all else is recalled when asked."""

from __future__ import annotations

from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.layouts.booting import TASK, alone
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Budget

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest, Route
    from memdesk.core.model import Store, Workspace


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The boot load. Raises UsageError for another task or for modules, which this layout has none of."""
    from memdesk.core.layouts.base import Route, RouteFile

    alone(store, request)
    lint: Lint = store.settings
    index = store.join(lint.index_file)
    loads = [index, *(store.join(name) for name in lint.boot if store.join(name) != index)]
    present = [document.path for document in workspace.documents_of(store) if document.place.role == "instructions"]
    loads += [path for path in present if path not in loads]
    files = tuple(
        RouteFile(path, path == index, "the index" if path == index else "an instruction file: loads at every start")
        for path in loads
    )
    chosen = set(loads)
    stays = tuple(
        (document.path, _WHY.get(document.place.tier, "it is recalled when a question asks for it"))
        for document in workspace.documents_of(store) if document.path not in chosen
    )
    notes = tuple(
        f"{budget.path} is over its cap, {budget.used} of {budget.cap} {budget.unit}: what is past it may not be read."
        for budget in workspace.budgets(store)
        if budget.state() == "over" and (budget.path in chosen or budget.path == store.path)
    )
    return Route(store.path, store.layout, request.task, TASK, files, stays, notes)


def meters(workspace: Workspace, store: Store) -> list[Budget]:
    """All boot files together against their total; none where no total is set, or nothing can be read."""
    lint: Lint = store.settings
    if lint.boot_chars is None:
        return []
    used = 0
    for name in lint.boot:
        document = workspace.documents.get(store.join(name))
        if document is not None:
            used += next((budget.used for budget in document.budgets() if budget.unit == "chars"), 0) or _chars(document.data)
    return [Budget(store.path, "chars", used, lint.boot_chars)]


_WHY = {
    "archive": "it is archived: frozen, and kept for the record",
    "working": "a working note: it is recalled when a question asks for it",
}


def _chars(data: bytes) -> int:
    from memdesk.core.tokens import measure

    return measure(data.decode("utf-8", "replace"), "chars")
