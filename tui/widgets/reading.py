"""The reading pane: text drawn line by line with light Markdown styling; whole, wrapped by cell width, nothing capped.

It styles and hides nothing: what the file says is what is on screen, markers, brackets and all. Links are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece


class Para(NamedTuple):
    """A line of the source, or of our own. Wrapped parts after the first are indented by `hang`; `rule`: a line across
    follows the text. `wrapped` False: cut at the edge, with an ellipsis (for our own lines only, never for memory)."""

    pieces: tuple[Piece, ...] = ()
    hang: int = 0
    rule: bool = False
    wrapped: bool = True


class _Laid(NamedTuple):
    pieces: tuple[Piece, ...]
    rule: bool = False


class Reading(Painter, ScrollView, can_focus=True):
    """A scrolling text. `show` keeps the scroll position as long as `subject` stays the same."""

    BINDINGS = [
        Binding("down,j", "scroll_down", "Down", show=False),
        Binding("up,k", "scroll_up", "Up", show=False),
        Binding("home,g", "scroll_home", "Top", show=False),
        Binding("end,G", "scroll_end", "End", show=False),
        Binding("pagedown,space", "page_down", "Page down", show=False),
        Binding("pageup", "page_up", "Page up", show=False),
    ]
    margin_cells = 1  # blank columns on both sides

    class Left(Message):
        """Escape: back to the list."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._paras: tuple[Para, ...] = ()
        self._laid: list[_Laid] = []
        self._origin: list[int] = []  # laid line -> index of its paragraph
        self._width = 0
        self._subject = ""

    @property
    def subject(self) -> str:
        """What is shown, by the identity that `show` was given."""
        return self._subject

    def show(self, paras: Iterable[Para], subject: str = "") -> None:
        """Show other lines. For the same subject the paragraph at the top stays there."""
        new = tuple(paras)
        if new == self._paras and subject == self._subject:
            return
        keep = (
            self._origin[self.scroll_offset.y] if subject == self._subject and self.scroll_offset.y < len(self._origin) else 0
        )
        self._paras, self._subject = new, subject
        self._lay(keep)

    def scroll_to_para(self, index: int) -> None:
        """Bring a paragraph to the top."""
        if index in self._origin:
            self.scroll_to(y=self._origin.index(index), animate=False, force=True)

    @property
    def plain(self) -> str:
        """What is shown, as text."""
        return "\n".join("".join(piece.text for piece in para.pieces) for para in self._paras)

    def on_mount(self) -> None:
        self._lay(0)

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Lay out again where the room is another than it was; the paragraph at the top stays."""
        if self._room() != self._width:
            self._lay(self._origin[self.scroll_offset.y] if self.scroll_offset.y < len(self._origin) else 0)

    def key_escape(self, event: events.Key) -> None:
        event.stop()  # else it would go on to the screen below the one that this closes
        self.post_message(self.Left())

    def action_scroll_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_scroll_home(self) -> None:
        self.scroll_to(y=0, animate=False)

    def action_scroll_end(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def action_page_down(self) -> None:
        self.scroll_relative(y=max(self.size.height - 1, 1), animate=False)

    def action_page_up(self) -> None:
        self.scroll_relative(y=-max(self.size.height - 1, 1), animate=False)

    def render_line(self, y: int) -> Strip:
        width = max(self.scrollable_content_region.width, 1)
        if self._room() != self._width:  # shown before it had its size, or with a scrollbar since
            self.call_later(self._fit)
        index = y + self.scroll_offset.y
        base = self.base_style
        if not 0 <= index < len(self._laid):
            return Strip.blank(width, base)
        laid = self._laid[index]
        pieces = [Piece(" " * self.margin_cells), *laid.pieces]
        if laid.rule:
            used = sum(text.width(piece.text) for piece in pieces)
            pieces.append(Piece("─" * max(width - used - self.margin_cells, 0), "dim"))
        return self.strip_of(pieces, width, base)

    def _room(self) -> int:
        return max(self.scrollable_content_region.width - 2 * self.margin_cells, 2)

    def _lay(self, top: int) -> None:
        if not self.is_mounted:
            return
        self._width = self._room()
        self._laid, self._origin = [], []
        for index, para in enumerate(self._paras):
            for laid in lay_out(para, self._width):
                self._laid.append(laid)
                self._origin.append(index)
        self.virtual_size = Size(self._width, len(self._laid))
        place = self._origin.index(top) if top in self._origin else 0
        self.scroll_to(y=place, animate=False, force=True)
        self.refresh()


def lay_out(para: Para, room: int) -> list[_Laid]:
    """The lines on screen of a paragraph."""
    pieces = [Piece(text.inert(piece.text).replace("\n", "␊").expandtabs(4), piece.role) for piece in para.pieces]
    if not para.wrapped or para.rule:
        return [_Laid(tuple(pieces), para.rule)]
    whole = "".join(piece.text for piece in pieces)
    spans = text.wrap_spans(whole, room, min(para.hang, room // 2))
    if len(spans) == 1 and spans[0] == (0, len(whole)):
        return [_Laid(tuple(pieces))]
    indent = Piece(" " * min(para.hang, room // 2))
    lines: list[_Laid] = []
    number, offset = 0, 0  # the piece that a span begins in, and where that piece starts in `whole`
    for start, end in spans:
        cut: list[Piece] = [indent] if lines and indent.text else []
        while number < len(pieces) and offset + len(pieces[number].text) <= start:
            offset += len(pieces[number].text)
            number += 1
        at, place = number, offset
        while at < len(pieces) and place < end:
            body = pieces[at].text[max(start - place, 0) : end - place]
            if body:
                cut.append(Piece(body, pieces[at].role))
            place += len(pieces[at].text)
            at += 1
        lines.append(_Laid(tuple(cut)))
    return lines


def markdown(source: str, highlight: Sequence[str] = ()) -> list[Para]:
    """A text's lines with light styling: headings, bullets, quotes, fences, code, bold, strikes, tags. Lines end at `\\n`.

    `highlight`: words (in lower case) to mark where they occur.
    """
    paras: list[Para] = []
    fence = ""
    for raw in text.inert(source).split("\n"):
        line = raw.expandtabs(4)
        mark = _FENCE.match(line)
        if fence:
            paras.append(Para((Piece(line, "code"),), hang=_indent(line)))
            if mark and mark.group(1).startswith(fence) and not mark.group(2).strip():
                fence = ""
            continue
        if mark and not (mark.group(1)[0] == "`" and "`" in mark.group(2)):
            fence = mark.group(1)
            paras.append(Para((Piece(line, "code"),)))
            continue
        paras.append(_styled(line, highlight))
    return paras


def plain(source: str, role: str = "") -> list[Para]:
    """A text's lines with one role and nothing read into them."""
    return [Para((Piece(line, role),), hang=_indent(line)) for line in text.inert(source).split("\n")]


