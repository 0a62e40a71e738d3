"""A choice on one line: arrows, digits or first letters choose; nothing opens, nothing is hidden behind a popup."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece


class Pick(NamedTuple):
    """A value and what a person reads."""

    value: str
    label: str


class Choice(Painter, Widget, can_focus=True):
    """One of several. `value` is None until something is chosen, where no start is given.

    With `needed` False nothing need be chosen, and Backspace takes a choice back. With `letters` False only arrows and digits
    choose.
    """

    BINDINGS = [
        Binding("right", "step(1)", "Next", show=False), Binding("left", "step(-1)", "Previous", show=False),
        Binding("home", "edge(0)", "First", show=False), Binding("end", "edge(-1)", "Last", show=False),
        Binding("enter", "submit", "Done", show=False), Binding("backspace,delete", "clear", "None", show=False),
    ]

    class Changed(Message):
        """Another option was chosen; `picked`: by its number, which says that the choice is made."""

        def __init__(self, choice: Choice, picked: bool = False) -> None:
            super().__init__()
            self.choice = choice
            self.picked = picked

    class Typed(Message):
        """A letter, where letters choose nothing."""

        def __init__(self, character: str) -> None:
            super().__init__()
            self.character = character

    class Submitted(Message):
        """Enter."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(
        self, options: Sequence[Pick], start: str | None = None, *, needed: bool = True, letters: bool = True,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._letters = letters
        self._needed = needed
        self._options = tuple(options)
        self._index = next((i for i, option in enumerate(self._options) if option.value == start), -1)
        self._typed = ""
        self._areas: list[tuple[int, int, int]] = []

    @property
    def value(self) -> str | None:
        return self._options[self._index].value if self._index >= 0 else None

    def choose(self, index: int, *, picked: bool = False) -> None:
        """Choose by position."""
        if 0 <= index < len(self._options) and (index != self._index or picked):
            self._index = index
            self.refresh()
            self.post_message(self.Changed(self, picked))

    def propose(self, value: str) -> bool:
        """Choose the option of this value; False where there is none."""
        index = next((at for at, option in enumerate(self._options) if option.value == value), -1)
        self.choose(index)
        return index >= 0

    def action_step(self, by: int) -> None:
        self._typed = ""
        self.choose((self._index + by) % len(self._options) if self._index >= 0 or by > 0 else len(self._options) - 1)

    def action_edge(self, index: int) -> None:
        self.choose(index % len(self._options))

    def action_clear(self) -> None:
        if not self._needed and self._index >= 0:
            self._index = -1
            self.refresh()
            self.post_message(self.Changed(self))

    def action_submit(self) -> None:
        self.post_message(self.Submitted(self))

    def on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if not character.isprintable() or not character or character == " ":
            return
        event.stop()
        if character.isdigit() and not self._typed:
            self.choose(int(character) - 1, picked=True)
            return
        if not self._letters:
            self.post_message(self.Typed(character))
            return
        for typed in (self._typed + character.lower(), character.lower()):
            found = next((i for i, option in enumerate(self._options) if option.label.lower().startswith(typed)), None)
            if found is not None:
                self._typed = typed
                self.choose(found)
                return
        self._typed = ""

    def on_blur(self) -> None:
        self._typed = ""
        self.refresh()

    def on_focus(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        for start, end, index in self._areas:
            if start <= event.x < end:
                self.choose(index)

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        base = self.base_style
        labels = [f" {number + 1} {text.line(option.label)} " if number < 9 else f" {text.line(option.label)} "
                  for number, option in enumerate(self._options)]
        sizes = [text.width(label) for label in labels]
        first, last = self._window(sizes, width)
        pieces: list[Piece] = [Piece("‹", "accent")] if first else []
        at = len(pieces)
        self._areas = []
        unchosen = "cursor" if self.has_focus and self._index < 0 else ""  # else nothing would show where one is
        for index in range(first, last):
            here = index == self._index
            role = ("cursor accent" if self.has_focus else "strong accent") if here else unchosen
            label = f"[{labels[index][1:-1]}]" if here else labels[index]
            pieces.append(Piece(label, role))
            self._areas.append((at, at + sizes[index], index))
            at += sizes[index]
        if last < len(labels):
            pieces.append(Piece(f"› {len(labels)}", "accent"))
        if self._index < 0 and self._needed:
            pieces.append(Piece("  choose one", "warn"))
        return self.strip_of(pieces, width, base)

    def _window(self, sizes: Sequence[int], width: int) -> tuple[int, int]:
        """The options that fit, the chosen one among them."""
        if sum(sizes) <= width:
            return 0, len(sizes)
        room = width - 6
        first = last = max(self._index, 0)
        used = sizes[first] if sizes else 0
        last += 1
        while True:
            if last < len(sizes) and used + sizes[last] <= room:
                used += sizes[last]
                last += 1
            elif first > 0 and used + sizes[first - 1] <= room:
                first -= 1
                used += sizes[first]
            else:
                return first, last
