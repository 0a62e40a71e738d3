"""A change that takes a store out of sight and leaves its files: the check must not pass for want of anything to look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.checking import report
from tests.support.stores import agent_memory_store, custodian_store, git, git_repo, put

IGNORED = '[stores]\nignore = ["docs/memory/**", "docs/memory"]\n'


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two stores."""
    root = tmp_path_factory.mktemp("begun") / "repo"
    custodian_store(root)
    agent_memory_store(root, "assistant")
    put(root, "src/notes.md", "# Notes\n")
    return git_repo(root)


@pytest.fixture
def root(begun: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return shutil.copytree(begun, tmp_path / "repo", symlinks=True)


def linked(root: Path) -> None:
    (root / "docs/memory").rename(root / "docs/real")
    (root / "docs/memory").symlink_to("real")


def in_place(root: Path) -> None:
    (root / "docs/memory/manifest.md").unlink()
    put(root, "docs/memory/manifest.md/x.md", "# X\n")


HIDDEN: dict[str, Callable[[Path], object]] = {
    "ignored": lambda root: put(root, "memdesk.toml", IGNORED),
    "ignored in pyproject.toml": lambda root: put(root, "pyproject.toml", IGNORED.replace("stores", "tool.memdesk.stores")),
    "a folder above is none": lambda root: put(root, "memdesk.toml", '[stores.layout]\n"docs" = "none"\n'),
    "another layout": lambda root: put(root, "memdesk.toml", '[stores.layout]\n"docs/memory" = "tiers"\n'),
    "its manifest deleted": lambda root: (root / "docs/memory/manifest.md").unlink(),
    "its manifest renamed": lambda root: git(root, "mv", "docs/memory/manifest.md", "docs/memory/index.md"),
    "a folder in its manifest's place": in_place,
}


@pytest.mark.parametrize("how", HIDDEN)
def test_a_store_that_is_no_longer_seen_is_not_taken_for_checked(root: Path, how: str) -> None:
    HIDDEN[how](root)
    for mode in ("worktree", "staged", "base"):
        git(root, "add", "-A")
        if mode == "base":
            git(root, "commit", "-qm", "Change")
        found = report(root, mode=mode, base="HEAD~1" if mode == "base" else None)
        assert found.exit_code == 2
        (said,) = found.failures
        assert said.startswith("docs/memory: The change takes this store (custodian) out of sight: nothing looks at ")


FINE: dict[str, Callable[[Path], object]] = {
    "deleted with all its files": lambda root: shutil.rmtree(root / "docs/memory"),
    "moved": lambda root: (root / "docs/memory").rename(root / "docs/kept"),
    "moved, and a link left": linked,
    "said to be none": lambda root: put(root, "memdesk.toml", '[stores.layout]\n"docs/memory" = "none"\n'),
    "other settings": lambda root: put(root, "memdesk.toml", "[budget]\nnear = 0.5\n"),
    "other files": lambda root: (root / "src/notes.md").unlink(),
}


@pytest.mark.parametrize("how", FINE)
def test_what_hides_nothing_is_none(root: Path, how: str) -> None:
    FINE[how](root)
    assert report(root, mode="worktree").failures == ()


def test_settings_that_made_it_a_store_count_and_a_store_that_was_asked_for_alone_does_not_tell_of_others(root: Path) -> None:
    put(root, "notes/MEMORY.md", "# Index\n")
    put(root, "memdesk.toml", '[stores.layout]\n"notes" = "agent-memory"\n')
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Notes")
    (root / "memdesk.toml").unlink()
    (said,) = report(root, mode="worktree").failures
    assert said.startswith("notes: The change takes this store (agent-memory) out of sight: nothing looks at a file ")
    assert report(root, mode="worktree", store="assistant").failures == ()
    assert report(root, mode="none").failures == ()
