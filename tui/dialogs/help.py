"""The keys of a pane and of everything, from the registry: the real ones, remapped or not."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.tui import keymaps, verbs
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, rule

MOVING = (
    ("↑ ↓ j k", "one line up or down"), ("g G", "first, last"), ("PgUp PgDn", "a page"), ("Tab", "the next part of the pane"),
    ("1 to 6", "the panes"), ("Esc", "close, leave the filter, back to the list"), ("click", "select; double click opens"),
)


class Help(ModalScreen[None]):
    """Every key that works here, grouped."""

    BINDINGS = [Binding("escape,q,question_mark,enter", "close", "Close")]

    def __init__(self, pane: str, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._pane, self._keymap = pane, keymap

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large"):
            yield Static("Keys  (Esc closes)", classes="dialog-title")
            yield Reading(id="help-text")

    def on_mount(self) -> None:
        reading = self.query_one(Reading)
        reading.show(help_lines(self._pane, self._keymap))
        reading.focus()

    def on_reading_left(self) -> None:
        self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)


def help_lines(pane: str, keymap: Mapping[str, str]) -> list[Para]:
    """The help of a pane as lines."""
    groups: dict[str, list[verbs.Verb]] = {}
    for verb in verbs.of_pane(pane):
        groups.setdefault(verb.group, []).append(verb)
    lines: list[Para] = []
    for group, members in groups.items():
        lines.append(rule(group, "heading"))
        for verb in members:
            key = ", ".join(keymaps.shown_keys(verb, keymap))
            lines.append(Para((Piece(f"{key:>9}  ", "key"), Piece(verb.label, "strong"), Piece(f"  {verb.help}")), hang=11))
        lines.append(Para())
    lines.append(rule("Moving", "heading"))
    lines += [Para((Piece(f"{keys:>9}  ", "key"), Piece(words)), hang=11) for keys, words in MOVING]
    return lines
