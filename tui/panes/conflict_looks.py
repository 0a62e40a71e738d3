"""What takes time to know of the selected conflict: its choices, long differences, who wrote the lines. Asked in threads, and
called off when another is selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memdesk.core.errors import MemdeskError
from memdesk.tui import wordiff
from memdesk.tui.panes import conflict_sides as shown
from memdesk.tui.panes.conflict_marks import Part
from memdesk.tui.panes.conflict_rows import Clash
from memdesk.tui.widgets.sides import plain

if TYPE_CHECKING:
    from memdesk.core.blame import Blame
    from memdesk.core.layouts.base import Version
    from memdesk.core.model import Document
    from memdesk.core.settling import Choice
    from memdesk.tui.app import Workbench
    from memdesk.tui.widgets.reading import Para

Blamed = tuple["Document", str | None, "Blame | None"]  # what was asked of: the document and HEAD; and the answer


class Looks:
    """What is known so far of one conflict; `told` is called whenever more is."""

    def __init__(self, told: Callable[[], object]) -> None:
        self.item: Clash | Part | None = None
        self.texts: list[list[Para]] = []
        self.spans: list[wordiff.Spans] | None = None  # what differs in `texts`; None: not known yet
        self.choices: tuple[Choice, ...] | None = None  # None: not known yet, or of git's conflicts
        self._blames: dict[tuple[str, int], Blamed] = {}  # by path and line
        self._asking: list[tuple[Document, int]] = []  # the lines that git is being asked about
        self._told = told

    def take(self, bench: Workbench, item: Clash | Part | None) -> None:
        """Look at another conflict, or at nothing; what is known of the same one stays."""
        if item is not self.item:
            self.choices = None
        self.item = item
        if item is None:
            self.texts, self.spans = [], []
        else:
            texts = shown.bodies(item)
            if texts != self.texts:
                self.texts = texts
                self.spans = None if wordiff.long([plain(paras) for paras in texts]) else shown.spans_of(texts)
        self._compare(bench)
        self._choose(bench)
        self._ask_who_wrote(bench, item.conflict.sides if isinstance(item, Clash) else ())

    @property
    def blames(self) -> Mapping[tuple[str, int], Blame | None]:
        """Who wrote lines, by path and line, as far as it is known."""
        return {place: known[2] for place, known in self._blames.items()}

    def _compare(self, bench: Workbench) -> None:
        texts = self.texts

        def compared(found: list[wordiff.Spans]) -> None:
            if texts is self.texts:
                self.spans = found
                self._told()

        if self.spans is None:
            bench.work(
                lambda: shown.spans_of(texts), compared, doing="compare the texts", group="differences", exclusive=True,
                turn=False,
            )

    def _choose(self, bench: Workbench) -> None:
        item = self.item
        if not isinstance(item, Clash) or self.choices is not None:
            return
        desk, conflict = bench.desk, item.conflict

        def chosen(found: list[Choice]) -> None:
            if item is self.item:
                self.choices = tuple(found)
                self._told()

        bench.work(lambda: desk.choices(conflict), chosen, doing="look for choices", group="choices", exclusive=True)

    def _ask_who_wrote(self, bench: Workbench, sides: Sequence[Version]) -> None:
        """git's blame of each side's line, one after the other."""
        desk, git = bench.desk, bench.desk.git
        if git is None:
            return
        head = git.head
        wanted = [
            side for side in sides
            if self._blames.get((side.entry.path, side.line), ())[:2] != (side.entry.document, head)
        ]
        lines = [(side.entry.document, side.line) for side in wanted]
        if lines and lines == self._asking:
            return  # the list was made anew meanwhile, and this conflict is what it was
        self._asking = lines
        if not wanted:
            bench.workers.cancel_group(bench, "blame")
            return

        def told(found: dict[tuple[str, int], Blamed]) -> None:
            self._asking = []
            self._blames |= found  # here, and not as it is found: the screen is drawn from it meanwhile
            self._told()

        def failed(_: Exception) -> bool:
            self._asking = []
            return True

        def ask() -> dict[tuple[str, int], Blamed]:
            worker = get_current_worker()
            found: dict[tuple[str, int], Blamed] = {}
            for side in wanted:
                try:
                    blame = desk.blame(side.entry, side.line, lambda: worker.is_cancelled)
                except MemdeskError:
                    blame = None  # it is told besides: no reason to trouble anyone
                if worker.is_cancelled:
                    break
                found[side.entry.path, side.line] = side.entry.document, head, blame
            return found

        bench.work(
            ask, told, doing="ask git who wrote it", group="blame", exclusive=True, turn=False, otherwise=failed,
        )
