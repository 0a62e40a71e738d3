"""The sections of memories and fragments: what each is called, where it stands, and the lines that say that one is empty."""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page

CONTEXT, FACTS, DONE = "Context", "Facts", "What Done & Why"
LESSONS, OPEN, PROMOTION = "Lessons Learned", "Open Questions / What Next", "Promotion Candidates"
SECTIONS = (CONTEXT, FACTS, DONE, LESSONS, OPEN, PROMOTION)  # of a feature's memory, in their order
EMPTY = "_(none yet)_"


class Section(NamedTuple):
    """A section of a text: the name that it is known by (its own title, where it is none of SECTIONS), its title as it is
    written, its heading, and the span of what is below that, in bytes, up to the next section or heading above it."""

    name: str
    title: str
    heading: Block
    start: int
    end: int


def sections(page: Page) -> list[Section]:
    """The sections of a text, in its order: the headings of the level of the first one that has one of the names, else of
    level 2."""
    headings = [block for block in page.blocks if block.kind == "heading" and not block.depth]
    level = level_of(page, headings)
    found = []
    stop = len(page.data)
    for block in reversed(headings):
        if block.level == level:
            title = " ".join(page.title(block).split())
            found.append(Section(section_of(title) or title, title, block, block.end, stop))
        if block.level <= level:
            stop = block.start
    return found[::-1]


def level_of(page: Page, headings: list[Block]) -> int:
    """The level of the headings of sections."""
    return next((block.level for block in headings if section_of(page.title(block))), 2)


def section_of(title: str) -> str | None:
    """The one of SECTIONS that a title names, in whatever spelling; None for another. Other words name another section."""
    title = title.strip()
    if title in SECTIONS:
        return title
    return _BY_KEY.get(_key(title)) if len(title) <= _LONGEST else None


def is_empty_line(text: str) -> bool:
    """Whether a paragraph or bullet only says that there is nothing: `_(none yet)_` or another `_(none ...)_`; without the
    emphasis or brackets, no more than that there is none yet."""
    words = text.strip()
    if not words or len(words) > _LONGEST or "\n" in words:
        return False
    return _EMPTY.fullmatch(words) is not None or _NONE.fullmatch(words) is not None


_LONGEST = 200  # characters of a title or line that is looked at
_EMPTY = lazy(r"(?P<mark>\*{1,3}|_{1,3})\([ ]?none\b.{0,200}\)\.?(?P=mark)", re.IGNORECASE)
_NONE = lazy(r"(?:[*_]{1,3})?\(?none(?: yet| so far| for now| at present)?\)?\.?(?:[*_]{1,3})?", re.IGNORECASE)
_NUMBERED = lazy(r"\A[0-9]{1,2}[.)][ \t]+")


def _key(title: str) -> str:
    """A title without case, signs and numbering; `&` in all its spellings is "and"."""
    text = _NUMBERED.sub("", title).casefold().replace("&amp;", "&")
    words = "".join(char if char.isalnum() else " and " if char in "&+" else " " for char in text).split()
    return " ".join(words)


_BY_KEY = {_key(name): name for name in SECTIONS}
