"""An undo means what it says too (invariant 7): read again, its result must be what is there now, plus and minus exactly
the entries of the transaction that it takes back, under the headings and dates that these had.

Lines find their place by their neighbours. When those have gone, a line can land where it says something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError
from memdesk.core.intake import problem

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.model import Document, Workspace

Intact = Callable[[str, bytes, bytes, bytes, bytes], bool]
"""(path, before, after, now, result) -> whether `result` is `now` without what made `after` of `before`."""

Note = Callable[[str, bytes, str], bytes | None]
"""(path, present bytes, text of a log line) -> bytes with that line; None where it can't be put in."""


def intact(workspace: Workspace) -> Intact:
    """The comparison, by the entries that the workspace's layouts read. A path that is no memory is always intact.

    One comparison serves many transactions: what it read of a text it keeps, for the next is often about the same.
    """
    known: dict[tuple[str, bytes], _Read] = {}

    def read(document: Document, data: bytes) -> _Read:
        key = (document.path, data)
        if key not in known:
            found = document.after(data)
            known[key] = (_inventory(found), _glued(found))
        return known[key]

    def compare(path: str, before: bytes, after: bytes, now: bytes, result: bytes) -> bool:
        document = workspace.documents.get(path)
        if document is None or document.problem is not None or document.place.tier == "index":
            return True
        if any(b">>>>>>>" in data and problem(data) is not None for data in (before, after)):
            return True  # markers of a conflict: there lines alone count, and no entry is what it seems
        old, made, present, taken = (read(document, data) for data in (before, after, now, result))
        return _difference(old, made) == _difference(taken, present) and taken[1] <= old[1] + present[1]

    return compare


def noted(workspace: Workspace, today: date, at: str = "") -> Note:
    """The log line that an undo leaves, written by the log's own layout as that of any action is: a second way would put
    it elsewhere. None where the layout can't, for what the file has become."""

    def write(path: str, now: bytes, text: str) -> bytes | None:
        from memdesk.core import layouts
        from memdesk.core.draft import Draft
        from memdesk.core.model import Workspace
        from memdesk.core.verify import verify

        document = workspace.documents.get(path)
        if document is None or document.problem is not None:
            return None
        documents = {**workspace.documents, path: document.after(now)}
        draft = Draft(Workspace(workspace.tree, workspace.stores, documents, [], [], workspace.reading))
        try:
            layouts.get(document.store.layout).note(draft, document.store, [text], today, at)
            work = draft.works.get(path)
            return None if work is None else verify(work).document.data
        except MemdeskError:
            return None

    return write


_Read = tuple[Counter[tuple[object, ...]], int]  # the inventory of a text, and its headings that are glued


def _difference(one: _Read, other: _Read) -> dict[tuple[object, ...], int]:
    """What the first has more (or, below 0, less) than the second: entries and their lines, by where they stand."""
    found = Counter(one[0])
    found.subtract(other[0])
    return {key: number for key, number in found.items() if number}


def _inventory(document: Document) -> Counter[tuple[object, ...]]:
    found: Counter[tuple[object, ...]] = Counter()
    for entry in document.entries:
        place = (entry.kind, entry.heading_path, entry.date, entry.struck, entry.candidate, entry.heading)
        found[place] += 1
        found.update((*place, line) for line in entry.text.split("\n"))
    return found


def _glued(document: Document) -> int:
    """Headings that stand right below a line of text."""
    data = document.data
    above = (data[: block.start].rsplit(b"\n", 2)[-2:-1] for block in document.page.blocks if block.kind == "heading")
    return sum(bool(line and line[0].strip()) for line in above)
