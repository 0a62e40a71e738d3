"""memdesk as a process of its own that stops in the middle of a commit until it is let go: nothing else of it is changed."""

from __future__ import annotations

import os
import select
from collections.abc import Mapping
from pathlib import Path
from typing import Self

PATIENCE = 60.0  # seconds until a commit that does not come is given up

_STARTED_WITH = """
import os, signal
from memdesk.core.transaction import files

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it

class Held(files.RealFiles):
    count = 0

    def exchange(self, one, other):
        Held.count += 1
        if Held.count == {at}:
            with open({go!r}, "rb") as go:
                with open({held!r}, "wb") as held:
                    held.write(b"!")
                go.read()
        super().exchange(one, other)

files.REAL = Held()
"""


class Gate:
    """Where a commit waits: right before the `at`-th replacement of a target (from 1). `env` is for the process."""

    def __init__(self, folder: Path, at: int = 2) -> None:
        folder.mkdir()
        self._go = folder / "go"
        os.mkfifo(folder / "held")
        os.mkfifo(self._go)
        script = _STARTED_WITH.format(held=str(folder / "held"), go=str(self._go), at=at)
        (folder / "sitecustomize.py").write_text(script)
        path = os.pathsep.join(part for part in (str(folder), os.environ.get("PYTHONPATH")) if part)
        self.env: Mapping[str, str] = {"PYTHONPATH": path}
        # Open for both: neither side then waits for the other to open it, and nothing ends before we close it.
        self._ends = [os.open(name, os.O_RDWR | os.O_CLOEXEC) for name in (folder / "held", self._go)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.open()

    def wait(self) -> None:
        """Until a commit is held."""
        ready, _, _ = select.select(self._ends[:1], [], [], PATIENCE)
        assert ready, "no commit came"
        os.read(self._ends[0], 1)

    def open(self) -> None:
        """Lets it go on: the reader at the other side sees the end."""
        while self._ends:
            os.close(self._ends.pop())
