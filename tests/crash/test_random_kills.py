"""Verbs of a desk in processes that are killed for good (SIGKILL) at random instants: after each recovery all files agree.

Real syncs on a real store. What was done is told by number from the files alone: action after action is in all of its
files, or in none.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.support.stores import MEMORY, custodian_store

CANDIDATES = 90  # of one store; when few are left the next one begins
KINDS = ("promote", "strike", "reject", "tombstone", "area")


def open_desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def request(ident: str, number: int) -> Request:
    """What happens to a candidate: one of five things, by its number."""
    kind = KINDS[number % len(KINDS)]
    verb = {"tombstone": "reject", "area": "promote"}.get(kind, kind)
    words: Mapping[str, str] = {
        "promote": {"to": "decisions", "title": f"Gull {number}", "reason": "Seen."},
        "strike": {"reason": "Seen twice."}, "reject": {"reason": "Not seen."},
        "tombstone": {"reason": "Not seen.", "tombstone": "yes", "title": f"Gull {number}"},
        "area": {"to": f"area:gull-{number}", "title": f"Gull {number}", "reason": "Seen."},
    }[kind]
    return Request(verb, (ident,), words, person=True)


def work(root: Path, done: int, ready: int) -> None:
    """Decides candidate after candidate, until it is killed."""
    desk = open_desk(root)
    for number in range(done, CANDIDATES):
        desk.perform(request(desk.candidates()[0].id, number), "Ada")
        os.write(ready, b"!")


def agreed(root: Path) -> int:
    """How many candidates were decided, from the files, all of which must say the same."""
    folder = root / MEMORY
    waiting = [_number(entry.heading) for entry in open_desk(root).candidates()]
    done = CANDIDATES - len(waiting)
    assert waiting == list(range(done, CANDIDATES))
    of = {kind: [number for number in range(done) if KINDS[number % len(KINDS)] == kind] for kind in KINDS}
    inbox = (folder / "inbox.md").read_text()
    assert _numbers(inbox, r"~~.*Gull (\d+) came.*~~") == Counter(of["strike"])
    assert _numbers(inbox, r"Gull (\d+) came") == Counter([*of["strike"], *waiting])
    assert _numbers((folder / "decisions.md").read_text(), r"^## .*Gull (\d+)$") == Counter(of["promote"])
    assert _numbers((folder / "do-not-use.md").read_text(), r"^## .*Gull (\d+)$") == Counter(of["tombstone"])
    areas = sorted(path.name for path in folder.glob("areas/*"))
    assert areas == sorted(f"gull-{number}.md" for number in of["area"])
    for number in of["area"]:
        assert _numbers((folder / f"areas/gull-{number}.md").read_text(), r"^## .*Gull (\d+)$") == Counter([number])
    assert _numbers((folder / "manifest.md").read_text(), r"areas/gull-(\d+)\.md") == Counter(of["area"])
    log = (folder / "changelog.md").read_text()  # where a rejection without a tombstone is told
    assert _numbers(log, r"^- .*Gull (\d+)") == Counter(range(done))
    beside = {path.name for path in folder.rglob("*") if path.is_file()} - set(areas)
    assert beside == set(_FILES)
    return done


_FILES = ("brief.md", "decisions.md", "constraints.md", "do-not-use.md", "inbox.md", "manifest.md", "changelog.md")


def new_store(root: Path) -> Path:
    """A store of candidates of which the first is decided."""
    inbox = "# Inbox\n\n" + "".join(f"- [observed] Gull {number} came\n" for number in range(CANDIDATES))
    custodian_store(root, inbox=inbox, changelog="# Changelog\n")
    desk = open_desk(root)
    desk.perform(request(desk.candidates()[0].id, 0), "Ada")
    return root


def kill_at_random(folder: Path, times: int, seed: int) -> int:
    """Kills workers at random instants of an action; in how many cases that cut a commit off."""
    chance = random.Random(seed)
    done = CANDIDATES
    landed = stores = 0
    for _ in range(times):
        if done > CANDIDATES - 30:
            root, done, stores = new_store(folder / str(stores)), 1, stores + 1
        kill_one(root, done, chance.random())
        desk = open_desk(root)
        landed += any(name != "generation" for name in os.listdir(Path(desk.state) / "txn"))
        assert not any(item.person for item in desk.recover())
        assert desk.pending() == []
        before, done = done, agreed(root)
        assert done > before + 1
        assert len(os.listdir(Path(desk.state) / "history")) == done
    return landed


def kill_one(root: Path, done: int, share: float) -> None:
    """Kills a worker in its third action, when that share of it is over if it takes as long as the second did."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.environ.pop("MEMDESK_FSYNC", None)
            work(root, done, into)
        finally:
            os._exit(1)
    os.close(into)
    first = os.read(out, 1), time.monotonic()
    second = os.read(out, 1), time.monotonic()
    time.sleep(share * (second[1] - first[1]))
    os.kill(child, signal.SIGKILL)
    ended = os.waitpid(child, 0)[1]
    os.close(out)
    assert second[0], "it ended before its second action did"
    assert os.waitstatus_to_exitcode(ended) == -signal.SIGKILL, "it came to its end"


def _number(text: str) -> int:
    found = re.search(r"Gull (\d+)", text)
    assert found
    return int(found.group(1))


def _numbers(text: str, pattern: str) -> Counter[int]:
    return Counter(int(number) for number in re.findall(pattern, text, re.M))


def test_killed_at_random_instants(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, 40, 1) > 0, "the kills did not hit commits"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_killed_at_many_random_instants(tmp_path: Path, seed: int) -> None:
    """Five hundred in all."""
    assert kill_at_random(tmp_path, 50, 100 + seed) > 0, "the kills did not hit commits"
