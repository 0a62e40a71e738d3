"""The forms up to protocol 0.5: lines and dated sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts.custodian import writes
from memdesk.core.layouts.custodian.places import asks, destinations, merged, remarks, said
from memdesk.core.layouts.custodian.pruning import leaves
from memdesk.core.layouts.custodian.scopes import scoped
from memdesk.core.layouts.custodian.writes import take

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Ask, Change, Content, Destination
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Entry, Store, Workspace

__all__ = [
    "add", "amend", "asks", "destinations", "ends", "grounded", "informed", "leaves", "merged", "put", "remarks", "said",
    "scoped", "take", "vouched",
]

_LATER = ("subject", "facet", "evidence")  # words for which these forms have no place


def vouched(entry: Entry) -> tuple[Ask, ...]:
    """Nothing stands before a candidate of these protocols."""
    return ()


def informed(workspace: Workspace, verb: str, entry: Entry, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """These protocols ask for nothing that is picked from elsewhere."""
    return asks


def grounded(into: Entry, text: str, candidates: Sequence[Entry]) -> str:
    """What a candidate rests on stands in its text."""
    return text


def ends(workspace: Workspace, entry: Entry, by: Entry | None = None) -> str:
    """Anything is struck by itself."""
    return "strike"


def add(draft: Draft, store: Store, content: Content) -> None:
    _kept(store, content.words, "scope")
    writes.add(draft, store, content)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    _kept(store, content.words)
    writes.put(draft, store, destination, content)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    _kept(store, change.words)
    writes.amend(draft, store, entry, change)


def _kept(store: Store, words: Mapping[str, str], *more: str) -> None:
    """Raises Refused for a word that would go unheard."""
    name = next((name for name in (*_LATER, *more) if words.get(name)), None)
    if name is not None:
        manifest: Manifest = store.settings
        raise Refused(
            f"Here a store of protocol {manifest.version_text} has no place for a {name}.", field=name,
            remedy="Leave it out, or say it in the text." if name != "scope" else "Name the part of the project with --area.",
        )
