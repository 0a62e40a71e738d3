"""Terms of a glossary, in any of its forms: headings, bold paragraphs and bullets, rows of a table, definition lines.

One file may mix all but the first: where bold words, rows or definitions stand below headings, the headings group them.
"""

from __future__ import annotations

import re

from memdesk.core import strikes
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document

HEADERS = frozenset({"term", "word", "name"})  # of a table's first column
# Headings that no word of a domain has: what is below them tells of terms, or is no term at all.
GROUPS = frozenset({
    "contents", "definitions", "glossary", "introduction", "language", "overview", "references", "table of contents",
    "terminology", "terms", "vocabulary", "words",
})  # fmt: skip
BESIDE = frozenset({"example dialogue", "examples", "flagged ambiguities", "open questions", "relationships", "see also"})
# Bold words that begin a paragraph about a term, and are none themselves.
LABELS = frozenset({"avoid", "example", "examples", "note", "notes", "see", "see also", "source", "tip", "warning"})

_BOLD = lazy(
    r"[ \t]*+(?:~~)?+(?P<mark>\*\*|__)(?P<term>[^*\n]{1,200}?)"
    r"(?:(?P=mark)[ \t]{0,8}+(?::|[-\u2013\u2014](?=\s))|:(?P=mark))[ \t]*+"
)
_AVOID = lazy(
    r"(?:^[ \t]*+(?:[-*+][ \t]++)?+|(?<=[\s.;(]))(?P<mark>[_*]{1,2}+)Avoid(?::[ \t]?(?P=mark)|(?P=mark)[ \t]?:)[ \t]*+"
    r"(?P<list>[^\n]*+)|^[ \t]*+(?:[-*+][ \t]++)?+Avoid:[ \t]++(?P<plain>[^\n]*+)",
    re.MULTILINE | re.IGNORECASE,
)
_ROW = lazy(r"[ \t]*+\|?(?P<one>(?:[^|\\\n]|\\[^\n])*+)\|(?P<two>(?:[^|\\\n]|\\[^\n])*+)\|?[ \t\r]*+\Z")
_RULE = lazy(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+\|[ \t]*+:?-++:?[ \t]*+\|?[ \t\r]*+\Z")


def terms(document: Document) -> list[Entry]:
    """The terms of a document, in source order."""
    return _Reading(document).terms()


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.page: Page = document.page
        self.tops = [block for block in self.page.blocks if not block.depth]
        self.begins = [self._begins(block) for block in self.tops]
        self.headings = not any(self.begins) or not self._grouped()
        self.found: list[Entry] = []
        self.above: list[tuple[int, str]] = []  # (level, title) of the headings above

    def terms(self) -> list[Entry]:
        at = 0
        beside = 0  # the level of the heading whose section holds no terms
        while at < len(self.tops):
            block = self.tops[at]
            if block.kind == "heading":
                beside = 0 if block.level <= beside else beside
                title = self._title(block)
                while self.above and self.above[-1][0] >= block.level:
                    self.above.pop()
                if not beside and title.casefold() in BESIDE:
                    beside = block.level
                stop = at + 1
                if not beside and self.headings:
                    stop = self._section(at, title)
                if stop == at + 1:
                    self.above.append((block.level, title))
                at = stop
            else:
                at = at + 1 if beside or not self.begins[at] else self._term(at)
        return self.found

    def _grouped(self) -> bool:
        """Whether a term that begins by itself stands in the first place below a heading, or two stand below one, or one
        below none: then headings are no terms."""
        below = first = 0
        headed = False
        for block, begins in zip(self.tops, self.begins, strict=True):
            if block.kind == "heading":
                headed = block.level > 1
                below = first = 0
                continue
            first += 1
            if begins:
                below += 1
                if not headed or first == 1 or below == 2:
                    return True
        return False

    def _begins(self, block: Block) -> str:
        """How a term begins with this block: "bold", "table", "defined", or "" for none."""
        if block.kind == "item":
            return "bold" if self._name(self._text(block.inner[0], block.end)) else ""
        if block.kind != "paragraph":
            return ""
        text = self._text(block.start, block.end)
        if self._name(text):
            return "bold"
        first, _, rest = text.partition("\n")
        if "|" in first and _is_table(first, rest.partition("\n")[0]):
            return "table"
        return "defined" if any(row.lstrip(" \t").startswith(": ") for row in rest.split("\n")) else ""

    def _section(self, at: int, title: str) -> int:
        """A heading of level 2 or 3 with text of its own is a term, up to the next heading of level 3 or above."""
        block = self.tops[at]
        stop = at + 1
        while stop < len(self.tops) and not (self.tops[stop].kind == "heading" and self.tops[stop].level <= 3):
            stop += 1
        parent = block.level == 2 and stop < len(self.tops) and self.tops[stop].level == 3
        if block.level not in (2, 3) or stop == at + 1 or parent or title.casefold() in GROUPS:
            return at + 1
        last = self.tops[stop - 1]
        text = self._text(block.end, last.end)
        name = strikes.unstruck(title)
        self._add("section", block.start, last.end, block.line, last.end_line, name, text, strikes.is_struck(title))
        return stop

    def _term(self, at: int) -> int:
        block, how = self.tops[at], self.begins[at]
        if how == "table":
            self._rows(block)
        elif how == "defined":
            self._definitions(block)
        elif block.kind == "item":
            self._bold("bullet", block, block.inner[0], block)
        else:
            stop = at + 1
            while stop < len(self.tops) and self.tops[stop].kind not in ("heading", "rule") and not self.begins[stop]:
                stop += 1
            self._bold("body", block, block.start, self.tops[stop - 1])
            return stop
        return at + 1

    def _bold(self, kind: str, block: Block, start: int, last: Block) -> None:
        text = self._text(start, last.end)
        struck = strikes.is_struck(text)
        match = _BOLD.match(text)
        if match is not None:
            said = strikes.unstruck(text) if struck else text
            body = said[match.end() - (2 if struck else 0) :]
            name = match["term"].strip().rstrip(":").strip()
            self._add(kind, block.start, last.end, block.line, last.end_line, name, body, struck)

    def _rows(self, block: Block) -> None:
        for line, (start, end) in enumerate(self._lines(block), block.line):
            match = _ROW.match(self._text(start, end).rstrip("\n")) if line > block.line + 1 else None
            if match is not None:
                name = match["one"].replace("\\|", "|").strip()
                struck = strikes.is_struck(name)
                name = strikes.unstruck(name).strip(" \t*_`")
                if name:
                    self._add("row", start, end, line, line, name, match["two"].replace("\\|", "|"), struck)

    def _definitions(self, block: Block) -> None:
        """Lines that `: text` follows are terms; each goes on to the next."""
        rows = self._lines(block)
        texts = [self._text(start, end).strip() for start, end in rows]
        marks = [at for at in range(len(rows) - 1) if not texts[at].startswith(": ") and texts[at + 1].startswith(": ")]
        for place, at in enumerate(marks):
            stop = marks[place + 1] if place + 1 < len(marks) else len(rows)
            said = "\n".join(text.removeprefix(": ") for text in texts[at + 1 : stop])
            struck = strikes.is_struck(texts[at])
            name = strikes.unstruck(texts[at]).strip(" *_`")
            self._add("body", rows[at][0], rows[stop - 1][1], block.line + at, block.line + stop - 1, name, said, struck)

    def _lines(self, block: Block) -> list[tuple[int, int]]:
        found, at = [], block.start
        while at < block.end:
            stop = self.page.text.find("\n", at, block.end) + 1 or block.end
            found.append((at, stop))
            at = stop
        return found

    def _title(self, block: Block) -> str:
        return " ".join(self.page.title(block).split())

    def _name(self, text: str) -> str:
        match = _BOLD.match(text)
        name = match["term"].strip().rstrip(":").strip() if match else ""
        return "" if name.casefold() in LABELS else name

    def _text(self, start: int, end: int) -> str:
        return self.page.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")

    def _add(self, kind: str, start: int, end: int, line: int, end_line: int, name: str, text: str, struck: bool) -> None:
        avoid = _AVOID.search(text)
        said = text if avoid is None else text[: avoid.start()] + text[avoid.end() :]
        listed = "" if avoid is None else (avoid["list"] or avoid["plain"] or "").strip().rstrip(")")
        known = {"term": name, "title": name, "text": said.strip(), "avoid": listed}
        candidate = self.document.place.role == "terms" and not struck
        self.found.append(
            Entry(
                self.document, kind=kind, start=start, end=end, line=line, end_line=end_line, heading=name,
                heading_path=tuple(title for _, title in self.above), candidate=candidate, struck=struck, fields=known,
            )
        )


def _is_table(first: str, second: str) -> bool:
    head = _ROW.match(first) if _RULE.match(second) else None
    return head is not None and head["one"].strip(" \t*_`").casefold() in HEADERS
