"""A plan that asks for nothing but a yes: its exact diff, the budgets, and a button that says what will happen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Static

from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.plan import Drifted, Plan, Receipt
from memdesk.tui import text
from memdesk.tui.widgets.diffview import DiffView, note_lines, plan_lines
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench

NEW = "The files changed: this diff is another one. Look at it; Enter counts after any other key."


class Planned(ModalScreen[Receipt | None]):
    """The plan that `make` gives, made anew when files change. Enter counts only for the diff that is on screen.

    Subclasses may put widgets above the diff (`above`), say why a plan can't be confirmed yet (`waits`), and carry it out
    their own way (`carry_out`).
    """

    BINDINGS = [
        Binding("escape", "leave", "Cancel"),
        Binding("enter,ctrl+s", "confirm", "Confirm", priority=True),
        Binding("left,right,tab", "turn", show=False),
    ]

    def __init__(self, title: str, doing: str, make: Callable[[], Plan], *, start: str = "confirm") -> None:
        super().__init__()
        self._title, self._doing, self._make, self._start = title, doing, make, start
        self._plan: Plan | None = None
        self._last: Plan | None = None
        self._shown_at = float("inf")
        self._disarmed = -1  # the count of other keys at which Enter was disarmed
        self._committing = False
        self._refusal = False  # why there is no plan is on screen

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large planned"):
            yield Static(text.content_line(self._title), classes="dialog-title")
            yield from self.above()
            yield DiffView(id="planned-diff")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Reading…", id="planned-yes", variant="primary", disabled=True, compact=True)
                yield Button("Cancel (Esc)", id="planned-no", compact=True)

    def above(self) -> Iterable[Widget]:
        """What stands between title and diff."""
        return ()

    def before(self) -> Sequence[Para]:
        """Lines that stand before the plan's own."""
        return ()

    def making(self) -> Callable[[], Plan]:
        """What makes the plan, in a worker: of what is asked for now."""
        return self._make

    def waits(self, plan: Plan) -> str:
        """Why a plan can't be confirmed yet, or ""."""
        return "" if plan.steps else "Nothing would change"

    def carry_out(self, plan: Plan) -> Receipt:
        """Carry out what was confirmed. In a worker."""
        return self.bench.desk.commit(plan, self.bench.desk.who())

    @property
    def settled(self) -> bool:
        """Whether what is on screen is the answer to what was pressed: then keys that were typed ahead go on."""
        return not self._committing and (self._refusal or (self._plan is not None and self._shown_at < float("inf")))

    async def on_mount(self) -> None:
        await self.begin()
        self.stores_changed()

    async def begin(self) -> None:
        """Fill what is above the diff, and give the focus to what comes first."""
        self.query_one("#planned-no" if self._start == "cancel" else "#planned-diff").focus()

    def stores_changed(self) -> None:
        """Make the plan again, and mark it if it is another one."""
        if not self._committing:
            self._plan, self._refusal = None, False
            self.bench.work(self.making(), self._show, doing=self._doing, group="plan", exclusive=True, otherwise=self._refused)

    def make_again(self) -> None:
        """The person asks for something else: that its plan is another one is no news."""
        self._last, self._disarmed = None, -1
        self.stores_changed()

    def _show(self, plan: Plan) -> None:
        if not self.is_attached:
            return
        new = self._last is not None and self._last.hunks() != plan.hunks()
        self._plan = self._last = plan
        self._refusal = False
        view = self.query_one(DiffView)
        near = float(self.bench.desk.settings.budget.near)
        lines = self.before()
        view.show([*note_lines(NEW if new else ""), *lines, *plan_lines(plan, "", near)], plan.summary)
        self.set_class(new, "-new")
        if new:
            view.action_scroll_home()
            self._disarmed = self.bench.other_keys
        button = self.query_one("#planned-yes", Button)
        why = self.waits(plan)
        button.label = text.content_line(why if plan.steps and why else plan.label or plan.summary)
        button.refresh(layout=True)
        button.disabled = bool(why)
        self._shown_at = float("inf")
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._shown_at = time.monotonic()

    def _refused(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            self.dismiss(None)
            return False
        self._refusal = True
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
        if plan is None or self._committing or self.waits(plan) or self._disarmed == self.bench.other_keys:
            return
        if self.bench.key_time < self._shown_at:
            return  # pressed before the diff was on screen
        self._committing = True
        self.query_one("#planned-yes", Button).disabled = True
        self.bench.work(
            lambda: self.carry_out(plan), self.dismiss, doing=self._doing, group="commit", otherwise=self._not_done
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
