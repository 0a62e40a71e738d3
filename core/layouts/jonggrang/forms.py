"""The lines that are written into memories and fragments: their form, where one goes, and the marks on what was dealt with."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, spans, striking, texts
from memdesk.core.layouts.jonggrang import paths, sections
from memdesk.core.layouts.spans import Spot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.jonggrang.sections import Section
    from memdesk.core.markdown import Block
    from memdesk.core.model import Document, Entry, Store


def line(store: Store, text: str, words: Mapping[str, str], today: date, marker: str = "-") -> str:
    """A line of the project's memory: the text, and in one bracket why, from which feature or source, and the day."""
    feature, source = words.get("feature", ""), words.get("source", "").strip()
    if source == words.get("own", ""):  # the feature's memory says it, and is linked
        source = ""
    link = f"[{feature}]({store.join(paths.memory_path(feature))})" if feature else ""
    known = ", ".join(part for part in (source, link, today.isoformat()) if part)
    if not (feature or source or words.get("reason", "").strip()):
        return inbox.candidate(f"{text} ({known})", {}, marker)
    return inbox.candidate(text, {"reason": words.get("reason", ""), "source": known}, marker)


def section_of(document: Document, wanted: str) -> Section | None:
    """The section of a memory that a person names, in whatever case; None where it has no sections at all. Raises Refused for
    another, and where none is named, with those that there are."""
    found = sections.sections(document.page)
    if not found:
        return None
    known = ", ".join(dict.fromkeys(one.title for one in found))
    if not wanted.strip():
        raise Refused("Under which section?", path=document.path, remedy=f"There is {known}.", field="section")
    name = texts.flat(wanted)
    exact = [one for one in found if one.title == name]
    alike = [one for one in found if one.title.casefold() == name.casefold()]
    if not (exact or alike):
        what = f"The memory has no section {texts.shown(name, 60)!r}."
        raise Refused(what, path=document.path, remedy=f"There is {known}.", field="section")
    return (exact or alike)[0]


def spot_in(draft: Draft, document: Document, section: Section | None) -> Spot:
    """Where a new line goes: behind the last bullet of a section (of the text, where there is none), above what stands below
    headings of its own. What said that there was nothing goes."""
    low, high = (0, len(document.data)) if section is None else (section.start, section.end)
    if section is None and document.page.front is not None:
        low = document.page.front[1]
    inner = [block for block in document.page.blocks if not block.depth and low <= block.start < high]
    if section is not None:
        inner = list(takewhile(lambda block: block.kind != "heading", inner))
    empty = [block for block in inner if _is_empty(document, block)]
    for block in empty:
        draft.cut_lines(document, block.start, block.end)
    items = [block for block in inner if block.kind == "item" and block not in empty]
    if items:
        return Spot(items[-1].end, spans.are_loose(document.page, items), spans.marker(document.page, items[-1].start))
    return Spot(empty[0].start if empty else inner[-1].end if inner else low, True)


def marker_of(entry: Entry) -> str:
    """The marker of a bullet, with the blanks before it."""
    return spans.marker(entry.document.page, entry.start)


def is_loose(entry: Entry) -> bool:
    """Whether blank lines stand between a bullet and its neighbours."""
    page = entry.document.page
    tops = [block for block in page.blocks if not block.depth]
    at = next(at for at, block in enumerate(tops) if block.start == entry.start)
    low, high = at, at
    while low and tops[low - 1].kind == "item":
        low -= 1
    while high + 1 < len(tops) and tops[high + 1].kind == "item":
        high += 1
    return spans.are_loose(page, tops[low : high + 1])


def emptied(draft: Draft, document: Document, gone: Sequence[Entry]) -> None:
    """Says of the sections of a memory that lose their last entry that there is none."""
    if document.place.role not in ("project", "feature"):
        return
    leaving = {entry.index for entry in gone}
    for section in sections.sections(document.page):
        inside = [entry for entry in document.entries if section.start <= entry.start < section.end]
        if inside and all(entry.index in leaving for entry in inside):
            draft.insert(document, inside[0].start, sections.EMPTY, loose=True)


def promoted(draft: Draft, entry: Entry, today: date) -> None:
    """` → promoted DATE` behind a line's first paragraph: it counts no more. Raises Refused."""
    document = entry.document
    span = spans.first_paragraph(document.page, entry) if entry.kind == "bullet" else striking.paragraph(entry)
    if span is None:
        raise Refused("It doesn't begin with a paragraph.", path=entry.path, line=entry.line, remedy="Edit it first.")
    draft.patch(document, span[1], span[1], f" \u2192 promoted {today.isoformat()}", entry)


def _is_empty(document: Document, block: Block) -> bool:
    """Whether a block says that its section is empty."""
    if block.kind == "item":
        return sections.is_empty_line(texts.item_text(document, block).strip())
    text = document.data[block.start : block.end].decode("utf-8", "replace")
    return block.kind == "paragraph" and sections.is_empty_line(text.strip())
