"""A form made from what a layout asks (`Ask`): required fields in sight, the rest folded, nothing typed ever lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, Static, TextArea

from memdesk.core.layouts.base import Ask
from memdesk.tui import text
from memdesk.tui.widgets.choice import Choice, Pick
from memdesk.tui.widgets.signals import Signals

if TYPE_CHECKING:
    from memdesk.core.gate import Gate

ALL_SHOWN = 2  # that few fields are not worth folding
LABEL = 18  # cells of a label; a question is longer, and stands whole


class OneLine(Input):
    """An input whose text can do nothing to the terminal, pasted or preset."""

    def validate_value(self, value: str) -> str:
        return text.inert(value).replace("\n", " ").replace("\t", " ")


    def insert_text(self, words: str) -> None:
        """Type words where the cursor is."""
        self.insert_text_at_cursor(words)


class Fold(Button):
    """What opens the folded fields; Space too, as on any button elsewhere."""

    BINDINGS = [Binding("space", "press", "Open", show=False)]


class ManyLines(TextArea):
    """A text area that grows with its text, and whose text can do nothing to the terminal. Tab leaves it.

    With `sends` Enter is what it is in a field of one line, and Ctrl+J, Alt+Enter or Shift+Enter begin a line.
    """

    class Sent(Message):
        """Enter, where it sends."""

    def __init__(self, value: str, *, sends: bool, offers: Sequence[str] = ()) -> None:
        super().__init__(value, soft_wrap=True, compact=True, tab_behavior="focus", highlight_cursor_line=False)
        self.sends = sends
        self.offers = tuple(offers)

    def update_suggestion(self) -> None:
        """The rest of the first offer that goes on with the line, which the right arrow takes; none that is there already."""
        row, column = self.cursor_location
        lines = self.text.split("\n")
        typed = lines[row] if row < len(lines) else ""
        rest = (offer[column:] for offer in self.offers if offer.startswith(typed) and offer not in lines)
        self.suggestion = next(rest, "") if column == len(typed) else ""

    def on_focus(self) -> None:
        self.update_suggestion()

    def insert_text(self, words: str) -> None:
        """Type words where the cursor is."""
        self.insert(words)

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = text.inert(event.text)
        await super()._on_paste(event)

    async def _on_key(self, event: events.Key) -> None:
        if self.sends and event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Sent())
        elif event.key in ("ctrl+j", "alt+enter", "shift+enter"):
            event.stop()
            event.prevent_default()
            self.insert("\n")
        else:
            await super()._on_key(event)


class Field(Horizontal):
    """A label and its control. What was not touched comes back exactly as it was preset, control characters and all."""

    def __init__(
        self, ask: Ask, value: str | None = None, labels: Mapping[str, str] | None = None, gate: Gate | None = None
    ) -> None:
        super().__init__(classes="field -long" if ask.long or ask.signals else "field")
        self.set_class(bool(ask.choices) and text.width(ask.label) > LABEL, "-question")
        labels = labels or {}
        self.ask = ask
        self.preset = ask.default if value is None else value
        self.control: Choice | OneLine | ManyLines | Signals
        if ask.signals and gate is not None:
            self.control = Signals(gate, self.preset)
        elif ask.choices:
            self.control = Choice(
                [Pick(choice, labels.get(choice, choice) or "none") for choice in ask.choices],
                self.preset or None,
                needed=ask.required,
            )
        elif ask.long:
            self.control = ManyLines(
                text.inert(self.preset), sends=not (ask.required and ask.default) and "\n" not in self.preset,
                offers=ask.offers,
            )
        else:
            self.control = OneLine(self.preset, placeholder=text.line(ask.hint), compact=True, select_on_focus=False)
        self._shown = self._text()

    def compose(self) -> ComposeResult:
        yield Static(text.content_line(self.ask.label + (" *" if self.ask.required else "")), classes="field-label")
        yield self.control

    @property
    def value(self) -> str:
        now = self._text()
        return self.preset if now == self._shown else now

    @property
    def touched(self) -> bool:
        """Whether it holds something else than what was preset."""
        return self._text() != self._shown

    @property
    def missing(self) -> bool:
        return self.ask.required and not self.value.strip()

    def propose(self, value: str) -> None:
        """Another preset, unless something was typed; of a choice only where nothing is chosen yet."""
        if isinstance(self.control, Choice):
            if not self._text() and self.control.propose(value):
                self.preset = self._shown = value
            return
        if self._text() == self._shown and not isinstance(self.control, Signals):
            self.preset = value
            if isinstance(self.control, ManyLines):
                self.control.sends = "\n" not in value.strip()
                self.control.load_text(text.inert(value))
            else:
                self.control.value = value
            self._shown = self._text()

    def complain(self, wrong: bool) -> None:
        """Mark the field as what stands in the way."""
        self.set_class(wrong, "-wrong")

    def _text(self) -> str:
        control = self.control
        return (
            (control.value or "")
            if isinstance(control, Choice | Signals)
            else control.text
            if isinstance(control, ManyLines)
            else control.value
        )


class Form(VerticalScroll, can_focus=False):
    """Fields of asks. `ask` replaces them, keeping the values of fields that stay by name."""

    class Changed(Message):
        """Something was typed or chosen."""

    class Submitted(Message):
        """Enter on a field that is no text of several lines."""

        def __init__(self, field: Field | None) -> None:
            super().__init__()
            self.field = field

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.gate: Gate | None = None  # what fields of signals are weighed by
        self._values: dict[str, str] = {}
        self._asked: list[Ask] = []  # in the order of who asks; what is in sight stands before the rest
        self._folded = True

    @property
    def fields(self) -> list[Field]:
        return list(self.query(Field).results(Field))

    async def ask(
        self, asks: Iterable[Ask], labels: Mapping[str, str] | None = None, in_sight: Collection[str] = ()
    ) -> None:
        """Put these questions; a field that was there keeps what was typed into it. `labels`: what to show for a choice;
        `in_sight`: fields that are not folded though nothing requires them."""
        wanted = list(asks)
        if self._asked == wanted:
            return
        self._asked = wanted
        for field in self.fields:
            self._values.pop(field.ask.field, None)
            if field.value != field.ask.default:
                self._values[field.ask.field] = field.value
        focused = next((field.ask.field for field in self.fields if field.control.has_focus), "")
        shown = [ask for ask in wanted if ask.required or self._values.get(ask.field)]
        if len(wanted) <= ALL_SHOWN:
            shown = wanted
        elif not shown:
            shown = wanted[:1]
        shown = [ask for ask in wanted if ask in shown or ask.shown or ask.field in in_sight]
        folded = [ask for ask in wanted if ask not in shown]
        widgets: list[Widget] = [Field(ask, self._values.get(ask.field), labels, self.gate) for ask in shown]
        if folded:
            names = ", ".join(text.line(ask.label).lower() for ask in folded)
            widgets.append(Fold(text.content_line(f"▸ more: {names}"), classes="fold", compact=True))
            for ask in folded:
                field = Field(ask, self._values.get(ask.field), labels, self.gate)
                field.add_class("-folded")
                widgets.append(field)
        await self.remove_children()
        await self.mount(*widgets)
        self._fold(self._folded)
        self.display = bool(widgets)
        for field in self.fields:
            if field.ask.field == focused:
                field.control.focus()

    def words(self) -> dict[str, str]:
        """Field name -> what is typed, blanks at the ends off; empty ones are left out."""
        return {field.ask.field: value for field in self.fields if (value := field.value.strip())}

    def first_missing(self) -> Field | None:
        return next((field for field in self.fields if field.missing), None)

    def complain(self, name: str | None) -> Field | None:
        """Mark the field of that name, or none; a folded one comes in sight. Returns it."""
        wrong = None
        for field in self.fields:
            field.complain(field.ask.field == name)
            if field.ask.field == name:
                wrong = field
                if field.has_class("-folded"):
                    field.remove_class("-folded")
        return wrong

    def propose(self, name: str, value: str) -> None:
        """Preset a field anew, where nobody has typed into it."""
        for field in self.fields:
            if field.ask.field == name:
                field.propose(value)

    def _fold(self, folded: bool) -> None:
        self._folded = folded
        self.set_class(folded, "-fold")
        for button in self.query(".fold").results(Button):
            button.display = folded

    @on(Button.Pressed)
    def _unfold(self, event: Button.Pressed) -> None:
        event.stop()
        self._fold(False)
        hidden = next((field for field in self.fields if field.has_class("-folded")), None)
        if hidden is not None:
            self.call_after_refresh(hidden.control.focus)  # once it is on screen

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Choice.Changed)
    @on(Signals.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self.post_message(self.Changed())

    @on(Input.Submitted)
    @on(Choice.Submitted)
    @on(ManyLines.Sent)
    @on(Signals.Submitted)
    def _submitted(self, event: Message) -> None:
        event.stop()
        focused = next((field for field in self.fields if field.control.has_focus), None)
        self.post_message(self.Submitted(focused))
