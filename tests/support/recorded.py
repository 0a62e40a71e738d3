"""Documents of layout records made of a text alone, for what reads one file."""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.layouts.records import LAYOUT
from memdesk.core.layouts.records.kept import Kept
from memdesk.core.model import Document, Entry, Place, Store

RECORD = Place("record", "durable")


def document(
    text: str | bytes, path: str = "docs/adr/0007-store-counts-as-csv.md", place: Place = RECORD,
    statuses: Mapping[str, str] | None = None,
) -> Document:
    """One document of a store at the root."""
    store = Store("records", ".", "test", Kept(("docs/adr",), statuses=statuses or {}), marker=False)
    data = text if isinstance(text, bytes) else text.encode()
    return Document(path, store, place, data, LAYOUT.entries)


def record(text: str | bytes, statuses: Mapping[str, str] | None = None) -> Entry:
    """The one entry of a record, number 7."""
    [entry] = document(text, statuses=statuses).entries
    return entry
