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
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
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
    """A digest of the text that a finding is about."""
    if finding.about:
        return _digest(mask(finding.about))
    if finding.line is None:
        return ""
    lines = files.get(finding.path)
    if lines is None:
        lines = files[finding.path] = _Lines(workspace, finding.path)
    return lines.digest(finding.line)


_ALLOWANCE = lazy(r"<!--[ \t]{0,8}memdesk:[ \t]{0,8}allow\b[^\n]{0,500}?-->")


def _digest(text: str) -> str:
    """Of a text's words: white space, line endings among it, is one blank."""
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


class _Lines:
    """A file's text, where its lines begin, and the values in it: a key goes over many lines, none of which looks like one."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        document = workspace.documents.get(path)
        try:
            data = workspace.tree.read(path) if document is None else document.data
        except StoreError:  # it is not there (any more), or can't be read
            data = b""
        self.text = text = data.decode("utf-8", "replace")
        self.starts = [0]
        while at := text.find("\n", self.starts[-1]) + 1:
            self.starts.append(at)
        self.hits = scan(text)
        self.known: dict[int, str] = {}  # line -> its digest: thousands of findings may be about one

    def digest(self, line: int) -> str:
        """That of a line without its values, and without what allows another rule's finding: that makes this one no other."""
        found = self.known.get(line)
        if found is None:
            text = self._masked(line)
            text = _ALLOWANCE.sub("", text) if "memdesk:" in text else text
            found = self.known[line] = _digest(mask(text))
        return found

    def _masked(self, line: int) -> str:
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
