"""The working tree as a Tree: what is on disk below one folder, read and never written.

Names are handled as bytes, so that neither the locale nor a name that is not UTF-8 changes what is found. Listings are
kept for the life of an instance; `fresh` gives one that looks again. Nothing outside the root is ever read: a link may
lead to another place in the workspace, never out of it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from errno import EIO, EMFILE, ENFILE, ENXIO

from memdesk.core.errors import StoreError
from memdesk.core.globs import Ignore
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.tree import Item

if TYPE_CHECKING:
    from typing import TypeAlias

LIMIT = 8 * 1024 * 1024  # bytes; a larger file is no memory that anyone loads (DESIGN.md, The Markdown reader)
MOST_FILES = 1_000_000
MOST_ENTRIES = 50_000  # files and folders below one that nobody made a workspace: about half a second
TEMPORARY = b".memdesk-"  # how the transaction's files begin that stand beside their target
STATE = ".memdesk/state"  # personal state where there is no git folder to keep it in

_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_CHUNK = 1024 * 1024

Items: TypeAlias = list[Item]
Names: TypeAlias = list[str]  # inside the class below, `list` is its method


class Stamp(NamedTuple):
    """What tells a file from a changed one without reading it. Times are in nanoseconds."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    links: int


class WorkTree:
    """The files below `root`. `ignore` are globs of paths that `walk` leaves out (see `globs.Ignore`).

    `most_entries`: how many files and folders `walk` looks at before it gives up, on the root's own file system alone; None
    where the root is known to be a workspace. `unreadable` collects (path, errno) of the folders that `walk` could not
    look into.
    """

    def __init__(
        self, root: str, ignore: Iterable[str] = (), *, most_files: int = MOST_FILES, most_entries: int | None = None
    ) -> None:
        self.root = os.path.realpath(root)
        self.ignore = Ignore(ignore)
        self.unreadable: list[tuple[str, int]] = []
        self._most_files = most_files
        self._most_entries = most_entries
        self._base = os.fsencode(self.root)
        self._inside = self._base.rstrip(b"/") + b"/"
        self._lists: dict[str, list[Item]] = {}
        self._walked: list[str] | None = None
        self._first: dict[str, bytes] = {}  # the bytes that were read first: what a digest speaks of
        self._folders: dict[str, bytes | None] = {".": self._base}

    def fresh(self, forget: Iterable[str] | None = None) -> WorkTree:
        """A tree of the same root that looks at the disk again.

        Its digests still speak of the bytes that this one read, but for the paths to `forget` (None: all of them).
        """
        tree = WorkTree(self.root, self.ignore.patterns, most_files=self._most_files, most_entries=self._most_entries)
        if forget is not None:
            tree._first.update(self._first)
            for path in forget:
                tree._first.pop(path, None)
        return tree

    def list(self, folder: str) -> Items:
        found = self._lists.get(folder)
        if found is None:
            found = self._lists[folder] = self._scan(folder)
        return found

    def walk(self) -> Names:
        """As Tree says. Raises StoreError above `most_files` or `most_entries`: that is no folder to look for memory in."""
        if self._walked is None:
            self._walked = self._walk()
        return self._walked

    def kind(self, path: str) -> str:
        status = self._status(path, follow=False)
        return "none" if status is None else _KINDS.get(stat.S_IFMT(status.st_mode), "other")

    def resolve(self, path: str) -> str:
        real = self._real(path)
        if real == self._base:
            return "."
        return _decode(real[len(self._inside) :])

    def read(self, path: str) -> bytes:
        data = self._read(path)
        self._first.setdefault(path, data)
        return data

    def size(self, path: str) -> int:
        status = self._status(path, follow=True)
        return 0 if status is None else status.st_size

    def mode(self, path: str) -> int | None:
        status = self._status(path, follow=True)
        return None if status is None else stat.S_IMODE(status.st_mode)

    def digest(self, path: str) -> str | None:
        """As Tree says; of a file that this tree read: of the bytes that it read first."""
        from hashlib import sha256

        kept = self._first.get(path)
        if kept is not None:
            return sha256(kept).hexdigest()
        status = self._status(path, follow=True)
        if status is None:
            if self.kind(path) != "link":
                return None
            self._real(path)
            raise StoreError("is a link to nothing.", path=path, remedy="Mend or remove the link.")
        if stat.S_ISDIR(status.st_mode):
            return sha256("\0".join(item.name for item in self.list(path)).encode("utf-8", "surrogateescape")).hexdigest()
        if status.st_size > LIMIT:
            return self._digest_large(path)
        return sha256(self.read(path)).hexdigest()

    def stamp(self, path: str) -> Stamp | None:
        """What identifies the state of the file behind `path` (links followed), or None where there is none."""
        status = self._status(path, follow=True)
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        return Stamp(
            status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_nlink
        )

    # Where a path is on disk

    def _folder(self, folder: str) -> bytes | None:
        """The real place of a workspace folder, or None when it lies outside (or is a loop)."""
        if folder not in self._folders:
            self._folders[folder] = self._contained(os.path.join(self._base, _encode(folder)))
        return self._folders[folder]

    def _contained(self, place: bytes) -> bytes | None:
        if b"\0" in place:
            return None
        try:
            real = os.path.realpath(place, strict=False)
        except OSError:
            return None
        return real if real == self._base or real.startswith(self._inside) else None

    def _place(self, path: str) -> bytes | None:
        """Where `path` itself is (a link not followed; the folders above it are), or None outside the workspace."""
        if path in (".", ""):
            return self._base
        folder, _, name = path.rpartition("/")
        if name in ("", ".", "..") or "\0" in name or path.startswith("/"):
            return None
        try:
            real = self._folder(folder or ".")
            return None if real is None else os.path.join(real, _encode(name))
        except UnicodeEncodeError:  # half a pair, as JSON can write one: no file has that name
            return None

    def _status(self, path: str, *, follow: bool) -> os.stat_result | None:
        place = self._place(path)
        if place is None:
            return None
        try:
            status = os.lstat(place)
            if follow and stat.S_ISLNK(status.st_mode):
                real = self._contained(place)
                status = os.lstat(place if real is None else real)
                return None if stat.S_ISLNK(status.st_mode) else status  # it leads out, or in a circle
            return status
        except OSError:
            return None

    def _real(self, path: str) -> bytes:
        """The real place of `path`, which need not exist. Raises StoreError outside the workspace and for a loop."""
        place = self._place(path)
        real = None
        if place is not None:
            # The folders above are resolved; only a name that is itself a link has further to go.
            real = self._contained(place) if os.path.islink(place) else place
        if real is None:
            raise StoreError("leads out of the workspace.", path=path, remedy="Keep memory files inside the repository.")
        if b".git" in real[len(self._inside) :].split(b"/"):
            raise StoreError("leads into git's own files.", path=path, remedy="Link to a file that git tracks.")
        if os.path.islink(real):  # realpath stops at a link only where links lead in a circle
            raise StoreError("is a link that leads back to itself.", path=path, remedy="Mend or remove the link.")
        return real

    # Reading

    def _read(self, path: str) -> bytes:
        with _Opened(self._real(path), path) as opened:
            if opened.size > LIMIT:
                raise _too_large(path, opened.size)
            chunks: list[bytes] = []
            total = 0
            most = max(4096, min(opened.size + 1, _CHUNK))  # room for a megabyte is slow to get
            while chunk := opened.read(most):
                chunks.append(chunk)
                total += len(chunk)
                if total > LIMIT:
                    raise _too_large(path, total)
            return b"".join(chunks)

    def _digest_large(self, path: str) -> str:
        from hashlib import sha256

        found = sha256()
        with _Opened(self._real(path), path) as opened:
            while chunk := opened.read(_CHUNK):
                found.update(chunk)
        return found.hexdigest()

    # Listing

    def _scan(self, folder: str) -> Items:
        place = self._folder(folder) if folder not in ("", ".") else self._base
        if place is None:
            return []
        try:
            with os.scandir(place) as entries:
                found = [Item(_decode(item.name), _entry_kind(item)) for item in entries if not item.name.startswith(TEMPORARY)]
        except OSError:
            return []
        found.sort()
        return found

    def _walk(self) -> Names:
        found: Names = []
        any_file = self.ignore.any_file
        waiting: list[tuple[bytes, tuple[str, ...]]] = [(self._base, ())]
        looked = 0
        device: int | None = None
        while waiting:
            place, parts = waiting.pop()
            try:
                if self._most_entries is not None:
                    disk = os.lstat(place).st_dev
                    device = disk if device is None else device
                    if disk != device:
                        continue  # another disk, or one of the system's own
                with os.scandir(place) as entries:
                    items = list(entries)
            except OSError as error:
                if not isinstance(error, FileNotFoundError | NotADirectoryError):
                    self.unreadable.append(("/".join(parts) or ".", error.errno or 0))
                continue
            if parts and any(entry.name == b".git" for entry in items):
                continue  # another repository: a clone, a submodule or a worktree, with a memory of its own
            looked += len(items)
            if self._most_entries is not None and looked > self._most_entries:
                raise StoreError(
                    f"{self.root} is no repository, and has more than {self._most_entries} files and folders to look through.",
                    remedy="Name the project's folder (--root DIR), or make it a workspace with an empty memdesk.toml.",
                )
            prefix = "/".join(parts) + "/" if parts else ""
            for entry in items:
                if entry.name.startswith(TEMPORARY):
                    continue
                kind = _entry_kind(entry)
                if kind == "other":
                    continue
                name = _decode(entry.name)
                if name == ".git":
                    continue
                if kind == "folder":
                    own = (*parts, name)
                    if prefix + name != STATE and not self.ignore.folder(own):
                        waiting.append((entry.path, own))
                elif not (any_file and self.ignore.file((*parts, name))):
                    found.append(prefix + name)
            if len(found) > self._most_files:
                raise StoreError(
                    f"holds more than {self._most_files} files.", path=".",
                    remedy="Start memdesk in the repository, or name folders to leave out in stores.ignore.",
                )
        found.sort()
        self.unreadable.sort()
        return found


