"""How much waits in panes that nobody has opened yet, for their tabs: counted in a thread, a while after the last change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from textual.message_pump import MessagePump
from textual.worker import get_current_worker

from memdesk.tui.panes.base import Pane

if TYPE_CHECKING:
    from textual.timer import Timer

    from memdesk.core.desk import Desk
    from memdesk.tui.app import Workbench

COUNT_AFTER = 1.0  # seconds of quiet before anything is counted: first comes what the person waits for


class Counting(MessagePump):
    """What the app mixes in to count for `panes.SEATS`. A pane that is open, and shows what the desk holds, counts itself."""

    _counted: Mapping[str, int] = {}
    _counting: Timer | None = None

    def count(self, name: str) -> int | None:
        """What waits in a pane, or None where that is not known or not counted."""
        pane = next(iter(self._app.screen_stack[0].query(f"#pane-{name}").results(Pane)), None)
        return self._counted.get(name) if pane is None or pane.stale else pane.count

    def count_soon(self) -> None:
        """Count a while after the last change."""
        if not self._app.watch_outside:
            return
        if self._counting is not None:
            self._counting.stop()
        self._counting = self.set_timer(COUNT_AFTER, self._count_now)

    def _count_now(self) -> None:
        app = self._app
        shown = {pane.name_ for pane in app.screen_stack[0].query(Pane) if not pane.stale}
        wanted = [name for name in COUNTED if name not in shown]
        desk = app.desk

        def show(found: dict[str, int]) -> None:
            self._counted = {**self._counted, **found}
            app.refresh_frame()

        if wanted:
            app.work(
                lambda: {name: COUNTED[name](desk) for name in wanted}, show, doing="check the stores", group="count",
                exclusive=True, otherwise=lambda error: True, turn=False,
            )

    @property
    def _app(self) -> Workbench:
        return cast("Workbench", self)


def _conflicts(desk: Desk) -> int:
    """Conflicts that nobody dismissed, and what git could not merge."""
    from memdesk.tui.breath import breathing
    from memdesk.tui.panes.conflict_marks import files, waiting

    worker = get_current_worker()
    found = [*desk.conflicts(), *desk.differing(stopped=breathing(lambda: worker.is_cancelled)).conflicts]
    return waiting(files(desk)) + sum(1 for _, judgment in desk.judge(found) if judgment is None)


COUNTED: Mapping[str, Callable[[Desk], int]] = {
    "conflicts": _conflicts,
    "health": lambda desk: len(desk.check().findings),
}
