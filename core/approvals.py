"""What a person let run: a command that a repository names runs only after exactly that text was approved, once.

An approval is personal, and lies where no repository can bring it along: in the user's own state folder, never in a
workspace, whose state folder a clone may hold. It is bound to the workspace's place, to every word, and to the bytes of each
file of the workspace that a word names, the program first of all. What those files read in turn it can't know.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256

from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.transaction.problems import failure

if TYPE_CHECKING:
    from memdesk.core.transaction.files import Files

_CHUNK = 1 << 20


class Asked(NamedTuple):
    """What is approved, and nothing else: a command in a workspace, with the digests of the workspace's files that its words
    name (by their path from the root, "" for one that can't be read)."""

    root: str
    words: tuple[str, ...]
    files: Mapping[str, str]

    @property
    def exact(self) -> str:
        """The command as a person would type it, with nothing masked: what is hidden can't be approved."""
        import shlex

        return shlex.join(self.words)


class Approvals:
    """The approvals of one user, one file each, in `folder` (see `user_folder`)."""

    def __init__(self, folder: str, files: Files) -> None:
        self._folder = folder
        self._files = files

    def approved(self, asked: Asked) -> bool:
        """Whether exactly this was approved. What can't be read, or others may write, is no approval."""
        path = self._path(asked)
        try:
            found = None if self._shipped(asked) else self._files.stat(path)
            if found is None or found.kind != "file" or found.owner != os.geteuid() or found.mode & 0o022:
                return False
            fields = json.loads(self._files.read(path))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(fields, dict) and fields.get("files") == dict(asked.files) and "" not in asked.files.values()

    def approve(self, asked: Asked, at: str) -> None:
        """Notes an approval, in place of an earlier one of the same words. `at`: UTC, for people. Raises Refused where it could
        not be told from one that the repository brings, WriteFailed."""
        if self._shipped(asked):
            raise Refused(
                f"Approvals would lie in the workspace itself ({self._folder}), where a repository can bring its own.",
                remedy="Name the command in your own settings file instead; it needs no approval there.",
            )
        from memdesk.core.agent import shown

        fields = {"root": asked.root, "command": shown(asked.words), "files": dict(asked.files), "at": at}
        path = self._path(asked)
        temporary = f"{path}.{os.getpid()}.new"
        files = self._files
        try:
            _make(files, self._folder)
            if files.stat(temporary) is not None:
                files.unlink(temporary)
            files.write(temporary, json.dumps(fields, indent=1, sort_keys=True).encode(), 0o600)
            files.fsync(temporary)
            files.rename(temporary, path)
        except OSError as error:
            raise failure(error, path, "Nothing was approved.") from error
        with suppress(OSError):  # it holds; at worst a crash of the machine has it asked again
            files.fsync_dir(self._folder)

    def forget(self, asked: Asked) -> None:
        """Takes the approval of these words in this workspace back, whatever their files hold by now. Raises WriteFailed."""
        path = self._path(asked)
        try:
            if self._files.stat(path) is not None:
                self._files.unlink(path)
        except OSError as error:
            raise failure(error, path, "The approval still holds.") from error

    def _path(self, asked: Asked) -> str:
        named = json.dumps([asked.root, list(asked.words)])
        return f"{self._folder}/{sha256(named.encode()).hexdigest()}.json"

    def _shipped(self, asked: Asked) -> bool:
        """Whether the repository could have brought what lies here."""
        folder = self._files.resolve(self._folder)
        return not os.path.isabs(self._folder) or folder == asked.root or folder.startswith(asked.root.rstrip("/") + "/")


def asked(words: Sequence[str], root: str, environment: Mapping[str, str]) -> Asked:
    """What a person is asked about a command, as things are now. `environment` is that in which it would run."""
    real = os.path.realpath(root)
    files: dict[str, str] = {}
    for path in _named(words, real, environment):
        behind = os.path.realpath(path)
        if not any(place.startswith(real.rstrip("/") + "/") for place in (os.path.normpath(path), behind)):
            continue  # the machine's own, as a program on the PATH is
        if os.path.isfile(behind):
            files[os.path.relpath(path, real)] = _digest(behind)
    return Asked(real, tuple(words), files)


def user_folder(environ: Mapping[str, str]) -> str:
    """Where approvals are on this platform: in the user's folder for state. It need not exist."""
    if os.name == "posix" and os.uname().sysname != "Darwin":
        base = environ.get("XDG_STATE_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".local", "state")
        return os.path.join(base, "memdesk", "approvals")
    from platformdirs import user_state_path

    return str(user_state_path("memdesk", appauthor=False) / "approvals")


def _named(words: Sequence[str], root: str, environment: Mapping[str, str]) -> list[str]:
    """The absolute paths that words may name: each word, and what stands behind `=` in an option, from the root; and where the
    PATH finds the program."""
    from memdesk.core.agent import program
    from memdesk.core.errors import MemdeskError

    parts = [part for word in words for part in (word, word.partition("=")[2]) if part and "\0" not in part]
    found = [os.path.join(root, part) for part in parts]
    with suppress(MemdeskError):  # one that is not there does not run either
        found.append(program(words, root, environment))
    return found


def _digest(path: str) -> str:
    """Of a regular file's bytes; "" where they can't be had."""
    found = sha256()
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as stream:
            while chunk := stream.read(_CHUNK):
                found.update(chunk)
    except OSError:
        return ""
    return found.hexdigest()


def _make(files: Files, folder: str) -> None:
    """Makes a folder and those above it, for their owner alone. Raises OSError."""
    if files.stat(folder) is not None:
        return
    _make(files, os.path.dirname(folder))
    try:
        files.mkdir(folder, 0o700)
    except FileExistsError:
        return
    files.fsync_dir(os.path.dirname(folder))
