"""Makes the pictures of the README from the example stores: `python screenshots/make.py [FOLDER]`, in the test environment.

Same stores, same day, same size and the pinned Textual give the same SVG, to the byte; a test compares them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot
from textual.worker import WorkerError

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.transaction import identifiers
from memdesk.tui.app import Workbench
from memdesk.tui.demo import copy_examples, first_commit

SIZE = (120, 36)
TODAY = datetime(2026, 11, 30, 9, 0)
SETTLED = 8  # turns of the loop in which nothing was left to do

# The layouts whose examples are shown, and what is pressed. Words behind "=" are typed; everything else is a key.
REASON = "=Nightly copies run without a person to type the folder."
PICTURES: Mapping[str, tuple[str, ...]] = {
    "inbox": ("custodian", "j", "j", "j"),
    "promote": ("custodian", "p", "enter", REASON),
    "lesson": ("agent-memory", "j", "j", "p"),
    "correct": (
        "tiers", "2", "tab", "j", "s", "delete", "delete", "delete", "=Each", "tab", "tab", "=Two managers sign by now.",
    ),
    "context": ("custodian", "2", "j"),
    "against": ("custodian", "p", "enter", REASON, "enter", "2", "v", "tab", "j"),
    "recall": ("agent-memory", "2", "r", "=relay API", "enter"),
    "conflicts": ("custodian records", "3"),
    "prune": ("tiers", "4", "j"),
    "health": ("custodian", "5"),
    "history": ("custodian", "p", "enter", REASON, "enter", "6"),
}


async def take(name: str) -> str:
    """One picture as SVG."""
    with tempfile.TemporaryDirectory() as base, patch.object(identifiers, "new", _ident):
        root = os.path.join(base, "night-notes")
        shown, *steps = PICTURES[name]
        copy_examples(root, shown.split())
        first_commit(root, f"{TODAY.isoformat()}Z")
        app = Workbench(Desk.open(root, clock=Clock(TODAY), user_config=None), environ={"TERM": "xterm-256color"})
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            for step in steps:
                await pilot.press(*(_keys(step[1:]) if step.startswith("=") else [step]))
                await settle(pilot)
            return app.export_screenshot(title="memdesk")


async def settle(pilot: Pilot[object]) -> None:
    """Until no worker runs and nothing is left to draw."""
    quiet = 0
    while quiet < SETTLED:
        await pilot.pause()
        running = [worker for worker in pilot.app.workers if not worker.is_finished]
        quiet = 0 if running else quiet + 1
        for worker in running:
            try:
                await worker.wait()
            except WorkerError:  # cancelled by a newer one of its group
                continue


def _ident(stamp: str, taken: Iterable[str]) -> str:
    """A transaction's id without its random signs."""
    return f"{stamp.replace('-', '').replace(':', '')}-k3f9"


def _keys(words: str) -> list[str]:
    return [{" ": "space", ".": "full_stop", ",": "comma"}.get(character, character) for character in words]


def main(folder: str) -> None:
    """Writes all of them."""
    for name in PICTURES:
        Path(folder, f"{name}.svg").write_text(asyncio.run(take(name)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent))
