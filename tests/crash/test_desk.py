"""The same promises from the desk: real verbs on a real store, killed, undone, and by many at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.support.faults import Killing, Tapped
from tests.support.stores import custodian_store, git_repo

INBOX = (
    "# Inbox\n\n## 2026-11-28\n\n- [observed] Sites report late (from src/a.py:1)\n- Gulls are counted twice\n\n"
    "## 2026-11-20\n\n- Night counts need a lamp\n"
)
CHANGELOG = "# Changelog\n\n## 2026-11-20\n\n- Added the brief.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path, inbox=INBOX, changelog=CHANGELOG)
    return git_repo(tmp_path)


def desk(root: Path, **options: object) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None, **options)  # type: ignore[arg-type]


def memory(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.md")}


def _requests(root: Path) -> dict[str, Request]:
    late, gulls, lamp = (entry.id for entry in desk(root).candidates())
    area = {"to": "area:reports", "title": "Late sites", "reason": "Seen twice."}
    tombstone = {"reason": "They are not.", "tombstone": "yes", "title": "Double gulls"}
    return {
        "promote": Request("promote", (late,), area, person=True),
        "reject": Request("reject", (gulls,), tombstone, person=True),
        "strike": Request("strike", (lamp,), {"reason": "It is in the kit."}, person=True),
        "add": Request("add", (), {"text": "A new one", "tag": "observed"}),
    }


@pytest.mark.parametrize("verb", ["promote", "reject", "strike", "add"])
def test_a_verb_is_undone_to_the_byte_but_for_the_log(root: Path, verb: str) -> None:
    before = memory(root)
    receipt = desk(root).perform(_requests(root)[verb], "Ada")
    assert memory(root) != before
    opened = desk(root)
    plan = opened.undo()
    opened.commit(plan, "Ada")
    now = memory(root)
    log = now.pop("docs/memory/changelog.md")
    wanted = dict(before)
    old_log = wanted.pop("docs/memory/changelog.md")
    assert now == wanted
    assert not (root / "docs/memory/areas").exists()
    if log != old_log:
        assert log.count(b"Undone: ") == 1
        assert log.endswith(old_log.removeprefix(b"# Changelog\n\n"))
    entries = {entry.id: entry for entry in desk(root).history()}
    assert entries[receipt.id or ""].undoable is False


def test_all_verbs_in_a_row_are_undone_in_turn(root: Path) -> None:
    states = [memory(root)]
    for request in _requests(root).values():
        desk(root).perform(request, "Ada")
        states.append(memory(root))
    for state in reversed(states[:-1]):
        opened = desk(root)
        opened.commit(opened.undo(), "Ada")
        now = memory(root)
        assert {path: data for path, data in now.items() if "changelog" not in path} == {
            path: data for path, data in state.items() if "changelog" not in path
        }


@pytest.mark.slow
def test_a_promote_killed_at_every_operation(root: Path, tmp_path: Path) -> None:
    """Candidate, area, manifest and log: all or nothing, and the next start settles it."""
    before = memory(root)
    request = _requests(root)["promote"]
    seen: set[bool] = set()
    killed = 0
    for at in range(1, 120):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                desk(root, files=Tapped(Killing(at))).perform(request, "Ada")
                code = 0
            finally:
                os._exit(code)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended in (0, -signal.SIGKILL)
        killed += ended != 0
        opened = desk(root)
        opened.recover()
        opened.refresh()
        done = memory(root) != before
        seen.add(done)
        ids = [entry.heading for entry in opened.candidates()]
        assert len(ids) == (2 if done else 3)
        assert (root / "docs/memory/areas/reports.md").exists() == done
        assert (b"areas/reports.md" in memory(root)["docs/memory/manifest.md"]) == done
        assert (b"Late sites" in memory(root)["docs/memory/changelog.md"]) == done
        subprocess.run(["git", "checkout", "-q", "--", "."], cwd=root, check=True)
        subprocess.run(["git", "clean", "-qfd"], cwd=root, check=True)
        assert memory(root) == before
        if ended == 0:
            break
    assert seen == {True, False}
    assert killed >= 24


def test_twenty_processes_that_add_at_once_make_twenty_candidates(root: Path) -> None:
    gate, opening = os.pipe()
    children = []
    for number in range(20):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(opening)
                opened = desk(root)
                os.read(gate, 1)  # until all are there
                opened.perform(Request("add", (), {"text": f"Bird number {number}", "tag": "observed"}), "agent")
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    os.close(opening)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 20
    texts = [entry.heading for entry in desk(root).candidates() if "Bird" in entry.heading]
    assert sorted(texts) == sorted(f"[observed] Bird number {number}" for number in range(20))
    assert len(desk(root).history()) == 20


@pytest.mark.slow
def test_twenty_commands_that_add_at_once_make_twenty_candidates(root: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "memdesk", "add", f"Bird number {number}", "--tag", "observed"],
            cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )
        for number in range(20)
    ]
    told = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0] * 20, told
    texts = [entry.heading for entry in desk(root).candidates() if "Bird" in entry.heading]
    assert sorted(texts) == sorted(f"[observed] Bird number {number}" for number in range(20))
    assert len({out for out, _ in told}) == 20, "each printed an id of its own"
