"""The front matter of memories and fragments: its fields, and where one stands."""

from __future__ import annotations

from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from memdesk.core import frontmatter
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.layouts.jonggrang.paths import Name
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memdesk.core.markdown import Page
    from memdesk.core.model import Document

# What a fragment's front matter may say of it, where its name doesn't.
_TASK = ("task_id", "task")
_STAMP = ("created_at", "timestamp", "updated_at", "date")
FEATURE = ("feature_id", "feature_name", "tags", "updated_at")  # what a feature's memory says, in this order
PROJECT = ("scope", "tags", "updated_at")


def named(document: Document) -> Name:
    """What a document's path says of it; of a fragment whose name says no task or moment, what its front matter says."""
    known = _NAMED.get(document)
    if known is None:
        known = _NAMED[document] = _named(document)
    return known


def updated(said: Mapping[str, Any]) -> datetime | None:
    """The instant in `updated_at`, in UTC; None for none, or one that is no ISO 8601."""
    value = said.get("updated_at")
    return instant(value) if isinstance(value, str) else None


def instant(text: str) -> datetime | None:
    """An ISO 8601 instant or day, in UTC, where it names no other zone; None for another text."""
    text = text.strip()
    if not text.isascii() or not text[:4].isdigit() or text[4:5] != "-":
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def line_of(page: Page, key: str) -> int:
    """The 1-based line of a key of the front matter; the first line where it isn't found."""
    if page.front is None:
        return 1
    rows = page.data[page.front[0] : page.front[1]].decode("utf-8", "replace").split("\n")
    return next((number for number, row in enumerate(rows, 1) if row.startswith(f"{key}:")), 1)


_NAMED: WeakKeyDictionary[Document, Name] = WeakKeyDictionary()


def _named(document: Document) -> Name:
    found = paths.name_of(document.store.inner(document.path) or "")
    assert found is not None  # else it were no document of this layout
    if found.role not in ("fragment", "archive") or (found.task and found.stamp) or not _OPENS.match(document.data):
        return found
    said = frontmatter.fields(document.page)
    task = next((value for key in _TASK if isinstance(value := said.get(key), str) and paths.is_task(value)), "")
    stamps = (instant(value) for key in _STAMP if isinstance(value := said.get(key), str))
    return found._replace(task=found.task or task, stamp=found.stamp or next((at for at in stamps if at), None))


_OPENS = lazy(rb"(?:\xef\xbb\xbf)?---")
