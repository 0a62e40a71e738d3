"""What a file was before transactions that have all been taken back: known to the byte, in whatever order they were.

Taken back one by one out of turn, lines that lay beside each other find their place by their neighbours, and two that went
can come back the wrong way round. Where nothing of such a row is in effect any more, and nobody else wrote in between, the
bytes before its first are what undoing the last must leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.errors import StoreError
from memdesk.core.transaction.history import History, Past

MOST = 200  # transactions of one file that are looked at


def first(history: History, past: Sequence[Past], chosen: Past, real: str, now: bytes) -> bytes | None:
    """The bytes of a file before the earliest of a row of transactions that ends with what it holds `now` and of which none is
    in effect once `chosen` is undone; None where there is no such row. `past`: newest first; `real`: the file."""
    known = {item.id: item for item in past}
    gone = _gone(past, chosen)
    row: dict[str, str] = {}  # id -> what it is an undo, or a redo, of in the end; an action is its own
    found: bytes | None = None
    current: bytes | None = now
    for item in past:
        header = item.journal
        if header is None:
            break  # who knows what it wrote
        if real not in {change.real for change in header.changes}:
            continue
        base = _base(item, known)
        if item.outcome != "committed" or header.purged or base not in gone or len(row) == MOST:
            break
        try:
            change = next(change for change in history.journal(item.id).changes if change.real == real)
        except StoreError:
            break
        if current is None or change.after != current:
            break
        current, row[item.id] = change.before, base
        if chosen.id in row and current is not None and all(one in row for one in row.values()):
            found = current
    return found


def _gone(past: Sequence[Past], chosen: Past) -> set[str]:
    """The transactions that are not in effect once `chosen` is undone."""
    gone = {chosen.id} | {item.id for item in past if item.undone_by == ""}
    for item in past:  # newest first: an undo that is undone itself takes nothing back
        if item.journal is not None and item.journal.undoes and item.outcome == "committed" and item.id not in gone:
            gone.add(item.journal.undoes)
    return gone


def _base(item: Past, known: Mapping[str, Past]) -> str:
    """The action that an undo takes back, or a redo brings back; of an action itself."""
    while item.journal is not None and item.journal.undoes is not None:
        below = known.get(item.journal.undoes)
        if below is None:
            return item.journal.undoes
        item = below
    return item.id
