"""Inline allowances: `<!-- memdesk: allow RULE reason -->` takes one rule's findings off one place, and says why.

Alone on a line it holds for the block below it (an entry, where one begins there); in an entry, for that entry, and right on
top of the next heading for that; before the first entry it holds for what is reported of the file as a whole, and of its
first lines. In code it is an example of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Document, Entry, Finding
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block

MARK = b"memdesk:"
# What is wrong with the bytes, or with an allowance itself, isn't a matter of opinion.
NEVER = frozenset({"encoding", "file-size", "conflict-marker", "link-outside", "allow-unused"})
_ALLOWANCE = lazy(rb"<!--[ \t]*memdesk:[ \t]*allow\b[ \t]*([^\s>]*)[ \t]*(.*?)[ \t]*-->")


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
    data = document.data
    if MARK not in data:
        return []
    found = []
    for match in _ALLOWANCE.finditer(data):
        if not _in_code(document, match.start()):
            line = data.count(b"\n", 0, match.start()) + 1
            rule, reason = (part.decode("utf-8", "replace") for part in match.groups())
            first, last, file = _reach(document, match.start(), match.end(), line)
            found.append(Allowance(document.path, line, rule, reason, first, last, file))
    return found


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


def judge(every: Iterable[Allowance], used: set[Allowance], known: Callable[[str], bool], ran: set[str]) -> Checked:
    """The findings of `allow-unused`. An allowance for a rule that didn't run this time isn't judged unused."""
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
        elif allowance.rule in ran and allowance not in used:
            problem = f"This allowance of {allowance.rule} allows nothing here."
        if problem:
            found.append(ALLOW_UNUSED.finding(allowance.path, allowance.line, problem))
    return Checked(count, found)


def _in_code(document: Document, at: int) -> bool:
    page = document.page
    if any(block.start <= at < block.end and block.kind in ("fence", "code") for block in page.blocks):
        return True
    start = max((block.start for block in page.blocks if block.start <= at), default=0)
    return document.data.count(b"`", start, at) % 2 == 1


def _reach(document: Document, start: int, end: int, line: int) -> tuple[int, int, bool]:
    """(first line, last line, whether the file as a whole too) of an allowance at these bytes."""
    data = document.data
    line_start = data.rfind(b"\n", 0, start) + 1
    line_end = data.find(b"\n", end)
    line_end = len(data) if line_end < 0 else line_end
    alone = not data[line_start:start].strip() and not data[end:line_end].strip()
    entries = document.entries
    holder = next((entry for entry in entries if entry.start <= start < entry.end), None)
    first, last = (line, line) if holder is None else (holder.line, holder.end_line)
    below = next((block for block in document.page.blocks if block.start >= line_end and block.kind != "html"), None)
    if alone and below is not None and (holder is None or _heads(holder, below, line, line_end)):
        entry = next((entry for entry in entries if entry.start == below.start), None)
        first, last = line, below.end_line if entry is None else entry.end_line
    before = not entries or start < entries[0].start
    return (1 if before else first), last, before


def _heads(holder: Entry, below: Block, line: int, line_end: int) -> bool:
    """Whether a comment at the end of a section stands right on top of the next heading, and so belongs to that."""
    return holder.kind == "section" and holder.end_line == line and below.start == line_end + 1


def _run(context: CheckContext) -> Checked:
    """Judged by the runner, after all other rules: only then is it known what was allowed."""
    return Checked(0)


ALLOW_UNUSED = Rule(
    "allow-unused", "warning", "an inline allowance that allows nothing, names no rule or gives no reason",
    "Take it out, or write `<!-- memdesk: allow RULE reason -->` where the finding is.", "allowances", _run,
)
RULES = (ALLOW_UNUSED,)
