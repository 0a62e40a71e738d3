"""Where in a document something goes: pure looks at its blocks and entries, in byte offsets."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise, takewhile

from memdesk.core import fields
from memdesk.core.edits import Cover
from memdesk.core.layouts.custodian.entries import is_placeholder
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document, Entry


class Spot(NamedTuple):
    """An offset for an insertion; `loose`: with blank lines around it; `marker`: the bullet of its neighbours, as far in."""

    offset: int
    loose: bool
    marker: str = "-"


def section(page: Page) -> Spot:
    """Newest first, for a section: before the first level-2 heading. Where there is none it goes to the end, after the
    bullets too: before them it would take them in."""
    return Spot(next((block.start for block in _top(page, "heading") if block.level == 2), len(page.data)), True)


def first_bullet(page: Page) -> Spot:
    """Newest first, for a bullet that stands in no section: before the first one."""
    end = section(page).offset
    items = [block for block in _top(page, "item") if block.start < end]
    return _before(page, items) if items else Spot(end, True)


def last_bullet(document: Document) -> Spot:
    """At the end of the bullets. Those in no section come before those under headings; sections that are entries of their
    own take in what follows them, so a bullet never goes behind one."""
    page = document.page
    sections = [(entry.start, entry.end) for entry in document.entries if entry.kind == "section"]
    inside = Cover(sections)
    items = [block for block in _top(page, "item") if not inside.holds(block.start, block.end)]
    first = section(page).offset
    free = [block for block in items if block.start < first] or items
    if free:
        return Spot(free[-1].end, _are_loose(page, free), marker(page, free[-1].start))
    return Spot(min([first, *(start for start, _ in sections)]), True)


def under(page: Page, heading: Block) -> Spot:
    """Newest first, for a bullet below a heading: before its first bullet, else right after it."""
    stop = _section_end(page, heading)
    items = [block for block in _top(page, "item") if heading.end <= block.start < stop]
    return _before(page, items) if items else Spot(heading.end, True)


def dated(document: Document, day: str) -> Block | None:
    """The level-2 heading that is just this date, unless it is an entry with what is below it."""
    page = document.page
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    headings = (block for block in _top(page, "heading") if block.level == 2 and block.start not in own)
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
            block for block in _top(page, "heading")
            if block.level == level and low <= block.start < high and words(page, block).casefold() == wanted
        ),
        None,
    )


def items_of(page: Page, heading: Block, kind: str = "item") -> list[Block]:
    """The top-level bullets of a heading's section, or its blocks of another kind, before any heading below it."""
    stop = next((block.start for block in _top(page, "heading") if block.start > heading.start), len(page.data))
    return [block for block in _top(page, kind) if heading.end <= block.start < stop]


def prose_end(page: Page, heading: Block) -> int:
    """Where the text right below a heading ends, before any heading below it."""
    stop = next((block.start for block in _top(page, "heading") if block.start > heading.start), len(page.data))
    return max(block.end for block in page.blocks if block.depth == 0 and heading.start <= block.start < stop)


def section_end(page: Page, heading: Block) -> int:
    """Where the section of a heading ends: after its last non-blank line."""
    stop = _section_end(page, heading)
    inner = [block.end for block in page.blocks if block.depth == 0 and heading.start <= block.start < stop]
    return max(inner)


def first_paragraph(page: Page, entry: Entry) -> tuple[int, int] | None:
    """The span of a bullet's first paragraph, from its text on, without the last line's ending; None where the bullet
    begins with something else."""
    at = first_block(page, entry.start)
    if at == len(page.blocks) or page.blocks[at].kind != "item" or page.blocks[at].start != entry.start:
        return None
    below = page.blocks[at + 1 : at + 2]
    inner = below[0] if below and below[0].parent == at else None
    if inner is None or inner.kind != "paragraph":
        return None
    start, end = inner.inner if inner.inner[1] > inner.inner[0] else (inner.start, inner.end)
    while end > start and page.data[end - 1] in b" \t\r\n":
        end -= 1
    return (start, end) if end > start else None


def entry_heading(page: Page, entry: Entry) -> Block | None:
    """The heading that a section entry begins with."""
    at = first_block(page, entry.start)
    found = page.blocks[at : at + 1]
    return found[0] if found and found[0].kind == "heading" and found[0].start == entry.start else None


def marker(page: Page, start: int) -> str:
    """The marker of the bullet on the line at `start`, with the blanks before it; a number counts as `-`."""
    line = page.text[start : start + 8]
    blanks = " " * (len(line) - len(line.lstrip(" ")))
    sign = line.lstrip(" ")[:1]
    return blanks + (sign if sign in ("-", "*", "+") else "-")


def first_block(page: Page, offset: int) -> int:
    """The index of the first block that begins at an offset or after it."""
    return bisect_left(page.blocks, offset, key=lambda block: block.start)


def _top(page: Page, kind: str) -> list[Block]:
    return [block for block in page.blocks if block.depth == 0 and block.kind == kind]


def _before(page: Page, items: list[Block]) -> Spot:
    return Spot(items[0].start, _are_loose(page, items), marker(page, items[0].start))


def _are_loose(page: Page, items: list[Block]) -> bool:
    """Whether blank lines stand between these bullets."""
    pairs = [page.data[one.end : two.start] for one, two in pairwise(items)]
    return bool(pairs) and all(pair and not pair.strip() for pair in pairs)




def _section_end(page: Page, heading: Block) -> int:
    return next(
        (block.start for block in _top(page, "heading") if block.start > heading.start and block.level <= heading.level),
        len(page.data),
    )
