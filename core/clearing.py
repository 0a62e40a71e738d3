"""The verb `clear`: working files that served their task go whole, and what each of them held is said."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core import compose, layouts
from memdesk.core.errors import Refused
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.compose import Action
    from memdesk.core.model import Document, Store, Workspace


class Working(NamedTuple):
    """A working file, and how much of it is there: its entries, how many of them wait for review, its tokens."""

    document: Document
    entries: int
    candidates: int
    tokens: int

    @property
    def holds(self) -> str:
        """What it holds, in a few words."""
        if self.candidates:
            return compose.count(self.candidates, "candidate", "candidates")
        return compose.count(self.entries, "entry", "entries") if self.entries else "nothing that is an entry"


def clear(action: Action) -> None:
    """Composes it. Raises Refused where no path is named, and for one that is no working file, with those that there are."""
    chosen = [path for path in action.words.get("paths", "").split("\n") if path.strip()]
    if not chosen:
        raise Refused("Which working files should go?", remedy=f"There is {_listed(action)}.", field="paths")
    found = {one.document.path: one for one in (_named(action, path) for path in chosen)}
    for one in found.values():
        action.draft.delete(one.document)
    lines = [f"Cleared {action.name(one.document.path)} ({one.holds})." for one in found.values()]
    waiting = sum(one.candidates for one in found.values())
    if waiting:
        what = compose.count(waiting, "candidate goes", "candidates go")
        action.warnings.append(f"{what} with it: promote first what should last.")
    action.note(lines)
    action.summary = lines[0] if len(lines) == 1 else f"Cleared {len(lines)} working files."
    action.label = f"Clear {', '.join(action.name(path) for path in found)}"


def working(workspace: Workspace, store: Store) -> Sequence[Working]:
    """The files of a store that can be cleared, by path; none in a layout without any."""
    roles = layouts.get(store.layout).cleared
    return [
        Working(
            document, len(document.entries), sum(entry.candidate for entry in document.entries), document.used_tokens
        )
        for document in workspace.documents_of(store) if document.place.role in roles
    ]


def _named(action: Action, given: str) -> Working:
    """The working file of a path from the workspace or the store, or of a name that only one of them has."""
    path = posixpath.normpath(given.strip())
    files = working(action.workspace, action.store)
    exact = [one for one in files if path in (one.document.path, action.name(one.document.path), *one.document.aliases)]
    alike = [one for one in files if one.document.path.rpartition("/")[2] in (path, f"{path}.md")]
    if len(exact or alike) == 1:
        return (exact or alike)[0]
    raise Refused(f"{given} is no working file of this store.", remedy=f"There is {_listed(action)}.", field="paths")


def _listed(action: Action) -> str:
    files = working(action.workspace, action.store)
    return ", ".join(f"{action.name(one.document.path)} ({one.holds})" for one in files) or "none"
