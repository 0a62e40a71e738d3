"""A record's status as a word, and its relations to other records, read off one line of text. Never a guess: what doesn't
begin with a known word has no status."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from memdesk.core.layouts.records import links
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy

KNOWN = ("draft", "proposed", "on hold", "accepted", "implemented", "rejected", "deprecated", "superseded")
_WORDS = {**{word: word for word in KNOWN}, "on-hold": "on hold", "superceded": "superseded"}
CURRENT = frozenset({"accepted", "implemented"})
OPEN = frozenset({"draft", "proposed"})
CLOSED = frozenset({"rejected", "deprecated", "superseded"})
KINDS = ("supersedes", "superseded-by", "amends", "amended-by", "relates")
NOTHING = frozenset({
    "", "none", "nothing", "n/a", "na", "-", "\u2013", "\u2014", "tbd", "no", "not applicable", "nil", "null",
    "...", "n.a", "not yet", "nobody",
})

_BY = r"(?:(?:,? \(?(?:on )?[0-9]{4}-[0-9]{2}-[0-9]{2}\)?,?)?[ _-]by)"
_KINDS = (
    ("amended-by", rf"partial(?:ly)?[ _-](?:super[sc]eded|replaced){_BY}|super[sc]eded[ _-]in[ _-]part{_BY}|amended{_BY}"),
    ("amends", r"partial(?:ly)?[ _-](?:super[sc]edes|replaces)|super[sc]edes[ _-]in[ _-]part|amends"),
    ("superseded-by", rf"(?:super[sc]eded|replaced){_BY}"),
    ("supersedes", r"super[sc]edes|replaces"),
    ("relates", r"relate(?:s|d)(?:[ _-]to)?|see[ _-]also|clarifies|clarified[ _-]by|refines|refined[ _-]by|depends[ _-]on"),
)
_KIND = lazy(r"(?<![\w-])(?:" + "|".join(f"(?P<k{at}>{words})" for at, (_, words) in enumerate(_KINDS)) + r")(?![\w-])", 2)
_HINTS = ("supers", "superc", "replace", "amend", "relate", "see", "clarif", "refine", "depend")  # one is in every kind
_STRUCK = lazy(r"~~[^~\n]{0,500}+~~")
_WORD = lazy(r"[^\W\d_][\w-]*+")
_AFTER = lazy(r"\s*+(?:\Z|[.,;:()\[\]!\u00b7\u2022\u2013\u2014-]|(?=[\w\"'`<@#&+]))")
# What stands behind a word that is one of several: a bar, an arrow, `or`, or after a comma another status, unless that one
# goes on (`Rejected, superseded by ADR-0007`).
_CHOICE = lazy(
    r"\s*+(?:[|/\\\u2192?=]|-+>|\bor\b|,\s*+(?:draft|proposed|accepted|rejected|deprecated|superseded)\b(?!,?\s+\(?(?:on|by)\b))"
)
_JOIN = lazy(r"[\s,;&+:.*_`()\[\]]*+(?:and|by|to|ADRs?|records?|decisions?)?[\s:#*_`(\[]*+", 2)
_PART = lazy(r"[\s,;:*_\u2013\u2014-]*+\(?(?:in part|partly|partially)\b", 2)  # behind the record that it is about
_BARE = lazy(r"(?<![\w./-])#?([0-9]{1,5})(?![\w/])(?!-[0-9])")
_DATE = lazy(r"(?<![\w-])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w-])")


class Read(NamedTuple):
    """A status: one of KNOWN, or None; `rest` is what follows the word."""

    status: str | None
    rest: str = ""


def read(text: str, own: Mapping[str, str] = {}) -> Read:
    """The status that a line begins with. `own`: further words -> one of KNOWN."""
    said = bare(text)
    folded = " ".join(said.casefold().split())
    words = {**_WORDS, **own} if own else _WORDS
    starts = [word for word in words if folded.startswith(word.casefold())]
    for word in sorted(starts, key=len, reverse=True):
        rest = folded[len(word) :]
        if rest[:1].isalnum() or rest[:1] == "_" or _CHOICE.match(rest) or not _AFTER.match(rest):
            return Read(None)
        return Read(words[word], rest)
    return Read(None)


def bare(text: str) -> str:
    """A status without emphasis, brackets around it, comments, what is struck, and signs before it."""
    text = _without(text)
    text = text.replace("*", "").replace("`", "").strip().strip("_").strip()
    word = _WORD.search(text)
    if word is not None and not text[: word.start()].strip(" \t[({\"'").isalnum():
        text = text[word.start() :] if not any(char.isalnum() for char in text[: word.start()]) else text
    return text


def rank(role: str, status: str | None) -> str:
    """What a document of that role and status ranks as: only an accepted record is one, only a design record whose work is
    going on is one. A record that is rejected or superseded is closed."""
    if role == "record":
        return "record" if status in CURRENT else "closed" if status in CLOSED else "note"
    if role == "design":
        return "note" if status is None or status == "implemented" or status in CLOSED else "design"
    return "term" if role == "glossary" else "note"


def kind(label: str) -> str | None:
    """The relation that a label names (`Superseded by`, `supersedes`), or None."""
    match = _KIND.fullmatch(label.strip().replace("_", " "))
    return None if match is None else _of(match)


def relations(
    text: str, label: str | None = None, elsewhere: Callable[[str], bool] = lambda path: False
) -> list[tuple[str, str]]:
    """The relations that a line states, as (kind, target). `label`: the kind that a label before the text names. Where a
    line begins with the kind, what follows is the target as written if it names no record that can be told. `elsewhere`:
    whether a link's path leads to where numbers mean other records; then the path is the target."""
    if label is None and not any(hint in text.casefold() for hint in _HINTS):
        return []
    found: list[tuple[str, str]] = []
    said = _without(text)
    marks = [(match.start(), match.end(), _of(match)) for match in _KIND.finditer(said) if not _in_link(said, match.start())]
    first = marks[0][0] if marks else len(said)
    if label is not None:
        found += _related(label, said[:first], True, elsewhere)
    for at, (start, end, name) in enumerate(marks):
        stop = marks[at + 1][0] if at + 1 < len(marks) else len(said)
        leads = label is None and not any(char.isalnum() for char in said[:start])
        found += _related(name, said[end:stop], leads, elsewhere)
    return list(dict.fromkeys(found))


