"""The forms in which this layout writes facts, as text with LF endings (docs/agent-memory.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from memdesk.core import fields, markdown
from memdesk.core.errors import Refused
from memdesk.core.gate import Signal
from memdesk.core.layouts import shape, texts
from memdesk.core.layouts.agent_memory.entries import parts
from memdesk.core.layouts.agent_memory.lint import Lint

_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")
_CLOSES = re.compile(r"[()\[\];~*\n]")


def fact(
    text: str, words: Mapping[str, str], today: date, lint: Lint, marker: str = "-", seen: Sequence[Signal] = ()
) -> str:
    """A fact line: `- [tag] text (DATE, from SOURCE)`, with the trail of a lesson's signals behind its source. List items
    below it carry the tag too: each is a fact line of its own. Raises Refused."""
    tag = tag_of(words, lint)
    first, rest = _split(_said(text, lint))
    bracket = f"({'; '.join([_origin(words, today), *_trail(seen)])})"
    body = f"[{tag}] {texts.flat(first)} {bracket}"
    if rest:
        body += "\n" + _tagged_items(rest, tag, lint)
    shape.words(text)
    return shape.bullet(texts.bullet(body, marker))


def version(text: str, words: Mapping[str, str], today: date, lint: Lint) -> str:
    """A version as a paragraph: `**text** [tag] (DATE, from SOURCE)`. Raises Refused for a text of several blocks."""
    said = _said(text, lint)
    shape.words(said)
    if not shape.is_paragraph(said):
        raise Refused("A version is one paragraph.", remedy="Put the rest below it by hand.", field="with")
    return f"**{texts.flat(said)}** [{tag_of(words, lint)}] ({_origin(words, today)})"


def section(text: str, words: Mapping[str, str], today: date, lint: Lint, level: int) -> str:
    """A version as a section: its first line the heading, with its tag; the rest below, closed by date and source."""
    said = _said(text, lint)
    first, _, rest = said.partition("\n")
    shape.words(said)
    heading = f"{'#' * level} {texts.flat(first)} [{tag_of(words, lint)}]"
    body = f"{rest.strip()}\n\n({_origin(words, today)})" if rest.strip() else f"({_origin(words, today)})"
    return f"{heading}\n\n{body}"


def candidate(text: str, words: Mapping[str, str], today: date, lint: Lint, marker: str = "-") -> str:
    """A note's line: `- [tag] text (DATE, from SOURCE; for: KIND; reason: WHY)`."""
    known = [_origin(words, today)]
    for key, label in (("kind", "for"), ("reason", "reason")):
        if words.get(key):
            known.append(f"{label}: {_inside(key, words[key])}")
    first, rest = _split(_said(text, lint))
    tag = tag_of({"tag": words.get("tag") or "inferred"}, lint)
    body = f"[{tag}] {texts.flat(first)} ({'; '.join(known)})"
    if rest:
        body += "\n" + rest
    shape.words(text)
    return shape.bullet(texts.bullet(body, marker))


def lesson(words: Mapping[str, str], text: str) -> str:
    """A lesson as data, where its two fields are given: `When X broke, Y fixed it`. Raises Refused for one without the
    other."""
    when, fixed = (texts.flat(words.get(key, "")).strip(" .,") for key in ("when", "fixed"))
    if words.get("tag") != "inferred" or not (when or fixed):
        return text
    if not (when and fixed):
        missing = "fixed" if when else "when"
        raise Refused("A lesson says both when it showed itself and what fixed it.", remedy="Give both.", field=missing)
    when = re.sub(r"\Awhen\s+", "", when, flags=re.IGNORECASE)
    fixed = re.sub(r"\s+fixed it\Z", "", fixed, flags=re.IGNORECASE)
    return f"When {when}, {fixed} fixed it"


def tag_of(words: Mapping[str, str], lint: Lint) -> str:
    """The one tag of a new fact. Raises Refused without one, and for one that the store's settings don't know: their tool
    would count the line as bare."""
    tag, known = words.get("tag", ""), choices(lint)
    if tag not in known:
        what = f"{lint.file} has no tag {tag!r}." if tag else "Every fact carries one tag."
        stated = ": stated is for what you confirm yourself" if "stated" in known else ""
        raise Refused(what, field="tag", remedy=f"Choose {', '.join(known)} (--tag){stated}.")
    return tag


def choices(lint: Lint) -> tuple[str, ...]:
    """The tags that a new fact can get: of the four those that the settings have."""
    return tuple(tag for tag in fields.TAGS if tag in lint.tags)


def new_file(title: str) -> bytes:
    """The first bytes of a file: its title."""
    return f"# {title}\n".encode()


def _said(text: str, lint: Lint) -> str:
    """A text without tags, provenance and pointer of its own: it gets new ones."""
    read = parts(text.strip("\n"), lint.tags)
    said = read.text
    if read.struck:
        raise Refused("The text would be read as struck already.", field="text", remedy="Take the ~~ out.")
    if not said.strip():
        raise Refused("There is no text.", field="text", remedy="Say what holds.")
    return said


def _origin(words: Mapping[str, str], today: date) -> str:
    """`2026-04-12, from the client meeting`. The day is today for what a person states; what was only observed or inferred
    keeps its own, and a figure the one that is given."""
    own = words.get("dated", "") if words.get("tag") != "stated" else ""
    observed = words.get("observed", "").strip() or own
    if observed and not fields.is_date(observed):
        raise Refused("That is no date.", remedy="Write it as YYYY-MM-DD.", field="observed")
    day = observed or today.isoformat()
    return f"{day}, from {_inside('source', words['source'])}" if words.get("source") else day


def _trail(seen: Sequence[Signal]) -> list[str]:
    """The dates and files of a lesson's signals, oldest first."""
    ordered = sorted(seen, key=lambda signal: (signal.date, signal.path, signal.line))
    return ["seen " + ", ".join(f"{signal.date.isoformat()} in {signal.path}" for signal in ordered)] if ordered else []


def _inside(field: str, value: str) -> str:
    """A value that can stand in a bracket. Raises Refused."""
    value = texts.flat(value)
    shape.words(value, field)
    if _CLOSES.search(value):
        raise Refused(
            f"The {field} can't stand in the bracket behind a fact.", field=field,
            remedy="Leave out brackets, semicolons, asterisks and tildes.",
        )
    return value


def _split(text: str) -> tuple[str, str]:
    """A text's first paragraph, and the blocks below it."""
    page = markdown.parse(text.encode("utf-8", "surrogateescape"))
    first = next((block for block in page.blocks if not block.depth), None)
    if first is None or first.kind != "paragraph":
        return text, ""
    data = text.encode("utf-8", "surrogateescape")
    rest = data[first.end :].decode("utf-8", "surrogateescape")
    return data[: first.end].decode("utf-8", "surrogateescape").strip(), rest.rstrip("\n")


def _tagged_items(text: str, tag: str, lint: Lint) -> str:
    """The list items of a text with the tag in each that has neither tag nor strike."""
    page = markdown.parse(text.encode("utf-8", "surrogateescape"))
    starts = {block.line for block in page.blocks if block.kind == "item"}
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _ITEM.match(line) if number in starts else None
        body = line[match.end() :] if match else ""
        said = parts(body, lint.tags)
        if match and body.strip() and not said.tag and not said.struck:
            line = f"{line[: match.end()]}[{tag}] {body}"
        out.append(line)
    return "\n".join(out)
