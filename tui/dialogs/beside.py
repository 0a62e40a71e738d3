"""A text that is overwritten, old and new beside each other: how a correction is shown before it is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.tui import wordiff
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown
from memdesk.tui.widgets.sides import Side, mark, plain

if TYPE_CHECKING:
    from memdesk.core.plan import Plan

DIFFERS = "differs"
ACROSS = Para(rule=True)


class Beside(NamedTuple):
    """The file that is overwritten, and both its texts with the words marked that differ."""

    path: str
    sides: tuple[Side, Side]


def beside(plan: Plan, path: str) -> Beside | None:
    """A file of a plan as it is and as it will be; None where the plan does not overwrite it. Takes its time for a long text:
    it is made in a thread."""
    for step in plan.steps:
        if step.path == path and step.before is not None and step.after is not None:
            texts = [markdown(_text(data)) for data in (step.before, step.after)]
            spans = wordiff.differences([plain(paras) for paras in texts])
            old, new = (
                Side((Para((Piece(head, "strong"),)), ACROSS), tuple(mark(paras, found, DIFFERS)))
                for head, paras, found in zip(("as it is", "as it will be"), texts, spans, strict=True)
            )
            return Beside(path, (old, new))
    return None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").rstrip("\n")
