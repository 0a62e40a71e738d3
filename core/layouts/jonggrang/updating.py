"""The day and time that a memory says it was changed last: set with each change, in its own form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import frontmatter
from memdesk.core.errors import MemdeskError

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document

FIELD = "updated_at"
MEMORIES = frozenset({"project", "feature"})


def touch(draft: Draft, document: Document, today: date, stamp: str) -> None:
    """Sets `updated_at` of a memory that the draft changes, once. `stamp`: in UTC; the day alone where nobody said when. Front
    matter that is missing, or can't be read or changed, stays as it is: a rule tells of it."""
    work = draft.works.get(document.path)
    if work is None or work.removed or document.place.role not in MEMORIES or document.page.front is None:
        return
    page = document.page
    if frontmatter.fault(page, "") is not None:
        return
    said = frontmatter.fields(page)
    value = stamp or f"{today.isoformat()}T00:00:00Z"
    if FIELD not in said:
        assert page.front is not None
        end = page.data.rfind(b"\n", 0, len(page.data[: page.front[1]].rstrip(b"\r\n"))) + 1
        start, stop, text = end, end, f"{FIELD}: {value}\n"
    else:
        try:
            span = frontmatter.value_span(page, FIELD)
        except MemdeskError:
            return
        if span is None:
            return
        start, stop = span
        quote = page.text[start] if page.text[start] in "\"'" else ""
        text = f"{quote}{value}{quote}"
    if not any((edit.start, edit.end) == (start, stop) and edit.new.endswith(text.strip().encode()) for edit in work.edits):
        draft.patch(document, start, stop, text)
