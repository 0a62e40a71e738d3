"""What an open workspace says of a prune session, and what is decided in it: proposals, verdicts, the report at the end.

Every front end asks here. Verdicts are ordinary transactions, which undo takes back; a verdict that was undone is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.plan import Plan, Receipt
    from memdesk.core.prune.drawn import Drawn
    from memdesk.core.prune.ending import Ending
    from memdesk.core.prune.proposal import Proposal
    from memdesk.core.prune.scan import Scan
    from memdesk.core.prune.session import Session


class Held:
    """A part of `desk.Desk`."""

    def prune(
        self, progress: Callable[[str, int, int], None] | None = None, stopped: Callable[[], bool] | None = None
    ) -> Scan:
        """What is proposed now, without what was rejected (until a text changes) and what is snoozed today."""
        raise NotImplementedError

    def draw(self, proposal: Proposal) -> Drawn:
        """What accepting a proposal would come to: its label, diffs, and what it frees."""
        raise NotImplementedError

    def prune_session(self) -> Session:
        """The session that is open, with every verdict that is in effect: also those of another terminal, and those given by
        one that was killed. Nothing is written; a session begins with its first verdict."""
        raise NotImplementedError

    def stale(self, proposal: Proposal) -> str:
        """Why a proposal no longer fits the files ("decisions.md:12: ... was changed or removed since."); "" where it does."""
        raise NotImplementedError

    def accepting(self, proposals: Sequence[Proposal], answers: Mapping[str, str] | None = None) -> Plan:
        """The one plan that accepts these, to be looked at and given to `accept` as `confirmed`. Its `questions` may have
        one of the key "share": more than a quarter of a store's live entries would go in this session. Raises Refused: a
        proposal is stale, several are not all of exact kinds, or what a plan is refused for."""
        raise NotImplementedError

    def accept(
        self, proposals: Sequence[Proposal], answers: Mapping[str, str] | None, who: str, confirmed: Plan | None = None
    ) -> Receipt:
        """Accepts one or several in one transaction. A proposal may have been edited: its request then names fewer entries.

        `confirmed`: what the person saw; raises Drifted where the hunks are no longer those. Raises as `Desk.commit` does."""
        raise NotImplementedError

    def refuse(self, proposal: Proposal, reason: str, who: str) -> Receipt:
        """Rejects one for good, in the tracked file of judgments; the reason may be empty. Raises as `Desk.commit` does."""
        raise NotImplementedError

    def put_off(self, proposal: Proposal, until: date | None) -> None:
        """Snoozes one until that morning, or (None) until a text changes. Raises UsageError for a day that is not to come."""
        raise NotImplementedError

    def take_up(self, proposal: str) -> None:
        """Brings a snoozed one back, by its id."""
        raise NotImplementedError

    def ending(self, left: int | None = None) -> Ending:
        """The report of the session as it is now. `left`: how many proposals are open still; None: as many as `prune` gave
        last and nobody decided, counted anew where it was not asked."""
        raise NotImplementedError

    def end_session(self, who: str, left: int | None = None) -> Receipt:
        """Ends the session: a line in each store's changelog or log that keeps one, and an entry in .memdesk/sessions.toml, in
        one transaction. Raises as `Desk.commit` does."""
        raise NotImplementedError

    def last_session(self) -> date | None:
        """The day on which the newest session ended, whoever held it. Raises StoreError for a file that can't be read."""
        raise NotImplementedError

    def overdue(self) -> bool:
        """Whether the cadence (prune.every_days) is set and the last session is older."""
        raise NotImplementedError
