"""What decides that a record doesn't load: its status, by the line that says it."""

from __future__ import annotations

from memdesk.core.layouts.advising import line_of
from memdesk.core.layouts.base import Advice
from memdesk.core.layouts.records import statuses, statuslines
from memdesk.core.layouts.records.kept import Kept
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.layouts.records.statuslines import Line
    from memdesk.core.model import Document, Store, Workspace


def advice(
    workspace: Workspace, store: Store, request: LoadRequest, document: Document, settings: Settings
) -> Advice | None:
    """The status line of a record that is not decided, as it would have to read. That of one which stands no more is shown, and
    never advised to change: only a new record reverses it."""
    if document.place.role != "record":
        return None
    found = statuslines.find(document)
    line = found.status
    if line is None:
        return _missing(document, found.heading)
    status = document.entries[0].status if document.entries else None
    if status in statuses.CLOSED:
        return Advice(document.path, line.line, "see", "its status decides; only a new record reverses it")
    if len(found.statuses) > 1:
        return Advice(document.path, line.line, "see", "it says its status in several places: keep one, `accepted`")
    kept: Kept = store.settings
    return _accepted(document, line, kept)


def _missing(document: Document, heading: int | None) -> Advice | None:
    page = document.page
    if heading is not None:
        number = page.line_of(heading)
        return Advice(document.path, number, "below", "accepted", line_of(document, number))
    title = next((block for block in page.blocks if block.kind == "heading" and block.level == 1 and not block.depth), None)
    if title is None:
        return Advice(document.path, 1, "see", "give it a title and a status")
    return Advice(document.path, title.end_line, "below", "Status: accepted", line_of(document, title.end_line))


def _accepted(document: Document, line: Line, kept: Kept) -> Advice:
    """The line with another status: what is said after the word stays."""
    data = document.data
    start = data.rfind(b"\n", 0, line.value[0]) + 1
    stop = data.find(b"\n", start)
    stop = len(data) if stop < 0 else stop
    number = document.page.line_of(line.value[0])
    if line.value[1] > stop:
        return Advice(document.path, number, "see", "its status decides: `accepted` is one that loads")
    now = line_of(document, number)
    before, said, after = (
        data[a:b].decode("utf-8", "replace") for a, b in ((start, line.value[0]), line.value, (line.value[1], stop))
    )
    status = statuses.read(said, kept.statuses).status
    at = said.casefold().find(status) if status is not None else -1
    if status is None or at < 0:
        new = "accepted"
    else:
        word = said[at : at + len(status)]
        new = said[:at] + ("Accepted" if word[:1].isupper() else "accepted") + said[at + len(status) :]
    return Advice(document.path, number, "instead", f"{before}{new}{after}".rstrip("\r").removeprefix("\ufeff"), now)
