"""The block scanner: one pass over a text, a stack of open containers and at most one open leaf, as CommonMark's own
algorithm has it, without inlines and without recursion.

Every line is cut the same way. First the open containers are matched against its start, then what is left may begin new
blocks, then the rest is text of a leaf. Three integers say where in a line we are: `pos`, its first character that is not
blank; `col`, that character's column; `base`, the column that the containers have taken. `col - base` is the indentation.
"""

from __future__ import annotations

from typing import NamedTuple

from memdesk.core import blockstarts as starts
from memdesk.core.definitions import definitions

DEEPEST = 100  # containers within each other; what nests deeper is one block that is not edited

_PARAGRAPH, _FENCE, _HTML, _CODE = 1, 2, 3, 4  # the open leaf; 0 is none
_HTML_TILL_BLANK = 6  # HTML blocks of this kind and the next end at a blank line, the others at a mark


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


class Scan(NamedTuple):
    """What a text holds. `unclosed`: (kind, line, start) of a block at the top that never closes. `locked`: spans that
    must not be edited. `faults`: (rule, line, message)."""

    blocks: list[Block]
    unclosed: tuple[str, int, int] | None
    locked: list[tuple[int, int]]
    faults: list[tuple[str, int, str]]


class _Container(NamedTuple):
    """An open item or quote. `width`: columns that its lines are indented by, -1 for a quote. `index`: of its block, or -1
    inside a quote, where nothing is reported."""

    width: int
    index: int
    start: int
    line: int
    marker: str
    content: tuple[int, int]


def scan(text: str, start: int = 0, line: int = 1) -> Scan:
    """The blocks of `text` from offset `start`, which begins line `line`. Blocks end at LF, CRLF and lone CR; lines are
    counted at LF. Linear in the length of the text, whatever it holds."""
    return _Scanner(text, start, line).run()


