"""How the files of this layout are kept, for merging two versions of one."""

from __future__ import annotations

from memdesk.core.layouts.base import Order
from memdesk.core.layouts.inbox import PLACEHOLDER, is_placeholder
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Place

NEWEST_FIRST = frozenset({"decisions", "do-not-use", "changelog", "area", "archive"})


def order(place: Place) -> Order:
    """Newest first where entries are dated; in the inbox a heading goes with its last candidate, and a line stands for none."""
    if place.role == "inbox":
        return Order(True, PLACEHOLDER, is_placeholder, groups=True)
    return Order(True if place.role in NEWEST_FIRST else None)
