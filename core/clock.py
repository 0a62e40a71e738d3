"""Today, handed in from outside: `--now` beats MEMDESK_NOW beats the system (CLI.md)."""

from __future__ import annotations

from datetime import UTC, date, datetime

from memdesk.core.errors import UsageError


class Clock:
    """The time that every date read or written goes by. A fixed one for tests and `--now`; local time for dates."""

    def __init__(self, fixed: datetime | None = None) -> None:
        self._fixed = fixed

    def now(self) -> datetime:
        """Local time, naive."""
        return self._fixed or datetime.now()

    def today(self) -> date:
        return self.now().date()

    def stamp(self) -> str:
        """UTC, to the second, as files and the history carry it: 2026-11-30T04:02:51Z."""
        moment = self._fixed.astimezone(UTC) if self._fixed else datetime.now(UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def clock(value: str | None) -> Clock:
    """A clock from `YYYY-MM-DD[THH:MM[:SS]]`, or the system's for None or "". Raises UsageError."""
    if not value:
        return Clock()
    try:
        return Clock(datetime.fromisoformat(value).replace(tzinfo=None))
    except ValueError:
        raise UsageError(f"--now {value!r} is not a date.", remedy="Write YYYY-MM-DD or YYYY-MM-DDTHH:MM.") from None
