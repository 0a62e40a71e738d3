"""What an entry of memory claims of records and words: which records it names as its ground, which terms it defines.

One reading for every layout whose text is prose. Only forms are looked at: a reference behind "see" or "from", in a link or
a source, a bold term before a colon. What stands in code, a quote, a comment or a strike is quoted or past, and claims
nothing; and a sentence that tells history or denies is never judged (invariant 4).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry

NEAR = 24  # characters in which a word still speaks of the reference beside it


class Ground(NamedTuple):
    """A record that an entry names. `number` and `path` as `records.links.Ref` has them; `start` and `end` are its span in the
    document's bytes."""

    entry: Entry
    number: int | None
    path: str | None
    start: int
    end: int

    @property
    def line(self) -> int:
        """Its line in the file."""
        return self.entry.document.page.line_of(self.start)

    def weighed(self) -> tuple[bool, bool]:
        """Whether the form says that it is the entry's ground (else it is only named, and may be told of); and whether the
        sentence tells history or denies something: whatever it says, the entry then knows of that record."""
        text = self.entry.document.page.text
        start, end = _sentence(text, self.start, self.end, self.entry)
        before, after = text[start : self.start], text[self.end : end]
        marker = _MARKER.search(before)
        if marker is not None:  # what the sentence tells or forbids is no word about its ground, but for what stands next to it
            near = before[: marker.start()][-NEAR:]
            told = _HISTORY.search(near) or _HISTORY.search(after[:NEAR]) or _DENIED_BEFORE.search(near)
            return True, told is not None
        told = _HISTORY.search(before) or _HISTORY.search(after) or _PAST.search(before) or _PAST.search(after)
        return text[self.start] == "[", (told or _DENIED.search(before)) is not None


class Definition(NamedTuple):
    """A term that an entry defines, on a `line` of the file. `said`: what stands behind it; None: the section below it."""

    entry: Entry
    term: str
    said: str | None
    line: int

    @property
    def text(self) -> str:
        """How it is defined; "" where nothing is said."""
        return _below_heading(self.entry) if self.said is None else self.said


def grounds(document: Document) -> list[Ground]:
    """The records that the current entries of a document name, in order. Only lines that can name one are read for it."""
    if _SCREEN.search(document.data) is None:
        return []
    places = _Places(document)
    found: list[Ground] = []
    for number, path, start, end in _references(document):
        entry = places.entry(start)
        if entry is not None:
            found.append(Ground(entry, number, path, start, end))
    return found


def _references(document: Document) -> Iterator[tuple[int | None, str | None, int, int]]:
    """Number, path and span of each reference. None spans lines."""
    from memdesk.core.layouts.records.links import references

    text = document.page.text  # one character for each byte
    stop = -1
    for match in _SCREEN.finditer(document.data):
        if match.start() < stop:
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        for ref in references(text[start:stop]):
            number, path = ref.number, ref.path
            if path is not None:
                path = path.encode("latin-1", "replace").decode("utf-8", "replace")
                if "/" not in path and not path.endswith(".md") and text[start + ref.start] != "[":
                    number, path = None, path + ".md"  # `0001-0003`, a ticket: no record, unless a file is called so
            yield number, path, start + ref.start, start + ref.end


def definitions(document: Document) -> list[Definition]:
    """The terms that the current entries of a document define: a section by its heading, else what stands bold before a
    colon or dash at the start of a line."""
    found = [
        Definition(entry, entry.fields.get("title") or entry.heading, None, entry.line)
        for entry in document.entries
        if entry.kind == "section" and not (entry.struck or entry.candidate)
    ]
    if b"**" not in document.data:
        return found
    page = document.page
    places = _Places(document)
    for match in _BOLD.finditer(page.text):
        entry = places.entry(match.start(1))
        if entry is not None:
            term, text = (part.encode("latin-1", "replace").decode("utf-8", "replace") for part in (match[1], match[2]))
            found.append(Definition(entry, term.strip().rstrip(":").strip(), text.strip(), page.line_of(match.start(1))))
    return found


class _Places:
    """Which current entry an offset of a document belongs to, where what stands there is said and not quoted."""

    def __init__(self, document: Document) -> None:
        self.entries = [entry for entry in document.entries if not (entry.struck or entry.candidate)]
        self.starts = [entry.start for entry in self.entries]
        self.quoted = sorted(quoted(document))
        self.quoted_starts = [start for start, _ in self.quoted]

    def entry(self, offset: int) -> Entry | None:
        at = bisect_right(self.starts, offset) - 1
        if at < 0 or offset >= self.entries[at].end:
            return None
        near = bisect_right(self.quoted_starts, offset) - 1
        if near >= 0 and offset < self.quoted[near][1]:
            return None
        return self.entries[at]


