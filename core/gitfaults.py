"""What git could not do, as an error with the command that mends it. A clone that is shallow, one that is partial, a damaged
repository and one that git does not trust need different ones, and the wrong one costs an hour in CI.
"""

from __future__ import annotations

import os

from memdesk.core.errors import GitError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.git import Git

LOCK_HINT = "Wait until it is done; if it died, remove that file yourself. memdesk never does."
_GONE = (
    "promisor remote", "unable to read", "could not read", "bad object", "could not parse", "failed to traverse", "missing",
    "not a valid object", "not a tree object", "bad file", "invalid object", "revision walk setup failed",
)  # fmt: skip
_DAMAGED = (
    "corrupt", "inflate", "unable to unpack", "bad object header", "is empty", "hash mismatch", "bad tree", "pack has bad",
)  # fmt: skip
_DIGITS = frozenset("0123456789abcdef")


def failure(git: Git, command: str, words: bytes, code: int) -> GitError:
    """What a git command said as it failed, and the remedy where there is one that is known."""
    said = words.decode("utf-8", "replace").strip() or f"exit code {code}"
    low = said.lower()
    if "index.lock" in said:
        return GitError(f"git {command}: {said}", remedy=LOCK_HINT)
    if "dubious ownership" in said:
        lines = said.split("\n")
        told = next((line.strip() for line in lines if line.strip().startswith("git config ")), "")
        trust = told or f"git config --global --add safe.directory {git.toplevel}"
        return GitError(f"git {command}: {lines[0]}", remedy=f"If you trust it: {trust}. Else run as its owner.")
    if any(sign in low for sign in _DAMAGED):
        return GitError(f"git {command} failed: {_object(said)} is damaged: {_last(said)}", remedy=_mended(git, damaged=True))
    if any(sign in low for sign in _GONE):
        return GitError(f"git {command} failed: {_object(said)} is not in this repository.", remedy=_mended(git, damaged=False))
    return GitError(f"git {command} failed: {said}")


def unknown(git: Git, rev: str, words: bytes = b"") -> GitError:
    """What to say of a revision that is no commit here: why, as far as git can tell, and how it comes here. `words`: what git
    said, which is nothing where it just does not know it."""
    if words.strip() and any(sign in words.lower() for sign in (b"ownership", b"not a git repo", b"not installed", b"corrupt")):
        return failure(git, "rev-parse", words, 128)
    message = f"git does not know the revision {rev!r}."
    if "\0" in rev or "\n" in rev:
        return GitError(message, remedy=f"It is no name of one. {_more(git)}")
    if not rev:
        return GitError(message, remedy=f"What should have printed it, such as git merge-base, printed nothing. {_more(git)}")
    stem = _stem(rev)
    if stem in ("HEAD", "@") and git.head is None:
        return GitError(message, remedy="Nothing is committed here yet: commit first, or leave it out.")
    if _known(git, f"{stem}^{{object}}" if _is_hash(stem) else stem):
        if ends(git):
            return GitError(message, remedy=f"This clone is shallow: its history is cut. Fetch it first: {_whole(git)}")
        count = git.answer(["rev-list", "--count", "--end-of-options", stem])
        if count is None:
            return GitError(message, remedy=f"Its history is not whole here. {_mended(git, damaged=False)}")
        return GitError(message, remedy=f"{stem} has {count} commits in its history, or that is none: name another.")
    return GitError(message, remedy=_fetched(git, stem))


def ends(git: Git) -> frozenset[str]:
    """The commits at which the history of a shallow clone (`git clone --depth`) is cut, as full hashes: what came before them
    isn't here. None in a whole clone. Starts no process."""
    try:
        with open(os.path.join(git.common_dir, "shallow"), encoding="ascii", errors="replace") as stream:
            return frozenset(stream.read().split())
    except OSError:
        return frozenset()


def cut(git: Git, what: str) -> GitError:
    """That something hangs on history which a shallow clone does not have."""
    return GitError(f"This clone is shallow, so {what}.", remedy=f"Fetch the rest: {_whole(git)}")


