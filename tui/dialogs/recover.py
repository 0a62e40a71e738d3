"""What was interrupted: which files stand where, what recovery will do, and the questions that only a person settles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.tui import text
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, rule

if TYPE_CHECKING:
    from memdesk.core.transaction import Pending, Recovered
    from memdesk.tui.app import Workbench

LABELS = {
    "complete": "complete it: write what it was going to write",
    "restore": "restore what was there before",
    "keep": "keep all files as they are and close it",
    "later": "later: leave it",
}
STATES = {"before": "as it was before", "after": "as it was going to be", "foreign": "someone else's text"}


class Recover(ModalScreen["dict[str, str] | None"]):
    """Dismissed with the answers by transaction, or with None: nothing is touched."""

    BINDINGS = [Binding("escape", "leave", "Cancel"), Binding("ctrl+s", "go", "Recover")]

    def __init__(self, pending: Sequence[Pending]) -> None:
        super().__init__()
        self._pending = tuple(pending)
        self._choices: dict[str, Choice] = {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large"):
            yield Static("Interrupted", classes="dialog-title")
            yield Reading(id="recover-text")
            for item in self._pending:
                if item.question:
                    picks = [Pick(choice, LABELS.get(choice, choice)) for choice in item.choices]
                    self._choices[item.id] = Choice(picks)
                    yield Static(text.content_line(f"{item.summary or item.id}: {item.question}"), classes="recover-question")
                    yield self._choices[item.id]
            with Horizontal(classes="dialog-buttons"):
                yield Button("Recover", id="recover-yes", variant="primary", compact=True)
                yield Button("Leave it (Esc)", id="recover-no", compact=True)

    def on_mount(self) -> None:
        self.query_one(Reading).show(pending_lines(self._pending), "pending")
        first = next(iter(self._choices.values()), None)
        (first or self.query_one("#recover-yes", Button)).focus()
        self._label()

    @on(Choice.Changed)
    def _label(self) -> None:
        open_ = [choice for choice in self._choices.values() if choice.value is None]
        button = self.query_one("#recover-yes", Button)
        button.label = text.content_line("Answer the question first" if open_ else "Recover")
        button.disabled = bool(open_)

    @on(Choice.Submitted)
    def action_go(self) -> None:
        if all(choice.value is not None for choice in self._choices.values()):
            self.dismiss({ident: choice.value or "later" for ident, choice in self._choices.items()})

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_go() if event.button.id == "recover-yes" else self.action_leave()

    @on(Reading.Left)
    def action_leave(self) -> None:
        self.dismiss(None)


def pending_lines(pending: Sequence[Pending]) -> list[Para]:
    """What was interrupted, and where each of its files stands."""
    lines: list[Para] = []
    for item in pending:
        lines += [
            rule(item.summary or item.id, "heading"),
            Para((Piece(f"{item.id} · {item.at} · by {item.by or 'unknown'}", "dim"),)),
        ]
        for path, state in item.states:
            role = {"foreign": "warn", "after": "good"}.get(state, "")
            lines.append(Para((Piece(f"  {path}: "), Piece(STATES.get(state, state), role)), hang=4))
        lines.append(Para((Piece("→ ", "accent"), Piece(course_of(item))), hang=2))
        lines.append(Para())
    return lines


def course_of(item: Pending) -> str:
    """What recovery will do, by the state of the files."""
    states = {state for _, state in item.states}
    if item.question:
        return "A person has to say which: see below."
    if "foreign" in states:
        return "What still is its own goes back; texts of others stay as they are; nothing is lost."
    if "after" not in states:
        return "It had not begun: it is taken back, and the store is as it was."
    if "before" not in states:
        return "All is written: it is closed."
    return "Part of it is written: it is completed."


def open_recover(bench: Workbench) -> None:
    """Look at what was interrupted, ask, recover, and say what came of it."""
    desk = bench.desk

    def ask(pending: list[Pending]) -> None:
        if not pending:
            bench.say("Nothing was interrupted.")
            bench.look_around()
            return
        bench.push_screen(Recover(pending), answered)

    def answered(answers: dict[str, str] | None) -> None:
        if answers is not None:
            bench.work(lambda: desk.recover(lambda item: answers.get(item.id, "later")), done, doing="recover")

    def done(recovered: list[Recovered]) -> None:
        bench.refresh_panes()
        if any(item.person for item in recovered):
            from memdesk.tui.dialogs.confirm import Notice

            words = "\n".join(f"{item.summary or item.id}: {item.outcome}. {item.message}" for item in recovered)
            bench.push_screen(Notice("Recovered, but look at it", words, "", "All texts are kept: see History (6)."))
        else:
            words = "; ".join(f"{(item.summary or item.id).rstrip('.')}: {item.outcome}" for item in recovered)
            bench.say(f"Recovered. {words}." if words else "Nothing was interrupted any more.")

    bench.work(desk.pending, ask, doing="look at what was interrupted")
