"""The Markdown reader: bytes to blocks with exact places. It agrees with CommonMark on where blocks begin and end, and
renders nothing.

Text is decoded as latin-1, so that an index is a byte offset; decode a span of `Page.data` to show it. The size cap is
the caller's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from memdesk.core import blocks as scanner
from memdesk.core.lean import NamedTuple
from memdesk.core.openblocks import Block

__all__ = ["Block", "Page", "Section", "Unclosed", "parse"]

_BOM = "\xef\xbb\xbf"


class Unclosed(NamedTuple):
    """A block at the top that never closes: `kind` is "fence", "comment", "html" or "front matter"; `line` is 1-based.
    Nothing at or after `start` may be edited."""

    kind: str
    line: int
    start: int


class Section(NamedTuple):
    """A heading at the top with what it heads: all up to the next heading of its level or above.

    `start` to `end` are whole lines with the heading, up to the last non-blank one; `blocks` are indices into
    `Page.blocks` of all that is below the heading."""

    heading: Block
    start: int
    end: int
    blocks: range


class Page:
    """One text with its blocks. A value: nothing in it changes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = text = data.decode("latin-1")
        self.bom = len(_BOM) if text.startswith(_BOM) else 0
        self.front: tuple[int, int] | None = None  # its raw span, both fence lines included
        self.unclosed: Unclosed | None = None
        self.faults: list[tuple[str, int, str]] = []  # (rule, 1-based line, message); `unclosed` is not repeated here
        if text.startswith("---", self.bom):
            self._read_front()
        start = self.front[1] if self.front else self.bom
        scan = scanner.scan(text, start, text.count("\n", 0, start) + 1)
        self.blocks = scan.blocks  # flat, in document order
        self.locked = scan.locked  # spans that no edit may touch
        self.faults += scan.faults
        if scan.unclosed and not self.unclosed:
            self.unclosed = Unclosed(*scan.unclosed)
        crlf = text.count("\r\n")
        self.newline = "\r\n" if crlf > text.count("\n") - crlf else "\n"  # the majority; LF where there is none

    def _read_front(self) -> None:
        from memdesk.core import frontmatter

        found = frontmatter.locate(self.text, self.bom)
        self.front = found.span
        self.faults += found.faults
        if found.unclosed:
            self.unclosed = Unclosed("front matter", 1, self.bom)

    @cached_property
    def _feeds(self) -> list[int]:
        return [match.end() for match in re.finditer("\n", self.text)]

    def line_of(self, offset: int) -> int:
        """The 1-based line that a byte offset is on, counted at LF as git does."""
        return bisect_right(self._feeds, offset) + 1

    def sections(self, level: int) -> list[Section]:
        """The sections under headings of `level` at the top, in order."""
        found = []
        tops = [index for index, block in enumerate(self.blocks) if block.kind == "heading" and not block.depth]
        for place, index in enumerate(tops):
            if self.blocks[index].level == level:
                after = (tops[at] for at in range(place + 1, len(tops)) if self.blocks[tops[at]].level <= level)
                stop = next(after, len(self.blocks))
                end = max(block.end for block in self.blocks[index:stop])
                found.append(Section(self.blocks[index], self.blocks[index].start, end, range(index + 1, stop)))
        return found

    def title(self, block: Block) -> str:
        """A block's inner text as UTF-8, bytes that are none replaced; the lines of a heading joined by a space."""
        raw = self.data[block.inner[0] : block.inner[1]].decode("utf-8", "replace")
        return re.sub(r"(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*", " ", raw) if block.kind == "heading" else raw


def parse(data: bytes) -> Page:
    """Reads a text. Never fails: what is wrong with it is in `Page.faults`, `Page.unclosed` and `Page.locked`."""
    return Page(data)
