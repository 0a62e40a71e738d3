"""Rows of the index: one for each durable file, made and taken out in the transaction of the file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, texts
from memdesk.core.layouts.agent_memory.links import links, places
from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Store


class Row(NamedTuple):
    """A line of the index: its whole-line span, its text, the workspace-relative paths that its first link may lead to, and
    whether it is a table's."""

    start: int
    end: int
    text: str
    paths: tuple[str, ...]
    table: bool

    def names(self, store: Store, path: str) -> bool:
        """Whether it is the row of a path; one with a blank in it is no link, and is found as it is spelled."""
        inner = store.named(path)
        return path in self.paths or (not self.paths and (f"`{inner}`" in self.text or f"({inner})" in self.text))


def add(draft: Draft, store: Store, path: str, title: str, words: Mapping[str, str]) -> None:
    """A row for a new file: what it owns and when to read it, in the form of its neighbours. Raises Refused where there is
    no index, or the row would bring it over a cap."""
    document = _index(draft, store)
    inner = store.named(path)
    folder = inner.rpartition("/")[0] + "/"
    known = rows(document, store)
    if any(row.names(store, path) for row in known):
        return
    owns = texts.flat(words.get("owns") or title)
    when = texts.flat(words.get("when_read") or f"when a question is about {title}")
    for field, value in (("owns", owns), ("when", when)):
        shape.words(value, field)
    beside = [row for row in known if any(place.startswith(store.join(folder)) for place in row.paths)]
    if beside and beside[-1].table:
        cells = [cell.replace("|", "\\|") for cell in (f"`{inner}`", owns, when)]
        width = beside[-1].text.strip().strip("|").count("|") + 1
        row = "| " + " | ".join([*cells[:width], *("" for _ in range(width - 3))]) + " |"
        draft.insert(document, beside[-1].end, row, loose=False)
    else:
        _bullet(draft, document, beside, folder, f"`{inner}`: {owns}; read {when}")
    _fits(draft, document)


def remove(draft: Draft, store: Store, path: str) -> None:
    """Takes out the rows of a file that leaves."""
    document = _index(draft, store)
    for row in rows(document, store):
        if row.names(store, path):
            draft.cut_lines(document, row.start, row.end)


def rows(document: Document, store: Store) -> list[Row]:
    """The bullets and the lines of tables of an index; code blocks are text."""
    found = []
    for block in document.page.blocks:
        data = document.data[block.start : block.end]
        if block.kind == "item":
            found.append(_row(store, block.start, block.end, data.decode("utf-8", "replace").partition("\n")[0], False))
        elif block.kind == "paragraph" and not block.depth and b"|" in data:
            at = block.start
            for line in data.splitlines(keepends=True):
                if line.lstrip().startswith(b"|"):
                    found.append(_row(store, at, at + len(line), line.decode("utf-8", "replace"), True))
                at += len(line)
    return found


def _row(store: Store, start: int, end: int, text: str, table: bool) -> Row:
    first = next(links(text), None)
    return Row(start, end, text, () if first is None else tuple(places(store, first.path)), table)


def _index(draft: Draft, store: Store) -> Document:
    lint: Lint = store.settings
    path = store.join(lint.index_file)
    document = draft.look(path)
    if document is None:
        raise Refused("There is no index to keep the file's row in.", path=path, remedy="Make it first.")
    return document


def _bullet(draft: Draft, document: Document, beside: list[Row], folder: str, text: str) -> None:
    """A bullet behind the rows of the same folder; where there are none, under the heading that names the folder, else
    under a new one at the end."""
    if beside:
        marker = spans.marker(document.page, beside[-1].start)
        draft.insert(document, beside[-1].end, shape.bullet(f"{marker} {text}", "owns"), loose=False)
        return
    name = folder.rstrip("/").rpartition("/")[2]
    page = document.page
    headings = [block for block in page.blocks if block.kind == "heading" and not block.depth]
    row = shape.bullet(f"- {text}", "owns")
    pending = draft.works.get(document.path)
    made = pending is not None and any(f"## {name.capitalize()}".encode() == edit.new.strip() for edit in pending.edits)
    for at, heading in enumerate(headings):
        if name.casefold() in page.title(heading).casefold().split() and heading.level > 1:
            stop = headings[at + 1].start if at + 1 < len(headings) else len(document.data)
            inner = [block for block in page.blocks if not block.depth and heading.start <= block.start < stop]
            last = max(inner, key=lambda block: block.end)
            draft.insert(document, last.end, row, loose=last.kind != "item")
            return
    if not made:
        draft.insert(document, len(document.data), f"## {name.capitalize()}", loose=True)
    draft.insert(document, len(document.data), row, loose=not made)


def _fits(draft: Draft, document: Document) -> None:
    """Raises Refused where the index would go over one of its caps."""
    after = document.after(draft.works[document.path].apply().after)
    before = {budget.unit: budget.used for budget in document.budgets()}
    for budget in after.budgets():
        if budget.state() == "over" and budget.used > before.get(budget.unit, 0):
            raise Refused(
                f"The index would be over its cap: {budget.used} of {budget.cap} {budget.unit}.", path=document.path,
                remedy="Shorten or take out rows first.",
            )
