"""Where in a file of this layout something goes: pure looks at its blocks and entries, in byte offsets."""

from __future__ import annotations

from memdesk.core.edits import Cover
from memdesk.core.layouts import spans
from memdesk.core.layouts.spans import Spot, are_loose, marker, top
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


def last_bullet(document: Document) -> Spot:
    """At the end of the bullets. Those in no section come before those under headings; sections that are entries of their
    own take in what follows them, so a bullet never goes behind one."""
    page = document.page
    sections = [(entry.start, entry.end) for entry in document.entries if entry.kind == "section"]
    inside = Cover(sections)
    items = [block for block in top(page, "item") if not inside.holds(block.start, block.end)]
    first = spans.before_sections(page).offset
    free = [block for block in items if block.start < first] or items
    if free:
        return Spot(free[-1].end, are_loose(page, free), marker(page, free[-1].start))
    return Spot(min([first, *(start for start, _ in sections)]), True)


def heading(page: Page, level: int, title: str, within: Block | None = None) -> Block | None:
    """The first heading of that level and text, compared without case; `within` the section of another."""
    low = within.end if within is not None else 0
    high = spans.stop_of(page, within) if within is not None else len(page.data)
    wanted = title.casefold()
    return next(
        (
            block for block in top(page, "heading")
            if block.level == level and low <= block.start < high and spans.words(page, block).casefold() == wanted
        ),
        None,
    )


def items_of(page: Page, heading: Block, kind: str = "item") -> list[Block]:
    """The top-level bullets of a heading's section, or its blocks of another kind, before any heading below it."""
    stop = next((block.start for block in top(page, "heading") if block.start > heading.start), len(page.data))
    return [block for block in top(page, kind) if heading.end <= block.start < stop]


def prose_end(page: Page, heading: Block) -> int:
    """Where the text right below a heading ends, before any heading below it."""
    stop = next((block.start for block in top(page, "heading") if block.start > heading.start), len(page.data))
    return max(block.end for block in page.blocks if block.depth == 0 and heading.start <= block.start < stop)


def section_end(page: Page, heading: Block) -> int:
    """Where the section of a heading ends: after its last non-blank line."""
    stop = spans.stop_of(page, heading)
    inner = [block.end for block in page.blocks if block.depth == 0 and heading.start <= block.start < stop]
    return max(inner)
