"""What an entry is in each file of this layout (docs/agent-memory.md).

Bullets and paragraphs each stand for themselves; a heading that is a version (struck, or with a tag) takes in what is below
it. In working notes an untagged bullet that only groups tagged ones is no entry of its own: the tagged ones are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core import fields, strikes
from memdesk.core.layouts.agent_memory.facts import tag_pattern
from memdesk.core.layouts.texts import HEADING_WIDTH, item_text, one_line
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.layouts.agent_memory.lint import Lint
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document

WORKING = frozenset({"note", "context"})


class Parts(NamedTuple):
    """A fact's text in its parts. `text` is what it says: without tag, provenance, pointer, strike and emphasis around it."""

    text: str
    tag: str | None
    date: str | None
    source: str | None
    pointer: str | None
    struck: bool
    kind: str | None = None  # what a candidate is for, as its bracket says
    reason: str | None = None


def entries(document: Document) -> list[Entry]:
    """The entries of a document, in source order; an index has none: it points and states nothing."""
    if document.place.role == "index":
        return []
    return list(_Reading(document).entries())


def parts(text: str, tags: tuple[str, ...] = fields.TAGS) -> Parts:
    """A fact's text (an item's without its marker, a paragraph's) taken apart. `tags`: those of the store's settings."""
    struck = strikes.struck_span(text)
    first, rest = _first_paragraph(text) if "\n" in text else (text, "")
    inner = first if struck is None else text[struck[0] : struck[1]]
    masked = strikes.mask_code(first)
    tag = tag_pattern(tags)
    match = tag.search(masked)
    source = None
    if "from" in inner:
        plain = strikes.mask_code(inner)
        source = _SOURCE.search(plain) or _FROM.search(plain)
    pointer = _POINTER.search(first) if "\u2192" in first else None
    if pointer is not None and masked[pointer.start() + 1] != "\u2192":  # an arrow in code is text
        pointer = None
    date = fields.newest_date(inner) or (None if inner is first else fields.newest_date(first))
    said = inner if pointer is None or struck else inner[: pointer.start()]
    said = _bare(said, tag)
    found = None if source is None else inner[source.start(1) : source.end(1)]
    closing = inner if pointer is None or struck else inner[: pointer.start()]
    bracket = _PROVENANCE.search(closing) if closing.rstrip().endswith(")") else None
    known = dict(_KNOWN.findall(bracket[0][:-1])) if bracket else {}
    if rest.strip():
        said += rest.rstrip()
    return Parts(
        said, match[1] if match else None, date, found.strip(" .,;") if found else None,
        pointer[1].strip("`") if pointer else None, struck is not None, known.get("for"), known.get("reason"),
    )


def note_date(path: str) -> str | None:
    """The date that a note's file name begins with."""
    name = path.rpartition("/")[2]
    return name[:10] if fields.is_date(name[:10]) else None


