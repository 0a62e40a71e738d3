"""The one door to the disk for everything that is written: small operations on absolute paths, each one system call.

The real implementation is `REAL`. Tests put others in its place: one that records and forgets what was not synced, one
that fails at the n-th operation, one that kills the process there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import Any, Protocol

from memdesk.core.lean import NamedTuple


class Stat(NamedTuple):
    """What a name is, its last link not followed. `kind`: "file", "folder", "link" or "other".

    `modified`: when its bytes were changed last, in nanoseconds since 1970.
    """

    kind: str
    mode: int
    links: int
    device: int
    inode: int
    owner: int
    group: int
    size: int
    modified: int = 0


class Unsupported(OSError):
    """The file system (or the C library) has no such operation; the caller has another way."""


class Files(Protocol):
    """File operations, all on absolute paths. Every one raises OSError; none retries, guesses or cleans up."""

    def stat(self, path: str) -> Stat | None:
        """None where nothing is there: a parent is no folder, a name is longer than any can be."""

    def resolve(self, path: str) -> str:
        """The path behind all links; what does not exist stays as it is named."""

    def read(self, path: str, limit: int = -1) -> bytes:
        """A regular file's bytes (at most `limit`), its last link not followed."""

    def list(self, folder: str) -> list[str]:
        """The names in a folder, sorted."""

    def writable(self, path: str) -> bool:
        """Whether this user may write to what is there."""

    def mounted(self, path: str) -> bool:
        """Whether something is mounted right on this path."""

    def inherits(self, folder: str) -> bool:
        """Whether new files in a folder get an access list from it, so that they must be made right there."""

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        """A new file; `mode` goes through the umask. Raises FileExistsError."""

    def dress(self, path: str, like: str) -> None:
        """Gives a file the mode, group, extended attributes and, where allowed, the owner of another."""

    def chmod(self, path: str, mode: int) -> None: ...

    def chgrp(self, path: str, group: int) -> None: ...

    def fsync(self, path: str) -> None:
        """Makes a file's bytes last."""

    def fsync_dir(self, folder: str) -> None:
        """Makes a folder's names last."""

    def rename(self, source: str, target: str) -> None:
        """Replaces a target that exists."""

    def rename_new(self, source: str, target: str) -> None:
        """Raises FileExistsError where the target exists."""

    def exchange(self, one: str, other: str) -> None:
        """Both names at once. Raises Unsupported."""

    def link(self, source: str, target: str) -> None: ...

    def unlink(self, path: str) -> None: ...

    def mkdir(self, path: str, mode: int = 0o777) -> None: ...

    def rmdir(self, path: str) -> None: ...


class RealFiles:
    """The operations of the system. MEMDESK_FSYNC=0 leaves out the syncs (for test suites, never for stores)."""

    def stat(self, path: str) -> Stat | None:
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # nothing can be there: a recovery must get past such a name
                return None
            raise
        kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
        kind = kinds.get(stat.S_IFMT(found.st_mode), "other")
        mode = stat.S_IMODE(found.st_mode)
        return Stat(
            kind, mode, found.st_nlink, found.st_dev, found.st_ino, found.st_uid, found.st_gid, found.st_size, found.st_mtime_ns
        )

    def resolve(self, path: str) -> str:
        return os.path.realpath(path)

    def read(self, path: str, limit: int = -1) -> bytes:
        # Without O_NONBLOCK a FIFO in the file's place would hold us for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            with open(handle, "rb", closefd=False) as stream:
                return stream.read(limit)
        except OSError as error:
            error.filename = path  # the system was given a number
            raise
        finally:
            os.close(handle)

    def list(self, folder: str) -> list[str]:
        return sorted(os.listdir(folder))

    def writable(self, path: str) -> bool:
        return os.access(path, os.W_OK)

    def mounted(self, path: str) -> bool:
        try:
            with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as table:
                points = {_unescape(line.split(" ")[4]) for line in table}
        except OSError:  # another system: a mount on a file shows as another device than its folder's
            return os.lstat(path).st_dev != os.lstat(os.path.dirname(path)).st_dev
        return path in points

    def inherits(self, folder: str) -> bool:
        try:
            return "system.posix_acl_default" in os.listxattr(folder)
        except (OSError, AttributeError):
            return False

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        with open(handle, "wb", buffering=0) as stream:
            rest = memoryview(data)
            while rest:
                rest = rest[stream.write(rest) :]

    def dress(self, path: str, like: str) -> None:
        wanted, given = os.lstat(like), os.lstat(path)
        if (wanted.st_uid, wanted.st_gid) != (given.st_uid, given.st_gid):
            try:
                os.chown(path, wanted.st_uid, wanted.st_gid)
            except PermissionError:
                if wanted.st_gid != given.st_gid:
                    _chgrp(path, wanted.st_gid)
        _copy_attributes(path, like)
        os.chmod(path, stat.S_IMODE(wanted.st_mode))  # last: a change of owner clears bits of it

    def chmod(self, path: str, mode: int) -> None:
        os.chmod(path, mode)

    def chgrp(self, path: str, group: int) -> None:
        _chgrp(path, group)

    def fsync(self, path: str) -> None:
        _sync(path, os.O_RDONLY | os.O_NOFOLLOW)

    def fsync_dir(self, folder: str) -> None:
        _sync(folder, os.O_RDONLY | os.O_DIRECTORY)

    def rename(self, source: str, target: str) -> None:
        os.rename(source, target)

    def rename_new(self, source: str, target: str) -> None:
        try:
            _renameat2(source, target, _NOREPLACE)
        except Unsupported:
            self._rename_checked(source, target)

    def exchange(self, one: str, other: str) -> None:
        _renameat2(one, other, _EXCHANGE)

    def link(self, source: str, target: str) -> None:
        os.link(source, target, follow_symlinks=False)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        os.mkdir(path, mode)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def _rename_checked(self, source: str, target: str) -> None:
        """The older way: a link refuses an existing name by itself; without links only a look before remains."""
        if not stat.S_ISDIR(os.lstat(source).st_mode):
            try:
                os.link(source, target, follow_symlinks=False)
            except FileExistsError:
                raise
            except OSError as error:
                if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                    raise
            else:
                os.unlink(source)
                return
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
        os.rename(source, target)


