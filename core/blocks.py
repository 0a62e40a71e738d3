"""The block scanner: one pass over a text, a stack of open containers and at most one open leaf, as CommonMark's own
algorithm has it, without inlines and without recursion.

Every line is cut the same way. First the open containers are matched against its start, then what is left may begin new
blocks, then the rest is text of a leaf. Three integers say where in a line we are: `pos`, its first character that is not
blank; `col`, that character's column; `base`, the column that the containers have taken. `col - base` is the indentation.
"""

from __future__ import annotations

from memdesk.core import blockstarts as starts
from memdesk.core.lean import NamedTuple
from memdesk.core.openblocks import CODE, DEEPEST, FENCE, HTML, HTML_TILL_BLANK, PARAGRAPH, Block, OpenBlocks

_MARGIN = frozenset(" \t\n#>`~<=_-+")  # what no plain paragraph begins with


class Scan(NamedTuple):
    """What a text holds. `unclosed`: (kind, line, start) of a block at the top that never closes. `locked`: spans that
    must not be edited. `faults`: (rule, line, message)."""

    blocks: list[Block]
    unclosed: tuple[str, int, int] | None
    locked: list[tuple[int, int]]
    faults: list[tuple[str, int, str]]


def scan(text: str, start: int = 0, line: int = 1) -> Scan:
    """The blocks of `text` from offset `start`, which begins line `line`. Blocks end at LF, CRLF and lone CR; lines are
    counted at LF. Linear in the length of the text, whatever it holds."""
    return _Scanner(text, start, line).run()


