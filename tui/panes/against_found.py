"""What the Context pane compares with, and what came of it: asked of git and the desk, in a worker. No widget here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import GitError, MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.lean import NamedTuple
from memdesk.core.packsides import KINDS

if TYPE_CHECKING:
    from memdesk.core.against import Against
    from memdesk.core.desk import Desk
    from memdesk.core.git import Git
    from memdesk.core.model import Workspace
    from memdesk.core.packdiff import Difference, Seen
    from memdesk.tui.widgets.lines import Row

SHORT = 7  # signs of a commit's hash on screen
LEFT = "..."  # behind a revision: not it, but where the work at hand left it, as `git diff REV...` has it
FIELDS = {kind: field for field, kind in KINDS.items()}
Why = tuple[str, str, str, int]  # a difference's store, its task or module, and the path and line of an entry


class Base(NamedTuple):
    """What is compared with: a commit (full hash), and the branch or revision by which people know it. `left`: it is the commit
    at which the work at hand left that branch."""

    name: str
    commit: str
    left: bool

    @property
    def words(self) -> str:
        """It in full: `main (merge base 1a2b3c4d5)`."""
        short = self.commit[:SHORT]
        if self.left:
            return f"{self.name} (merge base {short})"
        return self.name if self.commit.startswith(self.name) else f"{self.name} ({short})"


class Found(NamedTuple):
    """A comparison of the working tree with `base`. `asked`: what a person typed, "" for the main branch; `state`: see there.
    Without `made`: `nothing` says why there is none, and what to do.

    `why`: what stopped entries that are left out now; `here`: path and line of a lost text that is in the working tree all the
    same; `accounts`: the lines of each difference.
    """

    asked: str
    base: Base | None = None
    made: Against | None = None
    why: Mapping[Why, str] = {}
    nothing: str = ""
    state: object = None
    here: Mapping[str, tuple[str, int]] = {}
    accounts: Mapping[str, Sequence[Row]] = {}


def find(desk: Desk, asked: str, stopped: Callable[[], bool]) -> Found:
    """The comparison with what was typed. Raises GitError for a revision that git doesn't know, StoreError for settings that
    cannot be read; where nothing was typed and there is no main branch to compare with, the answer says so."""
    seen = state(desk.git, asked)
    try:
        base = base_of(desk.git, asked, desk.root)
    except GitError as error:
        if asked:
            raise
        return Found(asked, nothing="\n\n".join(part for part in (error.message, error.remedy) if part), state=seen)
    made = desk.against(base.commit, stopped=stopped, called=base.name)
    return Found(asked, base, made, dict(_why(desk, made, stopped)), state=seen, here=_here(desk.workspace, made))


def state(git: Git | None, asked: str) -> object:
    """What a comparison hangs on besides the files: where HEAD is, and what is compared with. Nothing of it fails."""
    from memdesk.core.fork import default_branch

    if git is None:
        return None
    try:
        main = default_branch(git) if not asked else None
        return git.head, main, git.verify(asked.removesuffix(LEFT)) if asked else ""
    except GitError as error:
        return git.head, str(error)


def base_of(git: Git | None, asked: str, root: str) -> Base:
    """The commit that was asked for, or at which the work at hand left the main branch. Raises GitError, with what to do."""
    from memdesk.core.against import trunk
    from memdesk.core.fork import default_branch, merge_base
    from memdesk.core.gitfaults import astray

    if git is None:
        raise astray(root) or GitError(
            "There is no git repository here: there is nothing to compare with.",
            remedy="git init makes one. What is committed then is what later changes are compared with.",
        )
    head = git.head
    if head is None:
        raise GitError(
            "Nothing is committed here yet: there is nothing to compare with.",
            remedy="git add -A, then git commit. What changes after that shows here.",
        )
    if asked:
        name = asked.removesuffix(LEFT)
        commit = _known(git, name)
        if name == asked:
            return Base(name, commit, left=False)
        found = merge_base(git, head, commit)
        if found is None:
            raise _apart(git, name)
        return Base(name, found, left=True)
    main, commit_ = default_branch(git), trunk(git)
    if main is None:
        raise GitError(
            "No main branch is known here: neither what origin's HEAD names, nor main, master or trunk.",
            remedy="git remote set-head origin --auto asks origin for it.",
        )
    if commit_ is None:
        raise _apart(git, main.name)
    return Base(main.name, commit_, left=True)


def _known(git: Git, name: str) -> str:
    """The commit of a revision. Raises GitError: with the name that was meant, if one is near, else with how to fetch it."""
    try:
        return git.verify(name)
    except GitError as error:
        from difflib import get_close_matches

        listed = git.run(["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"])
        near = get_close_matches(name, listed.decode("utf-8", "replace").split("\n"), 3, 0.6)
        if near:
            meant = f"Did you mean {' or '.join(near)}? git branch --all lists what is here."
            raise GitError(error.message, remedy=meant) from None
        raise


def _apart(git: Git, name: str) -> GitError:
    """Why it isn't known where the work at hand left a branch."""
    from memdesk.core.gitfaults import cut, ends

    if ends(git):
        return cut(git, f"it is not known here where this left {name}")
    return GitError(f"{name} and this have no common commit here.", remedy=f"Compare with {name} itself.")


def _why(desk: Desk, made: Against, stopped: Callable[[], bool]) -> Iterator[tuple[Why, str]]:
    """For each entry that is left out now the unit that stopped it, and the budget."""
    for one in made.differences:
        if not one.newly_omitted or stopped():
            continue
        try:
            pack = desk.pack(request_of(one), one.store)
        except MemdeskError:
            continue  # the files are others meanwhile: they are compared anew
        left = {file.path: file.omitted for file in pack.files if file.omitted}
        for seen in one.newly_omitted:
            units = left.get(seen.path, ())
            at = bisect_right([unit.line for unit in units], seen.line) - 1
            if at >= 0:
                yield key_of(one, seen), units[at].reason


def _here(workspace: Workspace, made: Against) -> dict[str, tuple[str, int]]:
    """Path and line of the texts that are lost and yet there: in a file that the task doesn't load, say."""
    lost = {seen.text for one in made.differences for seen in one.lost if seen.whole}
    found: dict[str, tuple[str, int]] = {}
    for entry in workspace.entries() if lost else ():
        if entry.text in lost:
            found.setdefault(entry.text, (entry.path, entry.line))
    return found


def request_of(one: Difference) -> LoadRequest:
    """What to ask for to get the pack of a difference."""
    if not one.module:
        return LoadRequest(one.task)
    kind, _, name = one.module.partition(":")
    return LoadRequest("boot")._replace(**{FIELDS[kind]: (name,)})  # type: ignore[arg-type]


def key_of(one: Difference, seen: Seen) -> Why:
    """Under which `Found.why` has what stopped an entry."""
    return one.store, one.module or one.task, seen.path, seen.line
