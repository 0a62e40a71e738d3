"""A plan that may put questions before it can be carried out: they stand above its diff."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual import on
from textual.widget import Widget

from memdesk.core.layouts.base import Ask
from memdesk.core.plan import Plan
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.widgets.form import Form


class Asking(Planned):
    """Subclasses make the plan from `self.questions.words()` (`making`)."""

    def __init__(self, title: str, doing: str, make: Callable[[], Plan], *, start: str = "confirm") -> None:
        super().__init__(title, doing, make, start=start)
        self.questions = Form(id="planned-questions")

    def above(self) -> Iterable[Widget]:
        yield self.questions

    async def begin(self) -> None:
        await super().begin()
        self.questions.display = False

    def waits(self, plan: Plan) -> str:
        return "Answer the question first" if plan.questions else super().waits(plan)

    def _show(self, plan: Plan) -> None:
        super()._show(plan)
        if self.is_attached and plan.questions:
            self.call_later(self._ask, plan)

    async def _ask(self, plan: Plan) -> None:
        """The questions that it still has, above the diff, with the focus."""
        answered = [field.ask for field in self.questions.fields if field.value]
        new = [Ask(one.key, one.text, True, "", tuple(value for value, _ in one.choices)) for one in plan.questions]
        labels = {value: label for one in plan.questions for value, label in one.choices}
        names = {ask.field for ask in new}
        await self.questions.ask([*(ask for ask in answered if ask.field not in names), *new], labels)
        missing = self.questions.first_missing()
        if missing is not None:
            missing.control.focus()

    @on(Form.Changed)
    def _answered(self) -> None:
        self.make_again()

    def action_turn(self) -> None:
        """From the questions to the diff and Cancel; Enter anywhere but on Cancel confirms."""
        self.focus_next()
