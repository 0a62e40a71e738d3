"""What loads a file or an entry, and why not: all tasks in one table, as CLI.md's JSON, as lines and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.core.checks.secrets import heading, mask
from memdesk.tui.inert import cell, literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.model import Document, Entry
    from memdesk.core.routing import Why


def as_json(
    path: str, line: int | None, document: Document | None, entry: Entry | None, found: Sequence[Why]
) -> dict[str, Any]:
    """`memdesk.why/1`. `entry`: the one at the line, or null: a file, its title or a preamble is asked about."""
    return {
        "schema": "memdesk.why/1", "path": path, "line": line,
        "layout": None if document is None else document.store.layout,
        "store": None if document is None else document.store.path,
        "entry": None if entry is None else {
            "id": entry.id, "line": entry.line, "end_line": entry.end_line, "heading": heading(entry), "struck": entry.struck,
            "candidate": entry.candidate,
        },
        "tasks": [
            {"task": why.task, "loads": why.loads, "reason": mask(why.reason), "change": mask(why.change)} for why in found
        ],
    }


def rows(found: Sequence[Why]) -> list[tuple[str, ...]]:
    """A line for each task in cells: the task, whether it loads, the reason, and the line to change."""
    wide = max((len(why.task) for why in found), default=0)
    return [
        (f"{why.task:<{wide}}", f"{_loads(why):<13}", mask(why.reason), f"→ {mask(why.change)}" if why.change else "")
        for why in found
    ]


def summary(path: str, line: int | None, entry: Entry | None, found: Sequence[Why]) -> str:
    """What was asked about, and by how many tasks it loads."""
    what = f" “{heading(entry)}”" if entry is not None else ""
    return f"{path if line is None else f'{path}:{line}'}{what}: {count(found)}"


def count(found: Sequence[Why]) -> str:
    """By how many tasks it loads, as a sentence without its full stop."""
    yes = sum(why.loads for why in found)
    if len(found) == 1:
        return f"{found[0].task} loads it" if yes else f"{found[0].task} does not load it"
    return f"{yes} of {len(found)} tasks load{'s' if yes == 1 else ''} it"


def markdown(path: str, line: int | None, entry: Entry | None, found: Sequence[Why]) -> str:
    """The table under a heading, fit for a comment or an issue."""
    place = path if line is None else f"{path}:{line}"
    head = f"{_cell(place)} “{_cell(heading(entry))}”" if entry is not None else _cell(place)
    lines = [f"| {_cell(why.task)} | {_loads(why)} | {_cell(why.reason)} | {_cell(why.change)} |" for why in found]
    return "\n".join([
        f"### What loads {head}", "", f"{count(found)[:1].upper()}{count(found)[1:]}.", "",
        "| task | | why | line to change |", "| --- | --- | --- | --- |", *lines,
    ])


def _loads(why: Why) -> str:
    return "loads" if why.loads else "does not load"


def _cell(text: str) -> str:
    """Text in which nothing speaks to Markdown or its host, which would notify whoever is named by `@`."""
    return literal(cell(mask(text))).replace("@", "@\u2060")
