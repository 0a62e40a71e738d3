"""What every task's pack gains and loses from one state of the repository to another: both sides opened, and compared.

Nothing is checked out and nothing written: the working tree and git's index stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core import workspace as reading
from memdesk.core.errors import StoreError
from memdesk.core.fork import default_branch, merge_base
from memdesk.core.gitfaults import cut, ends
from memdesk.core.gitsparse import left_out
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packdiff import Difference, compare
from memdesk.core.revision import Revision

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.config import Settings
    from memdesk.core.git import Git
    from memdesk.core.layouts.values import LoadRequest
    from memdesk.core.model import Workspace


class Against(NamedTuple):
    """Both sides, as asked for and as full hashes (`head` None: the working tree), and what differs. `failures`: what could not
    be packed; `warnings`: what to know before the differences are believed; `gone_on`: that the base isn't where the work left
    it, so that its merge base with HEAD would show this work alone."""

    base: str
    head: str | None
    base_commit: str
    head_commit: str | None
    differences: tuple[Difference, ...]
    failures: tuple[str, ...]
    warnings: tuple[str, ...]
    gone_on: bool = False


def against(
    root: str, settings: Settings, git: Git, base: str, head: str | None = None, *, workspace: Workspace | None = None,
    request: LoadRequest | None = None, store: str | None = None, today: date | None = None, config: str | None = None,
    user_config: str | None = None, stopped: Callable[[], bool] | None = None, called: str = "",
) -> Against:
    """The revision `base` against `head`, or against the working tree: `workspace`, where it has been read already. `called`:
    what people call the base, where that is another name.

    Each side has the settings that are in it, with the user's own (`user_config`) and those that `config` names; `settings` are
    the working tree's. `stopped`: see `packdiff.compare`. Raises GitError for an unknown revision, StoreError for settings
    that cannot be read, UsageError as `packdiff.compare` does.
    """
    base_commit = git.verify(base)
    head_commit = None if head is None else git.verify(head)
    if head_commit is not None:
        after, lines = _at(root, git, head or "", head_commit, config, user_config, workspace)
    else:
        after = workspace or reading.open_workspace(reading.work_tree(root, settings), settings)
        lines = settings
    name = called or base
    before, earlier = _at(root, git, name, base_commit, config, user_config, after)
    found = compare(
        before, after, request, store=store, today=today, names=(name, head or "the working tree"),
        standing=(earlier.standing, lines.standing), stopped=stopped,
    )
    failures = dict.fromkeys(failure for difference in found for failure in difference.failures)
    if head is None:
        absent = left_out(git, [*after.stores, *before.stores], settings)
        failures.update({} if absent is None else {str(absent): None})
    gone_on, warnings = _gone_on(git, name, base_commit, head_commit or git.head)
    return Against(name, head, base_commit, head_commit, tuple(found), tuple(failures), warnings, gone_on)


def trunk(git: Git) -> str | None:
    """What the work at hand is compared with where nobody says: the merge base of HEAD and the default branch, as a full hash;
    None where there is none."""
    main, head = default_branch(git), git.head
    return None if main is None or head is None else merge_base(git, head, main.commit)


def _at(
    root: str, git: Git, rev: str, commit: str, config: str | None, user_config: str | None, beside: Workspace | None
) -> tuple[Workspace, Settings]:
    """The workspace as it is in a commit, with the settings that are in it. `beside`: another state, whose documents are kept
    where they are the same."""
    try:
        with Revision(root, git, commit, beside, user=user_config, explicit=config) as state:
            return state.workspace, state.settings
    except StoreError as error:
        where = error.path if error.path is None or error.path == config else f"{error.path} (in {rev})"
        raise StoreError(error.message, path=where, line=error.line, remedy=error.remedy) from None


def _gone_on(git: Git, base: str, base_commit: str, head: str | None) -> tuple[bool, tuple[str, ...]]:
    """Whether the base isn't where the work left it, and the warning: what others did there since looks like something taken
    back here."""
    if head is None:
        return False, ()
    found = merge_base(git, head, base_commit)
    if found == base_commit:
        return False, ()
    if found is None and ends(git):
        return False, (str(cut(git, f"it is not known here whether {base} has gone on since this left it")),)
    if found is None:
        return False, (f"{base} and this have no common commit here: all that differs is listed.",)
    return True, (f"{base} has gone on since this left it: what was changed there meanwhile is listed as undone here.",)
