"""Where a record's status, date and relations stand, in whichever form its file has them.

Forms: "section" (`## Status`), "heading" (`## Status: accepted`), "front" (front matter), "bullet" (`* Status: accepted`),
"bold" (`**Status:** accepted`) and "bare" (`Status: accepted`); "" where there is no status.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.core.layouts.records import statuses
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


class Line(NamedTuple):
    """One line, or a value of several in front matter. `start` to `end` are whole lines; `value` is the span of what is said
    after the label; `label` is as written, "" where there is none; `form` as above; `kind`: "status", "date", or a relation."""

    start: int
    end: int
    line: int
    value: tuple[int, int]
    label: str
    form: str
    kind: str
    text: str


class StatusLines(NamedTuple):
    """`status` is the first of `statuses`: several are several places that say one. `body`: the span of a status section
    below its heading, blank lines at its ends off."""

    form: str
    status: Line | None
    date: Line | None
    relations: tuple[Line, ...]
    statuses: tuple[Line, ...] = ()
    body: tuple[int, int] | None = None
    heading: int | None = None  # where the heading of such a section begins

    @property
    def lines(self) -> list[Line]:
        """All of them, in the order of the file, each line once."""
        every = [*self.statuses, *([self.date] if self.date else []), *self.relations]
        return sorted({(line.start, line.value): line for line in every}.values(), key=lambda line: (line.start, line.value))

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The spans of all these lines, and of a status section's whole body; merged, in order."""
        found: list[tuple[int, int]] = []
        whole = [(line.start, line.end) for line in self.lines] + ([self.body] if self.body else [])
        for start, end in sorted(whole):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found


def find(document: Document) -> StatusLines:
    """The status lines of a record or design record."""
    return in_page(document.page)


def in_page(page: Page) -> StatusLines:
    """The same of a page."""
    found = [*_front(page), *_head(page)]
    section = _section(page)
    body = None
    if section is not None:
        heading, inside = section
        lines = list(_in_section(page, heading, inside))
        found += lines
        blocks = [block for block in inside if block.end > block.start]
        if blocks:
            body = (blocks[0].start, max(block.end for block in blocks))
    found += _bold_relations(page, {line.start for line in found})
    states = tuple(sorted((line for line in found if line.kind == "status"), key=lambda line: line.start))
    dates = [line for line in found if line.kind == "date"]
    relations = tuple(sorted((line for line in found if line.kind in statuses.KINDS), key=lambda line: line.start))
    form = states[0].form if states else "section" if section is not None else ""
    return StatusLines(
        form, states[0] if states else None, dates[0] if dates else None, relations, states, body,
        None if section is None else section[0].start,
    )


_LABEL = lazy(
    r"[ \t]*+(?:[-*+][ \t]++)?(?P<mark>\*\*|__|\*|_|)(?P<label>[A-Za-z][A-Za-z _-]{0,30}?)"
    r"(?:(?P=mark)[ \t]{0,4}+:|:[ \t]{0,4}+(?P=mark)|:)(?![^\s*_\[])[ \t]*+"
)
# What parts several labels on one line: a middle dot, a bullet sign (both as UTF-8 read byte by byte) or a bar.
_NEXT = lazy(r"(?<![ \t])[ \t]++(?:\xc2\xb7|\xe2\x80\xa2|\|)[ \t]++(?=\*\*[A-Za-z])")
_KEY = lazy(r"^([A-Za-z_][A-Za-z0-9_-]*+):", 8)  # MULTILINE
_GOES_ON = (" by", " by:", "supersedes", "supersedes:", "amends", "amends:", "replaces", " and", " see")
_LONGEST = 400  # characters of a line that goes on in the next
_ITEM = lazy(r"^[ \t]*+-[ \t]++(?=\S)", 8)
_MARKS = " \t-*+_>"