_SOURCE = lazy(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[,;:]?\s+from:?\s+([^)\]\[*~;\n]+)")
_FROM = lazy(r"\(from:?\s+([^();\n]+)[);]")
_POINTER = lazy(r"\s\u2192\s+(`?[^\s`]+(?:\.md|/)`?)\s*\Z")
_PROVENANCE = lazy(r"\s*\((?:[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[,;][^()]*(?:\([^()]*\)[^()]*)*)?\)\s*\Z")
_KNOWN = lazy(r";\s*(for|reason):\s*([^;]+)(?=;|\s*\)?\s*\Z)")
_BOLD = lazy(r"(\*\*|__)(.+?)\1", re.DOTALL)
_NESTED = lazy(r"\n[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]|\n[ \t]*\n")
_ATTACHED = frozenset({"fence", "code", "quote"})


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.page: Page = document.page
        self.role = document.place.role
        self.working = self.role in WORKING
        lint: Lint = document.store.settings
        self.tags = lint.tags
        self.dated = note_date(document.path) if self.working else None
        self.above: list[tuple[int, str]] = []  # (level, title) of the headings above

    def entries(self) -> Iterator[Entry]:
        blocks = self.page.blocks
        index = 0
        last: Entry | None = None
        while index < len(blocks):
            block = blocks[index]
            stop = self._below(index)
            if block.kind == "heading":
                if last is not None:
                    yield last
                last = None
                title = one_line(self.document, block)
                while self.above and self.above[-1][0] >= block.level:
                    self.above.pop()
                if not self.working and self._is_version(title):
                    end = self._section_end(index)
                    yield self._section(block, blocks[index : end], title)
                    index = end
                    continue
                self.above.append((block.level, strikes.unstruck(title)))
            elif block.kind == "item":
                if last is not None:
                    yield last
                *before, last = self._item(index, stop, ())
                yield from before
            elif block.kind == "paragraph" or (block.kind in _ATTACHED and last is None):
                if last is not None:
                    yield last
                last = self._paragraph(block)
            elif block.kind in _ATTACHED and last is not None:
                last.end, last.end_line = block.end, block.end_line
            index = stop
        if last is not None:
            yield last

    def _below(self, index: int) -> int:
        """The index of the first block after one with all that is inside it."""
        blocks, end = self.page.blocks, self.page.blocks[index].end
        index += 1
        while index < len(blocks) and blocks[index].start < end:
            index += 1
        return index

    def _section_end(self, index: int) -> int:
        blocks, level = self.page.blocks, self.page.blocks[index].level
        index += 1
        while index < len(blocks) and (blocks[index].kind != "heading" or blocks[index].depth or blocks[index].level > level):
            index += 1
        return index

    def _is_version(self, title: str) -> bool:
        return strikes.is_struck(title) or tag_pattern(self.tags).search(strikes.mask_code(title)) is not None

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.above)

    def _section(self, heading: Block, blocks: list[Block], title: str) -> Entry:
        found = parts(title, self.tags)
        last = max(blocks, key=lambda block: block.end)
        known = {"title": _flat(found.text) or title, "text": found.text}
        body = self._text(heading.end, last.end).strip()
        if body:
            known[""] = body
        return Entry(
            self.document, kind="section", start=heading.start, end=last.end, line=heading.line, end_line=last.end_line,
            heading=known["title"], heading_path=self._path, struck=found.struck, tag=found.tag, date=found.date,
            source=found.source, fields=known,
        )

    def _paragraph(self, block: Block) -> Entry:
        text = self._text(block.start, block.end).rstrip()
        return self._entry(block, text, "body", self._path)

    def _item(self, index: int, stop: int, path: tuple[str, ...]) -> list[Entry]:
        """An item as an entry; in a working note, where it only groups tagged ones, those below it."""
        block = self.page.blocks[index]
        text = item_text(self.document, block)
        where = (*self._path, *path)
        entry = self._entry(block, text, "bullet", where)
        if not self.working or entry.tag:
            return [entry]
        children = [
            child for child in range(index + 1, stop)
            if self.page.blocks[child].kind == "item" and self.page.blocks[child].parent == index
        ]
        inner = [at for at in children if self.page.blocks[at].line > block.line]
        if not inner or len(inner) < len(children):
            return [entry]
        below = [found for at in inner for found in self._item(at, self._below(at), (*path, _flat(_first_paragraph(text)[0])))]
        return below if any(found.tag for found in below) else [entry]

    def _entry(self, block: Block, text: str, kind: str, path: tuple[str, ...]) -> Entry:
        found = parts(text, self.tags)
        shown = _flat(_first_paragraph(found.text)[0]) or _flat(text)
        candidate = self.working and found.tag is not None and not found.struck and found.pointer is None
        known = {"text": found.text}
        for label, value in (("to", found.pointer), ("for", found.kind), ("reason", found.reason)):
            if value:
                known[label] = value
        return Entry(
            self.document, kind=kind, start=block.start, end=block.end, line=block.line, end_line=block.end_line,
            heading=shown if len(shown) <= HEADING_WIDTH else shown[:HEADING_WIDTH], heading_path=path, struck=found.struck,
            candidate=candidate, tag=found.tag, date=found.date or self.dated, source=found.source, fields=known,
        )

    def _text(self, start: int, end: int) -> str:
        return self.document.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")


def _first_paragraph(text: str) -> tuple[str, str]:
    """The first paragraph of an item's text, and what follows it, line break and all."""
    match = _NESTED.search(text)
    if match is None:
        return text, ""
    return text[: match.start()], text[match.start() :]


def _bare(text: str, tag: re.Pattern[str]) -> str:
    """What a paragraph says: tags, a bracket of provenance at its end, and emphasis around all of it, taken off."""
    pieces: list[str] = []
    done = 0
    for match in tag.finditer(strikes.mask_code(text)):
        pieces.append(text[done : match.start()])
        done = match.end()
        if match.start() == 0 or text[match.start() - 1] in " \n*":
            while text[done : done + 1] == " ":
                done += 1
    text = "".join([*pieces, text[done:]]).strip()
    bracket = _PROVENANCE.search(text) if text.endswith(")") else None
    if bracket is not None and bracket.start() > 0:
        text = text[: bracket.start()]
    bold = _BOLD.fullmatch(text.strip()) if text[:1] in "*_" else None
    return (bold[2] if bold else text).strip()


def _flat(text: str) -> str:
    return " ".join(text.split())
