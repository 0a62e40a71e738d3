"""Small dialogs: a question with two answers, and a notice of what went wrong."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.tui import text


class Confirm(ModalScreen[bool]):
    """A question. `yes` says what will happen; `start` is the answer that has the focus: "confirm" or "cancel"."""

    BINDINGS = [Binding("escape", "answer(False)", "Cancel"), Binding("left,up", "app.focus_previous", show=False),
                Binding("right,down", "app.focus_next", show=False)]

    def __init__(self, title: str, words: str, yes: str, *, start: str = "confirm") -> None:
        super().__init__()
        self._title, self._words, self._yes, self._start = title, words, yes, start

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(text.content_line(self._title), classes="dialog-title")
            with VerticalScroll(classes="dialog-words"):
                yield Static(text.content(self._words))
            with Horizontal(classes="dialog-buttons"):
                yield Button(text.content_line(self._yes), id="yes", variant="primary", compact=True)
                yield Button("Cancel (Esc)", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#yes" if self._start == "confirm" else "#no", Button).focus()

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class Notice(ModalScreen[None]):
    """What happened, where, and what to do; `y` copies it."""

    BINDINGS = [Binding("escape,enter,q", "close", "Close"), Binding("y", "copy", "Copy")]

    def __init__(self, title: str, words: str, where: str = "", remedy: str = "") -> None:
        super().__init__()
        self._title, self._parts = title, [part for part in (where, words, remedy) if part]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small -error"):
            yield Static(text.content_line("✕ " + self._title), classes="dialog-title")
            with VerticalScroll(classes="dialog-words"):
                yield Static(text.content("\n\n".join(self._parts)))
            with Horizontal(classes="dialog-buttons"):
                yield Button("Close", id="close", variant="primary", compact=True)

    def on_mount(self) -> None:
        self.query_one("#close", Button).focus()

    def action_close(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(text.inert("\n\n".join([self._title, *self._parts])))
        self.app.notify("Copied the message.", markup=False)

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)
