"""A program and everything that it starts in turn, which end together.

The program gets a session of its own: no terminal, and one group that a signal reaches whole. What leaves that group (a
daemon, a session of its own) is found where the system lists its processes under /proc: by the parents that lead to the
program, and by a mark in the environment that children inherit. Nobody can find what has cleared its environment and lost
its parent before it was looked for, nor end what runs as another user.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic, sleep

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import IO

MARK = "MEMDESK_DRAFT_"  # how the name of the mark in the environment begins; a group's own token follows
SURE = 5.0  # seconds in which the system ends what was killed; one that is stuck in the system itself is given up
LOOK = 0.02  # seconds between two looks


class Process(NamedTuple):
    """A process as /proc tells of it. `name`: its number, and when it began, which tells it from a later one of that number."""

    name: tuple[int, bytes]
    parent: int
    group: int
    session: int

    @property
    def pid(self) -> int:
        return self.name[0]


class Group:
    """A program that runs with pipes for input, output and errors, none of them blocking. `end` has to be called."""

    def __init__(self, words: Sequence[str], program: str, cwd: str, environment: Mapping[str, str]) -> None:
        """`program`: the file that is run under the words' first name. Raises OSError where it can't be started."""
        import subprocess
        from secrets import token_hex

        self._mark = MARK + token_hex(16)
        self._found: set[tuple[int, bytes]] = set()  # the names of all that it was seen to start
        self._child = subprocess.Popen(
            list(words), executable=program, cwd=cwd, env={**environment, self._mark: "1"}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
        )  # fmt: skip
        self.pid = self._child.pid
        self.stdin, self.stdout, self.stderr = (_unblocked(pipe) for pipe in self._pipes())

    def ended(self) -> bool:
        """Whether the program itself has ended. Its number stays taken until `end`, so that no signal finds another."""
        return self._child.returncode is not None or (
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        )

    def close_stdin(self) -> None:
        """Tells it that no more input comes."""
        if self._child.stdin is not None:
            self._child.stdin.close()

    def end(self, grace: float) -> int:
        """Ends all that is left of it, asked first and killed after `grace` seconds, and gives how the program ended: its
        exit code, or minus the number of the signal."""
        import subprocess

        for pipe in self._pipes():
            pipe.close()
        self._end(signal.SIGTERM, grace)
        self._end(signal.SIGKILL, SURE)
        with suppress(subprocess.TimeoutExpired):
            return self._child.wait(SURE)
        return -signal.SIGKILL

    def _end(self, number: signal.Signals, wait: float) -> None:
        """Sends a signal to each that is left, and to those that come to be meanwhile, until none is left."""
        told: set[tuple[int, bytes]] = set()
        deadline = monotonic() + wait
        while left := self._left():
            if not told:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, number)
            for name in left - told:
                _send(name, number)
            told |= left
            if monotonic() >= deadline:
                return
            sleep(LOOK)

    def _left(self) -> set[tuple[int, bytes]]:
        """The names of what still runs of it."""
        every = _processes()
        if every is None:  # no /proc: the program itself is all that can be known
            return set() if self.ended() else {(self.pid, b"")}
        known = {process.pid for process in every if process.name in self._found} | {self.pid}
        known |= {process.pid for process in every if self.pid in (process.group, process.session) or self._marked(process.pid)}
        size = 0
        while size != len(known):  # children of children; what was started later need not have a higher number
            size = len(known)
            known |= {process.pid for process in every if process.parent in known}
        left = {process.name for process in every if process.pid in known and process.pid != os.getpid()}
        self._found |= left
        return left

    def _marked(self, pid: int) -> bool:
        try:
            with open(f"/proc/{pid}/environ", "rb") as stream:
                return self._mark.encode() + b"=1" in stream.read()
        except OSError:
            return False

    def _pipes(self) -> list[IO[bytes]]:
        return [pipe for pipe in (self._child.stdin, self._child.stdout, self._child.stderr) if pipe is not None]


def _unblocked(pipe: IO[bytes]) -> int:
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _processes() -> list[Process] | None:
    """All processes that have not ended; None where the system does not list them."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return None
    found = [process for name in names if name.isdecimal() and (process := _process(int(name))) is not None]
    return found or None


def _process(pid: int) -> Process | None:
    """One that has not ended, or None."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()  # the program's name before it may hold anything
    except OSError:
        return None
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return None
    return Process((pid, fields[19]), int(fields[1]), int(fields[2]), int(fields[3]))


def _send(name: tuple[int, bytes], number: signal.Signals) -> None:
    """A signal to this process, and to no later one that has its number."""
    if not hasattr(os, "pidfd_open"):
        return
    with suppress(OSError):
        handle = os.pidfd_open(name[0])
        try:
            now = _process(name[0])
            if now is not None and now.name == name:
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)
