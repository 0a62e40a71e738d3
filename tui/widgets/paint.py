"""Drawing lines by role: what the list, the reading pane and the meters have in common.

A `Piece` is text with a role; each theme says how a role looks (`themes.py`). Text is made inert here, at the last moment
before it becomes cells, so that no caller can forget it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memdesk.core.lean import NamedTuple
from memdesk.tui import text, themes
from memdesk.tui.anchor import DOUBTFUL, widest

if TYPE_CHECKING:
    from textual.app import App


class Piece(NamedTuple):
    """A run of text on one line. `role` is one of `themes.ROLES`; several may be given, separated by blanks."""

    text: str
    role: str = ""


class Painter:
    """What a widget that draws lines of pieces mixes in."""

    app: App[Any]
    rich_style: Style
    _base: Style | None = None

    @property
    def base_style(self) -> Style:
        """The widget's own style, worked out once for each change of stylesheet: it is asked for on every line."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def notify_style_update(self) -> None:
        self._base = None
        super().notify_style_update()  # type: ignore[misc]

    def role_style(self, roles: str, base: Style) -> Style:
        """The look of roles on top of a base, in the theme of the app."""
        return themes.look(self.app.theme, roles, base)

    def strip_of(self, pieces: Iterable[Piece], width: int, base: Style, *, ellipsis: bool = True) -> Strip:
        """Pieces as one line of exactly `width` cells, cut with an ellipsis where they do not fit."""
        segments: list[Segment] = []
        used = 0
        for piece in pieces:
            shown = text.inert(piece.text).expandtabs(4).replace("\n", " ")
            size = cell_len(shown)
            style = self.role_style(piece.role, base) if piece.role else base
            if used + size > width:
                shown = text.clip(shown, width - used) if ellipsis else set_cell_size(shown, width - used)
                if not shown and segments and ellipsis and used == width:
                    last = segments[-1]
                    segments[-1] = Segment(text.clip(last.text + "  ", cell_len(last.text)), last.style)
                segments.append(Segment(shown, style))
                used += cell_len(shown)
                break
            segments.append(Segment(shown, style))
            used += size
        if used < width:
            segments.append(Segment(" " * (width - used), base))
        _keep_inside(segments, width)
        return Strip(segments, max(width, used))


def _keep_inside(segments: list[Segment], width: int) -> None:
    """Blank the signs at a line's end that some terminal would draw over what stands to the right of it."""
    at = width
    for number in range(len(segments) - 1, -1, -1):
        segment = segments[number]
        start = at - cell_len(segment.text)
        if width - at > FARTHEST:
            return
        if DOUBTFUL.search(segment.text) is not None:
            parts, place = [], start
            for first, last, size in split_graphemes(segment.text)[0]:
                sign = segment.text[first:last]
                inside = width - place > FARTHEST or place + widest(sign) <= width
                parts.append(sign if inside else " " * size)
                place += size
            segments[number] = Segment("".join(parts), segment.style)
        at = start


FARTHEST = 24  # cells that one sign can take in any terminal, whatever was counted for it
