"""Where a workspace's transactions live: the names in its state folder, and targets as absolute paths."""

from __future__ import annotations

import contextlib
import errno
import os

from memdesk.core.lean import NamedTuple
from memdesk.core.transaction.files import Files

PREPARING = ".new"  # txn/ID.new is being written and counts for nothing
PURGING = ".purge"  # history/ID.purge is committed, and its purge isn't through yet
GENERATION = "generation"
JOURNAL = "journal"
OUTCOME = "outcome"  # in a history folder: how a transaction ended that was not simply committed
UNDONE = "undone"  # in a history folder: its undo was forgotten, its being undone was not
ASIDE = ".memdesk-"  # the start of a temporary name beside a target; every listing leaves these out


class Ground(NamedTuple):
    """A workspace's root, its state folder, both absolute and without links, and the door to the disk."""

    files: Files
    root: str
    state: str

    @property
    def transactions(self) -> str:
        return f"{self.state}/txn"

    @property
    def history(self) -> str:
        return f"{self.state}/history"

    def target(self, real: str) -> str:
        """The absolute path of a workspace-relative one."""
        return f"{self.root}/{real}"

    def open(self) -> None:
        """Makes the folders that are missing, lastingly, for their owner alone; in the workspace they hide from git.

        Raises OSError: also where the workspace itself is gone, which must not come to be again for our state's sake.
        """
        if self.files.stat(self.root) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.root)
        for folder in (self.state, self.transactions, self.history):
            self._folder(folder)
        found = self.files.stat(self.state)
        if found is not None and found.mode & 0o077:
            self.files.chmod(self.state, 0o700)
        inside = self.state.startswith(self.root.rstrip("/") + "/") and "/.git/" not in self.state
        if inside and self.files.stat(f"{self.state}/.gitignore") is None:
            with contextlib.suppress(FileExistsError):
                self.files.write(f"{self.state}/.gitignore", b"*\n")

    def read(self, path: str) -> bytes | None:
        """A regular file's bytes; None where nothing is. Raises OSError for anything else there."""
        found = self.files.stat(path)
        return None if found is None else self.files.read(path)

    def remove(self, folder: str) -> None:
        """Deletes a folder of ours with the files in it; what is gone already does not matter. Raises OSError."""
        for name in self.files.list(folder):
            self.files.unlink(f"{folder}/{name}")
        self.files.rmdir(folder)

    def prepared(self) -> list[str]:
        """The ids of transactions that are prepared and not committed, the oldest first."""
        return [name for name in self.names(self.transactions) if _is_id(name)]

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none where it does not exist."""
        found = self.files.stat(folder)
        return self.files.list(folder) if found is not None and found.kind == "folder" else []

    def _folder(self, path: str) -> None:
        found = self.files.stat(path)
        if found is not None:
            if found.kind != "folder":
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
            return
        parent = os.path.dirname(path)
        if self.files.stat(parent) is None:
            self._folder(parent)
        try:
            self.files.mkdir(path, 0o700 if path.startswith(self.state) else 0o777)
        except FileExistsError:
            return  # another memdesk was quicker
        self.files.fsync_dir(parent)


def _is_id(name: str) -> bool:
    return "-" in name and "." not in name
