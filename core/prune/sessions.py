"""The sessions that were held, in a tracked file: clones and CI see there whether the next one is due.

It holds dates, names and counts, no text of memory.
"""

from __future__ import annotations

from datetime import date

from memdesk.core import tracked
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.tracked import MEND, quoted

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.tree import Tree

PATH = ".memdesk/sessions.toml"

_HEADER = "# The prune sessions that were held here: when each was ended, by whom, what was decided, and how many tokens it\n" \
    "# freed. The newest date is the one that `memdesk --check` goes by. Entries may be removed by hand.\n"
_COUNTS = ("accepted", "rejected", "snoozed", "freed")


class Ended(NamedTuple):
    """One session. `freed`: tokens, below 0 where files grew. `line`: where it stands in the file, else None."""

    ended: date
    by: str
    accepted: int = 0
    rejected: int = 0
    snoozed: int = 0
    freed: int = 0
    line: int | None = None


def read(tree: Tree) -> list[Ended]:
    """All sessions, in the file's order; none without the file. Raises StoreError naming the line of a broken one."""
    found = tracked.data(tree, PATH)
    return [] if found is None else parse(found)


def parse(data: bytes) -> list[Ended]:
    """The same from the file's bytes."""
    return [_ended(item, line) for item, line in tracked.tables(PATH, "session", data)]


def appended(data: bytes | None, made: Ended) -> bytes:
    """The file with one more session at its end; `data` None: a new file. Raises StoreError for one that is broken."""
    rows = [f"ended = {made.ended.isoformat()}", f"by = {quoted(made.by)}"]
    rows += [f"{name} = {getattr(made, name)}" for name in _COUNTS]
    return tracked.appended(PATH, "session", data, _HEADER, [rows], parse, [made])


def _ended(item: dict[str, Any], line: int | None) -> Ended:
    ended, by = item.get("ended"), item.get("by")
    if type(ended) is not date:  # a time of day is none
        raise StoreError("A session needs ended, a date: ended = 2026-11-30.", path=PATH, line=line, remedy=MEND)
    if not isinstance(by, str) or not by:
        raise StoreError("A session needs by, a text.", path=PATH, line=line, remedy=MEND)
    counts: dict[str, int] = {}
    for name in _COUNTS:
        value = item.get(name)
        if type(value) is not int:
            raise StoreError(f"A session needs {name}, a whole number.", path=PATH, line=line, remedy=MEND)
        counts[name] = value
    return Ended(ended, by, line=line, **counts)
