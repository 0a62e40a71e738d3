"""One comparison of packs at a time, in a thread: begun anew as files and branches change, and called off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memdesk.tui.breath import breathing
from memdesk.tui.panes import against_rows as rows
from memdesk.tui.panes.against_found import Found, find, state

if TYPE_CHECKING:
    from textual.worker import Worker

    from memdesk.tui.app import Workbench


class Looks:
    """`told` is called with each comparison, `failed` with what was asked and why there is none."""

    def __init__(self, told: Callable[[Found], object], failed: Callable[[str, Exception], object]) -> None:
        self.found: Found | None = None
        self.asked = ""  # what the newest comparison is with
        self.stopped = False  # it was called off: what is shown may be older than the files
        self._told, self._failed = told, failed
        self._wanted = ""  # what is being compared with
        self._state: object = None  # what a comparison hangs on, as it was last seen
        self._turn = 0
        self._worker: Worker[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether one is under way."""
        return self._worker is not None

    def begin(self, bench: Workbench, asked: str | None = None) -> None:
        """Compare with what is asked, or once more with what was, or is being compared with."""
        if asked is None:
            asked = self._wanted if self.busy else self.asked
        self._turn += 1
        self.stopped = False
        turn, desk, wanted = self._turn, bench.desk, asked
        self._wanted = wanted

        def compare() -> Found:
            worker = get_current_worker()
            found = find(desk, wanted, breathing(lambda: worker.is_cancelled))
            return found._replace(accounts=rows.accounts(found))

        def done(found: Found) -> None:
            if turn == self._turn:
                self._worker = None
                self.found, self.asked, self._state = found, found.asked, found.state
                self._told(found)

        def failed(error: Exception) -> bool:
            if turn == self._turn:
                self._worker = None
                self._failed(wanted, error)
            return True

        self._worker = bench.work(
            compare, done, doing="compare the packs", group="against", exclusive=True, otherwise=failed, turn=False
        )

    def stop(self) -> bool:
        """Calls one off; False where none is under way."""
        if self._worker is None:
            return False
        self._worker.cancel()
        self._turn += 1
        self._worker, self.stopped = None, True
        return True

    def look(self, bench: Workbench) -> None:
        """Compare anew where HEAD, or what is compared with, is another commit by now."""
        found, desk = self.found, bench.desk
        if found is None or self.busy or self.stopped:
            return

        def told(now: object) -> None:
            if found is self.found and now != self._state and not self.busy:
                self._state = now  # where it can't be compared with any more, that is said once
                self.begin(bench)

        bench.work(
            lambda: state(desk.git, found.asked), told, doing="look at the branches", group="against-look", exclusive=True,
            otherwise=lambda error: True, turn=False,
        )
