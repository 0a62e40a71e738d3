"""One list for candidates, findings, transactions: it draws only the lines on screen, so that 10,000 cost nothing.

The selection goes by identity: rows may come and go around it. Marks are kept by identity too. Rows without a key are
headings, which cannot be selected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from memdesk.core.lean import NamedTuple
from memdesk.tui.widgets.paint import Painter, Piece

AHEAD = 200  # rows whose texts are looked at in one turn: some 3 ms
AHEAD_AFTER, AHEAD_EVERY = 0.5, 0.02  # seconds until the first turn, and between two


class Row(NamedTuple):
    """A line of the list. `key`: its identity, "" for a heading. `item` is what the pane's `draw` and `haystack` get."""

    key: str
    item: Any


class Lines(Painter, ScrollView, can_focus=True):
    """A list that draws its own lines.

    `draw(item, width)` gives the pieces of a line; `haystack(item)` what the filter looks in, in lower case.
    """

    BINDINGS = [
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("enter", "open", "Open", show=False),
    ]

    class Moved(Message):
        """Another row is selected; `key` is "" where there is none."""

        def __init__(self, lines: Lines, key: str) -> None:
            super().__init__()
            self.lines = lines
            self.key = key

        @property
        def control(self) -> Lines:
            return self.lines

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Lines.Moved) and message.lines is self.lines

    class Opened(Message):
        """Enter or a double click on a row."""

        def __init__(self, lines: Lines, key: str) -> None:
            super().__init__()
            self.lines = lines
            self.key = key

        @property
        def control(self) -> Lines:
            return self.lines

    class Marked(Message):
        """The marks changed."""

        def __init__(self, lines: Lines) -> None:
            super().__init__()
            self.lines = lines

        @property
        def control(self) -> Lines:
            return self.lines

    def __init__(
        self, draw: Callable[[Any, int], Sequence[Piece]], haystack: Callable[[Any], str] | None = None, *,
        id: str | None = None, classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._draw = draw
        self._haystack = haystack or (lambda item: str(item).lower())
        self._rows: list[Row] = []
        self._shown: list[Row] = []
        self._place: dict[str, int] = {}  # key -> index in _shown
        self._words: tuple[str, ...] = ()
        self._hay: dict[str, str] = {}  # key -> what the filter looks in, filled between keys or when first filtered
        self._ahead: Timer | None = None
        self._cursor = -1
        self._marks: set[str] = set()
        self.painted_at = 0.0  # monotonic time at which the selected row was first drawn
        self._painted_key = ""
        self.at_move: Callable[[], object] | None = None  # called at once, so that what it changes is painted with the list

    # What panes ask and say.

    @property
    def key(self) -> str:
        """The identity of the selected row, "" where there is none."""
        return self._shown[self._cursor].key if 0 <= self._cursor < len(self._shown) else ""

    @property
    def item(self) -> Any:
        """What the selected row shows, or None."""
        return self._shown[self._cursor].item if 0 <= self._cursor < len(self._shown) else None

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, those that the filter hides too."""
        return self._rows

    @property
    def shown(self) -> Sequence[Row]:
        """The rows that the filter leaves."""
        return self._shown

    @property
    def count(self) -> int:
        """Rows that are shown, headings left out."""
        return len(self._place)

    @property
    def total(self) -> int:
        """All rows, those that the filter hides too, headings left out."""
        return sum(1 for row in self._rows if row.key)

    @property
    def marks(self) -> tuple[str, ...]:
        """The marked keys in the order of the list, hidden ones too."""
        return tuple(row.key for row in self._rows if row.key in self._marks) if self._marks else ()

    @property
    def chosen(self) -> tuple[str, ...]:
        """What a verdict acts on: the marks, else the selected row."""
        return self.marks or ((self.key,) if self.key else ())

    @property
    def beside(self) -> list[Any]:
        """What the rows right after and right before the selected one show: who is likely to be next."""
        rows = (self._shown[at] for step in (1, -1) if 0 <= (at := self._near(self._cursor + step, step)) != self._cursor)
        return [row.item for row in rows]

    @property
    def filter_words(self) -> tuple[str, ...]:
        return self._words

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Other rows; the selection stays on its key, or where that is gone, on the row that took its place."""
        before, after_it = self.key, self._following()
        self._rows = list(rows)
        self._hay.clear()
        self._look_ahead_at(iter(self._rows), AHEAD_AFTER)
        alive = {row.key for row in self._rows}
        self._marks &= alive
        self._arrange()
        kept = next((key for key in (before, *after_it) if key in self._place), "")
        self._settle(self._place[kept] if kept else self._near(self._cursor), before)
        if self.is_mounted:
            self.refresh()

    def set_filter(self, words: str) -> None:
        """Show only rows that hold every word, in any case. "" shows all."""
        wanted = tuple(words.lower().split())
        if wanted == self._words:
            return
        before = self.key
        self._words = wanted
        self._arrange()
        self._settle(self._place.get(before, self._near(0)), before)
        self.refresh()

    def select(self, key: str) -> bool:
        """Select a row by its key; False where it is not shown."""
        place = self._place.get(key)
        if place is None:
            return False
        self._settle(place, self.key)
        return True

    def toggle_mark(self) -> None:
        """Mark or unmark the selected row and go to the next."""
        if self.key:
            self._marks ^= {self.key}
            self.refresh()
            self.post_message(self.Marked(self))
            self.action_move(1)

    def mark_all(self) -> None:
        """Mark all rows that are shown, or unmark everything where they all are."""
        shown = set(self._place)
        self._marks = self._marks - shown if shown <= self._marks else self._marks | shown
        self.refresh()
        self.post_message(self.Marked(self))

    def clear_marks(self) -> None:
        if self._marks:
            self._marks.clear()
            self.refresh()
            self.post_message(self.Marked(self))

    # Keys and mouse.

    def action_move(self, by: int) -> None:
        self._settle(self._near(self._cursor + by, 1 if by > 0 else -1), self.key)

    def action_edge(self, to: int) -> None:
        self._settle(self._near(0) if to < 0 else self._near(len(self._shown) - 1, -1), self.key)

    def action_page(self, by: int) -> None:
        step = max(self.scrollable_content_region.height - 1, 1)
        target = min(max(self._cursor + by * step, 0), len(self._shown) - 1)
        self._settle(self._near(target, by), self.key)

    def action_open(self) -> None:
        if self.key:
            self.post_message(self.Opened(self, self.key))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = offset.y + self.scroll_offset.y
        if 0 <= index < len(self._shown) and self._shown[index].key:
            self._settle(index, self.key)
            if event.chain > 1:
                self.action_open()
            elif event.ctrl or event.meta or offset.x == 1:
                self._marks ^= {self.key}
                self.refresh()
                self.post_message(self.Marked(self))

    # Drawing.

    def on_mount(self) -> None:
        self._resize()

    def on_resize(self) -> None:
        self._resize()
        self._reveal()

    def render_line(self, y: int) -> Strip:
        width = max(self.scrollable_content_region.width, 1)
        index = y + self.scroll_offset.y
        base = self.base_style
        if not 0 <= index < len(self._shown):
            return Strip.blank(width, base)
        row = self._shown[index]
        if not row.key:
            return self.strip_of([Piece(" "), *self._draw(row.item, width - 1)], width, base)
        here = index == self._cursor
        marked = row.key in self._marks
        if here:
            style = self.role_style("cursor" if self.has_focus else "strong", base)
            if row.key != self._painted_key:
                self._painted_key = row.key
                self.painted_at = time.monotonic()
        else:
            style = base
        pieces = [
            Piece("▌" if here else " ", "accent" if here else ""),
            Piece("●" if marked else " ", "mark" if marked else ""),
        ]
        return self.strip_of([*pieces, *self._draw(row.item, max(width - 2, 1))], width, style)

    def on_focus(self) -> None:
        self._redraw(self._cursor)

    def on_blur(self) -> None:
        self._redraw(self._cursor)

    # Inside.

    def _following(self) -> list[str]:
        """The keys after the selected row, then those before it, nearest first: who takes its place when it goes."""
        if not self.key:
            return []
        after = [row.key for row in self._shown[self._cursor + 1 : self._cursor + 65] if row.key]
        return after + [row.key for row in reversed(self._shown[max(0, self._cursor - 64) : self._cursor]) if row.key]

    def _arrange(self) -> None:
        if self._words:
            found: list[Row] = []
            heading: Row | None = None
            for row in self._rows:
                if not row.key:
                    heading = row
                elif self._holds(row):
                    if heading is not None:
                        found.append(heading)
                        heading = None
                    found.append(row)
            self._shown = found
        else:
            self._shown = self._rows
        self._place = {row.key: index for index, row in enumerate(self._shown) if row.key}
        self._resize()

    def _look_ahead_at(self, rows: Iterator[Row], seconds: float) -> None:
        """What the filter looks in is made a few rows at a time, so that its first letter need not wait for all of them."""
        if self._ahead is not None:
            self._ahead.stop()
        self._ahead = self.set_timer(seconds, partial(self._look_ahead, rows)) if self.is_mounted else None

    def _look_ahead(self, rows: Iterator[Row]) -> None:
        some = list(islice(rows, AHEAD))
        for row in some:
            if row.key not in self._hay:
                self._hay[row.key] = self._haystack(row.item)
        if some:
            self._look_ahead_at(rows, AHEAD_EVERY)

    def _holds(self, row: Row) -> bool:
        hay = self._hay.get(row.key)
        if hay is None:
            hay = self._hay[row.key] = self._haystack(row.item)
        return all(word in hay for word in self._words)

    def _near(self, index: int, direction: int = 1) -> int:
        """The nearest row at or beyond `index` that can be selected, else the nearest before it; -1 where there is none."""
        last = len(self._shown) - 1
        index = min(max(index, 0), last)
        for start, step in ((index, direction), (index, -direction)):
            at = start
            while 0 <= at <= last:
                if self._shown[at].key:
                    return at
                at += step
        return -1

    def _settle(self, index: int, before: str) -> None:
        old, self._cursor = self._cursor, index
        self._redraw(old)
        self._redraw(index)
        self._reveal()
        if self.key != before:
            self._painted_key = ""
            self.painted_at = float("inf")
            if self.at_move is not None:
                self.at_move()
            self.post_message(self.Moved(self, self.key))

    def _redraw(self, index: int) -> None:
        if self.is_mounted and index >= 0:
            self.refresh_line(index)

    def _reveal(self) -> None:
        """Scroll so that the selected row shows, and a heading right above it too."""
        if self._cursor < 0 or not self.is_mounted or not self.size.height:
            return
        top = self._cursor
        if top and not self._shown[top - 1].key:
            top -= 1
        self.scroll_to_region(Region(0, top, 1, self._cursor - top + 1), animate=False, force=True)

    def _resize(self) -> None:
        size = Size(max(self.scrollable_content_region.width, 1), len(self._shown))
        if size != self.virtual_size:
            self.virtual_size = size
