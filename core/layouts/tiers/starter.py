"""The files that `init tiers` makes, and the demo's part of the repository: they lie beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below

IGNORE = b"# Working state is scratch: it stays out of git.\n*\n!.gitignore\n"


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path: an index, an inbox, the first day of the log, and a folder for
    working state that git ignores. The folder of the facts comes with the first one."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    files = below(__file__, "template")
    files[f"log/{today.isoformat()}.md"] = f"# {today.isoformat()}\n\n- Began this memory.\n".encode()
    files["working/.gitignore"] = IGNORE
    return {prefix + name: data for name, data in sorted(files.items())}


def example() -> Mapping[str, bytes]:
    """This layout's part of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
