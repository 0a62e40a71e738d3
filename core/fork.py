"""Where the work at hand left the default branch: the commit that it is compared with, found without the network."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memdesk.core.errors import GitError
from memdesk.core.gitdiff import Change, name
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.git import Git

HEAD = "refs/remotes/origin/HEAD"
USUAL = (
    "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master",
    "refs/remotes/origin/trunk", "refs/heads/trunk",
)  # fmt: skip


class Branch(NamedTuple):
    """A branch as people say it ("origin/main"), and its newest commit as a full hash."""

    name: str
    commit: str


class Fork(NamedTuple):
    """What changed since the work at hand began. `change` has its mode; `since` says with what it compares ("HEAD", "the
    merge base with main", "main"); `note` why that is not the merge base, "" where it is or where none is to be had."""

    change: Change
    since: str
    note: str = ""


def fork(git: Git | None, change: Change, only: Sequence[str]) -> Fork:
    """The change since the merge base of HEAD with the base of `change`, else with the default branch. Where there is no
    such commit, `change` itself; but of a shallow clone, where there may be one, GitError. `only`: the pathspecs to ask for.

    A base branch goes on meanwhile: what was added or settled there since is no deed of this branch.
    """
    plain = "HEAD" if change.base is None else change.base
    head = None if git is None else git.head
    if git is None or head is None:
        return Fork(change, plain)
    if change.base is not None:
        found = merge_base(git, head, change.base)
        if found is None:
            _not_cut(git, change.base)
            return Fork(change, plain, f"no merge base with {change.base} is known here")
        if found == git.verify(change.base):
            return Fork(change, plain)
        return Fork(git.changes("base", found, only)._replace(base=change.base), f"the merge base with {change.base}")
    main = default_branch(git)
    if main is None:
        return Fork(change, plain, "no default branch is known here")
    if main.commit == head:
        return Fork(change, plain)
    found = merge_base(git, head, main.commit)
    if found is None:
        _not_cut(git, main.name)
        return Fork(change, plain, f"no merge base with {main.name} is known here")
    if found == head:
        return Fork(change, plain)
    files = git.since(found, only, staged=change.mode == "staged")
    known = {file.path for file in files}
    if change.mode != "staged":  # git's diff leaves out what is untracked; the change at hand has it
        files += [file for file in change.files if file.status == "added" and file.path not in known]
    return Fork(change._replace(files=tuple(files)), f"the merge base with {main.name}")


def default_branch(git: Git) -> Branch | None:
    """The branch that work ends up on, by what is in the repository: what origin's HEAD names, else origin's main or
    master, else those here, else a trunk. Starts no process but where refs are kept as tables."""
    refs = _tables(git) if _tabled(git) else None
    target = refs.get(HEAD) if refs is not None else git.ref(HEAD)
    candidates = [target[5:], *USUAL] if target is not None and target.startswith("ref: ") else USUAL
    for ref in candidates:
        commit = refs.get(ref) if refs is not None else git.ref(ref)
        if commit is not None and not commit.startswith("ref: "):
            return Branch(ref.removeprefix("refs/heads/").removeprefix("refs/remotes/"), commit)
    return None


def merge_base(git: Git, head: str, other: str) -> str | None:
    """The newest commit that both come from, as a full hash; None where the history at hand has none, or is cut so that a
    newer one may be beyond the cut. `head` is a hash. Raises GitError for a revision that git does not know."""
    tips: list[str] = []
    for line in git.run(["rev-parse", f"{head}...{other}"]).decode().split("\n"):
        if line.startswith("^"):
            return line[1:] if line[1:] in tips or _certain(git, head, other) else None
        tips.append(line)
    return None


def _certain(git: Git, head: str, other: str) -> bool:
    """Whether no history is cut off between two commits and what they have in common."""
    from memdesk.core.gitfaults import ends

    cut_off = ends(git)
    return not cut_off or cut_off.isdisjoint(git.run(["rev-list", f"{head}...{other}"]).decode().split())


def _not_cut(git: Git, name: str) -> None:
    """Raises GitError where a merge base is not known because history is cut: what is compared instead would be a guess."""
    from memdesk.core.gitfaults import cut, ends

    if ends(git):
        raise cut(git, f"it is not known here where this left {name}")


class Beside:
    """What `Workspace.beside` is with git: the names in a folder on the default branch, kept while that stays where it is."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def __call__(self, folder: str) -> tuple[str, ...]:
        """None where that branch is what is checked out, where there is none, and where git can't say."""
        try:
            head = self._git.head
            main = None if head is None else default_branch(self._git)
            if main is None or main.commit == head:
                return ()
            key = main.commit, folder
            if key not in self._known:
                self._known[key] = _names(self._git, *key)
            return self._known[key]
        except GitError:
            return ()


def _names(git: Git, commit: str, folder: str) -> tuple[str, ...]:
    prefix = "" if folder == "." else f"{folder}/"
    listed = git.run(["--literal-pathspecs", "ls-tree", "-z", "--name-only", commit, *(["--", prefix] if prefix else [])])
    return tuple(name(raw)[len(prefix):] for raw in listed.split(b"\0") if raw)


def _tabled(git: Git) -> bool:
    return os.path.isdir(os.path.join(git.common_dir, "reftable"))


def _tables(git: Git) -> dict[str, str]:
    listed = git.run(["for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", HEAD, "refs/remotes/origin", *USUAL])
    found = {}
    for line in listed.split(b"\n"):
        ref, commit, symref = (name(part) for part in (line + b"\0\0").split(b"\0")[:3])
        found[ref] = f"ref: {symref}" if symref else commit
    return found
