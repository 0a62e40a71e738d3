"""A reason, asked for in one line."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core.layouts.base import Ask
from memdesk.tui import text
from memdesk.tui.widgets.form import Form


class Reason(ModalScreen[str | None]):
    """Enter gives it, once there is one; Escape gives none."""

    BINDINGS = [Binding("escape", "leave", "Cancel")]

    def __init__(self, title: str, default: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._ask = Ask("reason", "Reason", True, default, hint=hint)
        self.form = Form(id="reason-form")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small") as box:
            box.border_subtitle = "⏎ leave out · Esc cancel"
            yield Static(text.content_line(self._title), classes="dialog-title")
            yield self.form

    async def on_mount(self) -> None:
        await self.form.ask([self._ask])
        self.form.fields[0].control.focus()

    @on(Form.Submitted)
    def _entered(self) -> None:
        given = self.form.words().get("reason", "")
        if given:
            self.dismiss(given)

    def action_leave(self) -> None:
        self.dismiss(None)
