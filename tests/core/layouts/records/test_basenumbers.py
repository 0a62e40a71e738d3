"""Two branches that each gave one number away: found by --base, before they meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.checking import findings, lines, ran, report
from tests.support.stores import git, git_repo, put, record, records_store

RULE = "adr-number"
OURS = "docs/adr/0003-count-birds-twice.md"
THEIRS = "docs/adr/0003-ring-no-birds.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two branches that parted: main got 0003 meanwhile, work has another 0003."""
    records_store(tmp_path)
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-qb", "work")
    commit(tmp_path, OURS, record(3, "Count birds twice", "Proposed"))
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, THEIRS, record(3, "Ring no birds"))
    git(tmp_path, "checkout", "-q", "work")
    return tmp_path


def commit(root: Path, path: str, text: str) -> None:
    put(root, path, text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"Change {path}")


def found(root: Path, base: str | None = "main") -> list[tuple[str, int | None, str]]:
    return lines(root, RULE, mode="base", base=base) if base else lines(root, RULE, mode="worktree")


def test_one_number_on_two_branches_is_found_by_base_alone(root: Path) -> None:
    [finding] = findings(root, RULE, mode="base", base="main")
    assert (finding.path, finding.severity) == (OURS, "error")
    assert finding.message == f"Number 3 is that of {THEIRS} on main too."
    assert "memdesk renumber" in finding.hint
    rule = ran(report(root, mode="base", base="main"), RULE)
    assert rule.summary == "3 records checked, against the merge base with main: 1 error"
    assert found(root, None) == []
    git(root, "mv", OURS, "docs/adr/0004-count-birds-twice.md")
    assert found(root) == []


def test_an_untracked_record_collides_too_and_one_in_a_merged_tree_is_found_there(root: Path) -> None:
    git(root, "rm", "-q", "--cached", OURS)
    assert found(root) == [(OURS.rpartition("/")[2], None, "error")]
    git(root, "add", "-A")
    git(root, "merge", "-q", "--no-edit", "main")
    assert found(root) == found(root, None) == [(THEIRS.rpartition("/")[2], None, "error")]


@pytest.mark.slow
def test_what_one_side_renames_collides_with_nothing(root: Path) -> None:
    git(root, "checkout", "-q", "main")
    git(root, "rm", "-q", THEIRS)
    git(root, "mv", "docs/adr/0002-sync-at-night.md", "docs/adr/0002-sync-in-the-dark.md")
    git(root, "commit", "-qm", "Rename")
    git(root, "checkout", "-q", "work")
    assert found(root) == []
    git(root, "mv", "docs/adr/0001-store-counts-as-csv.md", "docs/adr/0001-csv.md")
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon", "Proposed"))
    assert found(root) == []


@pytest.mark.slow
def test_a_record_that_takes_the_place_of_one_this_branch_deleted_collides_with_nothing(root: Path) -> None:
    git(root, "rm", "-q", "docs/adr/0002-sync-at-night.md")
    put(root, "docs/adr/0002-never-sync.md", record(2, "Never sync", "Proposed", context="Nobody has a network there."))
    assert [name for name, _, _ in found(root)] == [OURS.rpartition("/")[2]]


@pytest.mark.slow
def test_without_a_merge_base_what_is_not_the_same_text_counts(root: Path) -> None:
    git(root, "checkout", "-q", "--orphan", "anew")
    git(root, "commit", "-qm", "Anew")
    assert found(root) == [(OURS.rpartition("/")[2], None, "error")]
    git(root, "mv", "docs/adr/0001-store-counts-as-csv.md", "docs/adr/0001-csv.md")
    assert found(root) == [(OURS.rpartition("/")[2], None, "error")]


@pytest.mark.slow
def test_an_unknown_base_fails_the_check_and_the_tree_is_judged_all_the_same(root: Path) -> None:
    put(root, "docs/adr/0001-x.md", record(1, "Use X"))
    checked = report(root, mode="base", base="nowhere")
    assert checked.exit_code == 2
    assert [finding.path for finding in checked.findings if finding.rule == RULE] == ["docs/adr/0001-x.md"]
