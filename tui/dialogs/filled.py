"""What a verdict's dialog asks for: where to, the fields of the place, the questions of the plan; and the request that comes of
it. What the request would do, and the confirming of it, is `verdict.Verdict`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.actions import merged_text
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import Ask
from memdesk.core.plan import Receipt, Request
from memdesk.tui import text, verbs
from memdesk.tui.dialogs.ground import Ground, ground_of
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.diffview import DiffView
from memdesk.tui.widgets.form import Field, Form, ManyLines, OneLine

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench

IN_SIGHT = ("tombstone", "signals")  # fields that are shown though nothing requires them
WRITTEN = ("edit", "correct")  # verbs of which Enter begins a line, and ^s applies: their text is there to be gone on with
OWN = ("title", "text")  # fields whose proposal is one entry's own


class Filled(ModalScreen[Receipt | None]):
    """The form of one verb over entries. Whoever shows a plan for it overrides `replan`."""

    def __init__(
        self, verb: str, ids: Sequence[str], words: Mapping[str, str] | None = None, store: str | None = None
    ) -> None:
        super().__init__()
        self._store = store
        self._words = dict(words or {})  # what to propose in the fields, by name
        self.verb = verbs.named(verb)
        self.ids = tuple(ids)
        self._ground: Ground | None = None
        self._to: Choice | None = None
        self._into = ""  # the entry that the proposed text of a merge was made for
        self._failure: MemdeskError | None = None  # why what was confirmed was not written, until the words change

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

    def replan(self) -> None:
        """The words are others, or the files are."""

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
            first = next((place for place in ground.destinations if place.fits), ground.destinations[0])
            self._to = Choice(places, first.id, letters=False)
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
        self.replan()
        self._start_focus()

    def _key_line(self) -> str:
        """The keys that work here, as the lower border says them."""
        if self.verb.id in WRITTEN:
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
        elif self.verb.id not in WRITTEN and (field := self._next_missing()) is not None:
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
            self.replan()
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
            asks = tuple(
                ask._replace(required=ask.required or ask.field == "reason", shown=ask.shown or ask.kept) for ask in asks
            )
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
        self.replan()

    def _propose_merged(self, ground: Ground) -> None:
        """Both texts, for the entry that is chosen now, unless the person has typed already."""
        form = self.query_one("#verdict-form", Form)
        into = next((entry for entry in ground.targets if entry.id == form.words().get("into")), None)
        if into is not None and into.id != self._into:
            self._into = into.id
            form.propose("text", merged_text(into, list(ground.entries)))

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
