"""What an entry is in each file of this layout (docs/jonggrang.md).

Each bullet is one, and each paragraph with the code or quote below it; also what else holds words: a code block, an HTML block
that is no comment, a link's definition, for a compaction must find everything again that a fragment says. A line that says
that there is none is no entry, nor is a rule. Whether a text is an entry does not depend on its neighbours, but for headings of
fragments and notes that nothing stands below.
"""

from __future__ import annotations

from memdesk.core import fields, frontmatter
from memdesk.core.layouts import spans
from memdesk.core.layouts.jonggrang import front, sections
from memdesk.core.layouts.texts import HEADING_WIDTH, item_text, one_line
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Entry
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    import re

    from memdesk.core.markdown import Block
    from memdesk.core.model import Document


def entries(document: Document) -> list[Entry]:
    """The entries of a document, in source order."""
    return _Reading(document).all()


def promoted_on(text: str) -> str | None:
    """The day on which a line of Promotion Candidates was promoted, as the end of its first paragraph says; None where it
    wasn't."""
    match = _promotion(text)
    return match[1] if match else None


def unpromoted(text: str) -> str:
    """A line's text without the mark of its promotion, which stands at the end of its first paragraph."""
    match = _promotion(text)
    return text[: match.start()] + text[match.end() :] if match else text


_PROMOTED = lazy(r"[ \t\n](?:\u2192|->)[ \t]promoted[ \t]([0-9]{4}-[0-9]{2}-[0-9]{2})[ \t]{0,8}\Z")
_PARAGRAPH_END = lazy(r"\n[ \t]*+(?:\n|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\n|\Z)|```|~~~|>|#{1,6}[ \t])")
_STAMPED = lazy(r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}:[0-9]{2}\b|task-[0-9]+\b)")  # what a line of notes begins with
_TASK = lazy(r"(?<![\w-])task-[0-9]++(?![\w-])")
_STRUCK = frozenset({"item", "paragraph", "heading"})  # what can stand wholly within a strike
_RAW = frozenset({"fragment", "archive", "progress"})  # roles of what agents wrote on the way


def _promotion(text: str) -> re.Match[str] | None:
    end = _PARAGRAPH_END.search(text) if "\n" in text else None
    return _PROMOTED.search(text[: end.start()] if end else text)


