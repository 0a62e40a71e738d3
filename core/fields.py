"""What entries say about themselves: tags, dates, strikes, labelled fields, one-line decisions, a candidate's bracket.

Everything here is over decoded text of one entry, LF endings, and nothing is guessed from meaning: a label counts where
it stands as one, outside code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from memdesk.core import strikes
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.strikes import is_struck, strike, strike_title, struck, struck_span, unstruck

__all__ = [
    "LABELS", "TAGS", "Candidate", "OneLine", "bracket", "candidate", "dates", "inline_fields", "is_date", "is_struck", "items",
    "labelled", "newest_date", "normal_title", "one_line", "slug", "split_date", "split_tag", "strike", "strike_title",
    "struck", "struck_span",
    "unstruck",
]

TAGS = ("stated", "observed", "inferred", "suggested")

# The labels of custodian.md, protocol 0.4 to 0.8. Any other word before a colon is text.
LABELS = frozenset({
    "candidate-type", "date", "decision", "evidence", "facet", "promotion-requirement", "reason", "reasoning", "reconsider",
    "scope", "source", "statement", "status", "struck", "subject", "superseded", "supersedes",
})  # fmt: skip
_ALIASES = {"reasoning": "reason"}

_LABEL = lazy(r"^ {0,3}([-*+][ \t]+)?(\*\*|__|)([A-Za-z][A-Za-z-]*+)(?:\2:|:\2)(?!\S)", re.MULTILINE)
_FENCE = lazy(r"^ {0,3}(`{3,}|~{3,})([^\n]*)", re.MULTILINE)
_DATE = lazy(r"(?<![\w-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?=T[0-9]|(?!-?\w)|\Z)", re.ASCII)
_TAG = lazy(r"\[(" + "|".join(TAGS) + r")\](?![(\[:])\s*", re.IGNORECASE)
_DAY = lazy(r"\s*+([0-9]{4}-[0-9]{2}-[0-9]{2})", re.ASCII)
_NO_WORD = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "+#")}
_DASHES = tuple("-–—:|")  # what may stand between a title's date and its words
_ONE_LINE = lazy(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*\|\s*(.*)", re.DOTALL)
_REASON = lazy(r"(?<!\S)Reason(?:ing)?:(?=\s|\Z)")
_PART = lazy(r"(?:(for|from|reason|area):|(from))\s+(.+)", re.DOTALL)
_NEXT_PART = lazy(r";\s+(?=(?:for|from|reason|area):\s|from\s)")
_BULLET = lazy(r" {0,3}[-*+][ \t]+")


def labelled(text: str, labels: Iterable[str] = LABELS) -> dict[str, str]:
    """Labelled fields of an entry's text without its heading: lower-case label -> text, outer white space off.

    A label stands at the start of a line, outside fences, plain or bold, with its text on the same line or below, or
    with bullets below. `Reasoning` is `reason`. Bulleted labels (`- Reason: text`) count where no plain label came
    before them: there a bullet is the label's text. A label that comes again is text of the field it stands in. Text
    before any label is under "" where there is some.
    """
    known = labels if isinstance(labels, (set, frozenset)) else frozenset(labels)
    fenced = _fenced(text) if "```" in text or "~~~" in text else []
    found: dict[str, str] = {}
    label, start, plain_label = "", 0, False
    for match in _LABEL.finditer(text):
        name = match[3].lower()
        if name not in known:
            continue
        name = _ALIASES.get(name, name)
        at, bulleted = match.start(), match[1] is not None
        if name in found or name == label or (bulleted and plain_label) or _inside(at, fenced):
            continue
        found[label] = _field(label, text[start:at])
        label, start, plain_label = name, match.end(), not bulleted
    found[label] = _field(label, text[start:])
    if not found[""]:
        del found[""]
    return found


def inline_fields(text: str, labels: Iterable[str] = ("reason", "date", "scope", "reconsider")) -> dict[str, str]:
    """Fields inside running text, as a tombstone has them: `... Reason: text. Date: YYYY-MM-DD.` and lines of their own.

    Each label counts once, where it first stands outside code at the start of a word; its text ends at the next counted
    label. `date` counts only before a calendar date, and comes back as that date alone.
    """
    found: dict[str, tuple[int, int]] = {}
    pattern = rf"(?<!\S)(?:\*\*|__)?({'|'.join(labels)})(?:ing)?:(?:\*\*|__)?(?=\s|\Z)"
    for match in re.finditer(pattern, strikes.mask_code(text), re.IGNORECASE):
        label = match[1].lower()
        if label not in found and (label != "date" or ((day := _DAY.match(text, match.end())) and is_date(day[1]))):
            found[label] = match.span()
    stops = [start for start, _ in found.values()][1:]
    fields = {}
    for (label, (_, start)), stop in zip(found.items(), [*stops, len(text)], strict=False):
        value = text[start:stop].strip()
        fields[label] = value[:10] if label == "date" else value
    return fields


class OneLine(NamedTuple):
    """A one-line decision: `YYYY-MM-DD | text. Reason: text`; reason "" where it gives none."""

    date: str
    text: str
    reason: str


def one_line(text: str) -> OneLine | None:
    """A one-line decision from a bullet's text (struck or not), or None. The first `|` and the first `Reason:` outside
    code divide it; both may come again in what follows."""
    if "|" not in text:
        return None
    body = unstruck(text) if is_struck(text) else text
    match = _ONE_LINE.match(body)
    if match is None or not is_date(match[1]):
        return None
    rest = match[2]
    divider = _REASON.search(strikes.mask_code(rest))
    if divider is None:
        return OneLine(match[1], rest.strip(), "")
    return OneLine(match[1], rest[: divider.start()].strip(), rest[divider.end() :].strip())


class Candidate(NamedTuple):
    """A candidate bullet's text in its parts: the tag at its start, the words, and what the bracket at its end says."""

    tag: str | None
    text: str
    kind: str | None
    source: str | None
    words: Mapping[str, str]


