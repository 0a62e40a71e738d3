"""What every pane is: a title, a number key, a selection, and words for when there is nothing to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.containers import Container

from memdesk.core.errors import MemdeskError
from memdesk.tui import verbs
from memdesk.tui.allowed import Situation
from memdesk.tui.messages import SituationChanged, VerdictAsked
from memdesk.tui.widgets.finder import Texts

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.tui.app import Workbench


class Pane(Container):
    """A pane of the workbench. Subclasses compose their widgets and fill them in `refresh_from`.

    An action of `verbs.py` is carried out by the method `do_ID` of the pane, else by that of the app. `refresh_from` is
    called with the desk when the pane is first shown, after each action and after each outside change; it must keep
    selection, scroll position and typed text. Slow work goes through `self.bench.work(...)`.
    """

    name_: ClassVar[str] = ""
    texts: ClassVar[Texts] = Texts()
    eager: ClassVar[bool] = False  # refreshed while another pane is shown too, for its count

    def __init__(self) -> None:
        super().__init__(id=f"pane-{self.name_}", classes="pane")
        self.stale = False  # the desk was read again since this pane was refreshed

    def on_mount(self) -> None:
        """Its widgets are there by now: before, none can take the focus."""
        if self.bench.current == self.name_:
            self.take_focus()

    @property
    def bench(self) -> Workbench:
        """The app, as what it is."""
        return cast("Workbench", self.app)

    @property
    def selection(self) -> tuple[str, ...]:
        """Ids of the entries that a verb would act on."""
        return ()

    @property
    def spot(self) -> tuple[str, int] | None:
        """Path and line of what is selected, or None."""
        if not self.selection:
            return None
        entry = self.bench.desk.workspace.find(self.selection[0])
        return entry.path, entry.line

    @property
    def count(self) -> int | None:
        """What the tab shows after the title (candidates, findings), or None."""
        return None

    def refresh_from(self, desk: Desk) -> None:
        """Show what the desk holds now."""

    def situation(self) -> Situation:
        """What the state allows, for footer, palette and key presses."""
        return self.bench.situation()._replace(pane=self.name_, selected=len(self.selection))

    def painted_at(self) -> float:
        """Monotonic time at which what a verb would act on was drawn; a key pressed before it is dropped."""
        return 0.0

    def action_verb(self, ident: str) -> None:
        self.bench.run_verb(ident)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "verb" and parameters and self.is_mounted:
            verb = verbs.BY_ID.get(str(parameters[0]))
            if verb is not None and verb.panes and self.name_ not in verb.panes:
                return False
        return True

    def changed(self) -> None:
        """Tell the footer that the selection, or what it allows, is another one."""
        self.post_message(SituationChanged())

    def take_focus(self) -> None:
        """Focus the widget that the pane's keys go to."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return

    @staticmethod
    def failure(error: Exception) -> str:
        """An error in the place of a list: where, what happened, what to do."""
        if not isinstance(error, MemdeskError):
            return f"{type(error).__name__}: {error}\n\nThis is a fault of memdesk; please report it. ^r tries again."
        where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
        return "\n\n".join(part for part in (where, error.message, error.remedy) if part)

    def nowhere(self) -> str:
        """For a list with nothing in it: the file or folder that could not be read and may hold something, or ""."""
        unread = self.bench.desk.workspace.unreadable()
        return f"{self.failure(unread[0])}\n\n^r reads again." if unread else ""

    def place(self) -> Any:
        """Where the person is, to come back to; what `return_to` takes."""
        return None

    def return_to(self, place: Any) -> None:
        """Go back to a place."""


class Judging(Pane):
    """A pane whose selection can be judged: the verdicts that any entry takes."""

    def situation(self) -> Situation:
        return super().situation()._replace(labels=named_anew(self.bench.desk, self.selection))

    def verdict(self, verb: str) -> None:
        """Ask for a verdict on what is selected."""
        self.post_message(VerdictAsked(verb, self.selection))

    def do_promote(self) -> None:
        self.verdict("promote")

    def do_strike(self) -> None:
        self.verdict("strike")

    def do_edit(self) -> None:
        self.verdict("edit")

    def do_archive(self) -> None:
        self.verdict("archive")

    def do_forget(self) -> None:
        self.verdict("forget")


def named_anew(desk: Desk, ids: Sequence[str]) -> dict[str, str]:
    """Other words for verdicts on what is selected: a strike may be a correction, and promoting be done by compacting."""
    subjects = desk.subjects(ids) if len(ids) == 1 else ()
    found = {verb: desk.instead(verb, subjects) for verb in ("strike", "promote") if subjects}
    return {verb: verbs.named(other).label for verb, other in found.items() if other != verb}
