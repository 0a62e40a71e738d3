"""The lines of the Context pane: what can be chosen, and the account of a pack: what loads, what does not, and why."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core.checks.secrets import heading, mask
from memdesk.core.layouts.base import LoadRequest, Module
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packing import Omitted, Pack, PackFile
from memdesk.core.tokens import count
from memdesk.tui import text
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.meters import FULL, REST
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Workspace

TITLES = {"areas": "Areas", "rules": "Rules", "profiles": "Profiles"}
BAR = 6


class Head(NamedTuple):
    """A heading."""

    title: str
    words: str = ""


class StoreItem(NamedTuple):
    path: str
    chosen: bool


class TaskItem(NamedTuple):
    task: str
    chosen: bool


class ModuleItem(NamedTuple):
    module: Module
    chosen: bool


class PathItem(NamedTuple):
    """A path that the task touches; "" is the line by which one is added."""

    path: str


class FileItem(NamedTuple):
    """A file of the route. `name` is relative to its store; `line` where a jump leads."""

    file: PackFile
    name: str


class EntryItem(NamedTuple):
    """An entry of a file that loads; `omitted` where the budget kept it out."""

    entry: Entry
    omitted: Omitted | None


class OmittedItem(NamedTuple):
    """A unit that the budget kept out and that holds no entry."""

    path: str
    omitted: Omitted


class LeftItem(NamedTuple):
    """A memory file that no part of the route names."""

    path: str
    name: str
    reason: str


def choice_rows(
    stores: Sequence[str], store: str, tasks: Sequence[str], modules: Sequence[Module], request: LoadRequest,
    by_path: bool = True,
) -> list[Row]:
    """What can be chosen: the store where there are several, the task, modules by kind, and where they matter (`by_path`)
    touched paths."""
    rows: list[Row] = []
    if len(stores) > 1:
        rows.append(Row("", Head("Store")))
        rows += [Row(f"store:{path}", StoreItem(path, path == store)) for path in stores]
    rows.append(Row("", Head("Task")))
    rows += [Row(f"task:{task}", TaskItem(task, task == request.task)) for task in tasks]
    for field, title in TITLES.items():
        members = [module for module in modules if module.field == field]
        if members:
            rows.append(Row("", Head(title)))
            chosen = getattr(request, field)
            rows += [Row(f"{field}:{module.name}", ModuleItem(module, module.name in chosen)) for module in members]
    if not by_path:
        return rows
    rows.append(Row("", Head("Touched paths")))
    rows += [Row(f"path:{path}", PathItem(path)) for path in request.paths]
    rows.append(Row("path:", PathItem("")))
    return rows


def draw_choice(item: object, width: int) -> list[Piece]:
    """A line of what can be chosen."""
    if isinstance(item, Head):
        return [Piece(item.title, "heading"), Piece(f"  {item.words}" if item.words else "", "dim")]
    if isinstance(item, TaskItem | StoreItem):
        name = item.task if isinstance(item, TaskItem) else item.path
        return [
            Piece("(•) " if item.chosen else "( ) ", "accent" if item.chosen else "dim"),
            Piece(name, "strong" if item.chosen else ""),
        ]
    if isinstance(item, ModuleItem):
        mark = Piece("[x] " if item.chosen else "[ ] ", "accent" if item.chosen else "dim")
        return [
            mark,
            Piece(item.module.name, "strong" if item.chosen else ""),
            Piece(f"  {text.line(item.module.when)}", "dim"),
        ]
    if isinstance(item, PathItem):
        return [Piece(item.path or "+ a path that the task touches", "" if item.path else "dim")]
    return []


def ledger_rows(workspace: Workspace, pack: Pack) -> list[Row]:
    """The account of a pack: each file with its entries, omissions in their place, then what did not load."""
    rows: list[Row] = []
    for file in pack.files:
        rows.append(Row(f"file:{file.path}", FileItem(file, short(file.path, pack.store))))
        document = workspace.documents.get(file.path)
        units = {unit.line: unit for unit in file.omitted}
        told: set[int] = set()
        lines: list[tuple[int, Row]] = []
        for entry in document.entries if document is not None and file.disposition == "loaded" else ():
            before = [line for line in units if line <= entry.line]
            unit = units[max(before)] if before else None
            if unit is not None:
                told.add(unit.line)
            lines.append((entry.line, Row(entry.id, EntryItem(entry, unit))))
        lines += [
            (line, Row(f"unit:{file.path}:{line}", OmittedItem(file.path, unit)))
            for line, unit in units.items()
            if line not in told
        ]
        rows += [row for _, row in sorted(lines, key=lambda pair: pair[0])]
    if pack.not_loaded:
        rows.append(Row("", Head("Did not load", str(len(pack.not_loaded)))))
        rows += [Row(f"left:{path}", LeftItem(path, short(path, pack.store), reason)) for path, reason in pack.not_loaded]
    return rows


def draw_ledger(item: object, width: int, near: float) -> list[Piece]:
    """A line of the account."""
    if isinstance(item, Head):
        return [Piece(item.title, "heading"), Piece(f"  {item.words}", "dim")]
    if isinstance(item, FileItem):
        return _file(item, width, near)
    if isinstance(item, EntryItem):
        size = str(item.omitted.tokens if item.omitted else count(item.entry.text))
        glyph, role = ("✕ ", "bad") if item.omitted else ("  ", "")
        struck = " struck" if item.entry.struck and item.omitted is None else ""
        tail = " omitted" if item.omitted else struck
        room = max(width - 4 - len(size) - len(tail) - 1, 1)
        look = "dim" if item.omitted or item.entry.struck else ""
        return [
            Piece("  "),
            Piece(glyph, role),
            Piece(text.fit(text.line(heading(item.entry)), room), look),
            Piece(tail, role or "dim"),
            Piece(f" {size}", "dim"),
        ]
    if isinstance(item, OmittedItem):
        size = str(item.omitted.tokens)
        room = max(width - 4 - len(size) - 9, 1)
        return [
            Piece("  "),
            Piece("✕ ", "bad"),
            Piece(text.fit(text.line(mask(item.omitted.heading)), room), "dim"),
            Piece(" omitted", "bad"),
            Piece(f" {size}", "dim"),
        ]
    if isinstance(item, LeftItem):
        return [Piece("· ", "dim"), Piece(item.name), Piece(f"  {text.line(item.reason)}", "dim")]
    return []


def _file(item: FileItem, width: int, near: float) -> list[Piece]:
    file = item.file
    if file.disposition != "loaded":
        missing = file.disposition in ("missing-required", "missing-requested")
        glyph, role = ("✕ ", "bad") if missing else ("– ", "dim")
        return [
            Piece(glyph, role),
            Piece(item.name, "strong" if missing else ""),
            Piece(f"  {file.disposition.replace('-', ' ')}", role),
            Piece(f"  {text.line(file.reason)}", "dim"),
        ]
    if file.budget is None:
        return [Piece("✓ ", "good"), Piece(item.name, "strong"), Piece(f"  {file.tokens} tokens", "dim")]
    state = "bad" if file.tokens > file.budget else "warn" if file.omitted or file.tokens >= near * file.budget else "good"
    full = min(BAR, int(file.tokens / max(file.budget, 1) * BAR + 0.5))
    words = (
        " ✕ oversized"
        if file.oversized
        else f" ✕ {len(file.omitted)} omitted"
        if file.omitted
        else " ! near"
        if state == "warn"
        else ""
    )
    return [
        Piece("✓ ", "good"),
        Piece(item.name, "strong"),
        Piece(f"  {file.tokens}/{file.budget} "),
        Piece(FULL * full, state),
        Piece(REST * (BAR - full), "dim"),
        Piece(words, state),
    ]


def explained(item: object) -> str:
    """A line of the account in full words."""
    if isinstance(item, FileItem):
        budget = "" if item.file.budget is None else f" of {item.file.budget}"
        size = f" · {item.file.tokens}{budget} tokens" if item.file.disposition == "loaded" else ""
        over = " Its first unit alone is over the budget and is kept whole." if item.file.oversized else ""
        return f"{item.name} · {item.file.disposition.replace('-', ' ')}{size}: {item.file.reason}.{over}"
    if isinstance(item, EntryItem):
        where = f"{item.entry.path}:{item.entry.line}"
        return (
            f"{where} · omitted: {item.omitted.reason}."
            if item.omitted
            else f"{where} · loaded · {count(item.entry.text)} tokens"
        )
    if isinstance(item, OmittedItem):
        return f"{item.path}:{item.omitted.line} · omitted: {item.omitted.reason}."
    if isinstance(item, LeftItem):
        return f"{item.name} · did not load: {item.reason}."
    return ""


def place_of(item: object) -> tuple[str, int] | None:
    """Path and line that a line of the account stands for."""
    if isinstance(item, FileItem):
        return (item.file.path, 1) if item.file.disposition in ("loaded", "skipped") else None
    if isinstance(item, EntryItem):
        return item.entry.path, item.entry.line
    if isinstance(item, OmittedItem):
        return item.path, item.omitted.line
    return (item.path, 1) if isinstance(item, LeftItem) else None


def short(path: str, store: str) -> str:
    """A path within its store."""
    return path if store == "." else path.removeprefix(store + "/")


def haystack(item: object) -> str:
    """What a filter looks in."""
    if isinstance(item, EntryItem):
        return f"{item.entry.text}\n{item.entry.path}{' omitted' if item.omitted else ''}".lower()
    if isinstance(item, ModuleItem):
        return f"{item.module.name} {item.module.when}".lower()
    return (
        explained(item) or " ".join(str(part) for part in item if isinstance(part, str)) if isinstance(item, tuple) else ""
    ).lower()
