"""Questions about routes that every layout answers alike: does a file load, for which tasks, and why not.

What a route is belongs to the layouts (`load`); this only asks them.
"""

from __future__ import annotations

from memdesk.core.errors import MemdeskError, UsageError
from memdesk.core.layouts.base import LoadRequest, Route
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packing import Pack, pack_route

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.model import Entry, Store, Workspace


class Why(NamedTuple):
    """Whether a file (or the unit at a line of it) loads for a category. `loads` is False with the reason for it; `change` is
    the line to change so that it would, and how ("" where no line decides)."""

    task: str
    loads: bool
    reason: str
    change: str = ""


def route(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """What a task loads. Raises UsageError, StoreError as the layout's `load` does."""
    from memdesk.core.layouts import get

    return get(store.layout).load(workspace, store, request)


def categories(workspace: Workspace, store: Store) -> list[str]:
    """One task name for each category of a store, in the layout's order: `boot` alone where it has no tasks."""
    from memdesk.core.layouts import get

    chosen: dict[str, str] = {}
    for task in get(store.layout).tasks(store):
        try:
            chosen.setdefault(route(workspace, store, LoadRequest(task)).category, task)
        except UsageError:
            raise
        except MemdeskError:
            chosen.setdefault(task, task)  # cannot be routed: whoever asks for it gets the error
    return list(chosen.values())


def why(workspace: Workspace, path: str, line: int | None = None, today: date | None = None) -> list[Why]:
    """For each category of the store that owns `path`: whether it loads `today`, and why or why not.

    With a line: whether the unit at that line is in the pack. Raises UsageError when the path is no memory file.
    """
    document = workspace.documents.get(path)
    if document is None:
        raise UsageError(f"{path} is no memory file of a store here.", remedy="`memdesk stores` lists what was found.")
    found = []
    for task in categories(workspace, document.store):
        try:
            whole = pack_route(workspace, route(workspace, document.store, LoadRequest(task, today=today)))
        except MemdeskError as error:
            found.append(Why(task, False, str(error)))
            continue
        found.append(_answer(whole, path, line, task))
    return found


def omitted_entries(workspace: Workspace, store: Store) -> list[tuple[Entry, str]]:
    """Entries of files with a budget that packing leaves out, with the reason. A budget is the file's own, so what one
    pack omits no task's pack holds."""
    from memdesk.core.packing import split, stripped, take

    found = []
    for document in workspace.documents_of(store):
        cap = document.place.cap
        if cap is None or cap.limit is None or cap.unit != "tokens" or document.problem is not None:
            continue
        if document.used_tokens <= cap.limit:
            continue
        taken = take(split(document), stripped(document.data), cap.limit)
        if taken.omitted:
            first = taken.omitted[0].line
            found += [
                (entry, f"a pack of {document.path} stops before it: {taken.tokens} tokens taken of {cap.limit}")
                for entry in document.entries if entry.line >= first
            ]
    return found


def _answer(whole: Pack, path: str, line: int | None, task: str) -> Why:
    for file in whole.files:
        if file.path != path:
            continue
        if file.disposition != "loaded":
            return Why(task, False, file.reason)
        if line is not None:
            left = [unit for unit in file.omitted if unit.line <= line]
            if left:
                return Why(task, False, f"omitted from the pack: {left[-1].reason}")
        return Why(task, True, file.reason)
    reason = next((reason for other, reason in whole.not_loaded if other == path), "no route names it")
    return Why(task, False, reason)
