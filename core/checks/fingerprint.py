"""Fingerprints of findings: what stays the same of one while the lines around it move, and while its words are improved.

A finding is its rule, its path and the text that it is about: its line's, unless the rule says better (`Finding.about`). Not
its line number, nor its message, which counts and names other lines. Values are masked before anything is hashed: a hash
of a short secret between known words can be guessed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from hashlib import sha256

from memdesk.core.checks.secrets import MASK, mask, scan
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.checks.secrets import Hit
    from memdesk.core.model import Finding, Workspace


def fingerprints(workspace: Workspace, findings: Sequence[Finding]) -> list[str]:
    """For each finding 64 hex digits over its rule, path, the masked text of what it is about and its ordinal among equal
    ones, counted down the file. The same set of digits whatever the order of the findings."""
    files: dict[str, _Lines] = {}
    subjects = [_subject(workspace, finding, files) for finding in findings]
    counted: dict[tuple[str, str, str], int] = {}
    found = [""] * len(findings)
    for index in sorted(range(len(findings)), key=lambda at: (findings[at].line or 0, findings[at].message)):
        finding = findings[index]
        key = (finding.rule, finding.path, subjects[index])
        counted[key] = number = counted.get(key, 0) + 1
        found[index] = sha256("\0".join((*key, str(number))).encode("utf-8", "surrogatepass")).hexdigest()
    return found


def _subject(workspace: Workspace, finding: Finding, files: dict[str, _Lines]) -> str:
    """The text that a finding is about, masked, its white space (line endings among it) made one blank each."""
    if finding.about:
        return " ".join(mask(finding.about).split())
    if finding.line is None:
        return ""
    lines = files.get(finding.path)
    if lines is None:
        lines = files[finding.path] = _Lines.of(workspace, finding.path)
    line = lines.masked(finding.line)
    if "memdesk:" in line:  # what allows another rule's finding here makes this one no other
        line = _ALLOWANCE.sub("", line)
    return " ".join(mask(line).split())


_ALLOWANCE = lazy(r"<!--[ \t]{0,8}memdesk:[ \t]{0,8}allow\b[^\n]{0,500}?-->")


class _Lines(NamedTuple):
    """A file's text, where its lines begin, and the values in it: a key goes over many lines, none of which looks like one."""

    text: str
    starts: list[int]
    hits: list[Hit]

    @staticmethod
    def of(workspace: Workspace, path: str) -> _Lines:
        """That of a file, memory or not; an empty one where it can't be read (any more)."""
        document = workspace.documents.get(path)
        try:
            data = workspace.tree.read(path) if document is None else document.data
        except StoreError:
            data = b""
        text = data.decode("utf-8", "replace")
        starts = [0]
        while at := text.find("\n", starts[-1]) + 1:
            starts.append(at)
        return _Lines(text, starts, scan(text))

    def masked(self, line: int) -> str:
        """A line (1-based, at `\\n` alone) without the values that begin in it or go on over it."""
        if not 0 < line <= len(self.starts):
            return ""
        at = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        out: list[str] = []
        # They are in order and apart: those before a line are not looked at again for each.
        first = bisect_right(self.hits, at, key=lambda hit: hit.end)
        for number in range(first, bisect_left(self.hits, end, key=lambda hit: hit.start)):
            hit = self.hits[number]
            out += (self.text[at : max(at, hit.start)], MASK)
            at = min(hit.end, end)
        return "".join(out) + self.text[at:end]
