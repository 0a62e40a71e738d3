"""Numbers of records: in file names, and which record a relation names."""

from __future__ import annotations

from collections.abc import Iterable

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry

# Three to five digits, a hyphen and a title; a date is no number.
_NAME = lazy(r"([0-9]{3,5})-(?![0-9]{2}-[0-9]{2}(?![0-9]))(.*[^\s.].*)\.md\Z")
_OTHERS = frozenset({
    "readme", "index", "adr-index", "template", "adr-template", "madr-template", "record-template", "decision-template",
    "decision-record-template", "template-adr", "toc", "table-of-contents",
})  # fmt: skip


def digits(path: str) -> str:
    """The digits of a record's file name; "" for a file that is no record: without number or title, a template, an index."""
    match = _NAME.match(path, path.rfind("/") + 1)
    if match is None or not int(match[1]) or is_other(match[2]):
        return ""
    return match[1]


def number(path: str) -> int | None:
    """The number of a record's file name."""
    found = digits(path)
    return int(found) if found else None


def is_other(stem: str) -> bool:
    """Whether a file of that name, without number and ending, is a template, a README or an index."""
    return stem.lower().replace("_", "-").replace(" ", "-") in _OTHERS


def by_number(documents: Iterable[Document]) -> dict[int, list[Entry]]:
    """The records by their number, each number's in the order of their paths; design records are none."""
    found: dict[int, list[Entry]] = {}
    for document in documents:
        if document.place.role == "record":
            for entry in document.entries:
                if entry.number is not None:
                    found.setdefault(entry.number, []).append(entry)
    return found


def resolve(entry: Entry, target: str, documents: Iterable[Document]) -> Entry | None:
    """The record that a relation's target names, seen from `entry`; for several questions at once make one `index.Index`."""
    from memdesk.core.layouts.records.index import Index

    return Index(documents).find(entry, target)
