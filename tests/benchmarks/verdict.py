"""What a verdict costs in an inbox of 10,000 candidates: reading it, planning, committing, reading it again.

Processor time of this process, the best of several rounds, each with another candidate; the file changes with every one.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.support.stores import big_inbox, git_repo

CANDIDATES = 10_000
MOST = 0.5  # seconds for a plan, and for a commit
_VERDICTS = (("promote", {"to": "constraints", "reason": "it holds"}), ("reject", {"reason": "it does not"}))

T = TypeVar("T")


def run(rounds: int = 5) -> dict[str, float]:
    """Prints a table; returns the seconds of each step."""
    best: dict[str, float] = {}

    def timed(name: str, action: Callable[[], T]) -> T:
        start = time.process_time()
        value = action()
        best[name] = min(best.get(name, float("inf")), time.process_time() - start)
        return value

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        big_inbox(root, CANDIDATES)
        git_repo(root)
        for _ in range(rounds):
            desk = Desk.open(os.fspath(root), clock=clock("2026-11-30"), user_config=None)
            timed("read the candidates", desk.candidates)
            timed("their ids", lambda desk=desk: [entry.id for entry in desk.candidates()])  # type: ignore[misc]
            gc.freeze()
            timed("look for what is near the first", lambda desk=desk: desk.near(desk.candidates()[0]))  # type: ignore[misc]
            for verb, words in _VERDICTS:
                chosen = desk.candidates()[CANDIDATES // 2]
                request = Request(verb, (chosen.id,), words, person=True)
                plan = timed(f"plan: {verb}", lambda desk=desk, request=request: desk.plan(request))  # type: ignore[misc]
                timed(f"commit: {verb}", lambda desk=desk, plan=plan: desk.commit(plan, "bench"))  # type: ignore[misc]
                timed("read again", desk.candidates)
            gc.unfreeze()
    for name, seconds in best.items():
        target = f"  (at most {MOST * 1000:.0f})" if name.startswith(("plan", "commit")) else ""
        print(f"{name:<32} {seconds * 1000:8.1f} ms{target}")
    return best


if __name__ == "__main__":
    run()
