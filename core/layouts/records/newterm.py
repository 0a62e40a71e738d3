"""A new term in a glossary's own form and order, and a word that awaits it (docs/records.md)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.checks.secrets import brief
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans
from memdesk.core.layouts.records import words
from memdesk.core.layouts.records.terms import LABELS
from memdesk.core.layouts.texts import bullet, flat, to_avoid
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry

LONGEST = 80  # characters of a term
_SIGNS = re.compile(r"[*_|`#~<>\[\]\\:\n]|\A[-+.\d]+[.)]?\s")  # what would make a name something else
_SPLIT = re.compile(
    r"\s*(?:\*\*(?P<bold>[^*\n]{1,80}?):?\*\*\s{0,4}:?|(?P<plain>[^:\n]{1,80}?)\s{0,4}(?::|\s[\u2013\u2014-]))\s+(?P<text>\S.*)",
    re.DOTALL,
)
_AVOID = re.compile(r"\n[ \t]*+_?Avoid_?:_?[ \t]*+(?P<list>[^\n]+)\Z", re.IGNORECASE)
_LEAD = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)[^*\n]+?(?P<close>(?:\*\*|__)[ \t]*[:\u2013\u2014-]|:(?:\*\*|__))(?P<gap>[ \t]*\n?)"
)


class Term(NamedTuple):
    """A word, what it means, and the words to avoid for it, as a list with commas."""

    name: str
    text: str
    avoid: str = ""


def read(text: str) -> Term | None:
    """A term said in one text: `Word: what it means`, `**Word**: ...` or `Word - ...`, with `Avoid: a, b` at its end."""
    match = _SPLIT.fullmatch(text.strip())
    if match is None:
        return None
    said = match["text"].strip()
    avoid = _AVOID.search(said)
    return Term(
        flat(match["bold"] or match["plain"]), said[: avoid.start()].strip() if avoid else said,
        avoid["list"].strip() if avoid else "",
    )


def of(entry: Entry) -> Term:
    """What a term or a word that awaits the glossary says; the bracket at the end of such a line is none of it."""
    text = entry.fields.get("text", "")
    return Term(entry.fields.get("term") or entry.heading, fields.bracket(text)[0], entry.fields.get("avoid", ""))


def check(term: Term, known: Sequence[Entry], own: Entry | None = None) -> None:
    """Raises Refused for a word that can't be one entry, is defined already, or is one that another says to avoid."""
    name = term.name.strip()
    if not name or len(name) > LONGEST or _SIGNS.search(name) or name.casefold() in LABELS:
        remedy = f"Give the word itself, up to {LONGEST} characters, and none that marks a remark."
        raise Refused(f"{brief(name, 60)!r} is no term.", remedy=remedy, field="title")
    if not term.text.strip():
        raise Refused("A term needs a definition.", remedy="Say what the word means here.", field="text")
    for entry in known:
        if entry is own or entry.struck:
            continue
        if words.normal(entry.heading) == words.normal(name):
            remedy = "Edit that one, or leave it."
            raise Refused(f"{name!r} is defined already.", path=entry.path, line=entry.line, remedy=remedy, field="title")
        if words.normal(name) in map(words.normal, to_avoid(entry.fields.get("avoid", ""))):
            message = f"{entry.heading!r} says to avoid {name!r}."
            raise Refused(message, path=entry.path, line=entry.line, remedy=f"Use {entry.heading!r}.", field="title")
        wrong = [alias for alias in to_avoid(term.avoid) if words.normal(alias) == words.normal(entry.heading)]
        if wrong and entry.role == "glossary":
            message = f"{wrong[0]!r} is a term of its own and can't be avoided."
            raise Refused(message, path=entry.path, line=entry.line, remedy="Leave it out of the list.", field="avoid")


