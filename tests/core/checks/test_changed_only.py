"""`--changed-only`: findings in files of the change, and those elsewhere that it caused; the rest is counted, never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.checks.runner import Report
from tests.support.baselines import done
from tests.support.checking import report
from tests.support.stores import custodian_store, git, git_repo, put, tiers_store

TODO = "# Brief\n\nTODO: one\n"
TWICE = "# C\n\n- Twice.\n- Twice.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store with an error that was there before."""
    custodian_store(tmp_path, brief=TODO)
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    return git_repo(tmp_path)


def only(root: Path, mode: str = "worktree", **more: object) -> Report:
    return done(root, mode=mode, changed_only=True, **more).report


def said(found: Report) -> list[tuple[str, str]]:
    return [(one.rule, one.path.rpartition("/")[2]) for one in found.findings]


def test_an_empty_change_looks_at_all_and_says_what_it_leaves_out(root: Path) -> None:
    for mode in ("worktree", "staged"):
        found = only(root, mode)
        assert (found.exit_code, found.findings, [one.rule for one in found.elsewhere]) == (0, (), ["brief-scaffold"])
        assert next(one for one in found.rules if one.rule == "brief-scaffold").checked == 1
    found = only(root, "base", base="HEAD")
    assert (found.exit_code, len(found.elsewhere)) == (0, 1)


@pytest.mark.parametrize("mode", ["worktree", "staged", "base"])
def test_what_the_change_breaks_in_a_file_that_it_does_not_touch(root: Path, mode: str) -> None:
    git(root, "mv", "docs/memory/constraints.md", "docs/memory/limits.md")
    if mode == "base":
        git(root, "commit", "-qm", "Move")
    found = only(root, mode, base="HEAD~1" if mode == "base" else None)
    assert ("route-file", "manifest.md") in said(found)
    assert ("core-file", "constraints.md") in said(found)  # no line, and under the name that went
    assert [one.rule for one in found.elsewhere] == ["brief-scaffold"]


def test_a_link_to_a_fact_that_is_deleted(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    put(tmp_path, "AGENTS.md", "see memory\n")
    git_repo(tmp_path)
    before = {(one.rule, one.path) for one in report(tmp_path, mode="worktree").findings}
    fact = next(path for path in sorted(tmp_path.rglob("*.md")) if path.read_text().startswith("---"))
    fact.unlink()
    now = {(one.rule, one.path) for one in report(tmp_path, mode="worktree").findings}
    caused = now - before
    assert caused
    assert {(one.rule, one.path) for one in only(tmp_path).findings} >= caused


def test_settings_that_the_change_tightens(root: Path) -> None:
    put(root, "docs/memory/preferences.md", "# P\n\n- " + "word " * 60 + "\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "More")
    put(root, "memdesk.toml", "[budget]\nnear = 0.1\n")
    found = only(root)
    assert ("near-budget", "preferences.md") in said(found)
    assert [one.rule for one in found.elsewhere] == ["brief-scaffold"]


def test_one_more_of_a_kind_in_the_same_file_is_told_one_that_moved_is_not(root: Path) -> None:
    put(root, "docs/memory/constraints.md", TWICE)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Twice")
    put(root, "docs/memory/inbox.md", "# Inbox\n\n## 2026-05-01\n\n- [observed] New\n")
    found = only(root)
    assert (said(found), [one.rule for one in found.elsewhere]) == ([], ["brief-scaffold", "duplicate-entry"])


def test_a_renamed_file_counts_under_its_new_name(root: Path) -> None:
    git(root, "rm", "-q", "docs/memory/preferences.md") if (root / "docs/memory/preferences.md").exists() else None
    put(root, "docs/memory/areas/storage.md", "# Storage\n\n- Twice here.\n- Twice here.\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Area")
    git(root, "mv", "docs/memory/areas/storage.md", "docs/memory/areas/disk.md")
    found = only(root, "staged")
    assert ("duplicate-entry", "disk.md") in said(found)
    assert ("module-index", "disk.md") in said(found)
    assert [one.rule for one in found.elsewhere] == ["brief-scaffold"]


def test_before_the_first_commit_all_came_with_the_change(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=TODO)
    put(tmp_path, "memdesk.toml", "[prune]\nevery_days = 3\n")
    git(tmp_path, "init", "-q")
    found = only(tmp_path)
    assert (found.elsewhere, {one.rule for one in found.findings}) == (
        (), {"brief-scaffold", "guide-missing", "prune-overdue"},
    )  # fmt: skip


def test_a_store_that_was_none_before_came_with_the_change(tmp_path: Path) -> None:
    put(tmp_path, "README.md", "x\n")
    git_repo(tmp_path)
    custodian_store(tmp_path, brief=TODO)
    found = only(tmp_path)
    assert (found.elsewhere, {one.rule for one in found.findings}) == ((), {"brief-scaffold", "guide-missing"})


def test_settings_that_could_not_be_read_before_hide_nothing(root: Path) -> None:
    put(root, "memdesk.toml", "[budget\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Broken")
    put(root, "memdesk.toml", "[budget]\nnear = 0.8\n")
    assert ("brief-scaffold", "brief.md") in said(only(root))


def test_without_a_change_to_look_at_it_is_2(root: Path, tmp_path: Path) -> None:
    found = only(root, "none")
    assert (found.exit_code, said(found)) == (2, [("brief-scaffold", "brief.md")])
    assert "--changed-only has no change to look at" in found.failures[0]
    found = only(root, "base", base="no-such-revision")
    assert (found.exit_code, said(found)) == (2, [("brief-scaffold", "brief.md")])


def test_from_a_folder_of_the_workspace_and_with_one_store(root: Path) -> None:
    custodian_store(root, "b/docs/memory", brief=TODO)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Second")
    put(root, "b/docs/memory/constraints.md", TWICE)
    found = done(root / "docs", mode="worktree", changed_only=True).report
    assert said(found) == [("duplicate-entry", "constraints.md")]
    assert said(only(root, store="docs/memory")) == []
    (root / "docs/memory/constraints.md").unlink()
    assert ("core-file", "constraints.md") in said(only(root, store="docs/memory"))


def test_with_a_baseline_what_it_knows_is_left_out_and_nothing_else(root: Path) -> None:
    done(root, mode="worktree", write_baseline=str(root / "baseline.txt"))
    put(root, "docs/memory/brief.md", TODO + "TODO: two\n")
    found = only(root, baseline=str(root / "baseline.txt"))
    assert (said(found), found.sifted and found.sifted.known, found.elsewhere) == ([("brief-scaffold", "brief.md")], 1, ())


def test_what_was_not_asked_for_before_is_not_run_before(root: Path) -> None:
    (root / "docs/memory/constraints.md").unlink()
    assert said(only(root, only=["route-file"])) == [("route-file", "manifest.md")]
    assert "route-file" not in {one.rule for one in only(root, skip=["route-file"]).findings}
