"""What stood before what in this layout: struck lines with the current one below them, and versions never struck."""

from __future__ import annotations

import re

from memdesk.core import fields, strikes
from memdesk.core.layouts.agent_memory.entries import parts
from memdesk.core.layouts.base import Version, Versions
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry


def versions(document: Document) -> list[Versions]:
    """The version lines of a decision document that stand un-struck under one heading, or in one paragraph.

    A version line is a paragraph line or heading with a tag, or one that names its date as versions do (`REST, chosen
    2026-01-14`, `2026-01-14: REST`, not a date somewhere in a sentence); so is such a bullet directly under the document's
    title. Several of these are exact. Other dated bullets there, and such bullets further down, may as well be facts about
    one decision: possible.
    """
    if document.place.role != "decisions":
        return []
    page = document.page
    title = next((strikes.unstruck(page.title(block)) for block in page.blocks if block.kind == "heading"), "")
    groups: dict[tuple[str, ...], list[tuple[str, Version]]] = {}
    for entry in document.entries:
        if not entry.candidate:
            groups.setdefault(entry.heading_path, []).extend(_lines(entry))
    found = []
    for path, lines in groups.items():
        sure = [version for kind, version in lines if kind == "exact" or (kind == "bullet" and len(path) <= 1)]
        about = path[-1] if path else title or document.path
        if len(sure) > 1:
            found.append(Versions(True, about, tuple(sure)))
            continue
        both = [version for kind, version in lines if len(path) <= 1 or kind != "possible"]
        dates = {parts(version.text).date for version in both}
        if len(both) > 1 and len(dates - {None}) > 1:
            found.append(Versions(False, about, tuple(both)))
    return found


def successors(document: Document) -> dict[int, int]:
    """A struck bullet's, paragraph's or section's successor is the next of its kind under the same heading, where that
    follows directly and the strike doesn't say that nothing came in its place."""
    entries = document.entries
    found: dict[int, int] = {}
    for entry in entries:
        below = entries[entry.index + 1] if entry.index + 1 < len(entries) else None
        if not entry.struck or below is None or below.kind != entry.kind or below.heading_path != entry.heading_path:
            continue
        if not _ENDED.search(_first_line(entry)):
            found[entry.index] = below.index
    return found


_NAMED = lazy(r"(?:[^.!?\n]*[,;:(\u2013\u2014|-]\s*(?:\w+\s+){0,2})?([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w-])")
_ENDED = lazy(r"~~[ \t]*(?:struck|rejected|removed|retired)\b", re.IGNORECASE)
_ITEM = lazy(r"\A\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")


def _lines(entry: Entry) -> list[tuple[str, Version]]:
    """The un-struck version lines of an entry: ("exact", "bullet" for one that names its date, or "possible"; version)."""
    if entry.kind == "section":
        return [] if entry.struck else [("exact", Version(entry, entry.line, entry.fields["title"]))]
    if entry.kind == "bullet":
        if entry.struck:
            return []
        text = _ITEM.sub("", _first_line(entry), count=1)
        if _names_date(entry.fields["text"].partition("\n")[0]):
            return [("bullet", Version(entry, entry.line, text))]
        return [("possible", Version(entry, entry.line, text))] if entry.tag or entry.date else []
    found = []
    for offset, line in enumerate(entry.text.split("\n")):
        line = line.strip()
        if not line or strikes.is_struck(line):
            continue
        said = parts(line, entry.document.store.settings.tags)
        if said.tag or _names_date(said.text):
            found.append(("exact", Version(entry, entry.line + offset, line)))
        elif offset and not found:
            break  # prose that goes over several lines
    return found


def _names_date(text: str) -> bool:
    """Whether a line names a date as versions do: at its start, or behind a comma or dash and two words at most."""
    match = _NAMED.match(text)
    return match is not None and fields.is_date(match[1])


def _first_line(entry: Entry) -> str:
    return entry.text.partition("\n")[0]
