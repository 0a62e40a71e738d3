"""Runs the rules over a workspace and a change, store by store, and says how much was checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memdesk.core.checks import allow, registry
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import Finding

if TYPE_CHECKING:
    from datetime import date
    from typing import Any

    from memdesk.core.checks.allow import Allowance
    from memdesk.core.checks.baseline import Known, Sifted
    from memdesk.core.checks.caused import Before
    from memdesk.core.config import Settings
    from memdesk.core.git import Change, Git
    from memdesk.core.model import Store, Workspace

    Ran = list[tuple[Rule, Store, Checked]]  # each rule that was asked for, in each store


class StoreReport(NamedTuple):
    """A store that was checked, and how much of it there is."""

    layout: str
    path: str
    documents: int
    entries: int


class ChangeReport(NamedTuple):
    """The change that was looked at: files, lines added and removed; `skipped` says why there was none."""

    mode: str
    base: str | None
    files: int
    added: int
    removed: int
    skipped: str | None


class RuleReport(NamedTuple):
    """What one rule did in one store. `status`: "pass", "warn", "fail" or "skip"; the `reason` says why it was skipped, or
    failed without having looked."""

    rule: str
    layout: str
    store: str
    status: str
    checked: int
    unit: str
    summary: str
    reason: str | None = None


class Report(NamedTuple):
    """The whole check. `failures` are what it could not do; everything else was done all the same. `by_rule`: of each of
    `rules`, in that order, those of the findings that are its own in its store; one may be of several stores. `elsewhere`:
    what was found in files that the change doesn't touch, and left out because changed ones alone were asked for; `sifted`:
    what a baseline left out, where there is one."""

    stores: tuple[StoreReport, ...]
    change: ChangeReport
    rules: tuple[RuleReport, ...]
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    failures: tuple[str, ...] = ()
    by_rule: tuple[tuple[Finding, ...], ...] = ()
    elsewhere: tuple[Finding, ...] = ()
    sifted: Sifted | None = None

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors

    @property
    def result(self) -> str:
        """"pass", or "fail": an error was found, or something could not be done."""
        return "fail" if self.errors or self.failures else "pass"

    @property
    def exit_code(self) -> int:
        """CLI.md: the highest that applies."""
        return 2 if self.failures else 1 if self.errors else 0


def check(
    workspace: Workspace, change: Change | None, *, only: Sequence[str] = (), skip: Sequence[str] = (), strict: bool = False,
    today: date | Callable[[], date], settings: Settings, stores: Iterable[Store] | None = None, failures: Iterable[str] = (),
    changed_only: bool = False, git: Git | None = None, known: Sequence[Known] | None = None, write: bool = False,
    before: Callable[[], Before] | None = None,
) -> Report:
    """Runs the rules over `stores` (None: all). Raises UsageError for an unknown rule in `only` or `skip`.

    `strict` makes warnings errors, but for what is possible: that stays a warning (invariant 4). `failures` are what could
    not be done before, such as git's; `change` is None then. `git`: the repository that the change is of. `changed_only`
    keeps the findings in files of the change, and of those elsewhere the ones that were not there `before`: all rules still
    run over everything, since a change in one file can break another. `known`: the lines of a baseline, whose findings are
    left out; `write`: it is about to be written, and all that it takes are left out. Findings come with secrets and example
    values masked.
    """
    chosen = list(workspace.stores if stores is None else stores)
    wanted = registry.known(only)
    unwanted = registry.known(skip)
    day = today if callable(today) else lambda: today
    skipped = change.skipped if change is not None else next(iter(failures), "there is no change to look at")
    shared: dict[str, Any] = {"failures": list(failures)}
    ran: Ran = []
    for store in chosen:
        context = CheckContext(
            workspace, store, settings=settings, today=day, change=None if skipped else change, change_skipped=skipped,
            shared=shared, git=git,
        )
        for rule in registry.rules(store.layout):
            if (not wanted or rule.name in wanted) and rule.name not in unwanted:
                ran.append((rule, store, rule.run(context)))
    documents = [document for store in chosen for document in workspace.documents_of(store) if document.problem is None]
    raw = list(dict.fromkeys(finding for _, _, checked in ran for finding in checked.findings))
    kept, allowances, used = allow.apply(documents, raw)
    if any(rule is allow.ALLOW_UNUSED for rule, _, _ in ran):
        judged = allow.judge(allowances, used, registry.is_rule, _looker(workspace, ran))
        ran = [_allowances(workspace, rule, store, checked, judged) for rule, store, checked in ran]
        kept += judged.findings
    final = [_final(finding, strict) for finding in kept]
    every = final
    sifted = None if known is None else _sift(workspace, ran, list(zip(kept, final, strict=True)), known, write)
    final = list(final if sifted is None else sifted.left)
    final.sort(key=lambda finding: (finding.path, finding.line or 0, finding.rule))
    elsewhere: list[Finding] = []
    if changed_only and change is not None and not skipped:
        elsewhere = [finding for finding in final if finding.path not in change.paths]
        if elsewhere and before is not None:
            elsewhere = _there_before(workspace, ran, every, elsewhere, before, shared["failures"])
        left = set(map(id, elsewhere))
        final = [finding for finding in final if id(finding) not in left]
    own = [_own(rule, checked, final) for rule, _, checked in ran]
    return Report(
        tuple(_store(workspace, store) for store in chosen), _change(change, skipped),
        tuple(_rule(*each, mine) for each, mine in zip(ran, own, strict=True)), tuple(final), registry.NOT_CHECKED,
        tuple(dict.fromkeys([*shared["failures"], *map(str, workspace.unreadable())])), tuple(own),
        tuple(elsewhere), sifted,
    )


def undone(error: Exception) -> Report:
    """The report of a check that could not begin."""
    unseen = ChangeReport("none", None, 0, 0, 0, "the check could not begin")
    return Report((), unseen, (), (), registry.NOT_CHECKED, (str(error),))


def one_of(unit: str) -> str:
    """The singular of a rule's unit: "entries" is "entry"."""
    return unit[:-3] + "y" if unit.endswith("ies") else unit[:-1]


