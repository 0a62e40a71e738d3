"""One fact a file: what its front matter and its text say, and the reason for it."""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from memdesk.core import frontmatter
from memdesk.core.layouts.texts import flat
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.strikes import mask_code

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


class Fact(NamedTuple):
    """What a fact says. `name`: that of its front matter, else its title, else its file's. `body`: its text below the front
    matter, LF endings, without outer blank lines. Fields that are not there are "" or ()."""

    name: str
    description: str
    type: str
    tags: tuple[str, ...]
    owner: str
    updated: str
    review_by: str
    links: tuple[str, ...]
    body: str


def fact_of(document: Document) -> Fact:
    """What a fact says, as far as it can be read: what is wrong with its front matter is left out."""
    known = _READ.get(document)
    if known is None:
        known = _READ[document] = _fact(document)
    return known


def why_of(document: Document) -> str:
    """The reason that a fact gives: what stands under a heading or label that says so, else the first sentence that does; ""
    for none."""
    page = document.page
    headings = [block for block in page.blocks if block.kind == "heading"]
    for index, block in enumerate(headings):
        if WHY_HEADING.fullmatch(page.title(block).strip()):
            below = (headings[at] for at in range(index + 1, len(headings)) if headings[at].level <= block.level)
            end = next((one.start for one in below), len(page.data))
            text = page.data[block.end : end].decode("utf-8", "replace").replace("\r\n", "\n").strip()
            if text:
                return text
    body = text_below(document)
    label = WHY_LABEL.search(body)
    if label and label["why"].strip():
        return label["why"].strip()
    if _BECAUSE.search(body) is None:
        return ""
    return next(filter(None, (_sentence(page, block) for block in page.blocks if block.kind == "paragraph")), "")


def stem(path: str) -> str:
    """A file's name without ending."""
    return path.rpartition("/")[2].removesuffix(".md")


def title_of(document: Document) -> str:
    """A document's first level-1 title; "" for none."""
    page = document.page
    first = next((block for block in page.blocks if block.kind == "heading" and block.level == 1 and not block.depth), None)
    return "" if first is None else flat(page.title(first))


def line_of(page: Page, key: str) -> int:
    """The 1-based line of a key of the front matter; the first line where it isn't found."""
    return next((number for number, row in enumerate(_front_rows(page), 1) if row.startswith(f"{key}:")), 1)


def lines_of(page: Page, key: str) -> Mapping[str, int]:
    """Item -> its 1-based line, of a key of the front matter that holds a list, brackets and quotes off; "" -> the key's."""
    at = line_of(page, key)
    found = {"": at}
    for number, row in enumerate(_front_rows(page)[at - 1 :], at):
        for part in _ITEMS.split(row.removeprefix(f"{key}:").strip().removeprefix("- ")):
            found.setdefault(part.strip(), number)
    return found


def text_below(document: Document) -> str:
    """A document's text without its front matter, LF endings, without outer blank lines."""
    from memdesk.core.plaintext import plain

    page = document.page
    return plain(page.data[page.front[1] if page.front else page.bom :])


_READ: WeakKeyDictionary[Document, Fact] = WeakKeyDictionary()
WHY_HEADING = lazy(r"(?:the )?(?:why|reasons?|reasoning|rationale|motivation)(?: [\w ]{0,40}+)?[ :?.]*", re.IGNORECASE)
WHY_LABEL = lazy(
    r"^[ \t]*+(?:[-*+][ \t]++)?(?:\*\*|__|\*|_)?(?:the )?(?:why|reasons?|reasoning|rationale|motivation)"
    r"(?::(?:\*\*|__|\*|_)|(?:\*\*|__|\*|_)?:)[ \t]*+(?P<why>[^\n]*+(?:\n[ \t]*+[^\s][^\n]*+)*+)", re.IGNORECASE | re.MULTILINE,
)
_BECAUSE = lazy(
    r"\b(?:because|since(?! (?:[0-9]|then|the (?:start|beginning)))|so that|otherwise|in order to|due to|therefore"
    r"|the reason (?:is|was|for))\b", re.IGNORECASE,
)
_ITEMS = lazy(r"[\[\],'\"|]")
_STOP = lazy(r"(?<=[.!?])\s")


def _fact(document: Document) -> Fact:
    page = document.page
    said = frontmatter.fields(page)
    body = text_below(document)
    name = flat(_text(said.get("name"))) or title_of(document) or stem(document.path)
    return Fact(
        name, flat(_text(said.get("description"))), flat(_text(said.get("type"))), _list(said.get("tags")),
        flat(_text(said.get("owner"))), flat(_text(said.get("updated"))), flat(_text(said.get("review_by"))),
        _list(said.get("links")), body,
    )


def _front_rows(page: Page) -> list[str]:
    return [] if page.front is None else page.data[page.front[0] : page.front[1]].decode("utf-8", "replace").split("\n")


def _sentence(page: Page, paragraph: Block) -> str:
    """The sentence of a paragraph that gives a reason; "" for none."""
    text = flat(page.title(paragraph))
    because = _BECAUSE.search(mask_code(text))
    if because is None:
        return ""
    stops = [match.end() for match in _STOP.finditer(text)]
    start = max((stop for stop in stops if stop <= because.start()), default=0)
    return text[start : min((stop for stop in stops if stop > because.start()), default=len(text))].strip()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> tuple[str, ...]:
    """A list of texts; one that is written as a text is split at its commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        parts = (part[0][0] if _is_bracketed(part) else part for part in value)
        return tuple(flat(part) for part in parts if isinstance(part, str) and part.strip())
    return ()


def _is_bracketed(value: Any) -> bool:
    """Whether an item is `[[name]]` without quotes, which YAML takes for a list in a list."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and len(value[0]) == 1
