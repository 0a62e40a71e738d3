"""What an entry is in each file of this layout, in all the forms that are in the field (docs/custodian.md).

Structure alone decides, never a word's meaning: headings, bullets, labels that stand as labels, and the fixed phrases of
an empty inbox. Whether a text is an entry must not depend on its neighbours coming and going, or a plan could not be
verified; so an introduction is an entry either always or never in a role.
"""

from __future__ import annotations

import re

from memdesk.core import fields as words
from memdesk.core.layouts.inbox import is_placeholder
from memdesk.core.layouts.texts import HEADING_WIDTH, item_text, one_line
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from typing import TypeAlias

    from memdesk.core.markdown import Block
    from memdesk.core.model import Document

# Labels of protocol 0.6 and later beside those that `fields` knows.
LABELS = words.LABELS | {
    "area", "constraint", "preference", "promoted-from", "promoted-to", "rejected", "superseded-by", "tombstone", "type",
}  # fmt: skip
ONE_LINE = frozenset({
    "candidate-type", "date", "facet", "promoted-from", "promoted-to", "status", "struck", "subject", "superseded",
    "superseded-by", "type",
})  # fmt: skip
# Below a heading with an id these are labels too; elsewhere they are words like any others.
OWN_ONE_LINE = ONE_LINE | {
    "canonical-ref", "entry-type", "exception-to", "kind", "merged-into", "provisional-facet", "provisional-subject", "scope",
}  # fmt: skip
OWN_LABELS = LABELS | OWN_ONE_LINE | {"aliases", "profile", "rule"}
BODIES = ("decision", "constraint", "preference", "rejected", "rule", "profile", "statement")  # labels of what an entry says
UNKNOWN_TYPE = "inbox"  # the type of a candidate of which nobody said what it could become
PAST = frozenset({"superseded", "retired", "rejected", "withdrawn", "obsolete", "archived", "promoted", "merged"})


class Group(NamedTuple):
    """A level-2 heading with the blocks below it, or (`heading` None) blocks under none. `path`: titles above."""

    heading: Block | None
    title: str
    blocks: list[Block]  # at depth 0, without the heading
    path: tuple[str, ...]


def entries(document: Document) -> list[Entry]:
    """The entries of a document in source order."""
    role = document.place.role
    if role == "manifest":
        return []
    reading = _Reading(document)
    known = {} if document.known is None else _parts(document.known)
    found: list[Entry] = []
    for group in groups(document):
        part = known.get(_key(document, group)) if known else None
        if part is not None:
            by, lines = _first(group).start - part.block.start, _first(group).line - part.block.line
            found += [entry.moved(document, by, lines) for entry in part.entries]
        elif role == "inbox":
            found += reading.inbox(group)
        elif group.heading is None:
            found += reading.outside(group)
        else:
            found += reading.section(group)
    return found


class _Part(NamedTuple):
    """The entries of one group of an earlier reading, and the block that the group began with."""

    block: Block
    entries: list[Entry]


_Key: TypeAlias = "tuple[tuple[str, ...], tuple[str, ...], bytes]"


def _parts(document: Document) -> dict[_Key, _Part]:
    """A reading's entries by group: what is in a group is said by its bytes and by the titles above it alone."""
    found: dict[_Key, _Part] = {}
    entries, at = document.entries, 0
    for group in groups(document):
        end = _last(group).end
        start = at
        while at < len(entries) and entries[at].start < end:
            at += 1
        found[_key(document, group)] = _Part(_first(group), entries[start:at])
    return found


def _key(document: Document, group: Group) -> _Key:
    kinds = tuple([block.kind for block in group.blocks])
    return group.path, kinds, document.data[_first(group).start : _last(group).end]


def _first(group: Group) -> Block:
    return group.heading or group.blocks[0]


def _last(group: Group) -> Block:
    return group.blocks[-1] if group.blocks else _first(group)


