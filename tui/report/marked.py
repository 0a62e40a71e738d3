"""Memory files with git's conflict markers, for the list of conflicts: what `memdesk resolve` has to be told, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.core.resolving import heading
from memdesk.tui.inert import cell, line, literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.desk import Desk


class Row(NamedTuple):
    """One part of a file; or the file itself, `number` 0, where by entry nothing is left to decide, or its markers are
    broken (`problem` says how)."""

    path: str
    line: int | None
    heading: str
    number: int = 0
    problem: str | None = None


def rows(desk: Desk, store: str | None = None) -> list[Row]:
    """The marked files of one store, or of all, by path and line. Raises UsageError (an unknown store)."""
    found: list[Row] = []
    own = None if store is None else desk.store(store)
    for document in desk.marked():
        if own is not None and document.store is not own:
            continue
        first = None if document.problem is None else document.problem.line
        try:
            taken = desk.marks(document.path)
        except MemdeskError as error:
            found.append(Row(document.path, error.line or first, "", 0, error.message))
            continue
        found += [Row(document.path, part.line, heading(part), part.number) for part in taken.parts]
        if not taken.parts:
            found.append(Row(document.path, first, ""))
    return found


def as_json(found: Sequence[Row]) -> list[dict[str, Any]]:
    """The key `marked` of `memdesk.conflicts/1`. `number` 0: the file as a whole."""
    return [
        {"path": row.path, "line": row.line, "heading": row.heading, "number": row.number, "problem": row.problem}
        for row in found
    ]


def text(found: Sequence[Row]) -> str:
    """A heading, and a line for each row; "" for none."""
    if not found:
        return ""
    lines = [f"  {_place(row)}  {_words(row)}" for row in found]
    return "\n".join(["git's conflict markers, entry by entry (memdesk resolve PATH):", *lines])


def markdown(found: Sequence[Row]) -> str:
    """A section; "" for none."""
    if not found:
        return ""
    lines = [f"- {literal(_place(row))}: {literal(_words(row))}" for row in found]
    return "\n".join(["## Git conflicts", "", *lines, "", "`memdesk resolve PATH` resolves a file entry by entry.", ""])


def _place(row: Row) -> str:
    return cell(row.path) + (f":{row.line}" if row.line else "")


def _words(row: Row) -> str:
    if row.problem is not None:
        return f"broken: {cell(row.problem)}"
    if not row.number:
        return "by entry nothing is left to decide"
    return f"{row.number}  {line(row.heading) or 'text between entries'}"
