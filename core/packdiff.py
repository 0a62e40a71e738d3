"""Two workspaces in, differences out: entry by entry, what every task's pack gains and loses from one to the other.

Where the texts of two packs are equal there is no difference; where they aren't, some part of it says so. The line that the
packs of a store begin with is told of its tasks, not of each module. A text is packed once, however many tasks load it; only
files that pack to another text are taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.packbetween import Between, renamed
from memdesk.core.packseen import Seen
from memdesk.core.packsides import NOTHING, Answer, Side
from memdesk.core.packvalues import Difference, Pair, RouteChange

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.layouts.values import LoadRequest
    from memdesk.core.model import Store, Workspace
    from memdesk.core.packing import Kept
    from memdesk.core.packmatch import Scores

__all__ = ["Difference", "Pair", "RouteChange", "Seen", "compare"]


def compare(
    before: Workspace, after: Workspace, request: LoadRequest | None = None, *, store: str | None = None,
    today: date | None = None, names: tuple[str, str] = ("before", "after"),
    standing: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}), stopped: Callable[[], bool] | None = None,
) -> list[Difference]:
    """The differences of every store, or of those that are called `store` on either side: for each task, then for each module
    that can be asked for on either side. With a `request`: of that one alone.

    `today`: for what loads by its date. `names`: what people call the two sides. `standing`: each side's settings for the lines
    that packs begin with. `stopped`: asked before each; of a comparison that was called off, what was compared until then.
    Raises UsageError for a store that neither has.
    """
    kept: Kept = {}
    halted = stopped or _never
    one, two = (
        Side(workspace, name, lines, today, kept)
        for workspace, name, lines in zip((before, after), names, standing, strict=True)
    )
    scores: Scores = {}
    found: list[Difference] = []
    for mine, theirs in _stores(before, after, store):
        name = after.store_name(theirs) if theirs is not None else before.store_name(mine) if mine is not None else ""
        between = Between(one, two, name, scores)
        if request is not None:
            answers = [NOTHING if own is None else side.answer(own, request) for side, own in ((one, mine), (two, theirs))]
            for answer in answers[::-1]:
                if answer.error is not None and all(other.pack is None for other in answers):
                    raise answer.error
            found.append(between.difference(request.task, "", *answers))
            continue
        tasks = [{} if own is None or halted() else side.tasks(own) for side, own in ((one, mine), (two, theirs))]
        found += [
            between.difference(task, "", *(answers.get(task, NOTHING) for answers in tasks))
            for task in _names(*tasks) if not halted()
        ]
        modules = [{} if own is None or halted() else side.modules(own) for side, own in ((one, mine), (two, theirs))]
        found += renamed([
            between.difference("", module, *(answers.get(module, NOTHING) for answers in modules))
            for module in dict.fromkeys((*modules[1], *modules[0])) if not halted()
        ])
    return found


def _never() -> bool:
    return False


def _names(before: Mapping[str, Answer], after: Mapping[str, Answer]) -> list[str]:
    """The tasks of either side, those of the later one first. What one side can't route goes by the name that it has on the
    other, which knows its category."""
    found = []
    for task in dict.fromkeys((*after, *before)):
        alone = (after if task in after else before)[task]
        if (task in before and task in after) or alone.error is None or not before or not after:
            found.append(task)
    return found


def _stores(before: Workspace, after: Workspace, name: str | None) -> list[tuple[Store | None, Store | None]]:
    """The stores of both sides, each with the one of its layout at its path on the other."""
    mine = before.stores if name is None else before.stores_named(name)
    theirs = after.stores if name is None else after.stores_named(name)
    if name is not None and not mine and not theirs:
        known = ", ".join(dict.fromkeys([*map(after.store_name, after.stores), *map(before.store_name, before.stores)]))
        raise UsageError(f"There is no store at {name!r}, before or after.", remedy=f"The stores are: {known}.")
    left = {(store.path, store.layout): store for store in mine}
    found: list[tuple[Store | None, Store | None]] = [(left.pop((store.path, store.layout), None), store) for store in theirs]
    return found + [(store, None) for store in left.values()]
