"""Many processes write to one store at once: every action is applied once, and nobody's text is lost."""

from __future__ import annotations

import os
import time
from pathlib import Path

from memdesk.core.errors import Refused
from tests.support.ground import Room, below


class Crowd:
    """Forked processes that each add candidates, from a common start on."""

    def __init__(self, room: Room, processes: int, count: int) -> None:
        self._gate, self._open = os.pipe()
        self.children = [self._fork(room, f"agent-{number}", count) for number in range(processes)]
        os.close(self._gate)

    def go(self) -> None:
        os.close(self._open)

    def running(self) -> bool:
        """Whether any is still at it. Ended ones are reaped; each must have ended well."""
        for child in list(self.children):
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                assert os.waitstatus_to_exitcode(status) == 0
                self.children.remove(child)
        return bool(self.children)

    def _fork(self, room: Room, name: str, count: int) -> int:
        child = os.fork()
        if child:
            return child
        code = 1
        try:
            os.close(self._open)
            os.read(self._gate, 1)  # returns when the last writing end is closed
            for number in range(count):
                _add(room, f"- [observed] {name} {number}\n".encode(), name)
            code = 0
        finally:
            os._exit(code)


def _add(room: Room, line: bytes, name: str) -> None:
    edits = {"inbox.md": below(b"# Inbox\n\n", line)}
    while True:
        try:
            room.open().apply(lambda: room.plan(edits), None, name, wait=60)
            return
        except Refused:  # an outside editor was quicker five times over
            continue


def test_twenty_processes_that_add_at_once_make_twenty_candidates(tmp_path: Path) -> None:
    room = Room(tmp_path)
    crowd = Crowd(room, 20, 1)
    crowd.go()
    while crowd.running():
        time.sleep(0.002)
    lines = (room.get("inbox.md") or b"").split(b"\n")
    wanted = [b"- [observed] agent-%d 0" % number for number in range(20)]
    assert sorted(line for line in lines if b"agent-" in line) == sorted(wanted)
    assert sorted(entry.by for entry in room.open().history()) == sorted(f"agent-{number}" for number in range(20))
    assert set(room.all()) == {"inbox.md", "decisions.md", "manifest.md"}


def test_an_editor_that_saves_at_each_change_loses_nothing(tmp_path: Path) -> None:
    """Outside edits between and during the actions of three processes; every version of the editor's is in the file."""
    room = Room(tmp_path)
    crowd = Crowd(room, 3, 8)
    target, beside = room.root / "inbox.md", room.root / "inbox.md~"
    seen, saved = b"", 0
    crowd.go()
    while crowd.running():
        before = target.read_bytes()
        if before == seen:
            time.sleep(0.0005)
            continue
        seen = before + b"- outside %d\n" % saved
        if saved % 2:
            beside.write_bytes(seen)
            if target.read_bytes() != before:
                continue  # an editor that looks before it saves; what it overwrites regardless is its own doing
            os.replace(beside, target)
        else:
            with target.open("ab") as stream:
                stream.write(b"- outside %d\n" % saved)
        saved += 1
    kept = room.get("inbox.md") or b""
    late = b"".join(path.read_bytes() for path in room.state.rglob("s*") if path.is_file())
    for number in range(saved):
        assert b"- outside %d\n" % number in kept + late
    assert saved > 4
    assert set(room.all()) - {"inbox.md~"} == {"inbox.md", "decisions.md", "manifest.md"}
