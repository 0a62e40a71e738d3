"""The last line: the keys of the pane, the real ones, as many as fit; a click does the action."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece


class Key(NamedTuple):
    """A key and what it does. `live` False: not possible now, drawn dim."""

    ident: str
    key: str
    label: str
    live: bool = True


class Footer(Painter, Widget):
    """One line of keys. What does not fit is left out, the least needed first; the last two (palette, help) stay."""


    class Chosen(Message):
        """A key's label was clicked."""

        def __init__(self, ident: str) -> None:
            super().__init__()
            self.ident = ident

    def __init__(self) -> None:
        super().__init__(id="footer")
        self._keys: tuple[Key, ...] = ()
        self._areas: list[tuple[int, int, str]] = []

    @property
    def keys(self) -> tuple[Key, ...]:
        return self._keys

    def set_keys(self, keys: tuple[Key, ...]) -> None:
        if keys != self._keys:
            self._keys = keys
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        for start, end, ident in self._areas:
            if start <= event.x < end:
                self.post_message(self.Chosen(ident))

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        shown = list(self._keys)
        while len(shown) > 1 and sum(_size(key) for key in shown) + 1 > width:
            shown.pop(-3 if len(shown) > 2 else 0)
        pieces = [Piece(" ")]
        self._areas = []
        at = 1
        for key in shown:
            self._areas.append((at, at + _size(key), key.ident))
            at += _size(key)
            pieces.append(Piece(key.key, "key" if key.live else "dim"))
            pieces.append(Piece(f" {key.label}  ", "" if key.live else "dim"))
        return self.strip_of(pieces, width, self.base_style, ellipsis=False)


def _size(key: Key) -> int:
    return text.width(key.key) + text.width(key.label) + 3
