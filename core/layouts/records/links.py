"""References to records in any text: `ADR-0007`, `ADR 7`, `adr/0007-x.md`, `[...](0007-x.md)`, `decision 0007`."""

from __future__ import annotations

from urllib.parse import unquote

from memdesk.core.layouts.records import numbers
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy


class Ref(NamedTuple):
    """One reference. `number`: None where none can be told; `path`: as written, without anchor, None where none is given.
    `start` and `end` are its span in the text, brackets of a link included."""

    number: int | None
    path: str | None
    start: int
    end: int


LONGEST = 300  # characters of a link's text: a longer one is none
_REF = lazy(
    r"\[(?P<text>[^\[\]\n]{0,300}+)\]\(<?(?P<to>[^()\s<>]{1,500}+)[^()\n]{0,200}+\)"
    r"|\[\[(?P<wiki>[^\[\]|\n]{1,300}+)(?:\|[^\[\]\n]{0,300}+)?\]\]"
    r"|(?<![\w/.-])(?P<file>(?:[\w.-]{1,80}+/){0,12}+[0-9]{3,5}-[\w.-]{0,200}+)"
    r"|(?<![\w-])(?:ADRs?|[Aa]drs?)[ -]?(?:[Nn]o\.? ?)?#?(?P<number>[0-9]{1,5})(?!\w|-[0-9])"
    r"|(?<![\w-])(?:[Dd]ecisions?|[Dd]ecision [Rr]ecords?|[Rr]ecords?) #?(?P<zero>0[0-9]{2,4})(?!\w|-[0-9])"
)
_PATH = lazy(r"\.md\.?\Z|\A0|/0[0-9]*-[^/]*\Z")  # of a name that begins with digits: what tells it from `1000-year flood`


def references(text: str) -> list[Ref]:
    """The records that a text refers to, in order, each once where it stands."""
    found = []
    for match in _REF.finditer(text):
        number = match.group("number") or match.group("zero")
        ref = _read(match.group("text"), match.group("to"), match.group("wiki"), match.group("file"), number)
        if ref is not None:
            found.append(Ref(*ref, match.start(), match.end()))
    return found


def _read(
    text: str | None, to: str | None, wiki: str | None, file: str | None, number: str | None
) -> tuple[int | None, str | None] | None:
    if number is not None:
        return (int(number), None) if int(number) else None
    if file is not None and not _PATH.search(file):
        return None
    path = unquote(to or wiki or file or "").partition("#")[0].rstrip(".")
    known = numbers.number(path if path.endswith(".md") else path + ".md")
    if known is not None:
        return known, path
    if text is not None and path.endswith(".md"):
        inner = _REF.match(text.strip())
        told = inner and (inner.group("number") or inner.group("zero"))
        return (int(told) if told else None), path
    return None
