"""Everything that is proposed about a workspace, family by family. Pure: it reads, and nothing is written or planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.lean import NamedTuple
from memdesk.core.prune.look import Look, Stopped
from memdesk.core.prune.proposal import KINDS, Proposal

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.config import Settings
    from memdesk.core.judgments import Judgment
    from memdesk.core.model import Store, Workspace


class Scan(NamedTuple):
    """`proposals`: by kind in the order of KINDS, then by path and line. `not_compared`: what could not be looked at, on one
    line each. `judged`: how many a person rejected before, which are left out until one of their texts changes."""

    proposals: tuple[Proposal, ...]
    not_compared: tuple[str, ...] = ()
    judged: int = 0


def scan(
    workspace: Workspace, settings: Settings, today: date, *, touched: Callable[[str], date | None] | None = None,
    judgments: Sequence[Judgment] = (), progress: Callable[[str, int, int], None] | None = None,
    stopped: Callable[[], bool] | None = None, stores: Sequence[Store] | None = None, near: bool = True,
) -> Scan:
    """The proposals for a workspace, or for some of its stores. Nothing is preselected.

    `touched`: the day of the last commit that changed a file (None: unknown); without it nothing is proposed for its age.
    `progress(what, done, total)` and `stopped()` are called with every document: of a scan that was called off, what was
    found until then is given, and that it is not all. `near`: whether nearly equal texts are looked for, which takes longest.
    """
    look = Look(
        workspace, settings, today, stores=stores, touched=touched, judgments=judgments, progress=progress, stopped=stopped
    )
    found: list[Proposal] = []
    try:
        for proposal in _all(look, found, near):
            found.append(proposal)
    except Stopped:
        look.left.append("The scan was called off: what is listed is not all.")
    if touched is None:
        look.left.append("There is no git history here: for how long files were not touched is not looked at.")
    refused = {(one.kind, one.digests) for one in judgments if one.verdict == "refused"}
    kept: dict[str, Proposal] = {}
    judged = 0
    for proposal in found:
        if refused and (proposal.subject, proposal.digests) in refused:
            judged += 1
        else:
            kept.setdefault(proposal.id, proposal)  # two that read the same come one after the other
    order = {kind: at for at, kind in enumerate(KINDS)}
    ranked = sorted(kept.values(), key=lambda one: (order[one.kind], one.entries[0].path, one.entries[0].line, one.id))
    return Scan(tuple(ranked), tuple(dict.fromkeys(look.left)), judged + look.judged)


def _all(look: Look, found: list[Proposal], near: bool) -> Iterator[Proposal]:
    from memdesk.core.prune import aging, deadlinks, duplicates, onetask, reach, struck, superseded, tombstones

    families: tuple[Callable[[Look], Iterable[Proposal]], ...] = (
        duplicates.duplicates, superseded.superseded, struck.struck, deadlinks.dead_links, reach.unreached,
        tombstones.to_reconsider, tombstones.repeated, _by_layout, _over_budget, aging.untouched, onetask.of_one_task,
    )
    for family in families:
        yield from family(look)
    if near:
        from memdesk.core.prune.near import near_duplicates

        going = {entry for one in found if one.kind in _GONE for entry in one.entries[: one.changes]}
        yield from near_duplicates(look, frozenset(going))


_GONE = frozenset({"duplicate", "superseded", "tombstone"})  # what goes by these needs no second look at what it is like


def _by_layout(look: Look) -> Iterator[Proposal]:
    """What only a layout can tell."""
    for done, store in enumerate(look.stores):
        look.turn("review", done, len(look.stores))
        yield from layouts.get(store.layout).proposals(look.workspace, store, look.today, look.settings)


def _over_budget(look: Look) -> Iterator[Proposal]:
    from memdesk.core.prune import budget

    over = budget.look(
        look.workspace, look.today, look.settings, lambda done, total: look.turn(budget.KIND, done, total)
    )
    yield from (one for one in over.proposals if one.store in look.stores)
    look.left += over.left
