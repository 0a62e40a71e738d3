"""git, asked by its command alone and trusted for nothing: what changed, and other states of the files.

Where the repository is and what is checked out is read from its files, so that the common check starts git once. Every
reading call runs without optional locks, pager, external diff, textconv or fsmonitor, with names NUL-separated and
git's own variables cleared: a hook's GIT_DIR must not send us to another checkout. Names never stand where git would
take them for options.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from memdesk.core import gitdiff, process
from memdesk.core.errors import GitError
from memdesk.core.gitdiff import Change, FileChange, name
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.gittree import BlobTree

__all__ = ["Change", "FileChange", "Git", "discover"]

MEMORY = ("*.md",)  # the pathspecs of what can be memory: a change of a checkout's sources is none of ours
NOTES = "*/progress.txt"
LITERAL = ":(literal)"  # what begins a pathspec that names one file, or a folder with all that is in it
SETTINGS = (LITERAL + "memdesk.toml", LITERAL + "pyproject.toml")  # which say what is looked at
# And what a layout may name besides, before it is known which are here.
LIKELY = (*MEMORY, *SETTINGS, NOTES, "archive/*", "*/archive/*")
LARGEST = 8 * 1024 * 1024


def discover(start: str) -> Git | None:
    """The repository whose checkout contains the folder `start`, with `start` as its root for paths; None without one.

    Starts no process. A linked worktree and a submodule (where `.git` is a file) are checkouts of their own.
    """
    root = os.path.realpath(start)
    folder = root
    while True:
        place = os.path.join(folder, ".git")
        git_dir = _git_dir(place)
        if git_dir is not None:
            return Git(root, folder, git_dir)
        if os.path.isfile(place):
            return None  # it names a repository that isn't there: one further up is another
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def astray(start: str) -> GitError | None:
    """Why `discover` finds none at `start` where there should be one (see `gitfaults.astray`); None where nothing is amiss."""
    from memdesk.core import gitfaults

    return gitfaults.astray(start)


class Git:
    """A checkout. Paths in and out are relative to `root`, POSIX, with surrogate escapes for bytes that are not UTF-8.

    `toplevel`: the checkout's top folder; `git_dir`: its own git folder (of this worktree); `common_dir`: the one that
    holds the refs. All absolute.
    """

    def __init__(self, root: str, toplevel: str, git_dir: str) -> None:
        self.root = root
        self.toplevel = toplevel
        self.git_dir = git_dir
        self.common_dir = _common_dir(git_dir)
        self._begun: tuple[list[str], process.Started] | None = None

    @property
    def prefix(self) -> str:
        """Where the root is in the checkout, POSIX; "" at its top."""
        return os.path.relpath(self.root, self.toplevel).replace(os.sep, "/") if self.root != self.toplevel else ""

    @property
    def branch(self) -> str | None:
        """The branch that is checked out, also before its first commit; None on a detached HEAD."""
        head = _text(os.path.join(self.git_dir, "HEAD"))
        return head[16:] if head is not None and head.startswith("ref: refs/heads/") else None

    @property
    def head(self) -> str | None:
        """The commit that is checked out, as a full hash; None before the first commit."""
        ref = _text(os.path.join(self.git_dir, "HEAD"))
        for _ in range(5):  # as deep as git follows symbolic refs
            if ref is None or not ref.startswith("ref: "):
                return ref
            if ref == "ref: refs/heads/.invalid":  # refs kept as tables: only git can read them
                return self.answer([*_VERIFY, "HEAD^{commit}"])
            ref = self.ref(ref[5:])
        return None

    @property
    def sparse(self) -> bool:
        """Whether some of the checkout may be left off the disk (`git sparse-checkout`). Starts no process."""
        return os.path.isfile(os.path.join(self.git_dir, "info", "sparse-checkout"))

    def ref(self, ref: str) -> str | None:
        """What a ref ("refs/heads/main") holds: a hash, or "ref: ..."; None where it does not exist. Starts no process."""
        for folder in (self.git_dir, self.common_dir):
            found = _text(os.path.join(folder, ref))
            if found:
                return found
        packed = _text(os.path.join(self.common_dir, "packed-refs")) or ""
        return next((line[:-len(ref) - 1] for line in packed.split("\n") if line.endswith(" " + ref)), None)

    def verify(self, rev: str) -> str:
        """The full hash of the commit that `rev` names. Raises GitError, with how to fetch it."""
        words = b""
        if rev and "\0" not in rev and "\n" not in rev:
            done = self._process([*_VERIFY, rev + "^{commit}"])
            if done.returncode == 0 and done.stdout.strip():
                return name(done.stdout).strip()
            words = done.stderr
        from memdesk.core import gitfaults

        raise gitfaults.unknown(self, rev, words)

    def changes(self, mode: str = "worktree", base: str | None = None, only: Sequence[str] = MEMORY) -> Change:
        """The change of a mode (see Change), of files that the git pathspecs `only` name. Raises GitError."""
        if mode == "none":
            return Change("none", skipped="not asked for (--no-diff)")
        if mode == "staged":
            against = () if self.head is None else ("HEAD",)  # named: git takes a HEAD that it can't read for none at all
            return Change("staged", None, tuple(self._diff(["--cached", *against], only, index=True)))
        if mode == "base":
            commit = self.verify(base or "")
            files = [*self._diff([commit], only), *self._added(self.listed(["--others", "--exclude-standard"], only))]
            return Change("base", base, tuple(files))
        if self.head is None:
            names = self.listed(["--cached", "--others", "--exclude-standard"], only)
            return Change("worktree", None, tuple(self._added(names)))
        tracked, untracked = self._status(only)
        files = [*(self._diff(["HEAD"], only) if tracked else ()), *self._added(untracked)]
        return Change("worktree", None, tuple(files))

    def since(self, commit: str, only: Sequence[str] = MEMORY, *, staged: bool = False) -> list[FileChange]:
        """Tracked files of the working tree, or as they are `staged`, that differ from a commit (a full hash)."""
        return self._diff(["--cached", commit] if staged else [commit], only, index=staged)

    def begin(self) -> None:
        """Starts what `changes` of the working tree asks first, so that git works while its caller reads files. `changes`
        then takes the answer, where it asks for no more than what is likely; `drop` has to be called where it may not come
        to that. Never fails: `changes` does."""
        if self.head is not None and self._begun is None and hasattr(os, "posix_spawnp"):
            words = self.command([*_STATUS, *LIKELY])
            try:
                self._begun = words, process.Started(words, self.environment())
            except OSError:
                self._begun = None

    def drop(self) -> None:
        """Ends what `begin` started and nobody took."""
        if self._begun is not None:
            self._begun[1].stop()
            self._begun = None

    def index_tree(self, ignore: Sequence[str] = ()) -> BlobTree:
        """The files as they are staged. `ignore`: the globs of `stores.ignore`."""
        from memdesk.core.gittree import BlobTree

        staged: dict[str, tuple[int, str]] = {}
        for record in self.run(["ls-files", "--stage", "-z"], index=True).split(b"\0"):
            if record:
                facts, _, raw = record.partition(b"\t")
                mode, blob, stage = facts.split(b" ")
                # Of a conflict ours, and theirs where we deleted the file: as a checkout would show.
                if stage in (b"0", b"2") or (stage == b"3" and name(raw) not in staged):
                    staged[name(raw)] = (int(mode, 8), blob.decode())
        for path in self._intended([path for path, (_, blob) in staged.items() if blob in _EMPTY]):
            del staged[path]
        return BlobTree(self, staged, ignore)

    def revision_tree(self, rev: str, ignore: Sequence[str] = ()) -> BlobTree:
        """The files as they are in a revision. Raises GitError for an unknown one."""
        from memdesk.core.gittree import BlobTree

        blobs: dict[str, tuple[int, str]] = {}
        for record in self.run(["ls-tree", "-r", "-z", self.verify(rev)]).split(b"\0"):
            if record:
                facts, _, raw = record.partition(b"\t")
                mode, _, blob = facts.split(b" ")
                blobs[name(raw)] = (int(mode, 8), blob.decode())
        return BlobTree(self, blobs, ignore)

    def show(self, rev: str, path: str) -> bytes | None:
        """The bytes of a file in a revision; None where it is not in it. Raises GitError for an unknown revision."""
        commit = self.verify(rev)
        found = self.run(["--literal-pathspecs", "ls-tree", "-z", commit, "--", path]).split(b"\0")[0]
        facts = found.partition(b"\t")[0].split(b" ")
        return self.run(["cat-file", "blob", facts[2].decode()]) if len(facts) == 3 and facts[1] == b"blob" else None

    def user(self) -> str | None:
        """The person's name as git is told it, or None."""
        return self.answer(["config", "--get", "user.name"])

    def answer(self, arguments: Sequence[str]) -> str | None:
        """The one line that a short command of git's prints; None where it prints nothing or fails. Raises GitError without
        git."""
        done = self._process(arguments, timeout=10)
        return name(done.stdout).strip() or None if done.returncode == 0 else None

    def run(
        self, arguments: Sequence[str], *, index: bool = False, data: bytes | None = None, timeout: float = 60,
        stopped: Callable[[], bool] | None = None, hooks: bool = False,
    ) -> bytes:
        """The output of a git command. `index`: a hook's own index file counts; `stopped`: ends it, its output is empty then
        (process.run); `hooks`: it runs the person's own, who may do as they like. Raises GitError with git's words."""
        done = self._process(arguments, index=index, data=data, timeout=timeout, stopped=stopped, hooks=hooks)
        if done.returncode != 0 and not (stopped is not None and stopped()):
            from memdesk.core import gitfaults

            command = next((word for word in arguments if not word.startswith("-")), "")
            raise gitfaults.failure(self, command, done.stderr or done.stdout, done.returncode)
        return done.stdout

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The words of a git call: what every call has in common, then these."""
        return [
            "git", "--no-optional-locks", "--no-pager", "-C", self.root,
            "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", *arguments,
        ]

    def environment(self, *, index: bool = False, hooks: bool = False) -> dict[str, str]:
        """The environment without what would point git at another repository; English, and no question on a terminal. But for
        `hooks` git opens no connection: of a partial clone it would fetch what it lacks by itself."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key in _PERSONAL}
        kept["GIT_TERMINAL_PROMPT"] = "0"
        kept["LC_ALL"] = "C.UTF-8"
        kept.pop("LANGUAGE", None)
        if not hooks:
            kept["GIT_CEILING_DIRECTORIES"] = os.path.dirname(self.toplevel)  # of a broken one git would go on to one above it
            kept["GIT_NO_LAZY_FETCH"] = "1"
            kept["GIT_ALLOW_PROTOCOL"] = "none"  # before 2.45 git does not know the other: then no way to fetch is allowed
        if self._owns(os.environ.get("GIT_QUARANTINE_PATH")):  # what is being pushed, which a hook of ours may look at
            kept.update((key, os.environ[key]) for key in _QUARANTINE if key in os.environ)
        file = self._index_file() if index else None
        if file is not None:
            kept["GIT_INDEX_FILE"] = file
        return kept

    def _index_file(self) -> str | None:
        """The index of a commit that is being made, by the variable that its hooks get; None for the checkout's own. One
        that lies in another repository's folder is not ours: that one's hook has started us."""
        file = os.environ.get("GIT_INDEX_FILE")
        if not file:
            return None
        # git writes it relative to the top of the checkout, where its hooks start; they may have moved on since.
        path = os.path.abspath(file)
        if not os.path.exists(path):
            path = os.path.join(self.toplevel, file)
        folder = os.path.dirname(os.path.realpath(path))
        theirs = os.path.isfile(os.path.join(folder, "HEAD")) and folder != os.path.realpath(self.git_dir)
        return None if theirs or not (os.path.isabs(file) or os.path.exists(path)) else path

    def _owns(self, path: str | None) -> bool:
        """Whether a folder is among this repository's objects."""
        objects = os.path.realpath(os.path.join(self.common_dir, "objects"))
        return path is not None and os.path.realpath(path).startswith(objects + os.sep)

    def _process(
        self, arguments: Sequence[str], *, index: bool = False, data: bytes | None = None, timeout: float = 60,
        stopped: Callable[[], bool] | None = None, hooks: bool = False,
    ) -> process.Ended:
        words = self.command(arguments)
        try:
            if self._begun is not None and self._begun[0] == words:
                begun, self._begun = self._begun[1], None
                return begun.end(timeout)
            known = self.environment(index=index, hooks=hooks)
            return process.run(words, known, data=data or b"", timeout=timeout, stopped=stopped)
        except FileNotFoundError:
            raise GitError("git is not installed, or not on the PATH.", remedy="Install git.") from None
        except TimeoutError:
            raise GitError(f"git {arguments[0]} did not end within {timeout:.0f} s.", remedy="Try it in a shell.") from None
        except OSError as error:
            raise GitError(f"git cannot be started: {error.strerror}.") from None

    def _diff(self, what: Sequence[str], only: Sequence[str], *, index: bool = False) -> list[FileChange]:
        return gitdiff.parse(self.run(["diff", *DIFF, *_PATCH, *what, "--", *only], index=index, timeout=300))

    def _status(self, only: Sequence[str]) -> tuple[bool, list[str]]:
        """Whether a tracked file differs from HEAD, and the untracked files."""
        begun = self._begun is not None and all(_likely(spec) for spec in only)
        out = self.run([*_STATUS, *(LIKELY if begun else only)])
        records = [record for record in out.split(b"\0") if record]
        # Names in porcelain output are relative to the top of the checkout, whatever the folder.
        prefix = os.path.relpath(self.root, self.toplevel)
        start = 0 if prefix == "." else len(os.fsencode(prefix)) + 1
        untracked = [name(record[2 + start :]) for record in records if record.startswith(b"? ")]
        if begun:
            untracked = [path for path in untracked if any(_names(spec, path) for spec in only)]
        return any(record[:2] in (b"1 ", b"2 ", b"u ") for record in records), untracked

    def listed(self, options: Sequence[str], only: Sequence[str], *, literal: bool = False) -> list[str]:
        """What `git ls-files` lists with these options, each path once; `literal`: `only` are paths, not pathspecs."""
        words = ["--literal-pathspecs"] if literal else []
        out = self.run([*words, "ls-files", "-z", *options, "--", *only])
        return [name(raw) for raw in dict.fromkeys(out.split(b"\0")) if raw]  # a conflict names a file three times

    def _added(self, paths: Iterable[str]) -> list[FileChange]:
        """Files of the disk as wholly added. A folder with a repository of its own, and what is gone, is left out."""
        found = []
        for path in paths:
            file = os.path.join(self.root, path)
            if path.endswith("/") or not os.path.lexists(file):
                continue
            if os.path.islink(file) or not os.path.isfile(file) or os.path.getsize(file) > LARGEST:
                found.append(FileChange(path, "added"))
                continue
            try:
                with open(file, "rb") as stream:
                    found.append(gitdiff.whole(path, stream.read()))
            except OSError as error:
                raise GitError(f"cannot be read: {error.strerror}.", path=path, remedy="Check its permissions.") from None
        return found

    def _intended(self, paths: Sequence[str]) -> list[str]:
        """Those of some empty entries of the index that are no more than an intention (`git add -N`): in no commit yet."""
        if not paths:
            return []
        nothing = _EMPTY_TREES[len(self.head or "") == 64]
        options = [*DIFF, "--cached", "--no-renames", "--relative", "--name-only", "-z", nothing]
        out = self.run(["--literal-pathspecs", "diff", *options, "--", *paths], index=True)
        real = {name(raw) for raw in out.split(b"\0")}
        return [path for path in paths if path not in real]


