"""What git knows of a file that it could not merge: what both sides were made from; and what it is in the middle of."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memdesk.core.errors import GitError, StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.git import Git
    from memdesk.core.markers import Sides
    from memdesk.core.model import Document

# What git leaves in its folder until it is done: the name, what it does, how it is finished.
_WAYS = (
    ("rebase-merge", "a rebase", "git rebase --continue"),
    ("rebase-apply", "a rebase", "git rebase --continue"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue"),
    ("REVERT_HEAD", "a revert", "git revert --continue"),
    ("MERGE_HEAD", "a merge", "git merge --continue"),
)
_SIZE = 60  # signs of the markers in a merge of our own: more than any that stands in a file


class UnderWay(NamedTuple):
    """What git is in the middle of ("a merge"), and the command that ends it."""

    what: str
    finish: str


def under_way(git: Git) -> UnderWay | None:
    """What git has begun and not ended here: what is committed meanwhile would be half of it. Starts no process."""
    for name, what, finish in _WAYS:
        if os.path.lexists(os.path.join(git.git_dir, name)):
            return UnderWay(what, finish)
    return None


class Ancestor:
    """What `Workspace.ancestor` is with git: the base of a marked file, told from the three versions in git's index."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[str, tuple[bytes, object, bytes | None]] = {}

    def __call__(self, document: Document) -> bytes | None:
        """What both sides of a marked file were made from, where its markers don't say it: the text that `markers.sides`
        would give for the base. None where git doesn't have the file unmerged, or what it would write of its versions is not
        what the file holds any more: someone has worked on it since."""
        index = self._index()
        known = self._known.get(document.path)
        if known is None or known[:2] != (document.data, index):
            try:
                found = base(self._git, _real(self._git, document.path), document.data)
            except (GitError, StoreError, OSError):
                found = None
            known = self._known[document.path] = (document.data, index, found)
        return known[2]

    def _index(self) -> object:
        try:
            found = os.stat(os.path.join(self._git.git_dir, "index"))
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def base(git: Git, path: str, data: bytes) -> bytes | None:
    """The base of a marked file by git's index (see `Ancestor`). Raises GitError, StoreError (broken markers)."""
    from memdesk.core import markers

    taken = markers.sides(data, path)
    versions = _versions(git, path)
    if versions is None:
        return None
    if taken.ours.count(b"\r\n") * 2 > taken.ours.count(b"\n"):  # as a checkout with CRLF has them
        versions = tuple(one.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for one in versions)  # type: ignore[assignment]
    for found in _merges(git, *versions):
        if found.base is not None and (_ended(found.ours), _ended(found.theirs)) == (_ended(taken.ours), _ended(taken.theirs)):
            return found.base
    return None


def _versions(git: Git, path: str) -> tuple[bytes, bytes, bytes] | None:
    """The base, ours and theirs, as they are in the index; the base is empty where both sides added the file. None where
    one side has none, or the file is not unmerged."""
    stages: dict[str, str] = {}
    for record in git.run(["--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", path]).split(b"\0"):
        if record:
            _, blob, stage = record.partition(b"\t")[0].split(b" ")
            stages[stage.decode()] = blob.decode()
    if "2" not in stages or "3" not in stages:
        return None
    from memdesk.core.gittree import Blobs

    with Blobs(git) as blobs:
        first, ours, theirs = (blobs.read(stages[key]) if key in stages else b"" for key in "123")
    return first, ours, theirs


def _merges(git: Git, first: bytes, ours: bytes, theirs: bytes) -> Iterator[Sides]:
    """The sides of merges of three versions: by git's own merge of files, then by ours. git can merge in several ways, and
    which one it was nobody notes down."""
    import tempfile

    from memdesk.core import linemerge, markers, process

    with tempfile.TemporaryDirectory(prefix="memdesk-merge-") as folder:
        names = [os.path.join(folder, name) for name in ("ours", "base", "theirs")]
        for name, data in zip(names, (ours, first, theirs), strict=True):
            with open(name, "wb") as stream:
                stream.write(data)
        for options in ((), ("--diff-algorithm=histogram",)):
            words = git.command(["merge-file", "-p", "-q", "--diff3", f"--marker-size={_SIZE}", *options, *names])
            try:
                done = process.run(words, git.environment())
            except (OSError, TimeoutError):
                break
            if 0 <= done.returncode < 128:  # how many conflicts there are
                yield markers.sides(done.stdout)
    parts = linemerge.merge_lines(first, ours, theirs)
    yield markers.Sides(*(
        b"".join(part if isinstance(part, bytes) else part[side] or b"" for part in parts) for side in range(3)
    ))


def _ended(data: bytes) -> bytes:
    """Without the difference of a last line that ends or doesn't: before a marker git ends it."""
    return data.rstrip(b"\r\n")


def _real(git: Git, path: str) -> str:
    """A path as git has it: behind links."""
    return os.path.relpath(os.path.realpath(os.path.join(git.root, path)), git.root)
