"""What accepting a proposal would come to, drawn from the ordinary plan: label, diffs, tokens freed, or why it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import actions, layouts
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.core.prune.look import plural
from memdesk.core.prune.proposal import KEPT
from memdesk.core.tokens import count

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.model import Workspace
    from memdesk.core.plan import Plan, Step
    from memdesk.core.prune.proposal import Proposal


class Drawn(NamedTuple):
    """`label`: the consequence, spelled out, for the button and the list. `frees`: path -> tokens freed, below 0 where a file
    grows; without the archive, which no task loads. `diff`: (path, unified diff), exact. `plan`: what it is drawn from, None
    where `refused` says why it can't be carried out."""

    label: str
    frees: Mapping[str, int]
    diff: tuple[tuple[str, str], ...]
    plan: Plan | None
    refused: str = ""


def draw(workspace: Workspace, proposal: Proposal, today: date, at: str = "") -> Drawn:
    """A proposal as it would be carried out now. `at`: the local time, HH:MM, for logs that keep it."""
    request = proposal.request._replace(at=at or proposal.request.at, person=True)
    try:
        plan = actions.plan(workspace, request, today)
    except MemdeskError as error:
        return Drawn(head(proposal), {}, (), None, str(error))
    return drawn(workspace, proposal, plan)


def drawn(workspace: Workspace, proposal: Proposal, plan: Plan) -> Drawn:
    """The same of a plan that was made for it already."""
    from memdesk.core.checks.secrets import mask

    frees = freed(workspace, plan)
    meters = _meters(workspace, proposal, plan)
    label = f"{head(proposal)}: {', '.join(meters)}" if meters else head(proposal)
    return Drawn(mask(label), frees, tuple(plan.diffs()), plan)


def freed(workspace: Workspace, plan: Plan) -> dict[str, int]:
    """Path -> tokens that its files are smaller by after a plan, in the order of its steps; without archives."""
    return {
        step.path: before - after for step in plan.steps if _tier(workspace, step.path) != "archive"
        for before, after in [_tokens(step)] if before != after
    }


def head(proposal: Proposal) -> str:
    """What accepting would do, without what it comes to: "Archive 3 struck entries"."""
    number, verb = proposal.changes, proposal.request.verb
    if proposal.kind == "dead-link" and verb == "edit":
        return f"Mend {plural(len(proposal.evidence), 'dead link', 'dead links')}"
    if verb == "edit":
        return "Say that it is superseded" if proposal.entries[0].kind == "file" else "Strike the older versions in it"
    if proposal.kind == "expired":
        files = plural(len({entry.path for entry in proposal.entries}), *_WHAT["expired"])
        return f"{verb.capitalize()} {files} for good (undo brings them back for {KEPT} days)"
    if verb == "reindex" and proposal.kind == "unreachable":
        return f"Give {plural(number, 'fact its line', 'facts their lines')} in the index"
    if verb == "reindex":
        return "Rewrite the lines of the index"
    if verb == "merge":
        store, into = proposal.store, proposal.entries[number]
        return f"Merge {plural(number, 'candidate', 'candidates')} into {store.named(into.path)}"
    one, several = _WHAT.get(proposal.kind, ("entry", "entries"))
    if proposal.entries[0].candidate and one == "entry":
        one, several = "candidate", "candidates"
    return f"{verb.capitalize()} {plural(number, one, several)}"


# Kind -> what goes, one and several; "entry" where the kind says nothing more.
_WHAT = {
    "duplicate": ("copy", "copies"), "superseded": ("superseded entry", "superseded entries"),
    "struck": ("struck entry", "struck entries"),
    "unreachable": ("entry that no task reaches", "entries that no task reaches"),
    "review": ("fact past its review date", "facts past their review date"),
    "reconsider": ("tombstone whose day has come", "tombstones whose day has come"),
    "tombstone": ("candidate that was rejected before", "candidates that were rejected before"),
    "expired": ("expired fragment", "expired fragments"),
    "task-specific": ("note of one task", "notes of one task"),
}


def _meters(workspace: Workspace, proposal: Proposal, plan: Plan) -> list[str]:
    """The files that it is about, then the others that count, before and after."""
    own = {entry.path for entry in proposal.entries}
    steps = [
        step for step in plan.steps
        if step.kind != "mkdir" and _tier(workspace, step.path) not in ("archive", "log") and step.path not in plan.log_only
    ]
    out = []
    for step in sorted(steps, key=lambda step: step.path not in own):
        name = proposal.store.named(step.path)
        caps = [one for one in plan.budgets if one.path == step.path and one.cap is not None and one.before != one.after]
        before, after = _tokens(step)
        if step.kind == "delete":
            out.append(f"{name} goes whole, {before} tokens")
        elif caps:
            out += (f"{name} {one.before} → {one.after} of {one.cap} {one.unit}" for one in caps)
        elif before != after:
            out.append(f"{name} {before} → {after} tokens")
    return out


def _tokens(step: Step) -> tuple[int, int]:
    before, after = (count((data or b"").decode("utf-8", "replace")) for data in (step.before, step.after))
    return before, after


def _tier(workspace: Workspace, path: str) -> str:
    """The tier of a file that is there, or would be."""
    document = workspace.documents.get(path)
    if document is not None:
        return document.place.tier
    places = (layouts.get(store.layout).classify(store, path) for store in workspace.stores if store.inner(path) is not None)
    return next((place.tier for place in places if place is not None), "")
