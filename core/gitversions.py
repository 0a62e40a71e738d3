"""The versions that a file had in git's history."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memdesk.core.git import DIFF
from memdesk.core.gitdiff import name
from memdesk.core.gittree import Blobs

if TYPE_CHECKING:
    from memdesk.core.git import Git


class Version(NamedTuple):
    """One version of a file: `rev` (full hash), `date` (YYYY-MM-DD of the author), `author`, `subject`, the `path` it had then
    (relative to the repository's top), and its bytes (None: deleted in it)."""

    rev: str
    date: str
    author: str
    subject: str
    path: str
    data: bytes | None


def versions(git: Git, path: str, limit: int = 100) -> list[Version]:
    """The versions of a file, newest first, at most `limit`, its renames followed. Before the first commit: none. Raises
    GitError."""
    if git.head is None:
        return []
    out = git.run([
        "--literal-pathspecs", "log", "--follow", "-z", "--raw", "--no-abbrev", f"-n{limit}", *DIFF, "-M",
        "--format=%x01%H%x00%ad%x00%an%x00%s", "--date=format:%Y-%m-%d", "HEAD", "--", path,
    ])
    found: list[Version] = []
    with Blobs(git) as blobs:
        for part in out.split(b"\x01")[1:]:
            fields = part.split(b"\0")
            if len(fields) < 6 or not fields[4].lstrip(b"\n").startswith(b":"):
                continue  # a merge: it has no version of its own
            facts = fields[4].lstrip(b"\n").split(b" ")
            renamed = facts[4][:1] in b"RC"
            data = None if facts[4][:1] == b"D" else blobs.read(facts[3].decode())
            rev, day, author, subject = (name(field) for field in fields[:4])
            found.append(Version(rev, day, author, subject, name(fields[6 if renamed else 5]), data))
    return found
