"""What is open while a text is scanned: containers within each other, at most one leaf, and the blocks reported so far.

`blocks.py` decides what a line means; here blocks are opened, continued and closed, with their exact places.
"""

from __future__ import annotations

from memdesk.core import blockstarts as starts
from memdesk.core.lean import NamedTuple

DEEPEST = 100  # containers within each other; what nests deeper is one block that is not edited

PARAGRAPH, FENCE, HTML, CODE = 1, 2, 3, 4  # the open leaf; 0 is none
_TEXTS = ("paragraph", "heading", "definition")  # kinds whose inner span is that of their item
HTML_TILL_BLANK = 6  # HTML blocks of this kind and the next end at a blank line, the others at a mark


class Block(NamedTuple):
    """One block with its exact place. `start` and `end` are whole lines: `end` is after the last non-blank line, its line
    ending included. A first child shares its item's first line, and so its `start`."""

    kind: str  # "heading", "paragraph", "item", "fence", "code", "html", "quote", "rule" or "definition"
    level: int  # of a heading, 1 to 6; else 0
    depth: int  # 0 at the top, one more for each enclosing item
    start: int
    end: int
    line: int  # 1-based, at LF alone
    end_line: int
    inner: tuple[int, int]  # its content: a heading's text, an item's first paragraph, a fence's body; else its lines, trimmed
    marker: str  # "-", "*", "+", "1.", "2)" | "#", "=", "-" | "```", "~~~~" | kind of HTML block, "2" for a comment | ">"
    parent: int  # index of the enclosing item, or -1


class Container(NamedTuple):
    """An open item or quote. `width`: columns that its lines are indented by, -1 for a quote. `block`: the index of
    its block, or -1 inside a quote, where nothing is reported."""

    width: int
    block: int
    start: int
    line: int
    marker: str
    content: tuple[int, int]


