"""The log: a file a day, to which lines are added at the end and nothing else is ever done (docs/tiers.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, texts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.tiers.kept import Kept
    from memdesk.core.model import Document, Store

LONGEST = 240  # characters of a text that stands on a log line itself; a longer one is quoted below it


def note(draft: Draft, store: Store, lines: Sequence[str], today: date, at: str) -> None:
    """Lines at the end of today's log, which is made where there is none. Raises Refused where it can't be added to."""
    for line in lines:
        append(draft, store, texts.flat(line), today, at)


def append(draft: Draft, store: Store, said: str, today: date, at: str) -> None:
    """One line, `- HH:MM said`, with what stands below its first line inside of the same bullet. Values that look secret are
    masked and hidden characters named: whatever was in a text that leaves, it must not stand here for good."""
    document = _today(draft, store, today)
    marker, loose = _at_end(document)
    body = visible(f"{at} {said}" if at else said)
    line = texts.bullet(body, marker)
    try:
        shape.words(line)
        shape.bullet(line)
    except Refused:
        line = texts.bullet(body.replace("<!--", "&lt;!--"), marker)
        shape.words(line)
        shape.bullet(line)
    draft.insert(document, len(document.data), line, loose=loose, entry=True)


def path_of(store: Store, today: date) -> str:
    """The workspace-relative path of a day's log."""
    kept: Kept = store.settings
    return store.join(f"{kept.log}/{today.isoformat()}.md")


def told(what: str, text: str, reason: str = "") -> str:
    """`rejected: TEXT. Reason: WHY`, of a text that is one short paragraph; a longer one is quoted, whole, below."""
    why, text = _reason(reason), visible(text)
    if _short(text):
        return f"{what}: {texts.sentence(texts.flat(text)) if why else texts.flat(text)}{why}"
    return f"{what}.{why}\n{quoted(text)}"


def noted(text: str) -> str:
    """A text as what a line says: as it is where it can stand in a bullet, else quoted."""
    text = visible(text)
    try:
        shape.words(text)
        shape.bullet(texts.bullet(text))
    except Refused:
        return f"noted:\n{quoted(text)}"
    return text


def changed(what: str, was: str, now: str, reason: str = "", source: str = "") -> str:
    """`corrected fact NAME: OLD → NEW. Reason: WHY`; where one of the texts is no short paragraph, both are quoted below."""
    why = _reason(reason) + (f" (from {texts.flat(source)})" if source.strip() else "")
    was, now = visible(was), visible(now)
    if _short(was) and _short(now):
        both = f"{texts.flat(was).rstrip('.')} \u2192 {texts.flat(now)}"
        return f"{what}: {texts.sentence(both) if why else both}{why}"
    return f"{what}.{why} It was:\n{quoted(was)}\n\nIt is:\n{quoted(now)}"


def quoted(text: str) -> str:
    """A text as a block quote, which nothing in it can end or open anything behind."""
    return "\n".join(f"> {row}".rstrip() for row in text.strip("\n").split("\n"))


def visible(text: str) -> str:
    """A text with values masked and hidden characters named in brackets."""
    from memdesk.core.checks import invisible
    from memdesk.core.checks.secrets import mask

    text = mask(text)
    out: list[str] = []
    done = 0
    for spot in invisible.hidden(text):
        out += (text[done : spot.at], f"(U+{ord(text[spot.at]):04X})")
        done = spot.at + 1
    return "".join(out) + text[done:]


def _reason(reason: str) -> str:
    shape.words(reason, "reason")
    return f" Reason: {texts.sentence(texts.flat(reason))}" if reason.strip() else ""


def _short(text: str) -> bool:
    return len(text) <= LONGEST and "\n" not in text.strip() and shape.is_paragraph(text)


def _today(draft: Draft, store: Store, today: date) -> Document:
    path = path_of(store, today)
    document = draft.look(path) or draft.make(store, path, f"# {today.isoformat()}\n".encode())
    if document.place.tier != "log":
        raise Refused(f"{path} is no log of this store.", path=path, remedy="See where the settings keep the log.")
    return document


def _at_end(document: Document) -> tuple[str, bool]:
    """The marker of a line at the end of a log, and whether blank lines stand around it."""
    tops = [block for block in document.page.blocks if not block.depth]
    if tops and tops[-1].kind == "item":
        items = [block for block in tops if block.kind == "item"]
        return spans.marker(document.page, tops[-1].start), spans.are_loose(document.page, items)
    return "-", True
