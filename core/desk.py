"""The desk: the one thing that the command line and the workbench both hold.

It reads the workspace, plans, commits under the lock and undoes; it draws and prints nothing. Each method says what it
raises; all of it is a MemdeskError. A Desk belongs to one thread at a time: a worker that plans or reads takes its own
turn, and nothing here starts a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from memdesk.core import config as configuration
from memdesk.core import workspace as reading
from memdesk.core.errors import MemdeskError, ReadOnly, Refused, UnknownEntry, UsageError
from memdesk.core.offered import Offered
from memdesk.core.opened import Snooze
from memdesk.core.prune.held import Held
from memdesk.core.staged import Staged

if TYPE_CHECKING:
    from memdesk.core.announcing import Beside
    from memdesk.core.plan import Plan, Receipt, Request
    from memdesk.core.transaction import Kept, Pending, Recovered, Transaction

__all__ = ["Desk", "Snooze"]

_SIGNED = frozenset({"dismiss", "refuse", "session", "compact"})  # verbs that write into a file who decided
PATIENT = 60.0  # seconds that a command without a person waits for the lock


class Desk(Held, Offered, Staged):
    """A workspace that is open for work. `session` holds the ids of what this desk committed, oldest first.

    What can be asked of it without writing is `opened.Opened`, what a verb asks first `offered.Offered`, what it has to do with
    git `staged.Staged`, a session of a prune `prune.held.Held`.
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.session: list[str] = []

    def plan(self, request: Request) -> Plan:
        """A preview from the current reading; takes no lock, writes nothing. Raises Refused, UnknownEntry, UsageError."""
        from memdesk.core import actions
        from memdesk.core.drift import unread

        try:
            return self._told(actions.plan(self.workspace, self._signed(request), self.clock.today()))
        except UnknownEntry as error:
            raise unread(request.ids, self.workspace) or error from None

    def commit(self, plan: Plan, who: str) -> Receipt:
        """Applies what a person confirmed, planned anew under the lock from the disk.

        Raises Drifted (with the new plan) when the hunks are no longer those; Refused when it cannot be planned any more
        (the entry is gone: UnknownEntry, with the ids that may be it now) or has an open question; Busy, Interrupted,
        ReadOnly, WriteFailed. In all these cases nothing was written.
        """
        undoes = plan.undoes
        if undoes is not None:
            return self._apply(lambda: self._undone(undoes, plan.request.at), plan, who)
        return self._apply(lambda: self._planned(plan.request), plan, who)

    def perform(self, request: Request, who: str) -> Receipt:
        """Plans under the lock and applies at once, whatever the plan says (`add`, `--yes`). Raises as `commit` does.

        Nobody sits before a screen: it waits longer for the lock than `commit` does, so that many may come at once. What only
        makes a file of its own takes no lock, and is in no history."""
        signed = self._signed(request, who)
        if self._is_apart(signed):
            return self._made_apart(signed)
        return self._apply(lambda: self._planned(signed), None, who, PATIENT)

    def undo(self, ident: str | None = None) -> Plan:
        """The inverse of a transaction, or of the newest in effect, to be shown and given to `commit`. Raises Refused
        (its own spans or what stood around them changed since), UsageError (an unknown id)."""
        return self._undone(ident, self._at)

    def history(self) -> list[Transaction]:
        """Transactions, newest first. Of the newest 100 it says whether `undo` would take them back now."""
        from memdesk.core.undoing import intact

        return self.transactions.history(intact(self.workspace))

    def show(self, ident: str) -> Transaction:
        """One transaction, by id or an unambiguous beginning of it, with exactly what `undo` would say of it;
        `transactions.diffs` has its texts. Raises UsageError."""
        found = self.transactions.find(ident)
        if found.outcome != "committed":
            return found
        try:
            self.undo(found.id)
        except MemdeskError as error:
            why = found.reason if found.reason is not None and error.path is None else str(error)
            return found._replace(undoable=False, reason=why)
        return found._replace(undoable=True, reason=None)

    def forget_history(self, ident: str) -> None:
        """Takes a transaction, texts and all, out of the history: it can't be undone any more. Raises UsageError."""
        self._writable()
        self.transactions.forget(ident)

    def pending(self) -> list[Pending]:
        """Transactions that were interrupted, or that another memdesk is carrying out this moment."""
        return self.transactions.pending()

    def kept(self) -> list[Kept]:
        """Texts of others that the history keeps: what was written late to a file that a commit had taken out, and what
        could not be brought back. `transactions.kept_text` has their bytes; `forget_history` lets go of them."""
        return self.transactions.kept()

    def recover(self, decide: Callable[[Pending], str] | None = None) -> list[Recovered]:
        """Finishes or takes back what was interrupted; `decide` answers where only a person can, with one of
        `Pending.choices`. Reads again afterwards."""
        done = self.transactions.recover(decide)
        self.refresh()
        return done

    def snooze(self, ids: Sequence[str], until: date) -> None:
        """Puts candidates aside. Nothing changes but personal state. Raises UnknownEntry, Refused (no candidate),
        UsageError (a day that is not to come)."""
        if until <= self.clock.today():
            raise UsageError(f"{until} is not to come.", remedy="Name a day after today.")
        entries = self._entries(ids)
        for entry in entries:
            if not entry.candidate:
                raise Refused("Only a candidate can be put aside.", path=entry.path, line=entry.line)
        self._writable()
        self._personal.snooze([entry.id for entry in entries], until.isoformat())

    def unsnooze(self, ids: Sequence[str]) -> None:
        """Brings them back. An id in full may name what is gone by now."""
        self._writable()
        known = self._personal.snoozes()
        self._personal.unsnooze([ident if ident in known else self.workspace.find(ident).id for ident in ids])

    # Below

    @property
    def _at(self) -> str:
        return self.clock.now().strftime("%H:%M")

    def _undone(self, ident: str | None, at: str) -> Plan:
        """The inverse of a transaction; its line in a log has the time at which it was planned first."""
        from memdesk.core.undoing import intact, noted

        plan = self.transactions.undo_plan(ident, noted(self.workspace, self.clock.today(), at), intact(self.workspace))
        return self._told(plan._replace(request=plan.request._replace(at=at)))

    def _apply(self, replan: Callable[[], Plan], confirmed: Plan | None, who: str, wait: float = 10.0) -> Receipt:
        self._writable()
        receipt = self.transactions.apply(replan, confirmed, who, wait, lambda plan: self._beside().announced(plan.paths))
        if receipt.id is not None:
            self.session.append(receipt.id)
            self.refresh(receipt.plan.paths)
        return receipt

    def _is_apart(self, request: Request) -> bool:
        """Whether a request makes one file that is in nobody's way, by its store's layout."""
        from memdesk.core import asked, layouts

        if request.verb != "add":
            return False
        return request.verb in layouts.get(asked.store(self.workspace, request, []).layout).apart

    def _made_apart(self, request: Request) -> Receipt:
        from memdesk.core.transaction import apart

        self._writable()
        receipt = apart.make(self.transactions.ground, lambda: self._planned(request))
        self.refresh(receipt.plan.paths)
        return receipt

    def _beside(self) -> Beside:
        """The other programs that write in the stores as they were read last."""
        from memdesk.core.announcing import Beside
        from memdesk.core.transaction.files import REAL

        files = REAL if self._files is None else self._files
        return Beside(files, files.resolve(self.root), self.workspace.stores, self.clock.stamp())

    def _told(self, plan: Plan) -> Plan:
        """A plan that says who else is writing to one of its files: then it is refused, unless that one is through."""
        found = self._beside().found(plan.paths)
        return plan if found is None else plan._replace(warnings=(*plan.warnings, f"{found.path}: {found}"))

    def _signed(self, request: Request, who: str = "") -> Request:
        """A request with the time, and one whose plan names who decided with that name: they stand in the files, and so in the
        plan."""
        if not request.at:
            request = request._replace(at=self._at)
        if not request.stamp:
            request = request._replace(stamp=self.clock.stamp())
        if request.verb not in _SIGNED or request.words.get("by"):
            return request
        return request._replace(words={**request.words, "by": who or self.who()})

    def _planned(self, request: Request) -> Plan:
        """The plan of a request from a fresh reading of the disk; every file is read, whatever its times say."""
        from memdesk.core import actions
        from memdesk.core.drift import gone, unread

        settings = configuration.load(self.root, None, self._user_config, self._config)
        fresh = reading.open_workspace(reading.work_tree(self.root, settings), settings, self.workspace)
        try:
            plan = actions.plan(fresh, request, self.clock.today())
        except UnknownEntry as error:
            raise unread(request.ids, fresh) or gone(request, self.workspace, fresh, error) from None
        if plan.questions:
            asked = plan.questions[0]
            raise Refused(f"A question is open: {asked.text}", remedy="Answer it first.", field=asked.key)
        return plan

    def _writable(self) -> None:
        why = self.read_only
        if why is not None:
            raise ReadOnly(why, remedy="Nothing was written.")
