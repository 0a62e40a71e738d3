"""Commands that draft, as small real programs, and what is left of them afterwards."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

HEAD = f"""#!{sys.executable} -SEs
import os, signal, sys

def say(name="up", text=None):
    with open(name + ".new", "w") as file:
        file.write(str(os.getpid()) if text is None else text)
    os.rename(name + ".new", name)

def hang():
    while True:
        signal.pause()
"""


def agent(folder: Path, body: str, name: str = "draft") -> list[str]:
    """A program in `folder` that does what `body` says; `say(NAME)` leaves its number in a file, `hang()` never ends."""
    path = folder / name
    path.write_text(HEAD + body)
    path.chmod(0o755)
    return [str(path)]


def said(folder: Path, *names: str) -> Callable[[], bool]:
    """Whether all of these files have been left."""
    return lambda: all((folder / name).exists() for name in names)


def late(folder: Path, *names: str) -> Callable[[], float]:
    """A clock that stands still until the files have been left, and then is past any time."""
    there = said(folder, *names)
    return lambda: 1e9 if there() else 0.0


def gone(pid: int) -> bool:
    """Whether a process has ended, and is no child of ours that nobody has taken leave of."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return True
    return fields[0] in (b"Z", b"X") and int(fields[1]) != os.getpid()


def numbers(folder: Path) -> list[int]:
    """The processes that left their number."""
    return [int(text) for path in folder.iterdir() if (text := path.read_text().strip()).isdecimal()]


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """After the block no process that left its number runs, no child of ours is a zombie, and files and threads are as many
    as before."""
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    yield
    assert [pid for pid in numbers(folder) if not gone(pid)] == []
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == (files, threads)
    mine = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
    assert [pid for pid in mine if _state(pid) == "Z"] == []


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
