"""What an entry is in each file of this layout (docs/records.md): a record is one entry, a glossary has one for each term."""

from __future__ import annotations

import posixpath
import re

from memdesk.core.layouts.records import numbers, statuses, statuslines
from memdesk.core.layouts.records.kept import USUAL
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.layouts.records.statuslines import Line, StatusLines
    from memdesk.core.markdown import Page
    from memdesk.core.model import Document

_NUMBERED = lazy(
    r"(?:(?P<adr>ADR)[ -]?#?)?(?P<number>[0-9]{1,5})[ \t]*(?P<mark>[.:)]|[-\u00b7|\u2013\u2014](?=\s)|(?=\s))[ \t]*",
    re.IGNORECASE,
)
# What the usual templates call the sections that a reader asks for.
_SECTIONS = {
    "context and problem statement": "context", "problem": "context", "problem statement": "context", "background": "context",
    "decision outcome": "decision", "considered options": "options", "options considered": "options", "options": "options",
    "alternatives": "options", "alternatives considered": "options", "considered alternatives": "options",
    "positive consequences": "consequences", "rationale": "reason", "reasons": "reason", "why": "reason",
    "motivation": "reason",
}


LABELS = frozenset({"context", "decision", "options", "consequences", "reason", "scope"})
_LABEL = lazy(
    r"[ \t]*+(?P<mark>\*\*|__|)(?P<label>[A-Za-z][A-Za-z ]{0,30}?)(?:(?P=mark)[ \t]{0,4}+:|:[ \t]{0,4}+(?P=mark))(?=\s|\Z)"
)


class Status(NamedTuple):
    """`status` as in `Entry.status`; `written` as the file has it; `problem`: why it cannot be read, with `line`; "" where it
    can."""

    status: str | None
    written: str
    problem: str
    line: int | None


def entries(document: Document) -> list[Entry]:
    """The entries of a document, in source order; a map has none: it points and states nothing."""
    role = document.place.role
    if role in ("glossary", "terms"):
        from memdesk.core.layouts.records.terms import terms

        return terms(document)
    return [] if role == "map" else record(document)


def record(document: Document) -> list[Entry]:
    """The one entry of a record's file; none in a file without text."""
    page = document.page
    start, end = page.bom, len(document.data.rstrip(b" \t\r\n"))
    if end <= start:
        return []
    newline = document.data.find(b"\n", end)
    stop = len(document.data) if newline < 0 else newline + 1
    first = start + len(document.data[start:end]) - len(document.data[start:end].lstrip(b" \t\r\n"))
    start = document.data.rfind(b"\n", start, first) + 1 or start
    digits = numbers.digits(document.path) if document.place.role == "record" else ""
    lines = statuslines.in_page(page)
    kept: Kept = document.store.settings
    related = relations_of(document, lines)
    status = status_of(page, lines, kept.statuses, related)
    title = title_of(document, digits)
    known = {"title": title, "status": status.written}
    if digits:
        known["number"] = digits
    for label, text in (*sections(page).items(), *labels(page).items()):
        known.setdefault(label, text)
    return [
        Entry(
            document, kind="file", start=start, end=stop, line=page.line_of(start), end_line=page.line_of(end - 1),
            heading=title, struck=status.status in statuses.CLOSED,
            candidate=document.place.role == "record" and status.status in statuses.OPEN,
            date=_date(lines) or statuses.date(known.get("date", "")),
            status=status.status, number=int(digits) if digits else None, fields=known,
            relations=related,
        )
    ]


def status_of(
    page: Page, lines: StatusLines, own: Mapping[str, str], related: tuple[tuple[str, str], ...] = ()
) -> Status:
    """What the status lines say together. Several that disagree are unreadable: nobody can tell which one holds. `related`:
    the record's relations; what stood once and names its successor is superseded, whatever its status line was left at."""
    said = [(line, statuses.read(line.text, own).status) for line in lines.statuses]
    if not said:
        where = None if lines.heading is None else page.line_of(lines.heading)
        return Status(None, "", "There is no status" if where is None else "The status section says none", where)
    line = said[0][0]
    written = " ".join(line.text.split())
    for one, status in said:
        if status is None:
            quoted = shown(one.text)
            problem = f"The status {quoted!r} can't be read" if quoted else "The status is empty"
            return Status(None, written, problem, one.line)
    different = next((pair for pair in said if pair[1] != said[0][1]), None)
    if different is not None:
        problem = f"The status is {shown(line.text)!r} here and {shown(different[0].text)!r} in line {different[0].line}"
        return Status(None, written, problem, line.line)
    status = said[0][1]
    if status in statuses.CURRENT and any(kind == "superseded-by" for kind, _ in related):
        status = "superseded"
    return Status(status, written, "", line.line)


