"""A plan that asks for nothing but a yes: its exact diff, the budgets, and a button that says what will happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.plan import Drifted, Plan, Receipt
from memdesk.tui import text
from memdesk.tui.widgets.diffview import DiffView
from memdesk.tui.widgets.reading import Reading

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench

NEW = "The files changed: this diff is another one. Look at it; Enter counts after any other key."


class Planned(ModalScreen[Receipt | None]):
    """The plan that `make` gives, made anew when files change. Enter counts only for the diff that is on screen."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"),
        Binding("enter,ctrl+s", "confirm", "Confirm", priority=True),
        Binding("left,right,tab", "turn", show=False),
    ]

    def __init__(self, title: str, doing: str, make: Callable[[], Plan]) -> None:
        super().__init__()
        self._title, self._doing, self._make = title, doing, make
        self._plan: Plan | None = None
        self._last: Plan | None = None
        self._shown_at = float("inf")
        self._disarmed = -1  # the count of other keys at which Enter was disarmed
        self._committing = False

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large planned"):
            yield Static(text.content_line(self._title), classes="dialog-title")
            yield DiffView(id="planned-diff")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Reading…", id="planned-yes", variant="primary", disabled=True, compact=True)
                yield Button("Cancel (Esc)", id="planned-no", compact=True)

    def on_mount(self) -> None:
        self.query_one(DiffView).focus()
        self.stores_changed()

    def stores_changed(self) -> None:
        """Make the plan again, and mark it if it is another one."""
        if not self._committing:
            self._plan = None
            self.bench.work(self._make, self._show, doing=self._doing, group="plan", exclusive=True, otherwise=self._refused)

    def _show(self, plan: Plan) -> None:
        if not self.is_attached:
            return
        new = self._last is not None and self._last.hunks() != plan.hunks()
        self._plan = self._last = plan
        view = self.query_one(DiffView)
        view.show_plan(plan, NEW if new else "", float(self.bench.desk.settings.budget.near))
        self.set_class(new, "-new")
        if new:
            view.action_scroll_home()
            self._disarmed = self.bench.other_keys
        button = self.query_one("#planned-yes", Button)
        button.label = text.content_line(plan.label or plan.summary)
        button.refresh(layout=True)
        button.disabled = not plan.steps
        self._shown_at = float("inf")
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._shown_at = time.monotonic()

    def _refused(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            self.dismiss(None)
            return False
        where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
        self.query_one(DiffView).refuse(error.message, error.remedy, where)
        button = self.query_one("#planned-yes", Button)
        button.label, button.disabled = text.content_line("It cannot be done"), True
        return True

    def action_confirm(self) -> None:
        if self.query_one("#planned-no", Button).has_focus:
            self.action_leave()
            return
        plan = self._plan
        if plan is None or self._committing or not plan.steps or self._disarmed == self.bench.other_keys:
            return
        if self.bench.key_time < self._shown_at:
            return  # pressed before the diff was on screen
        self._committing = True
        desk = self.bench.desk
        self.query_one("#planned-yes", Button).disabled = True
        self.bench.work(
            lambda: desk.commit(plan, desk.who()), self.dismiss, doing=self._doing, group="commit", otherwise=self._not_done
        )

    def _not_done(self, error: Exception) -> bool:
        self._committing = False
        if isinstance(error, Drifted):
            self._show(error.plan)
            return True
        if isinstance(error, Refused):
            return self._refused(error)
        self.query_one("#planned-yes", Button).disabled = False
        return False

    def action_turn(self) -> None:
        """Between the diff and Cancel; Enter anywhere else confirms."""
        button, view = self.query_one("#planned-no", Button), self.query_one(DiffView)
        (view if button.has_focus else button).focus()

    def action_leave(self) -> None:
        if not self._committing:
            self.dismiss(None)

    @on(Reading.Left)
    def _left(self) -> None:
        self.action_leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave() if event.button.id == "planned-no" else self.action_confirm()
