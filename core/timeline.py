"""What git remembers of a memory file: an entry's versions, and the course of a budget. Pure: the versions come from `git`.

An entry is followed within its file (and the file through its renames): by its text, else by its title, else by the
words that most of it shares; one that is a whole file is what the file was. Where it came from another file, its time begins
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memdesk.core import fields, intake, layouts
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import UNPARSED, Document, Entry
from memdesk.core.words import words

if TYPE_CHECKING:
    from memdesk.core.gitversions import Version

ALIKE = 0.5  # the share of words from which two texts can be versions of one entry
NOT_COMMITTED = ""  # the rev of what is only in the working tree


class Stage(NamedTuple):
    """A text of an entry and where it began: the commit (`rev` full, or "" for what isn't committed), its day, author and
    subject, and the file's path then. `text` is the entry as `Entry.text` has it: an `edit` with it restores it."""

    rev: str
    date: str
    author: str
    subject: str
    path: str
    text: str
    struck: bool


class Use(NamedTuple):
    """A document's use of one of its budgets after one commit ("" for the working tree), in that cap's unit."""

    rev: str
    date: str
    used: int


def timeline(entry: Entry, versions: Iterable[Version]) -> list[Stage]:
    """The texts that an entry had, newest first, each with the commit that brought it. `versions`: of its file, newest
    first; where they break off (a limit, a shallow clone) the oldest text is told with the oldest of them."""
    stages: list[Stage] = []
    current, struck = entry.text, entry.struck
    since: Version | None = None  # the oldest version so far that has the current text
    follow = entry
    for version in versions:
        if version.data is None:
            break
        found = follow if _holds(version.data, current) else _find(follow, current, version.data)
        if found is None:
            break
        if found is not follow and found.text != current:
            stages.append(_stage(since, entry.path, current, struck))
            current, struck = found.text, found.struck
        follow, since = found, version
    stages.append(_stage(since, entry.path, current, struck))
    return stages


def courses(document: Document, versions: Sequence[Version]) -> dict[str, list[Use]]:
    """How a document's use of each of its caps went, by the cap's unit, oldest first, the present last."""
    from memdesk.core.tokens import measure

    units = [cap.unit for cap in document.place.caps]
    texts = [
        (version.rev, version.date, version.data.decode("utf-8", "replace"))
        for version in (reversed(versions) if units else ()) if version.data is not None
    ]
    if not versions or versions[0].data != document.data:
        texts.append((NOT_COMMITTED, "", document.data.decode("utf-8", "replace")))
    return {unit: [Use(rev, day, measure(text, unit)) for rev, day, text in texts] for unit in units}


def _stage(since: Version | None, path: str, text: str, struck: bool) -> Stage:
    if since is None:
        return Stage(NOT_COMMITTED, "", "", "", path, text, struck)
    return Stage(since.rev, since.date, since.author, since.subject, since.path, text, struck)


def _holds(data: bytes, text: str) -> bool:
    """Whether a text stands in a file as whole lines: then it need not be parsed."""
    plain = b"\n" + data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    return b"\n" + text.encode("utf-8", "surrogateescape") + b"\n" in plain


def _find(follow: Entry, text: str, data: bytes) -> Entry | None:
    """The entry of an older version that this one was."""
    problem = intake.problem(data)
    if problem is not None and problem.rule in UNPARSED:
        return None
    now = follow.document
    older = Document(now.path, now.store, now.place, data, layouts.get(now.store.layout).entries)
    title = fields.normal_title(follow.heading)
    own = words(text)
    best: tuple[float, Entry] | None = None
    for other in older.entries:
        if other.text == text:
            return other
        if other.kind == follow.kind == "file":
            return other  # it is what the file is, whatever became of its words
        score = 1.0 if other.kind == follow.kind == "section" and fields.normal_title(other.heading) == title else 0.0
        if not score:
            theirs = words(other.text)
            score = len(own & theirs) / max(len(own | theirs), 1)
        if score >= ALIKE and (best is None or score > best[0]):
            best = (score, other)
    return None if best is None else best[1]
