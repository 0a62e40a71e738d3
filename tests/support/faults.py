"""Files that fail or kill the process at the n-th operation."""

from __future__ import annotations

import builtins
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memdesk.core.transaction.files import RealFiles

WRITING = (
    "write", "dress", "chmod", "chgrp", "fsync", "fsync_dir", "rename", "rename_new", "exchange", "link", "unlink", "mkdir",
    "rmdir",
)
READING = ("stat", "read", "list")
GROWING = ("write", "mkdir", "link")  # what needs room on the disk


class Tapped(RealFiles):
    """Calls `tap(name, arguments)` before each operation; what it raises is what the operation raises."""

    def __init__(self, tap: Callable[[str, tuple[object, ...]], None]) -> None:
        self._tap = tap

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        if name.startswith("_"):
            return found
        tap = self._tap

        def call(*arguments: object, **named: object) -> object:
            tap(name, arguments)
            return found(*arguments, **named)

        return call


class Failing:
    """A tap that fails: the n-th operation (from 0), and with `lasting` every later one of its kind too."""

    def __init__(self, at: int, number: int, names: tuple[str, ...], lasting: bool = False) -> None:
        self.at = at
        self.number = number
        self.names = names
        self.lasting = lasting
        self.count = 0
        self.failed: str | None = None

    def __call__(self, name: str, arguments: tuple[object, ...]) -> None:
        if name not in self.names:
            return
        self.count += 1
        if self.count - 1 == self.at or (self.lasting and self.count - 1 > self.at):
            self.failed = self.failed or f"{name} {arguments[0]}"
            path = arguments[0]
            raise OSError(self.number, os.strerror(self.number), path)


class Killing:
    """A tap that ends the process, as `kill -9` does, right before its n-th writing operation."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def __call__(self, name: str, arguments: tuple[object, ...]) -> None:
        del arguments
        if name in WRITING:
            if self.count == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
            self.count += 1


@contextmanager
def reading_fails(number: int, matches: Callable[[str], bool], calls: tuple[str, ...] = ("open",)) -> Iterator[list[str]]:
    """While it lasts the system refuses to read what matches; yields the paths that it refused.

    `calls`: of `open` and `read` (a file), `scandir` and `listdir` (a folder), `lstat` (a name). It is below every door to the
    disk: what reads memory, settings and git's files goes through no `Files`.
    """
    refused: list[str] = []

    def refusing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any = ".", *arguments: Any, **named: Any) -> Any:
            name = os.readlink(f"/proc/self/fd/{path}") if isinstance(path, int) else os.fsdecode(path)
            if name and matches(name):
                refused.append(name)
                raise OSError(number, os.strerror(number), path)
            return real(path, *arguments, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for call in calls:
            patch.setattr(os, call, refusing(getattr(os, call)))
        if "open" in calls:
            patch.setattr(builtins, "open", refusing(builtins.open))
        yield refused
