"""Entries that cannot all be current, over all stores of a workspace.

The rules of the check, `memdesk conflicts`, recall and the pane all ask here, so that they never disagree about what a
conflict is. What structure says is exact; what only meaning can settle is possible, and never acted on without a person
(invariant 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memdesk.core import layouts
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.within import (
    QUIET_TIERS,
    SOURCES,
    Titles,
    is_tombstones,
    owners,
    readable,
    same_title,
    scope_of,
    text_key,
    title_key,
    tombstones,
    versions,
)
from memdesk.core.errors import UnknownEntry
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Store, Workspace

__all__ = [
    "QUIET_TIERS", "SOURCES", "Conflict", "Titles", "across", "every", "find", "is_tombstones", "named", "owners", "readable",
    "same_title", "scope_of", "text_key", "title_key", "tombstones", "versions", "whole",
]
SHORTEST = 4  # characters of an id's beginning that will do


def find(workspace: Workspace, stores: Iterable[Store] | None = None) -> list[Conflict]:
    """The conflicts of a workspace, exact ones first, else by path and line; with `stores`, those with a side in one of
    them."""
    titles: Titles = {}
    found = across(workspace, titles)
    for store in workspace.stores if stores is None else (stores := list(stores)):
        documents = readable(workspace.documents_of(store))
        found += versions(documents)
        found += same_title(documents, titles)
        found += (clash for clash in tombstones(documents, titles) if not clash.sides[1].entry.candidate)
        found += owners(workspace, store, documents)
    if stores is not None:
        found = [clash for clash in found if any(entry.document.store in stores for entry in clash.entries)]
    found.sort(key=lambda clash: (not clash.exact, clash.sides[0].entry.path, clash.sides[0].line, clash.kind))
    return found


def across(workspace: Workspace, titles: Titles | None = None) -> list[Conflict]:
    """What memory and the records, design records and glossaries of a workspace have against each other, and tombstones
    against entries of other stores."""
    if len(workspace.stores) < 2 and SOURCES.isdisjoint(
        rank for store in workspace.stores for rank in layouts.get(store.layout).ranks.values()
    ):
        return []  # one memory alone: nothing is loaded for it
    from memdesk.core.conflicts import glossary, records
    from memdesk.core.conflicts.grounds import grounds
    from memdesk.core.conflicts.library import Library

    titles = {} if titles is None else titles
    library = Library(workspace)
    found = list(records.tombstones(library, titles))
    if library.silent:
        return found
    found += records.designs(library, titles)
    found += grounds(library)
    found += glossary.all_of(library)
    known = {(one, other) for clash in found for one in clash.entries for other in clash.entries}
    found += records.overlaps(library, titles, known)
    return found


def every(
    workspace: Workspace, *, progress: Callable[[int, int], object] | None = None, stopped: Callable[[], bool] | None = None
) -> list[Conflict]:
    """Those that `find` finds, and behind them what takes long to be found (see `differs`)."""
    from memdesk.core.conflicts.differs import differing

    found = find(workspace)
    return [*found, *differing(workspace, found, progress=progress, stopped=stopped).conflicts]


def named(found: Iterable[Conflict], ident: str) -> Conflict:
    """The one among these that an id, or a beginning of it of at least four characters, names. Raises UnknownEntry."""
    ident = ident.strip().lower()
    if len(ident) < SHORTEST:
        raise UnknownEntry(f"{ident!r} is too short to name a conflict: give at least {SHORTEST} characters of its id.")
    fit: dict[str, Conflict] = {}
    for clash in found:
        if clash.id.startswith(ident):
            fit.setdefault(clash.id, clash)
    if len(fit) == 1:
        return next(iter(fit.values()))
    if fit:
        raise UnknownEntry(f"Several conflicts begin with {ident!r}.", tuple(fit))
    raise UnknownEntry(f"There is no conflict {ident!r}: it is settled, or one of its texts changed.")
