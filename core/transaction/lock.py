"""One writer at a time: the system's own lock, which ends with its holder, and a note for people on who that is.

The lock file stays for ever; only the lock on it counts, so nothing that a crash leaves behind can block anybody.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import Protocol

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.core.transaction.files import Files
from memdesk.core.transaction.problems import WriteFailed, failure
from memdesk.core.transaction.state import short

POLL = 0.02  # seconds between two tries
TELL = 0.2  # seconds of waiting after which it is told


class Holder(NamedTuple):
    """Who holds the lock: process, host, and what it does."""

    pid: int
    host: str
    verb: str
    at: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} ({self.verb}, since {self.at})"


class Waiter(Protocol):
    """Who is told of a wait for the lock, and may call it off. Everything is called in the thread that waits."""

    endless: bool
    """Waits for as long as it takes: somebody sees it and can call it off."""

    def waits(self, holder: Holder | None) -> None:
        """It has waited for a moment, for `holder` (None: who left no name). Called again when another one holds it."""

    def ends(self) -> None:
        """The wait is over, whatever came of it. Called only after `waits`."""

    def cancelled(self) -> bool:
        """Whether to give up; asked again and again while waiting."""


class Busy(MemdeskError):
    """Another memdesk is writing, and went on for longer than we were to wait."""


class Cancelled(MemdeskError):
    """The wait for the lock was called off."""

    called_off = True


@contextlib.contextmanager
def locked(files: Files, state: str, verb: str, at: str, wait: float, waiter: Waiter | None = None) -> Iterator[None]:
    """Holds the lock of a state folder that exists, waiting at most `wait` seconds, or as long as an endless waiter does.

    Raises Busy (with the holder), Cancelled, WriteFailed (no lock can be had here).
    """
    from filelock import FileLock, Timeout

    path = f"{state}/lock"
    _check(files, path)
    limit = -1 if waiter is not None and waiter.endless else wait
    lock = FileLock(path, timeout=limit, mode=0o600, thread_local=True, fallback_to_soft=False, poll_interval=POLL)
    told = _Told(state, waiter)
    try:
        try:
            lock.acquire(cancel_check=told.cancelled)
        finally:
            told.end()
    except Timeout:
        if told.called_off:
            raise Cancelled("The wait for the other memdesk was called off; nothing was written.") from None
        other = holder(state)
        raise Busy(
            f"Another memdesk is writing: {other or 'it left no name'}. Waited {wait:.0f} s; nothing was written.",
            remedy="Try again when it is through; its lock ends with it.",
        ) from None
    except (OSError, NotImplementedError) as error:
        raise _unlockable(error, path) from None
    except BaseException:  # Ctrl-C, right when it was had
        lock.release()
        raise
    try:
        _sign(state, verb, at)
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(f"{state}/holder")
        lock.release()


class _Told:
    """Tells a waiter of one wait, once it takes long."""

    def __init__(self, state: str, waiter: Waiter | None) -> None:
        import time

        self._clock = time.monotonic
        self._begun = self._clock()
        self._state = state
        self._waiter = waiter
        self._shown: list[Holder | None] = []  # who it was told of last
        self.called_off = False

    def cancelled(self) -> bool:
        """Asked at each try that failed."""
        if self._waiter is None:
            return False
        if self._clock() - self._begun >= TELL:
            other = holder(self._state)
            if not self._shown or (other is not None and self._shown != [other]):
                self._shown = [other]
                self._waiter.waits(other)
        self.called_off = self._waiter.cancelled()
        return self.called_off

    def end(self) -> None:
        if self._shown and self._waiter is not None:
            self._waiter.ends()


def is_held(state: str) -> bool:
    """Whether someone writes just now: the lock is tried, and let go at once. Where that can't be told, False."""
    from filelock import FileLock, Timeout

    path = f"{state}/lock"
    if not os.path.isfile(path) or os.path.islink(path):
        return False
    try:
        with FileLock(path, timeout=0, mode=0o600, thread_local=True, fallback_to_soft=False):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False


def holder(state: str) -> Holder | None:
    """What the present or the last holder wrote down; None where nobody did. For words alone, never for decisions."""
    import json

    try:
        fields = json.loads(short(f"{state}/holder"))
        return Holder(int(fields["pid"]), str(fields["host"]), str(fields["verb"]), str(fields["at"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sign(state: str, verb: str, at: str) -> None:
    import json
    import socket

    # Neither synced nor needed: a holder that cannot sign still holds.
    with contextlib.suppress(OSError):
        text = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "verb": verb, "at": at})
        handle = os.open(f"{state}/holder", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        with open(handle, "w", encoding="utf-8") as stream:
            stream.write(text)


def _check(files: Files, path: str) -> None:
    """A FIFO would hold the opening for ever, a folder or a link lock something else than what others lock."""
    try:
        found = files.stat(path)
    except OSError as error:
        raise failure(error, path, "Nothing was written.") from error
    if found is not None and found.kind != "file":
        kind = {"folder": "a folder", "link": "a link"}.get(found.kind, "a special file")
        raise WriteFailed(f"The lock cannot be taken: {path} is {kind}.", remedy="Move it away; memdesk makes its own.")


_LOCKLESS = (None, errno.EBADF, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)  # what network file systems answer


def _unlockable(error: Exception, path: str) -> MemdeskError:
    if isinstance(error, OSError) and error.errno not in _LOCKLESS:
        return failure(error, path, "Nothing was written.")
    return WriteFailed(
        f"{path} cannot be locked: this file system has no locks.", remedy="Set state.dir to a folder on a local disk."
    )
