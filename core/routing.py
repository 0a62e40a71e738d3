"""Questions about routes that every layout answers alike: does a file load, for which tasks, and why not.

What a route is belongs to the layouts (`load`); this only asks them.
"""

from __future__ import annotations

from bisect import bisect_right

from memdesk.core.errors import MemdeskError, UsageError
from memdesk.core.layouts.base import Advice, LoadRequest, Route
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import UNPARSED
from memdesk.core.packing import Omitted, Pack, PackFile, document_at, pack_route
from memdesk.core.tokens import measure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memdesk.core.config import Settings
    from memdesk.core.model import Document, Entry, Store, Workspace
    from memdesk.core.packing import Kept


class Why(NamedTuple):
    """Whether a file (or the unit at a line of it) loads for a category. `loads` is False with the reason for it; `change` is
    the line to change so that it would, and how ("" where no line decides)."""

    task: str
    loads: bool
    reason: str
    change: str = ""
    failed: bool = False  # the task's route can't be made at all


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


def why(
    workspace: Workspace, path: str, line: int | None = None, today: date | None = None, request: LoadRequest | None = None,
    settings: Settings | None = None,
) -> list[Why]:
    """For each category of the store that owns `path`: whether it loads `today`, and why or why not.

    With a line: whether the unit at that line is in the pack. `request`: modules and touched paths that are asked for as well;
    one with a task is answered for that alone. `settings`: where they were made, for what they decide. Raises UsageError when
    the path is no memory file and no route names it, for a line that it doesn't have, and for a request that is none.
    """
    from memdesk.core import config

    asked = request or LoadRequest("")
    asked = asked._replace(today=asked.today or today)
    document = document_of(workspace, path)
    if document is None:
        return _absent(workspace, path, asked)
    last = document.data.count(b"\n") + (not document.data.endswith(b"\n"))
    if line is not None and line > max(last, 1):
        raise UsageError(f"{path} has no line {line}.", remedy=f"Its last is {max(last, 1)}.")
    asking = _Asking(workspace, document, line, settings or config.defaults())
    tasks = [asked.task] if asked.task else categories(workspace, document.store)
    return [asking.answer(asked._replace(task=task)) for task in tasks]


def document_of(workspace: Workspace, path: str) -> Document | None:
    """The document at a path, or under one of its other names."""
    document = workspace.documents.get(path)
    return document or next((one for one in workspace.documents.values() if path in one.aliases), None)


def entry_at(document: Document, line: int) -> Entry | None:
    """The innermost entry that holds a line; None for a title, a preamble and the like."""
    return next((entry for entry in reversed(document.entries) if entry.line <= line <= entry.end_line), None)


class Left(NamedTuple):
    """An entry of a file that loads, which the pack leaves out nevertheless, with the reason; `omitted`: the unit it is in."""

    entry: Entry
    omitted: Omitted


def left_out(workspace: Workspace, whole: Pack) -> list[Left]:
    """The entries that budgets keep out of a pack. Those of files in its `not_loaded` stay out with their file."""
    found = []
    for file in whole.files:
        document = document_at(workspace, file.path) if file.omitted else None
        if document is not None:
            lines = [unit.line for unit in file.omitted]
            first = lines[0]
            found += [
                Left(entry, file.omitted[bisect_right(lines, entry.line) - 1])
                for entry in document.entries if entry.line >= first
            ]
    return found


