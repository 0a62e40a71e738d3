"""What loads this: for every task whether it loads a file, or an entry of it, why or why not, and the line to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core.checks.secrets import mask
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.tui import messages, text
from memdesk.tui.panes.entry_text import title
from memdesk.tui.report import why as report
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.routing import Why
    from memdesk.tui.app import Workbench


NARROW = 100  # columns


class Answer(NamedTuple):
    """What was asked about, and the answer for each task."""

    entry: Entry | None
    found: list[Why]
    line: int | None  # None: the file as a whole


class Loads(ModalScreen[None]):
    """The answer for one place, made again when files change."""

    BINDINGS = [
        Binding("escape,q,enter,w", "close", "Close"), Binding("o", "open", "Open"), Binding("y", "copy", "Copy"),
    ]

    def __init__(self, path: str, line: int) -> None:
        super().__init__()
        self._path, self._line = path, line
        self._answer: Answer | None = None

    @property
    def bench(self) -> Workbench:
        """The app, as what it is."""
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as frame:
            frame.border_subtitle = "o opens the line to change · y copies as Markdown · Esc closes"
            yield Static(text.content_line(f"What loads {self._path}:{self._line}"), classes="dialog-title", id="loads-title")
            yield Reading(id="loads-text")

    def on_mount(self) -> None:
        self.query_one(Reading).focus()
        self.stores_changed()

    def stores_changed(self) -> None:
        """Ask again."""
        desk, path, line = self.bench.desk, self._path, self._line

        def ask() -> Answer:
            from memdesk.core import routing

            document = routing.document_of(desk.workspace, path)
            entry = None if document is None else routing.entry_at(document, line)
            # The first line where it is in no entry stands for the file: a list or a finding that is about one names no other.
            at = None if entry is None and line == 1 else line
            return Answer(entry, routing.why(desk.workspace, path, at, desk.clock.today(), settings=desk.settings), at)

        self.bench.work(
            ask, self._show, doing="find out what loads it", group="loads", exclusive=True, otherwise=self._failed, turn=False
        )

    def _show(self, answer: Answer) -> None:
        self._answer = answer
        place = self._path if answer.line is None else f"{self._path}:{answer.line}"
        self.query_one("#loads-title", Static).update(text.content_line(f"What loads {place}"))
        self.query_one(Reading).show(loads_lines(answer, self.app.size.width < NARROW), "loads")

    def on_resize(self) -> None:
        """What goes beside the names or below them is laid out for the width."""
        if self._answer is not None:
            self._show(self._answer)

    def _failed(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            return False
        self._answer = None
        lines = [Para((Piece("✕ ", "bad"), Piece(error.message)), hang=2)]
        self.query_one(Reading).show(
            [*lines, Para((Piece("→ ", "accent"), Piece(error.remedy)), hang=2)] if error.remedy else lines, "no"
        )
        return True

    def action_open(self) -> None:
        """The line to change of the first task that has one, in the editor."""
        change = next((why.change for why in self._answer.found if why.change), "") if self._answer is not None else ""
        path, _, number = change.partition(" (")[0].rpartition(":")
        if path and number.isdecimal():
            self.post_message(messages.OpenPath(path, int(number)))
        else:
            self.bench.say("There is no line to change.", "warning")

    def action_copy(self) -> None:
        if self._answer is not None:
            told = report.markdown(self._path, self._answer.line, self._answer.entry, self._answer.found)
            self.post_message(messages.CopyText(told, "the table"))

    @on(Reading.Left)
    def action_close(self) -> None:
        self.dismiss(None)


def loads_lines(answer: Answer, narrow: bool = False) -> list[Para]:
    """What it is about; then for each task the reason, and below it the line to change. What was said of another task already
    isn't said again. `narrow`: long texts go on below the task's name instead of beside it."""
    found = answer.found
    wide = max((text.width(why.task) for why in found), default=0)
    entry = answer.entry
    lines = [] if entry is None else [Para((Piece(title(entry), "heading"),))]
    lines += [Para((Piece(f"{report.count(found)}.", "strong"),)), Para()]
    told: dict[str, Why] = {}  # by reason
    for why in found:
        glyph, role, word = ("✓", "good", "loads") if why.loads else ("✕", "dim", "stays out")
        lead = f"{glyph} {text.fit(text.line(why.task), wide)}  {word:<9}  "
        hang = 4 if narrow else text.width(lead)
        before = told.setdefault(why.reason, why)
        same = not why.loads and before is not why
        reason = Piece(f"as for {text.line(before.task)}", "dim") if same else Piece(text.line(mask(why.reason)))
        lines.append(Para((Piece(lead, role), reason), hang=hang))
        if why.change and not (same and before.change == why.change):
            change = text.line(mask(why.change)).replace("“- ", "“-\u00a0")  # a bullet stays with what it marks
            lines.append(Para((Piece(" " * hang), Piece("→ ", "accent"), Piece(change)), hang=hang + 2))
    return lines
