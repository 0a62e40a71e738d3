"""A prune session: what a person decided so far about the proposals, kept until the session is ended, over restarts.

It is personal state. What was accepted is in the files and the history, what was rejected in the judgments; without the
session's own file only what was snoozed comes back, and the report begins anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from memdesk.core.lean import NamedTuple

ACCEPTED, REJECTED, SNOOZED = "accepted", "rejected", "snoozed"


class Verdict(NamedTuple):
    """What was decided about one proposal. `said`: "accepted", "rejected" or "snoozed"; `store`: `Workspace.store_name`.

    `title`: as the proposal's, values masked. `transaction`: what carried it out. `until`: the day on which a snoozed one
    comes back, "" where only another text brings it back. `frees`: path -> tokens freed, and `taken`: store -> live entries
    that went, by the whole transaction; of several that were accepted together the first has them.
    """

    proposal: str
    kind: str
    said: str
    title: str
    store: str
    transaction: str = ""
    until: str = ""
    frees: Mapping[str, int] = {}
    taken: Mapping[str, int] = {}


class Session(NamedTuple):
    """The session that is open; one in which nothing was decided yet has no `id` and has not `begun` (a UTC stamp).

    `live`: store -> its live entries when it began. `verdicts`: those in effect, in the order in which they were given.
    `snoozed`: proposal id -> the day (or "") of every snooze that holds today, those of earlier sessions too.
    """

    id: str = ""
    begun: str = ""
    live: Mapping[str, int] = {}
    verdicts: tuple[Verdict, ...] = ()
    snoozed: Mapping[str, str] = {}

    def of(self, said: str) -> tuple[Verdict, ...]:
        """The verdicts of one kind."""
        return tuple(verdict for verdict in self.verdicts if verdict.said == said)

    def verdict(self, proposal: str) -> Verdict | None:
        """What was decided about a proposal, by its id."""
        return next((verdict for verdict in self.verdicts if verdict.proposal == proposal), None)

    @property
    def frees(self) -> dict[str, int]:
        """Path -> tokens freed so far, by path."""
        found: Counter[str] = Counter()
        for verdict in self.verdicts:
            found.update(verdict.frees)
        return {path: found[path] for path in sorted(found) if found[path]}

    @property
    def taken(self) -> dict[str, int]:
        """Store -> live entries that went so far."""
        found: Counter[str] = Counter()
        for verdict in self.verdicts:
            found.update(verdict.taken)
        return dict(found)
