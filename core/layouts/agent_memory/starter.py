"""The files that `init agent-memory` makes, and the demo's part of the repository: they lie beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path: the index and its settings. Folders come with their first file."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    return {prefix + name: data for name, data in below(__file__, "template").items()}


def example() -> Mapping[str, bytes]:
    """This layout's part of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
