"""A check from a folder to its report: finds the workspace, asks git once, runs the rules. What `memdesk --check` is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdesk.core import config, git, layouts, workspace
from memdesk.core.checks import runner
from memdesk.core.errors import GitError, MemdeskError, StoreError, UsageError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.transaction.state import generation, interrupted, state_dir

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.checks.baseline import Known
    from memdesk.core.checks.baselinefile import File
    from memdesk.core.checks.caused import Before
    from memdesk.core.config import Settings
    from memdesk.core.model import Store, Workspace
    from memdesk.core.tree import Tree

STEADY = 20  # readings, five milliseconds apart, until no commit comes between
MODES = ("worktree", "staged", "base", "none")


class Asked(NamedTuple):
    """What is asked of a check. `mode`: "worktree" (against HEAD), "staged" (the index, against HEAD), "base" (the working
    tree against the revision `base`) or "none". `store`: the path of one store; `config`: a settings file of the caller's;
    `baseline`, `write_baseline`: a file of known findings, to leave out and to write, named from the current folder."""

    start: str = "."
    mode: str = "worktree"
    base: str | None = None
    only: Sequence[str] = ()
    skip: Sequence[str] = ()
    strict: bool = False
    changed_only: bool = False
    store: str | None = None
    config: str | None = None
    baseline: str | None = None
    write_baseline: str | None = None


class Done(NamedTuple):
    """A report with the root and the workspace that it is about, and what its reader should know besides: interrupted
    transactions. `prefix`: where the root is in its repository, POSIX; "" at its top, and without one."""

    root: str
    report: runner.Report
    workspace: Workspace
    notices: tuple[str, ...] = ()
    prefix: str = ""


def check(asked: Asked, today: date | Callable[[], date]) -> Done:
    """Runs the rules over the workspace that contains `asked.start`.

    What git can't do is a failure in the report (exit 2), and everything else is checked all the same; without any
    repository the rules about the change are skipped. Raises UsageError (a folder, store or rule that isn't), StoreError
    (settings, no store here).
    """
    root = workspace.find_root(asked.start)
    kept: File | None = None
    if asked.baseline is not None or asked.write_baseline is not None:
        from memdesk.core.checks.baselinefile import File

        kept = File(root, asked.baseline, asked.write_baseline)
    settings = config.load(root, user_file=config.user_path(), explicit=asked.config)
    failures: list[str] = []
    repository = git.discover(root)
    state = state_dir(root, None if repository is None else repository.git_dir, settings)
    opened, change, settings = _read(asked, root, settings, repository, state, failures)
    change = _unseen(asked, root, settings, repository, opened, change, failures)
    stores = _stores(opened, asked.store)
    if repository is not None and asked.store is None:
        failures += _vanished(asked, root, settings, repository, opened, change)
    if asked.changed_only and change.skipped:
        why = failures[0] if failures else change.skipped
        failures.append(f"--changed-only has no change to look at: {why}")

    def run(known: Sequence[Known] | None) -> runner.Report:
        return runner.check(
            opened, change, only=asked.only, skip=asked.skip, strict=asked.strict, today=today, settings=settings,
            stores=stores, failures=failures, changed_only=asked.changed_only, git=repository, known=known,
            write=kept is not None and kept.writes, before=_before(asked, root, repository, opened, today),
        )

    report = run(None if kept is None else kept.known(opened, failures))
    notices: list[str] = []
    if kept is not None and kept.writes:
        failure = kept.written(report, notices)
        if failure is not None:  # then nothing knows the findings, and they are reported
            report = run(None)
            report = report._replace(failures=(*report.failures, failure))
    waiting = interrupted(state)
    if waiting:
        names = ", ".join(waiting)
        notices.append(f"a transaction was interrupted ({names}); `memdesk recover` finishes it or takes it back.")
    return Done(root, report, opened, tuple(notices), "" if repository is None else repository.prefix)


def _vanished(
    asked: Asked, root: str, settings: Settings, repository: git.Git, opened: Workspace, change: git.Change
) -> list[str]:
    """What to say of stores that the change takes out of sight."""
    from memdesk.core.checks.vanished import vanished

    try:
        return vanished(root, repository, change, opened, settings, asked.config)
    except GitError as error:
        return [f"Whether the change takes a store out of sight is not known: {error}"]


def _before(
    asked: Asked, root: str, repository: git.Git | None, opened: Workspace, today: date | Callable[[], date]
) -> Callable[[], Before] | None:
    """What checks the state before the change, where it is asked for."""
    if repository is None or not asked.changed_only:
        return None
    there = repository

    def run() -> Before:
        from memdesk.core.checks import caused

        return caused.before(
            root, there, asked.base, opened, today, only=asked.only, skip=asked.skip, explicit=asked.config
        )

    return run


def pathspecs(opened: Workspace) -> tuple[str, ...]:
    """What a change has to be asked for: Markdown, the settings, and what the layouts of the stores name besides."""
    more = (spec for store in opened.stores for spec in layouts.get(store.layout).pathspecs(store))
    return tuple(dict.fromkeys([*git.MEMORY, *git.SETTINGS, *more]))


def change_of(
    mode: str, base: str | None, repository: git.Git | None, failures: list[str], only: Sequence[str]
) -> git.Change:
    """The change of a mode (see `Asked`), or one that says why there is none to look at. What git can't do is added to
    `failures`."""
    if mode == "none":
        return git.Change("none", skipped="not asked for (--no-diff)")
    if repository is None:
        if mode == "base":
            failures.append(f"--base {base} needs a git repository, and this is none.")
        return git.Change(mode, base, skipped=failures[0] if failures else "this is no git repository")
    try:
        change = repository.changes(mode, base, only)
    except GitError as error:
        failures.append(str(error))
        return git.Change(mode, base, skipped=str(error))
    if mode == "staged":
        failures += map(_unmerged, (file.path for file in change.files if file.status == "unmerged"))
    return change


def _unmerged(path: str) -> str:
    from shlex import quote

    return f"{path}: git could not merge it, so what will be committed is not known. Once it is merged: git add {quote(path)}"


def _unseen(
    asked: Asked, root: str, settings: Settings, repository: git.Git | None, opened: Workspace, change: git.Change,
    failures: list[str],
) -> git.Change:
    """The change, once it is said in `failures` what of the repository could not be looked at: all of it, or memory that is
    not checked out."""
    if repository is None:
        lost = None if asked.mode == "none" else git.astray(root)
        if lost is not None:
            failures[:] = [str(lost)]
            return change._replace(skipped=str(lost))
    elif asked.mode != "staged" and repository.sparse:
        from memdesk.core.gitsparse import left_out

        try:
            absent = left_out(repository, opened.stores, settings)
        except GitError as error:
            absent = error
        if absent is not None and str(absent) not in failures:
            failures.append(str(absent))
    return change


def _read(
    asked: Asked, root: str, settings: Settings, repository: git.Git | None, state: str, failures: list[str]
) -> tuple[Workspace, git.Change, Settings]:
    """The workspace, its change and the settings that hold for it, read again where a commit of memdesk's came between, so that
    it is never half of one.

    Of a transaction that was interrupted it is what is there; the reader is told.
    """
    for turn in range(STEADY):
        before = generation(state)
        if before.endswith("+") and turn < STEADY - 1:
            from time import sleep

            sleep(0.005)
            continue
        failures.clear()
        if repository is not None and asked.mode == "worktree":
            repository.begin()
        try:
            tree, lines = _tree(asked, root, settings, repository, failures)
            opened = workspace.open_workspace(tree, lines)
            for document in opened.documents.values():
                document.entries  # noqa: B018  # read while git works
            change = change_of(asked.mode, asked.base, repository, failures, pathspecs(opened))
        finally:
            if repository is not None:
                repository.drop()
        if generation(state) == before:
            break
    return opened, change, lines


def _tree(
    asked: Asked, root: str, settings: Settings, repository: git.Git | None, failures: list[str]
) -> tuple[Tree, Settings]:
    """The files to check: staged ones as the index has them, by the settings that are staged. Where git can't say, the working
    tree is checked instead."""
    if asked.mode == "staged":
        if repository is None:
            failures.append("--staged needs a git repository, and this is none; the working tree was checked instead.")
        else:
            try:
                files = repository.index_tree()
                try:
                    staged = config.load(root, files, config.user_path(), asked.config)
                finally:
                    files.close()
                return files.ignoring(workspace.ignored(staged)), staged
            except GitError as error:
                failures.append(f"{error} The working tree was checked instead of what is staged.")
    return workspace.work_tree(root, settings), settings


def _stores(opened: Workspace, path: str | None) -> list[Store]:
    """The stores to check. Raises StoreError where there is none, UsageError for one that isn't."""
    if not opened.stores:
        missed = [f"{miss.path}: {miss.why}" for miss in opened.near_misses]
        missed += [str(MemdeskError(problem.message, path=problem.path)) for problem in opened.problems]
        looked = f" Looked at and not recognised: {' '.join(missed)}" if missed else ""
        raise StoreError(
            f"There is no store here, so nothing was checked.{looked}",
            remedy="Make one with `memdesk init`, or name its folder under [stores.layout] in memdesk.toml.",
        )
    if path is None:
        return opened.stores
    chosen = opened.stores_named(path.strip("/").removeprefix("./") or ".")
    if not chosen:
        known = ", ".join(map(opened.store_name, opened.stores))
        raise UsageError(f"There is no store {path!r}.", remedy=f"The stores here: {known}.")
    return chosen
