"""Rejecting a proposal: a reason or none, what is kept of it, and a yes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.widget import Widget

from memdesk.core.layouts.base import Ask
from memdesk.core.plan import Plan, Receipt
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.widgets.form import Form

if TYPE_CHECKING:
    from memdesk.core.prune.proposal import Proposal
    from memdesk.tui.app import Workbench

REASON = Ask("reason", "Reason", hint="Optional: whoever comes next reads it in the file.")


class Refuse(Planned):
    """A reason is asked for, and may stay empty. Enter in it confirms."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"Reject · {proposal.title}", "reject it", lambda: self.making()())
        self._proposal = proposal
        self.form = Form(id="refuse-form")

    def above(self) -> Iterable[Widget]:
        yield self.form

    async def begin(self) -> None:
        await self.form.ask([REASON])
        self.form.fields[0].control.focus()

    @property
    def settled(self) -> bool:
        return super().settled and bool(self.form.fields)

    def making(self) -> Callable[[], Plan]:
        desk, proposal, reason = self.bench.desk, self._proposal, self._reason
        return lambda: desk.refusing(proposal, reason)

    def carry_out(self, plan: Plan) -> Receipt:
        desk = self.bench.desk
        return desk.refuse(self._proposal, plan.request.words.get("reason", ""), desk.who(), plan)

    @property
    def _reason(self) -> str:
        return self.form.words().get("reason", "")

    def action_turn(self) -> None:
        self.focus_next()

    @on(Form.Changed)
    def _typed(self) -> None:
        self.make_again()


def open_refuse(bench: Workbench, proposal: Proposal, done: Callable[[], object]) -> None:
    """Ask for a yes, and a reason where there is one; `done` is told, and what comes of it goes the app's way."""

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            done()
            bench.after_commit(receipt)

    bench.push_screen(Refuse(proposal), closed)
