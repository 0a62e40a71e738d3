"""What every task's pack gains and loses in a store of 10,000 entries, beside two packs of every task, in one run."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memdesk.core import layouts
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.packing import pack_route
from memdesk.core.routing import categories, route
from tests.benchmarks.check import repository
from tests.support.stores import MEMORY

ROUNDS = 5


def packs(desk: Desk) -> None:
    """Every task's pack, and one with all modules, as a program makes them one by one."""
    for store in desk.workspace.stores:
        modules = layouts.get(store.layout).modules(store)
        names = {field: tuple(one.name for one in modules if one.field == field) for field in ("areas", "rules", "profiles")}
        requests = [LoadRequest(task) for task in categories(desk.workspace, store)]
        for request in (*requests, LoadRequest("boot", names["areas"], names["rules"], names["profiles"])):
            pack_route(desk.workspace, route(desk.workspace, store, request))


def best(run: Callable[[], object]) -> float:
    """Processor seconds, the best of some rounds."""
    found = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def change(root: Path, files: int) -> None:
    """One entry more, and one less, in so many files."""
    for file in sorted(root.rglob("*.md"), key=lambda file: -file.stat().st_size)[:files]:
        if file.name != "manifest.md":
            lines = file.read_text().split("\n")
            del lines[len(lines) // 2]
            file.write_text("\n".join(lines) + "\n- One more line, which nobody had before.\n")


def run() -> None:
    """Prints the seconds and the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        root = repository(Path(folder) / "big", big=True)

        def opened() -> Desk:
            return Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)

        def both() -> None:
            for _ in range(2):
                packs(opened())

        two = best(both)
        print(f"two readings, two packs of every task   {two:.2f} s")
        for files in (0, 1, 40, 400):
            change(root / MEMORY, files)
            one = best(lambda: opened().against("HEAD"))
            print(f"the difference, {files:>3} files changed       {one:.2f} s, {one / two:.2f} of that")
        subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
