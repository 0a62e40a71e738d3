"""The state before a change, checked too: what tells which findings the change caused, in files that it doesn't touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdesk.core import config
from memdesk.core.checks import runner
from memdesk.core.checks.fingerprint import fingerprints
from memdesk.core.errors import StoreError
from memdesk.core.git import Change
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.revision import Revision

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.git import Git
    from memdesk.core.model import Workspace

_UNSEEN = Change("none", skipped="it is the state before the change")


class Before(NamedTuple):
    """What was there before: the fingerprints of the findings, and the rules that could not look, each with its store."""

    fingerprints: frozenset[str] = frozenset()
    skipped: frozenset[tuple[str, str]] = frozenset()


def before(
    root: str, git: Git, base: str | None, now: Workspace, today: date | Callable[[], date], *, only: Sequence[str] = (),
    skip: Sequence[str] = (), explicit: str | None = None,
) -> Before:
    """The findings of the revision `base` (None: of HEAD), with the settings that are in it. Where it has no store, settings
    that can be read, or no commit at all, there was none, and all that is found came with the change. Raises GitError."""
    if base is None and git.head is None:
        return Before()
    commit = git.verify(base or "HEAD")
    try:
        with Revision(root, git, commit, now, user=config.user_path(), explicit=explicit) as state:
            report = runner.check(
                state.workspace, _UNSEEN, only=only, skip=skip, today=today, settings=state.settings, git=git
            )
            marks = fingerprints(state.workspace, report.findings)
    except StoreError:
        return Before()
    return Before(
        frozenset(marks), frozenset((rule.rule, rule.store) for rule in report.rules if rule.reason is not None)
    )
