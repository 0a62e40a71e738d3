"""The texts of a transaction that stand ready, or that were taken out, and their names.

In the transaction's folder (and, with the prefix `.memdesk-ID-`, beside targets on another file system) `sN` is a whole,
synced text of change N: the new one before its step, the old one after it. `pN` is being written and counts for nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from memdesk.core.transaction.ground import ASIDE, Ground
from memdesk.core.transaction.journal import Change, Journal


class Staging:
    """The texts of one journal. All methods raise OSError."""

    def __init__(self, ground: Ground, journal: Journal) -> None:
        self.ground = ground
        self.files = ground.files
        self.journal = journal
        self.folder = f"{ground.transactions}/{journal.id}"
        self._touched: dict[str, None] = {}  # folders to sync, in the order of their first change

    def _staged(self, number: int, item: Change, new: bytes) -> str:
        """A file that holds `new` whole and lastingly, ready to take the target's name."""
        for path in self._texts(number, item):
            if self._holds(path, new):
                return path
        return self._stage(number, item, new, aside=self._aside(item))

    def _stage(self, number: int, item: Change, new: bytes, aside: bool) -> str:
        path = self._free(number, aside, item)
        partial = f"{os.path.dirname(path)}/{self._prefix(aside, 'p')}{number}"
        if self.files.stat(partial) is not None:
            self.files.unlink(partial)
        self._write(partial, item, new)
        self.files.rename(partial, path)
        self._touched.setdefault(os.path.dirname(path))
        return path

    def _write(self, path: str, item: Change, data: bytes) -> None:
        """A new file with the bytes, and with mode, group and attributes of the target; then synced."""
        target = self.ground.target(item.real)
        found = self.files.stat(target)
        if found is not None:
            self.files.write(path, data)
            self.files.dress(path, target)
        else:
            self.files.write(path, data, 0o666)
            if item.mode is not None:
                self.files.chmod(path, item.mode)
            parent = self.files.stat(self._standing(target))
            mine = self.files.stat(path)
            if parent is not None and mine is not None and parent.mode & 0o2000 and parent.group != mine.group:
                self.files.chgrp(path, parent.group)
        self.files.fsync(path)

    def _aside(self, item: Change) -> bool:
        """Whether its new text must be written beside the target: another file system, or an inherited access list."""
        standing = self._standing(self.ground.target(item.real))
        there, here = self.files.stat(standing), self.files.stat(self.ground.transactions)
        if there is None or here is None or there.device != here.device:
            return True
        return item.before is None and self.files.inherits(standing)

    def _standing(self, target: str) -> str:
        """The nearest folder above a target that exists."""
        folder = os.path.dirname(target)
        while folder != self.ground.root and self.files.stat(folder) is None:
            folder = os.path.dirname(folder)
        return folder

    def _prefix(self, aside: bool, letter: str) -> str:
        return f"{ASIDE}{self.journal.id}-{letter}" if aside else letter

    def _free(self, number: int, aside: bool, item: Change) -> str:
        """A name for a text of change `number` that nothing has."""
        folder = os.path.dirname(self.ground.target(item.real)) if aside else self.folder
        stem = f"{folder}/{self._prefix(aside, 's')}{number}"
        path, count = stem, 0
        while self.files.stat(path) is not None:
            count += 1
            path = f"{stem}.{count}"
        return path

    def _texts(self, number: int, item: Change) -> list[str]:
        """The whole texts of change `number` that lie in our folder or beside its target."""
        found: list[str] = []
        for aside in (False, True):
            folder = os.path.dirname(self.ground.target(item.real)) if aside else self.folder
            stem = f"{self._prefix(aside, 's')}{number}"
            found += [f"{folder}/{name}" for name in self.ground.names(folder) if name == stem or name.startswith(stem + ".")]
        return found

    def _strangers(self, number: int, item: Change) -> Iterator[str]:
        for path in self._texts(number, item):
            found = self.files.stat(path)
            if found is None:
                continue
            if found.kind != "file" or self.files.read(path) not in (item.before, item.after):
                yield path

    def _holds(self, path: str, data: bytes) -> bool:
        found = self.files.stat(path)
        return found is not None and found.kind == "file" and found.size == len(data) and self.files.read(path) == data

    def _sweep(self, folder: str) -> None:
        """Removes our temporary files from a folder of the workspace."""
        mine = f"{ASIDE}{self.journal.id}-"
        for name in self.ground.names(folder):
            found = self.files.stat(f"{folder}/{name}") if name.startswith(mine) else None
            if found is not None and found.kind != "folder":
                self.files.unlink(f"{folder}/{name}")
                self._touched.setdefault(folder)

    def _touch(self, path: str) -> None:
        self._touched.setdefault(os.path.dirname(path))


