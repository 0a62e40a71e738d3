"""The stylesheets of the workbench, one for each pane, dialog or widget of its name.

Those of the frame are read at the start, a pane's when it is first shown, a dialog's with the first dialog: parsing them
all would take a tenth of the time to the first screen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

FOLDER = os.path.dirname(__file__)
FRAME = ("app", "finder", "lines", "reading")


def paths(names: Iterable[str] = FRAME) -> list[str]:
    """The stylesheets of these names, in their order; a name without one is left out."""
    found = [os.path.join(FOLDER, f"{name}.tcss") for name in names]
    return [path for path in found if os.path.exists(path)]


def others(names: Iterable[str]) -> list[str]:
    """All stylesheets but the frame's and those of `names`, by name."""
    left = {*FRAME, *names}
    return paths(sorted({name.removesuffix(".tcss") for name in os.listdir(FOLDER) if name.endswith(".tcss")} - left))
