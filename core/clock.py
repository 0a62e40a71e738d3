"""Today, handed in from outside: `--now` beats MEMDESK_NOW beats the system (CLI.md)."""

from __future__ import annotations

import re
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


def clock(value: str | None, origin: str = "--now") -> Clock:
    """A clock from `YYYY-MM-DD[THH:MM[:SS]]` (local time), or the system's for None or "". Raises UsageError."""
    if not value:
        return Clock()
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?)?", value):
            raise ValueError  # other ISO forms, zones above all, would be taken for something else than was meant
        return Clock(datetime.fromisoformat(value))
    except ValueError:
        raise UsageError(f"{origin} {value!r} is not a date.", remedy="Write YYYY-MM-DD or YYYY-MM-DDTHH:MM.") from None

