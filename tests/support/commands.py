"""Running memdesk's commands in tests: in this process, as a process of its own, and in a pseudo-terminal."""

from __future__ import annotations

import ctypes
import io
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memdesk.tui.cli import main

NOW = "2026-11-30"
PATIENCE = 30.0  # seconds until a program in a pseudo-terminal is given up


class Ran(NamedTuple):
    """What one command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def id(self) -> str:
        """The one id that it printed."""
        (line,) = self.out.splitlines()
        return line


class Here:
    """Runs command lines in this process, on one workspace and a fixed day."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self._capture = capture
        self._patch = patch

    def __call__(self, *words: str, stdin: bytes | None = None, now: str | None = NOW) -> Ran:
        """`stdin`: what is piped in; there is never a terminal."""
        self._patch.chdir(self.root)
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin or b"")))
        self._capture.readouterr()
        code = main([*(("--now", now) if now else ()), *words])
        captured = self._capture.readouterr()
        return Ran(code, captured.out, captured.err)

    def ids(self, *words: str) -> list[str]:
        """The ids that a listing shows."""
        value = self(*words, "--format", "json").json
        return [item["id"] for item in value.get("candidates", value.get("entries", []))]

    def id(self, text: str) -> str:
        """The id of the one entry that holds a text."""
        (found,) = self.ids("entries", "--grep", text)
        return found

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()


def process(
    root: Path, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, python: Sequence[str] = (),
    before: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """A memdesk of its own. `python`: options of the interpreter; `before`: runs in the child first (fewer rights, say)."""
    return subprocess.run(
        [sys.executable, *python, "-m", "memdesk", *words], cwd=root, input=stdin, capture_output=True, check=False,
        env={**environment(), **(env or {})}, preexec_fn=before, timeout=60,
    )


def environment() -> dict[str, str]:
    """What a memdesk of its own is started with: a fixed day, and a place for compiled modules, so that starting is quick."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "MEMDESK_NOW": NOW, "PYTHONPYCACHEPREFIX": _compiled().name}


@cache
def _compiled() -> tempfile.TemporaryDirectory[str]:
    """A folder of this run's own: compiled modules from anywhere else could be anybody's."""
    return tempfile.TemporaryDirectory(prefix="memdesk-tests-")


def without_rights() -> None:
    """For `before`: root in the child is refused what its owner's permissions forbid, as everybody else is."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: taken from the bounding set, so gone after exec
            if libc.prctl(24, capability, 0, 0, 0) != 0:
                os._exit(99)


class Terminal:
    """A memdesk in a pseudo-terminal: what it wrote, and keys for it. `shown` is all that came, raw."""

    def __init__(self, root: Path, *words: str, env: Mapping[str, str] | None = None) -> None:
        self.shown = b""
        self._root = root
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child
            os.chdir(root)
            full = {**environment(), "TERM": "xterm-256color", **(env or {})}
            os.execve(sys.executable, [sys.executable, "-m", "memdesk", *words], full)
        settings = termios.tcgetattr(self.fd)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(self.fd, termios.TCSANOW, settings)

    def until(self, text: str) -> str:
        """Reads on until a text comes that was not shown before the last `type`, and returns what came."""
        end = time.monotonic() + PATIENCE
        came = b""
        while text.encode() not in came:
            assert time.monotonic() < end, f"{text!r} did not come: {self.shown.decode('utf-8', 'replace')}"
            more = self._read(0.5)
            assert more is not None, f"it ended without {text!r}: {self.shown.decode('utf-8', 'replace')}"
            came += more
        return came.decode("utf-8", "replace")

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        """Reads to the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(0.5) is not None:
            assert time.monotonic() < end, self.shown.decode("utf-8", "replace")
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    @property
    def text(self) -> str:
        return self.shown.decode("utf-8", "replace").replace("\r\n", "\n")

    def _read(self, wait: float) -> bytes | None:
        """What came within `wait` seconds; None at the end."""
        ready, _, _ = select.select([self.fd], [], [], wait)
        if not ready:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux tells that the other side is closed
            return None
        self.shown += data
        return data or None
