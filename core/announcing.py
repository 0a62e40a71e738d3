"""Writing beside other programs: what the lock files of a store name is not written, and memdesk leaves its own meanwhile.

The workspace's lock keeps memdesks apart; no other program knows of it. So under it, and around each commit, the stores whose
layout has such files are looked at. Ours is left before others' are looked for a second time: of two programs that do so at
most one goes on.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from memdesk.core import layouts
from memdesk.core.errors import Refused
from memdesk.core.layouts.holding import Lock, Locks
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.transaction import signals
from memdesk.core.transaction.ground import ASIDE
from memdesk.core.transaction.problems import failure

if TYPE_CHECKING:
    from memdesk.core.model import Store
    from memdesk.core.transaction.files import Files

MOST = 1 << 18  # bytes of a lock file; a larger one is none that could be read
SEEN = 0o644  # other users' programs read ours


class Occupied(Refused):
    """Another program says that it is writing a file that would be written."""


class Found(NamedTuple):
    """A lock of another program that names a file: the workspace-relative paths of both."""

    path: str
    lock: str
    says: Lock

    def __str__(self) -> str:
        who = self.says.holder or "A program that leaves no name"
        process = f" (process {self.says.pid})" if self.says.pid else ""
        since = f" since {self.says.since}" if self.says.since else ""
        what = "is writing this file" if self.says.files is not None else "may be writing this file: its lock can't be read"
        return f"{who}{process} {what}{since}, by {self.lock}."


class Beside:
    """The other programs that write in the stores of one workspace. `root`: absolute, without links; `now`: UTC."""

    def __init__(self, files: Files, root: str, stores: Iterable[Store], now: str) -> None:
        self._files = files
        self._root = root
        self._now = now
        found = ((store, layouts.get(store.layout).locks(store)) for store in stores)
        self._locks = [(store, locks) for store, locks in found if locks is not None]

    def found(self, paths: Sequence[str]) -> Found | None:
        """The first lock of another program that names one of the paths. Raises WriteFailed where that can't be told."""
        for store, locks in self._locks if paths else ():
            for name in self._names(locks):
                says = None if locks.own(name) else self._read(locks, name)
                path = None if says is None else self._named(says, store, locks, paths)
                if says is not None and path is not None:
                    return Found(path, f"{locks.folder}/{name}", says)
        return None

    @contextmanager
    def announced(self, paths: Sequence[str]) -> Iterator[None]:
        """Around a commit of these paths, under the workspace's lock. Raises Occupied, before ours is there and once it is;
        Refused where ours can't be left; WriteFailed. In all these cases nothing of ours stays."""
        self._refuse(paths)
        chosen = [(locks, mine) for _, locks in self._locks if (mine := [path for path in paths if locks.announced(path)])]
        for _, locks in self._locks:
            self._tidy(locks)
        if not chosen:
            yield
            return
        with signals.held():  # until ours is gone again
            left: list[tuple[str, bytes]] = []
            try:
                for locks, mine in chosen:
                    left.append(self._leave(locks, mine))
                self._refuse(paths)
                yield
            finally:
                for path, data in left:
                    self._remove(path, data)

    def _refuse(self, paths: Sequence[str]) -> None:
        found = self.found(paths)
        if found is not None:
            raise Occupied(
                str(found), path=found.path,
                remedy=f"Nothing was written: wait until it is through. If it has crashed, delete {found.lock}.",
            )

    def _names(self, locks: Locks) -> list[str]:
        """The names in a folder of locks; none where it is none."""
        place = self._place(locks)
        try:
            found = None if place is None else self._files.stat(place)
            return self._files.list(place) if place and found is not None and found.kind == "folder" else []
        except OSError as error:
            raise failure(error, locks.folder, "Nothing was written.", "read") from error

    def _read(self, locks: Locks, name: str) -> Lock | None:
        path = f"{self._root}/{locks.folder}/{name}"
        try:
            found = self._files.stat(path)
            if found is None:
                return None  # it has just been taken away
            data = self._files.read(path, MOST + 1) if found.kind == "file" and found.size <= MOST else None
        except FileNotFoundError:
            return None
        except OSError:
            data = None
        modified = 0 if found is None else found.modified
        return locks.read(name, data if data is None or len(data) <= MOST else None, modified, self._now)

    def _named(self, lock: Lock, store: Store, locks: Locks, paths: Sequence[str]) -> str | None:
        """The first of the paths that a lock names: itself, or a folder that it lies in."""
        if lock.files is None:
            return next((path for path in paths if locks.announced(path)), None)
        places = [(path, self._files.resolve(f"{self._root}/{path}")) for path in paths]
        for file in lock.files:
            try:
                named = self._files.resolve(self._seen(file, store))
            except ValueError:  # a zero byte, half a surrogate pair: no file's name
                continue
            for path, place in places:
                if place == named or place.startswith(named.rstrip("/") + "/"):
                    return path
        return None

    def _seen(self, file: str, store: Store) -> str:
        """An absolute path as this machine sees it. One below a store that is not here at all was written where the workspace
        is mounted under another name: in a container, mostly."""
        place = os.path.join(self._root, file)
        own = posixpath.basename(store.path)
        head, between, tail = place.rpartition(f"/{own}/")
        if own == "." or not between or head + between == f"{self._root}/{store.path}/" or self._files.stat(head + between):
            return place
        return f"{self._root}/{store.path}/{tail}"

    def _place(self, locks: Locks) -> str | None:
        """The folder of locks; None where it lies outside the workspace or in git's own."""
        place = self._files.resolve(f"{self._root}/{locks.folder}")
        inside = place.startswith(self._root.rstrip("/") + "/") and f"{place}/".find("/.git/", len(self._root)) < 0
        return place if inside else None

    def _leave(self, locks: Locks, paths: Sequence[str]) -> tuple[str, bytes]:
        """Leaves ours, whole or not at all and in nobody's place; its path and content. Raises Refused, WriteFailed."""
        folder = self._place(locks)
        if folder is None:
            raise Refused(
                "A link leads out of the workspace; memdesk's lock is not left there.", path=locks.folder,
                remedy="Make it a folder of the workspace.",
            )
        places = [f"{self._root}/{path}" for path in paths]
        named = dict.fromkeys([*places, *(self._files.resolve(place) for place in places)])
        name, data = locks.write(os.getpid(), list(named), self._now)
        temporary, path = f"{folder}/{ASIDE}{name}.new", f"{folder}/{name}"
        try:
            with suppress(FileExistsError):
                self._files.mkdir(folder)  # it stays: another program may be about to use it
            if self._files.stat(temporary) is not None:
                self._files.unlink(temporary)
            self._files.write(temporary, data, SEEN)
            try:
                self._files.chmod(temporary, SEEN)
                self._files.rename_new(temporary, path)
            except BaseException:
                with suppress(OSError):
                    self._files.unlink(temporary)
                raise
        except FileExistsError:
            why = "Something else has the name of memdesk's lock."
            raise Refused(why, path=f"{locks.folder}/{name}", remedy="Move it out of the way.") from None
        except OSError as error:
            raise failure(error, f"{locks.folder}/{name}", "Nothing was written.") from error
        return path, data

    def _remove(self, path: str, data: bytes) -> None:
        """Takes ours away, and nobody else's. The commit is what it is by now: where that fails, ours goes stale by itself."""
        with suppress(OSError):
            if self._files.read(path, len(data) + 1) == data:
                self._files.unlink(path)

    def _tidy(self, locks: Locks) -> None:
        """Takes away what a memdesk left that was killed: under the workspace's lock no other one writes."""
        folder = self._place(locks)
        for name in self._names(locks):
            aside = name.removeprefix(ASIDE).removesuffix(".new") if name.startswith(ASIDE) else name
            with suppress(OSError):
                found = self._files.stat(f"{folder}/{name}") if locks.own(aside) else None
                if found is not None and found.kind in ("file", "link"):
                    self._files.unlink(f"{folder}/{name}")
