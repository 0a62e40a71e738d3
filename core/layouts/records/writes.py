"""What the verbs write in this layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Content, Destination, Outcome
    from memdesk.core.model import Entry, Store


def add(draft: Draft, store: Store, content: Content) -> None:
    """A new candidate."""
    raise Refused("Records are not written yet.")


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """Entries leave, or are marked where they are."""
    raise Refused("Records are not written yet.")


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """An entry at a destination."""
    raise Refused("Records are not written yet.")


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """An entry changed in place."""
    raise Refused("Records are not written yet.")
