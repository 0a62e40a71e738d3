"""The rules' examples, made real: files on disk, a git repository where they are a change, and the check over them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from memdesk.core.checks import session
from memdesk.core.checks.examples import TODAY, Example, File
from memdesk.core.model import Finding
from tests.support.stores import git, git_repo, put


def checked(example: Example, side: tuple[File, ...], root: Path) -> list[Finding]:
    """What the check finds in one side of an example, its failing or its passing files, laid out below `root`."""
    root.mkdir()
    lay_out(example, side, root)
    words = asked(example, root)
    return list(session.check(words, day(example)).report.findings)


def lay_out(example: Example, side: tuple[File, ...], root: Path) -> None:
    """Lay one side of an example out in an empty folder, on a branch of a repository where it is a change."""
    lay(root, example.base)
    lay(root, example.before)
    if example.change != "none":
        git_repo(root)
        git(root, "switch", "-q", "-c", "change")
    lay(root, example.files)
    lay(root, side)
    stage(example, root)


def stage(example: Example, root: Path) -> None:
    """What is in the folder, into the index, where that is what is checked."""
    if example.change == "staged":
        git(root, "add", "--all")


def asked(example: Example, root: Path) -> session.Asked:
    """The check of what was laid out."""
    return session.Asked(start=str(root), mode=example.change, base="main" if example.change == "base" else None)


def day(example: Example) -> date:
    """The day on which it is checked."""
    return date.fromisoformat(example.today or TODAY)


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
