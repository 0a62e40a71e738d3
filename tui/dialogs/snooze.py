"""Until when a candidate or a proposal stays out of sight: personal state, nothing is written to memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from memdesk.tui import text
from memdesk.tui.acts import Given
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.form import OneLine

if TYPE_CHECKING:
    from memdesk.core.prune.proposal import Proposal
    from memdesk.tui.app import Workbench

SPANS = ((1, "tomorrow"), (7, "a week"), (30, "a month"), (90, "three months"))


class Snooze(ModalScreen[date | None]):
    """A span or a date; Enter confirms."""

    BINDINGS = [Binding("escape", "leave", "Cancel"), Binding("down", "app.focus_next", show=False),
                Binding("up", "app.focus_previous", show=False)]

    def __init__(self, today: date, count: int, chosen: date | None = None, what: str = "candidate") -> None:
        super().__init__()
        self._today, self._count, self._thing = today, count, what
        self._chosen = "" if chosen is None else chosen.isoformat()  # before, when it could not be done

    def compose(self) -> ComposeResult:
        what = f"this {self._thing}" if self._count == 1 else f"{self._count} {self._thing}s"
        with Vertical(classes="dialog small"):
            yield Static(text.content_line(f"Snooze {what} until"), classes="dialog-title")
            spans = [self._day(days) for days, _ in SPANS]
            picked = self._chosen if self._chosen in spans else self._day(7)
            yield Choice([Pick(self._day(days), words) for days, words in SPANS], picked)
            with Horizontal(classes="field"):
                yield Static("or a date", classes="field-label")
                typed = "" if self._chosen in spans else self._chosen
                yield OneLine(typed, placeholder="YYYY-MM-DD", compact=True)
            yield Static("Nothing changes in memory; it comes back by itself, or when its text changes.", id="snooze-words")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Snooze", id="yes", variant="primary", compact=True)
                yield Button("Cancel (Esc)", id="no", compact=True)

    @property
    def settled(self) -> bool:
        """Whether it can take keys that were typed ahead."""
        return self.focused is not None

    def on_mount(self) -> None:
        self.query_one(Choice).focus()
        self._label()

    def _day(self, days: int) -> str:
        return (self._today + timedelta(days=days)).isoformat()

    def until(self) -> date | None:
        """The chosen day, or None where what is typed is none."""
        typed = self.query_one(OneLine).value.strip()
        try:
            day = date.fromisoformat(typed or self.query_one(Choice).value or "")
        except ValueError:
            return None
        return day if day > self._today else None

    @on(Input.Changed)
    @on(Choice.Changed)
    def _label(self) -> None:
        day = self.until()
        button = self.query_one("#yes", Button)
        button.disabled = day is None
        button.label = text.content_line(f"Snooze until {day}" if day else "A date after today, as YYYY-MM-DD")

    @on(Input.Submitted)
    @on(Choice.Submitted)
    def _entered(self) -> None:
        if (day := self.until()) is not None:
            self.dismiss(day)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "yes":
            self._entered()
        else:
            self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)


def wake(
    bench: Workbench, ids: Sequence[str], words: str = "", otherwise: Callable[[Exception], bool] | None = None
) -> None:
    """Bring candidates back; the first is selected. `otherwise`: as for `Workbench.work`."""
    desk = bench.desk

    def done(nothing: None) -> None:
        woken = set(ids)
        bench.given = [each for each in bench.given if each.ident or woken.isdisjoint(each.ids)]
        bench.select_again(ids)
        bench.refresh_panes()
        if words:
            bench.say(words)

    bench.work(lambda: desk.unsnooze(ids), done, doing="wake it", otherwise=otherwise)


def open_snooze(bench: Workbench, ids: Sequence[str]) -> None:
    """Ask until when, and put the candidates aside."""
    desk = bench.desk

    def chosen(day: date | None) -> None:
        if day is None:
            return

        def done(nothing: None) -> None:
            bench.given.append(Given("", tuple(ids)))
            bench.refresh_panes()
            bench.say(f"Snoozed until {day}. Z shows what is snoozed, u brings it back.")

        def failed(error: Exception) -> bool:
            bench.push_screen(Snooze(desk.clock.today(), len(ids), day), chosen)  # what was chosen is there for another try
            return False

        bench.work(lambda: desk.snooze(ids, day), done, doing="snooze it", otherwise=failed)

    bench.push_screen(Snooze(desk.clock.today(), len(ids)), chosen)


def open_put_off(bench: Workbench, proposal: Proposal) -> None:
    """Ask until when, and put a proposal of a prune session aside."""
    desk, ident = bench.desk, proposal.id

    def chosen(day: date | None) -> None:
        if day is None:
            return

        def done(nothing: None) -> None:
            bench.given.append(Given("", (ident,), proposal=True))
            bench.refresh_panes()
            bench.say(f"Snoozed until {day}.  u brings it back.")

        def failed(error: Exception) -> bool:
            bench.push_screen(Snooze(desk.clock.today(), 1, day, "proposal"), chosen)
            return False

        bench.work(lambda: desk.put_off(proposal, day), done, doing="snooze it", otherwise=failed)

    bench.push_screen(Snooze(desk.clock.today(), 1, what="proposal"), chosen)


def take_up(bench: Workbench, ident: str, otherwise: Callable[[Exception], bool] | None = None) -> None:
    """Bring a proposal back that was put aside. `otherwise`: as for `Workbench.work`."""
    desk = bench.desk

    def done(nothing: None) -> None:
        bench.given = [each for each in bench.given if not (each.proposal and ident in each.ids)]
        bench.select_again((ident,))
        bench.refresh_panes()
        bench.say("Snoozed no more.")

    bench.work(lambda: desk.take_up(ident), done, doing="take it up again", otherwise=otherwise)