class _Reading:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.page = document.page
        self.role = document.place.role
        self.name = front.named(document)
        self.blocks = [block for block in self.page.blocks if not block.depth]
        self.attached = spans.attached(self.blocks)
        headings = [block for block in self.blocks if self._heads(block)]
        self.level = sections.level_of(self.page, headings)
        self.above: list[Block] = []  # the headings above
        self.path: tuple[str, ...] = ()  # their titles
        self.section = ""  # the name of the section that is being read
        self.day = self._day()
        known = {"feature": self.name.feature, "task": self.name.task}
        if self.name.stamp is not None:
            known["stamp"] = self.name.stamp.strftime("%Y-%m-%dT%H:%M:%SZ")
        self.known = {key: value for key, value in known.items() if value}

    def all(self) -> list[Entry]:
        found: list[Entry] = []
        for at, block in enumerate(self.blocks):
            if self._heads(block):
                self._pass(block)
                if self.role in _RAW and self._stands_alone(at):
                    found.append(self._entry("section", [block], one_line(self.document, block)))
            elif block.kind == "item":
                text = item_text(self.document, block)
                if not sections.is_empty_line(text):
                    found.append(self._entry("bullet", [block], text))
            elif block.kind == "rule" or self.attached[at] or self._is_comment(block):
                continue
            else:
                found += self._texts(at)
        return found

    def _texts(self, at: int) -> list[Entry]:
        """A paragraph or another block with words, and what belongs to it; lines of notes that begin with a moment or a task
        each by itself."""
        stop = at + 1
        while stop < len(self.blocks) and self.attached[stop]:
            stop += 1
        group = self.blocks[at:stop]
        first = group[0]
        if first.kind == "paragraph" and len(group) == 1 and sections.is_empty_line(self._text(first.start, first.end)):
            return []
        if self.role == "progress" and first.kind in ("paragraph", "heading"):
            return self._lines(group)
        return [self._entry("body", group, self._text(first.start, group[-1].end).strip("\n"))]

    def _lines(self, group: list[Block]) -> list[Entry]:
        """A paragraph of notes, parted where a line begins with a moment or a task."""
        first, last = group[0], group[-1]
        start, end = first.start, last.end
        if first.kind == "heading":  # an underline is a rule to whoever writes notes
            end = self.document.data.find(b"\n", first.inner[1]) + 1 or first.end
            last = first._replace(end=end, end_line=self.page.line_of(end - 1))
        cuts = [start]
        offset = start
        for row in self.document.data[first.start : first.end if first.kind == "paragraph" else end].split(b"\n")[:-1]:
            offset += len(row) + 1
            ahead = self.document.data[offset : offset + 40].decode("utf-8", "replace")
            if offset < first.end and offset < end and _STAMPED.match(ahead.lstrip(" \t")):
                cuts.append(offset)
        found = []
        for low, high in zip(cuts, [*cuts[1:], end], strict=True):
            part = first._replace(start=low, end=high, line=self.page.line_of(low), end_line=self.page.line_of(high - 1))
            text = self._text(low, high).strip("\n")
            if not sections.is_empty_line(text):
                found.append(self._entry("body", [part], text))
        return found

    def _entry(self, kind: str, blocks: list[Block], text: str) -> Entry:
        first, last = blocks[0], blocks[-1]
        struck = first.kind in _STRUCK and fields.is_struck(text)
        plain = fields.unstruck(text) if struck else text
        promoted = promoted_on(plain) if self.section == sections.PROMOTION else None
        if promoted:
            plain = unpromoted(plain)
        tag, rest = fields.split_tag(plain)
        rest, more = fields.bracket(rest)
        known = {**self.known, **more, "text": rest}
        if kind == "section":
            known["title"] = rest
        if self.role == "progress" and (task := self._task(plain)):
            known["task"] = task
        if self.section:
            known["section"] = self.section
        if promoted:
            known["promoted"] = promoted
        waits = self.role == "fragment" or (self.role == "feature" and self.section == sections.PROMOTION)
        path = self.path[:-1] if kind == "section" else self.path
        return Entry(
            self.document, kind=kind, start=first.start, end=last.end, line=first.line, end_line=last.end_line,
            heading=plain.partition("\n")[0].strip()[:HEADING_WIDTH], heading_path=path, struck=struck,
            candidate=waits and not struck and not promoted, tag=tag, date=self._date(plain), source=more.get("from"),
            fields=known,
        )

    def _task(self, text: str) -> str:
        """The task that a line of notes names first, else the nearest heading above it; "" for none."""
        found = (_TASK.search(one) for one in (text.partition("\n")[0], *reversed(self.path)))
        return next((match[0] for match in found if match), "")

    def _date(self, text: str) -> str | None:
        """An entry's newest own date, else that of the heading that dates it, else its file's."""
        dated = (fields.newest_date(one) for one in (text, *reversed(self.path)) if "-" in one)
        return next((date for date in dated if date), self.day)

    def _day(self) -> str | None:
        """The day of a file: a fragment's by its name, a memory's by `updated_at`."""
        if self.name.stamp is not None:
            return self.name.stamp.date().isoformat()
        at = front.updated(frontmatter.fields(self.page)) if self.page.front else None
        return None if at is None else at.date().isoformat()

    def _heads(self, block: Block) -> bool:
        """Whether a block is a heading. In notes an underlined line is none: whoever writes them rules off what is above."""
        return block.kind == "heading" and (self.role != "progress" or block.marker == "#")

    def _pass(self, heading: Block) -> None:
        while self.above and self.above[-1].level >= heading.level:
            self.above.pop()
        title = one_line(self.document, heading)
        self.path = (*self.path[: len(self.above)], title)
        self.above.append(heading)
        if heading.level <= self.level:
            self.section = (sections.section_of(title) or title) if heading.level == self.level else ""

    def _stands_alone(self, at: int) -> bool:
        """Whether a heading has nothing below it, and names no section: then it is all that is said."""
        heading = self.blocks[at]
        if self.level == heading.level and sections.section_of(one_line(self.document, heading)):
            return False
        at += 1
        while at < len(self.blocks) and (self.blocks[at].kind == "rule" or self._is_comment(self.blocks[at])):
            at += 1  # says nothing
        return at == len(self.blocks) or (self._heads(self.blocks[at]) and self.blocks[at].level <= heading.level)

    def _is_comment(self, block: Block) -> bool:
        """Whether a block holds comments and nothing else; what never closes is text that somebody wrote."""
        if block.kind != "html" or block.marker != "2":
            return False
        text = self._text(block.start, block.end).strip()
        at = 0
        while text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            if end < 0:
                return False
            at = end + 3
            while text[at : at + 1].isspace():
                at += 1
        return at == len(text)

    def _text(self, start: int, end: int) -> str:
        return self.document.data[start:end].decode("utf-8", "replace").replace("\r\n", "\n")