class _Opened:
    """A regular file, open for reading. A FIFO or device is never waited for."""

    __slots__ = ("handle", "path", "size")

    def __init__(self, place: bytes, path: str) -> None:
        self.path = path
        try:
            self.handle = os.open(place, _OPEN)
        except FileNotFoundError:
            raise StoreError("is not there.", path=path, remedy="Restore it, or remove what names it.") from None
        except OSError as error:
            if error.errno == ENXIO:  # a socket
                raise StoreError("is no regular file.", path=path, remedy="Put a text file in its place.") from None
            raise StoreError(
                f"cannot be opened: {error.strerror or error}.", path=path, remedy=remedy(error.errno)
            ) from None
        status = os.fstat(self.handle)
        self.size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            os.close(self.handle)
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
            raise StoreError(f"is {what}.", path=path, remedy="Put a text file in its place.")

    def read(self, most: int) -> bytes:
        """The next bytes. Raises StoreError where the disk fails."""
        try:
            return os.read(self.handle, most)
        except OSError as error:
            raise StoreError(
                f"cannot be read: {error.strerror or error}.", path=self.path, remedy=remedy(error.errno)
            ) from None

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.handle)


def remedy(number: int | None) -> str:
    """What a person can do about an errno of reading."""
    if number in (EMFILE, ENFILE):
        return "Close some programs and try again."
    return "Check the disk." if number == EIO else "Check its permissions."


def _too_large(path: str, size: int) -> StoreError:
    return StoreError(
        f"has {size} bytes, more than the {LIMIT} that memdesk reads.", path=path, remedy="Split it."
    )


def _entry_kind(entry: os.DirEntry[bytes]) -> str:
    try:
        if entry.is_file(follow_symlinks=False):
            return "file"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "link" if entry.is_symlink() else "other"
    except OSError:
        return "other"


def _encode(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _decode(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
