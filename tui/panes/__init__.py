"""The panes of the workbench. One is loaded when it is first shown; number keys stay as they are when panes are added."""

from __future__ import annotations

from importlib import import_module

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.tui.panes.base import Pane


class Seat(NamedTuple):
    """A pane's place: its name, number key, title, and the class that makes it."""

    name: str
    number: int
    title: str
    module: str
    cls: str


SEATS: tuple[Seat, ...] = (
    Seat("inbox", 1, "Inbox", "memdesk.tui.panes.inbox", "InboxPane"),
    Seat("context", 2, "Context", "memdesk.tui.panes.context", "ContextPane"),
    Seat("conflicts", 3, "Conflicts", "memdesk.tui.panes.conflicts", "ConflictsPane"),
    Seat("prune", 4, "Prune", "memdesk.tui.panes.prune", "PrunePane"),
    Seat("health", 5, "Health", "memdesk.tui.panes.health", "HealthPane"),
    Seat("history", 6, "History", "memdesk.tui.panes.history", "HistoryPane"),
)


def make(seat: Seat) -> Pane:
    """A new pane for a seat."""
    pane: Pane = getattr(import_module(seat.module), seat.cls)()
    return pane


def seat_of(name: str) -> Seat | None:
    """The seat of a pane by its name, or None."""
    return next((seat for seat in SEATS if seat.name == name), None)
