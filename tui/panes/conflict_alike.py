"""What takes longest to know for the Conflicts pane: which entries of nearly the same words are at odds. All entries are
compared for it, in a thread, and called off when the stores are read again."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memdesk.core.lean import NamedTuple
from memdesk.tui.breath import breathing
from memdesk.tui.messages import Finished
from memdesk.tui.panes import conflict_rows as rows
from memdesk.tui.panes.conflict_rows import Clash

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Workspace
    from memdesk.tui.app import Workbench

EVERY = 0.2  # seconds between two words about how far it is


class Compared(NamedTuple):
    """What a comparison has; `left`: in sentences, what was not compared."""

    clashes: list[Clash]
    left: tuple[str, ...] = ()


class Compares:
    """One comparison at a time; `told` is called when it is done, `heard` as it goes on."""

    def __init__(self, told: Callable[[], object], heard: Callable[[], object]) -> None:
        self.found = Compared([])
        self.share: float | None = None  # of the work that is done; None: nothing is under way
        self._told, self._heard = told, heard
        self._turn = 0

    @property
    def words(self) -> str:
        """How far it is, or that it left something out."""
        if self.share is not None:
            return f"⋯ comparing entries {self.share:.0%}" if self.share else ""
        return "! not all entries were compared" if self.found.left else ""

    def begin(self, bench: Workbench) -> None:
        """Compares the reading at hand. What an older one had stays as far as its texts do, until then."""
        self._turn += 1
        turn, desk = self._turn, bench.desk
        self.found = Compared([clash for clash in self.found.clashes if _stands(clash, desk.workspace)], self.found.left)
        self.share = 0.0

        def heard(share: float) -> None:
            if turn == self._turn and self.share is not None:
                self.share = share
                self._heard()

        def compared(found: Compared) -> None:
            if turn == self._turn:
                for sentence in found.left if found.left != self.found.left else ():
                    bench.say(sentence, "warning")
                self.found, self.share = found, None
                self._told()

        def failed(error: Exception) -> bool:
            return turn != self._turn or self._fail(error)

        bench.work(
            lambda: _compare(bench, desk, heard), compared, doing="compare the entries", group="alike", exclusive=True,
            otherwise=failed, turn=False,
        )

    def _fail(self, error: Exception) -> bool:
        self.found, self.share = Compared([], (f"The entries could not be compared: {error}",)), None
        self._told()
        return True


def _compare(bench: Workbench, desk: Desk, heard: Callable[[float], object]) -> Compared:
    worker = get_current_worker()
    said = monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal said
        if monotonic() - said >= EVERY and not worker.is_cancelled:
            said = monotonic()
            bench.post_message(Finished(heard, done / max(1, total)))

    found = desk.differing(progress, breathing(lambda: worker.is_cancelled))
    return Compared(rows.clashes(desk, found.conflicts), found.left)


def _stands(clash: Clash, workspace: Workspace) -> bool:
    return all(workspace.documents.get(entry.path) is entry.document for entry in clash.conflict.entries)
