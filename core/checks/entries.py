"""Rules over entries: said twice, said in two versions, said although a tombstone forbids it.

Only exact equality is an error here: the same text, or the same normalised title in one scope. Likeness is never looked
at (invariant 4): texts that are near each other may be opposites.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice

from memdesk.core import fields
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.model import Document, Entry, Finding
from memdesk.core.patterns import lazy

DECISIONS = frozenset({"decisions", "area"})  # roles of documents that hold decisions
TOMBSTONES = "do-not-use"
_QUIET_TIERS = frozenset({"archive", "log", "index"})  # history and pointers repeat what is said elsewhere
_WHOLE_PROJECT = frozenset({"", "project", "repo", "repository", "global", "all", "whole project"})


def duplicate_entries(context: CheckContext) -> Checked:
    """The same text, white space and bullet aside, twice un-struck: in one document an error, across documents a warning."""
    found: list[Finding] = []
    elsewhere: dict[bytes, Entry] = {}
    checked = 0
    for document in _spoken(context):
        here: dict[bytes, Entry] = {}
        for entry in document.entries:
            if entry.struck or entry.kind not in ("section", "bullet"):
                continue
            checked += 1
            key = _text_key(entry)
            first = here.setdefault(key, entry)
            if first is not entry:
                message = f"The same text as in line {first.line}: {_title(entry)!r}."
                found.append(DUPLICATE_ENTRY.finding(document.path, entry.line, message))
            elif not entry.candidate:
                other = elsewhere.setdefault(key, entry)
                if other is not entry:
                    message = f"The same text as {other.path}:{other.line}: {_title(entry)!r}."
                    hint = "Keep it in the wider scope, or strike one of them."
                    found.append(DUPLICATE_ENTRY.finding(document.path, entry.line, message, hint, severity="warning"))
    return Checked(checked, found)


def two_versions(context: CheckContext) -> Checked:
    """Two un-struck versions of one thing: version lines in one decision, or one title twice in one scope."""
    found: list[Finding] = []
    titles: dict[tuple[str, str, str], Entry] = {}
    checked = 0
    for document in _spoken(context):
        decides = document.place.role in DECISIONS
        starts = [block.start for block in document.page.blocks] if decides else []
        for entry in document.entries:
            if entry.struck or entry.candidate or entry.kind not in ("section", "bullet") or document.place.role == TOMBSTONES:
                continue
            checked += 1
            if decides and entry.kind == "section":
                lines = list(_version_lines(entry, starts))
                if len(lines) > 1:
                    numbers = " and ".join(str(line) for line in lines)
                    message = f"Versions in lines {numbers} of {_title(entry)!r} both stand: only one can hold."
                    found.append(TWO_VERSIONS.finding(document.path, lines[1], message))
            title = title_key(context, entry)
            if not title:
                continue
            first = titles.setdefault(("decisions" if decides else document.place.role, scope_of(entry), title), entry)
            if first is entry or _text_key(first) == _text_key(entry):
                continue  # the same text twice is duplicate-entry's to report
            where = f"line {first.line}" if first.document is document else f"{first.path}:{first.line}"
            message = f"The same title as {where}, in the same scope: {_title(entry)!r}."
            found.append(TWO_VERSIONS.finding(document.path, entry.line, message, possible=not decides))
    return Checked(checked, found)


def tombstone_repeats(context: CheckContext) -> Checked:
    """An entry or candidate under the title of a tombstone whose scope covers it."""
    stones: dict[str, list[Entry]] = {}
    for document in context.readable:
        if document.place.role == TOMBSTONES:
            for entry in document.entries:
                if not entry.struck and (title := title_key(context, entry)):
                    stones.setdefault(title, []).append(entry)
    found: list[Finding] = []
    checked = 0
    for document in _spoken(context) if stones else ():
        if document.place.role == TOMBSTONES:
            continue
        for entry in document.entries:
            if entry.struck:
                continue
            checked += 1
            named = stones.get(title_key(context, entry), ())
            stone = next((stone for stone in named if scope_of(stone) in ("", scope_of(entry))), None)
            if stone is None:
                continue
            what = "A candidate" if entry.candidate else "An entry"
            message = f"{what} has the title of a tombstone ({stone.path}:{stone.line}): {_title(entry)!r}."
            severity = "warning" if entry.candidate else None
            found.append(TOMBSTONE_REPEAT.finding(document.path, entry.line, message, severity=severity))
    return Checked(checked, found)


def scope_of(entry: Entry) -> str:
    """The scope that an entry names, else its document's; "" for the whole project. Compared as it is written, folded."""
    named = entry.fields.get("scope", "")
    if named:
        named = " ".join(named.split()).strip("`.* ").casefold().replace(": ", ":")
        return "" if named in _WHOLE_PROJECT else named
    return entry.document.place.scope.casefold()


