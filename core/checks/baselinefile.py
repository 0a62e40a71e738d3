"""The file of a baseline on disk: where it may be, reading it, and writing it, which is the one write that a check does."""

from __future__ import annotations

import os
import stat

from memdesk.core import layouts
from memdesk.core.checks import baseline
from memdesk.core.errors import StoreError, UsageError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.checks.baseline import Known
    from memdesk.core.checks.runner import Report
    from memdesk.core.model import Workspace

LIMIT = 32_000_000  # bytes: some two hundred thousand findings
_INSIDE = "Name a file in the repository, so that clones and CI have it."


class File:
    """The baseline of one check. Raises UsageError for a place where none may be, and for two files."""

    def __init__(self, root: str, given: str | None, write: str | None) -> None:
        self.root = root
        self.writes = write is not None
        paths = {locate(root, name) for name in (given, write) if name is not None}
        if len(paths) > 1:
            raise UsageError(
                "--baseline and --write-baseline name two files.",
                remedy="--write-baseline leaves out all that it writes: name its file alone.",
            )
        self.path = paths.pop()

    def known(self, workspace: Workspace, failures: list[str]) -> list[Known] | None:
        """Its lines; None where they can't be read, which is added to `failures`: all findings are reported then."""
        if self.writes:
            clear_of_memory(workspace, self.path)
        try:
            return present(self.root, self.path) if self.writes else read(self.root, self.path)
        except StoreError as error:
            failures.append(str(error))
            return None

    def written(self, report: Report, notices: list[str]) -> str | None:
        """Writes it as a check found it, and says so in `notices`. What hindered it, where something did."""
        sifted = report.sifted
        if report.failures or sifted is None:
            why = "The baseline is not written: the check could not do all that was asked, and what it missed would be lost."
            return str(StoreError(why, path=self.path))
        try:
            changed = write(self.root, self.path, sifted.lines)
        except StoreError as error:
            return str(error)
        kept = f", {sifted.unseen} kept of what was not looked at" if sifted.unseen else ""
        what = f"{_count(len(sifted.lines))} ({sifted.new} new, {len(sifted.gone)} gone{kept})"
        notices.append(f"{self.path}: {'written' if changed else 'is as it was'}: {what}.")
        if sifted.barred:
            notices.append(f"{self.path}: findings that no baseline takes stay: {', '.join(sifted.barred)}.")
        return None


def locate(root: str, given: str) -> str:
    """The path from the root of the workspace of a file that is named from the current folder. It need not be there.

    Raises UsageError for one outside of the workspace or in `.git`, a link, and what is no file.
    """
    folder, name = os.path.split(os.path.abspath(given))
    place = os.path.join(os.path.realpath(folder), name)
    top = root if root.endswith(os.sep) else root + os.sep
    if not given.strip() or not name or not place.startswith(top):
        raise UsageError(f"The baseline {given!r} is not in the workspace {root}.", remedy=_INSIDE)
    path = place[len(top) :].replace(os.sep, "/")
    if ".git" in path.split("/"):
        raise UsageError("git's own folder is no place for a baseline.", path=path, remedy=_INSIDE)
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return path
    except OSError as error:
        raise UsageError(f"The baseline cannot be looked at: {error.strerror}.", path=path) from None
    if stat.S_ISLNK(mode):
        raise UsageError("The baseline is a link.", path=path, remedy="Name the file itself.")
    if not stat.S_ISREG(mode):
        raise UsageError("The baseline is no file.", path=path, remedy="Name a file.")
    return path


def read(root: str, path: str) -> list[Known]:
    """The lines of a baseline. Raises StoreError, with the line where there is one, for a file that is missing, can't be read
    or is no baseline."""
    data = _data(root, path)
    if data is None:
        remedy = "`memdesk --check --write-baseline FILE` makes it; the name is from the current folder."
        raise StoreError("There is no such baseline.", path=path, remedy=remedy)
    return baseline.parse(data, path)


def present(root: str, path: str) -> list[Known]:
    """The same before it is written anew: none where there is no file yet."""
    data = _data(root, path)
    return [] if data is None else baseline.parse(data, path)


def clear_of_memory(workspace: Workspace, path: str) -> None:
    """Raises UsageError for a path that would be memory: the next check would read the baseline."""
    for store in workspace.stores:
        if path in workspace.documents or (
            store.inner(path) is not None and layouts.get(store.layout).classify(store, path) is not None
        ):
            raise UsageError("This would be a memory file.", path=path, remedy="Name a file beside the memory, such as *.txt.")


def write(root: str, path: str, lines: Iterable[Known]) -> bool:
    """Writes the file, whole or not at all; whether anything in it changed. Raises StoreError where it can't be written."""
    from contextlib import suppress

    from memdesk.core.transaction.files import REAL

    data = baseline.render(lines)
    if _data(root, path) == data:
        return False
    place = os.path.join(root, path)
    folder = os.path.dirname(place)
    beside = os.path.join(folder, f".memdesk-baseline-{os.getpid()}")
    try:
        with suppress(FileNotFoundError):
            REAL.unlink(beside)  # of a memdesk that was killed
        REAL.write(beside, data, 0o666)
        if REAL.stat(place) is not None:
            REAL.dress(beside, place)
        REAL.fsync(beside)
        REAL.rename(beside, place)
        REAL.fsync_dir(folder)
    except OSError as error:
        remedy = "Make its folder first." if isinstance(error, FileNotFoundError) else "Check the permissions of its folder."
        raise StoreError(f"The baseline cannot be written: {error.strerror}.", path=path, remedy=remedy) from None
    finally:
        with suppress(OSError):
            REAL.unlink(beside)
    return True


def _data(root: str, path: str) -> bytes | None:
    """A file's bytes; None where there is none. No link is followed, and nothing is waited for."""
    try:
        handle = os.open(os.path.join(root, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise StoreError("The baseline is no file.", path=path, remedy="Name a file.")
            data = stream.read(LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        message = f"The baseline cannot be read: {error.strerror}."
        raise StoreError(message, path=path, remedy="Check its permissions.") from None
    if len(data) > LIMIT:
        raise StoreError(f"The baseline has over {LIMIT // 1_000_000} MB.", path=path, remedy="Name a baseline.")
    return data


def _count(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"
