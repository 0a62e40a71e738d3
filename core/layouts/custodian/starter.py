"""The files that `init custodian` makes, and the demo's repository: both lie beside this module as ordinary files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path. Nothing in it depends on the day yet."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    return {prefix + name: data for name, data in below(__file__, "template").items()}


def example() -> Mapping[str, bytes]:
    """The repository of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