def rule(title: str, role: str = "dim") -> Para:
    """A heading of our own, with a line across."""
    return Para((Piece("─ ", "dim"), Piece(title, role), Piece(" ", "dim")), rule=True)


def _styled(line: str, highlight: Sequence[str]) -> Para:
    if _HEADING.match(line):
        return Para(tuple(_inline(line, "heading", highlight)), hang=line.index("# ") + 2 if "# " in line[:9] else 0)
    bullet = _BULLET.match(line)
    if bullet:
        lead = bullet.group()
        return Para((Piece(lead, "accent"), *_inline(line[len(lead) :], "", highlight)), hang=len(lead))
    if line.lstrip().startswith(">"):
        return Para(tuple(_inline(line, "quote", highlight)), hang=_indent(line) + 2)
    label = _LABEL.match(line)
    if label:
        return Para((Piece(label.group(), "strong"), *_inline(line[label.end() :], "", highlight)), hang=_indent(line))
    return Para(tuple(_inline(line, "", highlight)), hang=_indent(line))


def _inline(line: str, role: str, highlight: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for match in _INLINE.finditer(line):
        if match.start() > at:
            pieces.append(Piece(line[at : match.start()], role))
        pieces.append(Piece(match.group(), f"{role} {_ROLE_OF[match.lastgroup or '']}".strip()))
        at = match.end()
    if at < len(line) or not pieces:
        pieces.append(Piece(line[at:], role))
    return _marked(pieces, highlight) if highlight else pieces


def _marked(pieces: list[Piece], words: Sequence[str]) -> list[Piece]:
    wanted = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)), re.IGNORECASE)
    out: list[Piece] = []
    for piece in pieces:
        at = 0
        for match in wanted.finditer(piece.text):
            if match.end() == match.start():
                continue
            if match.start() > at:
                out.append(Piece(piece.text[at : match.start()], piece.role))
            out.append(Piece(match.group(), f"{piece.role} match".strip()))
            at = match.end()
        if at < len(piece.text):
            out.append(Piece(piece.text[at:], piece.role))
    return out or pieces


def _indent(line: str) -> int:
    return min(len(line) - len(line.lstrip(" ")), 24)


_FENCE = re.compile(r" *(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_BULLET = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] )?")
_LABEL = re.compile(r"[A-Z][A-Za-z-]{1,23}:(?= |$)")
_INLINE = re.compile(
    r"(?P<code>(?<!`)`[^`]{1,400}`(?!`))|(?P<struck>~~[^~]{1,2000}~~)|(?P<strong>\*\*[^*]{1,1000}\*\*)"
    r"|(?P<tag>\[(?:stated|observed|inferred|suggested)\])"
)
_ROLE_OF = {"code": "code", "struck": "struck", "strong": "strong", "tag": "tag"}
