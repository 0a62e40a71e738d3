"""What a rule of the check is, what it is given, and what it hands back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Document, Entry, Finding

if TYPE_CHECKING:
    from datetime import date
    from typing import Any

    from memdesk.core.config import Settings
    from memdesk.core.git import Change, Git
    from memdesk.core.model import Store, Workspace


class Checked(NamedTuple):
    """What a rule found in one store. `checked` counts what it looked at, in its rule's unit: a pass over nothing says 0.

    `skipped` says why it could not look at all (its status is then "skip", or "fail" where `failed`: it had to, and
    something did not work), never that it found nothing. `also` is more that it counted, for its line of the report.
    """

    checked: int
    findings: Sequence[Finding] = ()
    skipped: str | None = None
    also: str = ""
    failed: bool = False


class Rule(NamedTuple):
    """One rule. `severity` is the strongest that it reports; single findings may be milder.

    `title` completes "reports ..."; `remedy` says what a person does about it. `unit` names what `run` counts, in the
    plural ("files", "entries"). `layout` is "" for a rule that every layout gets. `of_change`: it reports what a change does,
    which nobody finds any more once that is committed.
    """

    name: str
    severity: str
    title: str
    remedy: str
    unit: str
    run: Callable[[CheckContext], Checked]
    layout: str = ""
    of_change: bool = False

    def finding(
        self, path: str, line: int | None, message: str, hint: str = "", *, severity: str | None = None, possible: bool = False,
        about: str = "",
    ) -> Finding:
        """A finding of this rule. What is possible is a warning, whatever the rule's severity (invariant 4)."""
        strength = "warning" if possible else severity or self.severity
        return Finding(self.name, strength, path, line, message, hint or self.remedy, possible, about)


class CheckContext:
    """What a rule may look at: one store of one workspace, and the change that is being checked.

    `change` is None where there is none to look at; `change_skipped` then says why, and `change_failed` whether that is
    because git failed: a rule that needs the change then fails too (see `without_change`). `git` is the repository, for a
    rule that has to look further back than the change does. `today` is asked when a rule needs it. `shared` holds what
    several rules or stores of one check compute once, by key.
    """

    __slots__ = (
        "change", "change_failed", "change_skipped", "documents", "git", "settings", "shared", "store", "today", "workspace",
    )

    def __init__(
        self, workspace: Workspace, store: Store, *, settings: Settings, today: Callable[[], date],
        change: Change | None = None, change_skipped: str | None = None, shared: dict[str, Any] | None = None,
        git: Git | None = None,
    ) -> None:
        self.workspace = workspace
        self.store = store
        self.documents: list[Document] = workspace.documents_of(store)
        self.git = git
        self.settings = settings
        self.today = today
        self.change = change
        self.change_skipped = change_skipped
        self.shared: dict[str, Any] = {} if shared is None else shared
        self.change_failed = change_skipped is not None and change_skipped in self.shared.get("failures", ())

    def without_change(self) -> Checked:
        """What a rule over the change says where there is none: it was skipped, or failed as git did."""
        return Checked(0, skipped=self.change_skipped, failed=self.change_failed)

    @property
    def readable(self) -> list[Document]:
        """The documents whose text can be looked at: decoded, of a size that is parsed, inside the workspace."""
        from memdesk.core.model import UNPARSED

        return [document for document in self.documents if document.problem is None or document.problem.rule not in UNPARSED]

    def live(self) -> list[Entry]:
        """The entries of the store that count: neither struck nor candidates, outside the archive."""
        return [
            entry
            for document in self.readable if document.place.tier != "archive"
            for entry in document.entries if not entry.struck and not entry.candidate
        ]
