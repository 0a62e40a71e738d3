"""Front matter in a merge: of a field that only says when a file was last changed, the newer value holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from memdesk.core import intake
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Document

Versions = tuple[bytes | None, bytes, bytes]


def settle(document: Callable[[bytes], Document], keys: Sequence[str], versions: Versions) -> Versions:
    """Base, ours and theirs with the newest value in the fields `keys` of all three, as far as both sides have one that is an
    instant; so that nothing differs there."""
    base, ours, theirs = versions
    for key in keys:
        found = [None if data is None else _value(document, key, data) for data in (base, ours, theirs)]
        if found[1] is None or found[2] is None:
            continue
        newest = max((one for one in found if one is not None), key=lambda one: one[2])
        texts = [
            data if data is None or one is None else data[: one[0]] + newest[3] + data[one[1] :]
            for data, one in zip((base, ours, theirs), found, strict=True)
        ]
        base, ours, theirs = texts[0], texts[1] or ours, texts[2] or theirs
    return base, ours, theirs


def _value(document: Callable[[bytes], Document], key: str, data: bytes) -> tuple[int, int, datetime, bytes] | None:
    """Where a field's value stands, the instant that it is, and its bytes; None for none."""
    from memdesk.core import frontmatter

    if intake.problem(data) is not None:
        return None
    page = document(data).page
    try:
        span = frontmatter.value_span(page, key)
    except MemdeskError:
        return None
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "yaml":
            raise
        return None
    if span is None:
        return None
    raw = data[slice(*span)]
    try:
        at = datetime.fromisoformat(raw.decode("utf-8").strip("\"'"))
        return *span, at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC), raw
    except (ValueError, OverflowError):
        return None
