"""How the stores are: findings of the check as files change, every budget with its course over git's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.worker import Worker, get_current_worker

from memdesk.core.errors import MemdeskError
from memdesk.tui import keymaps, messages, text
from memdesk.tui.allowed import Situation
from memdesk.tui.panes import health_rows as rows
from memdesk.tui.panes.listing import ListPane
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Reading

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.checks.runner import Report
    from memdesk.core.desk import Desk
    from memdesk.core.model import Budget, Document
    from memdesk.core.timeline import Use

VERSIONS = 60  # commits of a file that its course goes back at most


class HealthPane(ListPane):
    """Findings, budgets, rules; beside them the line that a finding is about, or the course of a budget."""

    name_ = "health"
    BINDINGS = keymaps.bindings("health")
    texts = Texts(
        empty="There is no store here to check.\n\nmemdesk init makes one.",
        loading="Checking…",
        filtered="No finding, budget or rule holds these words.\n\nEscape shows all.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._report: Report | None = None
        self._budgets: Sequence[Budget] = ()
        self._rules: Mapping[str, Rule] = {}
        self._courses: dict[tuple[str, str], Sequence[Use]] = {}  # by path and unit
        self._known: dict[str, tuple[Document, str | None]] = {}  # what a course was read of: the document, and HEAD
        self._reader: Worker[None] | None = None
        self._progress = ""
        self.finder = Finder(self._draw, rows.haystack, texts=self.texts, id="health-list")
        self.finder.border_title = "Health"
        self.reading = Reading(id="health-reading", classes="framed")
        self.finder.lines.at_move = self._selected

    def compose(self) -> ComposeResult:
        with Container(id="health-body"):
            yield self.finder
            yield self.reading

    # What the app asks.

    @property
    def count(self) -> int | None:
        return None if self._report is None else len(self._report.findings)

    @property
    def spot(self) -> tuple[str, int] | None:
        item = self.lines.item
        if isinstance(item, rows.FindingItem):
            return item.finding.path, item.finding.line or 1
        capped = isinstance(item, rows.BudgetItem) and item.budget.path in self.bench.desk.workspace.documents
        return (item.budget.path, 1) if capped else None

    def situation(self) -> Situation:
        return super().situation()._replace(place=self.spot is not None)

    def refresh_from(self, desk: Desk) -> None:
        def read() -> tuple[Report, Sequence[Budget], Mapping[str, Rule]]:
            return checked(desk)

        self.bench.work(
            read, self._show, doing="check the stores", group="check", exclusive=True, otherwise=self._failed, turn=False
        )

    def _failed(self, error: Exception) -> bool:
        self.finder.fail(f"The check could not be made.\n\n{self.failure(error)}")
        return True

    def _show(self, found: tuple[Report, Sequence[Budget], Mapping[str, Rule]]) -> None:
        self._report, self._budgets, self._rules = found
        self.finder.texts = self.texts._replace(empty=self.nowhere() or self.texts.empty)
        self.finder.set_rows(
            rows.rows_of(self._budgets, self._report, self._rules) if self._report.stores or self._report.findings else []
        )
        self._titles()
        self._selected()
        self.changed()
        self._read_courses()

    def _titles(self) -> None:
        words = "" if self._report is None else f" · {rows.findings_words(self._report)}"
        self.finder.border_title = text.content_line(f"Health{words}")
        self.finder.border_subtitle = text.content_line(self._progress) if self._progress else None

    def _draw(self, item: Any, width: int) -> list[Piece]:
        return rows.draw(item, width, float(self.bench.desk.settings.budget.near), self._courses)

    # The courses: one file after the other, in one worker that can be stopped between two.

    def _read_courses(self) -> None:
        desk = self.bench.desk
        git = desk.git
        if git is None:
            return
        head = git.head
        documents = desk.workspace.documents
        capped = dict.fromkeys(budget.path for budget in self._budgets if budget.path in documents)
        wanted = [path for path in capped if self._known.get(path) != (documents[path], head)]
        if self._reader is not None:
            self._reader.cancel()
        if not wanted:
            return
        pane = self

        def read() -> None:
            worker = get_current_worker()
            for number, path in enumerate(wanted):
                if worker.is_cancelled:
                    return
                document = documents.get(path)
                if document is None:
                    continue
                try:
                    courses = desk.courses(path, VERSIONS)
                except (MemdeskError, KeyError, OSError):
                    courses = {cap.unit: [] for cap in document.place.caps}
                if not worker.is_cancelled:
                    found = path, courses, (document, head), f"history {number + 1}/{len(wanted)} · Esc stops", worker
                    pane.post_message(messages.Finished(pane._course_read, found))
            pane.post_message(messages.Finished(pane._courses_read, worker))

        self._reader = self.run_worker(
            read, thread=True, group="course", exclusive=True, exit_on_error=False, name="read the history"
        )

    def _course_read(
        self, found: tuple[str, Mapping[str, Sequence[Use]], tuple[Document, str | None], str, object]
    ) -> None:
        path, courses, of, progress, worker = found
        if worker is self._reader:  # else it was stopped, or a newer one reads
            self._progress = progress
        self._courses |= {(path, unit): course for unit, course in courses.items()}
        self._known[path] = of
        self._titles()
        self.lines.refresh()
        item = self.lines.item
        if isinstance(item, rows.BudgetItem) and item.budget.path == path:
            self._selected()

    def _courses_read(self, worker: Worker[None]) -> None:
        if worker is self._reader:
            self._reader, self._progress = None, ""
            self._titles()

    def stop_reading(self) -> bool:
        """Stop reading git's history; what was read stays. False where nothing was being read."""
        if self._reader is None:
            return False
        self._reader.cancel()
        self._reader, self._progress = None, "history stopped · ^r reads on"
        self._titles()
        return True

    @on(messages.Finished)
    def _finished(self, event: messages.Finished) -> None:
        event.stop()
        event.then(event.result)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self.stop_reading():
            event.stop()

    # The list.

    def _selected(self) -> None:
        item = self.lines.item
        near = float(self.bench.desk.settings.budget.near)
        self.reading.show(rows.detail(item, self.bench.desk.workspace, near, self._courses), self.lines.key)

    # Actions.

    def do_copy(self) -> None:
        item = self.lines.item
        if isinstance(item, rows.FindingItem):
            finding = item.finding
            where = f"{finding.path}:{finding.line}" if finding.line else finding.path
            self.post_message(
                messages.CopyText(f"{where}: {finding.severity} {finding.rule}: {finding.message}", "the finding")
            )
        else:
            self.do_copy_all()

    def do_copy_all(self) -> None:
        self.post_message(messages.CopyText(self.reading.plain, "what is shown"))

def checked(desk: Desk) -> tuple[Report, Sequence[Budget], Mapping[str, Rule]]:
    """The check of the working tree, the budgets, and the rules by name."""
    from memdesk.core.checks import registry

    workspace = desk.workspace
    report = desk.check()
    return report, workspace.budgets(), {rule.name: rule for rule in registry.rules()}