class _Asking:
    """The answers for one place."""

    def __init__(self, workspace: Workspace, document: Document, line: int | None, settings: Settings) -> None:
        from memdesk.core.layouts import get

        self.workspace = workspace
        self.document = document
        self.line = line
        self.settings = settings
        self.layout = get(document.store.layout)
        self.kept: Kept = {}  # what texts were packed to for the tasks before

    def answer(self, request: LoadRequest) -> Why:
        task, document = request.task, self.document
        try:
            whole = pack_route(self.workspace, route(self.workspace, document.store, request), kept=self.kept)
        except UsageError:
            raise
        except MemdeskError as error:
            advice = self._advice(request)
            place = f"{error.path}:{error.line}" if error.line else error.path or ""
            return Why(task, False, str(error), advice.told() if advice else place, failed=True)
        for file in whole.files:
            if file.path == document.path or file.path in document.aliases:
                return self._of_file(task, whole, file)
        reason = next((reason for other, reason in whole.not_loaded if other == document.path), "no route names it")
        advice = self._advice(request)
        return Why(task, False, reason, advice.told() if advice else "")

    def _of_file(self, task: str, whole: Pack, file: PackFile) -> Why:
        document, problem = self.document, self.document.problem
        if file.disposition == "skipped" and problem is None:  # the same file by another name, which loads
            other = next(one for one in whole.files if one.disposition == "loaded" and one.path in _names(document))
            return self._of_file(task, whole, other)
        if file.disposition != "loaded":
            broken = problem is not None and problem.rule in UNPARSED
            change = Advice(document.path, problem.line or 0, "see", "mend it") if broken and problem is not None else None
            return Why(task, False, file.reason, change.told() if change else "")
        if not file.omitted:
            return Why(task, True, self._also(file.reason))
        line = self.line
        if line is None:
            first, left = file.omitted[0], len(file.omitted)
            rest = f"the unit at line {first.line} is" if left == 1 else f"{left} units from line {first.line} on are"
            return Why(task, True, f"{file.reason}; but {rest} left out: {first.reason}", self._room(file, file.omitted))
        behind = [unit for unit in file.omitted if unit.line <= line]
        if not behind:
            return Why(task, True, self._also(file.reason))
        return Why(task, False, f"omitted from the pack: {behind[-1].reason}", self._room(file, behind))

    def _also(self, reason: str) -> str:
        """What is to be known of an entry that loads: that it is struck, or past what a harness may read of its file."""
        if self.line is None:
            return reason
        entry = entry_at(self.document, self.line)
        if entry is not None and entry.struck:
            reason += "; it is struck, and loads as history"
        caps = [cap for cap in self.document.place.caps if cap.unit != "tokens"]
        text = b"\n".join(self.document.data.split(b"\n")[: self.line]).decode("utf-8", "replace") if caps else ""
        for cap in caps:
            if cap.limit is not None and measure(text, cap.unit) > cap.limit:
                unit = {"chars": "characters"}.get(cap.unit, cap.unit)
                reason += f"; it stands past the cap of {cap.limit} {unit}, where it may not be read"
        return reason

    def _room(self, file: PackFile, units: Sequence[Omitted]) -> str:
        """The budget under which these units, and what stands before them, would load."""
        tokens = file.tokens + sum(unit.tokens for unit in units)
        advice = self.layout.room(self.workspace, self.document.store, file.path, tokens)
        return advice.told() if advice else ""

    def _advice(self, request: LoadRequest) -> Advice | None:
        document = self.document
        if document.problem is not None and document.problem.rule in UNPARSED:
            return Advice(document.path, document.problem.line or 0, "see", "mend it")
        return self.layout.advice(self.workspace, document.store, request, document, self.settings)


def _absent(workspace: Workspace, path: str, asked: LoadRequest) -> list[Why]:
    """The answers for a file that is not there, where a route names it nevertheless."""
    for store in workspace.stores:
        if store.inner(path) is None:
            continue
        found: list[Why] = []
        named = False
        for task in dict.fromkeys((*categories(workspace, store), *([asked.task] if asked.task else []))):
            try:
                whole = pack_route(workspace, route(workspace, store, asked._replace(task=task)))
            except UsageError:
                raise
            except MemdeskError as error:
                place = f"{error.path}:{error.line}" if error.line else error.path or ""
                found.append(Why(task, False, str(error), place, failed=True))
                continue
            file = next((one for one in whole.files if one.path == path), None)
            named = named or file is not None
            there = workspace.tree.kind(path) != "none"
            change = "" if file is None or there else Advice(path, 0, "see", "make it").told()
            found.append(Why(task, False, "there is no such file" if file is None else file.reason, change))
        if named:
            return [one for one in found if asked.task in ("", one.task)]
    raise UsageError(f"{path} is no memory file of a store here.", remedy="`memdesk stores` lists what was found.")


def _names(document: Document) -> tuple[str, ...]:
    return (document.path, *document.aliases)
