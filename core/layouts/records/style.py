"""The form of a new record: that of the folder's other records, else a plain one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memdesk.core import frontmatter
from memdesk.core.layouts.records import statuslines
from memdesk.core.layouts.records.read import label_of
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Document

PARTS = ("context", "options", "decision", "consequences")
PLAIN = {"context": "Context", "options": "Considered options", "decision": "Decision", "consequences": "Consequences"}
_MADR = {
    "context": "Context and Problem Statement", "options": "Considered Options", "decision": "Decision Outcome",
    "consequences": "Consequences",
}


class Style(NamedTuple):
    """`form`: "section", "front", "bullet" or "bold". `title`: how a title is numbered, with {number} and {title}.
    `names`: part -> its heading. `marker`: of bullets. `low`: statuses begin with a small letter. `dated`: the date stands on
    a line of its own."""

    form: str = "section"
    title: str = "{number}. {title}"
    names: Mapping[str, str] = PLAIN
    marker: str = "*"
    low: bool = False
    dated: bool = True


def of(documents: Iterable[Document]) -> Style:
    """The form that most of these records have, as the newest of them has it."""
    records = sorted(
        (document for document in documents if document.entries and document.problem is None),
        key=lambda document: document.entries[0].number or 0,
    )
    forms = {document.path: _form(document) for document in records}
    counted = Counter(form for form in forms.values() if form)
    if not counted:
        return Style()
    most = max(counted.values())
    newest = [document for document in records if counted.get(forms[document.path]) == most][-1]
    return _like(newest, forms[newest.path])


def _form(document: Document) -> str:
    form = statuslines.find(document).form
    return {"heading": "section", "bare": "bold"}.get(form, form)


def _like(document: Document, form: str) -> Style:
    page = document.page
    lines = statuslines.find(document)
    status = lines.status.text.lstrip(" *_\"'") if lines.status else "Accepted"
    own: dict[str, str] = {}
    for section in page.sections(2):
        heading = " ".join(page.title(section.heading).split())
        own.setdefault(label_of(heading), heading)
    usual = _MADR if form in ("front", "bullet") else PLAIN
    names = {part: own.get(part, usual[part]) for part in PARTS}
    marker = "*"
    if lines.status is not None and form == "bullet":
        marker = page.text[lines.status.start : lines.status.end].lstrip()[:1] or "*"
    dated = lines.date is not None or form in ("front", "bullet")
    return Style(form, _title(document), names, marker, status[:1].islower(), dated)


def _title(document: Document) -> str:
    heading = next((block for block in document.page.blocks if block.kind == "heading" and not block.depth), None)
    title = "" if heading is None else document.page.title(heading).strip()
    number = document.entries[0].number or 0
    match = re.match(r"(ADR[ -]?)?(0*)([0-9]{1,5})([.:)]?)(\s+[\u2013\u2014-])?\s+", title, re.IGNORECASE)
    if match is None or int(match[3]) != number:
        return "{title}"
    width = len(match[2] + match[3]) if match[2] else 0
    return f"{match[1] or ''}{{number:0{width}}}{match[4]}{match[5] or ''} {{title}}"


def rendered(
    style: Style, number: int, title: str, status: str, day: str, parts: Mapping[str, str], supersedes: list[str]
) -> str:
    """A record as text with LF endings. `supersedes`: links to the records that it supersedes. All four parts are there; one
    that nothing is known of is a heading alone, to be written before the record is accepted."""
    heading = "# " + style.title.format(number=number, title=title)
    said = status.lower() if style.low else status.capitalize()
    links = ", ".join(supersedes)
    blocks = [heading]
    if style.form == "front":
        front = [f"status: {frontmatter.scalar(said)}", f"date: {day}"]
        front += [f"supersedes: {frontmatter.scalar(links)}"] if links else []
        blocks = ["\n".join(["---", *front, "---"]), heading]
    elif style.form == "bullet":
        rows = [f"Status: {said}", f"Date: {day}", *([f"Supersedes: {links}"] if links else [])]
        blocks.append("\n".join(f"{style.marker} {row}" for row in rows))
    elif style.form == "bold":
        blocks.append(f"**Status:** {said}" if style.dated else f"**Status:** {said} \u2014 {day}")
        blocks += [f"**Date:** {day}"] if style.dated else []
        blocks += [f"**Supersedes:** {links}"] if links else []
    else:
        blocks += [f"Date: {day}"] if style.dated else []
        blocks += ["## Status", said if style.dated else f"{said}, {day}"]
        blocks += [f"Supersedes {links}"] if links else []
    for part in PARTS:
        blocks.append(f"## {style.names[part]}")
        blocks += [parts[part].strip()] if parts.get(part, "").strip() else []
    return "\n\n".join(blocks) + "\n"
