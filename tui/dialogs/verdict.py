"""The dialog of every verdict: what is asked, the exact diff, the budgets, and a button that says what will happen.

Nothing is confirmed that was not on screen: Enter counts only for the plan that is shown, made from the words as they
stand. When files change meanwhile the diff is made again and marked as new, and Enter waits for another key first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.binding import Binding
from textual.widgets import Button

from memdesk.core.errors import MemdeskError, Refused, UnknownEntry
from memdesk.core.layouts.base import Ask
from memdesk.core.plan import Drifted, Plan, Receipt, Request
from memdesk.tui import text
from memdesk.tui.dialogs.declined import Declined
from memdesk.tui.dialogs.filled import IN_SIGHT, WRITTEN
from memdesk.tui.dialogs.ground import Ground, Outcome, beside_of, ground_of, plan_of
from memdesk.tui.dialogs.successor import Changed, changed_lines
from memdesk.tui.widgets.choice import Choice
from memdesk.tui.widgets.diffview import DiffView, diff_lines, head_lines, plan_lines, refusal_lines
from memdesk.tui.widgets.form import Field, Form
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown, rule

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench
    from memdesk.tui.dialogs.beside import Beside



class Verdict(Declined):
    """One verb over entries. Dismissed with the receipt, or with None where nothing was done."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"), Binding("ctrl+s,enter", "confirm", "Confirm"),
        Binding("ctrl+o", "editor", "In the editor", show=False), Binding("ctrl+t", "tombstone", "Tombstone", show=False),
        Binding("pageup", "page(-1)", "Diff up", show=False), Binding("pagedown", "page(1)", "Diff down", show=False),
        Binding("down", "app.focus_next", show=False), Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(
        self, verb: str, ids: Sequence[str], words: Mapping[str, str] | None = None, store: str | None = None
    ) -> None:
        super().__init__(verb, ids, words, store)
        self._version = 0
        self._shown: Plan | None = None  # the plan on screen, made from the words of `_version`
        self._last: Plan | None = None  # the plan before it
        self._shown_at = float("inf")
        self._disarmed = -1  # the count of keys at which Enter was disarmed, -1 while it is armed
        self._news: tuple[Changed, ...] = ()  # what became of entries that changed meanwhile, until the person has seen it
        self._news_keys = -1  # the count of keys at which that was shown
        self._committing = False
        self._promised = ""
        self._wrong: Field | None = None  # the field that a refusal names
        self._asked: Request | None = None  # what `_version` asks for
        self._answered = -1  # the version whose plan, or why there is none, is on screen

    # Plans.

    def replan(self) -> None:
        if self._ground is None or self._committing:
            return
        self._version += 1
        self._declined = ""
        self._shown = None
        version, request, desk, entries = self._version, self.request(), self.bench.desk, self._ground.entries
        self._asked = request

        def plan() -> Outcome:
            return plan_of(desk, request, version, entries)

        self.bench.work(plan, partial(self.call_later, self._planned), doing="make the diff", group="plan", exclusive=True)

    async def _planned(self, outcome: Outcome) -> None:
        if outcome.version != self._version or not self.is_attached:
            return
        self._answered = outcome.version
        if outcome.moved:
            self._failure = None
            await self._moved(outcome.moved)
            return
        if outcome.plan is None:
            self._refused(outcome.error)
            return
        if self._news and self._news_keys in (-1, self.bench.other_keys):
            self._news_keys = self.bench.other_keys
            note = "The entry changed while this was open: old and new text are shown. Enter counts after any other key."
            await self._show_plan(outcome.plan, note, self._news, outcome.beside)
            return
        self._news = ()
        note = ""
        if self._last is not None and self._last.request == outcome.plan.request and self._last.hunks() != outcome.plan.hunks():
            note = "The files changed: this diff is another one. Look at it; Enter counts after any other key."
        await self._show_plan(outcome.plan, note, beside=outcome.beside)

    async def _show_plan(
        self, plan: Plan, note: str = "", before: Sequence[Changed] = (), beside: Beside | None = None
    ) -> None:
        questions = self.query_one("#verdict-questions", Form)
        labels = {value: label for question in plan.questions for value, label in question.choices}
        answered = [field.ask for field in questions.fields if field.value]
        new = [Ask(q.key, q.text, True, "", tuple(value for value, _ in q.choices)) for q in plan.questions]
        await questions.ask([*(ask for ask in answered if ask.field not in {each.field for each in new}), *new], labels)
        self._shown = self._last = plan
        view = self.query_one("#verdict-diff", DiffView)
        lines = (
            plan_lines(plan, note, self._near)
            if plan.steps
            else [Para((Piece("→ ", "accent"), Piece("Nothing would change yet.", "strong")))]
        )
        failure = refusal_lines(self._failure) if self._failure is not None else []
        lead = [*failure, *changed_lines(before)]
        self.set_class(beside is not None, "-beside")
        if beside is None:
            view.show([*lead, *lines], plan.summary)
        else:
            rest = [para for path, diff in plan.diffs() if path != beside.path for para in (Para(), *diff_lines(path, diff))]
            view.show_sides([*lead, *head_lines(plan, note, self._near)], beside.sides, rest, plan.summary, [*lead, *lines])
        if failure:
            view.action_scroll_home()
        self._wrong = self.query_one("#verdict-form", Form).complain(None)
        if plan.questions:
            self._promise(f"{self.verb.label}: answer the question first", False)
        elif plan.steps:
            self._promise(plan.label + ("  (^s)" if self.verb.id in WRITTEN else ""), True)
        else:
            self._promise(f"{self.verb.label}: nothing would change", False)
        self.set_class(bool(note), "-new")
        if note:
            view.action_scroll_home()
            self._disarmed = self.bench.other_keys
        self._shown_at = float("inf")
        self.call_after_refresh(self._painted)

    @property
    def settled(self) -> bool:
        """Whether what is on screen is the answer to the words as they stand: then keys that were typed ahead go on."""
        if self._ground is None or self._committing or self._answered != self._version or self._asked != self.request():
            return False
        return self._shown is None or self._shown_at < float("inf")

    def _promise(self, words: str, live: bool) -> None:
        """What the button says will happen, in full: it grows by lines where it must."""
        button = self.query_one("#verdict-yes", Button)
        if words != self._promised:
            self._promised = words
            button.label = text.content_line(words)
            button.refresh(layout=True)
        button.disabled = not live

    def _painted(self) -> None:
        self._shown_at = time.monotonic()

    def _refused(self, error: MemdeskError | None) -> None:
        """Say why, beside what was typed; nothing typed goes."""
        assert error is not None
        missing = self._next_missing()
        wanted = {field.ask.field for field in self.query_one("#verdict-form", Form).fields if field.missing}
        if missing is not None and (not isinstance(error, Refused) or error.field is None or error.field in wanted):
            self._wanting(missing)
            return
        form = self.query_one("#verdict-form", Form)
        if self.verb.id in WRITTEN and not self._words and not any(field.touched for field in form.fields):
            self._unchanged()
            return
        self.query_one("#verdict-diff", DiffView).show([*refusal_lines(error), *self.decline(error)], "refused")
        self._wrong = self.query_one("#verdict-form", Form).complain(error.field if isinstance(error, Refused) else None)
        self._promise(f"{self.verb.label}: not yet", False)

    def _unchanged(self) -> None:
        """What is there was not gone on with yet."""
        lines = [Para((Piece("→ ", "accent"), Piece("Nothing would change yet.", "strong")))]
        self.query_one("#verdict-diff", DiffView).show(lines, "unchanged")
        self._wrong = self.query_one("#verdict-form", Form).complain(None)
        self._promise(f"{self.verb.label}: nothing would change", False)

    def _wanting(self, missing: Field) -> None:
        """Nothing is wrong yet: say what is still to be filled in, above the entries in full."""
        assert self._ground is not None
        label = missing.ask.label
        question = missing.has_class("-question")
        what = f"Still to be answered: {label}" if question else f"{label} is still to be filled in."
        lines = [Para((Piece("→ ", "accent"), Piece(what, "strong"), Piece(f"  {missing.ask.hint}", "dim")), hang=2)]
        lines += self.way_on() if self.rejected else []
        for entry in self._ground.entries:
            lines += [Para(), rule(f"{entry.path}:{entry.line}"), *markdown(entry.text)]
        self.query_one("#verdict-diff", DiffView).show(lines, "wanting")
        self._wrong = None
        self.query_one("#verdict-form", Form).complain(None)
        self._promise(f"{self.verb.label}: {'answer the question' if question else label.lower()} first", False)

    async def _moved(self, moved: Sequence[Changed]) -> None:
        """The candidate itself changed: both texts, a plan for the new one, and the person chooses again."""
        assert self._ground is not None
        gone = [change.old for change in moved if change.new is None]
        if gone:
            self.query_one("#verdict-diff", DiffView).show(changed_lines(moved), "gone")
            self._promise("It is gone: nothing to confirm", False)
            return
        self._news, self._news_keys = tuple(moved), -1
        news = {change.old.id: change.new for change in moved if change.new is not None}
        self.ids = tuple(news[ident].id if ident in news else ident for ident in self.ids)
        self._ground = self._ground._replace(entries=tuple(news.get(entry.id) or entry for entry in self._ground.entries))
        desk, verb, ids = self.bench.desk, self.verb.id, self.ids

        def as_it_is(error: Exception) -> bool:
            self.replan()
            return True

        self.bench.work(
            lambda: ground_of(desk, verb, ids),
            partial(self.call_later, self._follow),
            doing="read what changed",
            group="verdict",
            otherwise=as_it_is,
        )

    async def _follow(self, ground: Ground) -> None:
        """What was proposed from the old text comes from the new one; what was typed stays."""
        assert self._ground is not None
        if self._to is not None and self._to.value not in {place.id for place in ground.destinations}:
            ground = ground._replace(destinations=self._ground.destinations)
        self._ground = ground
        await self.query_one("#verdict-form", Form).ask(self._asks(), ground.labels, IN_SIGHT)
        self.replan()

    @property
    def _near(self) -> float:
        return float(self.bench.desk.settings.budget.near)

    def stores_changed(self) -> None:
        """The files were read again: make the diff again, and mark it if it is another one."""
        self.replan()

    # Confirming.

    @on(Form.Submitted)
    @on(Choice.Submitted)
    def _entered(self) -> None:
        """Enter in a field: to the next that is missing, else confirm."""
        missing = self._next_missing()
        if missing is not None:
            missing.control.focus()
        else:
            self.action_confirm()

    def action_confirm(self) -> None:
        missing = self._next_missing()
        if missing is not None:
            missing.control.focus()
            return
        plan = self._shown
        if plan is None and self._wrong is not None and self._wrong.is_attached:
            self._wrong.control.focus()
            return
        if plan is None or self._committing or plan.questions or not plan.steps:
            return
        if self.bench.key_time < self._shown_at:
            return  # pressed before the diff was on screen
        if self._disarmed == self.bench.other_keys:
            return  # the diff is a new one: another key first
        self._committing = True
        desk = self.bench.desk
        button = self.query_one("#verdict-yes", Button)
        button.disabled = True
        self.bench.work(lambda: desk.commit(plan, desk.who()), self._done, doing=self.verb.label.lower(), group="commit",
                        otherwise=self._not_done)

    def _done(self, receipt: Receipt) -> None:
        self.dismiss(receipt)

    def _not_done(self, error: Exception) -> bool:
        self._committing = False
        self.query_one("#verdict-yes", Button).disabled = False
        if isinstance(error, Drifted):
            note = "The files changed: this diff is another one. Look at it; Enter counts after any other key."
            beside = None if self._ground is None else beside_of(error.plan, self._ground.entries)
            self.call_later(self._show_plan, error.plan, note, beside=beside)
            return True
        if isinstance(error, Refused):
            self._last, self._failure = None, error
            desk = self.bench.desk
            self.bench.work(
                lambda: desk.refresh(None), lambda differs: self.replan(), doing="read the files again", group="plan"
            )
            self._refused(error)  # stands above the plan that is made anew; Enter tries again
            return True
        self.replan()  # from the words as they stand: they may have changed meanwhile
        return False

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "verdict-yes":
            self.action_confirm()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        if not self._committing:
            self.dismiss(None)

    def action_page(self, by: int) -> None:
        view = self.query_one("#verdict-diff", DiffView)
        view.action_page_down() if by > 0 else view.action_page_up()

    @on(Reading.Left)
    def _left(self) -> None:
        self.action_leave()


def open_verdict(
    bench: Workbench, verb: str, ids: Sequence[str], words: Mapping[str, str] | None = None, store: str | None = None
) -> None:
    """Open the dialog of a verb, with words in its fields where there are some; what comes of it goes the app's way."""
    if verb == "snooze":
        from memdesk.tui.dialogs.snooze import open_snooze

        open_snooze(bench, ids)
        return

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)

    if verb == "strike":
        verb = bench.desk.instead(verb, ids)
    bench.push_screen(Verdict(verb, ids, words, store), closed)


def open_verdicts(bench: Workbench, verb: str, ids: Sequence[str]) -> None:
    """The dialog of a verb for each of these that is still there, one after the other, until the person leaves one."""
    rest = [ident for ident in ids if _is_there(bench, ident)]

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)
            bench.call_later(open_verdicts, bench, verb, rest[1:])

    if rest:
        bench.push_screen(Verdict(verb, rest[:1]), closed)


def _is_there(bench: Workbench, ident: str) -> bool:
    try:
        bench.desk.workspace.find(ident)
    except UnknownEntry:
        return False
    return True