def astray(start: str) -> GitError | None:
    """Why git finds no checkout from the folder `start` although there should be one: a `.git` that leads nowhere or is not
    whole, or a bare repository. None where there is nothing of git, and where all is well."""
    folder = os.path.realpath(start)
    if os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
        return GitError("This is a bare repository: it has no checkout.", remedy="Make one: git worktree add ../NAME BRANCH.")
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    place = os.path.join(folder, ".git")
    if os.path.isdir(place):
        if os.path.isfile(os.path.join(place, "HEAD")) or not os.listdir(place):
            return None
        return GitError(f"{place} is no whole repository: it has no HEAD.", remedy="git fsck can't help: clone it anew.")
    try:
        with open(place, "rb") as stream:
            target = os.fsdecode(stream.read(4096)).removeprefix("gitdir: ").rstrip("\r\n")
    except OSError as error:
        return GitError(f"{place} cannot be read: {error.strerror}.", remedy="Check its permissions.")
    if os.path.isfile(os.path.join(folder, target, "HEAD")):
        return None
    remedy = "Bring that folder back. If the repository moved: git worktree repair there, with this folder's path."
    if "/modules/" in target:
        remedy = "In the repository above it: git submodule update --init."
    return GitError(f"{place} names {target}, where no repository is.", remedy=remedy)


def _whole(git: Git) -> str:
    """The command that makes a shallow clone one with all history, branches and tags."""
    remote = _remote(git)
    if remote is None:
        return "clone it anew, since it has no remote."
    return f"git fetch --unshallow --tags {remote} '+refs/heads/*:refs/remotes/{remote}/*' (in CI: fetch-depth: 0)."


def _more(git: Git) -> str:
    return f"This clone is shallow: {_whole(git)}" if ends(git) else "git log shows what there is."


def _fetched(git: Git, stem: str) -> str:
    """How a revision comes here of which nothing is known."""
    remotes = _remotes(git)
    name, _, branch = stem.partition("/")
    if not remotes:
        return "Fetch it first: there is no remote here, so git remote add comes before git fetch; git log shows what there is."
    own = next((remote for remote in remotes if _known(git, f"refs/remotes/{remote}/{stem}")), None)
    if own is not None:
        return f"Here it is {own}/{stem}."
    if ends(git):
        return f"Fetch it first: {_whole(git)}"
    if branch and name in remotes:
        return f"Fetch it first: git fetch {name} '+{branch}:refs/remotes/{name}/{branch}' (in CI: fetch-depth: 0)."
    remote = _remote(git)
    if _is_hash(stem):
        return f"Fetch it first: git fetch {remote} {stem} (in CI: fetch-depth: 0)."
    return f"Fetch it first: git fetch --tags {remote}; a branch of it is {remote}/{stem} then."


def _mended(git: Git, *, damaged: bool) -> str:
    """How objects come back that are not here, or not whole."""
    remote = _promisor(git)
    if remote is not None and not damaged:
        return f"This clone is partial, and memdesk fetches nothing. Fetch the rest: git fetch --refetch --no-filter {remote}."
    remote = _remote(git)
    if remote is None:
        return "git fsck --full says what is missing; only a backup or another clone has it."
    fetch = f"git fetch --refetch --no-filter {remote}"
    if damaged:
        place = os.path.join(git.common_dir, "objects")
        return f"git fsck --full names the damaged files: move them (a pack with its .idx) out of {place}, then {fetch}."
    return f"Fetch it again: {fetch}. git fsck --full says what is missing then."


def _stem(rev: str) -> str:
    """A revision without what leads on from it: `main` of `main~3`, `HEAD` of `HEAD@{1}^2`."""
    signs = [at for at in map(rev.find, ("~", "^", ":", "@{")) if at > 0]
    return rev[: min(signs)] if signs else rev


def _is_hash(rev: str) -> bool:
    return len(rev) in (40, 64) and _DIGITS.issuperset(rev)


def _known(git: Git, ref: str) -> bool:
    return git.answer(["rev-parse", "--verify", "--quiet", "--end-of-options", ref]) is not None


def _remotes(git: Git) -> list[str]:
    return (git.answer(["remote"]) or "").split()


def _remote(git: Git) -> str | None:
    """The remote that things come from: origin, else the first."""
    remotes = _remotes(git)
    return "origin" if "origin" in remotes else remotes[0] if remotes else None


def _promisor(git: Git) -> str | None:
    """The remote of a partial clone that has what it lacks; None for a clone with all objects."""
    said = git.answer(["config", "--get-regexp", r"^remote\..*\.promisor$", "true"]) or ""
    line = said.split("\n")[0]
    return line.split(" ")[0].removeprefix("remote.").removesuffix(".promisor") or None


def _object(said: str) -> str:
    """The object that git spoke of, by its hash."""
    found = "".join(sign if sign in _DIGITS else " " for sign in said).split()
    return next((f"the object {word}" for word in found if len(word) in (40, 64)), "an object that it needs")


def _last(said: str) -> str:
    return said.split("\n")[-1].removeprefix("fatal: ").removeprefix("error: ").rstrip(".") + "."
