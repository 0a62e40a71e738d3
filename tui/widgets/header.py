"""The first line: where we are, the panes with their number keys, and what is being worked on."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece


class PaneTab(NamedTuple):
    """A pane in the header: its name, number key, title and how many things wait in it."""

    name: str
    number: int
    title: str
    waiting: int | None = None


class Header(Painter, Widget):
    """One line; a click on a tab shows its pane."""


    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__(id="header")
        self._place = ""
        self._branch = ""
        self._tabs: tuple[PaneTab, ...] = ()
        self._current = ""
        self._working = ""
        self._areas: list[tuple[int, int, str]] = []

    def set_place(self, place: str, branch: str) -> None:
        """The workspace's name and git branch ("" without git)."""
        self._set(_place=text.line(place), _branch=text.line(branch))

    def set_tabs(self, tabs: tuple[PaneTab, ...], current: str) -> None:
        self._set(_tabs=tabs, _current=current)

    def set_working(self, doing: str) -> None:
        """What takes longer than a moment, or ""."""
        self._set(_working=text.line(doing))

    def _set(self, **values: object) -> None:
        if any(getattr(self, name) != value for name, value in values.items()):
            self.__dict__.update(values)
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        for start, end, name in self._areas:
            if start <= event.x < end:
                self.post_message(self.Chosen(name))

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        tabs = self._drawn_tabs(width)
        room = width - sum(text.width(piece.text) for piece in tabs)
        name = [Piece(" memdesk ", "strong")]
        if self._working:
            place = [Piece(f" ⋯ {self._working}", "warn")]
        else:
            place = [Piece(f" {self._place}")]
            if self._branch:
                place.append(Piece(f" ⎇ {self._branch}", "dim"))
        left: list[Piece] = []
        for piece in name + place:
            used = sum(text.width(part.text) for part in left)
            left.append(Piece(text.clip(piece.text, max(room - 2 - used, 0)), piece.role))
        used = sum(text.width(part.text) for part in left)
        left.append(Piece(" " * max(room - used, 0)))
        at = max(room, used)
        self._areas = []
        for piece, name_ in zip(tabs, self._names, strict=True):
            size = text.width(piece.text)
            if name_:
                self._areas.append((at, at + size, name_))
            at += size
        return self.strip_of([*left, *tabs], width, self.base_style)

    def _drawn_tabs(self, width: int) -> list[Piece]:
        """Titles where there is room, else the current title alone, else numbers."""
        for level in (2, 1, 0):
            pieces: list[Piece] = []
            self._names: list[str] = []
            for tab in self._tabs:
                here = tab.name == self._current
                words = tab.title if level == 2 or (level == 1 and here) else ""
                count = "" if tab.waiting is None or (not words and level < 1) else str(tab.waiting)
                label = " ".join(part for part in (str(tab.number), words, count) if part)
                pieces.append(Piece(f"[{label}]" if here else f" {label} ", "accent strong" if here else ""))
                self._names.append(tab.name)
            pieces.append(Piece(" ? ", "key"))
            self._names.append("?")
            if sum(text.width(piece.text) for piece in pieces) <= width - (16 if level == 2 else 12) or level == 0:
                return pieces
        return []
