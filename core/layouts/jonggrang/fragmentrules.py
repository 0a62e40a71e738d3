"""The rules over fragments: they are compacted in time, and what is archived goes in time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.jonggrang import front, paths
from memdesk.core.layouts.jonggrang.kept import NAME, Features
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.worktree import WorkTree

if TYPE_CHECKING:
    from memdesk.core.model import Document, Finding

NOT_HERE = "fragments are no part of what git keeps: only a check of the working tree sees them"


def fragment_waiting(context: CheckContext) -> Checked:
    """Features whose fragments wait for compaction longer than they should; and fragments of no feature, which no compaction
    takes."""
    if not isinstance(context.workspace.tree, WorkTree):
        return Checked(0, skipped=NOT_HERE)
    kept: Features = context.store.settings
    documents = [document for document in context.documents if document.place.role == "fragment"]
    waiting: dict[str, list[tuple[date, Document]]] = {}
    found: list[Finding] = []
    undated = 0
    for document in documents:
        named = front.named(document)
        if not paths.is_feature(named.feature):
            message = "No compaction takes this fragment: it is in no folder of a feature."
            found.append(FRAGMENT_WAITING.finding(document.path, None, message, "Move it into the folder of its feature."))
        elif named.stamp is None:
            undated += 1
        elif is_waiting(named.stamp, context.today(), kept.waiting_days):
            waiting.setdefault(named.feature, []).append((named.stamp.date(), document))
    for feature, late in waiting.items():
        day, oldest = min(late, key=lambda one: (one[0], one[1].path))
        days = (context.today() - day).days
        what = "A fragment" if len(late) == 1 else f"{len(late)} fragments"
        verb = "waits" if len(late) == 1 else "wait"
        since = f"since {day}" if len(late) == 1 else f"the oldest since {day}"
        message = f"{what} of {shown(feature, 60)} {verb} for compaction, {since}: {days} days."
        found.append(FRAGMENT_WAITING.finding(oldest.path, None, message, f"`memdesk compact {feature}` drafts it."))
    also = f"over {kept.waiting_days} days" + (f"; {undated} without a date of their own" if undated else "")
    return Checked(len(documents), found, also=also)


def archive_expired(context: CheckContext) -> Checked:
    """Features with archived fragments that were kept as long as they should be."""
    if not isinstance(context.workspace.tree, WorkTree):
        return Checked(0, skipped=NOT_HERE)
    kept: Features = context.store.settings
    documents = [document for document in context.documents if document.place.role == "archive"]
    past: dict[str, list[tuple[date, Document]]] = {}
    for document in documents:
        inner = context.store.inner(document.path) or ""
        day = paths.archived_on(inner)
        if day is not None and is_expired(day, context.today(), kept.archive_days):
            past.setdefault(paths.feature_of(inner), []).append((day, document))
    found = []
    for feature, old in past.items():
        day, oldest = min(old, key=lambda one: (one[0], one[1].path))
        what = "An archived fragment" if len(old) == 1 else f"{len(old)} archived fragments"
        verb = "is" if len(old) == 1 else "are"
        message = f"{what} of {shown(feature, 60)} {verb} past {kept.archive_days} days, archived since {day}."
        found.append(ARCHIVE_EXPIRED.finding(oldest.path, None, message))
    return Checked(len(documents), found, also=f"kept {kept.archive_days} days")


def is_waiting(stamp: datetime, today: date, days: int) -> bool:
    """Whether a fragment of that instant is older than so many days."""
    return stamp.astimezone(UTC).date() < today - timedelta(days=days)


def is_expired(day: date, today: date, days: int) -> bool:
    """Whether what was archived on a day has been kept for so many days."""
    return day < today - timedelta(days=days)


FRAGMENT_WAITING = Rule(
    "fragment-waiting", "warning", "fragments that wait for compaction longer than fragments.waiting_days, 7 by default",
    "Compact the feature, or reject what its fragments say.", "fragments", fragment_waiting, NAME,
)
ARCHIVE_EXPIRED = Rule(
    "archive-expired", "warning", "archived fragments that are past fragments.archive_days, 7 by default",
    "A prune session proposes their removal; nothing goes by itself.", "archived fragments", archive_expired, NAME,
)
RULES = (FRAGMENT_WAITING, ARCHIVE_EXPIRED)
