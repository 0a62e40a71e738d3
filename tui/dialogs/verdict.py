"""The dialog of every verdict: what is asked, the exact diff, the budgets, and a button that says what will happen.

Nothing is confirmed that was not on screen: Enter counts only for the plan that is shown, made from the words as they
stand. When files change meanwhile the diff is made again and marked as new, and Enter waits for another key first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.actions import merged_text
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.layouts.base import Ask
from memdesk.core.plan import Drifted, Plan, Receipt, Request
from memdesk.tui import text, verbs
from memdesk.tui.dialogs.ground import Ground, Outcome, ground_of, plan_of
from memdesk.tui.dialogs.successor import Changed, changed_lines
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.diffview import DiffView, plan_lines, refusal_lines
from memdesk.tui.widgets.form import Field, Form, ManyLines, OneLine
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown, rule

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench


IN_SIGHT = ("tombstone", "signals")  # fields that are shown though nothing requires them
OWN = ("title", "text")  # fields whose proposal is one entry's own


class Verdict(ModalScreen[Receipt | None]):
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
        super().__init__()
        self._store = store
        self._words = dict(words or {})  # what to propose in the fields, by name
        self.verb = verbs.named(verb)
        self.ids = tuple(ids)
        self._ground: Ground | None = None
        self._version = 0
        self._shown: Plan | None = None  # the plan on screen, made from the words of `_version`
        self._last: Plan | None = None  # the plan before it
        self._shown_at = float("inf")
        self._disarmed = -1  # the count of keys at which Enter was disarmed, -1 while it is armed
        self._news: tuple[Changed, ...] = ()  # what became of entries that changed meanwhile, until the person has seen it
        self._news_keys = -1  # the count of keys at which that was shown
        self._committing = False
        self._to: Choice | None = None
        self._promised = ""
        self._into = ""  # the entry that the proposed text of a merge was made for
        self._wrong: Field | None = None  # the field that a refusal names
        self._failure: MemdeskError | None = None  # why what was confirmed was not written, until the words change
        self._asked: Request | None = None  # what `_version` asks for
        self._answered = -1  # the version whose plan, or why there is none, is on screen

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large verdict"):
            yield Static(text.content_line(self.verb.label), classes="dialog-title")
            with Horizontal(id="verdict-to", classes="field"):
                yield Static("To", classes="field-label")
            yield Form(id="verdict-form")
            yield Form(id="verdict-questions")
            yield DiffView(id="verdict-diff")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Reading…", id="verdict-yes", variant="primary", disabled=True, compact=True)
                yield Button("Cancel (Esc)", id="verdict-no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#verdict-to").display = False
        for form in self.query(Form).results(Form):
            form.display = False
        desk, verb, ids = self.bench.desk, self.verb.id, self.ids
        self.bench.work(
            lambda: ground_of(desk, verb, ids),
            partial(self.call_later, self._begin),
            doing=f"start to {verb}",
            group="verdict",
            otherwise=self._no_ground,
        )

    # The form.

    def _no_ground(self, error: Exception) -> bool:
        self.dismiss(None)
        return False

    async def _begin(self, ground: Ground) -> None:
        self._ground = ground
        names = title(ground.entries[0]) if len(ground.entries) == 1 else f"{len(ground.entries)} entries"
        self.query_one(".dialog-title", Static).update(
            text.content_line(f"{self.verb.label} · {names}" if ground.entries else self.verb.label)
        )
        form = self.query_one("#verdict-form", Form)
        form.gate = ground.gate
        if ground.destinations:
            places = [Pick(place.id, place.label) for place in ground.destinations]
            self._to = Choice(places, ground.destinations[0].id, letters=False)
            row = self.query_one("#verdict-to")
            row.display = True
            await row.mount(self._to)
        await form.ask(self._asks(), ground.labels, IN_SIGHT)
        self.query_one(".dialog").border_subtitle = text.content_line(self._key_line())
        for name, value in self._words.items():
            form.propose(name, value)
        for field in form.fields:
            if field.ask.field in self._words and isinstance(field.control, ManyLines):
                field.control.move_cursor(field.control.document.end)  # what is proposed is to be gone on with
        if ground.targets:
            self._propose_merged(ground)
        self._replan()
        self._start_focus()

    def _key_line(self) -> str:
        """The keys that work here, as the lower border says them."""
        if self.verb.id == "edit":
            return "^s apply · ⏎ new line · ^o your editor · Tab fields · Esc cancel"
        keys = ["⏎ next/apply"]
        keys += ["1-9 choose"] if self._to is not None else []
        keys += ["^t tombstone"] if self._can_keep() else []
        keys += ["^o your editor"] if self.verb.id == "merge" else []
        return " · ".join([*keys, "Tab fields", "^s apply", "Esc cancel"])

    def _can_keep(self) -> bool:
        return self._ground is not None and self.verb.id == "reject" and any(
            ask.field == "tombstone" for ask in self._ground.asks
        )

    def action_tombstone(self) -> None:
        """Rejecting leaves a tombstone, or again none."""
        if self._can_keep():
            for field in self.query_one("#verdict-form", Form).fields:
                if field.ask.field == "tombstone" and isinstance(field.control, Choice):
                    field.control.choose(int(field.value != "yes"))

    @on(Choice.Typed)
    def _typed_on_choice(self, event: Choice.Typed) -> None:
        """Who types while a destination has the focus means the field that is still empty."""
        missing = self._next_missing()
        if missing is not None and isinstance(missing.control, OneLine | ManyLines):
            self.set_focus(missing.control)
            missing.control.insert_text(event.character)

    def _start_focus(self) -> None:
        if self.verb.start == "cancel":
            self.query_one("#verdict-no", Button).focus()
        elif self._to is not None:
            self._to.focus()
        elif (field := self._next_missing()) is not None:
            field.control.focus()
        else:
            fields = [field for field in self.query_one("#verdict-form", Form).fields if field.display]
            fields[0].control.focus() if fields else self.query_one("#verdict-diff").focus()

    def _next_missing(self) -> Field | None:
        for form in self.query(Form).results(Form):
            field = form.first_missing()
            if field is not None:
                return field
        return None

    def request(self) -> Request:
        """What is asked for now; words of the proposal that no field shows come with it."""
        form = self.query_one("#verdict-form", Form)
        shown = {field.ask.field for field in form.fields}
        words = {name: value for name, value in self._words.items() if name not in shown} | form.words()
        if self._to is not None and self._to.value:
            words["to"] = self._to.value
        return Request(self.verb.id, self.ids, words, self.query_one("#verdict-questions", Form).words(),
                       self._store, person=True)

    @on(Choice.Changed)
    async def _destination(self, event: Choice.Changed) -> None:
        if event.choice is self._to and self._ground is not None:
            self._failure = None
            await self.query_one("#verdict-form", Form).ask(self._asks(), self._ground.labels, IN_SIGHT)
            self._replan()
            missing = self._next_missing()
            if event.picked and missing is not None:
                missing.control.focus()

    def _asks(self) -> list[Ask]:
        """What is to be filled in now. Several entries have no title and text in common, unless they become one."""
        assert self._ground is not None
        asks = self._ground.asks
        if self._to is not None:
            asks = next(place.asks for place in self._ground.destinations if place.id == self._to.value)
        if self._can_keep() and self.query_one("#verdict-form", Form).words().get("tombstone") == "yes":
            asks = tuple(ask._replace(required=True) if ask.field == "reason" else ask for ask in asks)
        if len(self.ids) < 2:
            return list(asks)
        if self.query_one("#verdict-questions", Form).words().get("authority") == "one":
            return [ask._replace(default="", required=True) if ask.field in OWN else ask for ask in asks]
        return [ask for ask in asks if ask.field not in OWN]

    @on(Form.Changed)
    async def _typed(self) -> None:
        self._failure = None
        if self._ground is not None and (len(self.ids) > 1 or self._can_keep()):
            await self.query_one("#verdict-form", Form).ask(self._asks(), self._ground.labels, IN_SIGHT)
        if self.verb.id == "merge" and self._ground is not None:
            self._propose_merged(self._ground)
        self._replan()

    def _propose_merged(self, ground: Ground) -> None:
        """Both texts, for the entry that is chosen now, unless the person has typed already."""
        form = self.query_one("#verdict-form", Form)
        into = next((entry for entry in ground.targets if entry.id == form.words().get("into")), None)
        if into is not None and into.id != self._into:
            self._into = into.id
            form.propose("text", merged_text(into, list(ground.entries)))

    # Plans.

    def _replan(self, note: bool = False) -> None:
        if self._ground is None or self._committing:
            return
        self._version += 1
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
            await self._show_plan(outcome.plan, note, self._news)
            return
        self._news = ()
        note = ""
        if self._last is not None and self._last.request == outcome.plan.request and self._last.hunks() != outcome.plan.hunks():
            note = "The files changed: this diff is another one. Look at it; Enter counts after any other key."
        await self._show_plan(outcome.plan, note)

    async def _show_plan(self, plan: Plan, note: str = "", before: Sequence[Changed] = ()) -> None:
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
        view.show([*failure, *changed_lines(before), *lines], plan.summary)
        if failure:
            view.action_scroll_home()
        self._wrong = self.query_one("#verdict-form", Form).complain(None)
        if plan.questions:
            self._promise(f"{self.verb.label}: answer the question first", False)
        elif plan.steps:
            self._promise(plan.label + ("  (^s)" if self.verb.id == "edit" else ""), True)
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
        if missing is not None and (not isinstance(error, Refused) or error.field in (None, missing.ask.field)):
            self._wanting(missing)
            return
        where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
        self.query_one("#verdict-diff", DiffView).refuse(error.message, error.remedy, where)
        self._wrong = self.query_one("#verdict-form", Form).complain(error.field if isinstance(error, Refused) else None)
        self._promise(f"{self.verb.label}: not yet", False)

    def _wanting(self, missing: Field) -> None:
        """Nothing is wrong yet: say what is still to be filled in, above the entries in full."""
        assert self._ground is not None
        label = missing.ask.label
        lines = [
            Para(
                (
                    Piece("→ ", "accent"),
                    Piece(f"{label} is still to be filled in.", "strong"),
                    Piece(f"  {missing.ask.hint}", "dim"),
                ),
                hang=2,
            )
        ]
        for entry in self._ground.entries:
            lines += [Para(), rule(f"{entry.path}:{entry.line}"), *markdown(entry.text)]
        self.query_one("#verdict-diff", DiffView).show(lines, "wanting")
        self._wrong = None
        self.query_one("#verdict-form", Form).complain(None)
        self._promise(f"{self.verb.label}: {label.lower()} first", False)

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
            self._replan()
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
        self._replan()

    @property
    def _near(self) -> float:
        return float(self.bench.desk.settings.budget.near)

    def stores_changed(self) -> None:
        """The files were read again: make the diff again, and mark it if it is another one."""
        self._replan()

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
            self.call_later(self._show_plan, error.plan, note)
            return True
        if isinstance(error, Refused):
            self._last, self._failure = None, error
            desk = self.bench.desk
            self.bench.work(
                lambda: desk.refresh(None), lambda differs: self._replan(), doing="read the files again", group="plan"
            )
            self._refused(error)  # stands above the plan that is made anew; Enter tries again
            return True
        self._replan()  # from the words as they stand: they may have changed meanwhile
        return False

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "verdict-yes":
            self.action_confirm()
        else:
            self.action_leave()

    def action_editor(self) -> None:
        """The long text of the form (the one with the focus, else the first) in the person's own editor."""
        from memdesk.tui.editing import edited_outside

        areas = list(self.query_one("#verdict-form", Form).query(ManyLines))
        area = next((area for area in areas if area.has_focus), areas[0] if areas else None)
        if area is None:
            self.bench.say("There is no text here to edit.", "warning")
            return
        edited = edited_outside(self.bench, area.text + "\n")
        if edited is not None:
            edited = edited.strip("\n")
            area.sends = area.sends and "\n" not in edited
            area.load_text(text.inert(edited))
            area.focus()

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

    bench.push_screen(Verdict(verb, ids, words, store), closed)
