"""One program, run to its end: what it printed and how it ended.

`subprocess` alone takes eight milliseconds to import, a fifth of a check of a small store. So where the system can spawn a
process by itself and the program is given no input, that is what happens.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from memdesk.core.lean import NamedTuple

_PIECE = 1 << 16
_LOOK = 0.05  # seconds between two looks at whether the answer is still wanted


class Ended(NamedTuple):
    """How a program ended (the negative number of the signal that ended it), and what it printed."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(
    words: Sequence[str], environment: Mapping[str, str], *, data: bytes = b"", timeout: float = 60,
    stopped: Callable[[], bool] | None = None,
) -> Ended:
    """Runs `words` with `data` as its input. Raises TimeoutError (it was ended), OSError where it can't be started.

    `stopped`: asked meanwhile, where the program gets no input; True ends it, and it counts as ended by signal 9."""
    if data or not hasattr(os, "posix_spawnp"):
        return _with_input(words, environment, data, timeout)
    return Started(words, environment).end(timeout, stopped)


class Started:
    """A program that runs while its caller does something else, without input. `end` waits for it, `stop` ends it; one of
    the two has to be called. Only where the system spawns processes by itself (`os.posix_spawnp`)."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """Raises OSError where it can't be started."""
        self._out, out_end = os.pipe()
        self._error, error_end = os.pipe()
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out_end, 1), (os.POSIX_SPAWN_DUP2, error_end, 2),
        ]  # fmt: skip
        try:
            self._child = os.posix_spawnp(words[0], list(words), dict(environment), file_actions=actions)
        except BaseException:
            self._close()
            raise
        finally:
            os.close(out_end)
            os.close(error_end)

    def end(self, timeout: float = 60, stopped: Callable[[], bool] | None = None) -> Ended:
        """What it printed, once it has ended. Raises TimeoutError (it was ended)."""
        try:
            read = _read((self._out, self._error), timeout, stopped)
        except _Stopped:
            self.stop()
            return Ended(-9, b"", b"")
        except BaseException:
            self.stop()
            raise
        self._close()
        _, status = os.waitpid(self._child, 0)
        return Ended(os.waitstatus_to_exitcode(status), read[self._out], read[self._error])

    def stop(self) -> None:
        """Ends it at once."""
        os.kill(self._child, 9)
        os.waitpid(self._child, 0)
        self._close()

    def _close(self) -> None:
        os.close(self._out)
        os.close(self._error)


class _Stopped(Exception):
    """Nobody wants the answer any more."""


def _read(pipes: Sequence[int], timeout: float, stopped: Callable[[], bool] | None) -> dict[int, bytes]:
    """What comes out of the pipes until all are closed. Raises TimeoutError, _Stopped."""
    import select
    from time import monotonic

    deadline = monotonic() + timeout
    pieces: dict[int, list[bytes]] = {pipe: [] for pipe in pipes}
    poll = select.poll()
    for pipe in pipes:
        poll.register(pipe, select.POLLIN)
    waiting = len(pipes)
    while waiting:
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        if stopped is not None:
            if stopped():
                raise _Stopped
            left = min(left, _LOOK)
        for pipe, _ in poll.poll(left * 1000):
            piece = os.read(pipe, _PIECE)
            if piece:
                pieces[pipe].append(piece)
            else:
                poll.unregister(pipe)
                waiting -= 1
    return {pipe: b"".join(found) for pipe, found in pieces.items()}


def _with_input(words: Sequence[str], environment: Mapping[str, str], data: bytes, timeout: float) -> Ended:
    import subprocess

    try:
        done = subprocess.run(
            list(words), input=data, capture_output=True, env=dict(environment), timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    return Ended(done.returncode, done.stdout, done.stderr)
