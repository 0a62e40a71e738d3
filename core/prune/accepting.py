"""The verb `prune`: proposals are accepted, each as its ordinary plan, one upon the other, in one transaction.

Each is planned on what the one before it leaves, so that accepting several at once writes what accepting them one by one
does, to the byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.draft import OverlayTree
from memdesk.core.drift import unread
from memdesk.core.errors import Refused, UnknownEntry
from memdesk.core.plan import BudgetChange, Plan, Question, Request, Step
from memdesk.core.prune import share
from memdesk.core.prune.proposal import EXACT, KINDS

if TYPE_CHECKING:
    from memdesk.core.model import Workspace
    from memdesk.core.plan import Part

PATHS_NAMED = 3  # files that the summary and the label of several name


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The plan of all parts together. Raises Refused: nothing is accepted; several that are not all exact; a part that no
    longer fits the files, or whose own plan is refused; all is done already."""
    from memdesk.core import actions

    if not request.parts:
        raise Refused("No proposal is chosen.")
    loose = next((part for part in request.parts if not part.exact or part.kind not in EXACT), None)
    if len(request.parts) > 1 and loose is not None:
        raise Refused(
            f"\u201c{loose.title}\u201d is only possible, and needs a person's look at it alone.",
            remedy="Accept several at once where all are exact.",
        )
    before, plans = workspace, []
    # What only leaves the inbox goes first: of two equal entries the one that stays is known by another id without the other.
    for part in sorted(request.parts, key=lambda part: part.request.verb != "merge"):
        fit(before, part, workspace)
        inner = part.request._replace(
            answers={**part.request.answers, **request.answers}, person=request.person, at=request.at,
            stamp=request.stamp,
        )
        plans.append(actions.plan(before, inner, today))
        if len(plans) < len(request.parts):
            before = ahead(before, plans[-1])
    made = plans[0]._replace(request=request) if len(plans) == 1 else _together(workspace, request, plans)
    if not made.steps:
        raise Refused("There is nothing left to do: the files are as the proposal wants them.", remedy="Scan again.")
    asked = share.questions(words, request.answers, share.taken(workspace, made.steps))
    return made._replace(questions=(*made.questions, *asked))


def fit(before: Workspace, part: Part, workspace: Workspace | None = None) -> None:
    """Raises Refused for a part that no longer fits. `workspace`: what is there, where `before` is ahead of it."""
    why = unfit(before, part)
    if why and workspace is not None and not unfit(workspace, part):
        why = f"What \u201c{part.title}\u201d is about is changed by another one of these."
        raise Refused(why, remedy="Accept them one by one.")
    if why:
        raise Refused(why, remedy="Scan again.")


def unfit(workspace: Workspace, part: Part) -> str:
    """Why a proposal no longer fits what is there: one of its texts was changed, moved or taken out, or can't be read. "" where
    it does fit."""
    for ident in part.entries:
        try:
            workspace.find(ident)
        except UnknownEntry as error:
            hidden = unread(part.entries, workspace)
            if hidden is not None:
                return str(hidden)
            path, _, digits = ident.rpartition("#")
            moved = next((other for other in error.candidates if other.endswith(f"#{digits}")), "")
            where = f" It may be {moved} now." if moved else ""
            return f"{path}: what \u201c{part.title}\u201d is about was changed, moved or taken out since.{where}"
    return ""


def ahead(workspace: Workspace, made: Plan) -> Workspace:
    """The workspace as it would be read after a plan."""
    from memdesk.core.model import Workspace as Reading
    from memdesk.core.workspace import open_workspace

    changes = {step.path: step.after for step in made.steps if step.kind != "mkdir"}
    before = workspace.tree
    base, known = (before.base, before.changes) if isinstance(before, OverlayTree) else (before, {})
    tree = OverlayTree(base, known | changes)
    reading = workspace.reading
    if all(
        step.kind == "replace" and step.path in workspace.documents and step.path not in reading.decisive for step in made.steps
    ):
        documents = dict(workspace.documents)
        for step in made.steps:
            documents[step.path] = documents[step.path].after(step.after or b"")
        return Reading(
            tree, workspace.stores, documents, workspace.near_misses, workspace.problems, reading
        ).follow(workspace)
    return open_workspace(tree, reading.settings, workspace)


