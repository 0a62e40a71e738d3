"""Branches that git can't merge by itself."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.stores import git, git_repo, put


def conflicting(root: Path, files: Mapping[str, tuple[str, str]], *, way: str = "merge", style: str = "merge") -> None:
    """Makes `root` a repository, and stops in the middle of a merge (`way`: "rebase", "cherry-pick") of branch topic into main.

    `files`: what ours and theirs have of each, over what is in `root` now; ours is what stands first between the markers.
    `style`: merge.conflictStyle."""
    git_repo(root)
    git(root, "config", "merge.conflictStyle", style)
    for branch, side in (("topic", 1), ("main", 0)):
        git(root, "checkout", "-q", *(("-b",) if branch != "main" else ()), branch)
        for path, texts in files.items():
            put(root, path, texts[side])
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"Work on {branch}")
    if way == "rebase":
        git(root, "checkout", "-q", "topic")
    command = {"merge": ("merge", "topic"), "rebase": ("rebase", "main"), "cherry-pick": ("cherry-pick", "topic")}[way]
    git_fails(root, *command)


def git_fails(root: Path, *arguments: str) -> None:
    """Runs git where it has to stop with a conflict."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    assert done.returncode == 1, done.stdout