def title_key(context: CheckContext, entry: Entry) -> str:
    """What an entry's title is compared by: without dates, ids, case and punctuation. Of a bullet: its text's first
    paragraph."""
    known: dict[Entry, str] = context.shared.setdefault("titles", {})
    key = known.get(entry)
    if key is None:
        title = entry.fields.get("title") or entry.fields.get("text") or entry.heading
        key = known[entry] = fields.normal_title(title.partition("\n\n")[0])
    return key


def _spoken(context: CheckContext) -> Iterable[Document]:
    return [document for document in context.readable if document.place.tier not in _QUIET_TIERS]


def _text_key(entry: Entry) -> bytes:
    key = b" ".join(entry.raw.split())
    return key[1:].lstrip() if entry.kind == "bullet" and key[:1] in b"-*+" else key


_VERSION = lazy(
    r"(?:[-*+] +|\d{1,9}[.)] +)?(?:\*\*|__)?"
    r"(?:\[(?:stated|observed|inferred|suggested)\](?![(\[:])|[0-9]{4}-[0-9]{2}-[0-9]{2}\b)"
    r"|[-*+] .*\([0-9]{4}-[0-9]{2}-[0-9]{2}(?:[,;] [^()]*)?\)\.?\Z",
    re.IGNORECASE,
)
_LISTED = lazy(rb"\n[ \t]*[-*+\[0-9_]")  # a line that could be a version
_OTHER_LABEL = lazy(r"(?:[-*+] +)?(?:\*\*|__)?(?!decision\b)[A-Za-z][A-Za-z -]{0,30}(?:\*\*|__)?:", re.IGNORECASE)
_DECISION_LABEL = lazy(r"(?:\*\*|__)?decision(?:\*\*|__)?:", re.IGNORECASE)


def _version_lines(entry: Entry, starts: list[int]) -> Iterator[int]:
    """The lines of a section that begin with a tag or a date, or are bullets that end with one in brackets, and aren't
    struck. Lines below a label other than `Decision:` are that label's (evidence, links), not versions. `starts`: those of
    the document's blocks."""
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
                    yield block.line + offset
            elif _OTHER_LABEL.match(line) and "~~" not in line:
                labelled = True
            if block.kind == "item":
                break  # its own first line alone


def _content(line: str) -> str:
    return re.sub(r"\A(?:[-*+]|\d{1,9}[.)]) +", "", line)


def _title(entry: Entry) -> str:
    title = " ".join((entry.fields.get("title") or entry.heading).split())
    return title if len(title) <= 80 else title[:79] + "…"


DUPLICATE_ENTRY = Rule(
    "duplicate-entry", "error", "the same text twice un-struck in one document (a warning across documents)",
    "Strike or take out one of them.", "entries", duplicate_entries,
)
TWO_VERSIONS = Rule(
    "two-versions", "error",
    "two un-struck version lines in one decision, or the same title un-struck twice in one scope (outside decisions: possible)",
    "Strike the one that no longer holds, with the date; or give them titles or scopes that tell them apart.", "entries",
    two_versions,
)
TOMBSTONE_REPEAT = Rule(
    "tombstone-repeat", "error", "an active entry with a tombstone's title in its scope (a warning for a candidate)",
    "Strike or reject the entry; if the rejection no longer holds, strike the tombstone first, with the reason.", "entries",
    tombstone_repeats,
)
RULES = (DUPLICATE_ENTRY, TWO_VERSIONS, TOMBSTONE_REPEAT)