def _looker(workspace: Workspace, ran: Ran) -> Callable[[Allowance], bool]:
    """Tells whether this check could have found what an allowance allows: its rule looked at the file's store; or that
    store's layout has no such rule, and none that has it was left out."""
    whole = {(rule.name, store) for rule, store, checked in ran if not checked.skipped and not rule.of_change}
    every: dict[str, list[Store]] = {}
    for store in workspace.stores:
        for rule in registry.rules(store.layout):
            every.setdefault(rule.name, []).append(store)

    def looked(allowance: Allowance) -> bool:
        own = workspace.documents[allowance.path].store
        stores = every.get(allowance.rule, [])
        return all((allowance.rule, store) in whole for store in ([own] if own in stores else stores))

    return looked


def _sift(
    workspace: Workspace, ran: Ran, found: list[tuple[Finding, Finding]], known: Sequence[Known], write: bool
) -> Sifted:
    """Findings, each as it was found and as it leaves, against a baseline. What stands in it of a rule or store that was not
    looked at, or of a file that could not be read, was not looked for."""
    from memdesk.core.checks import baseline

    stores: dict[Finding, str] = {}
    for _, store, checked in ran:
        for finding in checked.findings:
            stores.setdefault(finding, workspace.store_name(store))
    rules = [(rule, workspace.store_name(store)) for store in workspace.stores for rule in registry.rules(store.layout)]
    there = {(rule.name, name) for rule, name in rules}
    looked = {(rule.name, workspace.store_name(store)) for rule, store, checked in ran if not checked.skipped}
    unread = {document.path for document in workspace.documents.values() if document.problem is not None}
    return baseline.sift(
        workspace, [(final, stores.get(one, ".")) for one, final in found], known,
        lambda line: line.path not in unread and ((line.rule, line.store) in looked or (line.rule, line.store) not in there),
        baseline.NEVER | {rule.name for rule, _ in rules if rule.of_change}, write=write,
    )