def _together(workspace: Workspace, request: Request, plans: Sequence[Plan]) -> Plan:
    """Several plans, each made on what the one before it leaves, as one from what is there."""
    steps = _steps(workspace, plans)
    changed = {step.path for step in steps}
    logs = frozenset(path for made in plans for path in made.log_only if path in changed)
    reads = {path for made in plans for path in made.reads if path not in changed}
    return Plan(
        request, _summary(request, steps, logs), _label(request, plans, logs), steps,
        {path: workspace.tree.digest(path) for path in sorted(reads)}, budgets=_budgets(plans),
        warnings=tuple(dict.fromkeys(warning for made in plans for warning in made.warnings)),
        questions=_questions(plans), new_ids=_left(workspace, plans), log_only=logs,
    )


def _steps(workspace: Workspace, plans: Sequence[Plan]) -> tuple[Step, ...]:
    """Folders first; of each file the first bytes and the last, in the order in which it was first changed."""
    folders = dict.fromkeys(step.path for made in plans for step in made.steps if step.kind == "mkdir")
    first: dict[str, Step] = {}
    last: dict[str, bytes | None] = {}
    for step in (step for made in plans for step in made.steps if step.kind != "mkdir"):
        first.setdefault(step.path, step)
        last[step.path] = step.after
    found = []
    for path, step in first.items():
        before, after = step.before, last[path]
        if before == after:
            continue
        kind = "create" if before is None else "delete" if after is None else "replace"
        found.append(Step(kind, path, before, after, workspace.tree.mode(path) if kind == "replace" else None))
    needed = {folder for folder in folders if any(step.path.startswith(folder + "/") for step in found)}
    return (*(Step("mkdir", folder) for folder in folders if folder in needed), *found)


def _summary(request: Request, steps: Iterable[Step], logs: Collection[str]) -> str:
    kinds = {part.kind: sum(other.kind == part.kind for other in request.parts) for part in request.parts}
    said = ", ".join(f"{KINDS.get(kind, kind).lower()}: {count}" for kind, count in kinds.items())
    paths = [step.path for step in steps if step.kind in ("replace", "delete") and step.path not in logs]
    more = f" and {len(paths) - PATHS_NAMED} more" if len(paths) > PATHS_NAMED else ""
    return f"Accepted {len(request.parts)} proposals ({said}) in {', '.join(paths[:PATHS_NAMED])}{more}."


def _label(request: Request, plans: Sequence[Plan], logs: Collection[str]) -> str:
    meters = [
        f"{change.path.rpartition('/')[2]} {change.before} → {change.after} of {change.cap} {change.unit}"
        for change in _budgets(plans)
        if change.cap is not None and change.before != change.after and change.path not in logs
    ]
    more = [f"{len(meters) - PATHS_NAMED} more meters"] if len(meters) > PATHS_NAMED else []
    return " · ".join([f"Accept {len(request.parts)} proposals", *meters[:PATHS_NAMED], *more])


def _budgets(plans: Sequence[Plan]) -> tuple[BudgetChange, ...]:
    found: dict[tuple[str, str], BudgetChange] = {}
    for change in (change for made in plans for change in made.budgets):
        known = found.get((change.path, change.unit))
        found[change.path, change.unit] = change if known is None else change._replace(before=known.before)
    return tuple(found.values())


def _questions(plans: Sequence[Plan]) -> tuple[Question, ...]:
    """One for each key, since it has one answer: with the words of all that ask."""
    found: dict[str, Question] = {}
    for asked in (asked for made in plans for asked in made.questions):
        known = found.get(asked.key)
        if known is None or asked.text in known.text:
            found.setdefault(asked.key, asked)
        else:
            found[asked.key] = known._replace(text=f"{known.text} {asked.text}")
    return tuple(found.values())


def _left(workspace: Workspace, plans: Sequence[Plan]) -> tuple[str, ...]:
    """The ids of what is new, as far as a later plan of these leaves it as it is."""
    last = {step.path: step.after for made in plans for step in made.steps if step.after is not None}
    documents = {path: workspace.documents[path].after(data) for path, data in last.items() if path in workspace.documents}
    idents = dict.fromkeys(ident for made in plans for ident in made.new_ids)
    known = {path: set(document.ids) for path, document in documents.items()}
    return tuple(ident for ident in idents if ident in known.get(ident.rpartition("#")[0], {ident}))
