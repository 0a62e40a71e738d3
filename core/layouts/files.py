"""Files that lie beside a layout's module: the store that `init` makes, and the demo's."""

from __future__ import annotations

import os


def below(module: str, folder: str) -> dict[str, bytes]:
    """The files in a folder beside a module's file, by their path in it, in path order."""
    home = os.path.join(os.path.dirname(os.path.abspath(module)), folder)
    found = {}
    for parent, folders, names in os.walk(home):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            full = os.path.join(parent, name)
            with open(full, "rb") as file:
                found[os.path.relpath(full, home).replace(os.sep, "/")] = file.read()
    return dict(sorted(found.items()))
