"""The stylesheets of the workbench, one for each pane, dialog or widget of its name."""

from __future__ import annotations

import os

FOLDER = os.path.dirname(__file__)


def paths() -> list[str]:
    """All stylesheets, `app.tcss` first."""
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".tcss"))
    return [os.path.join(FOLDER, name) for name in sorted(names, key=lambda name: name != "app.tcss")]
