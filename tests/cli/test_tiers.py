"""The verbs on a store of three tiers, from the command line: exit codes, JSON, and an undo that leaves the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.shapes import ACTION, faults
from tests.support.stores import TIERS, git_repo, snapshot, tiers_store

WHO = ("--yes", "--as", "Ada")
CSV, OFFLINE = "memory/facts/counts-as-csv.md", "memory/facts/offline.md"
LOG, INDEX, TASK = "memory/log/2026-11-30.md", "memory/INDEX.md", "memory/working/task.md"


@pytest.fixture
def tiers(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Commands on a store of this layout, committed, with a working file beside."""
    tiers_store(tmp_path / "repo", **{".gitignore": None})
    git_repo(tmp_path / "repo")
    (tmp_path / "repo" / ".gitignore").write_text("memory/working/\n")
    tiers_store(tmp_path / "repo", standard=False, **{"working/task.md": "# Task\n\n- Try twice\n"})
    return Here(tmp_path / "repo", capsys, monkeypatch)


def fact(here: Here, path: str) -> str:
    (found,) = [ident for ident in here.ids("entries") if ident.startswith(path)]
    return found


def without_log(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if not path.startswith("memory/log/2026-11-30")}


VERBS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "promote": ("Sites 4", ("--to", "fact:late", "--description", "Two sites are late", "--owner", "Ada", "--tags", "a, b",
                            "--review-by", "2027-05-30", "--type", "fact"),
                {"memory/facts/late.md", INDEX, LOG, "memory/inbox.md"}),
    "promote to the log": ("Sites 4", ("--to", "log", "--answer", "lasting=no"), {LOG, "memory/inbox.md"}),
    "promote from the log": ("late again", ("--to", "fact:late"), {"memory/facts/late.md", INDEX, LOG}),
    "correct": ("CSV files, one", ("--with", "One file for each year.", "--reason", "They grew"), {CSV, INDEX, LOG}),
    "strike": ("CSV files, one", ("--with", "One file for each year.", "--reason", "They grew"), {CSV, INDEX, LOG}),
    "reject": ("Sites 4", ("--reason", "They don't"), {LOG, "memory/inbox.md"}),
    "archive": ("Everything runs", (), {"memory/archive/offline.md", OFFLINE, INDEX, LOG}),
}


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_asks_says_and_is_undone_but_for_the_log(tiers: Here, name: str) -> None:
    text, words, paths = VERBS[name]
    verb = name.split()[0]
    before = snapshot(tiers.root)
    ident = next(one for one in tiers.ids("entries", "--grep", text) if not one.startswith(INDEX))
    asked = tiers(verb, ident, *words)
    assert (asked.code, snapshot(tiers.root)) == (1, before)
    dry = tiers(verb, ident, *words, "--dry-run", "--format", "json")
    assert (dry.code, dry.json["applied"], snapshot(tiers.root)) == (0, False, before)
    unnamed = tiers(verb, ident, *words, "--yes") if verb != "archive" else asked
    assert (unnamed.code, snapshot(tiers.root)) == (1, before)
    done = tiers(verb, ident, *words, *WHO, "--format", "json", now="2026-11-30T14:05")
    assert (done.code, faults(done.json, ACTION)) == (0, [])
    assert {edit["path"] for edit in done.json["edits"]} == paths
    assert tiers("check").code == 0
    log = tiers.text(LOG)
    assert log.startswith("# 2026-11-30\n\n- 14:05 ")
    assert tiers("undo", "--yes", now="2026-12-01T08:00").code == 0
    assert {path: data for path, data in without_log(tiers.root).items() if path != "memory/log/2026-12-01.md"} == before
    assert tiers.text(LOG) == log, "a log of another day stays as it is"
    assert tiers.text("memory/log/2026-12-01.md").startswith("# 2026-12-01\n\n- 08:00 Undone: ")
    assert tiers("check", now="2026-12-01").code == 0
    redone = tiers("undo", "--yes", now="2026-12-01T09:00")
    assert redone.code == (0 if redone.out else 1) or "nothing to undo" in redone.err


def test_an_undo_is_redone_with_a_line_each(tiers: Here) -> None:
    tiers("reject", tiers.id("Sites 4"), *WHO, now="2026-11-30T14:05")
    inbox = tiers.text("memory/inbox.md")
    tiers("undo", "--yes", now="2026-11-30T14:06")
    undone = tiers("history", "--format", "json").json["transactions"][0]["id"]
    assert tiers("undo", undone, "--yes", now="2026-11-30T14:07").code == 0
    assert tiers.text("memory/inbox.md") == inbox
    said = 'Rejected "Sites 4 and 9 send their counts two days late" from inbox.md.'
    assert tiers.text(LOG) == (
        "# 2026-11-30\n\n- 14:05 rejected: [observed] Sites 4 and 9 send their counts two days late (from the import)\n"
        f"- 14:06 Undone: {said}\n- 14:07 Redone: {said}\n"
    )