_STATUS = (
    "status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty", "--",
)  # fmt: skip
DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty", "-O/dev/null")
_PATCH = (
    "--raw", "-z", "-p", "-U0", "--inter-hunk-context=0", "--text", "-M", "-l1000", "--relative",
    "--src-prefix=a/", "--dst-prefix=b/", "--output-indicator-new=+", "--output-indicator-old=-", "--ws-error-highlight=none",
)
_PERSONAL = frozenset({
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
})
_QUARANTINE = ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")
_VERIFY = ("rev-parse", "--verify", "--quiet", "--end-of-options")
# What git calls an empty file and an empty folder, by SHA-1 and by SHA-256.
_EMPTY = ("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813")
_EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)  # fmt: skip


def _likely(spec: str) -> bool:
    """Whether what a pathspec names is among LIKELY, and `_names` understands it."""
    archive = spec.startswith(LITERAL) and spec.rpartition("/")[2].removeprefix(LITERAL) == "archive"
    return archive or spec in (*MEMORY, *SETTINGS, NOTES)


def _names(spec: str, path: str) -> bool:
    """Whether a pathspec of MEMORY, NOTES, or a literal one, names a path."""
    if spec.startswith(LITERAL):
        named = spec.removeprefix(LITERAL)
        return path == named or path.startswith(named + "/")
    return path.endswith(spec[1:])


def _git_dir(path: str) -> str | None:
    """The git folder behind a `.git`, which may be a file that names it."""
    if os.path.isdir(path):
        return path if os.path.isfile(os.path.join(path, "HEAD")) else None
    link = _text(path)
    if link is None or not link.startswith("gitdir: "):
        return None
    target = os.path.normpath(os.path.join(os.path.dirname(path), link[8:]))
    return target if os.path.isfile(os.path.join(target, "HEAD")) else None


def _common_dir(git_dir: str) -> str:
    named = _text(os.path.join(git_dir, "commondir"))
    return git_dir if named is None else os.path.normpath(os.path.join(git_dir, named))


def _text(path: str) -> str | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)  # a FIFO is not waited for
        with open(handle, "rb") as stream:
            return name(stream.read()).rstrip("\r\n")
    except OSError:
        return None
