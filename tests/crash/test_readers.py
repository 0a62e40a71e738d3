"""Who reads while others write sees only what was there between two commits, and waits for nobody."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from memdesk.core.transaction import lock
from tests.support.holders import held
from tests.support.races import open_desk
from tests.support.stores import MEMORY, custodian_store, git_repo

PLACES = ("decisions", "area:storage", "constraints", "area:new")


def _store(root: Path, count: int) -> None:
    lines = "".join(f"- Bird item {number};\n" for number in range(count))
    custodian_store(
        root, inbox=f"# Inbox\n\n## 2026-11-28\n\n{lines}", changelog="# Changelog\n",
        **{"areas/storage": "# Storage\n\nLoad when the task touches storage.\n"},
    )
    git_repo(root)


def _writer(root: Path, own: list[int], gate: int, ready: int) -> int:
    """A process that promotes its candidates one by one: inbox, destination, log, and once the manifest, in one commit each.

    The end of the pipe that it holds tells that it is through.
    """
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        desk = open_desk(root)
        os.read(gate, 1)
        for number in own:
            desk.refresh()
            (entry,) = [entry for entry in desk.candidates() if f"item {number};" in entry.text]
            words = {"to": PLACES[number % len(PLACES)], "title": f"Title {number};", "reason": "Seen twice."}
            desk.perform(Request("promote", (entry.id,), words, person=True), "Ada")
        os.close(ready)
        code = 0
    finally:
        os._exit(code)


class Seen:
    """One reading: what waits, what was promoted, what the log says, and whether the new area is there and indexed."""

    def __init__(self, desk: Desk) -> None:
        entries = [entry for entry in desk.workspace.entries() if not entry.path.endswith("changelog.md")]
        self.waiting = {_number(entry.text) for entry in entries if entry.candidate}
        self.promoted = {_number(entry.text) for entry in entries if not entry.candidate and "item " in entry.text}
        log = desk.workspace.documents[f"{MEMORY}/changelog.md"].data.decode()
        self.logged = log.count("- Promoted ")
        self.area = f"{MEMORY}/areas/new.md" in desk.workspace.documents
        self.indexed = b"areas/new.md" in desk.workspace.documents[f"{MEMORY}/manifest.md"].data

    def agrees(self, count: int) -> None:
        """Whether it is a state between two commits."""
        assert self.waiting | self.promoted == set(range(count)), (self.waiting, self.promoted)
        assert self.waiting & self.promoted == set()
        assert self.logged == len(self.promoted)
        assert self.area == self.indexed
        assert self.area == any(number % len(PLACES) == 3 for number in self.promoted)


def _number(text: str) -> int:
    found = re.search(r"item (\d+);", text)
    assert found is not None, text
    return int(found[1])


def _again(desk: Desk, _root: Path) -> Desk:
    desk.refresh()
    return desk


def _anew(_desk: Desk, root: Path) -> Desk:
    return open_desk(root)


@pytest.mark.parametrize(("read", "count"), [
    (_again, 12), pytest.param(_again, 120, marks=pytest.mark.slow), pytest.param(_anew, 60, marks=pytest.mark.slow),
])
def test_every_reading_is_a_state_between_two_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Desk, Path], Desk], count: int
) -> None:
    """Two writers without a pause; the reader reads on until both are through. It never asks for the lock."""
    _store(tmp_path, count)
    gate, opening = os.pipe()
    done, ready = os.pipe()
    writers = [_writer(tmp_path, list(range(half, count, 2)), gate, ready) for half in range(2)]
    os.close(ready)
    os.set_blocking(done, False)

    def never(*_arguments: object, **_named: object) -> None:
        raise AssertionError("a reader asked for the lock")

    monkeypatch.setattr(lock, "locked", never)
    desk = open_desk(tmp_path)
    states, readings = set(), 0
    os.write(opening, b"!!")
    while True:
        try:
            if os.read(done, 1) == b"":
                break
        except BlockingIOError:
            pass
        desk = read(desk, tmp_path)
        seen = Seen(desk)
        seen.agrees(count)
        assert {_number(entry.text) for entry in desk.candidates()} == seen.waiting
        states.add(seen.logged)
        readings += 1
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in writers] == [0, 0]
    assert readings >= len(states) > 2, "it did read in between"
    last = Seen(read(desk, tmp_path))
    last.agrees(count)
    assert last.logged == count


def test_everything_that_reads_goes_on_while_another_process_holds_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _store(tmp_path, 4)

    def never(*_arguments: object, **_named: object) -> None:
        raise AssertionError("a reader asked for the lock")

    with held(str(tmp_path)):
        monkeypatch.setattr(lock, "locked", never)
        desk = open_desk(tmp_path)
        inbox = tmp_path / MEMORY / "inbox.md"
        inbox.write_text(inbox.read_text() + "- Bird item 4;\n")
        assert desk.refresh()
        Seen(desk).agrees(5)
        entry = desk.candidates()[0]
        plan = desk.plan(Request("promote", (entry.id,), {"to": "decisions", "title": "T", "reason": "r"}, person=True))
        assert plan.steps
        assert desk.near(entry) is not None
        assert desk.search("bird") != []
        assert desk.check(mode="none").findings is not None
        assert (desk.history(), desk.pending(), desk.kept(), desk.snoozes(), desk.read_only) == ([], [], [], [], None)


def test_a_commit_that_stands_still_is_waited_for_only_so_long(tmp_path: Path) -> None:
    """One that was interrupted, or whose process was stopped: the reader reads what is there, and `pending` tells."""
    _store(tmp_path, 4)
    desk = open_desk(tmp_path)
    left = tmp_path / ".git/memdesk/txn/20261130T040251Z-abcd"
    left.mkdir(parents=True)
    inbox = tmp_path / MEMORY / "inbox.md"
    inbox.write_text(inbox.read_text() + "- Bird item 4;\n")
    assert desk.refresh()
    Seen(desk).agrees(5)
    assert [item.id for item in desk.pending()] == [left.name]