def insert(draft: Draft, document: Document, term: Term, section: str = "") -> None:
    """Puts a term among its like: in the alphabet's order where they are in it, else behind the last. Raises Refused."""
    shape.words(term.text)
    terms = [entry for entry in document.entries if not entry.struck]
    if section:
        terms = [entry for entry in terms if section in entry.heading_path]
        if not terms:
            raise Refused(f"There are no terms below {section!r}.", path=document.path, field="section")
    if not terms:
        draft.insert(document, len(document.data), _body(term, "**:", "\n"), loose=True, entry=True)
        return
    group = [entry for entry in terms if entry.heading_path == terms[-1].heading_path]
    after = next((entry for entry in group if _key(entry.heading) > _key(term.name)), None) if _sorted(group) else None
    like = after or group[-1]
    text = _like(like, term)
    loose = like.kind in ("section", "body") or (like.kind == "bullet" and _loose(document, group))
    draft.insert(document, after.start if after else group[-1].end, text, loose=loose, entry=True)


def waiting(term: Term, said: Mapping[str, str], marker: str = "-") -> str:
    """The line of a word that awaits the glossary: `- **Word**: what it means (from SOURCE; reason: WHY)`. Raises Refused."""
    known = [f"{label}{flat(said[key])}" for key, label in (("reason", "reason: "), ("source", "from ")) if said.get(key)]
    closing = f" ({'; '.join(known)})" if known else ""
    if closing and len(fields.bracket("x" + closing)[1]) != len(known):
        raise Refused(
            "What is said beside the definition can't stand in the bracket behind it.", field="reason",
            remedy="Leave out semicolons, line breaks and brackets without their like.",
        )
    body = f"**{term.name}**: {flat(term.text)}{closing}"
    if term.avoid:
        body += f"\n_Avoid_: {flat(term.avoid)}"
    shape.words(term.text)
    return shape.bullet(bullet(body, marker))


def _like(entry: Entry, term: Term) -> str:
    """The term in the form of a neighbour. Raises Refused."""
    document = entry.document
    raw = entry.text
    if entry.kind == "section":
        heading = spans.entry_heading(document.page, entry)
        level = heading.level if heading is not None else 2
        avoid = f"\n\n_Avoid_: {term.avoid}" if term.avoid else ""
        if re.search(r"^#{1,6}\s|^(?:=+|-+)\s*$", term.text, re.MULTILINE):
            raise Refused("The definition holds a heading.", remedy="Leave it out.", field="text")
        return f"{'#' * level} {term.name}\n\n{term.text}{avoid}"
    if entry.kind == "row":
        edge = "|" if raw.lstrip().startswith("|") else ""
        text = flat(term.text) + (f" _Avoid_: {flat(term.avoid)}" if term.avoid else "")
        if "|" in term.text or "|" in term.avoid:
            text = re.sub(r"(?<!\\)\|", r"\\|", text)
        bold = "**" if re.match(r"\|?\s*\*\*", raw.lstrip()) else ""
        inner = f"{bold}{term.name}{bold} | {text}"
        return f"| {inner} |" if edge else inner
    match = _LEAD.match(raw)
    if match is None:  # a word with `: text` below it
        avoid = f"\n: _Avoid_: {flat(term.avoid)}" if term.avoid else ""
        return f"{term.name}\n: {flat(term.text)}{avoid}"
    if entry.kind == "body":
        return _body(term, match["close"].replace("__", "**"), match["gap"])
    body = f"**{term.name}{match['close'].replace('__', '**')} {term.text}"
    if term.avoid:
        body += f"\n_Avoid_: {flat(term.avoid)}"
    return shape.bullet(bullet(body, spans.marker(document.page, entry.start)))


def _body(term: Term, close: str, gap: str) -> str:
    """A paragraph: the word in bold, its meaning behind it or on the next line, what to avoid below."""
    gap = "\n" if "\n" in gap else " "
    text = f"**{term.name}{close}{gap}{term.text}"
    return f"{text}\n_Avoid_: {flat(term.avoid)}" if term.avoid else text


def _sorted(group: Sequence[Entry]) -> bool:
    return len(group) > 1 and all(_key(one.heading) <= _key(two.heading) for one, two in pairwise(group))


def _key(name: str) -> str:
    return words.normal(name)


def _loose(document: Document, group: Sequence[Entry]) -> bool:
    gaps = [document.data[one.end : two.start] for one, two in pairwise(group)]
    return bool(gaps) and all(gap and not gap.strip() for gap in gaps)
