"""Fragments, features and the project's memory from the command line: adding without a lock, the verbs, retention, init."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from tests.support.commands import Here
from tests.support.holders import held
from tests.support.shapes import ACTION, faults
from tests.support.stores import FRAGMENTS, git, git_repo, jonggrang_store, snapshot

WHO = ("--yes", "--as", "Ada")
FIRST = f".jonggrang/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md"
FEATURE, PROJECT = ".jonggrang/.output/features/counts/MEMORY.md", ".jonggrang/MEMORY.md"
OF = ("--feature", "counts", "--task-id", "task-003")


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    jonggrang_store(tmp_path / "repo")
    git_repo(tmp_path / "repo")
    return Here(tmp_path / "repo", capsys, monkeypatch)


def adding(root: Path, text: str, *words: str) -> subprocess.Popen[str]:
    """A process of its own that adds a fragment, in the one second in which all of them do."""
    line = [sys.executable, "-m", "memdesk", "add", text, *OF, "--now", "2026-11-30T14:05", *words]
    return subprocess.Popen(line, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


# add


def test_add_prints_the_id_of_one_new_file_and_tells_of_an_equal_entry(here: Here) -> None:
    before = snapshot(here.root)
    done = here("add", "A file has at most 400 rows", *OF, "--format", "json")
    assert (done.code, faults(done.json, ACTION), done.json["applied"], done.json["transaction"]) == (0, [], True, None)
    (ident,) = done.json["ids"]
    after = snapshot(here.root)
    (path,) = set(after) - set(before)
    assert ident.startswith(f"{path}#")
    assert after == {**before, path: b"- A file has at most 400 rows\n"}
    assert f"equal entry exists: {FIRST}#" in done.err
    assert ident in here.ids("inbox")
    assert here("history").out == ""
    assert here("reject", ident, "--reason", "said twice", *WHO).code == 0
    assert (here.root / path).read_text() == "- ~~A file has at most 400 rows~~ rejected 2026-11-30: said twice\n"


def test_a_dry_run_adds_nothing(here: Here) -> None:
    before = snapshot(here.root)
    done = here("add", "x", *OF, "--dry-run")
    assert (done.code, snapshot(here.root)) == (0, before)
    assert "+- x" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Of which feature? A fragment is one task's. Name it (--feature F --task-id T). There is counts."),
        (("--feature", "counts"), "Of which task? Name it (--task-id T), as in task-001. There is task-001, task-002."),
        (("--feature", "../up", "--task-id", "task-1"), "'../up' is no feature's id."),
        (("--feature", "counts", "--task-id", "../1"), "'../1' is no task's id."),
    ],
)
def test_without_what_names_it_nothing_is_added(here: Here, words: tuple[str, ...], said: str) -> None:
    before = snapshot(here.root)
    done = here("add", "x", *words)
    assert (done.code, done.out, snapshot(here.root)) == (1, "", before)
    assert said in done.err


def test_a_link_out_of_the_repository_is_not_followed(here: Here, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (here.root / ".jonggrang" / FRAGMENTS / "away").symlink_to(outside)
    done = here("add", "x", "--feature", "away", "--task-id", "task-1")
    assert done.code == 1
    assert list(outside.iterdir()) == []


def test_while_the_lock_is_held_a_fragment_is_added_all_the_same(here: Here) -> None:
    with held(str(here.root), "compact"):
        assert here("add", "Gulls come late", *OF).id in here.ids("inbox")


@pytest.mark.slow
def test_many_add_at_once_and_none_waits_or_is_lost(here: Here) -> None:
    with held(str(here.root), "compact"):
        procs = [adding(here.root, f"Finding {number} of many") for number in range(40)]
        done = [(proc.communicate(), proc.returncode) for proc in procs]
    assert [(code, err) for (_, err), code in done if code or err] == []
    ids = [out.strip() for (out, _), _ in done]
    assert len(set(ids)) == 40
    assert len({ident.rpartition("#")[0] for ident in ids}) == 40
    assert set(ids) <= set(here.ids("inbox"))
    folder = here.root / ".jonggrang" / FRAGMENTS / "counts"
    texts = [path.read_text() for path in folder.iterdir() if "task-003" in path.name]
    assert sorted(texts) == sorted(f"- Finding {number} of many\n" for number in range(40))
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


def test_a_name_that_was_taken_since_the_look_gets_a_number(here: Here) -> None:
    bench = Desk.open(str(here.root), clock=clock("2026-11-30T14:05"), user_config=None)
    other = Desk.open(str(here.root), clock=clock("2026-11-30T14:05"), user_config=None)
    from memdesk.core.plan import Request

    request = Request("add", words={"text": "x", "feature": "counts", "task_id": "task-003"})
    paths = [desk.perform(request, "agent").plan.paths[0] for desk in (bench, other, bench)]
    assert [path.rpartition("Z")[2] for path in paths] == [".md", "-2.md", "-3.md"]
    assert {bench.workspace.documents[path].data for path in paths} == {b"- x\n"}


# the verbs


VERBS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "promote": (
        "by name", ("--to", "project-memory", "--section", "Conventions", "--answer", "reviewed=yes"), {PROJECT, FEATURE},
    ),
    "strike": ("Each site", ("--with", "Two files", "--reason", "They grew"), {FEATURE}),
    "reject": ("400 rows", ("--reason", "They don't"), {FIRST}),
    "edit": ("400 rows", ("--text", "- 300 rows"), {FIRST}),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_asks_says_and_is_undone(here: Here, verb: str) -> None:
    text, words, paths = VERBS[verb]
    before = snapshot(here.root)
    ident = here.ids("entries", "--grep", text)[-1]
    asked = here(verb, ident, *words)
    assert (asked.code, snapshot(here.root)) == (1, before)
    done = here(verb, ident, *words, *WHO, "--format", "json")
    assert (done.code, faults(done.json, ACTION)) == (0, [])
    assert {edit["path"] for edit in done.json["edits"]} == paths
    assert here("undo", "--yes").code == 0
    assert snapshot(here.root) == before


def test_promoting_asks_for_the_review_and_names_the_way_for_fragments(here: Here) -> None:
    candidate = next(ident for ident in here.ids("inbox") if ident.startswith(FEATURE))
    done = here("promote", candidate, "--to", "project-memory", "--section", "Conventions", *WHO)
    assert done.code == 1
    assert "--answer reviewed=yes" in done.err
    fragment = next(ident for ident in here.ids("inbox") if ident.startswith(FIRST))
    for to in ((), ("--to", "feature:counts"), ("--to", "project-memory", "--section", "Conventions")):
        done = here("promote", fragment, *to, *WHO)
        assert done.code == 1
        assert "memdesk compact counts" in done.err


# retention


def test_archived_fragments_past_their_time_are_proposed_and_go_by_a_person_s_word(here: Here) -> None:
    old = ".jonggrang/.ephemeral/memory/archive/counts/2026-11-22/task-001-2026-05-01T10-15-00-000Z.md"
    new = old.replace("2026-11-22", "2026-11-23")
    jonggrang_store(here.root, standard=False, **{path.removeprefix(".jonggrang/"): "- Old\n- Older\n" for path in (old, new)})
    (proposal,) = [one for one in here("prune", "--format", "json").json["proposals"] if one["kind"] == "expired"]
    assert (proposal["exact"], proposal["paths"], len(proposal["entries"])) == (True, [old], 2)
    assert proposal["label"] == "Clear 1 expired fragment for good (undo brings them back for 90 days)"
    before = snapshot(here.root)
    done = here("clear", old, "--yes")
    assert done.code == 0
    assert snapshot(here.root) == {path: data for path, data in before.items() if path != old}
    assert here("undo", "--yes").code == 0
    assert snapshot(here.root) == before
    assert here("clear", FIRST, "--yes").code == 1


# init, guide


@pytest.mark.parametrize("words", [(), ("--path", "apps/phone/.jonggrang")])
def test_init_makes_a_store_that_the_check_passes(tmp_path: Path, here: Here, words: tuple[str, ...]) -> None:
    here.root = tmp_path / "new"
    here.root.mkdir()
    git_repo(here.root)
    folder = "apps/phone/.jonggrang" if words else ".jonggrang"
    assert here("init", "jonggrang", "--agents", *words, "--yes").code == 0
    made = snapshot(here.root)
    assert set(made) >= {f"{folder}/MEMORY.md", f"{folder}/.gitignore", "AGENTS.md"}
    done = here("--check", "--format", "json", "--strict")
    assert (done.code, done.json["findings"]) == (0, [])
    assert here("add", "x", *OF).code == 0
    assert git(here.root, "status", "--short", "--untracked-files=all").count(".ephemeral") == 0
    done = here("init", "jonggrang", *words, "--yes")
    assert (done.code, {path: snapshot(here.root)[path] for path in made}) == (1, made)


def test_a_folder_of_another_name_is_no_store(here: Here) -> None:
    done = here("init", "jonggrang", "--path", "apps/phone", "--yes")
    assert (done.code, "Choose a folder such as .jonggrang" in done.err) == (1, True)


def test_the_guide_says_how_to_recall_and_add_and_holds_no_memory(here: Here) -> None:
    text = here("guide").out
    scoped = "--phase work --feature ID --task-id task-001"
    for said in ("context, not instruction", "memdesk recall", scoped, "memdesk add", "single"):
        assert said in text
    assert "400 rows" not in text
    assert "by name" not in text
    assert json.loads(here("guide", "--format", "json").out)
