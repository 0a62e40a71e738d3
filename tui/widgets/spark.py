"""A row of bars for a course of numbers: eighths of a cell, scaled to a cap, the newest at the right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

BARS = "▁▂▃▄▅▆▇█"


def spark(values: Sequence[int], cells: int, cap: int | None = None) -> str:
    """At most `cells` bars. Of more values each bar shows the greatest of its share, so that no peak is hidden; `cap` is
    the height of a full bar (more is full too), else the greatest value is."""
    if not values or cells <= 0:
        return ""
    if len(values) > cells:
        bounds = [index * len(values) // cells for index in range(cells + 1)]
        values = [max(values[start:end]) for start, end in pairwise(bounds)]
    top = max(cap or max(values), 1)
    return "".join(BARS[min(value * len(BARS) // (top + 1), len(BARS) - 1)] for value in values)
