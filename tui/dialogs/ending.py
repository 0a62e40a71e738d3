"""The end of a prune session: its report, what is written of it, and a yes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Static

from memdesk.core.plan import Plan, Receipt
from memdesk.tui import messages, text
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.report import ending as report
from memdesk.tui.widgets.reading import Para, markdown, rule

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench


class End(Planned):
    """The report as Markdown, and below it the lines that the end writes. `left`: proposals that nobody decided."""

    BINDINGS = [Binding("y", "copy", "Copy")]

    def __init__(self, left: int) -> None:
        super().__init__("End the session", "end the session", lambda: self.making()())
        self._open = left
        self._report = ""

    def above(self) -> Iterable[Widget]:
        yield Static(text.content_line("y copies the report as Markdown · ⏎ ends the session · Esc goes on with it"),
                     classes="planned-keys")

    def making(self) -> Callable[[], Plan]:
        desk, left = self.bench.desk, self._open

        def make() -> Plan:
            self._report = report.markdown(desk.ending(left))
            return desk.closing(left)

        return make

    def before(self) -> Sequence[Para]:
        return [*markdown(self._report.rstrip("\n")), Para(), rule("what is written of it", "heading"), Para()]

    def carry_out(self, plan: Plan) -> Receipt:
        desk = self.bench.desk
        return desk.end_session(desk.who(), self._open, plan)

    def action_copy(self) -> None:
        """The report, for a pull request or a letter."""
        if self._report:
            self.bench.post_message(messages.CopyText(self._report, "the report, as Markdown"))


def open_ending(bench: Workbench, left: int) -> None:
    """Show the report of the session, and end it on a yes."""

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)

    bench.push_screen(End(left), closed)
