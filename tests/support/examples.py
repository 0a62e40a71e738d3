"""The rules' examples, made real: files on disk, a git repository where they are a change, and the check over them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from memdesk.core.checks.examples import TODAY, Example, File
from memdesk.core.model import Finding
from tests.support.checking import report
from tests.support.stores import git, git_repo, put


def checked(example: Example, side: tuple[File, ...], root: Path) -> list[Finding]:
    """What the check finds in one side of an example, its failing or its passing files, laid out below `root`."""
    root.mkdir()
    lay(root, example.base)
    lay(root, example.before)
    base = None
    if example.change != "none":
        git_repo(root)
        if example.change == "base":
            base = "main"
            git(root, "switch", "-q", "-c", "change")
    lay(root, example.files)
    lay(root, side)
    return list(report(root, mode=example.change, base=base, today=date.fromisoformat(example.today or TODAY)).findings)


def lay(root: Path, files: Iterable[File]) -> None:
    """Write files; what is no longer to be there is taken away."""
    for file in files:
        path = root / file.part.path
        path.unlink(missing_ok=True)
        if file.link:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(file.link)
        elif file.data is not None:
            put(root, file.part.path, file.data)
