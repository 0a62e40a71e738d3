"""What stood before what: versions that were never struck, and struck entries with what came in their place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from memdesk.core import fields
from memdesk.core.layouts.base import Version, Versions
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry

DECISIONS = frozenset({"decisions", "area"})  # roles of documents whose sections are decisions


def versions(document: Document) -> list[Versions]:
    """Sections of a document of decisions that hold several un-struck version lines."""
    if document.place.role not in DECISIONS:
        return []
    starts = [block.start for block in document.page.blocks]
    found = []
    for entry in document.entries:
        if entry.struck or entry.candidate or entry.kind != "section":
            continue
        lines = tuple(Version(entry, line, text) for line, text in _version_lines(entry, starts))
        if len(lines) > 1:
            found.append(Versions(True, entry.fields.get("title") or entry.heading, lines))
    return found


def successors(document: Document) -> dict[int, int]:
    """A struck bullet's successor stands right below it, or is named by its id; a struck section names its own, by title or by
    id."""
    entries = document.entries
    if not any(entry.struck for entry in entries):
        return {}
    titles: dict[str, int] = {}
    ids = {entry.fields["id"].casefold(): entry.index for entry in entries if "id" in entry.fields}
    for entry in reversed(entries):
        titles[fields.normal_title(entry.fields.get("title") or entry.heading)] = entry.index
    found: dict[int, int] = {}
    for entry in entries:
        if not entry.struck:
            continue
        by = _by_id(entry) if ids else ""
        if by:
            if ids.get(by, entry.index) != entry.index:
                found[entry.index] = ids[by]
            continue
        if entry.kind == "bullet":
            below = entries[entry.index + 1] if entry.index + 1 < len(entries) else None
            beside = below is not None and below.kind == "bullet" and below.heading_path == entry.heading_path
            if below is not None and beside and _SUPERSEDED.search(entry.text):
                found[entry.index] = below.index
            continue
        named = _BY.search(entry.fields.get("superseded", ""))
        heir = titles.get(fields.normal_title(named[1])) if named else None
        if heir is not None and heir != entry.index:
            found[entry.index] = heir
    return found


def _by_id(entry: Entry) -> str:
    """The id of what came in an entry's place, where it says so."""
    match = _BY_ID.search(entry.text) if entry.kind == "bullet" else None
    named = match[1] if match else next((target for kind, target in entry.relations if kind == "superseded-by"), "")
    return named.casefold() if named.startswith("MC-") else ""


_SUPERSEDED = lazy(r"~~\W*(?:superseded|replaced)\b", re.IGNORECASE)
_BY_ID = lazy(r"~~ superseded [0-9-]{10} by (MC-[A-Z]{1,12}-[0-9]{8}-[0-9a-f]{8})\b", re.IGNORECASE)
_BY = lazy(r'\bby\s+["\u201c](.+)["\u201d]', re.DOTALL)
_VERSION = lazy(
    r"(?:[-*+] +|\d{1,9}[.)] +)?(?:\*\*|__)?"
    r"(?:\[(?:stated|observed|inferred|suggested)\](?![(\[:])|[0-9]{4}-[0-9]{2}-[0-9]{2}\b)"
    r"|[-*+] .*\([0-9]{4}-[0-9]{2}-[0-9]{2}(?:[,;] [^()]*)?\)\.?\Z",
    re.IGNORECASE,
)
_LISTED = lazy(rb"\n[ \t]*[-*+\[0-9_]")  # a line that could be a version
_OTHER_LABEL = lazy(r"(?:[-*+] +)?(?:\*\*|__)?(?!decision\b)[A-Za-z][A-Za-z -]{0,30}(?:\*\*|__)?:", re.IGNORECASE)
_DECISION_LABEL = lazy(r"(?:\*\*|__)?decision(?:\*\*|__)?:", re.IGNORECASE)


def _version_lines(entry: Entry, starts: list[int]) -> Iterator[tuple[int, str]]:
    """The lines of a section (1-based, with their text) that begin with a tag or a date, or are bullets that end with one
    in brackets, and aren't struck. Lines below a label other than `Decision:` are that label's (evidence, links), not
    versions. `starts`: those of the document's blocks."""
    if len(_LISTED.findall(entry.raw)) < 2:
        return
    data, page = entry.document.data, entry.document.page
    labelled = False
    for block in islice(page.blocks, bisect_right(starts, entry.start), None):
        if block.start >= entry.end:
            return
        if block.depth or block.kind not in ("paragraph", "item", "heading"):
            continue
        text = data[block.start : block.end].decode("utf-8", "replace")
        for offset, line in enumerate(text.split("\n")):
            line = line.strip()
            if block.kind == "heading" or _DECISION_LABEL.match(line):
                labelled = False
            elif _VERSION.match(line):
                if not labelled and not fields.is_struck(_content(line)):
                    yield block.line + offset, _content(line)
            elif _OTHER_LABEL.match(line) and "~~" not in line:
                labelled = True
            if block.kind == "item":
                break  # its own first line alone


def _content(line: str) -> str:
    return re.sub(r"\A(?:[-*+]|\d{1,9}[.)]) +", "", line)
