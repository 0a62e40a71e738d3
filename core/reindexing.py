"""The verb `reindex`: an index's lines are made from what they name, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import compose

if TYPE_CHECKING:
    from memdesk.core.compose import Action


def reindex(action: Action) -> None:
    """Composes it; a plan without steps where the index is right already. Raises Refused, as the layout does."""
    done = action.layout.reindex(action.draft, action.store)
    said = ((done.changed, "changed"), (done.added, "added"), (done.out, "taken out"))
    parts = [f"{compose.count(number, 'line', 'lines')} {what}" for number, what in said if number]
    if not parts:
        action.summary = action.label = "The index is right already."
        return
    action.note([f"Reindexed: {', '.join(parts)}."])
    action.summary = f"Reindexed: {', '.join(parts)}."
    action.label = f"Reindex: {', '.join(parts)}"
