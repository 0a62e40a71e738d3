"""What takes time to know for the Prune pane: how the session stands, what a scan finds, what a proposal would write. Asked in
threads; no scan is begun before the pane is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memdesk.core.errors import MemdeskError, StoreError
from memdesk.core.lean import NamedTuple
from memdesk.tui.breath import breathing
from memdesk.tui.messages import Finished
from memdesk.tui.panes.prune_rows import Case, case_of
from memdesk.tui.panes.prune_shown import Progress

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Workspace
    from memdesk.core.prune.drawn import Drawn
    from memdesk.core.prune.session import Session
    from memdesk.tui.app import Workbench

EVERY = 0.1  # seconds between two words about how far a scan is
GONE = "What speaks for it has changed: it is not proposed any more."

Of = tuple["Workspace", bytes]  # what a scan looked at: the reading, and the judgments


class Found(NamedTuple):
    """What a scan has. `whole` False: it was stopped; `fell`: what was open before and is not found any more, by id, with the
    reason."""

    cases: tuple[Case, ...]
    not_compared: tuple[str, ...]
    judged: int
    of: Of
    fell: dict[str, str]
    whole: bool = True


class Stand(NamedTuple):
    """How the session stands for the reading at hand. `stale`: by the id of a proposal that no longer fits, the reason."""

    session: Session
    of: Of
    stale: dict[str, str]


def stand(desk: Desk, open_: Sequence[Case], of: Of | None) -> Stand:
    """The session, and which of the proposals at hand no longer fit. For a worker."""
    now = desk.workspace, judgments(desk)
    stale = {} if of is not None and of[0] is now[0] else _stale(desk, open_)
    return Stand(desk.prune_session(), now, stale)


def _stale(desk: Desk, cases: Sequence[Case]) -> dict[str, str]:
    found = {}
    for case in cases:
        why = desk.stale(case.proposal) if case.proposal is not None else ""
        if why:
            found[case.ident] = why
    return found


def judgments(desk: Desk) -> bytes:
    """The file of judgments, to tell whether it is another one."""
    from memdesk.core.judgments import PATH

    tree = desk.workspace.tree
    try:
        return b"" if tree.kind(PATH) == "none" else tree.read(PATH)
    except StoreError as error:
        return str(error).encode()


class Scans:
    """One scan at a time. `told` is called with what it finds, `failed` with why it can't be made, `heard` as it goes on."""

    def __init__(
        self, told: Callable[[Found], object], failed: Callable[[Exception], bool], heard: Callable[[], object]
    ) -> None:
        self._told, self._failed, self._heard = told, failed, heard
        self._stop: Event | None = None
        self.progress: Progress | None = None  # None: none is under way
        self.of: Of | None = None  # what is looked at, or was last

    def begin(self, bench: Workbench, of: Of, before: Sequence[Case]) -> None:
        """Looks at the reading at hand; a scan of an older one is forgotten. `before`: what is open now."""
        if self._stop is not None:
            self._stop.set()
        stop = self._stop = Event()
        desk = bench.desk
        self.progress, self.of = Progress("", 0, 0), of

        def scan() -> Found:
            worker = get_current_worker()
            said = 0.0

            def progress(kind: str, done: int, total: int) -> None:
                nonlocal said
                now = monotonic()
                if now - said >= EVERY and not worker.is_cancelled:
                    said = now
                    bench.post_message(Finished(heard, Progress(kind, done, total)))

            found = desk.prune(progress, breathing(lambda: stop.is_set() or worker.is_cancelled))
            cases = tuple(case_of(each) for each in found.proposals)
            if stop.is_set():
                return Found(cases, tuple(found.not_compared), found.judged, of, {}, False)
            known = {case.ident for case in cases}
            lost = [case for case in before if case.ident not in known]
            stale = _stale(desk, lost)
            fell = {case.ident: stale.get(case.ident, GONE) for case in lost}
            return Found(cases, tuple(found.not_compared), found.judged, of, fell)

        def heard(at: Progress) -> None:
            if stop is self._stop and not stop.is_set():
                self.progress = at
                self._heard()

        def told(found: Found) -> None:
            if stop is self._stop:
                self._stop = self.progress = None
                self._told(found)

        def failed(error: Exception) -> bool:
            if stop is not self._stop:
                return True
            self._stop = self.progress = None
            return self._failed(error)

        bench.work(
            scan, told, doing="look for what to prune", group="prune-scan", exclusive=True, otherwise=failed, turn=False
        )

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop and has not yet."""
        return self._stop is not None and self._stop.is_set()

    def stop(self) -> bool:
        """Stops the scan; False where none is under way."""
        if self._stop is None or self._stop.is_set():
            return False
        self._stop.set()
        return True


class Draws:
    """What accepting a proposal would write, asked for one after the other: of many that are passed by only the last."""

    def __init__(self, told: Callable[[], object]) -> None:
        self._told = told
        self._of: Workspace | None = None
        self._known: dict[str, Drawn | str] = {}
        self._wanted: list[Case] = []
        self._busy = False

    def of(self, ident: str) -> tuple[Drawn | None, str]:
        """What is known: what would be written, or why that can't be said."""
        known = self._known.get(ident)
        return (None, known) if isinstance(known, str) else (known, "")

    def take(self, bench: Workbench, case: Case | None, likely: Sequence[object] = ()) -> None:
        """Look at another proposal, or at none; then at those that are likely to be looked at next."""
        if self._of is not bench.desk.workspace:
            self._of = bench.desk.workspace
            self._known.clear()
        self._wanted = [each for each in (case, *likely) if isinstance(each, Case)]
        if not self._busy:
            self._ask(bench)

    def _ask(self, bench: Workbench) -> None:
        workspace = self._of
        case = next((each for each in self._wanted if each.open and each.ident not in self._known), None)
        if case is None or case.proposal is None:
            return
        desk, proposal, ident = bench.desk, case.proposal, case.ident
        self._busy = True

        def drawn(found: Drawn | str) -> None:
            self._busy = False
            if workspace is self._of:
                self._known[ident] = found
                if self._wanted and self._wanted[0].ident == ident:
                    self._told()
            if self._of is bench.desk.workspace:  # else someone is about to ask again
                self._ask(bench)

        def failed(error: Exception) -> bool:
            drawn(str(error) if isinstance(error, MemdeskError) else f"{type(error).__name__}: {error}")
            return True

        bench.work(lambda: desk.draw(proposal), drawn, doing="make the diff", group="prune-draw", otherwise=failed)
