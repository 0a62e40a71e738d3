"""The door of the transaction layer: apply a plan, recover, list and undo what was done."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime

from memdesk.core.clock import Clock
from memdesk.core.errors import Interrupted, MemdeskError, Refused, StoreError
from memdesk.core.lean import NamedTuple
from memdesk.core.plan import Drifted, Plan, Receipt
from memdesk.core.transaction import identifiers, lock, recovery, signals, state, targets, undo
from memdesk.core.transaction.commit import Commit
from memdesk.core.transaction.files import REAL, Files
from memdesk.core.transaction.ground import GENERATION, Ground
from memdesk.core.transaction.history import History, Transaction
from memdesk.core.transaction.journal import Change, Journal
from memdesk.core.transaction.kept import Kept
from memdesk.core.transaction.problems import AS_BEFORE, Foreign, failure
from memdesk.core.transaction.recovery import Decide, Pending, Recovered

Around = Callable[[Plan], contextlib.AbstractContextManager[None]]
TRIES = 5  # how often a plan is made anew when its files change while it is being made or applied
PURGED_LINE = 16  # characters from which a removed line is telling enough to be purged from the history by itself


class KeptText(NamedTuple):
    """A text of someone else, and what it changed, as a unified diff."""

    data: bytes
    diff: str


class Effect(NamedTuple):
    """A transaction that was about `ids`; `holds`: it was committed and is not undone."""

    id: str
    verb: str
    ids: tuple[str, ...]
    holds: bool


class Transactions:
    """The transactions of one workspace: `root`, and its state folder (see `state.state_dir`).

    `head` gives git's HEAD, or None. Nothing is made on disk before the first write. For one thread at a time.
    """

    def __init__(
        self, root: str, state: str, *, files: Files = REAL, clock: Clock, head: Callable[[], str | None] = lambda: None
    ) -> None:
        self.ground = Ground(files, files.resolve(root), files.resolve(state))
        self.clock = clock
        self._head = head
        self._history = History(self.ground)
        self._checked: dict[tuple[str, bool, tuple[str | None, ...]], str | None] = {}
        self.waiter: lock.Waiter | None = None  # told of a wait for the lock, and asked whether to give up

    def apply(
        self, replan: Callable[[], Plan], confirmed: Plan | None, who: str, wait: float = 10.0, around: Around | None = None
    ) -> Receipt:
        """Applies the plan that `replan` makes from a fresh reading of the disk, under the lock, all or nothing.

        `confirmed`: what a person saw; its hunks must be those of the new plan. `wait`: seconds for the lock. `around`: entered
        under the lock while the plan is written; what it raises before refuses it. An interrupted transaction is recovered
        first. A plan without steps gives Receipt(None, plan).

        Raises Drifted (with the new plan), Refused (a target that isn't written to, or whatever `replan` raises),
        Busy, Interrupted (recovery needs a person), WriteFailed (the disk). In all these cases the store is as before.
        """
        verb = confirmed.request.verb if confirmed is not None else "write"
        with self.lock(verb, wait):
            for item in self._recover(None):
                if item.person:
                    left = item.outcome == "left"
                    raise Interrupted(
                        f'"{item.summary or item.id}" had been interrupted. {item.message} Nothing new was written.',
                        remedy="Settle it with memdesk recover." if left else "Its texts are in the history; then try again.",
                    )
            for _ in range(TRIES):
                plan = replan()
                if confirmed is not None and plan.steps != confirmed.steps and plan.hunks() != confirmed.hunks():
                    raise Drifted("The files changed since you confirmed, and so does what would be written.", plan)
                try:
                    with contextlib.nullcontext() if around is None else around(plan):
                        return self._write(plan, who)
                except Foreign as error:
                    path = error.path
            raise Refused(
                "Someone else keeps changing this file; nothing was written.", path=path, remedy="Try again in a moment."
            )

    def pending(self) -> list[Pending]:
        """Transactions that were interrupted, or that another memdesk is carrying out just now. Takes no lock."""
        with self._explained("read"):
            return recovery.pending(self.ground, self._head)

    def recover(self, decide: Decide | None = None, wait: float = 10.0) -> list[Recovered]:
        """Finishes or takes back what was interrupted. `decide` is asked where only a person can, and answers with one of
        `Pending.choices`; without it such transactions are left. Raises Busy, WriteFailed."""
        if not state.interrupted(self.ground.state) and not self.ground.names(self.ground.transactions):
            return []
        with self.lock("recover", wait):
            return self._recover(decide)

    def history(self, intact: undo.Intact | None = None) -> list[Transaction]:
        """All that is kept, newest first. `intact` as for `undo_plan`, so that both say the same."""
        with self._explained("read"):
            found = []
            digests: dict[str, str | None] = {}
            judge = None if intact is None else undo.quick(intact)
            for position, past in enumerate(self._history.past()):
                reason = undo.obstacle(past)
                if reason is None and past.journal is not None and position < undo.CHECKED:
                    reason = self._since(past.journal, digests, judge)
                header = past.journal or Journal(past.id, "", "", "", "An entry that cannot be read")
                found.append(Transaction(
                    past.id, header.at, header.by, header.verb, header.summary, tuple(header.paths), reason is None, reason,
                    header.undoes, past.outcome, header.new_ids, past.kept,
                ))
            return found

    def effects(self, verbs: Collection[str]) -> list[Effect]:
        """The transactions of some verbs, newest first, with what they were about and whether they are in effect now."""
        with self._explained("read"):
            return [
                Effect(past.id, past.journal.verb, past.journal.ids, past.outcome == "committed" and past.undone_by is None)
                for past in self._history.past() if past.journal is not None and past.journal.verb in verbs
            ]

    def newest(self) -> str:
        """The id of the newest transaction that the history keeps; "" for none. Every later one sorts after it."""
        with self._explained("read"):
            return max(self._history.ids(), default="")

    def find(self, ident: str) -> Transaction:
        """One by its id or an unambiguous beginning. Raises UsageError."""
        full = self._history.find(ident)
        return next(item for item in self.history() if item.id == full)

    def diffs(self, ident: str) -> list[tuple[str, str]]:
        """(path, unified diff) of each of its files, exact; empty diffs where a purge took the texts."""
        from memdesk.core.diff import unified

        with self._explained("read"):
            journal = self._history.journal(self._history.find(ident))
            return [(item.path, unified(item.path, item.before, item.after)) for item in journal.changes]

    def kept(self) -> list[Kept]:
        """Texts of others that the history keeps: what was written late to a file that a commit had taken out."""
        with self._explained("read"):
            return self._history.kept()

    def kept_file(self, item: Kept) -> str:
        """The absolute path at which one of them lies."""
        return f"{self.ground.history}/{item.id}/{item.name}"

    def kept_text(self, item: Kept) -> KeptText:
        """The bytes of one, and its diff against what the file was before the commit (after a purge: against nothing).
        Raises StoreError where it is gone meanwhile."""
        from memdesk.core.diff import unified

        with self._explained("read"):
            data = self._history.kept_text(item)
            if data is None:
                raise StoreError(f"Transaction {item.id} keeps no {item.name} any more.")
            changes = self._history.journal(item.id).changes
            before = next((change.before for change in changes if change.path == item.path), None)
            return KeptText(data, unified(item.path, before, data))

    def undo_plan(
        self, ident: str | None = None, note: undo.Note | None = None, intact: undo.Intact | None = None
    ) -> Plan:
        """The inverse of a transaction (None: the newest in effect that is no undo itself) on the files as they are now.

        `note` writes a line into an append-only log in its layout's form; `intact` reads the result again. Give the plan to
        `apply`, with this very call as `replan`. Raises Refused, UsageError.
        """
        with self._explained("read"):
            return undo.plan(self._history, ident, self.clock.today().isoformat(), note, intact)

    def forget(self, ident: str) -> None:
        """Takes a transaction, texts and all, out of the history; it can't be undone any more. Raises UsageError."""
        full = self._history.find(ident)
        with self.lock("forget"), self._explained():
            self._history.forget(full)

    def purge(self, texts: Sequence[str]) -> int:
        """Clears from the state whatever holds one of the texts, case aside; returns how many transactions it cleared."""
        with self.lock("purge"), self._explained():
            count = self._history.purge(texts)
            self.personal.purge(texts)
            return count

    def generation(self) -> str:
        """Equal before and after a reading: no commit came between. Ends in "+" while one is under way."""
        with self._explained("read"):
            data = self.ground.read(f"{self.ground.transactions}/{GENERATION}") or b"0"
            return data.decode("ascii", "replace") + ("+" if self.ground.prepared() else "")

    def read_only(self) -> str | None:
        """Why nothing can be written here, or None. Looks at permissions; writes nothing."""
        files, folder = self.ground.files, self.ground.state
        path = self.ground.root
        try:
            if files.stat(path) is None:
                return f"{path} is not there any more."
            if not files.writable(path):
                return f"{path} cannot be written to (its permissions, or a read-only mount)."
            while folder != "/" and files.stat(path := folder) is None:
                folder = os.path.dirname(folder)
        except OSError as error:
            return f"{path} cannot be looked at: {error.strerror or error}."
        if files.writable(folder):
            return None
        what = f"{self.ground.state}, where memdesk keeps its journal," if folder == self.ground.state else folder
        return (
            f"{what} cannot be written to (its permissions, or a read-only mount). Make it writable, or set state.dir to "
            "a folder of the workspace."
        )

    def holder(self) -> lock.Holder | None:
        """Who writes just now, for people; None where nobody says so."""
        return lock.holder(self.ground.state)

    @property
    def personal(self) -> state.Personal:
        """Snoozes and session cursors."""
        return state.Personal(self.ground.files, self.ground.state, self.lock)

    @contextlib.contextmanager
    def lock(self, verb: str, wait: float = 10.0) -> Iterator[None]:
        """The workspace's writer's lock. Raises Busy, Cancelled, WriteFailed."""
        with self._explained():
            self.ground.open()
        with lock.locked(self.ground.files, self.ground.state, verb, self.clock.stamp(), wait, self.waiter):
            yield

    def _recover(self, decide: Decide | None) -> list[Recovered]:
        try:
            with signals.held():
                done = recovery.recover(self.ground, self._head, decide)
                self._history.finish_purges(self.personal.purge)
                return done
        except OSError as error:
            if not state.interrupted(self.ground.state):
                raise failure(error, self._relative(error.filename), "Nothing was written.") from error
            problem = failure(error, self._relative(error.filename), "An interrupted transaction could not be recovered.")
            raise Interrupted(str(problem), remedy="Then run memdesk recover.") from error

    def _write(self, plan: Plan, who: str) -> Receipt:
        """Raises Foreign when someone else was quicker; the store is then as they left it."""
        with self._explained():
            changes, made = targets.changes(self.ground, plan)
            targets.compare(self.ground, plan.reads)
            if not changes and not made:
                return Receipt(None, plan)
            journal = self._journal(plan, who, changes, made)
        commit = Commit(self.ground, journal)
        with signals.held():
            try:
                commit.prepare()
            except OSError as error:
                raise failure(error, self._relative(error.filename) or plan.paths[0]) from error
            try:
                commit.carry_out()
                commit.close()
            except (OSError, Foreign) as error:
                self._take_back(commit, error)
            except BaseException:
                self._take_back(commit, None)
                raise
            with contextlib.suppress(OSError):
                self._history.finish_purges(self.personal.purge)
                self._history.tidy(self._now())
        return Receipt(journal.id, plan)

    def _take_back(self, commit: Commit, error: OSError | Foreign | None) -> None:
        """Brings everything back and raises what fits; without an error it only brings back."""
        try:
            foreign = commit.roll_back()
            changed = [path for path in foreign if path in commit.written]
            kept = commit.strangers()
            # Someone else's text that never gave way to ours is where it was; only what came after ours needs a record.
            if changed or kept:
                names = ", ".join(dict.fromkeys((*changed, *kept)))
                message = f"{names} was changed by someone else while it was being written; the other files are as before."
                commit.close(recovery.outcome("restored", message, tuple(foreign)))
            else:
                commit.discard()
        except OSError as second:
            cause = error if isinstance(error, OSError) else second
            path = self._relative(second.filename) or commit.journal.paths[0]
            why = failure(cause, path, "What had been written could not be taken back just now; its journal is kept.")
            raise Interrupted(str(why), remedy="Then run memdesk recover.") from second
        if isinstance(error, Foreign):
            raise error
        if isinstance(error, OSError):
            raise failure(error, self._relative(error.filename) or commit.journal.paths[0]) from error

    def _journal(self, plan: Plan, who: str, changes: list[Change], made: list[str]) -> Journal:
        unmade: tuple[str, ...] = ()
        if plan.undoes is not None:
            with contextlib.suppress(MemdeskError):
                unmade = self._history.journal(plan.undoes).made
        there = tuple(name for name in unmade if self.ground.files.stat(self.ground.target(name)) is not None)
        stamp = self.clock.stamp()
        ident = identifiers.new(stamp, self._history.ids() + self.ground.prepared())
        request = plan.request
        purges: tuple[str, ...] = ()
        if request.verb == "forget" and request.words.get("mode") == "purge":
            purges = (request.words.get("topic", ""), *_removed(changes))
        return Journal(
            ident, stamp, who, request.verb, plan.summary, request.ids, plan.new_ids, self._head(), plan.undoes,
            tuple(sorted(plan.log_only)), tuple(made), there, tuple(changes), purges,
        )

    def _since(self, journal: Journal, digests: dict[str, str | None], intact: undo.Intact | None) -> str | None:
        """`undo.changed_since`, remembered for as long as the files stay what they are. `digests`: of this listing's files."""
        for item in journal.changes:
            if item.real not in digests:
                digests[item.real] = targets.digest_at(self.ground, item.real)
        now = [digests[item.real] for item in journal.changes]
        if now == [item.after_digest for item in journal.changes]:
            return None
        key = (journal.id, intact is not None, tuple(now))
        if key not in self._checked:
            if len(self._checked) > 2000:
                self._checked.clear()
            try:
                self._checked[key] = undo.changed_since(self.ground, self._history.journal(journal.id), intact)
            except MemdeskError as error:
                self._checked[key] = str(error)
        return self._checked[key]

    def _now(self) -> datetime:
        return datetime.strptime(self.clock.stamp(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)

    @contextlib.contextmanager
    def _explained(self, doing: str = "written") -> Iterator[None]:
        """OSErrors of the block as errors for people. `doing`: "written" or "read"."""
        try:
            yield
        except OSError as error:
            raise failure(error, self._relative(error.filename), AS_BEFORE if doing == "written" else "", doing) from error

    def _relative(self, path: object) -> str | None:
        name = os.fsdecode(path) if isinstance(path, str | bytes) else None
        if name is None or not name.startswith(self.ground.root + "/"):
            return name
        return name[len(self.ground.root) + 1 :]


def _removed(changes: list[Change]) -> list[str]:
    """Lines that a purge takes out and that stand nowhere in what it leaves."""
    left = {line.strip() for item in changes for line in (item.after or b"").decode("utf-8", "replace").split("\n")}
    gone = [line.strip() for item in changes for line in (item.before or b"").decode("utf-8", "replace").split("\n")]
    return list(dict.fromkeys(line for line in gone if len(line) >= PURGED_LINE and line not in left))