class _Scanner(OpenBlocks):
    def run(self) -> Scan:
        text, size = self.text, self.size
        find, indent = text.find, starts.INDENT.match
        while self.at < size:
            at = self.at
            char = text[at]
            if char in "-*+0123456789" and self._plain_items(at):
                continue
            if char not in _MARGIN and self._plain_paragraph(at):
                continue
            stop = find("\n", at)
            self.stop = stop = size if stop < 0 else stop
            # At the margin no item goes on, and no leaf is open but a paragraph or code, which these end.
            if char in "#`~<" and self._leaf(char, at, 0):
                self.next_line()
                continue
            if char == " " or char == "\t":
                pos = indent(text, at).end()  # type: ignore[union-attr]  # it matches ""
                col = starts.columns(text, at, pos, 0)
            else:
                pos, col = at, 0
            if pos < stop:
                self._full_line(pos, col)
            else:
                self._blank_line()
            self.next_line()
        self.close_to(0)
        return Scan(self.blocks, self.unclosed, self.locked, self.faults)

    def _plain_items(self, at: int) -> bool:
        """Reads the items at the margin that hold one paragraph each, for as long as there are some; whether there were."""
        text, size, line = self.text, self.size, self.line
        item, count, append = starts.PLAIN_ITEM.match, self.real.count, self.blocks.append
        match = None if self.lone_cr else item(text, at)
        if match is None or (self.leaf == PARAGRAPH and not self.stack and text[at] not in "-*+"):
            return False  # a number may not interrupt a paragraph, unless it is 1
        if self.leaf or self.stack:
            self.close_to(0)  # whatever is open: at the margin, an item ends it
        while match:
            stop = match.end()
            end, end_line = min(stop + 1, size), line + count("\n", at, stop)
            inner = (match.end(1), self.trimmed(at, stop) if text[stop - 1] in " \t" else stop)
            index = len(self.blocks)
            append(Block("item", 0, 0, at, end, line, end_line, inner, match[1][:-1], -1))
            append(Block("paragraph", 0, 1, at, end, line, end_line, inner, "", index))
            self.at, self.last, self.last_line = stop + 1, end, end_line
            at, line = end, end_line + 1
            match = item(text, at)
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
        inner = (at, self.trimmed(at, stop) if self.text[stop - 1] in " \t" else stop)
        self.blocks.append(Block("paragraph", 0, 0, at, self.last, line, self.last_line, inner, "", -1))
        self.at, self.line = stop + 1, self.last_line + 1
        return True

    # Lines

    def _blank_line(self) -> None:
        if self.quotes:
            first = next(index for index, container in enumerate(self.stack) if container.width < 0)
            self.close_to(first)
        if self.childless:  # an item may begin with one blank line only
            self.close_to(len(self.stack) - 1)
        leaf = self.leaf
        if leaf == PARAGRAPH or (leaf == HTML and int(self.leaf_marker) >= HTML_TILL_BLANK):
            self.close_leaf()
        after = self.stop + 1
        if after < self.size and self.text[after] in " \t\n":
            end = starts.BLANK_LINES.match(self.text, after).end()  # type: ignore[union-attr]  # it matches ""
            if end > after:
                self.skip_to(end - 1 if self.text[end - 1] == "\n" else end)

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
        if whole and leaf > PARAGRAPH and self._in_leaf(pos, col - base):
            return
        if pos == self.stop:
            self.close_to(matched)
            if self.leaf == PARAGRAPH:
                self.close_leaf()
            self.mark()
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
        if leaf == FENCE:
            self.mark()
            mark = self.leaf_marker
            if indent <= 3 and text.startswith(mark, pos) and starts.FENCE_END.match(text, pos):
                self.close_leaf(self.at)
            return True
        if leaf == HTML:
            if pos == self.stop:
                if int(self.leaf_marker) >= HTML_TILL_BLANK:
                    self.close_leaf()
                self.mark()
                return True
            self.mark()
            self.end_html(pos)
            return True
        if indent >= 4 or pos == self.stop:
            self.mark()
            return True
        self.close_leaf()
        return False

    # New blocks

    def _begin(self, pos: int, col: int, base: int, matched: int, whole: bool) -> None:
        """Opens what the rest of a line begins, else adds it to the open paragraph or begins one."""
        text = self.text
        inside = whole and self.leaf == PARAGRAPH  # the paragraph is where the line's containers led, not left behind
        while pos < self.stop:
            if col - base >= 4:
                if self.leaf == PARAGRAPH:
                    break
                self.close_to(matched)
                self.open(CODE, pos)
                return
            char = text[pos]
            if char not in "#>`~<=-_*+0123456789":
                break
            if char == ">":
                if len(self.stack) >= DEEPEST:
                    self.deep_line = self.deep_line or self.line
                    break
                self.close_to(matched)
                self.push(-1, ">", (pos, self.stop))
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
        if self.leaf == PARAGRAPH:
            self.extend(pos)
            return
        self.close_to(matched)
        if pos < self.stop:
            self.open(PARAGRAPH, pos)
            self.pieces = [] if text[pos] == "[" and not starts.NO_DEFINITION.match(text, pos) else None
            self.extend(pos)
        else:
            self.mark()
            self.childless = bool(self.stack) and self.stack[-1].width >= 0

    def _leaf(self, char: str, pos: int, matched: int) -> bool:
        """A heading, fence or HTML block that begins at `pos`, or the underline of the open paragraph."""
        text = self.text
        if char == "#":
            heading = starts.HEADING.match(text, pos)
            if heading is None:
                return False
            self.close_to(matched)
            self.mark()
            inner = _heading_text(text, heading.end(), self.stop)
            self.emit("heading", len(heading[0]), self.at, self.line, inner, "#")
        elif char in "`~":
            fence = starts.FENCE.match(text, pos)
            if fence is None:
                return False
            self.close_to(matched)
            self.open(FENCE, min(self.stop + 1, self.size), fence[1] or fence[2])
            if not self.stack:
                self.run_fence()
        elif char == "<":
            kind = starts.html_kind(text, pos)
            if not kind or (kind > HTML_TILL_BLANK and self.leaf == PARAGRAPH):
                return False
            self.close_to(matched)
            self.open(HTML, pos, str(kind))
            self.end_html(pos)
        else:
            return self._underline(char)
        return True

    def _underline(self, char: str) -> bool:
        if not self._define():
            self.leaf = 0
            return False
        inner = (self.leaf_inner, self.trimmed(self.leaf_inner, self.last))
        self.mark()
        self.emit("heading", 1 if char == "=" else 2, self.leaf_at, self.leaf_line, inner, char)
        self.leaf = 0
        return True

    def _rule(self, char: str, pos: int, matched: int) -> bool:
        if self.no_rule[0] == char and pos < self.no_rule[1]:
            return False
        end = starts.RULE[char].match(self.text, pos).end()  # type: ignore[union-attr]  # it matches ""
        if end < self.stop or self.text.count(char, pos, end) < 3:
            self.no_rule = (char, end)
            return False
        self.close_to(matched)
        self.mark()
        self.emit("rule", 0, self.at, self.line, (pos, self.trimmed(pos, self.stop)), char)
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
        self.close_to(matched)
        self.push(taken - base, text[pos:after], (content, stop))
        return content, max(column, taken), taken

    def _past_quote(self, pos: int, col: int) -> tuple[int, int, int]:
        """Past a quote mark and the one blank that goes with it."""
        after = starts.INDENT.match(self.text, pos + 1).end()  # type: ignore[union-attr]  # it matches ""
        base = col + 1
        if after == pos + 1:
            return after, base, base
        return after, starts.columns(self.text, pos + 1, after, base), base + 1


def _heading_text(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span of an ATX heading's text: without blanks around it and without a closing run of `#`."""
    line = text[start:stop].rstrip(" \t")
    bare = line.rstrip("#")
    if not bare or bare[-1] in " \t":
        line = bare.rstrip(" \t")
    inner = start + len(line) - len(line.lstrip(" \t"))
    return inner, max(inner, start + len(line))
