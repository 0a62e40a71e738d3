"""Requests and plans: what a person asks for, and the exact edits that it would make.

A Request is a value, so that a plan can be made anew under the lock from the same words (invariant 6). A Plan holds the
bytes before and after of each file; it touches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

YES = "yes"  # a word or an answer that says so


class Request(NamedTuple):
    """A verb with its entries and the words that a person gave.

    Verbs: add, promote, strike, reject, merge, edit, archive, forget, init, dismiss, resolve, renumber, correct, reindex,
    clear, and of prune sessions prune, refuse, session (snooze is state).
    `ids` are entry ids. `words` by verb, all optional unless a layout asks:
      add: text kind tag reason source area; of a record: context options consequences supersedes; of a term: avoid
      promote: to title reason scope tag area source text date reconsider section (text: the body as the person edited it;
        of a lesson: when fixed signals; of a new file that an index names: owns when_read; of a figure: observed;
        of a record: context options consequences supersedes status, and its three tests: lasts surprises traded; of a term:
        avoid; of a new design note: design; of a fact: description type tags owner review_by fact (its name))
      strike: with reason tag source title; of a record: context options consequences
      reject: reason tombstone ("yes") scope reconsider title
      merge: into text (the merged entry)      edit: text change ("wording" or "meaning")
      archive: -      forget: topic mode confirmed ("yes" after the second question)
      init: layout path agents git ("yes" or "only": git's merge driver)      dismiss: reason by (the id is a conflict's)
      renumber: to (a number; the next free one without it)      correct: with reason description source
      reindex: -      clear: paths (one a line)
      prune, which accepts proposals: as `prune.share.words` has them      refuse: reason by (the ids of both are proposals',
        and these are in `parts`)      session: as `prune.ending.request` has them (the id is the session's)
      compact: as `compacting.planning.request` has them
      resolve: 1 2 ... ("ours", "theirs", "both", "edited"), text1 text2 ... of (the id is a path; see `resolving.Marked`)
    `answers` to a plan's questions and stops, by their key.
    """

    verb: str
    ids: tuple[str, ...] = ()
    words: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}
    store: str | None = None
    person: bool = False  # a person at a terminal confirms; only then may `stated` be set
    at: str = ""  # the local time at which it was planned first, HH:MM, which logs keep; the desk fills it in
    stamp: str = ""  # and the same in UTC, as `Clock.stamp` gives it, which front matter and names of files keep
    parts: tuple[Part, ...] = ()  # of a prune session: the proposals that it is about


class Part(NamedTuple):
    """A proposal that a verdict is about: its id and kind, whether structure alone says so, its title (masked), the ids of all
    entries that it is about (they must be there as they were), and the ordinary request that accepting it carries out."""

    proposal: str
    kind: str
    exact: bool
    title: str
    entries: tuple[str, ...]
    request: Request


class Step(NamedTuple):
    """One change of one path. `kind`: "replace", "create", "delete" or "mkdir"; a move is create and delete."""

    kind: str
    path: str
    before: bytes | None = None
    after: bytes | None = None
    mode: int | None = None


class BudgetChange(NamedTuple):
    """A meter before and after a plan, in `unit`."""

    path: str
    unit: str
    before: int
    after: int
    cap: int | None


class Question(NamedTuple):
    """Something that the person answers before the plan can be applied: `choices` are (value, label)."""

    key: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()


class Plan(NamedTuple):
    """The exact edits of one action. Equal requests on equal bytes give equal plans, to the byte.

    `reads` are digests of everything else that it was made from: a manifest, a folder's names, an absence (None).
    `warnings` do not stop it; `questions` unanswered do (Desk refuses, the dialog asks).
    """

    request: Request
    summary: str  # "Promoted "Title" from inbox.md to decisions.md."
    label: str  # the button: "Promote to decisions.md · 640 → 671 of 800 tokens · inbox 12 → 11"
    steps: tuple[Step, ...]
    reads: Mapping[str, str | None] = {}
    budgets: tuple[BudgetChange, ...] = ()
    warnings: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    new_ids: tuple[str, ...] = ()
    undoes: str | None = None  # the transaction that this one takes back
    log_only: frozenset[str] = frozenset()  # append-only paths: undo adds a line there instead
    details: Mapping[str, Any] = {}  # what a verb knows besides: `compact` its "account"

    @property
    def paths(self) -> list[str]:
        return [step.path for step in self.steps if step.kind != "mkdir"]

    def hunks(self) -> tuple[tuple[str, str], ...]:
        """(path, unified diff without line numbers and context): what a person confirmed, compared again under the lock."""
        from memdesk.core.diff import hunks

        return tuple((step.path, hunks(step.before, step.after)) for step in self.steps if step.kind != "mkdir")

    def diffs(self) -> list[tuple[str, str]]:
        """(path, unified diff) for each file, exact, with `\\ No newline at end of file` where that is so."""
        from memdesk.core.diff import unified

        return [(step.path, unified(step.path, step.before, step.after)) for step in self.steps if step.kind != "mkdir"]


class Drifted(Refused):
    """The files changed since the plan was confirmed, and its hunks with them; `plan` is the new one to look at."""

    def __init__(self, message: str, plan: Plan) -> None:
        super().__init__(message, remedy="Look at the new diff and confirm it.")
        self.plan = plan


class Receipt(NamedTuple):
    """A committed plan: the transaction's id (None where nothing had to be written) and what came of it."""

    id: str | None
    plan: Plan
