"""What an open workspace says of a prune session, and what is decided in it: proposals, verdicts, the report at the end.

Every front end asks here. Verdicts are ordinary transactions, which undo takes back; a verdict that was undone is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.opened import Opened

if TYPE_CHECKING:
    from memdesk.core.plan import Part, Plan, Receipt, Request
    from memdesk.core.prune.drawn import Drawn
    from memdesk.core.prune.ending import Ending
    from memdesk.core.prune.proposal import Proposal
    from memdesk.core.prune.scan import Scan
    from memdesk.core.prune.session import Session, Verdict


class Held(Opened):
    """A part of `desk.Desk`."""

    _scanned: Scan | None = None  # what was proposed last

    def plan(self, request: Request) -> Plan:
        raise NotImplementedError

    def commit(self, plan: Plan, who: str) -> Receipt:
        raise NotImplementedError

    def _writable(self) -> None:
        raise NotImplementedError

    # What is proposed.

    def prune(
        self, progress: Callable[[str, int, int], None] | None = None, stopped: Callable[[], bool] | None = None
    ) -> Scan:
        """What is proposed now, without what was rejected (until a text changes) and what is snoozed today."""
        from memdesk.core.prune.proposing import propose

        found, faults = propose(self, progress=progress, stopped=stopped)
        found = found._replace(not_compared=(*found.not_compared, *map(str, faults)))
        asleep = self.prune_session().snoozed
        self._scanned = found._replace(proposals=tuple(one for one in found.proposals if one.id not in asleep))
        return self._scanned

    def draw(self, proposal: Proposal) -> Drawn:
        """What accepting a proposal would come to: its label, diffs, and what it frees."""
        from memdesk.core.prune import drawn

        return drawn.draw(self.workspace, proposal, self.clock.today(), self.clock.now().strftime("%H:%M"))

    def stale(self, proposal: Proposal) -> str:
        """Why a proposal no longer fits the files ("docs/memory/decisions.md: what ... is about was changed, moved or taken out
        since."); "" where it does."""
        from memdesk.core.prune import accepting

        return accepting.unfit(self.workspace, _part(proposal))

    # What was decided.

    def prune_session(self) -> Session:
        """The session that is open, with every verdict that is in effect: also those of another terminal, and those given by
        one that was killed. Nothing is written; a session begins with its first verdict."""
        from memdesk.core.prune import session

        effects = self.transactions.effects(session.VERBS)
        return session.held(self._personal.fields(session.FILE), effects, self.clock.today().isoformat())

    def accepting(self, proposals: Sequence[Proposal], answers: Mapping[str, str] | None = None) -> Plan:
        """The one plan that accepts these, to be looked at and given to `accept` as `confirmed`. Its `questions` may have
        one of the key "share": more than a quarter of a store's live entries would go in this session. Raises Refused: a
        proposal is stale, several are not all of exact kinds, or what a plan is refused for."""
        return self.plan(self._to_accept(proposals, answers))

    def accept(
        self, proposals: Sequence[Proposal], answers: Mapping[str, str] | None, who: str, confirmed: Plan | None = None
    ) -> Receipt:
        """Accepts one or several in one transaction. A proposal may have been edited: its request then names other entries.

        `confirmed`: what the person saw; raises Drifted where the hunks are no longer those. Raises as `Desk.commit` does."""
        from memdesk.core.prune import share
        from memdesk.core.prune.drawn import freed
        from memdesk.core.prune.session import ACCEPTED

        request = self._to_accept(proposals, answers)
        if confirmed is None:
            made = self.plan(request)
        else:  # the second confirmation counts what others accepted in this session since that plan was made
            made = confirmed._replace(request=request._replace(at=confirmed.request.at, stamp=confirmed.request.stamp))
        verdicts = [self._verdict(proposal, ACCEPTED) for proposal in proposals]
        frees = {path: count for path, count in freed(self.workspace, made).items() if path not in made.log_only}
        verdicts[:1] = [verdicts[0]._replace(frees=frees, taken=share.taken(self.workspace, made.steps))]
        return self._decided(made, verdicts, who)

    def refusing(self, proposal: Proposal, reason: str = "") -> Plan:
        """The plan that rejects one for good. Raises Refused: it is stale, or rejected already."""
        return self.plan(_to_refuse(proposal, reason))

    def refuse(self, proposal: Proposal, reason: str, who: str, confirmed: Plan | None = None) -> Receipt:
        """Rejects one for good, in the tracked file of judgments; the reason may be empty. Raises as `Desk.commit` does."""
        from memdesk.core.prune.session import REJECTED

        made = self.plan(_by(_to_refuse(proposal, reason), who)) if confirmed is None else confirmed
        return self._decided(made, [self._verdict(proposal, REJECTED)], who)

    def put_off(self, proposal: Proposal, until: date | None) -> None:
        """Snoozes one until that morning, or (None) until a text changes. Raises UsageError for a day that is not to come,
        Refused for one that was accepted or rejected in this session: that verdict stays, whichever terminal gave it."""
        from memdesk.core.prune.session import SNOOZED

        if until is not None and until <= self.clock.today():
            raise UsageError(f"{until} is not to come.", remedy="Name a day after today.")
        given = self.prune_session().verdict(proposal.id)
        if given is not None and given.said != SNOOZED:
            raise Refused(f"It was {given.said} already in this session.", remedy="Take that back first.")
        self._note([self._verdict(proposal, SNOOZED)._replace(until="" if until is None else until.isoformat())])

    def take_up(self, proposal: str) -> None:
        """Brings a snoozed one back, by its id."""
        from memdesk.core.prune import session

        self._writable()
        self._personal.rewrite(session.FILE, lambda fields: session.taken_up(fields, proposal))

    # The end.

    def ending(self, left: int | None = None) -> Ending:
        """The report of the session as it is now. `left`: how many proposals are open still; None: as many as `prune` gave
        last and nobody decided, counted anew where it was not asked."""
        from memdesk.core.prune import ending

        session = self.prune_session()
        if left is None:
            scanned = self._scanned or self.prune()
            left = sum(session.verdict(one.id) is None and not self.stale(one) for one in scanned.proposals)
        return ending.ending(session, left, self.clock.today())

    def closing(self, left: int | None = None) -> Plan:
        """The plan that ends the session. Raises Refused for a log that can't be written to, StoreError for a file of sessions
        that can't be read."""
        from memdesk.core.prune import ending

        return self.plan(ending.request(self.workspace, self.ending(left)))

    def end_session(self, who: str, left: int | None = None, confirmed: Plan | None = None) -> Receipt:
        """Ends the session: a line in the changelog or log of each store that keeps one and in which something was decided, and
        an entry in .memdesk/sessions.toml, in one transaction. `confirmed`: the plan of `closing`, where a person saw it.
        Raises as `Desk.commit` does."""
        from memdesk.core.prune import ending, session

        self._note(())
        made = self.plan(_by(ending.request(self.workspace, self.ending(left)), who)) if confirmed is None else confirmed
        receipt = self.commit(made, who)
        told = made.request.ids
        with suppress(MemdeskError):  # what is left there is known to be of a session that was ended
            self._personal.rewrite(session.FILE, lambda fields: session.ended(fields, told, receipt.id or ""))
        self._scanned = None
        return receipt

    def last_session(self) -> date | None:
        """The day on which the newest session ended, whoever held it. Raises StoreError for a file that can't be read."""
        from memdesk.core.prune import cadence

        return cadence.last_session(self.workspace.tree)

    def overdue(self) -> bool:
        """Whether the cadence (prune.every_days) is set and the last session is older. Raises StoreError as `last_session`."""
        from memdesk.core.prune import cadence

        every = self.settings.prune.every_days
        return every is not None and cadence.overdue(self.last_session(), every, self.clock.today())

    # Below

    def _decided(self, made: Plan, verdicts: Sequence[Verdict], who: str) -> Receipt:
        """Carries verdicts out. They are noted before: whoever is killed in between finds them by the history."""
        from memdesk.core.prune import session

        self._note(verdicts)
        receipt = self.commit(made, who)
        ids = [verdict.proposal for verdict in verdicts]
        with suppress(MemdeskError):  # it is given, and the history tells
            self._personal.rewrite(session.FILE, lambda fields: session.settled(fields, ids, receipt.id or ""))
        return receipt

    def _note(self, verdicts: Iterable[Verdict]) -> None:
        """Notes verdicts, and a session where none is open, under the lock: another terminal's stay."""
        from memdesk.core.prune import session, share
        from memdesk.core.transaction import identifiers

        self._writable()
        stamp, today = self.clock.stamp(), self.clock.today().isoformat()

        def noted(fields: dict[str, str]) -> dict[str, str]:
            effects = self.transactions.effects(session.VERBS)
            known = session.held(fields, effects, today)
            if not known.id:
                fields = session.closed(fields, effects, today)  # an end can't be undone into the session that begins now
                begun = session.Session(identifiers.new(stamp, ()), stamp, share.live(self.workspace))
                fields = session.begun(fields, begun)
            for verdict in known.verdicts:
                if verdict.transaction:
                    fields = session.settled(fields, [verdict.proposal], verdict.transaction)
            return session.given(fields, verdicts, self.transactions.newest())

        self._personal.rewrite(session.FILE, noted)

    def _verdict(self, proposal: Proposal, said: str) -> Verdict:
        from memdesk.core.prune.session import Verdict

        return Verdict(proposal.id, proposal.kind, said, proposal.title, self.workspace.store_name(proposal.store))

    def _to_accept(self, proposals: Sequence[Proposal], answers: Mapping[str, str] | None) -> Request:
        from memdesk.core.plan import Request
        from memdesk.core.prune import share

        parts = {proposal.id: _part(proposal) for proposal in proposals}
        words = share.words(self.workspace, self.prune_session())
        return Request("prune", tuple(parts), words, answers or {}, person=True, parts=tuple(parts.values()))


def _to_refuse(proposal: Proposal, reason: str) -> Request:
    from memdesk.core.plan import Request

    return Request("refuse", (proposal.id,), {"reason": reason}, person=True, parts=(_part(proposal),))


def _by(request: Request, who: str) -> Request:
    return request._replace(words={**request.words, "by": who}) if who else request


def _part(proposal: Proposal) -> Part:
    from memdesk.core.plan import Part

    entries = tuple(entry.id for entry in proposal.entries)
    return Part(proposal.id, proposal.kind, proposal.exact, proposal.title, entries, proposal.request)
