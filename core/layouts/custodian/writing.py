"""The one place where the forms of a store are chosen, by the version that its manifest names: lines and dated sections up to
protocol 0.5 (`plain.py`), complete entries with an id from 0.6 on (`complete/`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Ask, Change, Content, Destination, Outcome, Said
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Entry, Store, Workspace


class Forms(Protocol):
    """What a module of forms answers; see `memdesk.core.layouts.base.Layout` for each."""

    def destinations(self, workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]: ...
    def asks(self, store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]: ...
    def informed(self, workspace: Workspace, verb: str, entry: Entry, asks: tuple[Ask, ...]) -> tuple[Ask, ...]: ...
    def vouched(self, entry: Entry) -> tuple[Ask, ...]: ...
    def said(self, entry: Entry) -> Said: ...
    def merged(self, into: Entry, text: str) -> str: ...
    def grounded(self, into: Entry, text: str, candidates: Sequence[Entry]) -> str: ...
    def remarks(self, entry: Entry) -> list[str]: ...
    def scoped(self, entry: Entry, scope: str) -> str: ...
    def leaves(self, entry: Entry) -> str: ...
    def ends(self, workspace: Workspace, entry: Entry, by: Entry | None = None) -> str: ...
    def add(self, draft: Draft, store: Store, content: Content) -> None: ...
    def put(self, draft: Draft, store: Store, destination: Destination, content: Content) -> None: ...
    def take(self, draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None: ...
    def amend(self, draft: Draft, store: Store, entry: Entry, change: Change) -> None: ...


def forms(store: Store) -> Forms:
    """The forms that a store is written in."""
    manifest: Manifest = store.settings
    if manifest.complete:
        from memdesk.core.layouts.custodian import complete

        return complete
    from memdesk.core.layouts.custodian import plain

    return plain


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    return forms(store).destinations(workspace, store, entry)


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    return forms(store).asks(store, verb, entry)


def informed(workspace: Workspace, verb: str, entry: Entry, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    return forms(entry.document.store).informed(workspace, verb, entry, asks)


def vouched(entry: Entry) -> tuple[Ask, ...]:
    return forms(entry.document.store).vouched(entry)


def said(entry: Entry) -> Said:
    return forms(entry.document.store).said(entry)


def merged(into: Entry, text: str) -> str:
    return forms(into.document.store).merged(into, text)


def grounded(into: Entry, text: str, candidates: Sequence[Entry]) -> str:
    return forms(into.document.store).grounded(into, text, candidates)


def remarks(entry: Entry) -> list[str]:
    return forms(entry.document.store).remarks(entry)


def scoped(entry: Entry, scope: str) -> str:
    return forms(entry.document.store).scoped(entry, scope)


def leaves(entry: Entry) -> str:
    return forms(entry.document.store).leaves(entry)


def ends(workspace: Workspace, entry: Entry, by: Entry | None = None) -> str:
    return forms(entry.document.store).ends(workspace, entry, by)


def add(draft: Draft, store: Store, content: Content) -> None:
    forms(store).add(draft, store, content)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    forms(store).put(draft, store, destination, content)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    forms(store).take(draft, store, entries, outcome)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    forms(store).amend(draft, store, entry, change)
