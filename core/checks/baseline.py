"""A baseline: the findings that a store had when somebody began to check it, which later checks leave out.

The file holds one finding a line, sorted by fingerprint, between fixed marks that keep apart what two branches add, so that
git merges it; no text of memory. What a baseline must not hide: a file that could not be read, since all else about it is
unknown then; a secret, since a masked one can't be told from the next; what is wrong with an allowance; and what a change
does, which is not there any more after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

from memdesk.core.checks import allow
from memdesk.core.checks.fingerprint import fingerprints
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Finding, Workspace

FORMAT = 1
NEVER = frozenset({*allow.NEVER, "secret"})  # and the rules that report what a change does (Rule.of_change)


class Known(NamedTuple):
    """A finding that a baseline knows. `store`: the name of the store in which its rule found it."""

    fingerprint: str
    rule: str
    store: str
    path: str


class Sifted(NamedTuple):
    """Findings against a baseline: those that it doesn't know, how many it does, and the lines of it that are gone: looked
    for, and not found. `lines`: what the file would hold if it were written now, in its order; `new`, `unseen`: how many of
    them it doesn't hold yet, and how many it keeps because nothing looked for them; `barred`: the rules, once each, of
    findings that no baseline takes."""

    left: tuple[Finding, ...]
    known: int
    gone: tuple[Known, ...]
    lines: tuple[Known, ...]
    new: int
    unseen: int
    barred: tuple[str, ...]


def sift(
    workspace: Workspace, findings: Sequence[tuple[Finding, str]], old: Iterable[Known], looked: Callable[[Known], bool],
    never: Set[str] = NEVER, *, write: bool = False,
) -> Sifted:
    """Findings, each with the name of its store, against the lines of a baseline. `looked`: whether this check would have
    found what a line tells of; `never`: the rules that no baseline takes. `write`: all findings count as known, since they
    are about to be."""
    marks = fingerprints(workspace, [finding for finding, _ in findings])
    of = {mark: (finding.rule, finding.path) for mark, (finding, _) in zip(marks, findings, strict=True)}
    before: dict[str, Known] = {}
    lying: list[Known] = []  # with another rule or path than their finding's, which they would hide from a reviewer
    for known in old:
        if of.get(known.fingerprint, (known.rule, known.path)) == (known.rule, known.path):
            before[known.fingerprint] = known
        else:
            lying.append(known)
    now: dict[str, Known] = {}
    left: list[Finding] = []
    barred: list[str] = []
    for (finding, store), mark in zip(findings, marks, strict=True):
        if finding.rule in never:
            barred.append(finding.rule)
        else:
            now[mark] = Known(mark, finding.rule, store, finding.path)
        if mark not in now or (mark not in before and not write):
            left.append(finding)
    missing = [known for mark, known in before.items() if mark not in now]
    unseen = {known for known in missing if known.rule not in never and not looked(known)}
    lines = sorted([*now.values(), *unseen])
    gone = [*lying, *(known for known in missing if known not in unseen)]
    return Sifted(
        tuple(left), len(findings) - len(left), tuple(gone), tuple(lines),
        sum(mark not in before for mark in now), len(unseen), tuple(dict.fromkeys(barred)),
    )


def parse(data: bytes, path: str) -> list[Known]:
    """The lines of a baseline, in their order. Raises StoreError, with the line, for what is none."""
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    _first(lines[0].removesuffix("\r"), path)
    found: dict[str, int] = {}
    known: list[Known] = []
    for number, line in enumerate(lines, 1):
        text = line.removesuffix("\r")
        if not text.strip() or text.startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            raise _broken(text, path, number)
        one = Known(match["mark"], match["rule"], _plain(match["store"]), _plain(match["path"]))
        if one.fingerprint in found:
            message = f"This line is that of line {found[one.fingerprint]} again."
            raise StoreError(message, path=path, line=number, remedy="Take one of them out.")
        found[one.fingerprint] = number
        known.append(one)
    return known


def render(lines: Iterable[Known]) -> bytes:
    """The file with these lines. The same bytes whatever their order."""
    rows = sorted(f"{one.fingerprint} {one.rule} {_word(one.store)} {_word(one.path)}" for one in lines)
    out = [_HEADER]
    at = 0
    for number in range(256):
        mark = f"{number:02x}"
        out.append(f"# {mark}\n")
        while at < len(rows) and rows[at].startswith(mark):
            out.append(rows[at] + "\n")
            at += 1
    return "".join(out).encode("utf-8")


_NAME = "# memdesk baseline"
_HEADER = f"""\
{_NAME} {FORMAT}
# Findings that `memdesk --check --baseline` leaves out, one a line: fingerprint, rule, store, path.
# `memdesk --check --write-baseline` writes it anew; a line that is taken out by hand is reported again.
# The marks 00 to ff stay, so that git can merge what branches add between them.
"""
_LINE = lazy(r"(?P<mark>[0-9a-f]{64}) (?P<rule>[a-z0-9-]{1,80}) (?P<store>[^ ]{1,8192}) (?P<path>[^ ]{1,8192})")
_VERSION = lazy(r"# memdesk baseline ([0-9]{1,9})")
_MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_ESCAPED = lazy(r"(?:%[0-9A-F]{2})+")


def _first(line: str, path: str) -> None:
    """Whether a first line is that of a baseline which this version reads. Raises StoreError."""
    version = _VERSION.fullmatch(line)
    if version is None:
        if line.startswith(_MARKERS):
            raise _broken(line, path, 1)
        remedy = "Name a file that `memdesk --check --write-baseline FILE` wrote."
        raise StoreError(f"This is no baseline: its first line is not `{_NAME} {FORMAT}`.", path=path, line=1, remedy=remedy)
    if int(version[1]) != FORMAT:
        remedy = "Update memdesk." if int(version[1]) > FORMAT else "Write it anew: `memdesk --check --write-baseline FILE`."
        message = f"The baseline is of format {int(version[1])}; this version of memdesk reads format {FORMAT}."
        raise StoreError(message, path=path, line=1, remedy=remedy)


def _broken(text: str, path: str, line: int) -> StoreError:
    if text.startswith(_MARKERS):
        remedy = "Keep the lines of both sides, or write it anew: delete it, then `memdesk --check --write-baseline FILE`."
        return StoreError("git's conflict markers are in the baseline.", path=path, line=line, remedy=remedy)
    remedy = "A line is a fingerprint of 64 hex digits, the rule, the store and the path. Take it out, or write the file anew."
    return StoreError("This line can't be read.", path=path, line=line, remedy=remedy)


def _word(text: str) -> str:
    """A name as one word that a person can read: blanks, `%` and what no eye would see as the bytes that they are."""
    if text.isascii() and text.isprintable() and " " not in text and "%" not in text:
        return text
    return "".join(char if char.isprintable() and char not in " %" else _bytes(char) for char in text)


def _bytes(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))


def _plain(word: str) -> str:
    if "%" not in word:
        return word
    return _ESCAPED.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "surrogateescape"), word)
