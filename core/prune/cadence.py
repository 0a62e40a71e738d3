"""When the next prune session is due. Light: the check asks here."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.tree import Tree


def last_session(tree: Tree) -> date | None:
    """The day on which the newest session of this tree ended. Raises StoreError for a file that can't be read."""
    from memdesk.core.prune import sessions

    return max((session.ended for session in sessions.read(tree)), default=None)


def overdue(last: date | None, every_days: int | None, today: date) -> bool:
    """Whether a cadence is set and no session was held within it. One that is to come was not held."""
    return every_days is not None and (last is None or not 0 <= (today - last).days <= every_days)


def told(last: date | None, every_days: int, today: date) -> str:
    """What there is to say of a session that is overdue."""
    if last is None:
        when = "No prune session is on record"
    elif last > today:
        when = f"The last prune session is dated {last.isoformat()}, which is to come"
    else:
        when = f"The last prune session was on {last.isoformat()}"
    return f"{when}; the cadence is {every_days} days."
