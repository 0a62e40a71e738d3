"""Forty features with fifty fragments each: opening them, all their candidates, and the preview of a compaction of fifty.

Prints the best of several rounds, by the clock, since the files are read from the disk.
"""

from __future__ import annotations

import tempfile
import time
from datetime import date
from pathlib import Path

from memdesk.core import actions, config
from memdesk.core.compacting import materials, planning
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.stores import feature_memory, fragment, put

FEATURES, EACH = 40, 50
TODAY = date(2026, 11, 30)


def made(root: Path) -> None:
    """The same store each time: each fragment has four entries, one of them with code, one that comes again."""
    for feature in range(FEATURES):
        put(root, f".jonggrang/.output/features/part-{feature}/MEMORY.md", feature_memory(
            f"part-{feature}", facts="\n".join(f"- Known fact {number} of part {feature}" for number in range(40)),
        ))
        for number in range(EACH):
            name = f"task-{number % 9:03}-2026-11-{1 + number % 28:02}T10-{number:02}-00-000Z.md"
            put(root, f".jonggrang/.ephemeral/memory/fragments/part-{feature}/{name}", fragment(
                facts=f"- Part {feature} reads table {number} by site and day\n- Names are given by rule {number % 20}",
                what=f"The import of part {feature} was split at step {number}.",
                lessons=f"- Step {number} swallows errors\n\n  ```\n  run --step {number}\n  ```",
            ))


def run(rounds: int = 3) -> dict[str, float]:
    """Prints the seconds, and returns them."""
    best = {"open": float("inf"), "candidates": float("inf"), "preview": float("inf")}
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder))
        settings = config.defaults()
        for _ in range(rounds):
            times = [time.perf_counter()]
            workspace = open_workspace(work_tree(folder, settings), settings)
            times.append(time.perf_counter())
            count = len(workspace.candidates())
            times.append(time.perf_counter())
            workspace = open_workspace(work_tree(folder, settings), settings)  # nothing is parsed yet
            times.append(time.perf_counter())
            found = materials.gather(workspace, workspace.stores[0], "part-7")
            plan = actions.plan(workspace, planning.request(found)._replace(person=True), TODAY)
            times.append(time.perf_counter())
            spent = {"open": times[1] - times[0], "candidates": times[2] - times[1], "preview": times[4] - times[3]}
            best = {name: min(best[name], seconds) for name, seconds in spent.items()}
    print(f"{FEATURES} features, {FEATURES * EACH} fragments, {count} candidates; {plan.details['account'].summary}")
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1000:8.1f} ms")
    print(f"opened: {best['open']:.2f} s (at most 1); with all candidates: {best['open'] + best['candidates']:.2f} s")
    print(f"preview of {EACH} fragments: {best['preview'] * 1000:.0f} ms (at most 200)")
    return best
