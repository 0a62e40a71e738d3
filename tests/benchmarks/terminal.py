"""A program in a pseudo-terminal: press keys, and time what it paints."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from typing import Self

_ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?<>=$]*[a-zA-Z~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[@-_])")


class Terminal:
    """Starts `command` at once; `seen` is all that it wrote since the last `press`, escape sequences taken out."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], cwd: str, size: tuple[int, int] = (120, 36)) -> None:
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if not self.pid:
            try:
                os.chdir(cwd)
                os.execvpe(command[0], list(command), dict(environ))
            finally:
                os._exit(127)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._raw = b""
        self._alive = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._alive:
            os.kill(self.pid, 9)
        os.close(self._fd)
        os.waitpid(self.pid, 0)

    @property
    def seen(self) -> bytes:
        return _ESCAPES.sub(b"", self._raw)

    def press(self, keys: str) -> float:
        """Send keys; what was seen is forgotten. Returns the time."""
        self._raw = b""
        now = time.perf_counter()
        os.write(self._fd, keys.encode())
        return now

    def until(self, wanted: bytes, timeout: float = 20.0) -> float:
        """The time at which `wanted` has been painted. Raises TimeoutError with the last of what was seen."""
        limit = time.perf_counter() + timeout
        while wanted not in self.seen:
            left = limit - time.perf_counter()
            if left <= 0 or not self._read(left):
                raise TimeoutError(f"{wanted!r} was not painted; last: {self.seen[-400:]!r}")
        return time.perf_counter()

    def settle(self, quiet: float = 0.15, timeout: float = 20.0) -> None:
        """Read until nothing was written for `quiet` seconds."""
        limit = time.perf_counter() + timeout
        while time.perf_counter() < limit and self._read(quiet):
            pass

    def memory(self) -> float:
        """Resident memory in MB."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            found = next(line for line in file if line.startswith("VmRSS"))
        return int(found.split()[1]) / 1024

    def _read(self, timeout: float) -> bool:
        if not select.select([self._fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        self._alive = bool(data)
        self._raw += data
        return bool(data)
