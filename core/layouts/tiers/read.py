"""What an entry is in each file of this layout (docs/tiers.md).

A fact's file is one entry. Of a log each bullet and each paragraph is one, and of the index each line that names a file. In the
inbox and in working files, bullets are candidates, and sections without bullets; so is text of a working file that stands
under no section, but for what introduces the file. Whether a text is an entry does not depend on its neighbours, but where
a section loses its last bullet (`core/layouts/inbox.py`).
"""

from __future__ import annotations

from memdesk.core import fields
from memdesk.core.layouts import spans
from memdesk.core.layouts.inbox import WAITING, is_placeholder
from memdesk.core.layouts.texts import HEADING_WIDTH, item_text, one_line
from memdesk.core.layouts.tiers import facts, indexlines
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block
    from memdesk.core.model import Document


def entries(document: Document) -> list[Entry]:
    """The entries of a document, in source order."""
    role = document.place.role
    if role == "fact" or (role == "archive" and document.page.front is not None):
        return fact(document)
    if role == "index":
        return index(document)
    return _Reading(document).waiting() if role in WAITING else _Reading(document).lines()


def fact(document: Document) -> list[Entry]:
    """The one entry of a fact's file; none in a file without text."""
    page = document.page
    start, end = page.bom, len(document.data.rstrip(b" \t\r\n"))
    if end <= start:
        return []
    newline = document.data.find(b"\n", end)
    stop = len(document.data) if newline < 0 else newline + 1
    first = start + len(document.data[start:end]) - len(document.data[start:end].lstrip(b" \t\r\n"))
    start = document.data.rfind(b"\n", start, first) + 1 or start
    said = facts.fact_of(document)
    known = {"title": said.name, "text": said.body, "name": facts.stem(document.path)}
    for label in ("description", "type", "owner", "updated", "review_by"):
        if value := getattr(said, label):
            known[label] = value
    if said.tags:
        known["tags"] = ", ".join(said.tags)
    if why := facts.why_of(document):
        known["reason"] = why
    date = said.updated[:10]
    return [
        Entry(
            document, kind="file", start=start, end=stop, line=page.line_of(start), end_line=page.line_of(end - 1),
            heading=said.name, date=date if fields.is_date(date) else fields.newest_date(said.body), fields=known,
        )
    ]


def index(document: Document) -> list[Entry]:
    """The lines of an index that name facts."""
    found = []
    for line in indexlines.lines(document):
        known = {"title": line.name, "text": line.description or line.name, "to": line.target}
        end_line = document.page.line_of(max(line.start, line.end - 1))
        found.append(
            Entry(
                document, kind="bullet", start=line.start, end=line.end, line=line.line, end_line=end_line, heading=line.name,
                fields=known,
            )
        )
    return found


def day_of(path: str) -> str | None:
    """The date that a log's file name is; None for another name."""
    name = facts.stem(path)
    return name if fields.is_date(name) else None


