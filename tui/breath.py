"""Long work in a thread beside a screen that answers: it holds its breath whenever it worked for a while.

Python runs one thread at a time and hands over once a millisecond: work that never waits takes every other millisecond from a
key on its way to the screen. On a busy machine that is a fifth of the time that a key takes (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, sleep

WORK = 0.001  # seconds of work between two pauses
PAUSE = 0.001


def breathing(stopped: Callable[[], bool]) -> Callable[[], bool]:
    """The same question, for work that asks it often; asking it pauses the work now and then."""
    begun = perf_counter()

    def asked() -> bool:
        nonlocal begun
        if perf_counter() - begun > WORK:
            sleep(PAUSE)
            begun = perf_counter()
        return stopped()

    return asked
