"""The verb `correct`: what no longer holds is overwritten in place, and the log says what it was (formats: docs/tiers.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import asked, compose
from memdesk.core.errors import Refused

if TYPE_CHECKING:
    from memdesk.core.compose import Action


def correct(action: Action) -> None:
    """Composes it. What it was, what it is now and why is the layout's to log: it alone knows the form. Raises Refused for
    what is struck and not corrected, for several at once and without a text."""
    if len(action.entries) != 1:
        raise Refused("Facts are corrected one by one.")
    (entry,) = action.entries
    asked.changeable(entry)
    if action.layout.instead("strike", entry) != "correct":
        remedy = "Edit, promote or reject it instead." if entry.candidate else "Correct the fact that it is about."
        raise Refused("Only a fact can be corrected.", path=entry.path, line=entry.line, remedy=remedy)
    text = action.words.get("with", "")
    if not text.strip() and not action.words.get("description"):
        raise Refused("What holds now?", path=entry.path, remedy="Give the corrected text (--with).", field="with")
    action.layout.amend(action.draft, action.store, entry, action.change("correct", text))
    name = action.name(entry.path)
    action.summary = f'Corrected "{action.title(entry)}" in {name}{compose.because(action.words)}.'
    action.label = f"Correct {name}"
    action.named = entry.path
