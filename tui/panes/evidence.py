"""What a recall returns: a query, and below it the same text that `memdesk recall` prints."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input

from memdesk.core.errors import UsageError
from memdesk.core.scoping import NOWHERE, by_feature, read
from memdesk.tui import text
from memdesk.tui.widgets.form import OneLine
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.tui.app import Workbench

HOW = (
    "Ask in a few words, such as: current public API",
    "All stores are looked through, and what an agent would get is shown: the current entries with source and date, what was"
    " struck before them, what conflicts, what binds, and what was left out.",
    "Enter goes to the text, Escape back to the pack.",
)
SCOPED = (
    "Words such as feature:auth task:task-001 phase:work ask from within a feature, a task and a phase (plan, work or review):"
    " what is of other features is left out and named, the task's own comes first, and the phase weighs."
)


class Found(NamedTuple):
    """A recall, made in a worker: its text, as it is and as it is drawn, and how much it is. `said`: why there is none."""

    query: str
    text: str = ""
    paras: tuple[Para, ...] = ()
    title: str = ""
    said: str = ""


class Evidence(Container):
    """The query and the evidence. Each key asks again; what an older query finds is forgotten."""

    class Closed(Message):
        """Escape in the query: back to the pack."""

    def __init__(self) -> None:
        super().__init__(id="context-evidence", classes="framed")
        self.query_line = OneLine(placeholder="What do we know about …?", compact=True, id="context-query")
        self.reading = Reading(id="context-recall")
        self.found = Found("")
        self.border_title = "Recall"

    def compose(self) -> ComposeResult:
        yield self.query_line
        yield self.reading

    def on_mount(self) -> None:
        self._show(Found(""))

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def open(self) -> None:
        """Take the focus; what was asked last stays, and is asked again."""
        self.query_line.focus()
        self.ask()

    @on(Input.Changed, "#context-query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.ask()

    def ask(self) -> None:
        """Look for what the query says now."""
        desk, query = self.bench.desk, self.query_line.value
        if not query.strip():
            self._show(Found(""))
            return
        self.bench.work(
            partial(found, desk, query), self._show, doing="recall", group="recall", exclusive=True, otherwise=self._failed
        )

    def _failed(self, error: Exception) -> bool:
        from memdesk.tui.panes.base import Pane

        self._show(Found(self.query_line.value, said=Pane.failure(error)))
        return True

    def _show(self, made: Found) -> None:
        if not self.is_attached or made.query.strip() != self.query_line.value.strip():
            return
        self.found = made
        self.border_title = text.content_line(f"Recall · {made.title}" if made.title else "Recall")
        if made.paras:
            paras = made.paras
        elif made.said:
            paras = tuple(_words(made.said.split("\n\n")))
        else:
            paras = tuple(_words([*HOW[:-1], SCOPED, HOW[-1]] if by_feature(self.bench.desk.workspace.stores) else HOW))
        self.reading.show(paras, f"recall:{made.query.strip()}")

    @on(Input.Submitted, "#context-query")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.reading.focus()

    @on(Reading.Left)
    def _left(self, event: Reading.Left) -> None:
        event.stop()
        self.query_line.focus()

    def on_key(self, event: events.Key) -> None:
        if not self.query_line.has_focus:
            return
        if event.key == "escape":
            event.stop()
            self.post_message(self.Closed())
        elif event.key == "down":
            event.stop()
            self.reading.focus()


def found(desk: Desk, query: str) -> Found:
    """The recall of a query as it is shown, from within what `feature:ID` and the like in it say where memory is kept by
    feature; a query without a word to look for is no failure while it is being typed."""
    from memdesk.tui.report import recall as report

    if not desk.workspace.stores:
        return Found(query, said="There is no store here.\n\nmemdesk init makes one; then come back.")
    words, within = read(query) if by_feature(desk.workspace.stores) else (query, NOWHERE)
    try:
        made = desk.recall(words, within=within)
    except UsageError as error:
        return Found(query, said="\n\n".join(part for part in (error.message, error.remedy) if part))
    whole = report.text(made)
    heads = report.headers(made, whole)
    paras = tuple(
        Para((Piece(line, "heading"),)) if (line := "".join(piece.text for piece in para.pieces)) in heads else para
        for para in markdown(whole)
    )
    left = len(made.left_out) + made.more
    parts = [f"{len(made.sources)} source{'' if len(made.sources) == 1 else 's'}"]
    parts += [f"{made.chars} characters"] if made.sources else []
    parts += [f"✕ {len(made.conflicts)} conflict{'' if len(made.conflicts) == 1 else 's'}"] if made.conflicts else []
    parts += [f"{left} left out"] if left else []
    return Found(query, whole, paras, " · ".join(parts))


def _words(parts: tuple[str, ...] | list[str]) -> list[Para]:
    paras: list[Para] = []
    for part in parts:
        paras += [Para((Piece(part),)), Para()]
    return paras[:-1]
