"""The recurrence gate: how often a lesson has to show itself before it may become standing (formats of agent-memory).

An inferred lesson needs enough independent signals in enough distinct sessions; an old signal counts half, and one text
that is repeated in a session counts once. Whether signals are independent only a person can tell: they are ticked, not
counted by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.config import Gate as Limits


class Signal(NamedTuple):
    """A dated line that may speak for a lesson. `id` is that of its entry; `session` names the note, or the headed part of
    one, in which it stands; `date` is that session's."""

    id: str
    path: str
    line: int  # 1-based
    date: date
    session: str
    text: str


class Weighed(NamedTuple):
    """What chosen signals come to: their sum, an old one counting half; distinct sessions; those that counted."""

    total: float
    sessions: int
    counted: tuple[Signal, ...]


class Gate(NamedTuple):
    """The gate before one lesson: the signals that may speak for it, its own line among them where that is dated.

    `own` is the id of that line, which always counts. `signals`, `sessions` and `half_after` (days) are the settings'.
    """

    offered: tuple[Signal, ...]
    own: str | None
    today: date
    signals: int = 3
    sessions: int = 2
    half_after: int = 30

    @classmethod
    def by(cls, limits: Limits, offered: Iterable[Signal], own: str | None, today: date) -> Gate:
        """A gate with the limits of the settings."""
        return cls(tuple(offered), own, today, limits.signals, limits.sessions, limits.half_after_days)

    def weigh(self, ids: Iterable[str]) -> Weighed:
        """What the signals of these ids come to, the lesson's own line with them."""
        wanted = {*ids, *(() if self.own is None else (self.own,))}
        return weigh([signal for signal in self.offered if signal.id in wanted], self.today, self.half_after)

    def passed(self, weighed: Weighed) -> bool:
        """Whether that is enough."""
        return weighed.total >= self.signals and weighed.sessions >= self.sessions

    def meter(self, weighed: Weighed) -> str:
        """The meter in words: `2.5 of 3 signals · 2 of 2 sessions`."""
        return f"{weighed.total:g} of {self.signals} signals · {weighed.sessions} of {self.sessions} sessions"


def weigh(signals: Sequence[Signal], today: date, half_after: int) -> Weighed:
    """Adds signals up: 1 for each, half of that for one more than `half_after` days old; a text said twice in one session,
    white space and case aside, once."""
    counted: dict[tuple[str, str], Signal] = {}
    for signal in signals:
        counted.setdefault((signal.session, " ".join(signal.text.split()).casefold()), signal)
    total = sum(0.5 if (today - signal.date).days > half_after else 1.0 for signal in counted.values())
    return Weighed(total, len({signal.session for signal in counted.values()}), tuple(counted.values()))
