"""What loads this: for every task whether it loads a file, or an entry of it, and why or why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core.errors import MemdeskError
from memdesk.tui import text
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.routing import Why
    from memdesk.tui.app import Workbench


class Loads(ModalScreen[None]):
    """The answer for one place, made again when files change."""

    BINDINGS = [Binding("escape,q,enter,w", "close", "Close")]

    def __init__(self, path: str, line: int) -> None:
        super().__init__()
        self._path, self._line = path, line

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large"):
            yield Static(text.content_line(f"What loads {self._path}:{self._line}  (Esc closes)"), classes="dialog-title")
            yield Reading(id="loads-text")

    def on_mount(self) -> None:
        self.query_one(Reading).focus()
        self.stores_changed()

    def stores_changed(self) -> None:
        """Ask again."""
        bench = cast("Workbench", self.app)
        workspace, path, line, today = bench.desk.workspace, self._path, self._line, bench.desk.clock.today()

        def ask() -> list[Why]:
            from memdesk.core import routing

            return routing.why(workspace, path, line, today)

        bench.work(
            ask, self._show, doing="find out what loads it", group="loads", exclusive=True, otherwise=self._failed, turn=False
        )

    def _show(self, found: list[Why]) -> None:
        self.query_one(Reading).show(loads_lines(found), "loads")

    def _failed(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            return False
        lines = [Para((Piece("✕ ", "bad"), Piece(error.message)), hang=2)]
        self.query_one(Reading).show(
            [*lines, Para((Piece("→ ", "accent"), Piece(error.remedy)), hang=2)] if error.remedy else lines, "no"
        )
        return True

    @on(Reading.Left)
    def action_close(self) -> None:
        self.dismiss(None)


def loads_lines(found: list[Why]) -> list[Para]:
    """One line for each task."""
    yes = sum(1 for why in found if why.loads)
    wide = max((text.width(why.task) for why in found), default=0)
    lines = [Para((Piece(f"{yes} of {len(found)} tasks load it.", "strong"),)), Para()]
    for why in found:
        glyph, role, word = ("✓", "good", "loads") if why.loads else ("✕", "dim", "stays out")
        lead = f"{glyph} {text.fit(text.line(why.task), wide)}  {word:<9} "
        lines.append(Para((Piece(lead, role), Piece(why.reason)), hang=text.width(lead)))
    return lines
