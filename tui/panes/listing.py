"""A pane of a list and a reading pane beside it: what all panes but Context have in common."""

from __future__ import annotations

from textual import on

from memdesk.tui import messages
from memdesk.tui.panes.base import Pane
from memdesk.tui.widgets.finder import Finder
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.reading import Reading


class ListPane(Pane):
    """Subclasses make `finder` and `reading`, and fill both. In a narrow terminal one of them is shown at a time."""

    finder: Finder
    reading: Reading

    @property
    def lines(self) -> Lines:
        return self.finder.lines

    def take_focus(self) -> None:
        self.finder.take_focus()

    @on(Lines.Moved)
    def _moved(self, event: Lines.Moved) -> None:
        event.stop()
        self.changed()

    @on(Lines.Marked)
    def _marked(self, event: Lines.Marked) -> None:
        event.stop()
        self._titles()
        self.changed()

    @on(Finder.Changed)
    def _filtered(self, event: Finder.Changed) -> None:
        event.stop()
        self._titles()
        self._selected()

    def _titles(self) -> None:
        """The list's title, where it says how many there are, shown and marked."""

    def _selected(self) -> None:
        """Another item is selected, or what is known of it is another. `Lines.at_move` calls it at once as the cursor moves."""

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.do_read()

    @on(Reading.Left)
    def _left_reading(self) -> None:
        self.remove_class("-reading")
        self.lines.focus()

    def do_read(self) -> None:
        """In a narrow terminal the reading pane takes the place of the list; else it gets the focus."""
        self.add_class("-reading")
        self.reading.focus()

    def do_open(self) -> None:
        if self.spot is not None:
            self.post_message(messages.OpenPath(*self.spot))

    def do_filter(self) -> None:
        self.finder.open_filter()

    def do_next_match(self) -> None:
        self.finder.step(1)

    def do_previous_match(self) -> None:
        self.finder.step(-1)