def test_an_undo_waits_for_a_log_that_can_take_its_line(tiers: Here) -> None:
    tiers("reject", tiers.id("Sites 4"), *WHO)
    with (tiers.root / LOG).open("a") as file:
        file.write("\n```\nopen\n")
    before = snapshot(tiers.root)
    found = tiers("undo", "--yes")
    assert (found.code, snapshot(tiers.root)) == (1, before)
    assert f"{LOG}:5" in found.err


def test_correct_needs_a_name_a_text_and_a_fact(tiers: Here) -> None:
    ident = fact(tiers, CSV)
    assert tiers("correct", ident, *WHO).code == 1
    assert "Give the corrected text (--with)" in tiers("correct", ident, *WHO).err
    read = tiers("correct", ident, "--with", "-", "--description", "By year", *WHO, stdin=b"One file for each year.\n")
    assert read.code == 0
    assert "\n\nOne file for each year.\n\nWhy: Volunteers" in tiers.text(CSV)
    assert "(facts/counts-as-csv.md): By year\n" in tiers.text(INDEX)
    assert tiers("correct", "memory/facts/none.md#abcd", "--with", "x", *WHO).code != 0
    assert "required: ID" in tiers("correct").err


def test_reindex_mends_the_index_and_says_when_there_is_nothing_to_do(tiers: Here) -> None:
    quiet = tiers("reindex", "--yes")
    assert (quiet.code, quiet.err) == (0, "There is nothing to change: all is so already.\n")
    rotten = TIERS["INDEX.md"].replace("Everything", "All").replace("- [site", "- [gone](facts/x.md)\n- [site")
    (tiers.root / INDEX).write_text(rotten)
    assert tiers("check", "--only", "index-complete").code == 1
    shown = tiers("reindex", "--dry-run")
    assert (shown.code, "+- [offline](facts/offline.md): Everything" in shown.out) == (0, True)
    assert tiers("reindex").code == 1
    done = tiers("reindex", "--yes", "--store", "memory", "--format", "json")
    assert (done.code, faults(done.json, ACTION)) == (0, [])
    assert done.json["summary"] == "Reindexed: 1 line changed, 1 line taken out."
    assert tiers.text(INDEX) == TIERS["INDEX.md"]
    assert tiers("check", "--only", "index-complete").code == 0


def test_an_index_that_is_gone_is_made_anew(tiers: Here) -> None:
    (tiers.root / INDEX).unlink()
    (tiers.root / "memdesk.toml").write_text('[stores.layout]\nmemory = "tiers"\n')
    assert tiers("reindex", "--yes").code == 0
    assert tiers.text(INDEX) == "# Memory index\n" + TIERS["INDEX.md"].removeprefix("# What Plover knows\n")


def test_clear_lists_and_takes_out_what_is_named(tiers: Here) -> None:
    before = snapshot(tiers.root)
    listed = tiers("clear")
    assert (listed.code, listed.out) == (0, f"{TASK}  1 candidate  5 tokens\n")
    found = tiers("clear", "--format", "json").json
    assert found == {"schema": "memdesk.working/1", "files": [
        {"path": TASK, "store": "memory", "entries": 1, "candidates": 1, "tokens": 5},
    ]}
    asked = tiers("clear", "task.md")
    assert (asked.code, snapshot(tiers.root)) == (1, before)
    assert tiers("clear", "nope.md", "--yes").code == 1
    done = tiers("clear", TASK, "--yes", "--format", "json")
    assert (done.code, faults(done.json, ACTION), done.json["summary"]) == (0, [], "Cleared working/task.md (1 candidate).")
    assert TASK not in snapshot(tiers.root)
    assert tiers("clear").out == ""
    assert tiers("undo", "--yes").code == 0
    assert without_log(tiers.root) == before


def test_a_new_store_is_clean_and_takes_its_first_fact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(git_repo(tmp_path / "repo"), capsys, monkeypatch)
    made = here("init", "tiers", "--agents", "--yes")
    assert made.code == 0
    assert "memory/working/.gitignore" in snapshot(here.root)
    checked = here("check", "--strict")
    assert (checked.code, "0 errors, 0 warnings" in checked.out) == (0, True)
    assert here("add", "Herons nest late", "--reason", "It is cold").code == 0
    assert here("promote", here.id("Herons"), *WHO).code == 0
    (here.root / "memory/working/task.md").write_text("- Try twice\n")
    assert here("check", "--strict").code == 0
    pack = here("pack", "--task", "boot").out
    assert "- [herons-nest-late](facts/herons-nest-late.md): Herons nest late" in pack
    assert "Began this memory." in pack
    guide = here("guide").out
    assert all(words in guide for words in ("memory/INDEX.md", "six months", "never by an update", "## Rank"))
    assert here("init", "tiers", "--yes").code == 1
