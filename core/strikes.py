"""Strikes: what is superseded in place and kept as history (verbs.md).

Struck means: an item's first paragraph, or a heading, stands wholly inside one `~~ ~~` outside code. After it only a
remark may follow that says so (`superseded 2026-04-12 by ...`, `struck 2026-04-12: reason`) or a date or link in brackets.
A text such as `~~Postgres~~ SQLite` is not struck: something still holds.
"""

from __future__ import annotations

import re

from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARAGRAPH_END = lazy(r"\n[ \t]*\n|\n[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\n|\Z)")
_REMARK = lazy(
    r"\s*+(?:[-–—:,;(\[]\s*+)?(?:superseded|struck|rejected|replaced|removed|obsolete|retired|promoted|merged|undone)\b"
    r"|\s*+[(\[]?[0-9]{4}-[0-9]{2}-[0-9]{2}[)\]]?\s*+(?:[.:;,]|by\b|→|\Z)|\s*+→|\s*+[.)\]]?\s*+\Z",
    re.IGNORECASE,
)
_GAP = lazy(r"\n(?:[ \t]*\n)+")
_TICKS = lazy(r"`+")
_TILDES = lazy(r"\\.|~+", re.DOTALL)


def is_struck(text: str) -> bool:
    """Whether a heading's text or an item's text (its first paragraph is looked at) is struck."""
    return struck_span(text) is not None


struck = is_struck


def struck_span(text: str) -> tuple[int, int] | None:
    """The span of `text` between the tildes, or None where it isn't struck."""
    if "~~" not in text:
        return None
    start = len(text) - len(text.lstrip())
    end = _PARAGRAPH_END.search(text, start)
    paragraph = text[: end.start()] if end else text
    runs = tildes(paragraph)
    if len(runs) < 2 or runs[0] != (start, start + 2):
        return None
    inner = (runs[0][1], runs[1][0])
    if paragraph[inner[0]].isspace() or paragraph[inner[1] - 1].isspace() or inner[0] == inner[1]:
        return None  # such tildes are text
    return inner if _REMARK.match(paragraph, runs[1][1]) else None


def unstruck(text: str) -> str:
    """What is struck, without its tildes and without the remark after them; a text that isn't struck comes back as it
    is. What follows the first paragraph is kept."""
    span = struck_span(text)
    if span is None:
        return text
    end = _PARAGRAPH_END.search(text, span[1])
    return text[span[0] : span[1]] + (text[end.start() :] if end else "")


def strike(paragraph: str) -> str:
    """A paragraph, struck: `~~paragraph~~`, outer white space kept outside.

    Raises Refused where it already holds `~~` outside code, is empty, or could not be read back as struck (it begins or
    ends in a tilde or a backslash, or holds several paragraphs).
    """
    body = paragraph.strip()
    if not body:
        raise Refused("There is no text to strike.")
    if "~~" in mask_code(body):
        raise Refused("The text already holds ~~.", remedy="Edit it first: take out the inner strike, then strike the whole.")
    start = paragraph.index(body)
    result = f"{paragraph[:start]}~~{body}~~{paragraph[start + len(body) :]}"
    span = struck_span(result)
    if span is None or result[span[0] : span[1]] != body:
        raise Refused("The text can't be struck as it stands.", remedy="Edit it first, so that ~~ can go around one paragraph.")
    return result


def strike_title(title: str) -> str:
    """A heading's text, struck. Raises Refused as `strike` does, and for a title of several lines."""
    if "\n" in title.strip():
        raise Refused("The heading has several lines.", remedy="Edit it into one line first.")
    return strike(title)


def mask_code(text: str) -> str:
    """The text with its code spans blanked to spaces, the same length: what is left is outside code."""
    out: list[str] = []
    done = 0
    for start, end in code_spans(text):
        out += (text[done:start], " " * (end - start))
        done = end
    return text if not done else "".join((*out, text[done:]))


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where code spans stand in a text, ticks and all. Spans do not reach over blank lines; a run of backticks without its
    like is text."""
    if "`" not in text:
        return
    start = 0
    for gap in _GAP.finditer(text):
        yield from _spans(text[start : gap.start()], start)
        start = gap.end()
    yield from _spans(text[start:], start)


def _spans(paragraph: str, offset: int) -> Iterator[tuple[int, int]]:
    runs = [match.span() for match in _TICKS.finditer(paragraph)]
    later: dict[int, list[int]] = {}  # length of a run -> where such runs begin, last first
    for start, end in reversed(runs):
        later.setdefault(end - start, []).append(start)
    done = 0
    for start, end in runs:
        if start < done:
            continue
        slashes = start
        while slashes > done and paragraph[slashes - 1] == "\\":
            slashes -= 1
        if (start - slashes) % 2:
            start += 1  # escaped: the first tick is text; as a closer a run ignores backslashes
        closers = later.get(end - start, [])
        while closers and closers[-1] < end:
            closers.pop()
        if closers and start < end:
            done = closers.pop() + end - start
            yield start + offset, done + offset


def tildes(text: str) -> list[tuple[int, int]]:
    """Spans of `~~` outside code: runs of exactly two tildes, not escaped."""
    return [match.span() for match in _TILDES.finditer(mask_code(text)) if match[0] == "~~"]
