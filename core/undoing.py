"""An undo means what it says too (invariant 7): read again, its result must be what is there now, plus and minus exactly
the entries of the transaction that it takes back, under the headings and dates that these had.

Lines find their place by their neighbours. When those have gone, a line can land where it says something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError
from memdesk.core.intake import problem

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.plan import Step

Intact = Callable[[str, bytes, bytes, bytes, bytes], bool]
"""(path, before, after, now, result) -> whether `result` is `now` without what made `after` of `before`."""

Read = Callable[[str], "bytes | None"]
"""(path) -> the bytes that are on disk now; None where nothing is."""

Note = Callable[[str, Read, str], "Sequence[Step] | None"]
"""(path of a log, how to read, text of a line) -> the steps that put it where that log's newest lines go today; None where the
layout can't."""


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
        if document is None or document.problem is not None:
            return True
        if any(b">>>>>>>" in data and problem(data) is not None for data in (before, after)):
            return True  # markers of a conflict: there lines alone count, and no entry is what it seems
        old, made, present, taken = (read(document, data) for data in (before, after, now, result))
        if taken[1] > old[1] + present[1]:
            return False
        return document.place.tier == "index" or _difference(old, made) == _difference(taken, present)

    return compare


def noted(workspace: Workspace, today: date, at: str = "") -> Note:
    """The log line that an undo leaves, written by the log's own layout as that of any action is: a second way would put it
    elsewhere. None where the layout can't, for what the file has become; of a log with a file a day, Refused is raised then:
    no other file may take the line."""

    def write(path: str, read: Read, text: str) -> Sequence[Step] | None:
        from memdesk.core import layouts
        from memdesk.core.verify import verify

        store = _store(workspace, path)
        if store is None:
            return None
        layout = layouts.get(store.layout)
        known: dict[str, Document | None] = {path: _present(workspace, store, path, read)}
        try:
            while True:
                draft = _draft(workspace, known)
                layout.note(draft, store, [text], today, at)
                fresh = [name for name in (*draft.works, *draft.reads) if name not in known]
                if not fresh:
                    break
                known.update((name, _present(workspace, store, name, read)) for name in fresh)
            for work in draft.works.values():
                verify(work)
            return draft.steps() or None
        except MemdeskError:
            if layout.daily:
                raise
            return None

    return write


def _store(workspace: Workspace, path: str) -> Store | None:
    """The store that a log is of; where it is gone meanwhile, the one that it would be of."""
    from memdesk.core import layouts

    document = workspace.documents.get(path)
    if document is not None:
        return document.store
    return next((store for store in workspace.stores if layouts.get(store.layout).classify(store, path) is not None), None)


def _present(workspace: Workspace, store: Store, path: str, read: Read) -> Document | None:
    """The document at a path as it is on disk now, whatever was read of it before; None where there is none."""
    from memdesk.core import layouts
    from memdesk.core.model import Document

    layout = layouts.get(store.layout)
    place = layout.classify(store, path)
    data = None if place is None else read(path)
    if place is None or data is None:
        return None
    known = workspace.documents.get(path)
    made = Document(path, store, place, data, layout.entries, problem=problem(data))
    if known is None or made.problem is not None:
        return made
    return known if known.data == data else known.after(data)


def _draft(workspace: Workspace, known: Mapping[str, Document | None]) -> Draft:
    """A draft over a workspace in which these documents are as they are known to be."""
    from memdesk.core.draft import Draft
    from memdesk.core.model import Workspace

    documents = {**workspace.documents, **{path: document for path, document in known.items() if document is not None}}
    for path in (path for path, document in known.items() if document is None):
        documents.pop(path, None)
    return Draft(Workspace(workspace.tree, workspace.stores, documents, [], [], workspace.reading))


_Read = tuple[Counter[tuple[object, ...]], int]  # the inventory of a text, and how much of it is glued


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
    """Headings, and first bullets of a list, that stand right below a line of text: the blank line above them went with what
    they would come back beside, and would come back elsewhere."""
    data = document.data
    starts = {block.start for block in document.page.blocks if block.kind == "heading"}
    ends = {entry.end for entry in document.entries}
    starts |= {entry.start for entry in document.entries if entry.kind == "bullet" and entry.start not in ends}
    above = (data[:start].rsplit(b"\n", 2)[-2:-1] for start in starts)
    return sum(bool(line and line[0].strip()) for line in above)
