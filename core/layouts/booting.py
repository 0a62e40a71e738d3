"""Layouts without tasks have one load: what every session begins with."""

from __future__ import annotations

from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.model import Store

TASK = "boot"


def alone(store: Store, request: LoadRequest) -> None:
    """Raises UsageError for another task than the boot load, and for modules, which such a layout has none of."""
    if request.task.strip().casefold() != TASK:
        raise UsageError(
            f"Unknown task {request.task!r}: {store.path} has no tasks.", remedy=f"Known: {TASK}, what every session loads."
        )
    for flag, names in (("--area", request.areas), ("--module-rule", request.rules), ("--profile", request.profiles)):
        if names:
            raise UsageError(f"{flag} {names[0]}: {store.path} has no modules.", remedy="Ask by words: memdesk recall QUERY.")
