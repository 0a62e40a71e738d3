"""The files that `init records` makes, and the demo's part of the repository: they lie beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below

_DAY = b"\nDate: DATE\n"  # in the first record: the day on which the store was made


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path: the glossary, and the record that says that there are records."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    day = f"\nDate: {today.isoformat()}\n".encode()
    return {prefix + name: data.replace(_DAY, day) for name, data in below(__file__, "template").items()}


def example() -> Mapping[str, bytes]:
    """This layout's part of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
