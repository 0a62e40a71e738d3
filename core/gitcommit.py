"""Files staged and committed: the two things that memdesk has git write, each when a person asks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import GitError
from memdesk.core.git import DIFF
from memdesk.core.gitdiff import name

if TYPE_CHECKING:
    from memdesk.core.git import Git


def stage(git: Git, paths: Iterable[str]) -> list[str]:
    """Stages the present state of just these files (a deletion too) and returns those that now differ from HEAD.
    Raises GitError, so while another git holds the index; its lock is never removed."""
    _unlocked(git)
    wanted = sorted(set(paths))
    if not wanted:
        return []
    known = set(git.listed(["--cached"], wanted, literal=True))
    present = [path for path in wanted if path in known or os.path.lexists(os.path.join(git.root, path))]
    if present:
        _with_paths(git, ["add", "--all"], present)
    if git.head is None:
        return git.listed(["--cached"], wanted, literal=True)
    options = [*DIFF, "--cached", "--no-renames", "--relative", "--name-only", "-z", "HEAD"]
    out = git.run(["--literal-pathspecs", "diff", *options, "--", *wanted])
    return [name(raw) for raw in out.split(b"\0") if raw]


def commit(git: Git, paths: Iterable[str], message: str) -> str:
    """Commits just these files, whatever else is staged, and returns the short hash. The repository's hooks run, as for any
    commit of the person's. Raises GitError with git's or the hook's own words; what is staged stays so."""
    if not message.strip():
        raise GitError("A commit needs a message.")
    staged = stage(git, paths)
    if not staged:
        raise GitError("There is nothing to commit: these files are as they are in HEAD.")
    file = _message_file(message)
    try:
        words = ["commit", "--quiet", "--only", "--cleanup=whitespace", "--file", file]
        _with_paths(git, words, staged, timeout=600, hooks=True)
    finally:
        os.unlink(file)
    return (git.head or "")[:9]


def _with_paths(
    git: Git, arguments: Sequence[str], paths: Sequence[str], timeout: float = 60, *, hooks: bool = False
) -> None:
    listed = b"\0".join(os.fsencode(path) for path in paths)
    words = ["--literal-pathspecs", *arguments, "--pathspec-from-file=-", "--pathspec-file-nul"]
    git.run(words, data=listed, timeout=timeout, hooks=hooks)


def _unlocked(git: Git) -> None:
    lock = os.path.join(git.git_dir, "index.lock")
    if os.path.lexists(lock):
        from memdesk.core.gitfaults import LOCK_HINT

        raise GitError(f"Another git command holds the index ({lock}).", remedy=LOCK_HINT)


def _message_file(message: str) -> str:
    """A commit message in a file of its own, since stdin carries the paths; its path, for the caller to unlink."""
    import tempfile

    handle, path = tempfile.mkstemp(prefix="memdesk-message-")
    with os.fdopen(handle, "wb") as stream:
        stream.write(message.encode("utf-8", "surrogateescape"))
    return path
