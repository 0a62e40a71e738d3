"""The files that `init custodian` makes, and the demo's repository: both lie beside this module as ordinary files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path. Nothing in it depends on the day yet."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    return {prefix + name: data for name, data in _files("template").items()}


def example() -> Mapping[str, bytes]:
    """The repository of `memdesk --demo`, by workspace-relative path."""
    return _files("example")


def _files(folder: str) -> dict[str, bytes]:
    home = os.path.join(os.path.dirname(os.path.abspath(__file__)), folder)
    found = {}
    for parent, folders, names in os.walk(home):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            full = os.path.join(parent, name)
            with open(full, "rb") as file:
                found[os.path.relpath(full, home).replace(os.sep, "/")] = file.read()
    return dict(sorted(found.items()))