def _rows(page: Page, block: Block) -> Iterator[tuple[int, int]]:
    """The lines of a block, with their endings; with the next one where a line ends before what it is about."""
    at = start = block.start
    while at < block.end:
        stop = page.text.find("\n", at, block.end)
        stop = block.end if stop < 0 else stop + 1
        row = page.text[start:stop].rstrip()
        if stop >= block.end or len(row) > _LONGEST or not _goes_on(row):
            yield start, stop
            start = stop
        at = stop
    if start < block.end:
        yield start, block.end


def _goes_on(row: str) -> bool:
    return row.count("[") > row.count("]") or row[-12:].casefold().endswith(_GOES_ON)


def _decoded(page: Page, start: int, end: int) -> str:
    return page.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n").replace("\n", " ")


def _labelled(page: Page, start: int, end: int, item: bool) -> Line | None:
    """A line `Label: value` whose label is one of ours."""
    match = _LABEL.match(page.text, start, end)
    if match is None:
        return None
    label = " ".join(match["label"].split())
    kind = _kind(label)
    if kind is None:
        return None
    stop = end
    while stop > match.end() and page.text[stop - 1] in "\r\n \t\\":
        stop -= 1
    mark = match["mark"]
    inside = page.text.find(mark, match.end(), stop) if mark and _is_open(match[0], mark) else -1
    value = (match.end(), inside if inside >= 0 else stop)
    form = "bullet" if item else "bold" if mark else "bare"
    return Line(start, end, page.line_of(start), value, label, form, kind, _decoded(page, *value))


def _all_labelled(page: Page, start: int, end: int, item: bool) -> Iterator[Line]:
    """The same of a line that holds several, `**Status:** Accepted · **Date:** 2026-05-02`: each is a line of its own."""
    marks = list(_NEXT.finditer(page.text, start, end)) if "**" in page.text[start:end] else []
    first = True
    for at, stop in zip([start, *(match.end() for match in marks)], [*(match.start() for match in marks), end], strict=True):
        line = _labelled(page, at, stop, item)
        if line is not None:
            yield line._replace(start=start, end=end, form=line.form if first else "bold")
        first = False


def _is_open(prefix: str, mark: str) -> bool:
    """Whether the emphasis before a label closes only after it: `**Status: accepted.** Text`."""
    return prefix.lstrip(" \t").removeprefix("- ").removeprefix("* ").removeprefix("+ ").count(mark) == 1


def _kind(label: str) -> str | None:
    folded = label.casefold()
    return folded if folded in ("status", "date") else statuses.kind(folded)


def _front(page: Page) -> Iterator[Line]:
    if page.front is None:
        return
    start, end = page.front
    keys = list(_KEY.finditer(page.text, start, end))
    for at, match in enumerate(keys):
        kind = _kind(match[1].replace("_", " ").replace("-", " "))
        if kind is None:
            continue
        stop = keys[at + 1].start() if at + 1 < len(keys) else page.text.rfind("\n", start, end - 1) + 1
        own = page.text.find("\n", match.end(), stop) + 1 or stop
        value = _scalar(page, match.end(), own)
        items = [_scalar(page, item.end(), stop) for item in _ITEM.finditer(page.text, own, stop)]
        text = ", ".join(_unquoted(_decoded(page, *span)) for span in items or [value])
        if page.text.startswith("[", value[0]) and text.endswith("]") and "](" not in text:
            text = text[1:-1]
        yield Line(match.start(), stop, page.line_of(match.start()), value, match[1], "front", kind, text)


def _scalar(page: Page, start: int, stop: int) -> tuple[int, int]:
    """The span of a YAML value on the line at `start`: with its quotes, without a comment."""
    end = page.text.find("\n", start, stop)
    row = page.text[start : stop if end < 0 else end]
    first = len(row) - len(row.lstrip())
    if row[first : first + 1] in ("'", '"'):
        last = row.find(row[first], first + 1)
        while last > 0 and row[first] == "'" and row[last + 1 : last + 2] == "'":
            last = row.find("'", last + 2)
        if last > 0:
            return start + first, start + last + 1
    comment = min((at for at in (row.find(" #"), row.find("\t#")) if at >= 0), default=len(row))
    return start + first, max(start + first, start + len(row[:comment].rstrip()))


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace("''", "'") if value[0] == "'" else value[1:-1].replace('\\"', '"')
    return value


