"""The day on which git last saw a file change."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.core.git import discover
from memdesk.core.touched import Touched
from tests.support.benches import commit
from tests.support.stores import git, git_repo, put

TODAY = date(2026, 11, 30)


def touched(root: Path) -> Touched:
    repository = discover(str(root))
    assert repository is not None
    return Touched(repository, TODAY)


def test_the_last_commit_of_each_file_whatever_its_name(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    names = ["a.md", "two words.md", "über.md", "line\nbreak.md", "deep/b.md"]
    for path in names:
        put(tmp_path, path, "One.\n")
    commit(tmp_path, "One\n\n2020-01-01 in the message", "2025-01-02")
    put(tmp_path, "a.md", "Two.\n")
    commit(tmp_path, "Two", "2026-03-04")
    put(tmp_path, "new.md", "New.\n")
    found = touched(tmp_path)
    assert [found(path) for path in names] == [date(2026, 3, 4), *[date(2025, 1, 2)] * 4]
    assert (found("new.md"), found("none.md"), found.fault) == (None, None, None)


def test_what_the_working_tree_changed_since_is_of_today(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    put(tmp_path, "a.md", "One.\n")
    put(tmp_path, "b.md", "One.\n")
    commit(tmp_path, "One", "2025-01-02")
    put(tmp_path, "a.md", "Two.\n")
    git(tmp_path, "add", "a.md")
    found = touched(tmp_path)
    assert (found("a.md"), found("b.md")) == (TODAY, date(2025, 1, 2))


def test_in_a_folder_of_a_checkout_and_over_a_merge(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    put(tmp_path, "sub/a.md", "One.\n")
    put(tmp_path, "a.md", "One.\n")
    commit(tmp_path, "One", "2025-01-02")
    git(tmp_path, "checkout", "-q", "-b", "side")
    put(tmp_path, "sub/b.md", "Side.\n")
    commit(tmp_path, "Side", "2025-02-03")
    git(tmp_path, "checkout", "-q", "main")
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    found = touched(tmp_path / "sub")
    assert (found("a.md"), found("b.md")) == (date(2025, 1, 2), date(2025, 2, 3))


def test_before_the_first_commit_and_where_git_fails_nothing_is_known(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    assert touched(tmp_path)("a.md") is None
    put(tmp_path, "a.md", "One.\n")
    commit(tmp_path, "One", "2025-01-02")
    (tmp_path / ".git/refs/heads/main").write_text("0" * 39 + "1\n")
    found = touched(tmp_path)
    assert found("a.md") is None
    assert found.fault is not None
    assert "git log failed" in str(found.fault)


@pytest.mark.slow
def test_a_shallow_clone_does_not_know_what_was_changed_before_its_cut(tmp_path: Path) -> None:
    root = tmp_path / "origin"
    git_repo(root, commit=False)
    for day, path in (("2025-01-02", "a.md"), ("2025-02-03", "b.md"), ("2025-03-04", "c.md")):
        put(root, path, "One.\n")
        commit(root, path, day)
    git(tmp_path, "clone", "-q", "--depth", "2", root.as_uri(), "clone")
    put(tmp_path / "clone", "b.md", "Two.\n")
    found = touched(tmp_path / "clone")
    assert (found("c.md"), found("b.md"), found("none.md"), found.fault) == (date(2025, 3, 4), TODAY, None, None)
    assert found("a.md") is None
    assert "not known here when a.md was last changed" in str(found.fault)
    git(tmp_path / "clone", "fetch", "-q", "--unshallow")
    found = touched(tmp_path / "clone")
    assert (found("a.md"), found.fault) == (date(2025, 1, 2), None)
