"""Terms of a glossary, in any of its forms: headings, bold paragraphs and bullets, rows of a table, definition lines."""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document

_BOLD = lazy(r"[ \t]*+(\*\*|__)(?P<term>[^*\n]{1,200}?)(?:\1[ \t]*+(?P<mark>:|[-\u2013\u2014](?=\s))|:\1)[ \t]*+")
_AVOID = lazy(r"^[ \t]*+(?:[-*+][ \t]++)?[_*]{0,2}+Avoid:?[_*]{0,2}+:?[ \t]*+(?P<list>[^\n]*+)", re.MULTILINE | re.IGNORECASE)
_ROW = lazy(r"[ \t]*+\|?(?P<one>(?:[^|\\\n]|\\.)*+)\|(?P<two>(?:[^|\\\n]|\\.)*+)\|?[ \t\r]*+\Z")
_RULE = lazy(r"[ \t]*+\|?[ \t]*+:?-+:?[ \t]*+\|[ \t]*+:?-+:?[ \t]*+\|?[ \t\r]*+\Z")
_HEADERS = frozenset({"term", "word", "name"})


def terms(document: Document) -> list[Entry]:
    """The terms of a document, in source order."""
    return _Reading(document).terms()


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.page: Page = document.page
        self.candidate = document.place.role == "terms"
        self.found: list[Entry] = []
        self.above: list[tuple[int, str]] = []

    def terms(self) -> list[Entry]:
        blocks = self.page.blocks
        at = 0
        while at < len(blocks):
            block = blocks[at]
            after = self._below(at)
            if block.kind == "heading" and not block.depth:
                at = self._heading(at)
                continue
            if block.kind == "item" and not block.depth:
                self._item(block)
            elif block.kind == "paragraph" and not block.depth:
                after = self._paragraph(at)
            at = after
        return self.found

    def _heading(self, at: int) -> int:
        """A heading of level 2 or 3 is a term where text of its own follows; one that groups terms is none."""
        blocks, block = self.page.blocks, self.page.blocks[at]
        title = " ".join(self.page.title(block).split())
        while self.above and self.above[-1][0] >= block.level:
            self.above.pop()
        stop = at + 1
        while stop < len(blocks) and not (blocks[stop].kind == "heading" and not blocks[stop].depth):
            stop += 1
        below = blocks[at + 1 : stop]
        if block.level in (2, 3) and below and not self._groups(below) and not self._has_below(block, stop):
            last = max(below, key=lambda one: one.end)
            self._add("section", block.start, last.end, block.line, last.end_line, title, self._text(block.end, last.end))
            return stop
        self.above.append((block.level, title))
        return at + 1

    def _groups(self, below: list[Block]) -> bool:
        """Whether the blocks below a heading are terms themselves."""
        return any(block.depth == 0 and block.kind in ("paragraph", "item") and self._begins(block) for block in below)

    def _begins(self, block: Block) -> bool:
        """Whether a term begins with this block."""
        return bool(_BOLD.match(self._text(*block.inner))) or self._table(block) or self._defined(block)

    def _has_below(self, block: Block, stop: int) -> bool:
        """Whether a level-2 heading heads level-3 ones, which then are the terms."""
        blocks = self.page.blocks
        return block.level == 2 and stop < len(blocks) and blocks[stop].level == 3

    def _item(self, block: Block) -> None:
        self._bold("bullet", block, block.inner[0])

    def _bold(self, kind: str, block: Block, start: int, end: int | None = None, end_line: int | None = None) -> bool:
        text = self._text(start, end or block.end)
        match = _BOLD.match(text)
        if match is None:
            return False
        name = match["term"].strip().rstrip(":").strip()
        if not name or name.casefold() == "avoid":
            return False
        self._add(kind, block.start, end or block.end, block.line, end_line or block.end_line, name, text[match.end() :])
        return True

    def _paragraph(self, at: int) -> int:
        block = self.page.blocks[at]
        if self._table(block):
            self._rows(block)
        elif self._defined(block):
            self._definition(block)
        else:
            stop, last = self._body(at)
            if self._bold("body", block, block.start, last.end, last.end_line):
                return stop
        return self._below(at)

    def _body(self, at: int) -> tuple[int, Block]:
        """What belongs to a bold paragraph: what follows up to the next term, heading or rule."""
        blocks = self.page.blocks
        last = blocks[at]
        stop = self._below(at)
        while stop < len(blocks):
            block = blocks[stop]
            if block.kind in ("heading", "rule") or block.depth:
                break
            if block.kind in ("paragraph", "item") and self._begins(block):
                break
            last = block
            stop = self._below(stop)
        return stop, last

    def _table(self, block: Block) -> bool:
        text = self.page.text[block.start : block.end]
        first, _, rest = text.partition("\n")
        if "|" not in first:
            return False
        head, rule = _ROW.match(first), _RULE.match(rest.partition("\n")[0])
        return head is not None and rule is not None and head["one"].strip(" \t*_`").casefold() in _HEADERS

    def _rows(self, block: Block) -> None:
        at, line = block.start, block.line
        while at < block.end:
            stop = self.page.text.find("\n", at, block.end)
            stop = block.end if stop < 0 else stop + 1
            if line > block.line + 1:
                match = _ROW.match(self._text(at, stop).rstrip("\n"))
                if match is not None and match["one"].strip(" \t*_`"):
                    name = match["one"].strip(" \t*_`").replace("\\|", "|")
                    self._add("row", at, stop, line, line, name, match["two"].replace("\\|", "|"))
            at, line = stop, line + 1

    def _defined(self, block: Block) -> bool:
        rest = self._text(block.start, block.end).partition("\n")[2]
        return rest.lstrip(" \t").startswith(": ")

    def _definition(self, block: Block) -> None:
        name, _, text = self._text(block.start, block.end).partition("\n")
        said = "\n".join(row.strip().removeprefix(": ") for row in text.split("\n"))
        self._add("body", block.start, block.end, block.line, block.end_line, name.strip().strip("*_`"), said)

    def _below(self, at: int) -> int:
        blocks, end = self.page.blocks, self.page.blocks[at].end
        at += 1
        while at < len(blocks) and blocks[at].start < end:
            at += 1
        return at

    def _text(self, start: int, end: int) -> str:
        return self.page.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")

    def _add(self, kind: str, start: int, end: int, line: int, end_line: int, name: str, text: str) -> None:
        avoid = _AVOID.search(text)
        said = text if avoid is None else text[: avoid.start()] + text[avoid.end() :]
        known = {"term": name, "title": name, "text": said.strip(), "avoid": avoid["list"].strip() if avoid else ""}
        self.found.append(
            Entry(
                self.document, kind=kind, start=start, end=end, line=line, end_line=end_line, heading=name,
                heading_path=tuple(title for _, title in self.above), candidate=self.candidate, fields=known,
            )
        )