class OpenBlocks:
    """The state of a scan of `text` from `start`, which begins line `line`."""

    def __init__(self, text: str, start: int, line: int) -> None:
        self.real = text
        # The same offsets, one line ending: a CR before LF becomes a trailing blank, which means nothing to a block.
        self.text = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
        self.lone_cr = "\r" in text and self.text.count("\n") != text.count("\n")
        self.size = len(text)
        self.at = start  # where the line begins
        self.stop = start  # where it ends, its line feed not included
        self.line = line
        self.blocks: list[Block] = []
        self.stack: list[Container] = []
        self.quotes = 0  # quotes on the stack
        self.childless = False  # the innermost container is an item with nothing in it yet
        self.last = start  # after the last non-blank line so far
        self.last_line = line
        self.leaf = 0
        self.leaf_at = start
        self.leaf_line = line
        self.leaf_inner = start  # where its content begins
        self.leaf_marker = ""
        self.pieces: list[tuple[int, int]] | None = None  # content of a paragraph that may begin with definitions
        self.no_rule = ("", 0)  # a character, and an offset before which no rule made of it begins
        self.deep_line = 0
        self.unclosed: tuple[str, int, int] | None = None
        self.locked: list[tuple[int, int]] = []
        self.faults: list[tuple[str, int, str]] = []

    def next_line(self) -> None:
        stop = self.stop
        self.at = stop + 1
        if not self.lone_cr or (stop < self.size and self.real[stop] == "\n"):
            self.line += 1

    def skip_to(self, stop: int) -> None:
        """Goes on to the line that ends at `stop`."""
        if stop > self.stop:
            self.line += self.real.count("\n", self.stop, stop)
            self.stop = stop

    def mark(self) -> None:
        """The line is part of the open blocks and not blank."""
        stop = self.stop
        self.last = stop + 1 if stop < self.size else stop
        self.last_line = self.line

    def push(self, width: int, marker: str, content: tuple[int, int]) -> None:
        index = -1
        if not self.quotes:
            index = len(self.blocks)
            self.blocks.append(PENDING)
        self.stack.append(Container(width, index, self.at, self.line, marker, content))
        self.quotes += width < 0
        self.childless = False

    def open(self, leaf: int, inner: int, marker: str = "") -> None:
        self.leaf, self.leaf_at, self.leaf_line, self.leaf_inner, self.leaf_marker = leaf, self.at, self.line, inner, marker
        self.childless = False
        self.mark()

    def extend(self, pos: int) -> None:
        """Adds the line to the open paragraph, and with it the lines below that can only continue it, whatever their
        indentation: they begin no block."""
        match = starts.PARAGRAPH_END.search(self.text, self.stop)
        self.skip_to(match.start() if match else self.size)
        if self.pieces is not None:
            self.pieces.append((pos, self.stop))
        self.mark()

    def run_fence(self) -> None:
        """A fence at the top, whole."""
        mark = self.leaf_marker
        for end in starts.FENCE_END_LINE.finditer(self.text, self.stop):
            if end[1][0] == mark[0] and len(end[1]) >= len(mark):
                self.skip_to(end.end())
                self.mark()
                self.close_leaf(end.start() + 1)
                return
        self._run_out()

    def end_html(self, pos: int) -> None:
        """Closes the HTML block if its end is here; at the top, goes there."""
        kind = int(self.leaf_marker)
        if kind >= HTML_TILL_BLANK:
            if not self.stack:
                blank = starts.BLANK_LINE.search(self.text, self.stop)
                self.skip_to(blank.start() if blank else self.size)
                self.mark()
            return
        end = starts.HTML_END[kind - 1].search(self.text, pos, self.stop if self.stack else self.size)
        if end:
            stop = self.text.find("\n", end.end())
            self.skip_to(self.size if stop < 0 else stop)
            self.mark()
            self.close_leaf(self.last)
        elif not self.stack:
            self._run_out()

    def _run_out(self) -> None:
        """The leaf never closes: the rest of the text is its."""
        stop = self.text.find("\n", self.trimmed(self.at, self.size))
        if stop >= 0:
            self.skip_to(max(stop, self.stop))
            self.mark()
        self.skip_to(self.size)
        if stop < 0:
            self.mark()

    def _define(self) -> bool:
        """Reports the definitions that the paragraph begins with; whether any of its text is left."""
        if self.pieces is None:
            return True
        from memdesk.core.definitions import definitions

        lines: list[tuple[int, int]] = []
        for start, stop in self.pieces:
            while start <= stop:
                end = self.text.find("\n", start, stop)
                end = stop if end < 0 else end
                lines.append((start, end))
                start = starts.INDENT.match(self.text, end + 1).end() if end < stop else stop + 1  # type: ignore[union-attr]
        self.pieces = None
        content = "\n".join(self.text[start:end] for start, end in lines)
        used = 0
        for start, end, label in definitions(content):
            count = content.count("\n", start, end) + (end == len(content) and not content.endswith("\n", start, end))
            first, last = lines[used], lines[used + count - 1]
            used += count
            end_line = self.leaf_line + self.real.count("\n", self.leaf_at, last[1])
            stop = min(last[1] + 1, self.size)
            inner = (first[0], self.trimmed(first[0], last[1]))
            self.emit("definition", 0, self.leaf_at, self.leaf_line, inner, label, stop, end_line)
            self.leaf_line = self.leaf_line + self.real.count("\n", self.leaf_at, stop)
            self.leaf_at = stop
        if used == len(lines):
            return False
        self.leaf_inner = lines[used][0]
        return True

    def close_leaf(self, inner_end: int | None = None) -> None:
        """Reports the open leaf; `inner_end` is the end of a fence's body, or of HTML, that was closed by its mark."""
        leaf, self.leaf = self.leaf, 0
        if leaf == PARAGRAPH:
            if self._define():
                self._emit_leaf("paragraph")
        elif leaf == CODE:
            self._emit_leaf("code")
        else:
            closes = leaf == FENCE or int(self.leaf_marker) < HTML_TILL_BLANK
            if closes and inner_end is None:
                self._never_closed("fence" if leaf == FENCE else "comment" if self.leaf_marker == "2" else "html")
            if leaf == FENCE:
                inner = (self.leaf_inner, max(self.leaf_inner, self.last if inner_end is None else inner_end))
                self.emit("fence", 0, self.leaf_at, self.leaf_line, inner, self.leaf_marker)
            else:
                self._emit_leaf("html")

    def _emit_leaf(self, kind: str) -> None:
        inner = (self.leaf_inner, self.trimmed(self.leaf_inner, self.last))
        self.emit(kind, 0, self.leaf_at, self.leaf_line, inner, self.leaf_marker)

    def emit(
        self, kind: str, level: int, start: int, line: int, inner: tuple[int, int], marker: str, end: int = 0, end_line: int = 0
    ) -> None:
        self.childless = False
        if not self.quotes:
            stack = self.stack
            self.blocks.append(Block(
                kind, level, len(stack), start, end or self.last, line, end_line or self.last_line, inner, marker,
                stack[-1].block if stack else -1,
            ))  # fmt: skip

    def _never_closed(self, kind: str) -> None:
        if self.quotes:
            return
        if self.stack:
            message = f"This {kind} never closes; it ends with the list item that it is in."
            self.faults.append(("unclosed-block", self.leaf_line, message))
        else:
            self.unclosed = (kind, self.leaf_line, self.leaf_at)

    def close_to(self, count: int) -> None:
        """Closes the open leaf, and the containers but the outermost `count`."""
        if self.leaf:
            self.close_leaf()
        stack, blocks = self.stack, self.blocks
        while len(stack) > count:
            width, index, start, line, marker, content = stack.pop()
            self.childless = False
            self.quotes -= width < 0
            if index < 0:
                continue
            first = blocks[index + 1] if width >= 0 and index + 1 < len(blocks) else None
            inner = first.inner if first and first.kind in _TEXTS else (content[0], self.trimmed(*content))
            blocks[index] = Block(
                "quote" if width < 0 else "item", 0, len(stack), start, self.last, line, self.last_line, inner, marker,
                stack[-1].block if stack else -1,
            )  # fmt: skip
            if self.deep_line and not stack:
                del blocks[index + 1 :]
                self.locked.append((start, self.last))
                message = f"Nested deeper than {DEEPEST} levels: shown as one block, never edited."
                self.faults.append(("nesting", self.deep_line, message))
                self.deep_line = 0

    def trimmed(self, start: int, end: int) -> int:
        """`end` moved back over white space, to `start` at most."""
        return start + len(self.text[start:end].rstrip(" \t\n"))


PENDING = Block("item", 0, 0, 0, 0, 0, 0, (0, 0), "", -1)
