"""The files that `init jonggrang` makes, and the demo's part of the repository: that lies beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below
from memdesk.core.layouts.jonggrang import paths, sections

SECTIONS = ("Conventions", "Known Pitfalls", "Architectural Decisions", "Repeated Lessons")
IGNORE = b"# Fragments and locks stay on this machine; the memories travel with the branch.\n.ephemeral/\nlocks/\n"


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store, by path: the project's memory, and what git is to leave out."""
    return {f"{path}/.gitignore": IGNORE, f"{path}/{paths.PROJECT}": project(f"{today.isoformat()}T00:00:00Z")}


def project(stamp: str) -> bytes:
    """A project memory in which nothing is said yet."""
    below_front = "".join(f"\n## {title}\n\n{sections.EMPTY}\n" for title in SECTIONS)
    front = f"---\nscope: project\ntags: []\nupdated_at: {stamp}\n---\n"
    return f"{front}\n# Project memory\n{below_front}".encode()


def example() -> Mapping[str, bytes]:
    """This layout's part of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
