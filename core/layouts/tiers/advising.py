"""What decides that a file of three tiers doesn't load: the days of log that do, its name, or its line in the index."""

from __future__ import annotations

from datetime import date

from memdesk.core.layouts.advising import setting
from memdesk.core.layouts.base import Advice
from memdesk.core.layouts.tiers.boot import index_lines
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.layouts.tiers.read import day_of
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.model import Document, Store, Workspace


def advice(
    workspace: Workspace, store: Store, request: LoadRequest, document: Document, settings: Settings
) -> Advice | None:
    """A log loads by its day. A fact never does: its line in the index, which loads, sends to it."""
    kept: Kept = store.settings
    role = document.place.role
    if role == "fact":
        index = store.join(kept.index)
        line = index_lines(workspace, store).get(document.path)
        if line is None:
            return Advice(index, 0, "see", "`memdesk reindex` adds its line")
        return Advice(index, line, "see", "its line there, which loads, sends to it")
    if role != "log" or request.today is None:
        return None
    day = day_of(document.path)
    if day is None:
        return Advice(document.path, 0, "see", "name it by its day: YYYY-MM-DD.md")
    days = (request.today - date.fromisoformat(day)).days + 1
    return setting(workspace.tree, settings, "tiers.log_days", str(days)) if days > kept.log_days else None
