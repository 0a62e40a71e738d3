"""The account of a compaction: what became of each entry, as lines and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.core.checks.secrets import heading, mask
from memdesk.core.compacting.account import CARRIED, FOLDED, Account, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdesk.core.model import Store


def rows(account: Account) -> list[dict[str, Any]]:
    """The rows as JSON: number, id, path, line, heading (masked), section ("" for none), task ("" for none), state,
    draft_line (null where it is left out), twin (the number that it is folded into, null for the memory's own), reason."""
    return [
        {
            "number": row.number, "id": row.entry.id, "path": row.entry.path, "line": row.entry.line,
            "heading": heading(row.entry), "section": row.noted.section if row.noted else row.entry.fields.get("section", ""),
            "task": row.noted.task if row.noted else "", "state": row.state, "draft_line": row.line, "twin": row.twin or None,
            "reason": mask(row.reason) or None,
        }
        for row in account.rows
    ]


def lines(account: Account, store: Store) -> Iterator[tuple[str, ...]]:
    """The rows as cells of a list: number, state, where it is now, what became of it, heading (masked)."""
    width = len(str(len(account.rows)))
    for row in account.rows:
        where = f"{store.named(row.entry.path)}:{row.entry.line}"
        yield str(row.number).rjust(width), row.state.ljust(8), where, f"({became(row)})", heading(row.entry)


def became(row: Row) -> str:
    """What became of an entry, in a few words."""
    if row.state == CARRIED:
        return f"line {row.line}"
    if row.state == FOLDED:
        return f"into {row.twin}, line {row.line}" if row.twin else f"line {row.line} says it already"
    gone = "gone from the memory; " if row.noted is None else ""
    return gone + (mask(row.reason) if row.reason else "without a word")
