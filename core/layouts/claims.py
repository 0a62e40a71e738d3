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


class Ground(NamedTuple):
    """A record that an entry names. `number` and `path` as `records.links.Ref` has them; `line` of the file.

    `firm`: the form says that it is the entry's ground; else it is only named, and may be told of. `neutral`: the sentence
    tells history or denies something: whatever it says, the entry knows of that record.
    """

    entry: Entry
    number: int | None
    path: str | None
    line: int
    firm: bool
    neutral: bool


class Definition(NamedTuple):
    """A term that an entry defines, with its text. `line` of the file."""

    entry: Entry
    term: str
    text: str
    line: int


def grounds(document: Document) -> list[Ground]:
    """The records that the current entries of a document name, in order."""
    if _SCREEN.search(document.data) is None:
        return []
    from memdesk.core.layouts.records.links import references

    page = document.page
    text = page.text  # one character for each byte
    places = _Places(document)
    found: list[Ground] = []
    for ref in references(text):
        entry = places.entry(ref.start)
        if entry is None:
            continue
        number, path = ref.number, ref.path
        if path is not None:
            path = path.encode("latin-1", "replace").decode("utf-8", "replace")
            if "/" not in path and not path.endswith(".md") and text[ref.start] != "[":
                number, path = None, path + ".md"  # `0001-0003`, a ticket: no number of a record, unless a file is called so
        start, end = _sentence(text, ref.start, ref.end, entry)
        before, after = text[start : ref.start], text[ref.end : end]
        link = text[ref.start] == "["
        marker = _MARKER.search(before)
        denied = _DENIED.search(before if marker is None else before[: marker.start()][-24:]) is not None
        told = _HISTORY.search(before) is not None or _HISTORY.search(after) is not None
        firm = marker is not None or link
        neutral = told or (denied and not (marker is not None and _DENIED_BEFORE.search(before[: marker.start()]) is None))
        found.append(Ground(entry, number, path, page.line_of(ref.start), firm, neutral))
    return found


def definitions(document: Document) -> list[Definition]:
    """The terms that the current entries of a document define: a section by its heading, else what stands bold before a
    colon or dash at the start of a line."""
    found = [
        Definition(entry, entry.fields.get("title") or entry.heading, _below_heading(entry), entry.line)
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
        self.quoted = sorted(_quoted(document))
        self.quoted_starts = [start for start, _ in self.quoted]

    def entry(self, offset: int) -> Entry | None:
        at = bisect_right(self.starts, offset) - 1
        if at < 0 or offset >= self.entries[at].end:
            return None
        near = bisect_right(self.quoted_starts, offset) - 1
        if near >= 0 and offset < self.quoted[near][1]:
            return None
        return self.entries[at]


def _quoted(document: Document) -> Iterator[tuple[int, int]]:
    """Spans of code, quotes, comments and strikes."""
    page = document.page
    high = -1
    spans = [(block.start, block.end) for block in page.blocks if block.kind in ("fence", "code", "html", "quote")]
    if b"~~" in document.data:
        spans += (match.span() for match in _STRUCK.finditer(page.text))
    if b"<!--" in document.data:
        spans += _comments(page.text)
    for start, end in sorted(spans):  # each offset in one span at most, so that the nearest before it is the one
        if end > high:
            yield max(start, high), end
            high = end


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


_SCREEN = lazy(rb"[Aa][Dd][Rr]|[Rr]ecord|[Dd]ecision|[0-9]{3,5}-[A-Za-z]")
_STRUCK = lazy(r"~~[^~]{1,4000}+~~")
_STOP = lazy(r"(?<=[.!?;])\s|\n[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
# What makes the reference behind it the ground of what is said.
_MARKER = lazy(
    r"(?<![\w-])(?:see(?:[ ]also)?|per|from|sources?|grounds?|evidence|based[ ]on|according[ ]to|decided[ ](?:in|by|with)"
    r"|as[ ]in|follow(?:s|ing)?|implements?|in[ ]line[ ]with|because[ ]of)[ \t]*:?\s{0,8}[\"'`*_(\[]{0,4}\Z", re.IGNORECASE,
)
_HISTORY = lazy(
    r"(?<![\w-])(?:super[sc]ed\w*|replac\w+|revers\w+|reject\w*|deprecat\w*|overrul\w*|overrid\w*|abandon\w*|obsolete\w*|instead"
    r"[ ]of|unlike|contrary|histor\w+|former\w*|previous\w*|earlier|originally|used[ ]to|no[ ]longer|until|was|were|had)(?!\w)",
    re.IGNORECASE,
)
_DENIED = lazy(r"(?<![\w-])(?:not|never|no|without|against|\w{2,8}n't)(?!\w)", re.IGNORECASE)
_DENIED_BEFORE = lazy(r"(?<![\w-])(?:not|never|no[ ]longer|\w{2,8}n't)(?:\s+\w+)?\s*\Z", re.IGNORECASE)
_BOLD = lazy(
    r"^[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?(?:\[[a-z]{1,12}\][ \t]++)?\*\*([^*\n]{1,80}?)"
    r"(?:\*\*[ \t]*+(?::|\xe2\x80[\x93\x94]|-(?=\s))|:\*\*)[ \t]*+([^\n]{0,2000}+)", re.MULTILINE,
)
