"""A process that holds a workspace's lock, as another memdesk does while it writes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memdesk.core.clock import clock
from memdesk.core.desk import Desk


@contextmanager
def held(root: str, verb: str = "promote") -> Iterator[int]:
    """Its process id; the lock is held until the end of the block, or until `let_go`."""
    ready, signs = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - the child
        try:
            desk = Desk.open(root, clock=clock("2026-11-30T04:02:51"), user_config=None)
            with desk.transactions.lock(verb):
                os.write(signs, b"!")
                signal.pause()
        finally:
            os._exit(0)
    os.close(signs)
    os.read(ready, 1)
    os.close(ready)
    try:
        yield child
    finally:
        let_go(child)


def let_go(child: int) -> None:
    """The holder is killed; with it goes its lock."""
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
