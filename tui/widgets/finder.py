"""A list with its filter and its words for when there is nothing to show: empty, loading, error, filtered to nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece


class Texts(NamedTuple):
    """What a list says when it has nothing to show; each names what to do next."""

    empty: str = "Nothing here."
    loading: str = "Reading…"
    filtered: str = "Nothing holds these words.\nEscape shows all again."


class Finder(Vertical):
    """`Lines` in a frame, a filter line that `/` opens, and a text in place of the list when that has no rows."""

    class Changed(Message):
        """The filter changed what is shown."""

        def __init__(self, finder: Finder) -> None:
            super().__init__()
            self.finder = finder

    def __init__(
        self,
        draw: Callable[[Any, int], Sequence[Piece]],
        haystack: Callable[[Any], str] | None = None,
        *,
        texts: Texts | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id, classes="finder framed")
        self.texts = texts or Texts()
        self.lines = Lines(draw, haystack)
        self._state = Static(text.content(self.texts.loading), classes="state")
        self._input = Input(placeholder="Filter: every word must occur", classes="finder-filter", compact=True)
        self._loaded = False
        self._error = ""

    def compose(self) -> ComposeResult:
        yield self.lines
        yield self._state
        yield self._input

    def on_mount(self) -> None:
        self._input.display = False
        self._settle()

    @property
    def loaded(self) -> bool:
        """Whether rows were ever set."""
        return self._loaded

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Show rows; selection, marks, scroll position and filter stay."""
        self._loaded, self._error = True, ""
        self.lines.set_rows(rows)
        self._settle()

    def fail(self, words: str) -> None:
        """Show why there is nothing to show."""
        self._error = words
        self._settle()

    def open_filter(self) -> None:
        """The filter line, with the focus."""
        self._input.display = True
        self._input.focus()

    def close_filter(self) -> None:
        """All rows again."""
        self._input.value = ""
        self._input.display = False
        self.lines.set_filter("")
        self._settle()
        self.lines.focus()

    def take_focus(self) -> None:
        self.lines.focus()

    def step(self, by: int) -> None:
        """To the next or the last row that the filter found."""
        self.lines.action_move(by)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.lines.set_filter(event.value)
        self._settle()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if self._input.value.strip():
            self.lines.focus()
        else:
            self.close_filter()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and (self._input.has_focus or self.lines.filter_words):
            event.stop()
            self.close_filter()
        elif event.key in ("down", "up") and self._input.has_focus:
            event.stop()
            self.lines.focus()

    def _settle(self) -> None:
        """The list where it has rows to show, else the words for why not."""
        words = ""
        if self._error:
            words = "✕ " + self._error
        elif not self._loaded:
            words = self.texts.loading
        elif not self.lines.count:
            words = self.texts.filtered if self.lines.filter_words else self.texts.empty
        had_focus = self.lines.has_focus
        self._state.display = bool(words)
        self.lines.set_class(bool(words), "-hollow")
        if words:
            self._state.update(text.content(words))
        if had_focus:
            self.lines.focus()
