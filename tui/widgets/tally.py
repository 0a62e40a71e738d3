"""A few lines above a list that say how its work stands: counts, progress, notes. As high as what they say."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip
from textual.widget import Widget

from memdesk.tui import text
from memdesk.tui.widgets.meters import FULL, REST
from memdesk.tui.widgets.paint import Painter, Piece

Line = Sequence[Sequence[Piece]]  # ways to say one thing, the longest first


class Tally(Painter, Widget):
    """Lines of our own. Of each line's ways to be said the first that fits is shown, else the last, cut."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: tuple[Line, ...] = ()

    def say(self, lines: Sequence[Line]) -> None:
        """Show other lines; none hides it."""
        new = tuple(lines)
        if new != self._lines:
            higher = len(new) != len(self._lines)
            self._lines = new
            self.display = bool(new)
            if higher:
                self.styles.height = max(len(new), 1)
            self.refresh()

    @property
    def plain(self) -> str:
        """What it says, in full."""
        return "\n".join("".join(piece.text for piece in ways[0]) for ways in self._lines)

    def on_mount(self) -> None:
        self.display = bool(self._lines)

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        if not 0 <= y < len(self._lines):
            return Strip.blank(width, self.base_style)
        ways = self._lines[y]
        fitting = (way for way in ways if sum(text.width(piece.text) for piece in way) < width)
        return self.strip_of([Piece(" "), *next(fitting, ways[-1])], width, self.base_style)


def bar(done: int, total: int, cells: int) -> list[Piece]:
    """How far something is, as a bar."""
    full = min(cells, int(done / total * cells + 0.5)) if total else 0
    return [Piece(FULL * full, "good"), Piece(REST * (cells - full), "dim")]
