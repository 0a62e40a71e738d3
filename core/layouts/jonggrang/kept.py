"""What a store of this layout is read by: the limits that the settings give."""

from __future__ import annotations

from memdesk.core.lean import NamedTuple

NAME = "jonggrang"
FOLDER = ".jonggrang"


class Features(NamedTuple):
    """`waiting_days`: older fragments have waited too long for compaction. `archive_days`: archived ones are kept so long."""

    waiting_days: int = 7
    archive_days: int = 7
