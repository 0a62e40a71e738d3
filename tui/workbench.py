"""Opening the workbench: on a workspace, or on a throw-away copy of the example stores."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.clock import Clock


def run(root: str, *, pane: str | None = None, clock: Clock, config: str | None = None, demo: bool = False) -> int:
    """The workbench on the workspace that contains `root`; returns the exit code.

    Whether there is a terminal is the caller's to check. Raises MemdeskError before anything is drawn.
    """
    from memdesk.core.desk import Desk

    if demo:
        from memdesk.tui.demo import copy_of_examples, remove

        with copy_of_examples() as folder:
            return _open(Desk.open(folder, clock=clock, user_config=None), pane, partial(remove, folder))
    return _open(Desk.open(root, clock=clock, config=config), pane)


def _open(desk: object, pane: str | None, at_hangup: Callable[[], object] | None = None) -> int:
    from memdesk.core.errors import MemdeskError
    from memdesk.tui import text
    # What a key changes is painted in two steps, list and text; at 60 a second the second would come late.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    from memdesk.tui.app import Workbench

    # Nothing that is made until the first screen becomes garbage; looking for some would take a tenth of the time to it.
    gc.disable()
    # A worker that reads holds the interpreter for one interval whenever a key waits: 1 ms instead of 5.
    sys.setswitchinterval(0.001)
    app = Workbench(desk, pane, os.environ, watch=True)  # type: ignore[arg-type]
    app.at_hangup += [at_hangup] if at_hangup else []
    app.run()
    if app.fault is not None:
        raise MemdeskError(
            f"The workbench ended by a fault of its own ({type(app.fault).__name__}: {text.line(str(app.fault))}).",
            remedy="What was confirmed is written, the rest is as it was. Please report it.",
        )
    return app.return_code or 0