class _Scanner:
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
        self.stack: list[_Container] = []
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

    def run(self) -> Scan:
        text, size = self.text, self.size
        find, indent = text.find, starts.INDENT.match
        while self.at < size:
            at = self.at
            char = text[at]
            if char in "-*+":
                if self._plain_bullets(at):
                    continue
            elif self._plain_paragraph(at):
                continue
            stop = find("\n", at)
            self.stop = stop = size if stop < 0 else stop
            if char == " " or char == "\t":
                pos = indent(text, at).end()  # type: ignore[union-attr]  # it matches ""
                col = starts.columns(text, at, pos, 0)
            else:
                pos, col = at, 0
            if pos < stop:
                self._full_line(pos, col)
            else:
                self._blank_line()
            self._next_line()
        self._close_to(0)
        return Scan(self.blocks, self.unclosed, self.locked, self.faults)

    def _plain_bullets(self, at: int) -> bool:
        """Reads the bullets at the margin that hold one paragraph each, for as long as there are some; whether there were."""
        text, size, line = self.text, self.size, self.line
        bullet, count, append = starts.PLAIN_BULLET.match, self.real.count, self.blocks.append
        match = None if self.lone_cr else bullet(text, at)
        if match is None:
            return False
        if self.leaf or self.stack:
            self._close_to(0)  # whatever is open: at the margin, a bullet ends it
        while match:
            stop = match.end()
            end, end_line = min(stop + 1, size), line + count("\n", at, stop)
            inner = (at + 2, self._trimmed(at, stop) if text[stop - 1] in " \t" else stop)
            index = len(self.blocks)
            append(Block("item", 0, 0, at, end, line, end_line, inner, text[at], -1))
            append(Block("paragraph", 0, 1, at, end, line, end_line, inner, "", index))
            self.at, self.last, self.last_line = stop + 1, end, end_line
            at, line = end, end_line + 1
            match = bullet(text, at)
        self.line = line
        return True

    def _plain_paragraph(self, at: int) -> bool:
        """Reads a paragraph at the margin; whether there was one with nothing open before it and a clear end."""
        if self.stack or self.leaf or self.lone_cr:
            return False
        match = starts.PLAIN_PARAGRAPH.match(self.text, at)
        if match is None:
            return False
        stop, line = match.end(), self.line
        self.last, self.last_line = min(stop + 1, self.size), line + self.real.count("\n", at, stop)
        inner = (at, self._trimmed(at, stop) if self.text[stop - 1] in " \t" else stop)
        self.blocks.append(Block("paragraph", 0, 0, at, self.last, line, self.last_line, inner, "", -1))
        self.at, self.line = stop + 1, self.last_line + 1
        return True

    def _next_line(self) -> None:
        stop = self.stop
        self.at = stop + 1
        if not self.lone_cr or (stop < self.size and self.real[stop] == "\n"):
            self.line += 1

    def _skip_to(self, stop: int) -> None:
        """Goes on to the line that ends at `stop`."""
        if stop > self.stop:
            self.line += self.real.count("\n", self.stop, stop)
            self.stop = stop

    def _mark(self) -> None:
        """The line is part of the open blocks and not blank."""
        self.last = min(self.stop + 1, self.size)
        self.last_line = self.line

    # Lines

    def _blank_line(self) -> None:
        if self.quotes:
            first = next(index for index, container in enumerate(self.stack) if container.width < 0)
            self._close_to(first)
        if self.childless:  # an item may begin with one blank line only
            self._close_to(len(self.stack) - 1)
        leaf = self.leaf
        if leaf == _PARAGRAPH or (leaf == _HTML and int(self.leaf_marker) >= _HTML_TILL_BLANK):
            self._close_leaf()
        run = starts.BLANK_LINES.match(self.text, self.stop + 1)
        if run and run.end() > self.stop + 1:
            end = run.end()
            self._skip_to(end - 1 if self.text[end - 1] == "\n" else end)

    def _full_line(self, pos: int, col: int) -> None:
        text = self.text
        base = matched = 0
        stack = self.stack
        for width, *_ in stack:
            if width >= 0:
                if col - base < width:
                    break
                base += width
            else:
                if col - base > 3 or pos == self.stop or text[pos] != ">":
                    break
                pos, col, base = self._past_quote(pos, col)
            matched += 1
            if pos == self.stop:  # blank behind the last quote mark: items within match, quotes don't
                matched = self._match_blank(matched)
                break
        whole = matched == len(stack)
        leaf = self.leaf
        if whole and leaf > _PARAGRAPH and self._in_leaf(pos, col - base):
            return
        if pos == self.stop:
            self._close_to(matched)
            if self.leaf == _PARAGRAPH:
                self._close_leaf()
            self._mark()
            return
        self._begin(pos, col, base, matched, whole)

    def _match_blank(self, matched: int) -> int:
        stack = self.stack
        while matched < len(stack) and stack[matched].width >= 0:
            matched += 1
        if matched == len(stack) and self.childless:
            matched -= 1
        return matched

    def _in_leaf(self, pos: int, indent: int) -> bool:
        """Whether the line belongs to the open fence, HTML or code; closes what it ends."""
        leaf, text = self.leaf, self.text
        if leaf == _FENCE:
            self._mark()
            mark = self.leaf_marker
            if indent <= 3 and text.startswith(mark, pos) and (end := starts.FENCE_END.match(text, pos)):
                if end[1][0] == mark[0] and len(end[1]) >= len(mark):
                    self._close_leaf(self.at)
            return True
        if leaf == _HTML:
            if pos == self.stop:
                if int(self.leaf_marker) >= _HTML_TILL_BLANK:
                    self._close_leaf()
                self._mark()
                return True
            self._mark()
            self._end_html(pos)
            return True
        if indent >= 4 or pos == self.stop:
            self._mark()
            return True
        self._close_leaf()
        return False

    # New blocks

    def _begin(self, pos: int, col: int, base: int, matched: int, whole: bool) -> None:
        """Opens what the rest of a line begins, else adds it to the open paragraph or begins one."""
        text = self.text
        inside = whole and self.leaf == _PARAGRAPH  # the paragraph is where the line's containers led, not left behind
        while pos < self.stop:
            if col - base >= 4:
                if self.leaf == _PARAGRAPH:
                    break
                self._close_to(matched)
                self._open(_CODE, pos)
                return
            char = text[pos]
            if char not in "#>`~<=-_*+0123456789":
                break
            if char == ">":
                if len(self.stack) >= DEEPEST:
                    self.deep_line = self.deep_line or self.line
                    break
                self._close_to(matched)
                self._push(-1, ">", (pos, self.stop))
                pos, col, base = self._past_quote(pos, col)
            elif char in "#`~<" or (inside and char in "=-" and starts.UNDERLINE.match(text, pos)):
                if self._leaf(char, pos, matched):
                    return
                if char in "=-" and not self.leaf:  # the paragraph held definitions alone
                    inside = False
                    continue
                break
            elif char in "-*_" and self._rule(char, pos, matched):
                return
            else:
                item = self._item(char, pos, col, base, matched, inside)
                if item is None:
                    break
                pos, col, base = item
            matched = len(self.stack)
            inside = False
        if self.leaf == _PARAGRAPH:
            self._extend(pos)
            return
        self._close_to(matched)
        if pos < self.stop:
            self._open(_PARAGRAPH, pos)
            self.pieces = [] if text[pos] == "[" and not starts.NO_DEFINITION.match(text, pos) else None
            self._extend(pos)
        else:
            self._mark()
            self.childless = bool(self.stack) and self.stack[-1].width >= 0

    def _leaf(self, char: str, pos: int, matched: int) -> bool:
        """A heading, fence or HTML block that begins at `pos`, or the underline of the open paragraph."""
        text = self.text
        if char == "#":
            heading = starts.HEADING.match(text, pos)
            if heading is None:
                return False
            self._close_to(matched)
            self._mark()
            inner = _heading_text(text, heading.end(), self.stop)
            self._emit("heading", len(heading[0]), self.at, self.line, inner, "#")
        elif char in "`~":
            fence = starts.FENCE.match(text, pos)
            if fence is None:
                return False
            self._close_to(matched)
            self._open(_FENCE, min(self.stop + 1, self.size), fence[1] or fence[2])
            if not self.stack:
                self._run_fence()
        elif char == "<":
            kind = starts.html_kind(text, pos)
            if not kind or (kind > _HTML_TILL_BLANK and self.leaf == _PARAGRAPH):
                return False
            self._close_to(matched)
            self._open(_HTML, pos, str(kind))
            self._end_html(pos)
        else:
            return self._underline(char)
        return True

    def _underline(self, char: str) -> bool:
        if not self._define():
            self.leaf = 0
            return False
        inner = (self.leaf_inner, self._trimmed(self.leaf_inner, self.last))
        self._mark()
        self._emit("heading", 1 if char == "=" else 2, self.leaf_at, self.leaf_line, inner, char)
        self.leaf = 0
        return True

    def _rule(self, char: str, pos: int, matched: int) -> bool:
        if self.no_rule[0] == char and pos < self.no_rule[1]:
            return False
        end = starts.RULE[char].match(self.text, pos).end()  # type: ignore[union-attr]  # it matches ""
        if end < self.stop or self.text.count(char, pos, end) < 3:
            self.no_rule = (char, end)
            return False
        self._close_to(matched)
        self._mark()
        self._emit("rule", 0, self.at, self.line, (pos, self._trimmed(pos, self.stop)), char)
        return True

    def _item(self, char: str, pos: int, col: int, base: int, matched: int, inside: bool) -> tuple[int, int, int] | None:
        """Opens an item and returns where its content begins, or None where there is none."""
        text, stop = self.text, self.stop
        if char in "-*+":
            after = pos + 1
            if after < stop and text[after] not in " \t":
                return None
        else:
            number = starts.NUMBER.match(text, pos)
            if number is None or (inside and int(number[1]) != 1):
                return None
            after = number.end()
        mark = col + after - pos
        content = starts.INDENT.match(text, after).end()  # type: ignore[union-attr]  # it matches ""
        if inside and content == stop:
            return None  # an empty item can't interrupt a paragraph
        if len(self.stack) >= DEEPEST:
            self.deep_line = self.deep_line or self.line
            return None
        column = starts.columns(text, after, content, mark)
        taken = column if content < stop and column - mark < 5 else mark + 1
        self._close_to(matched)
        self._push(taken - base, text[pos:after], (content, stop))
        return content, max(column, taken), taken

    def _push(self, width: int, marker: str, content: tuple[int, int]) -> None:
        index = -1
        if not self.quotes:
            index = len(self.blocks)
            self.blocks.append(_PENDING)
        self.stack.append(_Container(width, index, self.at, self.line, marker, content))
        self.quotes += width < 0
        self.childless = False

    def _open(self, leaf: int, inner: int, marker: str = "") -> None:
        self.leaf, self.leaf_at, self.leaf_line, self.leaf_inner, self.leaf_marker = leaf, self.at, self.line, inner, marker
        self.childless = False
        self._mark()

    def _past_quote(self, pos: int, col: int) -> tuple[int, int, int]:
        """Past a quote mark and the one blank that goes with it."""
        after = starts.INDENT.match(self.text, pos + 1).end()  # type: ignore[union-attr]  # it matches ""
        base = col + 1
        if after == pos + 1:
            return after, base, base
        return after, starts.columns(self.text, pos + 1, after, base), base + 1

    # Text

    def _extend(self, pos: int) -> None:
        """Adds the line to the open paragraph, and with it the lines below that can only continue it, whatever their
        indentation: they begin no block."""
        match = starts.PARAGRAPH_END.search(self.text, self.stop)
        self._skip_to(match.start() if match else self.size)
        if self.pieces is not None:
            self.pieces.append((pos, self.stop))
        self._mark()

    def _run_fence(self) -> None:
        """A fence at the top, whole."""
        mark = self.leaf_marker
        for end in starts.FENCE_END_LINE.finditer(self.text, self.stop):
            if end[1][0] == mark[0] and len(end[1]) >= len(mark):
                self._skip_to(end.end())
                self._mark()
                self._close_leaf(end.start() + 1)
                return
        self._run_out()

    def _end_html(self, pos: int) -> None:
        """Closes the HTML block if its end is here; at the top, goes there."""
        kind = int(self.leaf_marker)
        if kind >= _HTML_TILL_BLANK:
            if not self.stack and (blank := starts.BLANK_LINE.search(self.text, self.stop)):
                self._skip_to(blank.start())
                self._mark()
            return
        end = starts.HTML_END[kind - 1].search(self.text, pos, self.stop if self.stack else self.size)
        if end:
            stop = self.text.find("\n", end.end())
            self._skip_to(self.size if stop < 0 else stop)
            self._mark()
            self._close_leaf(self.last)
        elif not self.stack:
            self._run_out()

    def _run_out(self) -> None:
        """The leaf never closes: the rest of the text is its."""
        stop = self.text.find("\n", self._trimmed(self.at, self.size))
        if stop >= 0:
            self._skip_to(max(stop, self.stop))
            self._mark()
        self._skip_to(self.size)
        if stop < 0:
            self._mark()

    def _define(self) -> bool:
        """Reports the definitions that the paragraph begins with; whether any of its text is left."""
        if self.pieces is None:
            return True
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
            self._emit(
                "definition", 0, self.leaf_at, self.leaf_line, (first[0], self._trimmed(first[0], last[1])), label, stop, end_line
            )
            self.leaf_line = self.leaf_line + self.real.count("\n", self.leaf_at, stop)
            self.leaf_at = stop
        if used == len(lines):
            return False
        self.leaf_inner = lines[used][0]
        return True

    # Ends

    def _close_leaf(self, inner_end: int | None = None) -> None:
        """Reports the open leaf; `inner_end` is the end of a fence's body, or of HTML, that was closed by its mark."""
        leaf, self.leaf = self.leaf, 0
        if leaf == _PARAGRAPH:
            if self._define():
                self._emit_leaf("paragraph")
        elif leaf == _CODE:
            self._emit_leaf("code")
        else:
            closes = leaf == _FENCE or int(self.leaf_marker) < _HTML_TILL_BLANK
            if closes and inner_end is None:
                self._never_closed("fence" if leaf == _FENCE else "comment" if self.leaf_marker == "2" else "html")
            if leaf == _FENCE:
                inner = (self.leaf_inner, max(self.leaf_inner, self.last if inner_end is None else inner_end))
                self._emit("fence", 0, self.leaf_at, self.leaf_line, inner, self.leaf_marker)
            else:
                self._emit_leaf("html")

    def _emit_leaf(self, kind: str) -> None:
        inner = (self.leaf_inner, self._trimmed(self.leaf_inner, self.last))
        self._emit(kind, 0, self.leaf_at, self.leaf_line, inner, self.leaf_marker)

    def _emit(
        self, kind: str, level: int, start: int, line: int, inner: tuple[int, int], marker: str, end: int = 0, end_line: int = 0
    ) -> None:
        if not self.quotes:
            stack = self.stack
            self.blocks.append(Block(
                kind, level, len(stack), start, end or self.last, line, end_line or self.last_line, inner, marker,
                stack[-1].index if stack else -1,
            ))  # fmt: skip

    def _never_closed(self, kind: str) -> None:
        if self.quotes:
            return
        if self.stack:
            message = f"This {kind} never closes; it ends with the list item that it is in."
            self.faults.append(("unclosed-block", self.leaf_line, message))
        else:
            self.unclosed = (kind, self.leaf_line, self.leaf_at)

    def _close_to(self, count: int) -> None:
        """Closes the open leaf, and the containers but the outermost `count`."""
        if self.leaf:
            self._close_leaf()
        stack, blocks = self.stack, self.blocks
        while len(stack) > count:
            width, index, start, line, marker, content = stack.pop()
            self.childless = False
            self.quotes -= width < 0
            if index < 0:
                continue
            inner = (content[0], self._trimmed(*content))
            if width >= 0 and index + 1 < len(blocks) and blocks[index + 1].kind in ("paragraph", "heading", "definition"):
                inner = blocks[index + 1].inner
            blocks[index] = Block(
                "quote" if width < 0 else "item", 0, len(stack), start, self.last, line, self.last_line, inner, marker,
                stack[-1].index if stack else -1,
            )  # fmt: skip
            if self.deep_line and not stack:
                del blocks[index + 1 :]
                self.locked.append((start, self.last))
                message = f"Nested deeper than {DEEPEST} levels: shown as one block, never edited."
                self.faults.append(("nesting", self.deep_line, message))
                self.deep_line = 0

    def _trimmed(self, start: int, end: int) -> int:
        """`end` moved back over white space, to `start` at most."""
        return start + len(self.text[start:end].rstrip(" \t\n"))


_PENDING = Block("item", 0, 0, 0, 0, 0, 0, (0, 0), "", -1)


def _heading_text(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span of an ATX heading's text: without blanks around it and without a closing run of `#`."""
    line = text[start:stop].rstrip(" \t")
    bare = line.rstrip("#")
    if not bare or bare[-1] in " \t":
        line = bare.rstrip(" \t")
    inner = start + len(line) - len(line.lstrip(" \t"))
    return inner, max(inner, start + len(line))