def _head(page: Page) -> Iterator[Line]:
    """Labelled lines above the first heading of level 2 or below, a title's aside."""
    seen = -1
    titled = False
    for block in page.blocks:
        if block.kind == "heading" and not block.depth:
            if block.level > 1 or titled:
                return
            titled = True
        elif block.kind == "paragraph":
            item = block.depth > 0
            for start, end in _rows(page, block):
                if start > seen:
                    seen = start
                    yield from _all_labelled(page, start, end, item)


def _section(page: Page) -> tuple[Block, list[Block]] | None:
    """The heading `Status` with the blocks below it, up to the next heading."""
    for at, block in enumerate(page.blocks):
        if block.kind == "heading" and not block.depth and "status" in page.text[slice(*block.inner)].lower():
            title = page.title(block).strip().strip("*_").casefold()
            if title.rstrip(":") == "status" or (title.startswith("status:") and block.level > 1):
                inside = []
                for other in page.blocks[at + 1 :]:
                    if other.kind == "heading" and not other.depth:
                        break
                    inside.append(other)
                return block, inside
    return None


def _in_section(page: Page, heading: Block, inside: list[Block]) -> Iterator[Line]:
    title = page.title(heading)
    said = False
    if ":" in title and title.partition(":")[2].strip(" *_"):
        text = title.partition(":")[2].strip(" *_")
        at = page.text.find(":", *heading.inner) + 1
        start = at + len(page.text[at : heading.inner[1]]) - len(page.text[at : heading.inner[1]].lstrip())
        value = (start, heading.inner[1])
        yield Line(heading.start, heading.end, heading.line, value, "Status", "heading", "status", text)
        said = True
    relations: list[Line] = []
    for start, end, begins in _section_rows(page, inside):
        stop = end
        while stop > start and page.text[stop - 1] in "\r\n \t\\":
            stop -= 1
        first = start
        while first < stop and page.text[first] in _MARKS:
            first += 1
        text = _decoded(page, first, stop)
        if not text.strip():
            continue
        labelled = list(_all_labelled(page, start, end, False))
        line = page.line_of(start)
        if labelled:
            yield from (one._replace(form="section") for one in labelled)
            said = said or any(one.kind == "status" for one in labelled)
            continue
        leading = statuses.leading(text)
        if leading is not None and not (not said and leading == "superseded-by"):
            relations.append(Line(start, end, line, (first, stop), "", "section", leading, text))
        elif not said or (begins and _is_status(text)):
            said = True
            yield Line(start, end, line, (first, stop), "", "section", "status", text)
    if relations and not said:  # the section says nothing else: that is its status, readable or not
        yield relations[0]._replace(kind="status")
        del relations[0]
    yield from relations


def _is_status(text: str) -> bool:
    """Whether a line is a status and nothing else but a date."""
    read = statuses.read(text)
    return read.status is not None and not any(char.isalpha() for char in read.rest)


def _section_rows(page: Page, inside: list[Block]) -> Iterator[tuple[int, int, bool]]:
    """The lines of paragraphs and items, each once, and whether a block begins with it."""
    seen = -1
    for block in inside:
        if block.kind != "paragraph":
            continue
        for start, end in _rows(page, block):
            if start > seen:
                seen = start
                yield start, end, start == block.start


def _bold_relations(page: Page, known: set[int]) -> Iterator[Line]:
    """Bold lines of their own that name a relation, wherever they stand outside of lists."""
    if "**" not in page.text:
        return
    for block in page.blocks:
        if block.kind == "paragraph" and not block.depth:
            if "**" not in page.text[block.start : block.end]:
                continue
            for start, end in _rows(page, block):
                if start not in known and page.text.startswith("**", start):
                    for line in _all_labelled(page, start, end, False):
                        if line.kind in statuses.KINDS and line.form == "bold":
                            yield line
