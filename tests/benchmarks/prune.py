"""What a scan for proposals takes beside reading: 10,000 entries in 100 areas, one in twenty with a dead link, 500 candidates.

Prints the best of several rounds, in processor time. What is nearly the same is not looked for: see `alike`.
"""

from __future__ import annotations

import random
import time
from datetime import date

from memdesk.core import config
from memdesk.core.model import Workspace
from memdesk.core.prune.scan import scan
from tests.support.sources import HOME, decision, memory, over
from tests.support.stores import manifest

AREAS, EACH, CANDIDATES = 100, 95, 500
TODAY, LONG_AGO = date(2026, 11, 30), date(2020, 1, 1)


def made() -> Workspace:
    """The same workspace each time."""
    chance = random.Random(3)
    words = [f"word{number:03}" for number in range(900)]
    areas = {}
    for area in range(AREAS):
        parts = []
        for number in range(EACH):
            said = " ".join(chance.sample(words, 20))
            said += f" See [a](gone-{number}.md) today." if number % 20 == 0 else "."
            parts.append(decision(" ".join(chance.sample(words, 6)), said))
        areas[f"areas__part-{area:03}"] = f"# Part {area}\n\nLoad when it matters.\n\n" + "".join(parts)
    inbox = "".join(f"- {' '.join(chance.sample(words, 12))}.\n" for _ in range(CANDIDATES))
    files = memory(inbox=f"## 2026-11-01\n\n{inbox}", **areas)
    names = [name.partition("__")[2] for name in areas]
    files[f"{HOME}/manifest.md"] = manifest(areas=names, budgets=["areas/*.md: 90000 tokens max per file, if present"])
    return over(files)


def run(rounds: int = 3) -> dict[str, float]:
    """Prints the seconds, and returns them."""
    best = {"read": float("inf"), "scan": float("inf")}
    found = entries = 0
    for _ in range(rounds):
        workspace = made()
        times = [time.process_time()]
        entries = sum(len(document.entries) for document in workspace.documents.values())
        times.append(time.process_time())
        found = len(scan(workspace, config.defaults(), TODAY, touched=lambda path: LONG_AGO, near=False).proposals)
        times.append(time.process_time())
        for at, name in enumerate(best):
            best[name] = min(best[name], times[at + 1] - times[at])
    print(f"{entries} entries, {found} proposals")
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1000:8.1f} ms")
    print(f"scan without near duplicates: {best['scan']:.2f} s (at most 2)")
    return best