def leading(text: str) -> str | None:
    """The relation that a line begins with, signs aside; None for another line."""
    match = _KIND.search(text)
    return None if match is None or any(char.isalnum() for char in text[: match.start()]) else _of(match)


def date(text: str) -> str | None:
    """The first calendar date in a text."""
    from memdesk.core.fields import is_date

    return next((match[1] for match in _DATE.finditer(text) if is_date(match[1])), None)


def _target(ref: links.Ref, elsewhere: Callable[[str], bool]) -> str:
    if ref.path is not None and (ref.number is None or elsewhere(ref.path)):
        return ref.path
    return str(ref.number)


def _inside(refs: Sequence[links.Ref], start: int, stop: int) -> links.Ref | None:
    """The reference that begins within what joins: `ADR` and brackets belong to either. `refs`: in their order."""
    at = bisect_left(refs, start, key=lambda ref: ref.start)
    return refs[at] if at < len(refs) and refs[at].start <= stop else None


def _of(match: object) -> str:
    at = next(at for at in range(len(_KINDS)) if match.group(f"k{at}") is not None)  # type: ignore[attr-defined]
    return _KINDS[at][0]


def _in_link(text: str, at: int) -> bool:
    """Whether an offset is inside the brackets of a link, whose text is another record's title. As far as a link's text goes,
    so that a long line costs no more than its length."""
    opened = text.rfind("[", max(at - links.LONGEST, 0), at)
    return opened >= 0 and text.find("]", opened, at) < 0 and text.find("](", at, at + links.LONGEST) >= 0


def _without(text: str) -> str:
    """A text without comments and what is struck."""
    text = _STRUCK.sub("", text) if "~~" in text else text
    out, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        out.append(text[at:start])
        at = end + 3
    return "".join([*out, text[at:]])


_WEAKER = {"superseded-by": "amended-by", "supersedes": "amends"}


def _related(kind: str, text: str, leads: bool, elsewhere: Callable[[str], bool]) -> list[tuple[str, str]]:
    """The relations of one kind; what is superseded in part is amended."""
    targets, end = _targets(text, leads, elsewhere)
    if kind in _WEAKER and _PART.match(text, end):
        kind = _WEAKER[kind]
    return [(kind, target) for target in targets]


def _targets(text: str, leads: bool, elsewhere: Callable[[str], bool]) -> tuple[list[str], int]:
    """The records in the list that a text begins with, and where it ends; where it begins with none and `leads`, the one
    that its first sentence names, or what is written."""
    inside = links.references(text)
    refs = {ref.start: ref for ref in inside}
    found, position = [], 0
    while True:
        joint = _JOIN.match(text, position)
        stops = (joint.end() if joint else position, position)
        ref = next((refs[stop] for stop in stops if stop in refs), None) or _inside(inside, position, stops[0])
        bare = _BARE.match(text, stops[0])
        if ref is not None:
            found.append(_target(ref, elsewhere))
            position = ref.end
        elif bare is not None and int(bare[1]):
            found.append(str(int(bare[1])))
            position = bare.end()
        else:
            break
    if found or not leads:
        return found, position
    if len(refs) == 1:
        return [_target(ref, elsewhere) for ref in refs.values()], next(iter(refs.values())).end
    written = text.strip(" \t:*_`.").partition(". ")[0].strip(" \t:*_`.[]()")
    nothing = written.casefold() in NOTHING or not any(char.isalnum() for char in written)
    return ([] if nothing else [written]), len(text)