def relations_of(document: Document, lines: StatusLines) -> tuple[tuple[str, str], ...]:
    """The relations of all status lines, in the order of the file."""
    return tuple(dict.fromkeys(pair for line in lines.lines for pair in relations_in(document, line)))


def relations_in(document: Document, line: Line) -> list[tuple[str, str]]:
    """The relations that one of the status lines states."""
    if line.kind == "date":
        return []
    label = line.kind if line.label and line.kind != "status" else None
    return statuses.relations(line.text, label, lambda path: _is_elsewhere(document, path))


def _is_elsewhere(document: Document, path: str) -> bool:
    """Whether a link leads to a folder of this repository where another store's records are."""
    if "/" not in path or "://" in path or path.startswith("/"):
        return False
    folder = posixpath.dirname(posixpath.normpath(posixpath.join(posixpath.dirname(document.path), path)))
    kept: Kept = document.store.settings
    own = [posixpath.normpath(document.store.join(one)) for one in kept.records]
    return folder not in own and folder.endswith(USUAL)


def title_of(document: Document, digits: str) -> str:
    """The first heading without the number; of a file without a heading, the words of its name."""
    page = document.page
    heading = next((block for block in page.blocks if block.kind == "heading" and not block.depth), None)
    if heading is None or (heading.level > 1 and _is_section(page.title(heading))):
        stem = document.path.rpartition("/")[2].removesuffix(".md")
        return stem.removeprefix(digits + "-").replace("-", " ").replace("_", " ").strip() or stem
    title = " ".join(page.title(heading).split())
    match = _NUMBERED.match(title)
    if match and match.end() < len(title):
        own = bool(digits) and int(match["number"]) == int(digits)
        if match["adr"] or (match["mark"] in (".", ":", ")") and title[match.end() - 1] == " ") or (
            own and (match["mark"] or match["number"] == digits)
        ):
            return title[match.end() :]
    return title


def _is_section(title: str) -> bool:
    name = title.strip().strip("*_:").casefold()
    return name == "status" or name in _SECTIONS or name in _SECTIONS.values()


def sections(page: Page) -> dict[str, str]:
    """The texts of the level-2 sections by their heading, lower case; the usual names for one thing under one label. Of those
    below only such as bear a usual name, and that no level-2 section has."""
    found: dict[str, str] = {}
    tops = [block for block in page.blocks if block.kind == "heading" and not block.depth]
    deeper: dict[str, str] = {}
    for at, heading in enumerate(tops):
        if heading.level == 1:
            continue
        label = label_of(page.title(heading))
        if not label or label in ("status", "title", "number") or (heading.level > 2 and label not in LABELS):
            continue
        after = (tops[place].start for place in range(at + 1, len(tops)) if tops[place].level <= heading.level)
        stop = next(after, len(page.data))
        (found if heading.level == 2 else deeper).setdefault(label, _text(page, heading.end, stop))
    for label, text in deeper.items():
        found.setdefault(label, text)
    return found


def label_of(title: str) -> str:
    """What a section of that heading is: "context", "options", "decision", "consequences", "reason", or the heading itself."""
    name = " ".join(title.split()).strip("*_: ").casefold()
    return _SECTIONS.get(name, name)


def labels(page: Page) -> dict[str, str]:
    """The texts of paragraphs that begin with a label (`**Reason:** ...`): the paragraph, or where nothing stands behind the
    label, what follows up to the next label or heading."""
    found: dict[str, str] = {}
    label, start, end = "", 0, 0
    for block in page.blocks:
        if block.depth or (label and block.start < end):
            continue
        match = _LABEL.match(page.text, block.start, block.end) if block.kind == "paragraph" else None
        name = " ".join(match["label"].split()).casefold() if match else ""
        name = _SECTIONS.get(name, name)
        if label and (block.kind == "heading" or name in LABELS):
            found.setdefault(label, _text(page, start, end))
            label = ""
        if match is not None and name in LABELS:
            if page.text[match.end() : block.end].strip():
                found.setdefault(name, _text(page, match.end(), block.end))
            else:
                label, start, end = name, match.end(), match.end()
        elif label:
            end = block.end
    if label:
        found.setdefault(label, _text(page, start, end))
    return found


def _text(page: Page, start: int, end: int) -> str:
    return page.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n").strip()


def _date(lines: StatusLines) -> str | None:
    own = statuses.date(lines.date.text) if lines.date else None
    return own or (statuses.date(lines.status.text) if lines.status else None)
