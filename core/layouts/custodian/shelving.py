"""Where an entry goes in the archive file of a day: newest first by its own date, so that entries which are archived one by
one, in any order, stand as they would if they had left together.

A new entry goes before the first one of its kind that belongs after it, else behind the last. So what people put there in
another order stays as it is, and new ones among it stand in theirs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.layouts import inbox, spans, texts
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.plaintext import plain

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.markdown import Block
    from memdesk.core.model import Document, Entry

REJECTED = "Rejected"  # the word that the line begins with which rejecting leaves behind a text


class Leaving(NamedTuple):
    """An entry with the text that the archive gets of it."""

    entry: Entry
    text: str


def shelve(draft: Draft, document: Document, leaving: Sequence[Leaving]) -> None:
    """Puts entries into an archive file: bullets first, a section would take in those behind it; then sections. A line of a log
    keeps the heading that dates it."""
    page = document.page
    own = {entry.start: entry for entry in document.entries if entry.kind == "section"}
    heads = [block for block in spans.top(page, "heading") if block.level == 2]
    first = heads[0].start if heads else len(page.data)
    items = [block for block in spans.top(page, "item") if block.start < first]
    bullets, sections = [], []
    days: dict[str, list[Leaving]] = {}
    for one in leaving:
        day = _heading_day(one)
        if day:
            days.setdefault(day, []).append(one)
        elif one.entry.kind == "bullet":
            bullets.append(one)
        else:
            sections.append((_key(_section_date(one.entry, one.text), one.text), [one], ""))
    _bullets(draft, document, items, first, bullets)
    for day, dated in days.items():
        heading = inbox.dated(document, day)
        if heading is None:
            sections.append((_key(day, ""), sorted(dated, key=_bullet_key), day))
        else:
            stop = spans.stop_of(page, heading)
            below = [block for block in spans.top(page, "item") if heading.end <= block.start < stop]
            _bullets(draft, document, below, heading.end, dated)
    order = _Order([_head_key(document, block, own) for block in heads])
    for key, group, day in sorted(sections, key=lambda section: section[0]):
        at = order.place(key)
        offset = heads[at].start if at < len(heads) else len(page.data)
        if day:
            draft.insert(document, offset, f"## {day}", loose=True)
        for one in group:
            draft.insert(document, offset, one.text, loose=True, entry=True)


def _bullets(draft: Draft, document: Document, items: list[Block], empty: int, leaving: Sequence[Leaving]) -> None:
    """Bullets among those that stand together; `empty`: where the first one goes if there is none."""
    page = document.page
    order = _Order([_text_key(plain(page.data[block.start : block.end])) for block in items] if leaving else [])
    loose = spans.are_loose(page, items) if items else True
    for one in sorted(leaving, key=_bullet_key):
        at = order.place(_bullet_key(one))
        offset = items[at].start if at < len(items) else items[-1].end if items else empty
        draft.insert(document, offset, one.text, loose=loose, entry=True)


Key = tuple[str, str, str]


class _Order:
    """Keys in the order in which they stand."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._highest = list(accumulate(keys, max))

    def place(self, key: Key) -> int:
        """The index of the first one that belongs after the key."""
        return bisect_right(self._highest, key)


def _key(day: str, text: str) -> Key:
    """Newest first, what has no date last; then by text."""
    inverted = day.translate(_INVERTED) if day else "~"
    return inverted, text.casefold(), text


_INVERTED = str.maketrans("0123456789", "9876543210")


def _bullet_key(one: Leaving) -> Key:
    return _text_key(one.text)


def _text_key(text: str) -> Key:
    return _key(_text_date(text), text)


def _text_date(text: str) -> str:
    """The date of a bullet as it stands: its own, else that of its strike, else that of its rejection; "" without one."""
    said, rejected = _unremarked(texts.dedented(text))
    if fields.is_struck(said):
        bare = fields.unstruck(said)
        return _own_date(bare) or fields.newest_date(said) or ""
    return _own_date(said) or rejected


def _own_date(said: str) -> str:
    line = fields.one_line(said)
    return line.date if line is not None else fields.newest_date(said) or ""


def _section_date(entry: Entry, text: str) -> str:
    """The date of a section: its own, else that of its strike, else that of its rejection; "" without one."""
    struck = (entry.fields.get(label, "")[:10] for label in ("superseded", "struck"))
    return entry.date or next((day for day in struck if fields.is_date(day)), "") or _unremarked(text)[1]


def _unremarked(text: str) -> tuple[str, str]:
    """A text without the last line that tells of its rejection, and the date of that; "" where there is no such line."""
    above, _, last = text.rpartition("\n")
    match = _REMARK.match(last)
    return (above, match[1]) if match and fields.is_date(match[1]) else (text, "")


_REMARK = lazy(rf"\s*{REJECTED} (\d{{4}}-\d{{2}}-\d{{2}})(?::|\Z)")


def _head_key(document: Document, block: Block, own: dict[int, Entry]) -> Key:
    entry = own.get(block.start)
    if entry is not None:
        return _key(_section_date(entry, entry.text), entry.text)
    title = spans.words(document.page, block)
    day = fields.split_date(title)[0] or ""
    return _key(day, "" if title == day else title)


def _heading_day(one: Leaving) -> str:
    """The date that a line of a log has only by the heading above it, which is that date and nothing else; "" where it is not
    so."""
    entry = one.entry
    day = entry.heading_path[-1] if entry.heading_path else ""
    log = entry.kind == "bullet" and entry.tier == "log" and fields.is_date(day)
    return day if log and not _text_date(one.text) else ""
