"""Inline allowances: `<!-- memdesk: allow RULE reason -->` takes one rule's findings off one place, and says why.

Alone on a line, or with others of its kind, it holds for the block below it (an entry, where one begins there); in an entry,
for that entry, and right on top of the next heading for that; before the first entry it holds for what is reported of the
file as a whole, and of its first lines. In code it is an example of one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Document, Entry, Finding
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    import re

    from memdesk.core.markdown import Block

MARK = b"memdesk:"
# What is wrong with the bytes, or with an allowance itself, isn't a matter of opinion.
NEVER = frozenset({"encoding", "file-size", "conflict-marker", "link-outside", "allow-unused"})
NEAR = 2000  # bytes within which allowances stand on top of each other
_ALLOWANCE = lazy(rb"<!--[ \t]{0,8}memdesk:[ \t]{0,8}allow\b([^\n]{0,500}?)-->")


class Allowance(NamedTuple):
    """One allowance and the 1-based lines that it holds for; `file` where it also holds for the file as a whole."""

    path: str
    line: int
    rule: str
    reason: str
    first: int
    last: int
    file: bool

    def covers(self, finding: Finding) -> bool:
        if finding.rule != self.rule or finding.path != self.path or not self.reason or self.rule in NEVER:
            return False
        return self.file if finding.line is None else self.first <= finding.line <= self.last


def allowances(document: Document) -> list[Allowance]:
    """Those of a document, in its order."""
    if MARK not in document.data:
        return []
    reading = _Reading(document)
    return [found for match in _ALLOWANCE.finditer(document.data) if (found := reading.allowance(match)) is not None]


def apply(
    documents: Iterable[Document], findings: Iterable[Finding]
) -> tuple[list[Finding], list[Allowance], set[Allowance]]:
    """(findings that stay, all allowances, those that allowed something)."""
    every = [allowance for document in documents for allowance in allowances(document)]
    if not every:
        return list(findings), [], set()
    by_place: dict[tuple[str, str], list[Allowance]] = {}
    for allowance in every:
        by_place.setdefault((allowance.path, allowance.rule), []).append(allowance)
    kept: list[Finding] = []
    used: set[Allowance] = set()
    for finding in findings:
        covering = [allowance for allowance in by_place.get((finding.path, finding.rule), ()) if allowance.covers(finding)]
        used.update(covering)
        if not covering:
            kept.append(finding)
    return kept, every, used


def judge(
    every: Iterable[Allowance], used: set[Allowance], known: Callable[[str], bool], looked: Callable[[Allowance], bool]
) -> Checked:
    """The findings of `allow-unused`. `looked`: whether this check could have found what an allowance allows; one for a rule
    that did not run isn't judged unused, nor one for what a change does: it has to stay when that is committed."""
    found: list[Finding] = []
    count = 0
    for allowance in every:
        count += 1
        problem = ""
        if not allowance.rule:
            problem = "This allowance names no rule."
        elif not known(allowance.rule):
            problem = f"This allowance names {allowance.rule!r}, which is no rule."
        elif allowance.rule in NEVER:
            problem = f"{allowance.rule} can't be allowed inline."
        elif not allowance.reason:
            problem = f"This allowance of {allowance.rule} gives no reason, so it allows nothing."
        elif allowance not in used and looked(allowance):
            problem = f"This allowance of {allowance.rule} allows nothing here."
        if problem:
            found.append(ALLOW_UNUSED.finding(allowance.path, allowance.line, problem))
    return Checked(count, found)


class _Reading:
    """One pass over a document's allowances, in its order: what is before one isn't looked at again for the next."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.blocks = document.page.blocks
        self.starts = [block.start for block in self.blocks]
        self.entries = document.entries
        self.entry_starts = [entry.start for entry in self.entries]
        self.line, self.counted = 1, 0  # the line of an offset
        self.block, self.ticks, self.ticked = -1, 0, 0  # backticks of a block up to an offset
        self.alone = -1, False  # whether a line, by its start, holds nothing but allowances

    def allowance(self, match: re.Match[bytes]) -> Allowance | None:
        """The allowance that a match is, or None: in code it is an example of one."""
        start, data = match.start(), self.document.data
        self.line += data.count(b"\n", self.counted, start)
        self.counted = start
        if self._in_code(start):
            return None
        rule, _, reason = match[1].decode("utf-8", "replace").strip().partition(" ")
        line_start = data.rfind(b"\n", 0, start) + 1
        line_end = data.find(b"\n", match.end())
        line_end = len(data) if line_end < 0 else line_end
        if self.alone[0] != line_start:  # once for a line, however many stand on it
            self.alone = line_start, not _ALLOWANCE.sub(b"", data[line_start:line_end]).strip()
        alone = self.alone[1]
        first, last = self._reach(start, line_end, alone)
        before = not self.entries or start < self.entry_starts[0]
        return Allowance(self.document.path, self.line, rule, reason.strip(), 1 if before else first, last, before)

    def _in_code(self, at: int) -> bool:
        index = bisect_right(self.starts, at) - 1
        if index < 0:
            return False
        block = self.blocks[index]
        if block.kind in ("fence", "code") and at < block.end:
            return True
        if index != self.block:
            self.block, self.ticks, self.ticked = index, 0, block.start
        self.ticks += self.document.data.count(b"`", self.ticked, at)
        self.ticked = at
        return self.ticks % 2 == 1

    def _reach(self, start: int, line_end: int, alone: bool) -> tuple[int, int]:
        """(first, last line) that an allowance holds for."""
        index = bisect_right(self.entry_starts, start) - 1
        holder = self.entries[index] if index >= 0 and start < self.entries[index].end else None
        below = self._below(line_end) if alone else None
        if below is not None and (holder is None or self._heads(holder, below, line_end)):
            place = bisect_left(self.entry_starts, below.start)
            begins = place < len(self.entries) and self.entry_starts[place] == below.start
            return self.line, self.entries[place].end_line if begins else below.end_line
        return (self.line, self.line) if holder is None else (holder.line, holder.end_line)

    def _below(self, line_end: int) -> Block | None:
        """The next block that is no HTML, a comment among that."""
        index = bisect_left(self.starts, line_end)
        return next((block for block in self.blocks[index : index + 20] if block.kind != "html"), None)

    def _heads(self, holder: Entry, below: Block, line_end: int) -> bool:
        """Whether a comment at the end of a section stands right on top of the next heading, or of others that do, and so
        belongs to that."""
        if holder.kind != "section" or holder.end < below.start or below.start - line_end > NEAR:
            return False
        between = self.document.data[line_end + 1 : below.start].splitlines()
        return all(line.strip() and not _ALLOWANCE.sub(b"", line).strip() for line in between)


def _run(context: CheckContext) -> Checked:
    """Judged by the runner, after all other rules: only then is it known what was allowed."""
    return Checked(0)


ALLOW_UNUSED = Rule(
    "allow-unused", "warning", "an inline allowance that allows nothing, names no rule or gives no reason",
    "Take it out, or write `<!-- memdesk: allow RULE reason -->` where the finding is.", "allowances", _run,
)
RULES = (ALLOW_UNUSED,)
