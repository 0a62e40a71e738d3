"""The signals that may speak for a lesson, to be ticked, under the meter of the gate that they have to pass."""

from __future__ import annotations

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memdesk.core.gate import Gate, Signal
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece

MOST = 6  # rows in sight; the rest scrolls by


class Signals(Painter, Widget, can_focus=True):
    """A line with the meter, then one line for each signal. Up and Down move, Space ticks; Enter is done.

    The lesson's own line is ticked and stays so. `value` is the ids of those ticked besides, one a line.
    """

    BINDINGS = [
        Binding("down", "move(1)", "Down", show=False), Binding("up", "move(-1)", "Up", show=False),
        Binding("space", "tick", "Tick", show=False), Binding("enter", "submit", "Done", show=False),
    ]

    class Changed(Message):
        """A signal was ticked, or is no longer."""

    class Submitted(Message):
        """Enter."""

    def __init__(self, gate: Gate, value: str = "") -> None:
        super().__init__()
        self.gate = gate
        self._ticked = set(value.split())
        self._wide = max((len(_where(signal)) for signal in gate.offered), default=0)
        self._at = next((index for index, signal in enumerate(gate.offered) if signal.id != gate.own), 0)

    @property
    def value(self) -> str:
        return "\n".join(signal.id for signal in self.gate.offered if signal.id in self._ticked)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 + max(1, min(len(self.gate.offered), MOST))

    def action_move(self, by: int) -> None:
        """To the next row, or out of the list at its ends."""
        at = self._at + by
        if not 0 <= at < len(self.gate.offered):
            (self.screen.focus_next if by > 0 else self.screen.focus_previous)()
            return
        self._at = at
        self.refresh()

    def action_tick(self) -> None:
        if self.gate.offered:
            self._tick(self.gate.offered[self._at])

    def action_submit(self) -> None:
        self.post_message(self.Submitted())

    def on_click(self, event: events.Click) -> None:
        row = self._first() + event.y - 1
        if event.y > 0 and row < len(self.gate.offered):
            self._at = row
            self._tick(self.gate.offered[row])

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        if y == 0:
            return self.strip_of(self._meter(), width, self.base_style)
        row = self._first() + y - 1
        if row >= len(self.gate.offered):
            words = "No other note holds a like line: state it yourself, or leave it." if row == 0 else ""
            return self.strip_of([Piece(words, "dim")], width, self.base_style)
        return self.strip_of(self._row(row), width, self.base_style)

    def _tick(self, signal: Signal) -> None:
        if signal.id != self.gate.own:
            self._ticked ^= {signal.id}
            self.post_message(self.Changed())
        self.refresh()

    def _first(self) -> int:
        """The first signal in sight."""
        return max(0, min(self._at - MOST + 1, len(self.gate.offered) - MOST))

    def _meter(self) -> list[Piece]:
        weighed = self.gate.weigh(self._ticked)
        passed = self.gate.passed(weighed)
        glyph, role, words = ("✓", "good", "it may become standing") if passed else ("·", "warn", "not often enough yet")
        return [Piece(f"{glyph} ", role), Piece(self.gate.meter(weighed), "strong"), Piece(f"  {words}", role)]

    def _row(self, row: int) -> list[Piece]:
        signal = self.gate.offered[row]
        own = signal.id == self.gate.own
        box = "[own]" if own else "[x]  " if signal.id in self._ticked else "[ ]  "
        here = "cursor accent" if self.has_focus and row == self._at else "strong" if own or signal.id in self._ticked else ""
        where = f"{_where(signal):{self._wide}}"
        return [Piece(f"{box} ", here), Piece(f"{where}  ", "dim"), Piece(text.line(signal.text), here)]


def _where(signal: Signal) -> str:
    return f"{signal.date.isoformat()}:{signal.line}"