def candidate(text: str) -> Candidate:
    """The parts of a candidate's text, a strike around it set aside."""
    tag, rest = split_tag(unstruck(text) if is_struck(text) else text)
    rest, words = bracket(rest)
    return Candidate(tag, rest, words.get("for"), words.get("from"), words)


def bracket(text: str) -> tuple[str, dict[str, str]]:
    """Text without the bracket that closes it, and the bracket's parts: `(for: constraint; from src/app.py:12)`.

    Keys: "for" (the kind), "from" (the source), "reason", "area"; after "from" the colon may be missing. The bracket
    counts only if every part of it has one of these keys, once; a `;` that none of them follows is text.
    """
    found = _closing(text)
    if found is None:
        return text.rstrip(), {}
    start, inner = found
    parts: dict[str, str] = {}
    for piece in _NEXT_PART.split(inner):
        match = _PART.fullmatch(piece.strip())
        key = match and (match[1] or match[2])
        if match is None or key is None or key in parts:
            return text.rstrip(), {}
        parts[key] = match[3].strip()
    return text[:start].rstrip(), parts


def items(text: str) -> list[str]:
    """The bullets of a field's text, without their markers; a text without bullets is one item."""
    if not text:
        return []
    found: list[str] = []
    for line in text.split("\n"):
        match = _BULLET.match(line)
        if match:
            found.append(line[match.end() :].strip())
        elif found:
            found[-1] = f"{found[-1]}\n{line.strip()}".strip()
        elif line.strip():
            found.append(line.strip())
    return found


def split_tag(text: str) -> tuple[str | None, str]:
    """The provenance tag at the start of a text, lower case, and the text without it; None where there is none. A link
    such as `[stated](x)` is no tag."""
    match = _TAG.match(text) if text.startswith("[") else None
    return (match[1].lower(), text[match.end() :]) if match else (None, text)


def is_date(text: str) -> bool:
    """Whether a text is a calendar date, YYYY-MM-DD, and nothing else."""
    return (match := _DATE.fullmatch(text)) is not None and _on_calendar(match)


