"""The inbox as several layouts keep it: bullets under dated headings, newest first, and a standard line that stands for none
(formats: docs/custodian.md)."""

from __future__ import annotations

import re
from itertools import accumulate, takewhile

from memdesk.core import fields
from memdesk.core.edits import Cover
from memdesk.core.errors import Refused
from memdesk.core.layouts import spans, texts
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Content
    from memdesk.core.markdown import Block
    from memdesk.core.model import Document, Entry

PLACEHOLDER = "No unprocessed memory candidates."  # the standard line that stands for none
WAITING = frozenset({"inbox", "working"})  # roles of files in which candidates wait


def add(draft: Draft, document: Document, content: Content) -> None:
    """A candidate bullet under today's heading, newest first; a line that stood in for candidates goes."""
    page = document.page
    stood_in = placeholders(document)
    day = content.today.isoformat()
    heading = dated(document, day)
    left = emptied(document, Cover((block.start, block.end) for block in stood_in))
    for block in (*stood_in, *(block for block in left if block != heading)):
        draft.cut_lines(document, block.start, block.end)
    if heading is None:
        spot = spans.before_sections(page)
        draft.insert(document, spot.offset, f"## {day}", loose=True)
        draft.insert(document, spot.offset, candidate(content.text, content.words), loose=True, entry=True)
        return
    spot = spans.under(page, heading)
    draft.insert(document, spot.offset, candidate(content.text, content.words, spot.marker), loose=spot.loose, entry=True)


def leave(draft: Draft, entries: Sequence[Entry]) -> None:
    """Takes entries out, whole. A heading that only dated or grouped them goes with the last (`emptied`); when the last
    candidate leaves the inbox, the standard line returns."""
    for document, leaving in by_document(entries):
        for entry in leaving:
            draft.cut(entry)
        gone = Cover((entry.start, entry.end) for entry in leaving)
        for heading in emptied(document, gone):
            draft.cut_lines(document, heading.start, heading.end)
        left = [span for span in left_alone(document, gone) if _is_read(document, *span, gone)]
        for start, end in left:
            draft.becomes(document, start, end)
        if document.place.role == "inbox" and not left:
            indices = {entry.index for entry in leaving}
            stay = [entry for entry in document.entries if entry.index not in indices]
            if not any(entry.candidate for entry in stay) and not placeholders(document):
                offset = spans.first_bullet(document.page).offset if stay else leaving[0].start
                draft.insert(document, offset, PLACEHOLDER, loose=True)


def by_document(entries: Sequence[Entry]) -> list[tuple[Document, list[Entry]]]:
    """Entries by their document, in the order of the files and, in each, of the lines."""
    grouped: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.path, entry.index)):
        grouped.setdefault(entry.path, []).append(entry)
    return [(found[0].document, found) for found in grouped.values()]


def is_placeholder(text: str) -> bool:
    """Whether a paragraph or bullet is one of the fixed phrases that stand for an empty inbox."""
    words = text.strip().strip("*_()").strip()
    return words[:1] in _PLACEHOLDERS and _PLACEHOLDER.fullmatch(words) is not None


def candidate(text: str, words: Mapping[str, str], marker: str = "-") -> str:
    """A candidate bullet: tag, text, and what else is known in one bracket at its end."""
    from memdesk.core.layouts import shape

    tag = words.get("tag", "")
    words = {key: texts.flat(value) if key != "tag" else value for key, value in words.items()}
    known = [f"{label}{words[key]}" for key, label in _BRACKET if words.get(key)]
    body = f"[{tag}] {text}" if tag else text
    if known:
        closing = f"({'; '.join(known)})"
        for key, label in _BRACKET:
            if words.get(key) and fields.bracket(f"x ({label}{words[key]})")[1] != {label.strip(": "): words[key]}:
                raise Refused(
                    f"The {key} can't stand in the bracket behind a candidate.", field=key,
                    remedy="Leave out semicolons, line breaks and brackets without their like.",
                )
        body += f"\n\n{closing}" if texts.ends_in_block(text) else f" {closing}"
    shape.words(text)
    return shape.bullet(texts.bullet(body, marker))


def dated(document: Document, day: str) -> Block | None:
    """The level-2 heading that is just this date, unless it is an entry with what is below it."""
    page = document.page
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    headings = (block for block in spans.top(page, "heading") if block.level == 2 and block.start not in own)
    return next((block for block in headings if spans.words(page, block) == day), None)


def emptied(document: Document, gone: Cover) -> list[Block]:
    """Level-2 headings that go with the spans `gone`, since their section loses its last block: dated ones, and where
    candidates wait any that only groups bullets, since alone it would be read as a candidate itself."""
    page = document.page
    own = {entry.start for entry in document.entries if entry.kind == "section"}
    waiting = document.place.role in WAITING
    found = []
    blocks = [block for block in page.blocks if block.depth == 0]
    for at, block in enumerate(blocks):
        if block.kind != "heading" or block.level != 2 or block.start in own:
            continue
        if not waiting and not fields.is_date(spans.words(page, block)):
            continue
        inner = list(takewhile(lambda later: later.kind != "heading" or later.level > 2, blocks[at + 1 :]))
        if inner and all(gone.holds(later.start, later.end) for later in inner):
            found.append(block)
    return found


def left_alone(document: Document, gone: Cover) -> list[tuple[int, int]]:
    """Sections that lose their last bullet with the spans `gone`, from their heading to the end of what stays: what grouped
    bullets is read as an entry itself then. Where candidates wait only if text stays: such a section is a
    candidate as a whole."""
    page = document.page
    waiting = document.place.role in WAITING
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
        if not waiting and (kept or not fields.is_date(spans.words(page, block))):
            found.append((block.start, kept[-1].end if kept else block.end))
        elif waiting and texts and not (len(texts) == 1 and is_placeholder(page.title(texts[0]))):
            found.append((block.start, kept[-1].end))
    return found


def _is_read(document: Document, start: int, end: int, gone: Cover) -> bool:
    """Whether a section that is left without bullets is an entry in this layout: where candidates wait, one may read bullets
    alone."""
    if document.place.role not in WAITING:
        return True
    from memdesk.core import layouts
    from memdesk.core.model import Document

    rows = document.data[start:end].splitlines(keepends=True)
    places = accumulate(map(len, rows), initial=start)
    rest = b"".join(row for row, at in zip(rows, places, strict=False) if not gone.holds(at, at + len(row)))
    reader = layouts.get(document.store.layout).entries
    return bool(Document(document.path, document.store, document.place, rest, reader).entries)


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


_BRACKET = (("kind", "for: "), ("area", "area: "), ("reason", "reason: "), ("source", "from "))
_PLACEHOLDERS = frozenset("EeIiNnTt")  # what they begin with
_PLACEHOLDER = lazy(
    r"(?:(?:there are )?(?:currently )?no (?:(?:unprocessed|pending|open|new|current|remaining|waiting) )*(?:memory )?"
    r"(?:candidates?|items?|entries|entry)|none|nothing(?: here)?|empty|inbox(?: is)? (?:zero|empty))"
    r"(?: yet| waiting| pending| at present| currently| for now| right now| here)*\.?",
    re.IGNORECASE,
)
