"""What all stores of a workspace have against each other, beside reading them: 10,000 entries, 500 records, 300 terms.

Prints the best of several rounds. One decision in twenty names a record, half of the records do not stand.
"""

from __future__ import annotations

import random
import time

from memdesk.core.conflicts import find
from memdesk.core.model import Workspace
from tests.support.sources import adr, decision, memory, over

ENTRIES, AREAS, RECORDS, TERMS = 10_000, 100, 500, 300


def made() -> Workspace:
    """The same workspace each time."""
    chance = random.Random(3)
    words = [f"word{number:03}" for number in range(900)]
    files: dict[str, str] = {}
    for number in range(1, RECORDS + 1):
        status = ("Accepted", "Rejected", f"Superseded by ADR-{max(1, number - 1):04}", "Proposed")[number % 4]
        files |= adr(number, " ".join(chance.sample(words, 5)), status)
    glossary = (f"**Term {word}**:\nA thing.\n_Avoid_: {word}a, {word}b c\n\n" for word in words[:TERMS])
    areas = {}
    for area in range(AREAS):
        parts = []
        for number in range(ENTRIES // AREAS):
            said = " ".join(chance.sample(words, 20))
            if number % 20 == 0:
                said += f" (see ADR-{chance.randrange(1, RECORDS):04}).\n\n**{words[number]}**: another thing"
            parts.append(decision(" ".join(chance.sample(words, 6)), said + "."))
        areas[f"areas__part-{area:03}"] = f"# Part {area}\n\nLoad when it matters.\n\n" + "".join(parts)
    return over(files, {"CONTEXT.md": "# Words\n\n" + "".join(glossary)}, memory(**areas))


def run(rounds: int = 3) -> dict[str, float]:
    """Prints the seconds and their ratio, and returns them."""
    best = {"read": float("inf"), "conflicts": float("inf")}
    found = entries = 0
    for _ in range(rounds):
        workspace = made()
        start = time.process_time()
        entries = sum(len(document.entries) for document in workspace.documents.values())
        between = time.process_time()
        found = len(find(workspace))
        end = time.process_time()
        best = {"read": min(best["read"], between - start), "conflicts": min(best["conflicts"], end - between)}
    print(f"{entries} entries, {found} conflicts")
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1000:8.1f} ms")
    print(f"conflicts/reading: {best['conflicts'] / best['read']:.2f} (at most 1.5)")
    return best
