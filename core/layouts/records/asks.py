"""Where a candidate can go in this layout, and what each place and verb asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts.base import Ask, Destination, Said

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """Where a candidate can go."""
    return []


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    return ()


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names. Raises Refused for an unknown one."""
    raise Refused(f"There is no destination {to!r}.", field="to")


def said(entry: Entry) -> Said:
    """What an entry says."""
    return Said(entry.fields.get("title") or entry.heading, entry.fields.get("decision") or entry.fields.get("text", ""), {})


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in."""
    return f"{into.text}\n\n{text}"
