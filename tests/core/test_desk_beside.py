"""The desk beside an orchestrator: a preview tells of its lock, commit and undo are refused by it, and reading sees none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.announcing import Occupied
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Plan, Request, Step
from memdesk.core.watch import Watcher, folders
from tests.support.commands import Here
from tests.support.orchestrators import LOCKS, leave, left, raw
from tests.support.stores import MEMORY, custodian_store, git_repo, jonggrang_store, put

INBOX = f"{MEMORY}/inbox.md"
PROJECT = ".jonggrang/MEMORY.md"
ADD = Request("add", words={"text": "Sites report late"}, store=MEMORY)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(layouts.LAYOUTS, "jonggrang", "memdesk.core.layouts.jonggrang")
    root = tmp_path / "r"
    custodian_store(root)
    jonggrang_store(root)
    return git_repo(root)


def desk_of(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def test_a_preview_tells_and_a_commit_is_refused_until_it_is_through(root: Path) -> None:
    desk = desk_of(root)
    plan = desk.plan(ADD)
    assert plan.warnings == ()
    lock = leave(root, INBOX)
    before = (root / INBOX).read_bytes()
    told = desk.plan(ADD).warnings
    said = f"maker-1 (process 4711) is writing this file since 2026-11-30T04:00:00Z, by {LOCKS}/maker-1.lock."
    assert told == (f"{INBOX}: {said}",)
    for act in (lambda: desk.commit(plan, "Ada"), lambda: desk.perform(ADD, "Ada")):
        with pytest.raises(Occupied) as caught:
            act()
        assert (caught.value.path, caught.value.message) == (INBOX, said)
    assert (root / INBOX).read_bytes() == before
    lock.unlink()
    done = desk.commit(plan, "Ada")
    leave(root, INBOX)
    undo = desk.undo(done.id)
    assert undo.warnings[-1:] == told
    with pytest.raises(Occupied):
        desk.commit(undo, "Ada")
    lock.unlink()
    desk.commit(undo, "Ada")
    assert (root / INBOX).read_bytes() == before


def test_a_command_is_refused_with_the_holder(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(root, capsys, monkeypatch)
    leave(root, INBOX, agent="maker \x1b[31m\u202e")
    done = here("add", "Sites report late", "--store", MEMORY, now="2026-11-30T04:02:51")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"memdesk: {INBOX}: maker ")
    assert "(process 4711) is writing this file since 2026-11-30T04:00:00Z" in done.err
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err


def _written(desk: Desk, root: Path) -> Plan:
    """A plan that changes the project's memory."""
    before = (root / PROJECT).read_bytes()
    step = Step("replace", PROJECT, before, before + b"- More\n")
    return Plan(Request("edit"), "Edited.", "Edit", (step,))


def test_ours_is_out_while_a_memory_is_written_and_nobody_who_reads_sees_it(root: Path) -> None:
    desk, reader = desk_of(root), desk_of(root)
    counted = Watcher(str(root), lambda: folders(reader.workspace), reader.known)._counts
    before = [(item.rule, item.path) for item in reader.check().findings]
    seen: list[str] = []

    def look() -> Plan:
        plan = _written(desk, root)
        with desk._beside().announced(plan.paths):
            (name,) = left(root)
            seen.append(name)
            assert not counted(f"{LOCKS}/{name}")
            assert reader.refresh() is False
            assert [(item.rule, item.path) for item in reader.check().findings] == before
            assert reader.pending() == []
            assert [store.path for store in desk_of(root).workspace.stores] == [store.path for store in reader.workspace.stores]
        return plan

    desk._apply(look, None, "Ada")
    assert seen == [f"memdesk-{os.getpid()}.lock"]
    assert (root / PROJECT).read_bytes().endswith(b"- More\n")
    assert left(root) == []


def test_a_lock_that_is_being_written_refuses_a_memory_and_not_the_other_stores(root: Path) -> None:
    desk = desk_of(root)
    raw(root, b"{")
    desk.perform(ADD, "Ada")
    with pytest.raises(Occupied, match="its lock can't be read"):
        desk._apply(lambda: _written(desk, root), None, "Ada")


def test_a_store_without_locks_makes_no_folder_for_them(root: Path) -> None:
    desk = desk_of(root)
    desk.perform(ADD, "Ada")
    assert not (root / LOCKS).exists()
    put(root, "plain/.jonggrang/x.md", "# X\n")
    assert not (root / "plain/.jonggrang/locks").exists()
