"""`memdesk --check --staged` as a pre-commit hook that really commits, or refuses to, on what is staged and nothing else."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import environment
from tests.support.stores import agent_memory_store, git, git_repo, put

ADA = "bot/memory/people/ada.md"
GOOD = "# Ada\n\n- [stated] Plans the spring counts (2026-02-01, from her letter)\n"
BARE = GOOD + "- Likes tea\n"
TAGGED = GOOD + "- [observed] Likes tea\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store in a subfolder of a repository whose hook checks what is staged."""
    root = tmp_path / "a b # ü"
    agent_memory_store(root, "bot", **{"memory/archive/old.md": "- old\n"})
    git_repo(root)
    hook(root / ".git" / "hooks")
    return root


def hook(folder: Path) -> None:
    file = put(folder, "pre-commit", f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m memdesk --check --staged\n")
    file.chmod(0o755)


def commit(folder: Path, *words: str) -> tuple[bool, str]:
    """Whether git committed, and all that was said."""
    before = git(folder, "rev-parse", "HEAD")
    done = subprocess.run(
        ["git", "commit", "-qm", "More", *words], cwd=folder, capture_output=True, check=False, env=environment(), text=True
    )
    committed = git(folder, "rev-parse", "HEAD") != before
    assert committed == (done.returncode == 0)
    return committed, done.stdout + done.stderr


def test_what_breaks_a_rule_is_not_committed(root: Path) -> None:
    put(root, ADA, BARE)
    git(root, "add", "-A")
    committed, said = commit(root)
    assert not committed
    assert f"{ADA}:4: error disk-provenance: An added fact has no tag: '- Likes tea'." in said
    put(root, ADA, TAGGED)
    git(root, "add", "-A")
    assert commit(root)[0]


def test_of_a_partly_staged_file_only_the_staged_half_counts(root: Path) -> None:
    put(root, ADA, TAGGED)
    git(root, "add", "-A")
    put(root, ADA, TAGGED + "- not staged yet\n")
    assert commit(root)[0]
    put(root, ADA, TAGGED + "- staged\n")
    git(root, "add", "-A")
    put(root, ADA, TAGGED)
    committed, said = commit(root)
    assert not committed
    assert f"{ADA}:5: error disk-provenance" in said


def test_the_settings_are_those_that_are_staged(root: Path) -> None:
    put(root, ADA, BARE)
    git(root, "add", "-A")
    for unseen in ('[stores]\nignore = ["**"]\n', f'[stores]\nignore = ["{ADA}"]\n'):
        put(root, "memdesk.toml", unseen)
        committed, said = commit(root)
        assert (committed, "error disk-provenance" in said) == (False, True)
    put(root, "memdesk.toml", '[stores.layout]\n"bot" = "agent-memory"\n"bots" = "tiers"\n')
    git(root, "add", "-A")
    put(root, "memdesk.toml", '[stores.layout]\n"bot" = "agent-memory"\n')
    put(root, ADA, TAGGED)
    git(root, "add", ADA)
    committed, said = commit(root)
    assert not committed
    assert "memdesk.toml:3: stores.layout names 'bots' as 'tiers', but there is no such folder" in said
    git(root, "add", "-A")
    assert commit(root)[0]


def test_with_all_or_with_single_paths_git_hands_over_an_index_of_its_own(root: Path) -> None:
    put(root, ADA, BARE)
    assert not commit(root, "--all")[0]
    put(root, "bot/memory/projects/plover.md", "# Plover\n\n- [stated] Renamed\n")
    git(root, "add", "-A")
    assert not commit(root)[0]
    assert commit(root, "--only", "--", "bot/memory/projects/plover.md")[0]
    assert git(root, "status", "--porcelain") == f"M  {ADA}\n"


def test_in_a_linked_worktree_and_from_a_subfolder(root: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked), "-b", "other")
    put(root, ADA, BARE)  # in the other checkout: none of this commit's
    put(linked, "bot/memory/archive/old.md", "- edited\n")
    git(linked, "add", "-A")
    committed, said = commit(linked / "bot" / "memory")
    assert not committed
    assert "bot/memory/archive/old.md:1: error tape-frozen" in said
    git(linked, "checkout", "-q", "HEAD", "--", ".")
    put(linked, ADA, TAGGED)
    git(linked, "add", "-A")
    assert commit(linked / "bot")[0]


def test_what_cannot_be_checked_is_not_committed(root: Path) -> None:
    put(root, "bot/memory-lint.json", "{\n")
    git(root, "add", "-A")
    committed, said = commit(root)
    assert not committed
    assert "bot/memory-lint.json:2: is no JSON" in said


def test_the_first_commit_of_a_repository(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"memory/people/bo.md": "- Likes tea\n"})
    git_repo(tmp_path, commit=False)
    hook(tmp_path / ".git" / "hooks")
    git(tmp_path, "add", "-A")
    words = ["git", "commit", "-qm", "Begin"]
    first = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False, env=environment(), text=True)
    assert (first.returncode, "memory/people/bo.md:1: error disk-provenance" in first.stdout + first.stderr) == (1, True)
    put(tmp_path, "memory/people/bo.md", "- [stated] Likes tea\n")
    git(tmp_path, "add", "-A")
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=False, env=environment()).returncode == 0