def quoted(document: Document, *, code: bool = False) -> Iterator[tuple[int, int]]:
    """Spans of code, quotes, comments and strikes, in order; of `code` and comments alone."""
    page = document.page
    high = -1
    kinds = ("fence", "code", "html") if code else ("fence", "code", "html", "quote")
    spans = [(block.start, block.end) for block in page.blocks if block.kind in kinds]
    if not code:
        spans += strikes(document)
    if b"<!--" in document.data:
        spans += _comments(page.text)
    for start, end in sorted(spans):  # each offset in one span at most, so that the nearest before it is the one
        if end > high:
            yield max(start, high), end
            high = end


def strikes(document: Document) -> list[tuple[int, int]]:
    """Spans of strikes, in order, wherever they stand."""
    return [match.span() for match in _STRUCK.finditer(document.page.text)] if b"~~" in document.data else []


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Comments inside of lines; by search, since a pattern that looks for the end from each beginning takes hours."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, end + 3
        start = text.find("<!--", end + 3)


def _sentence(text: str, start: int, end: int, entry: Entry) -> tuple[int, int]:
    """The sentence around a span, within its paragraph and at most 300 characters to each side."""
    low = max(entry.start, start - 300)
    high = min(entry.end, end + 300)
    blank = text.rfind("\n\n", low, start)
    low = low if blank < 0 else blank + 2
    stop = text.find("\n\n", end, high)
    high = high if stop < 0 else stop
    for match in _STOP.finditer(text, low, start):
        low = match.end()
    last = _STOP.search(text, end, high)
    return low, high if last is None else last.start()


def _below_heading(entry: Entry) -> str:
    """A section's text without its heading, and without the label that a decision's form begins with."""
    body = entry.fields.get("decision") or entry.fields.get("")
    if body:
        return body
    rows = entry.text.split("\n")
    skip = 2 if len(rows) > 1 and rows[1].strip() and not rows[1].strip("=- ") else 1
    return "\n".join(rows[skip:]).strip()


# What a line must hold for one of the references of `records.links`; a date is none.
_SCREEN = lazy(
    rb"(?:[Aa][Dd][Rr]|ecord|ecision)[^\n]{0,12}?[0-9]|[0-9]{3,5}-(?![0-9]{2}-[0-9]{2}(?![0-9]))|\]\([^\n()]{0,500}?\.md|\[\["
)
_STRUCK = lazy(r"~~[^~]{1,4000}+~~")
_STOP = lazy(r"(?<=[.!?;])\s|\n[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
# What makes the reference behind it the ground of what is said.
_MARKER = lazy(
    r"(?<![\w-])(?:see(?:[ ]also)?|per|from|sources?|grounds?|evidence|based[ ]on|according[ ]to|decided[ ](?:in|by|with)"
    r"|as[ ]in|follow(?:s|ing)?|implements?|in[ ]line[ ]with|because[ ]of)[ \t]*:?\s{0,8}[\"'`*_(\[]{0,4}\Z", re.IGNORECASE,
)
_HISTORY = lazy(
    r"(?<![\w-])(?:super[sc]ed\w*|replac\w+|revers\w+|reject\w*|deprecat\w*|overrul\w*|overrid\w*|abandon\w*|obsolete\w*|instead"
    r"[ ]of|unlike|contrary|histor\w+|former\w*|previous\w*|earlier|originally|used[ ]to|no[ ]longer|until)(?!\w)",
    re.IGNORECASE,
)
_PAST = lazy(r"(?<![\w-])(?:was|were|had|been)(?!\w)", re.IGNORECASE)
_DENIED = lazy(r"(?<![\w-])(?:not|never|no|without|against|\w{2,8}n't)(?!\w)", re.IGNORECASE)
_DENIED_BEFORE = lazy(r"(?<![\w-])(?:not|never|no[ ]longer|\w{2,8}n't)(?:\s+\w+)?\s*\Z", re.IGNORECASE)
_BOLD = lazy(
    r"^[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?(?:\[[a-z]{1,12}\][ \t]++)?\*\*([^*\n]{1,80}?)"
    r"(?:\*\*[ \t]*+(?::|\xe2\x80[\x93\x94]|-(?=\s))|:\*\*)[ \t]*+([^\n]{0,2000}+)", re.MULTILINE,
)