REAL: Files = RealFiles()

_NOREPLACE = 1
_EXCHANGE = 2
_AT_FDCWD = -100
_libc: list[Any] = []


def _renameat2(source: str, target: str, flag: int) -> None:
    """Linux's rename with flags, through the C library. Raises Unsupported where library, kernel or file system lacks it."""
    if not _libc:
        import ctypes

        library = ctypes.CDLL(None, use_errno=True)
        _libc.extend((ctypes, getattr(library, "renameat2", None)))
    ctypes, call = _libc
    if call is None:
        raise Unsupported(errno.ENOSYS, os.strerror(errno.ENOSYS), source)
    one, other = os.fsencode(source), os.fsencode(target)
    while call(_AT_FDCWD, ctypes.c_char_p(one), _AT_FDCWD, ctypes.c_char_p(other), ctypes.c_uint(flag)) != 0:
        code = ctypes.get_errno()
        if code == errno.EINTR:
            continue
        if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
            raise Unsupported(code, os.strerror(code), source)
        raise OSError(code, os.strerror(code), source, None, target)


def _sync(path: str, flags: int) -> None:
    if os.environ.get("MEMDESK_FSYNC") == "0":
        return
    handle = os.open(path, flags | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that knows no sync
            raise
    finally:
        os.close(handle)


def _chgrp(path: str, group: int) -> None:
    try:
        os.chown(path, -1, group)
    except PermissionError:
        raise PermissionError(errno.EPERM, f"its group ({group}) cannot be kept", path) from None


def _copy_attributes(path: str, like: str) -> None:
    """Extended attributes, and with them access lists; those of the security modules are the system's to set."""
    if not hasattr(os, "listxattr"):
        return
    try:
        wanted = {name: os.getxattr(like, name, follow_symlinks=False) for name in os.listxattr(like, follow_symlinks=False)}
        given = set(os.listxattr(path, follow_symlinks=False))
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return
        raise
    for name, value in wanted.items():
        try:
            os.setxattr(path, name, value, follow_symlinks=False)
        except OSError as error:
            if not name.startswith(("security.", "trusted.")):
                raise OSError(error.errno, f"its extended attribute {name} cannot be kept", path) from None
    for name in given - set(wanted):
        if not name.startswith(("security.", "trusted.")):
            with contextlib.suppress(OSError):
                os.removexattr(path, name, follow_symlinks=False)


def _unescape(name: str) -> str:
    """A mount point as the kernel writes it: `\\040` for a blank, and so on."""
    for code in ("\\040", "\\011", "\\012", "\\134"):
        name = name.replace(code, chr(int(code[1:], 8)))
    return name
