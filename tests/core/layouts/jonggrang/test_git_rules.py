"""What has to travel with the branch does, and what stays on one machine does not: asked of git itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.checking import findings, ran, report
from tests.support.stores import FRAGMENTS, git, git_repo, jonggrang_store, put

BOTH = ["fragment-tracked", "memory-ignored"]


def told(root: Path, rule: str, mode: str = "none") -> list[tuple[str, str, str]]:
    return [(one.path.removeprefix(".jonggrang/"), one.severity, one.message) for one in findings(root, rule, mode=mode)]


COMMITTED = "This is committed, and is to stay on one machine."


@pytest.mark.parametrize("mode", ["worktree", "staged", "none"])
def test_what_git_tracks_though_it_should_not(tmp_path: Path, mode: str) -> None:
    jonggrang_store(tmp_path, **{"locks/agent.lock": "{}", "locks/.gitkeep": "", ".ephemeral/.gitignore": "*\n!.gitignore\n"})
    git_repo(tmp_path)
    assert told(tmp_path, "fragment-tracked", mode) == []
    git(tmp_path, "add", "-f", ".jonggrang")
    assert told(tmp_path, "fragment-tracked", mode) == [
        (f"{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md", "error", COMMITTED),
        (f"{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md", "error", COMMITTED),
        ("locks/agent.lock", "error", COMMITTED),
    ]
    git(tmp_path, "rm", "-q", "-r", "--cached", "-f", ".jonggrang/.ephemeral", ".jonggrang/locks")
    assert told(tmp_path, "fragment-tracked", mode) == []


def test_what_git_does_not_ignore(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, **{".gitignore": None, "locks/agent.lock": "{}"})
    git_repo(tmp_path, commit=False)
    first = ".ephemeral/memory/fragments/counts/task-001-2026-05-07T10-15-00-000Z.md"
    assert told(tmp_path, "fragment-tracked") == [
        (".ephemeral", "warning", f"git does not ignore {first} and 1 more."),
        ("locks", "warning", "git does not ignore locks/agent.lock."),
    ]
    put(tmp_path, ".gitignore", ".jonggrang/.ephemeral/\n")
    assert [path for path, _, _ in told(tmp_path, "fragment-tracked")] == ["locks"]
    put(tmp_path, ".git/info/exclude", "locks\n")
    assert told(tmp_path, "fragment-tracked") == []


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        (".jonggrang/", ["MEMORY.md", ".output/features/counts/MEMORY.md", ".output/features/counts/progress.txt"]),
        (".output", [".output/features/counts/MEMORY.md", ".output/features/counts/progress.txt"]),
        ("MEMORY.md", ["MEMORY.md", ".output/features/counts/MEMORY.md"]), ("*.txt", [".output/features/counts/progress.txt"]),
        (
            "/.jonggrang/*\n!/.jonggrang/MEMORY.md",
            [".output/features/counts/MEMORY.md", ".output/features/counts/progress.txt"],
        ),
        (".output\n!.output", []), ("MEMORY.mdx", []),
    ],
)
def test_memories_that_git_leaves_behind(tmp_path: Path, pattern: str, ignored: list[str]) -> None:
    jonggrang_store(tmp_path)
    git_repo(tmp_path, commit=False)
    put(tmp_path, ".gitignore", f"{pattern}\n")
    message = "git ignores this, so that it does not travel with the branch."
    assert sorted(told(tmp_path, "memory-ignored")) == sorted((path, "error", message) for path in ignored)
    git(tmp_path, "add", "-f", ".jonggrang/MEMORY.md", ".jonggrang/.output")
    assert told(tmp_path, "memory-ignored") == []  # what is tracked travels


def test_a_store_in_a_folder_and_a_workspace_below_the_top(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    jonggrang_store(tmp_path, "apps/[web]/.jonggrang", **{".gitignore": None})
    put(tmp_path, ".gitignore", ".output\n")
    assert [one.path.removeprefix("apps/[web]/.jonggrang/") for one in findings(tmp_path, "memory-ignored")] == [
        ".output/features/counts/MEMORY.md", ".output/features/counts/progress.txt",
    ]
    assert [one.path for one in findings(tmp_path, "fragment-tracked")] == ["apps/[web]/.jonggrang/.ephemeral"]


def test_without_git_nobody_can_tell(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    found = report(tmp_path, only=BOTH)
    assert [(rule.status, rule.reason) for rule in found.rules] == [("skip", "this is no git repository")] * 2
    assert found.exit_code == 0


def test_a_git_that_fails_is_no_pass(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    git_repo(tmp_path)
    (tmp_path / ".git/index").write_bytes(b"no index")
    found = report(tmp_path, only=BOTH)
    assert [rule.status for rule in found.rules] == ["fail", "fail"]
    assert found.exit_code == 2


def test_git_is_asked_once_for_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jonggrang_store(tmp_path)
    git_repo(tmp_path)
    log = tmp_path.parent / f"{tmp_path.name}-calls"
    real = shutil.which("git")
    place = put(tmp_path.parent, f"{tmp_path.name}-bin/git", f'#!/bin/sh\necho "$@" >> "{log}"\nexec {real} "$@"\n')
    place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place.parent}:/usr/bin:/bin")
    found = report(tmp_path, only=BOTH)
    assert ran(found, "memory-ignored").checked == 3
    assert len([line for line in log.read_text().split("\n") if "ls-files" in line]) == 1
