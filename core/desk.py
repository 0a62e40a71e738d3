"""The desk: the one thing that the command line and the workbench both hold.

It reads the workspace, plans, commits under the lock and undoes; it draws and prints nothing. Each method says what it
raises; all of it is a MemdeskError. A Desk belongs to one thread at a time: a worker that plans or reads takes its own
turn, and nothing here starts a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.checks.runner import Report
    from memdesk.core.clock import Clock
    from memdesk.core.config import Settings
    from memdesk.core.git import Git
    from memdesk.core.layouts.base import Ask, Destination, LoadRequest
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.near import Match
    from memdesk.core.packing import Pack
    from memdesk.core.plan import Plan, Receipt, Request
    from memdesk.core.transaction import Pending, Recovered, Transaction, Transactions


class Snooze(NamedTuple):
    """A candidate put aside until the morning of `until`, or until its text changes (its id then names nothing)."""

    id: str
    until: date


class Desk:
    """A workspace that is open for work, as it was read last; see `refresh`."""

    root: str
    settings: Settings
    clock: Clock
    git: Git | None
    transactions: Transactions
    workspace: Workspace
    read_only: str | None  # why nothing can be written here, or None

    @classmethod
    def open(
        cls, start: str, *, clock: Clock, config: str | None = None, user_config: str | None = "", files: Any = None
    ) -> Desk:
        """The desk of the workspace that contains `start` (a folder, or a file in it).

        `config`: a settings file instead of the workspace's own; `user_config`: the user's own ("" for the platform's
        place, None for none). Raises UsageError (no such folder), StoreError (settings), GitError.
        """
        raise NotImplementedError

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Reads again (`paths` alone, where the caller knows them) and says whether anything differs."""
        raise NotImplementedError

    def who(self) -> str:
        """The name that goes into the history where nobody gives one: git's user.name, else the login."""
        raise NotImplementedError

    def store(self, path: str | None) -> Store:
        """The one store, or that at `path`. Raises UsageError, with the list, for none, several or an unknown one."""
        raise NotImplementedError

    def candidates(self, snoozed: bool = False) -> list[Entry]:
        """What waits for review, by path and line; with `snoozed` also what is put aside."""
        raise NotImplementedError

    def near(self, entry: Entry) -> list[Match]:
        """What is near an entry, the closest first; at most ten."""
        raise NotImplementedError

    def search(self, text: str) -> list[Entry]:
        """Entries of all stores, struck ones too, that hold every word of `text`: whole-word hits first."""
        raise NotImplementedError

    def destinations(self, ids: Sequence[str]) -> list[Destination]:
        """Where all of these can go. Raises UnknownEntry."""
        raise NotImplementedError

    def asks(self, verb: str, ids: Sequence[str]) -> tuple[Ask, ...]:
        """The fields that a verb's dialog asks for. Raises UnknownEntry, UsageError."""
        raise NotImplementedError

    def plan(self, request: Request) -> Plan:
        """A preview from the current reading; takes no lock, writes nothing. Raises Refused, UnknownEntry, UsageError."""
        raise NotImplementedError

    def commit(self, plan: Plan, who: str) -> Receipt:
        """Applies what a person confirmed, planned anew under the lock from the disk.

        Raises Drifted (with the new plan) when the hunks are no longer those; Refused when it cannot be planned any more
        (the entry is gone); Interrupted, ReadOnly. In all these cases nothing was written.
        """
        raise NotImplementedError

    def perform(self, request: Request, who: str) -> Receipt:
        """Plans under the lock and applies at once, whatever the plan says (`add`, `--yes`)."""
        raise NotImplementedError

    def undo(self, ident: str | None = None) -> Plan:
        """The inverse of a transaction, or of the newest not undone, to be shown and given to `commit`. Raises Refused."""
        raise NotImplementedError

    def history(self) -> list[Transaction]:
        """Transactions, newest first."""
        raise NotImplementedError

    def show(self, ident: str) -> Transaction:
        """One transaction, by id or an unambiguous beginning of it. Raises UsageError."""
        raise NotImplementedError

    def forget_history(self, ident: str) -> None:
        """Takes a transaction, texts and all, out of the history: it can't be undone any more."""
        raise NotImplementedError

    def pending(self) -> list[Pending]:
        """Transactions that were interrupted."""
        raise NotImplementedError

    def recover(self, decide: Callable[[Pending], str] | None = None) -> list[Recovered]:
        """Finishes or takes back what was interrupted; `decide` answers where only a person can. Raises Interrupted."""
        raise NotImplementedError

    def snooze(self, ids: Sequence[str], until: date) -> None:
        """Puts candidates aside. Nothing changes on disk but personal state. Raises UnknownEntry, UsageError (a past date)."""
        raise NotImplementedError

    def unsnooze(self, ids: Sequence[str]) -> None:
        """Brings them back."""
        raise NotImplementedError

    def snoozes(self) -> list[Snooze]:
        """What is put aside today, the soonest first."""
        raise NotImplementedError

    def pack(self, request: LoadRequest, store: str | None = None) -> Pack:
        """What a task loads. Raises UsageError (an unknown task), StoreError (a manifest that cannot be routed)."""
        raise NotImplementedError

    def check(
        self, mode: str = "worktree", base: str | None = None, only: Sequence[str] = (), skip: Sequence[str] = (),
        strict: bool = False,
    ) -> Report:
        """Runs the rules. `mode`: "worktree" (against HEAD), "staged" (index against HEAD; documents come from the index),
        "base" (worktree against `base`) or "none". Raises GitError for an unknown revision, UsageError for an unknown rule."""
        raise NotImplementedError

    def stage(self, idents: Sequence[str] | None = None) -> list[str]:
        """Stages just the paths of these transactions (None: of this session's) and returns them. Raises GitError."""
        raise NotImplementedError

    def commit_git(self, message: str, idents: Sequence[str] | None = None) -> str:
        """Stages and commits just those paths; hooks run. Returns the short hash. Raises GitError with git's words."""
        raise NotImplementedError

    def commit_message(self, idents: Sequence[str] | None = None) -> str:
        """A message made from the verdicts of these transactions (None: of this session's)."""
        raise NotImplementedError
