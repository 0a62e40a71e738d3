"""Texts beside each other, whole, in one scrolling pane; below each other where there is no room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from textual.geometry import Size

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, _Laid, lay_out
from memdesk.tui.wordiff import Spans

WIDE = 100  # columns of the screen from which on texts stand beside each other
LEAST = 26  # cells that a text gets there at least
GAP = Piece(" │ ", "dim")


class Side(NamedTuple):
    """One of the texts: lines about it, and its own."""

    head: tuple[Para, ...]
    body: tuple[Para, ...]


class Sides(Reading):
    """A reading pane for texts that are compared. Lines above and below them have the whole width."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._above: tuple[Para, ...] = ()
        self._sides: tuple[Side, ...] = ()
        self._below: tuple[Para, ...] = ()

    def show(self, paras: Iterable[Para], subject: str = "") -> None:
        self._above = self._below = ()
        self._sides = ()
        super().show(paras, subject)

    def show_sides(
        self, above: Iterable[Para], sides: Iterable[Side], below: Iterable[Para] = (), subject: str = "",
        stacked: Iterable[Para] = (),
    ) -> None:
        """Show other texts; for the same subject the scroll position stays. `stacked`: what stands in their place, lines above
        and below included, where they have no room beside each other; without it one stands below the other."""
        self._above, self._sides, self._below = tuple(above), tuple(sides), tuple(below)
        instead = list(stacked)
        if not instead:
            instead = list(self._above)
            for side in self._sides:
                instead += [*side.head, *side.body, Para()]
            instead += self._below
        super().show(instead, subject)

    @property
    def beside(self) -> bool:
        """Whether the texts stand beside each other."""
        return len(self._sides) > 1 and self.app.size.width >= WIDE and self._column() >= LEAST

    def _column(self) -> int:
        count = len(self._sides)
        return (self._room() - (count - 1) * text.width(GAP.text)) // count

    def _lay(self, top: int) -> None:
        if not self.is_mounted or not self.beside:
            super()._lay(top)
            return
        self._width = self._room()
        cells = self._column()
        rows = [row for para in (*self._above, Para()) for row in lay_out(para, self._width)]
        heads = [[row for para in side.head for row in lay_out(para, cells)] for side in self._sides]
        bodies = [[row for para in side.body for row in lay_out(para, cells)] for side in self._sides]
        high = max(map(len, heads))
        rows += _abreast([[*head[:-1], *[_Laid(())] * (high - len(head)), *head[-1:]] for head in heads], cells)
        rows += _abreast(bodies, cells)
        if self._below:
            rows += [row for para in (Para(), *self._below) for row in lay_out(para, self._width)]
        self._laid = rows
        self._origin = list(range(len(rows)))
        self.virtual_size = Size(self._width, len(rows))
        self.scroll_to(y=min(top, len(rows)), animate=False, force=True)
        self.refresh()


def _abreast(columns: Sequence[Sequence[_Laid]], cells: int) -> list[_Laid]:
    """Lines of all columns, each padded to its width."""
    rows = []
    for lines in zip_longest(*columns, fillvalue=_Laid(())):
        pieces: list[Piece] = []
        for number, line in enumerate(lines):
            if number:
                pieces.append(GAP)
            pieces += line.pieces
            if line.rule:
                pieces.append(Piece("─" * max(cells - _width(line), 0), "dim"))
            elif number < len(lines) - 1:
                pieces.append(Piece(" " * max(cells - _width(line), 0)))
        rows.append(_Laid(tuple(pieces)))
    return rows


def _width(line: _Laid) -> int:
    return sum(text.width(piece.text) for piece in line.pieces)


def plain(paras: Iterable[Para]) -> str:
    """Lines as one text: what `mark` takes the offsets of."""
    return "\n".join("".join(piece.text for piece in para.pieces) for para in paras)


def mark(paras: Sequence[Para], spans: Spans, role: str) -> list[Para]:
    """The lines with a role more where the spans are, offsets into `plain(paras)`."""
    marked: list[Para] = []
    at, number = 0, 0
    for para in paras:
        pieces: list[Piece] = []
        for piece in para.pieces:
            end = at + len(piece.text)
            place = at
            while number < len(spans) and spans[number][0] < end:
                start, stop = max(spans[number][0], place), min(spans[number][1], end)
                if start > place:
                    pieces.append(Piece(piece.text[place - at : start - at], piece.role))
                if stop > start:
                    pieces.append(Piece(piece.text[start - at : stop - at], f"{piece.role} {role}".strip()))
                place = max(stop, place)
                if spans[number][1] > end:
                    break
                number += 1
            if place < end:
                pieces.append(Piece(piece.text[place - at :], piece.role))
            at = end
        at += 1
        while number < len(spans) and spans[number][1] <= at:
            number += 1
        marked.append(para._replace(pieces=tuple(pieces)))
    return marked
