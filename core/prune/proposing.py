"""The scan of an open workspace: its settings, judgments and git behind one call, for every front end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.core.prune.scan import Scan, scan

if TYPE_CHECKING:
    from memdesk.core.errors import MemdeskError
    from memdesk.core.model import Store
    from memdesk.core.opened import Opened


class Proposed(NamedTuple):
    """A scan, and what could not be asked for it: judgments that can't be read (then nothing counts as rejected), git that
    failed (then nothing is proposed for its age)."""

    scan: Scan
    faults: tuple[MemdeskError, ...] = ()


def propose(
    opened: Opened, *, stores: Sequence[Store] | None = None, progress: Callable[[str, int, int], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Proposed:
    """What is proposed now, for all stores or some, without what was rejected before."""
    from memdesk.core.judgments import held
    from memdesk.core.touched import Touched

    today = opened.clock.today()
    touched = None if opened.git is None else Touched(opened.git, today)
    judgments, fault = held(opened.workspace.tree)
    found = scan(
        opened.workspace, opened.settings, today, touched=touched, judgments=judgments, progress=progress, stopped=stopped,
        stores=stores,
    )
    faults = (fault, None if touched is None else touched.fault)
    return Proposed(found, tuple(one for one in faults if one is not None))
