"""The forms up to protocol 0.5: lines and dated sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.layouts.custodian.places import asks, destinations, merged, remarks, said
from memdesk.core.layouts.custodian.pruning import leaves
from memdesk.core.layouts.custodian.scopes import scoped
from memdesk.core.layouts.custodian.writes import add, amend, put, take

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Ask
    from memdesk.core.model import Entry

__all__ = ["add", "amend", "asks", "destinations", "leaves", "merged", "put", "remarks", "said", "scoped", "take", "vouched"]


def vouched(entry: Entry) -> tuple[Ask, ...]:
    """Nothing stands before a candidate of these protocols."""
    return ()
