"""memdesk and orchestrators write one memory by the rules of its lock files: no text of either is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core import layouts
from tests.support.orchestrators import left
from tests.support.stores import git_repo, jonggrang_store

PROJECT = ".jonggrang/MEMORY.md"

# An orchestrator writes in place, in two halves, and counts on its lock alone.
ORCHESTRATOR = """
import json, os, sys, time
root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
target, folder = root + "/.jonggrang/MEMORY.md", root + "/.jonggrang/locks"
mine = f"{folder}/{name}.lock"
os.makedirs(folder, exist_ok=True)
def others():
    for lock in os.listdir(folder):
        if lock.endswith(".lock") and lock != name + ".lock":
            try:
                with open(f"{folder}/{lock}") as file:
                    if target in json.load(file)["files"]:
                        return True
            except FileNotFoundError:
                pass
    return False
sys.stdin.read(1)
for number in range(count):
    while True:
        with open(mine + ".new", "w") as file:
            json.dump({"agent_id": name, "files": [target], "acquired_at": "2026-11-30T04:02:51Z", "pid": os.getpid()}, file)
        os.rename(mine + ".new", mine)
        if not others():
            break
        os.unlink(mine)
        os.sched_yield()
    with open(target) as file:
        text = file.read()
    time.sleep(0.002)  # it thinks about it
    with open(target, "w") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        os.sched_yield()
        file.write(text[len(text) // 2 :] + f"- {name} {number}\\n")
    os.unlink(mine)
    time.sleep(0.004)  # its other work
"""

MEMDESK = """
import sys, time
from memdesk.core import layouts
layouts.LAYOUTS.setdefault("jonggrang", "memdesk.core.layouts.jonggrang")
from memdesk.core.announcing import Occupied
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Plan, Request, Step
root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
path = ".jonggrang/MEMORY.md"
desk = Desk.open(root, clock=clock("2026-11-30T04:02:51"), user_config=None)
sys.stdin.read(1)
for number in range(count):
    def planned():
        with open(f"{root}/{path}", "rb") as file:
            before = file.read()
        return Plan(Request("edit"), "s", "l", (Step("replace", path, before, before + f"- {name} {number}\\n".encode()),))
    while True:
        try:
            desk._apply(planned, None, name, 60)
            break
        except Occupied:
            time.sleep(0.001)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(layouts.LAYOUTS, "jonggrang", "memdesk.core.layouts.jonggrang")
    jonggrang_store(tmp_path / "r")
    return git_repo(tmp_path / "r")


@pytest.mark.slow
def test_each_line_of_each_writer_is_there_once(root: Path) -> None:
    before = (root / PROJECT).read_text()
    count = 80
    crowd = {"maker-1": ORCHESTRATOR, "maker-2": ORCHESTRATOR, "desk-1": MEMDESK, "desk-2": MEMDESK}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(root), name, str(count)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for name, code in crowd.items()
    ]
    for child in running:  # all are up, or nearly, before the first begins
        assert child.stdin is not None
        child.stdin.write(b"!")
        child.stdin.flush()
    said = [child.communicate()[1].decode() for child in running]
    assert [child.returncode for child in running] == [0] * 4, said
    after = (root / PROJECT).read_text()
    assert after.startswith(before)
    lines = after[len(before) :].splitlines()
    assert sorted(lines) == sorted(f"- {name} {number}" for name in crowd for number in range(count))
    assert left(root) == []
