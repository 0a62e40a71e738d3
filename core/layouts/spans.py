"""Where in a document something stands or goes: pure looks at its blocks, in byte offsets; what every layout shares."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Entry


_ATTACHED = frozenset({"fence", "code", "quote"})


class Spot(NamedTuple):
    """An offset for an insertion; `loose`: with blank lines around it; `marker`: the bullet of its neighbours, as far in."""

    offset: int
    loose: bool
    marker: str = "-"


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


def attached(blocks: Sequence[Block]) -> list[bool]:
    """For each of several blocks at the top, in their order, whether it is a fence, code or quote behind a paragraph: it
    belongs to that."""
    found = []
    behind = False
    for block in blocks:
        behind = behind and block.kind in _ATTACHED
        found.append(behind)
        behind = behind or block.kind == "paragraph"
    return found


def first_block(page: Page, offset: int) -> int:
    """The index of the first block that begins at an offset or after it."""
    return bisect_left(page.blocks, offset, key=lambda block: block.start)


def top(page: Page, kind: str) -> list[Block]:
    return [block for block in page.blocks if block.depth == 0 and block.kind == kind]


def are_loose(page: Page, items: list[Block]) -> bool:
    """Whether blank lines stand between these bullets."""
    pairs = [page.data[one.end : two.start] for one, two in pairwise(items)]
    return bool(pairs) and all(pair and not pair.strip() for pair in pairs)


def before_sections(page: Page) -> Spot:
    """Newest first, for a section: before the first level-2 heading. Where there is none it goes to the end, after the
    bullets too: before them it would take them in."""
    return Spot(next((block.start for block in top(page, "heading") if block.level == 2), len(page.data)), True)


def first_bullet(page: Page) -> Spot:
    """Newest first, for a bullet that stands in no section: before the first one."""
    end = before_sections(page).offset
    items = [block for block in top(page, "item") if block.start < end]
    return _before(page, items) if items else Spot(end, True)


def under(page: Page, heading: Block) -> Spot:
    """Newest first, for a bullet below a heading: before its first bullet, else right after it."""
    stop = stop_of(page, heading)
    items = [block for block in top(page, "item") if heading.end <= block.start < stop]
    return _before(page, items) if items else Spot(heading.end, True)


def words(page: Page, block: Block) -> str:
    """A heading's text, or an item's first line of text."""
    start, end = block.inner
    return page.data[start:end].decode("utf-8", "replace").strip()


def stop_of(page: Page, heading: Block) -> int:
    """Where the next heading of the same level or above begins, or the document ends."""
    return next(
        (block.start for block in top(page, "heading") if block.start > heading.start and block.level <= heading.level),
        len(page.data),
    )


def _before(page: Page, items: list[Block]) -> Spot:
    return Spot(items[0].start, are_loose(page, items), marker(page, items[0].start))
