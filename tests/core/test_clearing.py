"""The verb `clear`: working files go whole, one by one, with what each held."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clearing import working
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from tests.support.planning import Bench, TiersBench
from tests.support.stores import snapshot, tiers_store

LOG = "log/2026-11-30.md"
FILES = {
    "working/task.md": "# Task\n\n- Try twice\n- ~~Try once~~ struck 2026-11-29: no\n", "working/empty.md": "",
    "working/deep/notes.md": "# Notes\n\n- ~~x~~ struck 2026-11-29\n",
}


@pytest.fixture
def bench(tmp_path: Path) -> TiersBench:
    return TiersBench(tmp_path, **FILES)


def test_each_is_offered_with_what_it_holds(bench: TiersBench, tmp_path: Path) -> None:
    files = working(bench.workspace, bench.workspace.stores[0])
    assert [(one.document.path, one.entries, one.candidates, one.holds) for one in files] == [
        ("memory/working/deep/notes.md", 1, 0, "1 entry"), ("memory/working/empty.md", 0, 0, "nothing that is an entry"),
        ("memory/working/task.md", 2, 1, "1 candidate"),
    ]
    other = Bench(tmp_path / "other")
    assert list(working(other.workspace, other.workspace.stores[0])) == []


@pytest.mark.parametrize("path", ["memory/working/task.md", "working/task.md", "task.md", "task", "memory//working/./task.md"])
def test_the_named_file_goes_and_the_log_says_what_it_held(bench: TiersBench, path: str) -> None:
    plan = bench.plan("clear", paths=path)
    assert bench.names(plan) == ["working/task.md", LOG]
    assert [step.kind for step in plan.steps] == ["delete", "create"]
    assert plan.summary == "Cleared working/task.md (1 candidate)."
    assert plan.label == "Clear working/task.md"
    assert plan.warnings == ("1 candidate goes with it: promote first what should last.",)
    assert bench.apply(plan).documents["memory/" + LOG].data == b"# 2026-11-30\n\n- 14:05 " + plan.summary.encode() + b"\n"


def test_several_go_at_once_each_with_its_line(bench: TiersBench) -> None:
    plan = bench.plan("clear", paths="task.md\nworking/empty.md\ntask.md\n")
    assert plan.summary == "Cleared 2 working files."
    bench.apply(plan)
    assert [entry.text for entry in bench.entries(LOG)] == [
        "- 14:05 Cleared working/task.md (1 candidate).", "- 14:05 Cleared working/empty.md (nothing that is an entry).",
    ]


@pytest.mark.parametrize(
    "path", ["", " \n", "inbox.md", "facts/offline.md", "log/2026-05-09.md", "../x", "working", "no.md", "memory/INDEX.md"]
)
def test_what_is_no_working_file_is_refused_with_those_that_are(bench: TiersBench, path: str) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("clear", paths=path)
    assert caught.value.field == "paths"
    assert "working/task.md (1 candidate)" in caught.value.remedy
    with pytest.raises(Refused):
        bench.plan("clear", paths=f"task.md\n{path.strip() or 'x'}")


def test_a_name_that_several_have_needs_its_folder(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"working/a/x.md": "- a\n", "working/b/x.md": "- b\n"})
    with pytest.raises(Refused, match="no working file"):
        bench.plan("clear", paths="x.md")
    assert bench.names(bench.plan("clear", paths="working/b/x.md"))[0] == "working/b/x.md"


@pytest.mark.parametrize("data", [b"\xff\xfe bytes\x00", b"```\nopen\n", b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"])
def test_a_file_that_can_t_be_edited_goes_too_and_comes_back(tmp_path: Path, data: bytes) -> None:
    tiers_store(tmp_path, **{"working/raw.md": data})
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T14:05"), user_config=None)
    before = snapshot(tmp_path)
    desk.perform(Request("clear", words={"paths": "raw.md"}), "Ada")
    assert "memory/working/raw.md" not in snapshot(tmp_path)
    desk.commit(desk.undo(), "Ada")
    after = snapshot(tmp_path)
    log = after.pop("memory/log/2026-11-30.md").decode()
    assert {path: data for path, data in after.items() if not path.startswith(".memdesk/")} == before
    assert [line[8:16] for line in log.splitlines()[2:]] == ["Cleared ", "Undone: "]


def test_a_store_without_working_files_has_no_such_verb(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no clear in a store of this layout"):
        Bench(tmp_path).plan("clear", paths="inbox.md")
