"""What a text is known by when it is looked for: its words without bullet, strike and what compaction puts behind it.

Two texts are the same only if these are equal, letter for letter; white space aside, but not where it is code.
"""

from __future__ import annotations

from memdesk.core import fields, layouts, strikes
from memdesk.core.layouts import spans, texts
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdesk.core.model import Document, Entry


class Index(NamedTuple):
    """Where a document says what: key -> 1-based line, of what holds (`current`) and of all, what is struck too (`every`).
    A bullet within another and a paragraph within a bullet count by themselves too."""

    current: dict[str, int]
    every: dict[str, int]


def key(text: str) -> str:
    """What a text of its own is known by."""
    text = text.strip("\n")
    if _holds_code(text):
        return "\n".join(row.rstrip() for row in text.split("\n"))
    return _folded(text)


def said(entry: Entry) -> str:
    """An entry's words: LF endings, without bullet, heading's marks and strike."""
    text = entry.text
    if entry.kind == "bullet":
        text = texts.dedented(text)
    elif entry.kind == "section":
        heading = spans.entry_heading(entry.document.page, entry)
        text = text if heading is None else entry.document.page.title(heading)
    return strikes.unstruck(text) if entry.struck else text


def key_of(entry: Entry) -> str:
    """What an entry of fragments and notes is looked for by."""
    return key(said(entry))


def keys_of(entry: Entry) -> list[str]:
    """All that an entry of a memory is found by: as it stands, without the mark of its promotion, without its source, and what
    a bullet says that is nothing but a fence."""
    text = said(entry)
    found = [text, layouts.get(entry.layout).unpromoted(text)]  # what looks like a mark may be the text's own
    found += [without_source(one) for one in found]
    found += [unfenced(one) for one in found]
    return list(dict.fromkeys(key(one) for one in found))


def index(document: Document) -> Index:
    """What a document says, and on which line."""
    current: dict[str, int] = {}
    every: dict[str, int] = {}
    page = document.page
    struck = []
    for entry in document.entries:
        for one in keys_of(entry):
            every.setdefault(one, entry.line)
            if not entry.struck:
                current.setdefault(one, entry.line)
        if entry.struck:
            struck.append((entry.start, entry.end))
    ends = iter([*struck, (len(page.data) + 1, len(page.data) + 1)])
    low, high = next(ends)
    for block in page.blocks:
        while block.start >= high:
            low, high = next(ends)
        if block.depth > _DEEPEST or (block.kind != "paragraph" and not (block.kind == "item" and block.depth)):
            continue
        raw = page.data[block.inner[0] if block.depth or block.kind == "item" else block.start : block.end]
        text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
        if block.kind == "item":
            text = texts.dedented("- " + text.lstrip(" "))
        for one in (key(text), key(without_source(text.rstrip()))):
            every.setdefault(one, block.line)
            if not low <= block.start < high:
                current.setdefault(one, block.line)
    return Index(current, every)


def source(task: str, day: str, under: str, *, note: bool) -> str:
    """Where a carried entry is from, in words: no link, since the file it came from will go."""
    who = ", ".join(part for part in ("progress notes", task) if part) if note else task or "a fragment"
    said = _plain(under)
    where = f", under {said}" if said else ""
    return f"(from {who}{where}{f', {day}' if day else ''})"


def _plain(title: str) -> str:
    """The words of headings, for a source: without marks, cut after a word where there are many. "" for none, and for a heading
    that was struck."""
    text = "" if len(strikes.tildes(title)) > 1 else _ODD.sub(" ", title).strip()
    return text if len(text) <= _TITLE else f"{text[: _TITLE - 3].rpartition(' ')[0] or text[: _TITLE - 4]} ..."


def with_source(text: str, source: str) -> str:
    """A text with its source: behind it, or at the end of the bracket that closes it already, for only the last is read."""
    known = {} if texts.ends_in_block(text) else fields.bracket(text)[1]
    if not known:
        gap = "\n\n" if texts.ends_in_block(text) or text.rstrip().endswith("\\") else " "
        return f"{text}{gap}{source}"
    return text.rstrip().removesuffix(")") + (", " if "from" in known else "; from ") + source.removeprefix("(from ")


def without_source(text: str) -> str:
    """A text without the source that compaction put behind it, or into its last bracket."""
    at = text.rfind("(from ", max(0, len(text) - _LONGEST))
    if at >= 1 and text[at - 1].isspace() and _SOURCE.fullmatch(text, at) is not None:
        return text[:at].rstrip()
    match = _JOINED.search(text, max(0, len(text) - _LONGEST)) if text.endswith(")") else None
    return text if match is None or not fields.bracket(text)[1] else f"{text[: match.start()]})"


def unfenced(text: str) -> str:
    """What a text says that is nothing but a fence; any other as it is."""
    rows = text.strip("\n").split("\n")
    opens = _FENCE.match(rows[0])
    if opens is None or len(rows) < 3 or rows[-1].strip() != opens[1]:
        return text
    return "\n".join(rows[1:-1])


def why_struck(entry: Entry) -> str:
    """Why a struck entry was struck, as the remark behind the strike says it: "rejected DATE: reason"."""
    text = texts.dedented(entry.text) if entry.kind == "bullet" else entry.text
    span = strikes.struck_span(text)
    rest = "" if span is None else text[span[1] + 2 :].partition("\n")[0].strip(" -–—:")
    return rest or "struck"


def _folded(text: str) -> str:
    """A text with its white space as one blank, but within a span of code, where a blank more is another code."""
    parts: list[str] = []
    done = 0
    for start, end in strikes.code_spans(text):
        parts += (_BLANK.sub(" ", text[done:start]), " ".join(row.strip() for row in text[start:end].split("\n")))
        done = end
    return " ".join(text.split()) if not done else "".join((*parts, _BLANK.sub(" ", text[done:]))).strip()


def _holds_code(text: str) -> bool:
    return "```" in text or "~~~" in text or any(True for _ in _indented(text))


def _indented(text: str) -> Iterator[str]:
    """Lines that an indented block of code may begin with."""
    blank = True
    for row in text.split("\n"):
        if blank and row.startswith(("    ", "\t")) and row.strip():
            yield row
        blank = not row.strip()


_DEEPEST = 8  # bullets within each other that are looked for by themselves: each holds all below it
_TITLE = 120  # characters of headings in a source
_LONGEST = 260  # characters that a source has at most
_ODD = lazy(r"[^\w.,'/&+-]+")  # what of a heading doesn't stand in a source: white space, and what could be Markdown
_BLANK = lazy(r"\s+")
_INNER = (
    r"(?:task-[0-9]{1,40}|a fragment|progress notes(?:, task-[0-9]{1,40})?)(?:, under [\w .,'/&+-]{1,120})?"
    r"(?:, [0-9]{4}-[0-9]{2}-[0-9]{2})?\)"
)
_SOURCE = lazy(r"\(from " + _INNER)
_JOINED = lazy(r"(?:, |; from )" + _INNER + r"\Z")
_FENCE = lazy(r"(`{3,}|~{3,})\s*\Z")