def _there_before(
    workspace: Workspace, ran: Ran, every: list[Finding], elsewhere: list[Finding], before: Callable[[], Before],
    failures: list[str],
) -> list[Finding]:
    """Those of the findings elsewhere that the change did not cause: they were there before it, or no check of that state can
    tell."""
    from memdesk.core.checks.fingerprint import fingerprints
    from memdesk.core.errors import GitError

    try:
        was = before()
    except GitError as error:
        failures.append(f"What the change caused in other files is not known: {error}")
        return elsewhere
    marks = {id(finding): mark for finding, mark in zip(every, fingerprints(workspace, every), strict=True)}
    untold = {
        (rule.name, finding.path, finding.line) for rule, store, checked in ran if (rule.name, store.path) in was.skipped
        for finding in checked.findings
    }
    return [
        one for one in elsewhere if marks[id(one)] in was.fingerprints or (one.rule, one.path, one.line) in untold
    ]


def _final(finding: Finding, strict: bool) -> Finding:
    """A finding as it leaves: values masked, severity by `strict`."""
    from memdesk.core.checks.secrets import mask

    message = finding.message if finding.rule in ("secret", "example-value") else mask(finding.message)
    severity = "error" if strict and not finding.possible else finding.severity
    return finding._replace(message=message, hint=mask(finding.hint), severity=severity, about=mask(finding.about))


def _store(workspace: Workspace, store: Store) -> StoreReport:
    documents = workspace.documents_of(store)
    return StoreReport(store.layout, store.path, len(documents), sum(len(document.entries) for document in documents))


def _change(change: Change | None, skipped: str | None) -> ChangeReport:
    if change is None:
        return ChangeReport("none", None, 0, 0, 0, skipped)
    return ChangeReport(change.mode, change.base, len(change.files), change.added, change.removed, skipped)


def _own(rule: Rule, checked: Checked, final: list[Finding]) -> tuple[Finding, ...]:
    """What is left in the report of what a rule found in one store."""
    places = {(finding.path, finding.line) for finding in checked.findings}
    if not places:
        return ()
    return tuple(finding for finding in final if finding.rule == rule.name and (finding.path, finding.line) in places)


def _rule(rule: Rule, store: Store, checked: Checked, mine: tuple[Finding, ...]) -> RuleReport:
    """Its status by what was not allowed, in this store."""
    errors = sum(finding.severity == "error" for finding in mine)
    warnings = len(mine) - errors
    status = "fail" if errors or checked.failed else "skip" if checked.skipped else "warn" if warnings else "pass"
    summary = f"{checked.checked} {one_of(rule.unit) if checked.checked == 1 else rule.unit} checked"
    if checked.also:
        summary += f", {checked.also}"
    if mine:
        counts = ((errors, "error"), (warnings, "warning"))
        summary += ": " + ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count)
    if checked.skipped:
        summary = f"{'nothing checked' if checked.failed else 'skipped'}: {checked.skipped}"
    return RuleReport(rule.name, store.layout, store.path, status, checked.checked, rule.unit, summary, checked.skipped)


def _allowances(
    workspace: Workspace, rule: Rule, store: Store, checked: Checked, judged: Checked
) -> tuple[Rule, Store, Checked]:
    """The line of allow-unused for one store, once the others have run."""
    if rule is not allow.ALLOW_UNUSED:
        return rule, store, checked
    paths = {document.path for document in workspace.documents_of(store)}
    count = sum(len(allow.allowances(document)) for document in workspace.documents_of(store) if document.problem is None)
    return rule, store, Checked(count, [finding for finding in judged.findings if finding.path in paths])