def groups(document: Document) -> list[Group]:
    """A document's blocks by level-2 heading; a level-1 heading ends the section before it."""
    found: list[Group] = []
    title = ""
    current = Group(None, "", [], ())
    for block in document.page.blocks:
        if block.depth:
            continue
        if block.kind == "heading" and block.level <= 2:
            if current.heading is not None or current.blocks:
                found.append(current)
            name = one_line(document, block)
            if block.level == 1:
                title = name
                current = Group(None, "", [], (title,))
            else:
                current = Group(block, name, [], (title,) if title else ())
        else:
            current.blocks.append(block)
    if current.heading is not None or current.blocks:
        found.append(current)
    return found


_ID = lazy(r"(MC-[A-Z]+-(\d{4})(\d{2})(\d{2})-[0-9A-Za-z]+)\s*(?:[—–:-]\s*)?(.*)", re.DOTALL)
_TOMBSTONE = lazy(r"tombstone\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_SUPERSEDED_BY = lazy(r"(?:\d{4}-\d{2}-\d{2}\s+)?by\s+(?=\S)")
_SOURCE = lazy(r"(?:repo|doc|test):\s*`?([^\s`]+)`?")
_QUIET = frozenset({"html", "definition", "rule"})  # blocks that are no text of an entry
# roles whose text before the first section or bullet is an entry of its own; elsewhere it introduces the file
_BODIES = frozenset({"brief", "other", "subjects", "archive", "rule", "profile", "area"})
_LINES = frozenset({"constraints", "preferences", "rule", "profile", "changelog", "area", "do-not-use"})
_EVIDENCE_TAGS = {"user-confirmed": "stated", "agent-observed": "observed"}


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.role = document.place.role

    def inbox(self, group: Group) -> list[Entry]:
        """Candidates: bullets, or a whole section without bullets or with `Status: candidate`."""
        bullets = [block for block in group.blocks if block.kind == "item"]
        if group.heading is None:
            return self._bullets(group, bullets, None, candidate=True)
        whole = _identified(group.title) is not None
        if not whole and bullets:
            whole = _status(_fields(self._own(group))) == "candidate"
        if bullets and not whole:
            date, _ = words.split_date(group.title)
            return self._bullets(group, bullets, date, candidate=True)
        texts = [block for block in group.blocks if block.kind not in _QUIET]
        if not texts and (group.blocks or words.is_date(group.title)) and not whole:
            return []  # a dated heading that was left behind, or one with a comment on what to put there
        if len(texts) == 1 and texts[0].kind == "paragraph" and is_placeholder(self._text(texts[0].start, texts[0].end)):
            return []
        entry = self._section(group, group.blocks)
        entry.candidate = not entry.struck and (entry.status or "candidate") == "candidate"
        return [entry]

    def outside(self, group: Group) -> list[Entry]:
        """Bullets under no level-2 heading, and where the role has it the text before them."""
        bullets = [block for block in group.blocks if block.kind == "item"]
        found: list[Entry] = []
        first = group.blocks.index(bullets[0]) if bullets else len(group.blocks)
        intro = group.blocks[:first]
        while intro and (intro[-1].kind in _QUIET or (intro[-1].kind == "heading" and bullets)):
            intro.pop()
        while intro and intro[0].kind in _QUIET:
            intro.pop(0)
        if intro and self.role in _BODIES:
            found.append(self._body_entry(group, intro))
        return found + self._bullets(group, bullets, None)

    def section(self, group: Group) -> list[Entry]:
        """A section as one entry, or the bullets of one that only groups them; one-line decisions always stand alone."""
        bullets = [block for block in group.blocks if block.kind == "item"]
        if not bullets:
            return [self._section(group, group.blocks)]
        if self.role in ("decisions", "area", "archive"):
            cut = self._one_liners(group)
            if cut < len(group.blocks):
                rest = self._bullets(group, group.blocks[cut:], words.split_date(group.title)[0])
                if cut == 0 and self._groups(group):
                    return rest
                return [self._section(group, group.blocks[:cut]), *rest]
        if self.role in _LINES and self._is_list(group):
            return self._bullets(group, bullets, words.split_date(group.title)[0])
        if self.role in ("decisions", "archive") and words.is_date(group.title) and len(bullets) == len(group.blocks):
            return self._bullets(group, bullets, group.title)
        return [self._section(group, group.blocks)]

    def _groups(self, group: Group) -> bool:
        """Whether a heading can only group what is below it: no id, no title behind a date, not struck."""
        if _identified(group.title) or words.is_struck(group.title) or _TOMBSTONE.match(group.title):
            return False
        date, rest = words.split_date(group.title)
        return date is None or not rest.strip()

    def _is_list(self, group: Group) -> bool:
        """Whether the bullets of a section are its entries: it has no fields, and in an area no prose of its own."""
        if not self._groups(group):
            return False
        prose = [block for block in group.blocks if block.kind not in _QUIET and block.kind not in ("item", "heading")]
        if prose and self.role in ("area", "do-not-use"):
            return False
        return not prose or not (words.labelled(self._body(group), LABELS).keys() - {""})

    def _one_liners(self, group: Group) -> int:
        """Where the one-line decisions at a section's end begin, as an index into its blocks."""
        cut = len(group.blocks)
        while cut and group.blocks[cut - 1].kind == "item" and words.one_line(item_text(self.document, group.blocks[cut - 1])):
            cut -= 1
        if cut < len(group.blocks) and cut and group.blocks[cut - 1].kind == "paragraph":
            before = group.blocks[cut - 1]
            if self._text(before.start, before.end).rstrip().rstrip("*_").endswith(":"):
                return len(group.blocks)  # they are what a label introduces
        return cut

    def _section(self, group: Group, blocks: list[Block]) -> Entry:
        heading = group.heading
        assert heading is not None
        last = blocks[-1] if blocks else heading
        struck = words.is_struck(group.title)
        title = words.unstruck(group.title) if struck else group.title
        tag, bare = words.split_tag(title)
        date, rest = words.split_date(bare)
        body = self._text(heading.end, last.end) if blocks else ""
        ident = _identified(rest)
        found = (_fields(body, OWN_LABELS, OWN_ONE_LINE) if ident else _fields(body)) if body else {}
        if self.role in ("decisions", "area") and "" in found and "decision" not in found:
            found["decision"] = found[""]
        if ident:
            found["id"] = ident[1]
            rest = ident[5]
            stamp = f"{ident[2]}-{ident[3]}-{ident[4]}"
            date = date or (stamp if words.is_date(stamp) else None)
        tombstone = _TOMBSTONE.match(rest)
        if tombstone or self.role == "do-not-use":
            inline = words.inline_fields(body)
            found = {**inline, **found} if ident else {**found, **inline}
        found["title"] = " ".join((tombstone[1] if tombstone else rest).split())
        if ident:
            tag = tag or next((own for name in BODIES if (own := words.split_tag(found.get(name, ""))[0])), None)
        status = _status(found)
        own = found.get("date", "")[:10]
        source = found.get("source") or (found.get("from") or None)
        for item in words.items(found.get("evidence", "")):
            tag = tag or _EVIDENCE_TAGS.get(item.strip("`. ").casefold())
            match = _SOURCE.match(item)
            source = source or (match[1] if match else None)
        kind = found.get("candidate-type", "").casefold()
        if kind and kind != UNKNOWN_TYPE:
            found["for"] = kind
        return Entry(
            self.document, kind="section", start=heading.start, end=last.end, line=heading.line, end_line=last.end_line,
            heading=title, heading_path=group.path, struck=struck or status in PAST, tag=tag,
            date=date or (own if words.is_date(own) else None), source=source, status=status, fields=found,
            relations=_relations(found),
        )

    def _bullets(self, group: Group, blocks: list[Block], date: str | None, candidate: bool = False) -> list[Entry]:
        found: list[Entry] = []
        path = (*group.path, group.title) if group.heading is not None else group.path
        wanted = {block.start for block in blocks}
        above: list[Block] = []  # headings of level 3 and below that stand over the block
        for block in group.blocks:
            if block.kind == "heading":
                while above and above[-1].level >= block.level:
                    above.pop()
                above.append(block)
            if block.start not in wanted or block.kind != "item":
                continue
            text = item_text(self.document, block)
            struck = words.is_struck(text)
            if candidate and not struck and is_placeholder(text):
                continue
            below = (*path, *(one_line(self.document, heading) for heading in above)) if above else path
            found.append(self._bullet(block, text, struck, below, date, candidate))
        return found

    def _bullet(
        self, block: Block, text: str, struck: bool, path: tuple[str, ...], date: str | None, candidate: bool
    ) -> Entry:
        plain = words.unstruck(text) if struck else text
        tag, rest = words.split_tag(plain)
        found: dict[str, str] = {}
        source = None
        if candidate:
            rest, found = words.bracket(rest)
            source = found.get("from")
        elif self.role in ("decisions", "area", "archive"):
            line = words.one_line(rest)
            if line is not None:
                date, rest = line.date, line.text
                found["decision"] = line.text
                if line.reason:  # what follows it as `Scope: ...` is a field of its own
                    found.update(words.inline_fields("Reason: " + line.reason, ("reason", "scope", "source")))
        elif self.role == "do-not-use":
            found = words.inline_fields(rest)
            date = found.get("date", date)
        found["text"] = rest
        return Entry(
            self.document, kind="bullet", start=block.start, end=block.end, line=block.line, end_line=block.end_line,
            heading=plain.partition("\n")[0].strip()[:HEADING_WIDTH], heading_path=path, struck=struck,
            candidate=candidate and not struck, tag=tag, date=date or words.newest_date(plain), source=source, fields=found,
        )

    def _body_entry(self, group: Group, blocks: list[Block]) -> Entry:
        first, last = blocks[0], blocks[-1]
        text = self._text(first.start, last.end).strip("\n")
        return Entry(
            self.document, kind="body", start=first.start, end=last.end, line=first.line, end_line=last.end_line,
            heading=text.partition("\n")[0].strip()[:HEADING_WIDTH], heading_path=group.path, date=words.newest_date(text),
            fields={"text": text},
        )

    def _own(self, group: Group) -> str:
        """What a section says itself: its text and, unless its heading only dates them, the first lines of its bullets."""
        blocks = [block for block in group.blocks if block.kind != "item" or not words.is_date(group.title)]
        texts = [(block.kind, self._text(block.start, block.end)) for block in blocks]
        return "\n".join(text.partition("\n")[0] if kind == "item" else text for kind, text in texts)

    def _body(self, group: Group) -> str:
        if not group.blocks or group.heading is None:
            return ""
        return self._text(group.heading.end, group.blocks[-1].end)

    def _text(self, start: int, end: int) -> str:
        return self.document.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")


def _identified(title: str) -> re.Match[str] | None:
    """The id that a title begins with, in its parts."""
    return _ID.match(title) if title.startswith("MC-") else None


def _fields(body: str, labels: frozenset[str] = LABELS, one_line: frozenset[str] = ONE_LINE) -> dict[str, str]:
    """The labelled fields below a heading. A label of one line ends with it: text further down is the entry's own again."""
    found = words.labelled(body, labels)
    for label in one_line & found.keys():
        line, newline, rest = found[label].partition("\n")
        if newline:
            found[label] = line.strip()
            if rest.strip():
                found[""] = "\n\n".join(part for part in (found.get("", ""), rest.strip()) if part)
    return found


def _status(found: dict[str, str]) -> str | None:
    return found.get("status", "").strip().strip(".`").casefold() or None


def _relations(found: dict[str, str]) -> tuple[tuple[str, str], ...]:
    relations = []
    for item in words.items(found.get("supersedes", "")):
        relations.append(("supersedes", item))
    for item in words.items(found.get("superseded-by", "")):
        relations.append(("superseded-by", item))
    line = found.get("superseded", "")
    match = _SUPERSEDED_BY.match(line) if line else None
    if match:
        relations.append(("superseded-by", line[match.end() :].strip().rstrip(".").strip("\"“”`")))
    return tuple(relations)
