"""Parameters of which each run takes a sample, and the slow tests take the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], every: int, *, rows: bool = False) -> list[Any]:
    """All of these, for `pytest.mark.parametrize`: the first and each `every`-th behind it always, the others as slow ones.
    `rows`: each is one value for each of several names."""
    return [
        value if number % every == 0 else pytest.param(*(value if rows else (value,)), marks=pytest.mark.slow)
        for number, value in enumerate(values)
    ]
