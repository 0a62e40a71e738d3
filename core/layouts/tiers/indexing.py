"""The index's lines as facts come, change and go: one for each, in the form that the index has (docs/tiers.md)."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from memdesk.core import frontmatter
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans
from memdesk.core.layouts.base import Reindexed
from memdesk.core.layouts.tiers import crosslinks, facts, indexlines
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.tiers.indexlines import IndexLine
    from memdesk.core.layouts.tiers.kept import Kept
    from memdesk.core.model import Document, Entry, Store

NEW = b"# Memory index\n"


class _Row(NamedTuple):
    """A line with the block and the entry that it is, and the document that it leads to (see `_Leads`)."""

    line: IndexLine
    at: int
    entry: Entry
    leads: Document | None


def add(draft: Draft, store: Store, fact: Document) -> None:
    """A line for a new fact behind its neighbours: the last of the same folder, else the last of all. Where there is no index,
    one is made. Raises Refused."""
    document = _index(draft, store)
    rows = _rows(draft, store, document)
    known = next((row for row in rows if row.leads is not None and row.leads.path == fact.path), None)
    if known is not None:  # it led nowhere so far
        _rewrite(draft, known, fact)
    else:
        _put(draft, document, rows, [fact])


def follow(draft: Draft, store: Store, fact: Document) -> None:
    """The line of a fact that changed says what the fact does now. Raises Refused."""
    document = draft.look(_path(store))
    for row in [] if document is None else _rows(draft, store, document):
        if row.leads is not None and row.leads.path == fact.path:
            _rewrite(draft, row, fact)


def remove(draft: Draft, store: Store, path: str) -> None:
    """Takes out the lines of a fact that is about to leave. Raises Refused."""
    document = draft.look(_path(store))
    for row in [] if document is None else _rows(draft, store, document):
        if row.leads is not None and row.leads.path == path:
            _cut(draft, row)


def reindex(draft: Draft, store: Store) -> Reindexed:
    """Makes the lines of facts from the facts: those that are there in place, what leads nowhere or comes twice out, what is
    missing behind the others; all else stays as it is. Raises Refused."""
    known = {document.path: document for document in draft.workspace.documents_of(store) if document.place.role == "fact"}
    for path in known:
        draft.look(path)
    if draft.look(_path(store)) is None and not known:
        return Reindexed(0, 0, 0)
    document = _index(draft, store)
    rows = _rows(draft, store, document)
    seen: set[str] = set()
    changed = out = 0
    kept = []
    for row in rows:
        path = "" if row.leads is None else row.leads.path
        if not path or path in seen:
            _cut(draft, row)
            out += 1
            continue
        kept.append(row)
        if path in known:
            seen.add(path)
            changed += _rewrite(draft, row, known[path])
    missing = [fact for path, fact in known.items() if path not in seen]
    _put(draft, document, kept, missing)
    return Reindexed(changed, len(missing), out)


def of_entry(draft: Draft, store: Store, entry: Entry) -> Document | None:
    """What a line of the index leads to."""
    return next((row.leads for row in _rows(draft, store, entry.document) if row.entry is entry), None)


def rewrite(draft: Draft, store: Store, entry: Entry) -> None:
    """A line says what its fact does, whatever stood there; one that leads to no fact goes."""
    row = next((row for row in _rows(draft, store, entry.document) if row.entry is entry), None)
    if row is None or row.leads is None or row.leads.place.role != "fact":
        draft.cut(entry)
    else:
        _rewrite(draft, row, row.leads)


def _path(store: Store) -> str:
    kept: Kept = store.settings
    return store.join(kept.index)


def _index(draft: Draft, store: Store) -> Document:
    path = _path(store)
    return draft.look(path) or draft.make(store, path, NEW)


def _rows(draft: Draft, store: Store, document: Document) -> list[_Row]:
    """The lines of an index."""
    leads = _Leads(draft, store, document)
    blocks = {block.start: at for at, block in enumerate(document.page.blocks) if block.kind == "item"}
    entries = {entry.start: entry for entry in document.entries}
    return [
        _Row(line, blocks[line.start], entries[line.start], leads.to(line))
        for line in indexlines.lines(document) if line.start in entries
    ]


class _Leads:
    """What the lines of an index lead to, as the draft has it."""

    def __init__(self, draft: Draft, store: Store, document: Document) -> None:
        self._index = document
        self._documents = draft.workspace.documents
        self._names = crosslinks.names_of(draft.workspace, store)
        self._gone = {path for path, work in draft.works.items() if work.removed}
        self._made = {path: work.document for path, work in draft.works.items() if work.before is None}

    def to(self, line: IndexLine) -> Document | None:
        """The document; the index itself for a file that is there and no memory, whose line is somebody's own; None for
        nothing."""
        path = self._names.line(self._index, line)
        if path is not None and path not in self._gone:
            return self._documents.get(path, self._index)
        if line.wiki:
            return next((one for path, one in self._made.items() if facts.stem(path) == line.target), None)
        return self._made.get(posixpath.normpath(posixpath.join(posixpath.dirname(self._index.path), line.target)))


def _put(draft: Draft, document: Document, rows: list[_Row], new: list[Document]) -> None:
    """Lines for facts, each behind the last of its own folder, else behind the last of all; in order of their paths."""
    page = document.page
    tops = [row for row in rows if not page.blocks[row.at].depth]
    last: dict[str, _Row] = {}
    for row in tops:
        if row.leads is not None and row.leads.place.role == "fact":
            last[posixpath.dirname(row.leads.path)] = row
    usual = next(reversed(last.values()), tops[-1] if tops else None) if last or tops else None
    loose = not rows or spans.are_loose(page, [page.blocks[row.at] for row in tops])
    for one in new:
        beside = last.get(posixpath.dirname(one.path), usual)
        marker, between, offset = "-", ": ", len(page.data)
        if beside is not None:
            marker, between = spans.marker(page, beside.line.start), _between(document, beside)
            offset = page.blocks[beside.at].end
        elif rows:  # all of them stand inside of other bullets
            offset = max(block.end for block in page.blocks if not block.depth and block.start <= rows[-1].line.start)
        stem = facts.stem(one.path)
        named = crosslinks.names_of(draft.workspace, one.store).named(stem)
        link = indexlines.doubled(stem) if beside is not None and beside.line.wiki and named in (None, one.path) else ""
        text = _line(link, posixpath.relpath(one.path, posixpath.dirname(document.path) or "."), one, between)
        draft.insert(document, offset, f"{marker} {text}", loose=loose, entry=True)


def _between(document: Document, row: _Row) -> str:
    """What parts link and description in a line; the usual, where it has no description or emphasis stands there."""
    where = indexlines.spans(document.page, row.at)
    text = document.data[where.link_end : where.description[0]].decode("utf-8", "replace")
    return text if text.strip() and "*" not in text and "_" not in text and "\n" not in text else ": "


def _line(link: str, target: str, document: Document, between: str) -> str:
    """A line without its marker; `link` "": one to the target, in the usual form. Raises Refused, naming the fact, for a name
    or a description that would be read as something else."""
    fact = facts.fact_of(document)
    link = link or indexlines.render(fact.name, target, "").removeprefix("- ")
    _checked(link, document.path, "name")
    text = link + between + fact.description if fact.description else link
    _checked(text, document.path)
    return text


def _checked(text: str, path: str, what: str = "description") -> None:
    try:
        shape.words(text, what)
        shape.bullet(f"- {text}", what)
    except Refused as error:
        raise Refused(
            f"Its {what} can't stand in the index. {error.message}", path=path, remedy=error.remedy, field=what
        ) from None


def _rewrite(draft: Draft, row: _Row, of: Document) -> bool:
    """Whether a line had to be changed: its description, and a name that is none of the fact's any more."""
    document = row.entry.document
    where = indexlines.spans(document.page, row.at)
    fact = facts.fact_of(of)
    changed = False
    names = {fact.name, facts.title_of(of), facts.stem(of.path)}
    if not row.line.wiki and row.line.name not in names and frontmatter.fields(of.page).get("name"):
        shown = indexlines.render(fact.name, "x", "")[len("- [") : -len("](x)")]
        draft.patch(document, *where.name, shown, row.entry)
        changed = True
    if fact.description and row.line.description != fact.description:
        _checked(f"[x](x.md): {fact.description}", of.path)
        text = fact.description if row.line.description else f": {fact.description}"
        start = where.description[0] if row.line.description else where.link_end
        draft.patch(document, start, where.description[1], text, row.entry)
        changed = True
    return changed


def _cut(draft: Draft, row: _Row) -> None:
    document = row.entry.document
    for block in document.page.blocks[row.at + 1 :]:
        if block.start >= row.line.end:
            break
        if block.kind == "item":
            raise Refused(
                "A line that has to go from the index has others inside of it.", path=document.path, line=row.line.line,
                remedy="Move those out first.",
            )
    draft.cut(row.entry)
