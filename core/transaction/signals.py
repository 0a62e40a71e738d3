"""Holding signals while a transaction is between prepared and committed."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from types import FrameType

HELD = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP")


@contextlib.contextmanager
def held(names: Sequence[str] = HELD) -> Iterator[list[int]]:
    """Notes signals that would end or stop the process, and delivers them when the block is through. Gives those that came.

    Only the main thread can; elsewhere (a worker of the workbench) whoever ends the process waits for the worker.
    Handlers instead of a mask: with several threads the system would give a masked signal to another one, and Python
    would still raise KeyboardInterrupt here.
    """
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return

    def note(number: int, _frame: FrameType | None) -> None:
        noted.append(number)

    previous = {}
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and (before := signal.getsignal(number)) not in (signal.SIG_IGN, None):
            previous[number] = before
            signal.signal(number, note)
    try:
        yield noted
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(noted):
            os.kill(os.getpid(), number)
