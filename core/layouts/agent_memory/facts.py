"""What is a fact line, a tag and a struck line, by two readings.

The plain one looks at single lines, as the tool of `memory-lint.json` does: any list item, any tag and any `~~...~~` on the
line, in fences too. The strict one reads Markdown: outside code and comments, with an item's first paragraph as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from memdesk.core import fields, strikes
from memdesk.core.fields import TAGS
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.checks.rule import CheckContext
    from memdesk.core.markdown import Page
    from memdesk.core.model import Document

_SPACES = "\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"  # what JavaScript takes for white space
_OUTER = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_ITEM = lazy(rf"[{_SPACES}]*(?:[-*+]|[0-9]+[.)])[{_SPACES}]+[^{_SPACES}]")


class Fact(NamedTuple):
    """A fact line: its 1-based line and last line, its text (an item's without its marker), and what it bears."""

    line: int
    end_line: int
    text: str
    tags: tuple[str, ...]
    struck: bool  # some of it, at least

    @property
    def bare(self) -> bool:
        """Whether nothing says where it came from or that it no longer holds."""
        return not self.tags and not self.struck


def plain(lines: Iterable[tuple[int, str]], tags: Sequence[str] = TAGS) -> Iterator[Fact]:
    """The fact lines among (number, text) lines, by the plain reading."""
    for number, line in lines:
        if _ITEM.match(line):
            found = tuple(tag for tag in tags if f"[{tag}]" in line) if "[" in line else ()
            yield Fact(number, number, trimmed(line), found, plainly_struck(line))


def strict(page: Page, tags: Sequence[str] = TAGS) -> list[Fact]:
    """The fact lines of a page, by the strict reading."""
    blocks = page.blocks
    found = []
    for index, block in enumerate(blocks[1:], 1):
        item = blocks[block.parent] if block.parent == index - 1 else None
        if item is None or item.kind != "item" or block.kind not in ("paragraph", "heading"):
            continue
        start, end = item.inner
        text = page.data[start:end].decode("utf-8", "replace")
        masked = outside(text)
        last = item.line + page.text.count("\n", item.start, end)
        found.append(Fact(item.line, last, text, tags_in(masked, tags), bool(_spans(masked))))
    return found


def of(context: CheckContext, document: Document) -> list[Fact]:
    """The fact lines of a document of the store that is checked, by the strict reading; read once in a check."""
    known: dict[str, list[Fact]] = context.shared.setdefault("facts", {})
    if document.path not in known:
        known[document.path] = strict(document.page, context.store.settings.tags)
    return known[document.path]


def tags_in(masked: str, tags: Sequence[str] = TAGS) -> tuple[str, ...]:
    """The tags in a text outside code; a link such as `[stated](x)` is none."""
    if "[" not in masked:
        return ()
    return tuple(dict.fromkeys(match[1] for match in tag_pattern(tuple(tags)).finditer(masked)))


@cache
def tag_pattern(tags: tuple[str, ...]) -> re.Pattern[str]:
    """Finds a tag in a text outside code, as its first group; a link such as `[stated](x)` is none."""
    return re.compile(r"\[(" + "|".join(map(re.escape, tags)) + r")\](?![(\[:])")


def plainly_struck(line: str) -> bool:
    """Whether a line holds any `~~...~~`, by the plain reading."""
    first = line.find("~~")
    return first >= 0 and line.find("~~", first + 2) >= 0


def struck_lines(page: Page) -> set[int]:
    """The 1-based lines that a struck span touches, by the strict reading: of items, paragraphs and headings."""
    found: set[int] = set()
    if "~~" not in page.text:
        return found
    for block in page.blocks:
        if block.kind not in ("paragraph", "heading"):
            continue
        start, end = block.inner
        if page.text.find("~~", start, end) < 0:
            continue
        text = page.text[start:end]  # latin-1: only signs of ASCII are looked for
        first = block.line + page.text.count("\n", block.start, start)
        for low, high in _spans(outside(text)):
            found.update(range(first + text.count("\n", 0, low), first + text.count("\n", 0, high) + 1))
    return found


def outside(text: str) -> str:
    """The text with its code spans and comments blanked, the same length."""
    masked = strikes.mask_code(text)
    at = masked.find("<!--")
    while at >= 0:
        end = masked.find("-->", at)
        end = len(masked) if end < 0 else end + 3
        blank = "".join("\n" if char == "\n" else " " for char in masked[at:end])
        masked = masked[:at] + blank + masked[end:]
        at = masked.find("<!--", end)
    return masked


def figure(text: str) -> str | None:
    """The first figure outside code: a number with a unit or a thing that is counted, which goes out of date."""
    if _DIGIT.search(text) is None:
        return None
    found = _FIGURE.search(outside(text))
    return None if found is None else found[0].strip()


def dated(text: str) -> bool:
    """Whether a text says when: by a date, or a year."""
    return _YEAR.search(text) is not None or bool(fields.dates(text))


def trimmed(line: str) -> str:
    """A line without outer white space, as its tool compares them."""
    return line.strip(_OUTER)


def _spans(masked: str) -> list[tuple[int, int]]:
    """The struck spans of a masked text, tildes included: pairs of `~~` with something between."""
    runs = strikes.tildes(masked) if "~~" in masked else []
    return [(runs[at][0], runs[at + 1][1]) for at in range(0, len(runs) - 1, 2)]


_DIGIT = lazy("[0-9]")
_FIGURE = lazy(
    r"[$€£¥]\s?[0-9][0-9.,]*|(?<![\w.#/-])[0-9][0-9.,]*\s?(?:%|percent\b|(?:[kKMGT]i?B|[mµn]?s|sec|min|Hz|rps|qps|req/s|fps|USD|EUR|GBP)\b"
    r"|(?:thousand|million|billion)\b|(?:users?|customers?|requests?|files?|lines?|rows?|records?|entries|people|employees|stars|"
    r"downloads?|seats?|tests?|errors?|engineers?|developers?|tokens?|characters?)\b)"
    r"|(?<![\w.#/-])[0-9]{1,3}(?:,[0-9]{3})+(?![\w-])",
    re.IGNORECASE,
)
_YEAR = lazy(r"(?<![\w.,-])(?:19|20)[0-9]{2}(?![\w,.]?[0-9])")
