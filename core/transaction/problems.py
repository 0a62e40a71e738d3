"""From the system's errors to words: which file, what happened, what a person can do, and that nothing was lost."""

from __future__ import annotations

import errno
import os

from memdesk.core.errors import MemdeskError, Refused

AS_BEFORE = "The store is as it was before."


class WriteFailed(MemdeskError):
    """The disk or the system said no; everything was put back. `errno` is its number."""

    def __init__(self, message: str, *, path: str | None = None, remedy: str = "", number: int = 0) -> None:
        super().__init__(message, path=path, remedy=remedy)
        self.errno = number


class Foreign(Exception):
    """Inside a commit: someone else's text is where ours was expected. Never leaves the transaction layer."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Stale(Foreign):
    """Before a commit: a file is no longer what the plan was made from."""


_REMEDIES = {
    errno.ENOSPC: ("the disk is full", "Free some space and try again."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space and try again."),
    errno.EACCES: ("no permission to write here", "Check who may write to the file and its folder (ls -ld)."),
    errno.EPERM: ("the system does not permit it", "Check owner, group and attributes of the file (ls -l, lsattr)."),
    errno.EROFS: ("the file system is mounted read-only", "Mount it for writing, or work on another copy."),
    errno.EIO: ("the disk reports an error", "Check the disk before anything else is written to it."),
    errno.EMFILE: ("too many files are open", "Close some programs and try again."),
    errno.ENFILE: ("too many files are open", "Close some programs and try again."),
    errno.EXDEV: ("it lies on another file system than it seems", "Give the file and its folder one file system."),
    errno.EBUSY: ("something is mounted on the file, or it is in use", "Unmount it, or edit the file behind the mount."),
    errno.ENAMETOOLONG: ("the name is too long for the file system", "Choose a shorter title."),
    errno.ENOENT: ("it, or its folder, is gone", "Look whether the folder was moved or another branch checked out."),
    errno.ENOTDIR: ("a folder of its path is a file", "Move that file out of the way."),
    errno.EISDIR: ("a folder stands in its place", "Move that folder out of the way."),
    errno.EINTR: ("a signal came between", "Try again."),
    errno.ELOOP: ("a link stands in its place, or links go in circles", "Make it a regular file."),
}


def failure(error: OSError, path: str | None, after: str = AS_BEFORE, doing: str = "written") -> WriteFailed:
    """An OSError as an error for people. `path` is workspace-relative (or the state folder's); `after` says
    what holds now; `doing`: "written" or "read"."""
    number = error.errno or 0
    what, remedy = _REMEDIES.get(number, (error.strerror or str(error) or "the system refused", "Try again."))
    if number == errno.EPERM and error.strerror and error.strerror != os.strerror(errno.EPERM):
        what = error.strerror  # our own words: the group, the attribute
    if number == errno.EINVAL:
        remedy = "See what stands in its place, and move it out of the way."
    return WriteFailed(f"Cannot be {doing}: {what}. {after}".rstrip(), path=path, remedy=remedy, number=number)


def refusal(path: str, message: str, remedy: str) -> Refused:
    """A target that is not written to, whatever the plan says."""
    return Refused(message, path=path, remedy=remedy)
