"""What the Context pane asks the desk for, in a worker: the choices, the pack, its account and its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest, Module
from memdesk.tui import text
from memdesk.tui.panes import context_rows as rows
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.packing import Pack


class Asked(NamedTuple):
    """What is chosen: the store ("" for the first) and the request; an empty task stands for the first one."""

    store: str = ""
    request: LoadRequest = LoadRequest("")


class Answer(NamedTuple):
    """What came of it, made in a worker: what can be chosen, and the pack with its account, or why there is none."""

    asked: Asked
    stores: tuple[str, ...]
    tasks: tuple[str, ...]
    modules: tuple[Module, ...]
    pack: Pack | None
    ledger: tuple[Row, ...]
    text: tuple[Para, ...]
    error: MemdeskError | None = None
    by_path: bool = True  # whether touched paths add to what loads


def answer(desk: Desk, asked: Asked) -> Answer:
    """What can be chosen, and the pack of what is chosen. What is no longer there is dropped from the choice."""
    from memdesk.core import layouts, routing

    of_tasks = sorted(desk.workspace.stores, key=lambda store: layouts.get(store.layout).tasks(store) == ("boot",))
    stores = tuple(map(desk.workspace.store_name, of_tasks))  # first those that load by task: there is something to choose
    if not stores:
        return Answer(asked, (), (), (), None, (), ())
    path = asked.store if asked.store in stores else stores[0]
    store = desk.store(path)
    tasks = tuple(routing.categories(desk.workspace, store))
    layout = layouts.get(store.layout)
    modules = tuple(layout.modules(store))
    request = asked.request if asked.store in ("", path) else LoadRequest("")
    if request.task not in tasks:
        request = request._replace(task=tasks[0] if tasks else "boot")
    for field in rows.TITLES:
        names = {module.name for module in modules if module.field == field}
        kept: dict[str, Any] = {field: tuple(name for name in getattr(request, field) if name in names)}
        request = request._replace(**kept)
    settled = Asked(path, request)
    try:
        pack = desk.pack(request, path)
    except MemdeskError as error:
        return Answer(settled, stores, tasks, modules, None, (), _refusal(error), error, layout.by_path)
    heads = headers(pack)
    paras = tuple(
        _header(para) if "".join(piece.text for piece in para.pieces) in heads else para for para in markdown(pack.text)
    )
    ledger = tuple(rows.ledger_rows(desk.workspace, pack))
    return Answer(settled, stores, tasks, modules, pack, ledger, paras, by_path=layout.by_path)


def headers(pack: Pack) -> dict[str, str]:
    """The lines of a pack's text that are headers of files, as they are on screen, with the path of each."""
    longest = max((len(match[1]) for match in _HEADER.finditer(pack.text)), default=0)
    found: dict[str, str] = {}
    for file in pack.files:
        if file.disposition == "loaded":
            left = f" ({len(file.omitted)} omitted over the budget of {file.budget} tokens)" if file.omitted else ""
            bar = "=" * longest
            found[text.inert(f"{bar} {file.path}{left} {bar}").expandtabs(4)] = file.path
    return found


def _header(para: Para) -> Para:
    return Para((Piece("".join(piece.text for piece in para.pieces), "heading"),))


def _refusal(error: MemdeskError) -> tuple[Para, ...]:
    where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
    lines = [
        Para((Piece("✕ No pack can be made: every task that would load this is without its memory.", "bad"),), hang=2),
        Para(),
    ]
    if where:
        lines.append(Para((Piece(where, "strong"),)))
    lines.append(Para((Piece(error.message),)))
    if error.remedy:
        lines += [Para(), Para((Piece("→ ", "accent"), Piece(error.remedy)), hang=2)]
    return tuple(lines)


_HEADER = re.compile(r"^(={5,}) .+ \1$", re.MULTILINE)
