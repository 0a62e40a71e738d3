"""The desk: the one thing that the command line and the workbench both hold.

It reads the workspace, plans, commits under the lock and undoes; it draws and prints nothing. Each method says what it
raises; all of it is a MemdeskError. A Desk belongs to one thread at a time: a worker that plans or reads takes its own
turn, and nothing here starts a thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from memdesk.core import config as configuration
from memdesk.core import workspace as reading
from memdesk.core.errors import GitError, MemdeskError, ReadOnly, Refused, StoreError, UnknownEntry, UsageError
from memdesk.core.opened import Snooze
from memdesk.core.prune.held import Held

if TYPE_CHECKING:
    from memdesk.core.announcing import Beside
    from memdesk.core.gate import Gate
    from memdesk.core.git import Git
    from memdesk.core.layouts.base import Ask, Destination
    from memdesk.core.model import Document, Entry
    from memdesk.core.plan import Plan, Receipt, Request
    from memdesk.core.resolving import Marked, Part
    from memdesk.core.transaction import Kept, Pending, Recovered, Transaction
    from memdesk.core.unmerged import UnderWay

__all__ = ["Desk", "Snooze"]

_SIGNED = frozenset({"dismiss", "refuse", "session", "compact"})  # verbs that write into a file who decided
PATIENT = 60.0  # seconds that a command without a person waits for the lock


class Desk(Held):
    """A workspace that is open for work (see `opened.Opened` for what can be asked of it, `prune.held.Held` for sessions of a
    prune). `session` holds the ids of what this desk committed, oldest first."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.session: list[str] = []

    def destinations(self, ids: Sequence[str]) -> list[Destination]:
        """Where all of these can go, in the first one's order, its own store's places before those of others; a default is
        proposed where it is that of all, so that no entry's reason goes to another. Raises UnknownEntry."""
        from memdesk.core import across

        common: list[Destination] | None = None
        for entry in self._entries(ids):
            found = [goal.destination for goal in across.goals(self.workspace, entry)]
            others = {destination.id: destination for destination in found}
            common = found if common is None else [_agreed(one, others[one.id]) for one in common if one.id in others]
        return common or []

    def passing(self, ident: str) -> dict[str, str]:
        """For each destination of a candidate the one of the same store that takes what won't last. Raises UnknownEntry."""
        from memdesk.core import across

        return across.passing(self.workspace, self.workspace.find(ident))

    def gate(self, entry: Entry) -> Gate | None:
        """The recurrence gate before a candidate, with the signals that may speak for it; None where none stands there."""
        from memdesk.core import layouts

        store = entry.document.store
        return layouts.get(store.layout).gate(self.workspace, store, entry, self.clock.today())

    def asks(self, verb: str, ids: Sequence[str]) -> tuple[Ask, ...]:
        """The fields that a verb's dialog asks for: what any of these entries needs. Raises UnknownEntry, UsageError."""
        from memdesk.core import layouts

        asks: dict[str, Ask] = {}
        for entry in self._entries(ids):
            store = entry.document.store
            layout = layouts.get(store.layout)
            if verb not in layout.verbs:
                raise UsageError(f"The layout {layout.name} does not know {verb!r}.")
            for ask in layout.informed(self.workspace, verb, entry, layout.asks(store, verb, entry)):
                known = asks.get(ask.field)
                asks[ask.field] = ask if known is None or (ask.required and not known.required) else known
        return tuple(asks.values())

    def subjects(self, ids: Sequence[str]) -> tuple[str, ...]:
        """What verdicts on these are about: a line of an index that names a fact stands for the fact."""
        from memdesk.core import asked

        return tuple(asked.subjects(self.workspace, ids))

    def instead(self, verb: str, ids: Sequence[str]) -> str:
        """The verb whose dialog answers a person's key for these entries: a strike may be a correction. For none, or for what
        is no entry any more, it is the same verb."""
        from memdesk.core import asked

        try:
            return asked.instead(verb, [self.workspace.find(ident) for ident in ids])
        except UnknownEntry:
            return verb

    def ends(self, ids: Sequence[str]) -> str:
        """The verb by which these go where nothing new is said instead of them; "" where they differ. Raises UnknownEntry."""
        from memdesk.core import layouts

        found = {layouts.get(entry.layout).ends(self.workspace, entry) for entry in self._entries(ids)}
        return found.pop() if len(found) == 1 else ""

    def singly(self, verb: str, ids: Sequence[str]) -> bool:
        """Whether a verb takes these one after the other, by the layout of any of them, or since what a person has to answer
        before it is not the same for all. Raises UnknownEntry."""
        from memdesk.core import layouts

        entries = [self.workspace.find(ident) for ident in ids]
        if any(verb in layouts.get(entry.layout).singly for entry in entries):
            return True
        before = {layouts.get(entry.layout).vouched(entry) for entry in entries if entry.candidate}
        return verb in ("promote", "merge") and len(before - {()}) > 1

    def promotable(self, ids: Sequence[str]) -> bool:
        """Whether all of these can be promoted: candidates, and what else their layout lets be taken up."""
        from memdesk.core import layouts

        try:
            entries = [self.workspace.find(ident) for ident in ids]
        except UnknownEntry:
            return False
        return all(layouts.get(entry.layout).promotable(entry) for entry in entries)

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

    def stage(self, idents: Sequence[str] | None = None) -> list[str]:
        """Stages just the paths of these transactions (None: of this session's) and returns those that differ from HEAD.
        Raises GitError, Refused (one has conflict markers)."""
        paths = self._paths(idents)
        self._whole(paths)
        return self._repository().stage(paths)

    def marked(self) -> list[Document]:
        """The memory files that hold git's conflict markers: read-only to all but `resolve`."""
        from memdesk.core.resolving import marked

        return marked(self.workspace)

    def marks(self, path: str) -> Marked:
        """A marked file taken apart by entry: what a person has to choose, and how much needs no choice. Raises Refused (it
        holds no markers), StoreError (markers that are no whole conflict, with the line)."""
        from memdesk.core.resolving import parts

        return parts(self.workspace, path)

    def clashes(self, path: str) -> list[Part]:
        """Just the parts of `marks`: what `resolve` has to be told, by their numbers."""
        return list(self.marks(path).parts)

    def stage_paths(self, paths: Sequence[str]) -> list[str]:
        """Stages just these files, which tells git that they are merged; returns those that differ from HEAD. Only when a
        person asks. Raises GitError with git's words, Refused for a file that holds markers still."""
        real = self._real(paths)
        self._whole(real)
        return self._repository().stage(real)

    @property
    def under_way(self) -> UnderWay | None:
        """What git is in the middle of here (a merge, a rebase): ending it is the person's, and no commit of ours."""
        from memdesk.core.unmerged import under_way

        return None if self.git is None else under_way(self.git)

    def touched(self) -> list[str]:
        """The files of this session's transactions, as `stage` and `commit_git` take them."""
        return self._paths(None)

    def commit_git(self, message: str, idents: Sequence[str] | None = None) -> str:
        """Stages and commits just those paths; hooks run. Returns the short hash. Raises GitError with git's words.
        What is committed is no longer this session's. In the middle of a merge, a rebase or the like: refused."""
        begun = self.under_way
        if begun is not None:
            raise GitError(
                f"{begun.what[0].upper()}{begun.what[1:]} is under way, and a commit now would be half of it.",
                remedy=f"Stage the files, then end it yourself: {begun.finish}.",
            )
        chosen = self._chosen(idents)
        paths = self._paths(idents)
        self._whole(paths)
        done = self._repository().commit(paths, message)
        self.session = [ident for ident in self.session if ident not in chosen]
        return done

    def commit_message(self, idents: Sequence[str] | None = None) -> str:
        """A message made from the verdicts of these transactions (None: of this session's) that are in effect: one line
        that sums them up, and where there are several a line for each, oldest first. Values that look secret are masked."""
        from memdesk.core.verdicts import in_effect, message

        return message(in_effect(self.transactions.history(), self._chosen(idents)))

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

    def _entries(self, ids: Sequence[str]) -> list[Entry]:
        if not ids:
            raise UsageError("No entry is chosen.")
        try:
            return [self.workspace.find(ident) for ident in ids]
        except UnknownEntry as error:
            from memdesk.core.drift import unread

            raise unread(ids, self.workspace) or error from None

    def _writable(self) -> None:
        why = self.read_only
        if why is not None:
            raise ReadOnly(why, remedy="Nothing was written.")

    def _repository(self) -> Git:
        if self.git is None:
            raise GitError("This workspace is not in a git repository.", remedy="Make one: git init.")
        return self.git

    def _chosen(self, idents: Sequence[str] | None) -> set[str]:
        return set(self.session) if idents is None else {self.transactions.find(ident).id for ident in idents}

    def _paths(self, idents: Sequence[str] | None) -> list[str]:
        """The files of transactions as git knows them: behind links inside the workspace. Undone ones count: their files
        may be as they were before, and then there is nothing to stage of them."""
        wanted = self._chosen(idents)
        paths = {path for item in self.transactions.history() if item.id in wanted for path in item.paths}
        return sorted(set(self._real(paths)))

    def _whole(self, paths: Iterable[str]) -> None:
        """Raises Refused for a file with conflict markers: staged, git would take it for merged."""
        from memdesk.core.intake import problem

        for path in paths:
            try:
                with open(os.path.join(self.root, path), "rb") as stream:
                    found = problem(stream.read())
            except FileNotFoundError:
                continue  # its removal is staged
            except OSError as error:
                raise StoreError(f"It cannot be read: {error.strerror}.", path=path) from None
            if found is not None and found.rule == "conflict-marker":
                raise Refused(found.message, path=path, line=found.line, remedy="Resolve it first.")

    def _real(self, paths: Iterable[str]) -> list[str]:
        return [os.path.relpath(os.path.realpath(os.path.join(self.root, path)), self.root) for path in paths]


def _agreed(one: Destination, other: Destination) -> Destination:
    """A destination whose fields propose only what both entries have."""
    defaults = {ask.field: ask.default for ask in other.asks}
    asks = tuple(ask if defaults.get(ask.field) == ask.default else ask._replace(default="") for ask in one.asks)
    return one._replace(asks=asks, fits=one.fits and other.fits)
