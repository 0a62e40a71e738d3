"""Where a candidate goes that an answer to the questions of promoting speaks against: to what won't last, or out."""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core import questions
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.layouts.base import Destination
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para

_WHY = {"lasting": "It won't guide anyone for long.", "derivable": "Code or git says it already."}


def declined(error: MemdeskError, words: Mapping[str, str]) -> str:
    """The question that was answered against the candidate, where this is why there is no plan; else ""."""
    field = error.field if isinstance(error, Refused) else None
    asked = {ask.field for ask in questions.asks()}
    return field if field in asked and words.get(field) != "unsure" else ""


def ways(passing: Destination | None) -> list[Para]:
    """The two keys that lead on. `passing`: where the store keeps what won't last."""
    lines = [("^l", f"puts it in {passing.label} instead")] if passing is not None else []
    return [
        Para((Piece(f"  {key}  ", "key"), Piece(words)), hang=6) for key, words in [*lines, ("^r", "rejects it instead")]
    ]


def reason(field: str) -> str:
    """What the answer gives as the reason for rejecting."""
    return _WHY.get(field, "")
