"""The desk: the one thing that the command line and the workbench both hold.

It reads the workspace, plans, commits under the lock and undoes; it draws and prints nothing. Each method says what it
raises; all of it is a MemdeskError. A Desk belongs to one thread at a time: a worker that plans or reads takes its own
turn, and nothing here starts a thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from memdesk.core import config as configuration
from memdesk.core import workspace as reading
from memdesk.core.errors import GitError, MemdeskError, ReadOnly, Refused, UnknownEntry, UsageError
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.checks.runner import Report
    from memdesk.core.clock import Clock
    from memdesk.core.config import Settings
    from memdesk.core.conflicts import Conflict
    from memdesk.core.gate import Gate
    from memdesk.core.git import Git
    from memdesk.core.layouts.base import Ask, Destination, LoadRequest
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.near import Match, Near
    from memdesk.core.packing import Pack
    from memdesk.core.plan import Plan, Receipt, Request
    from memdesk.core.recall import Recall
    from memdesk.core.timeline import Stage, Use
    from memdesk.core.transaction import Files, Kept, Pending, Personal, Recovered, Transaction, Transactions, Waiter
    from memdesk.core.watch import Watcher

T = TypeVar("T")

CONFIGURATION = (configuration.WORKSPACE_FILE, configuration.PROJECT_FILE)
PATIENT = 60.0  # seconds that a command without a person waits for the lock
STEADY = 60  # how often a reading is begun again while one and the same commit is under way: about a third of a second
BUSY = 2000  # and while one commit follows upon another


class Snooze(NamedTuple):
    """A candidate put aside until the morning of `until`, or until its text changes (its id then names nothing)."""

    id: str
    until: date


class Desk:
    """A workspace that is open for work, as it was read last; see `refresh`.

    `workspace` is a value: it is replaced, never changed. `session` holds the ids of what this desk committed, oldest first.
    """

    def __init__(
        self, root: str, settings: Settings, clock: Clock, git: Git | None, state: str, *, files: Files | None = None,
        config: str | None = None, user_config: str | None = None,
    ) -> None:
        self.root = root
        self.settings = settings
        self.clock = clock
        self.git = git
        self.state = state  # the folder of the transactions and of personal state
        self._files = files
        self.session: list[str] = []
        self._waiter: Waiter | None = None
        self._config = config
        self._user_config = user_config
        self._words: Any = None
        self._folded: Any = None
        self._recalled: Any = None
        self._near: tuple[Workspace, Near] | None = None
        self._conflicts: tuple[Workspace, list[Conflict]] | None = None
        self.workspace: Workspace = self._steady(lambda: reading.open_workspace(reading.work_tree(root, settings), settings))

    @classmethod
    def open(
        cls, start: str, *, clock: Clock, config: str | None = None, user_config: str | None = "", files: Any = None
    ) -> Desk:
        """The desk of the workspace that contains `start` (a folder, or a file in it).

        `config`: a settings file instead of the workspace's own; `user_config`: the user's own ("" for the platform's
        place, None for none); `files`: the door to the disk, for tests. Raises UsageError (no such folder), StoreError
        (settings).
        """
        from memdesk.core.git import discover
        from memdesk.core.transaction.state import state_dir

        root = reading.find_root(start)
        user = configuration.user_path() if user_config == "" else user_config
        settings = configuration.load(root, None, user, config)
        git = discover(root)
        state = state_dir(root, None if git is None else git.git_dir, settings)
        return cls(root, settings, clock, git, state, files=files, config=config, user_config=user)

    @cached_property
    def transactions(self) -> Transactions:
        """What writes and undoes; made when it is first asked for, since the first screen needs none of it."""
        from memdesk.core.transaction import REAL, Transactions

        git = self.git
        made = Transactions(
            self.root, self.state, files=REAL if self._files is None else self._files, clock=self.clock,
            head=lambda: None if git is None else git.head,
        )
        made.waiter = self._waiter
        return made

    def wait_with(self, waiter: Waiter) -> None:
        """Tells a front end of every wait for the lock, so that a person can call it off."""
        self._waiter = waiter
        if "transactions" in self.__dict__:
            self.transactions.waiter = waiter

    # Reading

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Reads again (`paths` alone, where the caller knows them all) and says whether anything differs.

        Raises StoreError for settings that became unreadable; the old reading then stays.
        """
        changed = None if paths is None else set(paths)
        settings = self.settings
        if changed is None or not changed.isdisjoint(CONFIGURATION):
            read = configuration.load(self.root, None, self._user_config, self._config)
            settings = settings if read.same_files(settings) else read
        new = self._steady(lambda: reading.refresh(self.workspace, changed, settings))
        differs = new is not self.workspace or settings is not self.settings
        self.settings, self.workspace = settings, new
        return differs

    def known(self, path: str) -> bool:
        """Whether the reading at hand has what is at a path now, to the byte: then a change of it is none (our own)."""
        if path in CONFIGURATION:
            return configuration.load(self.root, None, self._user_config, self._config).same_files(self.settings)
        return reading.refresh(self.workspace, [path], self.settings) is self.workspace

    def watcher(self, on_notice: Callable[[str], None] | None = None) -> Watcher:
        """A watcher of this workspace's folders; what `refresh` has read already is no change to it."""
        from memdesk.core.watch import Watcher, folders

        polling = bool(os.environ.get("MEMDESK_POLL"))
        return Watcher(
            self.root, lambda: folders(self.workspace), self.known, files=CONFIGURATION, polling=polling, on_notice=on_notice
        )

    @property
    def read_only(self) -> str | None:
        """Why nothing can be written here, or None. Single stores and files may still refuse (`Store.read_only`)."""
        why = self.transactions.read_only()
        if why is None and self.git is not None and not os.path.isfile(os.path.join(self.git.git_dir, "HEAD")):
            # Our state is kept in there: writing it would make a folder that git then takes for no repository at all.
            why = f"git's own folder, {self.git.git_dir}, is not there any more. Bring it back, or open memdesk again."
        for store in () if why else self.workspace.stores:
            place = os.path.join(self.root, store.path)
            if os.path.isdir(place) and not os.access(place, os.W_OK):
                return f"{store.path} cannot be written to (its permissions, or a read-only mount)."
        return why

    def who(self) -> str:
        """The name that goes into the history where nobody gives one: git's user.name, else the login."""
        name = None
        if self.git is not None:
            with suppress(GitError):  # not installed, or it refuses this folder: no reason not to write
                name = self.git.user()
        if name is None:
            import getpass

            try:
                name = getpass.getuser()
            except (OSError, KeyError, ImportError):
                name = "unknown"
        return name

    def store(self, path: str | None) -> Store:
        """The one store, or that at `path`. Raises UsageError, with the list, for none, several or an unknown one."""
        stores = self.workspace.stores
        if not stores:
            raise UsageError(f"There is no store here.{self.workspace.looked_at()}", remedy="Make one: memdesk init.")
        listed = ", ".join(f"{store.path} ({store.layout})" for store in stores)
        if path is None:
            if len(stores) > 1:
                raise UsageError(f"There are several stores: {listed}.", remedy="Say which: --store PATH.")
            return stores[0]
        wanted = os.path.normpath(path).replace(os.sep, "/")
        if os.path.isabs(path):
            wanted = os.path.relpath(os.path.realpath(path), self.root).replace(os.sep, "/")
        for store in stores:
            if wanted in (store.path, store.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")):
                return store
        raise UsageError(f"There is no store at {path!r}.", remedy=f"The stores are: {listed}.")

    def candidates(self, snoozed: bool = False) -> list[Entry]:
        """What waits for review, by path and line; with `snoozed` also what is put aside."""
        found = self.workspace.candidates()
        asleep = set() if snoozed else {snooze.id for snooze in self.snoozes()}
        return [entry for entry in found if entry.id not in asleep] if asleep else found

    def near(self, entry: Entry) -> list[Match]:
        """What is near an entry, the closest first; at most ten."""
        from weakref import WeakKeyDictionary

        from memdesk.core.near import Near

        if self._near is None or self._near[0] is not self.workspace:
            self._words = self._words if self._words is not None else WeakKeyDictionary()
            self._near = (self.workspace, Near(self.workspace, self._words))
        return self._near[1].near(entry)

    def search(self, text: str) -> list[Entry]:
        """Entries of all stores, struck ones too, that hold every word of `text`: whole-word hits first."""
        from weakref import WeakKeyDictionary

        from memdesk.core.search import search

        self._folded = self._folded if self._folded is not None else WeakKeyDictionary()
        return search(self.workspace, text, self._folded)

    def pack(self, request: LoadRequest, store: str | None = None) -> Pack:
        """What a task loads. Raises UsageError (an unknown task), StoreError (a manifest that cannot be routed)."""
        from memdesk.core import packing

        return packing.pack(self.workspace, self.store(store), request, standing=self.settings.standing)

    def recall(
        self, query: str, *, max_sources: int | None = None, max_chars: int | None = None, store: str | None = None
    ) -> Recall:
        """What one store, or all, say about a query, within the bounds (None: the settings'). Raises UsageError."""
        from weakref import WeakKeyDictionary

        from memdesk.core.recall import Bounds, recall

        limits, workspace = self.settings.recall, self.workspace
        self._recalled = self._recalled if self._recalled is not None else WeakKeyDictionary()
        bounds = Bounds(
            limits.max_sources if max_sources is None else max_sources,
            limits.max_chars if max_chars is None else max_chars, self.settings.freshness.days,
        )
        chosen = None if store is None else [self.store(store)]
        return recall(
            workspace, query, today=self.clock.today(), bounds=bounds, stores=chosen, standing=self.settings.standing,
            kept=self._recalled, conflicts=self.conflicts(store),
        )

    def conflicts(self, store: str | None = None) -> list[Conflict]:
        """Entries of one store, or of all, that cannot all be current. Raises UsageError."""
        from memdesk.core.conflicts import find

        if store is not None:
            return find(self.workspace, [self.store(store)])
        if self._conflicts is None or self._conflicts[0] is not self.workspace:
            self._conflicts = (self.workspace, find(self.workspace))
        return self._conflicts[1]

    def check(
        self, mode: str = "worktree", base: str | None = None, only: Sequence[str] = (), skip: Sequence[str] = (),
        strict: bool = False, store: str | None = None,
    ) -> Report:
        """Runs the rules, over one store or all. `mode`: see `gitdiff.Change`; with "staged" the documents too are those
        of the index. What git cannot do is in `Report.failures`, and the rules that need it fail. Raises UsageError for
        an unknown rule or store, GitError where not even the index can be read.
        """
        from memdesk.core.checks import runner, session
        from memdesk.core.gitdiff import Change

        workspace = self.workspace
        failures: list[str] = []
        skipped: str | None = None
        change: Change | None = None
        if mode == "none":
            skipped = "not asked for (--no-diff)"
        elif self.git is None:
            skipped = "this is no git repository"
            if mode != "worktree":
                skipped = "There is no git repository here to compare with."
                failures.append(skipped)
        else:
            if mode == "staged":
                workspace = reading.open_workspace(self.git.index_tree(self.settings.stores.ignore), self.settings)
            try:
                change = self.git.changes(mode, base, session.pathspecs(workspace))
            except GitError as error:
                skipped = str(error)
                failures.append(skipped)
        change = change or Change(mode, base, skipped=skipped)
        chosen = self.store(store).path if store is not None else None
        return runner.check(
            workspace, change, only=only, skip=skip, strict=strict, today=self.clock.today(), settings=self.settings,
            stores=[one for one in workspace.stores if chosen in (None, one.path)], failures=failures,
        )

    def timeline(self, entry: Entry, limit: int = 100) -> list[Stage]:
        """The texts that an entry had in its file, newest first, from at most `limit` commits; without git the present
        one. Raises GitError."""
        from memdesk.core.timeline import timeline

        return timeline(entry, () if self.git is None else self.git.versions(entry.path, limit))

    def courses(self, path: str, limit: int = 100) -> dict[str, list[Use]]:
        """How a document's use of each of its budgets, by unit, went over git's history, oldest first, the present last.
        Raises GitError."""
        from memdesk.core.timeline import courses

        document = self.workspace.documents[path]
        return courses(document, [] if self.git is None else self.git.versions(path, limit))

    # Acting

    def destinations(self, ids: Sequence[str]) -> list[Destination]:
        """Where all of these can go, in the first one's order; a default is proposed where it is that of all, so that no
        entry's reason goes to another. Raises UnknownEntry."""
        from memdesk.core import layouts

        common: list[Destination] | None = None
        for entry in self._entries(ids):
            store = entry.document.store
            found = layouts.get(store.layout).destinations(self.workspace, store, entry)
            others = {destination.id: destination for destination in found}
            common = found if common is None else [_agreed(one, others[one.id]) for one in common if one.id in others]
        return common or []

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
            for ask in layout.asks(store, verb, entry):
                known = asks.get(ask.field)
                asks[ask.field] = ask if known is None or (ask.required and not known.required) else known
        return tuple(asks.values())

    def plan(self, request: Request) -> Plan:
        """A preview from the current reading; takes no lock, writes nothing. Raises Refused, UnknownEntry, UsageError."""
        from memdesk.core import actions
        from memdesk.core.drift import unread

        try:
            return actions.plan(self.workspace, request, self.clock.today())
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
            return self._apply(lambda: self.undo(undoes), plan, who)
        return self._apply(lambda: self._planned(plan.request), plan, who)

    def perform(self, request: Request, who: str) -> Receipt:
        """Plans under the lock and applies at once, whatever the plan says (`add`, `--yes`). Raises as `commit` does.

        Nobody sits before a screen: it waits longer for the lock than `commit` does, so that many may come at once."""
        return self._apply(lambda: self._planned(request), None, who, PATIENT)

    def undo(self, ident: str | None = None) -> Plan:
        """The inverse of a transaction, or of the newest in effect, to be shown and given to `commit`. Raises Refused
        (its own spans or what stood around them changed since), UsageError (an unknown id)."""
        from memdesk.core.undoing import intact, noted

        note = noted(self.workspace, self.clock.today())
        return self.transactions.undo_plan(ident, note, intact(self.workspace))

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

    def snoozes(self) -> list[Snooze]:
        """What is put aside today, the soonest first."""
        today = self.clock.today()
        found = [Snooze(ident, _day(until)) for ident, until in self._personal.snoozes().items()]
        return sorted((snooze for snooze in found if snooze.until > today), key=lambda snooze: (snooze.until, snooze.id))

    def stage(self, idents: Sequence[str] | None = None) -> list[str]:
        """Stages just the paths of these transactions (None: of this session's) and returns those that differ from HEAD.
        Raises GitError."""
        return self._repository().stage(self._paths(idents))

    def touched(self) -> list[str]:
        """The files of this session's transactions, as `stage` and `commit_git` take them."""
        return self._paths(None)

    def commit_git(self, message: str, idents: Sequence[str] | None = None) -> str:
        """Stages and commits just those paths; hooks run. Returns the short hash. Raises GitError with git's words.
        What is committed is no longer this session's."""
        chosen = self._chosen(idents)
        done = self._repository().commit(self._paths(idents), message)
        self.session = [ident for ident in self.session if ident not in chosen]
        return done

    def commit_message(self, idents: Sequence[str] | None = None) -> str:
        """A message made from the verdicts of these transactions (None: of this session's) that are in effect: one line
        that sums them up, and where there are several a line for each, oldest first. Values that look secret are masked."""
        from memdesk.core.verdicts import in_effect, message

        return message(in_effect(self.transactions.history(), self._chosen(idents)))

    # Below

    def _apply(self, replan: Callable[[], Plan], confirmed: Plan | None, who: str, wait: float = 10.0) -> Receipt:
        self._writable()
        receipt = self.transactions.apply(replan, confirmed, who, wait)
        if receipt.id is not None:
            self.session.append(receipt.id)
            self.refresh(receipt.plan.paths)
        return receipt

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

    @property
    def _personal(self) -> Personal:
        from memdesk.core.transaction.files import REAL
        from memdesk.core.transaction.state import Personal

        return Personal(REAL if self._files is None else self._files, self.state, lambda verb: self.transactions.lock(verb))

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
        return sorted({os.path.relpath(os.path.realpath(os.path.join(self.root, path)), self.root) for path in paths})

    def _steady(self, read: Callable[[], T]) -> T:
        """What `read` gives, read again where a commit came between: never half of one. Of an interrupted transaction it
        is what is there; `pending` tells."""
        from time import sleep

        from memdesk.core.transaction.state import generation

        last, same = "", 0
        for _ in range(BUSY):
            before = generation(self.state)
            if not before.endswith("+"):
                value = read()
                if generation(self.state) == before:
                    return value
                continue
            same = same + 1 if before == last else 0
            if same == STEADY:
                break
            last = before
            sleep(0.005)
        return read()


def _agreed(one: Destination, other: Destination) -> Destination:
    """A destination whose fields propose only what both entries have."""
    defaults = {ask.field: ask.default for ask in other.asks}
    asks = tuple(ask if defaults.get(ask.field) == ask.default else ask._replace(default="") for ask in one.asks)
    return one._replace(asks=asks)


def _day(text: str) -> date:
    """A date of the personal state; one that someone broke is long past."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min
