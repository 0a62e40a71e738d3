"""Who last wrote a line, as git tells it of the file in the working tree."""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core.errors import GitError
from memdesk.core.gitdiff import name
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.git import Git


class Blame(NamedTuple):
    """Who wrote a line last: `author`, `date` (YYYY-MM-DD, in the author's own time zone), `commit` (the full hash). All
    are "" for a line that is not committed yet."""

    author: str
    date: str
    commit: str


UNCOMMITTED = Blame("", "", "")


def blame(git: Git, path: str, line: int, data: bytes, stopped: Callable[[], bool] | None = None) -> Blame | None:
    """Who last wrote a line (from 1) of a file, whose bytes are `data` as its caller read them.

    None where the file on disk has another line there by now, or where `stopped` said that nobody wants to know any more.
    Raises GitError where git can't tell.
    """
    if git.head is None:
        return UNCOMMITTED
    words = ["blame", "--no-textconv", "--porcelain", "-L", f"{line},{line}", "--", path]
    try:
        out = git.run(words, stopped=stopped)
    except GitError as error:
        if "no such path" in error.message:
            return UNCOMMITTED  # a file that git does not follow, or not yet
        if "has only" in error.message:
            return None  # the file has fewer lines by now
        raise
    if stopped is not None and stopped():
        return None
    head, _, text = out.partition(b"\n\t")
    lines = data.split(b"\n")
    if not 0 < line <= len(lines) or text.rstrip(b"\r\n") != lines[line - 1].rstrip(b"\r"):
        return None
    facts = dict(fact.partition(b" ")[::2] for fact in head.split(b"\n"))
    commit = head.partition(b" ")[0].decode("ascii", "replace")
    if not commit.strip("0"):
        return UNCOMMITTED
    if b"boundary" in facts:  # the first commit there is, or the first that a shallow clone has
        from memdesk.core.gitfaults import cut, ends

        if commit in ends(git):
            raise cut(git, "it is not known here who wrote this line")
    return Blame(name(facts.get(b"author", b"")), _day(facts.get(b"author-time", b""), facts.get(b"author-tz", b"")), commit)


def _day(seconds: bytes, zone: bytes) -> str:
    """The day of a moment where its author was; "" for what is no moment."""
    from datetime import UTC, datetime, timedelta

    try:
        offset = int(zone[:1] + b"1") * (int(zone[1:3]) * 60 + int(zone[3:5]))
        return (datetime.fromtimestamp(int(seconds), UTC) + timedelta(minutes=offset)).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return ""
