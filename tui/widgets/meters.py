"""The budget strip: each capped document's use against its cap, with a glyph and a number, never a hue alone."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip
from textual.widget import Widget

from memdesk.core.lean import NamedTuple
from memdesk.core.model import Budget
from memdesk.tui import text
from memdesk.tui.widgets.paint import Painter, Piece

FULL, REST = "▇", "▁"


class Meter(NamedTuple):
    """A budget by the name that it is shown under."""

    name: str
    budget: Budget


class Meters(Painter, Widget):
    """One line of meters. Where they do not fit bars shrink, then go; then the fullest come first and the rest is counted."""


    def __init__(self, near: float = 0.8) -> None:
        super().__init__(id="meters")
        self.near = near
        self._meters: tuple[Meter, ...] = ()

    def set_budgets(self, budgets: Sequence[Budget]) -> None:
        """Show these, in their order."""
        meters = tuple(Meter(short_name(budget, budgets), budget) for budget in budgets if budget.cap)
        if meters != self._meters:
            self._meters = meters
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = max(self.size.width, 1)
        return self.strip_of(pieces_of(self._meters, width, self.near), width, self.base_style)


def pieces_of(meters: Sequence[Meter], width: int, near: float) -> list[Piece]:
    """The meters in at most `width` cells."""
    for bar in (9, 6, 4, 0):
        drawn = [meter_pieces(meter, bar, near) for meter in meters]
        if _width(drawn) <= width:
            return [piece for part in drawn for piece in part]
    ranked = sorted(meters, key=lambda meter: -meter.budget.used / (meter.budget.cap or 1))
    for count in range(len(ranked) - 1, 0, -1):
        drawn = [meter_pieces(meter, 4, near) for meter in ranked[:count]]
        rest = [Piece(f" +{len(ranked) - count} more", "dim")]
        if _width([*drawn, rest]) <= width:
            return [piece for part in [*drawn, rest] for piece in part]
    return [piece for meter in ranked[:1] for piece in meter_pieces(meter, 0, near)]


def meter_pieces(meter: Meter, bar: int, near: float) -> list[Piece]:
    """` brief 212/500 ▇▇▇▇▁▁▁▁▁ `, with `!` where it is near its cap and `✕` where it is over."""
    budget = meter.budget
    state = budget.state(near)
    role = {"near": "warn", "over": "bad"}.get(state, "")
    glyph = {"near": "!", "over": "✕"}.get(state, "")
    pieces = [Piece(f" {meter.name} "), Piece(f"{budget.used}/{budget.cap}", role or "strong")]
    if bar:
        share = min(budget.used / budget.cap, 1.0) if budget.cap else 0.0
        full = min(bar, int(share * bar + 0.5)) if budget.used else 0
        pieces += [Piece(" "), Piece(FULL * full, role or "good"), Piece(REST * (bar - full), "dim")]
    return [*pieces, Piece(f"{glyph} " if bar or not glyph else f" {glyph} ", role)]


def short_name(budget: Budget, budgets: Sequence[Budget]) -> str:
    """A document's name without folder and suffix, with its folder where two have the same, and with the unit where it has
    several budgets. What is no document is a store as a whole."""
    path = budget.path
    if not path.endswith(".md"):
        return "all" if path == "." else f"{path.rsplit('/', 1)[-1]} all"
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    if len({other.path for other in budgets if other.path.rsplit("/", 1)[-1].removesuffix(".md") == name}) > 1:
        name = "/".join(path.removesuffix(".md").split("/")[-2:])
    several = sum(1 for other in budgets if other.path == path and other.cap) > 1
    return f"{name} {budget.unit}" if several else name


def _width(parts: Sequence[Sequence[Piece]]) -> int:
    return sum(text.width(piece.text) for part in parts for piece in part)
