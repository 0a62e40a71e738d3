"""Who last wrote a line: with a real git, in files that are tracked, changed, new, renamed or gone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core.blame import UNCOMMITTED, Blame, blame
from memdesk.core.errors import GitError
from memdesk.core.git import Git, discover

FILE = "docs/a b.md"


def sh(root: Path, *words: str, author: str = "Ada", when: str = "2026-03-01T23:30:00-0800") -> str:
    env = {**os.environ, "GIT_AUTHOR_NAME": author, "GIT_AUTHOR_DATE": when}
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True, env=env).stdout.strip()


def write(root: Path, text: str | bytes) -> bytes:
    data = text if isinstance(text, bytes) else text.encode()
    (root / FILE).parent.mkdir(exist_ok=True)
    (root / FILE).write_bytes(data)
    return data


def commit(root: Path, author: str, when: str) -> str:
    sh(root, "add", "-A")
    sh(root, "commit", "-q", "-m", "x", author=author, when=when)
    return sh(root, "rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path: Path) -> tuple[Path, Git]:
    sh(tmp_path, "init", "-q", "-b", "main")
    found = discover(str(tmp_path))
    assert found is not None
    return tmp_path, found


def test_each_line_has_its_own_writer_and_the_day_where_that_one_was(repo: tuple[Path, Git]) -> None:
    root, git = repo
    write(root, "one\ntwo\n")
    first = commit(root, "Zoë\u202e X", "2026-03-01T23:30:00-0800")
    data = write(root, "one\nsecond\nthree\n")
    second = commit(root, "Bo", "2026-04-02T00:10:00+0530")
    assert blame(git, FILE, 1, data) == Blame("Zoë\u202e X", "2026-03-01", first)
    assert blame(git, FILE, 2, data) == Blame("Bo", "2026-04-02", second)
    data = write(root, "one\nsecond\nnot yet\n")
    assert blame(git, FILE, 3, data) == UNCOMMITTED
    assert blame(git, FILE, 2, data) == Blame("Bo", "2026-04-02", second)


def test_what_git_does_not_follow_is_not_committed_yet(repo: tuple[Path, Git]) -> None:
    root, git = repo
    data = write(root, "one\n")
    assert blame(git, FILE, 1, data) == UNCOMMITTED  # before the first commit
    (root / "other").write_text("x\n")
    sh(root, "add", "other")
    sh(root, "commit", "-q", "-m", "x")
    assert blame(git, FILE, 1, data) == UNCOMMITTED
    sh(root, "add", "-A")
    assert blame(git, FILE, 1, data) == UNCOMMITTED


@pytest.mark.parametrize("now", ["zero\none\n", "one", "", None], ids=["moved", "short", "empty", "gone"])
def test_a_file_that_is_another_one_by_now_says_nothing_of_our_line(repo: tuple[Path, Git], now: str | None) -> None:
    root, git = repo
    data = write(root, "one\ntwo\n")
    commit(root, "Ada", "2026-03-01T10:00:00Z")
    (root / FILE).unlink()
    if now is not None:
        write(root, now)
        assert blame(git, FILE, 2, data) is None
    else:
        with pytest.raises(GitError):
            blame(git, FILE, 2, data)
    assert blame(git, FILE, 7, write(root, data)) is None


def test_line_endings_filters_and_settings_change_nothing(repo: tuple[Path, Git]) -> None:
    root, git = repo
    (root / ".gitattributes").write_text("*.md text=auto diff=odd\n")
    for name, value in (("core.autocrlf", "true"), ("diff.odd.textconv", "false"), ("blame.date", "relative"),
                        ("blame.showEmail", "true"), ("color.ui", "always")):
        sh(root, "config", name, value)
    data = write(root, b"one\r\ntwo\r\n")
    first = commit(root, "Ada", "2026-03-01T10:00:00Z")
    assert blame(git, FILE, 2, data) == Blame("Ada", "2026-03-01", first)


def test_commits_that_the_repository_passes_over_are_passed_over(repo: tuple[Path, Git]) -> None:
    root, git = repo
    write(root, "one two\n")
    first = commit(root, "Ada", "2026-03-01T10:00:00Z")
    data = write(root, "one  two\n")
    (root / "ignored").write_text(commit(root, "Formatter", "2026-03-02T10:00:00Z") + "\n")
    sh(root, "config", "blame.ignoreRevsFile", "ignored")
    assert blame(git, FILE, 1, data) == Blame("Ada", "2026-03-01", first)
    sh(root, "config", "blame.ignoreRevsFile", "nowhere")
    with pytest.raises(GitError, match=r"git blame failed: .*nowhere"):
        blame(git, FILE, 1, data)


def test_one_that_nobody_waits_for_is_ended(repo: tuple[Path, Git], monkeypatch: pytest.MonkeyPatch) -> None:
    root, git = repo
    data = write(root, "one\n")
    commit(root, "Ada", "2026-03-01T10:00:00Z")
    slow = root / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    asked: list[int] = []

    def third() -> bool:
        asked.append(1)
        return len(asked) > 2

    stopped: Callable[[], bool] = third
    assert blame(git, FILE, 1, data, stopped) is None
    assert len(asked) >= 3