def dates(text: str) -> list[str]:
    """The calendar dates in a text, in its order; 2026-02-30 is none, nor is a part of a longer number or id."""
    return [match[0] for match in _DATE.finditer(text) if _on_calendar(match)]


def newest_date(text: str) -> str | None:
    """The latest calendar date in a text."""
    return max(dates(text), default=None)


def split_date(title: str) -> tuple[str | None, str]:
    """The date that a title begins with and the title without it and its dash: `2026-05-02 - Title`, `2026-05-02: Title`."""
    match = _DATE.match(title)
    if match is None or not _on_calendar(match):
        return None, title
    rest = title[match.end() :].lstrip()
    return match[0], rest[1:].lstrip() if rest.startswith(_DASHES) else rest


def normal_title(title: str) -> str:
    """A title to compare by: strikes, dates, case, punctuation and white space set aside; letters, digits and marks of any
    script count, and so do the signs that tell C from C++ and C#. Two titles of punctuation alone compare as they are."""
    text = unstruck(title) if is_struck(title) else title
    text = _DATE.sub(lambda match: " " if _on_calendar(match) else match[0], text)
    if text.isascii():
        words = text.lower().translate(_NO_WORD).split()
        kept = [word for word in words if word.strip("+#")]
        return " ".join(kept) or " ".join(title.split())
    import unicodedata

    text = unicodedata.normalize("NFKC", text).casefold()
    words = "".join(char if char in "+#" or unicodedata.category(char)[0] in "LNM" else " " for char in text).split()
    kept = [word for word in words if word.strip("+#")]
    return " ".join(kept) or " ".join(title.split())


def slug(title: str) -> str:
    """A name made from a title (verbs.md): lower case, letters and digits of any script kept, the rest one `-`, at most 80
    bytes of UTF-8 without splitting a character; "" where nothing is left. The caller adds `-2` on a clash."""
    import unicodedata

    text = unicodedata.normalize("NFC", title).lower()
    marks = "".join(char if unicodedata.category(char)[0] in "LNM" else "-" for char in text)
    name = "-".join(part for part in marks.split("-") if part)
    return name.encode("utf-8", "ignore")[:80].decode("utf-8", "ignore").strip("-")


def _on_calendar(match: re.Match[str]) -> bool:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if not (year and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    if month == 2:
        return day <= (29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28)
    return day <= 30 or month not in (4, 6, 9, 11)


def _field(label: str, text: str) -> str:
    """A field's text: what follows its label on the line, without blanks at its end, and the lines below."""
    if not label or "\n" not in text:
        return text.strip()
    first, newline, below = text.partition("\n")
    return f"{first.rstrip()}{newline}{below}".strip()


def _fenced(text: str) -> list[tuple[int, int]]:
    """The spans of fenced code, fences included; an open fence runs to the end."""
    found = []
    fence, begun = "", 0
    for match in _FENCE.finditer(text):
        if fence:
            if match[1].startswith(fence) and not match[2].strip():
                found.append((begun, match.end()))
                fence = ""
        elif match[1][0] != "`" or "`" not in match[2]:
            fence, begun = match[1], match.start()
    return [*found, (begun, len(text))] if fence else found


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a place is in one of several spans, which come in order and do not overlap."""
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


def _closing(text: str) -> tuple[int, str] | None:
    """Where the bracket that closes a text begins, and what is in it; brackets inside it are balanced."""
    stripped = text.rstrip()
    if not stripped.endswith(")"):
        return None
    depth = 0
    last = stripped.rfind("(")
    nested = last < 0 or stripped.find(")", last) != len(stripped) - 1
    for index in range(len(stripped) - 1, -1, -1) if nested else (len(stripped) - 1, last):
        if stripped[index] == ")":
            depth += 1
        elif stripped[index] == "(":
            depth -= 1
            if depth == 0:
                before = stripped[index - 1 : index]
                return (index, stripped[index + 1 : -1]) if not before or before.isspace() else None
    return None