_TIME = lazy(r"(?:\*\*)?([0-2]?[0-9]:[0-5][0-9])(?::[0-5][0-9])?(?:\*\*)?[ \t]*+(?:[-\u2013\u2014:|][ \t]++)?(?=\S)")
_QUIET = frozenset({"html", "definition", "rule"})  # blocks that are no text of an entry


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.role = document.place.role
        self.day = None if self.role in WAITING else day_of(document.path)
        self.above: list[Block] = []  # the headings above
        self.blocks = [block for block in document.page.blocks if not block.depth]
        self.attached = spans.attached(self.blocks)

    def lines(self) -> list[Entry]:
        """Each bullet and each paragraph with what belongs to it."""
        found = []
        for at, block in enumerate(self.blocks):
            if block.kind == "heading":
                self._pass(block)
            elif block.kind not in _QUIET and not self.attached[at]:
                found.append(self._text_entry(self._with_attached(at)))
        return found

    def waiting(self) -> list[Entry]:
        """Bullets and sections without any, as candidates."""
        found: list[Entry] = []
        at = 0
        while at < len(self.blocks):
            block = self.blocks[at]
            if block.kind != "heading" or block.level != 2:
                if block.kind == "heading":
                    self._pass(block)
                elif block.kind == "item":
                    found += self._bullet(block)
                elif self.role == "working" and block.kind not in _QUIET and not self.attached[at]:
                    introduces = at > 0 and self.blocks[at - 1].kind == "heading"
                    found.append(self._text_entry(self._with_attached(at), candidate=not introduces))
                at += 1
                continue
            self._pass(block)
            stop = at + 1
            while stop < len(self.blocks) and (self.blocks[stop].kind != "heading" or self.blocks[stop].level > 2):
                stop += 1
            found += self._group(block, self.blocks[at + 1 : stop])
            at = stop
        return found

    def _group(self, heading: Block, blocks: list[Block]) -> list[Entry]:
        if any(block.kind == "item" for block in blocks):
            found = []
            for block in blocks:
                if block.kind == "heading":
                    self._pass(block)
                elif block.kind == "item":
                    found += self._bullet(block)
            return found
        texts = [block for block in blocks if block.kind not in _QUIET]
        if not texts and (blocks or fields.is_date(one_line(self.document, heading))):
            return []
        if len(texts) == 1 and texts[0].kind == "paragraph" and is_placeholder(self._text(texts[0].start, texts[0].end)):
            return []
        return [self._section(heading, blocks)]

    def _section(self, heading: Block, blocks: list[Block]) -> Entry:
        last = blocks[-1] if blocks else heading
        title = one_line(self.document, heading)
        struck = fields.is_struck(title)
        plain = fields.unstruck(title) if struck else title
        tag, bare = fields.split_tag(plain)
        date, rest = fields.split_date(bare)
        text = self._text(heading.end, last.end).strip("\n") if blocks else ""
        known = {**fields.labelled(text), "title": " ".join(rest.split())}
        return Entry(
            self.document, kind="section", start=heading.start, end=last.end, line=heading.line, end_line=last.end_line,
            heading=plain, heading_path=self._path[:-1], struck=struck, candidate=not struck, tag=tag, date=date,
            source=known.get("source"), fields=known,
        )

    def _bullet(self, block: Block) -> list[Entry]:
        """A bullet as a candidate; none where it is one of the phrases that stand for none."""
        text = item_text(self.document, block)
        struck = fields.is_struck(text)
        if not struck and is_placeholder(text):
            return []
        plain = fields.unstruck(text) if struck else text
        tag, rest = fields.split_tag(plain)
        rest, known = fields.bracket(rest)
        source = known.get("from")
        known["text"] = rest
        dated = next((date for date in map(self._date, reversed(self.above)) if date), None)
        return [
            Entry(
                self.document, kind="bullet", start=block.start, end=block.end, line=block.line, end_line=block.end_line,
                heading=_first(plain), heading_path=self._path, struck=struck, candidate=not struck, tag=tag,
                date=dated or fields.newest_date(plain), source=source, fields=known,
            )
        ]

    def _text_entry(self, blocks: list[Block], candidate: bool = False) -> Entry:
        """A bullet of a log, or a paragraph, with what belongs to it."""
        first, last = blocks[0], blocks[-1]
        bullet = first.kind == "item"
        text = item_text(self.document, first) if bullet else self._text(first.start, last.end).strip("\n")
        struck = bullet and fields.is_struck(text)
        plain = fields.unstruck(text) if struck else text
        known: dict[str, str] = {}
        time = _TIME.match(plain) if self.day else None
        if time:
            known["at"] = time[1]
        tag, known["text"] = fields.split_tag(plain[time.end() :] if time else plain)
        return Entry(
            self.document, kind="bullet" if bullet else "body", start=first.start, end=last.end, line=first.line,
            end_line=last.end_line, heading=_first(plain), heading_path=self._path, struck=struck, candidate=candidate, tag=tag,
            date=self.day or fields.newest_date(plain), fields=known,
        )

    def _with_attached(self, at: int) -> list[Block]:
        stop = at + 1
        while stop < len(self.blocks) and self.attached[stop]:
            stop += 1
        return self.blocks[at:stop]

    def _pass(self, heading: Block) -> None:
        while self.above and self.above[-1].level >= heading.level:
            self.above.pop()
        self.above.append(heading)

    def _date(self, heading: Block) -> str | None:
        return fields.split_date(one_line(self.document, heading))[0]

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(one_line(self.document, block) for block in self.above)

    def _text(self, start: int, end: int) -> str:
        return self.document.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")


def _first(text: str) -> str:
    return text.partition("\n")[0].strip()[:HEADING_WIDTH]
