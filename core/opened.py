"""A workspace that is open: what can be asked of it without writing. The desk is this, and acts.

Everything that is read again with each call and is dear is kept for one reading. Nothing here starts a thread or prints.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from memdesk.core import config as configuration
from memdesk.core import workspace as reading
from memdesk.core.disputed import TRACKED, Disputed
from memdesk.core.errors import GitError, UsageError
from memdesk.core.fork import Beside
from memdesk.core.lean import NamedTuple
from memdesk.core.unmerged import Ancestor

if TYPE_CHECKING:
    from memdesk.core.against import Against
    from memdesk.core.blame import Blame
    from memdesk.core.checks.runner import Report
    from memdesk.core.clock import Clock
    from memdesk.core.config import Settings
    from memdesk.core.drafter import Drafter
    from memdesk.core.git import Git
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.near import Match, Near
    from memdesk.core.packing import Pack
    from memdesk.core.recall import Recall
    from memdesk.core.scoping import Within
    from memdesk.core.timeline import Stage, Use
    from memdesk.core.transaction import Files, Personal, Transactions, Waiter
    from memdesk.core.watch import Watcher

T = TypeVar("T")

CONFIGURATION = (configuration.WORKSPACE_FILE, configuration.PROJECT_FILE)
STEADY = 60  # how often a reading is begun again while one and the same commit is under way: about a third of a second
BUSY = 2000  # and while one commit follows upon another


class Snooze(NamedTuple):
    """A candidate put aside until the morning of `until`, or until its text changes (its id then names nothing)."""

    id: str
    until: date


class Opened(Disputed):
    """A workspace as it was read last; see `refresh`. `workspace` is a value: it is replaced, never changed."""

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
        self._waiter: Waiter | None = None
        self._config = config
        self._user_config = user_config
        self._words: Any = None
        self._folded: Any = None
        self._recalled: Any = None
        self._near: tuple[Workspace, Near] | None = None
        self.workspace: Workspace = self._steady(lambda: reading.open_workspace(reading.work_tree(root, settings), settings))
        self.judged_anew()
        if git is not None:
            self.workspace.beside, self.workspace.ancestor = Beside(git), Ancestor(git)

    @classmethod
    def open(
        cls, start: str, *, clock: Clock, config: str | None = None, user_config: str | None = "", files: Any = None
    ) -> Self:
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

    def drafter(self, environ: Mapping[str, str]) -> Drafter:
        """The command that drafts here, by the settings as they are now. `environ`: memdesk's own environment."""
        from memdesk.core.drafter import Drafter
        from memdesk.core.transaction.files import REAL

        return Drafter(self.root, self.settings, environ, REAL if self._files is None else self._files)

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
        return self.judged_anew() or differs

    def known(self, path: str) -> bool:
        """Whether the reading at hand has what is at a path now, to the byte: then a change of it is none (our own)."""
        if path in CONFIGURATION:
            return configuration.load(self.root, None, self._user_config, self._config).same_files(self.settings)
        if path in TRACKED:
            return not self.judged_anew(look=True)
        return reading.refresh(self.workspace, [path], self.settings) is self.workspace

    def watcher(self, on_notice: Callable[[str], None] | None = None) -> Watcher:
        """A watcher of this workspace's folders; what `refresh` has read already is no change to it."""
        from memdesk.core.watch import Watcher, folders

        polling = bool(os.environ.get("MEMDESK_POLL"))
        files = (*CONFIGURATION, *TRACKED)
        return Watcher(
            self.root, lambda: folders(self.workspace), self.known, files=files, polling=polling, on_notice=on_notice
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
        """The one store, or that at `path`, or what `Workspace.store_name` calls it. Raises UsageError, with the list, for
        none, several or an unknown one."""
        stores = self.workspace.stores
        if not stores:
            raise UsageError(f"There is no store here.{self.workspace.looked_at()}", remedy="Make one: memdesk init.")
        listed = ", ".join(f"{self.workspace.store_name(store)} ({store.layout})" for store in stores)
        if path is None:
            if len(stores) > 1:
                raise UsageError(f"There are several stores: {listed}.", remedy="Say which: --store PATH.")
            return stores[0]
        wanted = os.path.normpath(path).replace(os.sep, "/")
        if os.path.isabs(path):
            wanted = os.path.relpath(os.path.realpath(path), self.root).replace(os.sep, "/")
        found = self.workspace.stores_named(wanted)
        if len(found) > 1:
            ways = " or ".join(f"--store {self.workspace.store_name(store)}" for store in found)
            raise UsageError(f"There are several stores at {path!r}.", remedy=f"Say which: {ways}.")
        if not found:
            raise UsageError(f"There is no store at {path!r}.", remedy=f"The stores are: {listed}.")
        return found[0]

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

        dated = request if request.today else request._replace(today=self.clock.today())
        return packing.pack(self.workspace, self.store(store), dated, standing=self.settings.standing)

    def against(
        self, base: str, head: str | None = None, *, request: LoadRequest | None = None, store: str | None = None,
        stopped: Callable[[], bool] | None = None, called: str = "",
    ) -> Against:
        """What packs gain and lose from a revision to another, or to the working tree as it was read last: those of all tasks,
        or of one request. Raises as `against.against` does, and GitError without a repository."""
        from memdesk.core.against import against

        if self.git is None:
            from memdesk.core.git import astray

            none = GitError("This workspace is not in a git repository: there is nothing to compare with.")
            raise astray(self.root) or none
        return against(
            self.root, self.settings, self.git, base, head, workspace=self.workspace, request=request, store=store,
            today=self.clock.today(), config=self._config, user_config=self._user_config, stopped=stopped,
            called=called,
        )

    def recall(
        self, query: str, *, max_sources: int | None = None, max_chars: int | None = None, store: str | None = None,
        within: Within | None = None,
    ) -> Recall:
        """What one store, or all, say about a query, within the bounds (None: the settings'), to somebody who is at work
        within a feature, task or phase. Raises UsageError."""
        from weakref import WeakKeyDictionary

        from memdesk.core.recall import Bounds, recall
        from memdesk.core.scoping import NOWHERE

        limits, workspace = self.settings.recall, self.workspace
        self._recalled = self._recalled if self._recalled is not None else WeakKeyDictionary()
        bounds = Bounds(
            limits.max_sources if max_sources is None else max_sources,
            limits.max_chars if max_chars is None else max_chars, self.settings.freshness.days,
        )
        chosen = None if store is None else [self.store(store)]
        return recall(
            workspace, query, today=self.clock.today(), bounds=bounds, stores=chosen, standing=self.settings.standing,
            kept=self._recalled, conflicts=self.open_conflicts(store), within=within or NOWHERE,
        )

    def check(
        self, mode: str = "worktree", base: str | None = None, only: Sequence[str] = (), skip: Sequence[str] = (),
        strict: bool = False, store: str | None = None,
    ) -> Report:
        """Runs the rules, over one store or all. `mode`: see `gitdiff.Change`; with "staged" the documents too are those
        of the index. What git cannot do is in `Report.failures`, and the rules that need it fail. Raises UsageError for
        an unknown rule or store, GitError where not even the index can be read.
        """
        from memdesk.core.checks import runner, session

        workspace = self.workspace
        failures: list[str] = []
        if mode == "staged" and self.git is None:
            failures.append("There is no git repository here whose index could be checked.")
        elif mode == "staged" and self.git is not None:
            workspace = reading.open_workspace(self.git.index_tree(self.settings.stores.ignore), self.settings)
        change = session.change_of(mode, base, self.git, failures, session.pathspecs(workspace))
        own = self.store(store) if store is not None else None
        chosen = [one for one in workspace.stores if own is None or (one.path, one.layout) == (own.path, own.layout)]
        return runner.check(
            workspace, change, only=only, skip=skip, strict=strict, today=self.clock.today(), settings=self.settings,
            stores=chosen, failures=failures, git=self.git,
        )

    def timeline(self, entry: Entry, limit: int = 100) -> list[Stage]:
        """The texts that an entry had in its file, newest first, from at most `limit` commits; without git the present
        one. Raises GitError."""
        from memdesk.core.gitversions import versions
        from memdesk.core.timeline import timeline

        return timeline(entry, () if self.git is None else versions(self.git, entry.path, limit))

    def blame(self, entry: Entry, line: int | None = None, stopped: Callable[[], bool] | None = None) -> Blame | None:
        """Who last wrote an entry's first line, or another line of its file; None without git, where the file is another
        one by now, and where `stopped` ended it. Takes as long as the file's history is. Raises GitError."""
        from memdesk.core.blame import blame

        return None if self.git is None else blame(self.git, entry.path, line or entry.line, entry.document.data, stopped)

    def courses(self, path: str, limit: int = 100) -> dict[str, list[Use]]:
        """How a document's use of each of its budgets, by unit, went over git's history, oldest first, the present last.
        Raises GitError."""
        from memdesk.core.gitversions import versions
        from memdesk.core.timeline import courses

        document = self.workspace.documents[path]
        return courses(document, [] if self.git is None else versions(self.git, path, limit))

    def snoozes(self) -> list[Snooze]:
        """What is put aside today, the soonest first."""
        today = self.clock.today()
        found = [Snooze(ident, _day(until)) for ident, until in self._personal.snoozes().items()]
        return sorted((snooze for snooze in found if snooze.until > today), key=lambda snooze: (snooze.until, snooze.id))

    # Below

    @property
    def _personal(self) -> Personal:
        from memdesk.core.transaction.files import REAL
        from memdesk.core.transaction.state import Personal

        return Personal(REAL if self._files is None else self._files, self.state, lambda verb: self.transactions.lock(verb))

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


def _day(text: str) -> date:
    """A date of the personal state; one that someone broke is long past."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min
