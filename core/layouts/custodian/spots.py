"""Where in a document something goes: pure looks at its blocks and entries, in byte offsets."""

from __future__ import annotations

from itertools import takewhile

from memdesk.core import fields
from memdesk.core.edits import Cover
from memdesk.core.layouts.custodian.entries import is_placeholder
from memdesk.core.layouts.spans import Spot, are_loose, marker, top
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


def section(page: Page) -> Spot:
    """Newest first, for a section: before the first level-2 heading. Where there is none it goes to the end, after the
    bullets too: before them it would take them in."""
    return Spot(next((block.start for block in top(page, "heading") if block.level == 2), len(page.data)), True)


def first_bullet(page: Page) -> Spot:
    """Newest first, for a bullet that stands in no section: before the first one."""
    end = section(page).offset
    items = [block for block in top(page, "item") if block.start < end]
    return _before(page, items) if items else Spot(end, True)


def last_bullet(document: Document) -> Spot:
    """At the end of the bullets. Those in no section come before those under headings; sections that are entries of their
    own take in what follows them, so a bullet never goes behind one."""
    page = document.page
    sections = [(entry.start, entry.end) for entry in document.entries if entry.kind == "section"]
    inside = Cover(sections)
    items = [block for block in top(page, "item") if not inside.holds(block.start, block.end)]
    first = section(page).offset
    free = [block for block in items if block.start < first] or items
    if free:
        return Spot(free[-1].end, are_loose(page, free), marker(page, free[-1].start))
    return Spot(min([first, *(start for start, _ in sections)]), True)


def under(page: Page, heading: Block) -> Spot:
    """Newest first, for a bullet below a heading: before its first bullet, else right after it."""
    stop = _section_end(page, heading)
    items = [block for block in top(page, "item") if heading.end <= block.start < stop]
    return _before(page, items) if items else Spot(heading.end, True)


def dated(document: Document, day: str) -> Block | None:
    """The level-2 heading that is just this date, unless it is an entry with what is below it."""
    page = document.page
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    headings = (block for block in top(page, "heading") if block.level == 2 and block.start not in own)
    return next((block for block in headings if words(page, block) == day), None)


def emptied(document: Document, gone: Cover) -> list[Block]:
    """Level-2 headings that go with the spans `gone`, since their section loses its last block: dated ones, and in the inbox
    any that only groups bullets, since alone it would be read as a candidate itself."""
    page = document.page
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    inbox = document.place.role == "inbox"
    found = []
    blocks = [block for block in page.blocks if block.depth == 0]
    for at, block in enumerate(blocks):
        if block.kind != "heading" or block.level != 2 or block.start in own:
            continue
        if not inbox and not fields.is_date(words(page, block)):
            continue
        inner = list(takewhile(lambda later: later.kind != "heading" or later.level > 2, blocks[at + 1 :]))
        if inner and all(gone.holds(later.start, later.end) for later in inner):
            found.append(block)
    return found


def left_alone(document: Document, gone: Cover) -> list[tuple[int, int]]:
    """Sections that lose their last bullet with the spans `gone`, from their heading to the end of what stays: what grouped
    bullets is read as an entry itself then. In the inbox only where text stays: such a section is a candidate as a whole."""
    page = document.page
    inbox = document.place.role == "inbox"
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    found = []
    blocks = [block for block in page.blocks if block.depth == 0]
    for at, block in enumerate(blocks):
        if block.kind != "heading" or block.level != 2 or block.start in own:
            continue
        inner = list(takewhile(lambda later: later.kind != "heading" or later.level > 2, blocks[at + 1 :]))
        kept = [later for later in inner if not gone.holds(later.start, later.end)]
        texts = [later for later in kept if later.kind not in ("html", "definition", "rule")]
        if len(kept) == len(inner) or any(later.kind == "item" for later in kept):
            continue
        if not inbox and (kept or not fields.is_date(words(page, block))):
            found.append((block.start, kept[-1].end if kept else block.end))
        elif inbox and texts and not (len(texts) == 1 and is_placeholder(page.title(texts[0]))):
            found.append((block.start, kept[-1].end))
    return found


def placeholders(document: Document) -> list[Block]:
    """The paragraphs and bullets that stand in for candidates, the standard line among them; none is an entry."""
    page = document.page
    entries = Cover((entry.start, entry.end) for entry in document.entries)
    return [
        block for block in page.blocks
        if block.depth == 0 and block.kind in ("paragraph", "item")
        and is_placeholder(page.data[slice(*block.inner)].decode("utf-8", "replace"))
        and not entries.holds(block.start, block.start + 1)
    ]


def words(page: Page, block: Block) -> str:
    """A heading's text, or an item's first line of text."""
    start, end = block.inner
    return page.data[start:end].decode("utf-8", "replace").strip()


def heading(page: Page, level: int, title: str, within: Block | None = None) -> Block | None:
    """The first heading of that level and text, compared without case; `within` the section of another."""
    low = within.end if within is not None else 0
    high = _section_end(page, within) if within is not None else len(page.data)
    wanted = title.casefold()
    return next(
        (
            block for block in top(page, "heading")
            if block.level == level and low <= block.start < high and words(page, block).casefold() == wanted
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
    stop = _section_end(page, heading)
    inner = [block.end for block in page.blocks if block.depth == 0 and heading.start <= block.start < stop]
    return max(inner)


def _before(page: Page, items: list[Block]) -> Spot:
    return Spot(items[0].start, are_loose(page, items), marker(page, items[0].start))


def _section_end(page: Page, heading: Block) -> int:
    return next(
        (block.start for block in top(page, "heading") if block.start > heading.start and block.level <= heading.level),
        len(page.data),
    )
