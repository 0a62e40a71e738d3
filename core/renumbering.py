"""The verb `renumber`: an entry that is known by a number gets another, and what names it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import Refused

if TYPE_CHECKING:
    from memdesk.core.compose import Action


def renumber(action: Action) -> None:
    """Composes it. Raises Refused, as the layout does, and for several at once: each would take the next one's number."""
    if len(action.entries) != 1:
        raise Refused("Records are renumbered one by one.")
    entry = action.entries[0]
    title = action.title(entry)
    done = action.layout.renumber(action.draft, action.store, entry, action.words.get("to", "").strip())
    old, new = action.name(entry.path), action.name(done.path)
    action.note([f'Renumbered "{title}": {old} is {new} now.'])
    action.warnings += done.warnings
    others = sum(work.changed and not work.removed and path != done.path for path, work in action.draft.works.items())
    what = f" and what refers to it in {others} {'file' if others == 1 else 'files'}" if others else ""
    action.summary = f'Renumbered "{title}": {old} is {new} now.'
    action.label = f"Rename {old} to {new.rpartition('/')[2]}{what}"
