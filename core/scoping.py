"""What a recall is asked for: a feature and a task of it, and the phase that the work is in.

A feature narrows: entries of other features stay out, and are named. What is of no feature, above all what binds, stays in.
A task comes first. A phase only weighs: it drops nothing. Layouts say what their entries are of, and what a phase favours.
"""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core import layouts
from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace

PHASES = ("plan", "work", "review")
FAVOUR = 1.25  # times the score of what a phase favours: what answers the query much better still comes first
NAMED = 20  # features or tasks that a refusal names
WORDS = {"feature": "feature", "task": "task", "task-id": "task", "phase": "phase"}  # `word:value` in a query -> field


class Within(NamedTuple):
    """What somebody is at work on; "" for what nobody said."""

    feature: str = ""
    task: str = ""
    phase: str = ""


NOWHERE = Within()


class Standing(NamedTuple):
    """Where an entry stands to that. `outside`: of another feature; `behind`: not of the task that was named; `weight`: what
    its score is to be multiplied with."""

    outside: bool
    behind: bool
    weight: float


def by_feature(stores: Sequence[Store]) -> list[Store]:
    """Those of the stores that keep memory by feature."""
    return [store for store in stores if layouts.get(store.layout).by_feature]


def read(query: str) -> tuple[str, Within]:
    """A query's words, and what `feature:ID`, `task:ID` and `phase:NAME` in it say; of two the last counts."""
    words, said = [], NOWHERE
    for word in query.split():
        name, colon, value = word.partition(":")
        if colon and value and name.lower() in WORDS:
            said = said._replace(**{WORDS[name.lower()]: value})
        else:
            words.append(word)
    return " ".join(words), said


def check(workspace: Workspace, stores: Sequence[Store], within: Within) -> None:
    """Raises UsageError for a feature, a task or a phase that isn't there, with those that are."""
    if not any(within):
        return
    keeping = by_feature(stores)
    if not keeping:
        option = next(name for name, value in zip(("feature", "task-id", "phase"), within, strict=True) if value)
        raise UsageError(
            f"--{option} is for stores that keep memory by feature; there is none here.",
            remedy="Leave it out: the query alone finds what the others hold.",
        )
    if within.phase and within.phase not in PHASES:
        raise _unknown("phase", within.phase, PHASES)
    features = {
        store: layouts.get(store.layout).features(workspace, store) if within.feature or within.task else ()
        for store in keeping
    }
    if within.feature and not any(within.feature in known for known in features.values()):
        raise _unknown("feature", within.feature, [name for known in features.values() for name in known])
    if within.task:
        tasks = _tasks(workspace, features, within.feature)
        if within.task not in tasks:
            raise _unknown("task", within.task, tasks, f" of {within.feature}" if within.feature else "")


def standing(entry: Entry, within: Within) -> Standing:
    """Where an entry stands to what is asked for."""
    layout = layouts.get(entry.layout)
    scope = layout.scope_of(entry)
    same = not within.feature or scope.feature == within.feature
    favoured = bool(within.phase) and scope.section in layout.favours(within.phase)
    return Standing(
        bool(scope.feature) and not same, bool(within.task) and not (same and scope.task == within.task),
        FAVOUR if favoured else 1.0,
    )


def feature_of(entry: Entry) -> str:
    """The feature that an entry is of; "" for none."""
    return layouts.get(entry.layout).scope_of(entry).feature


def _tasks(workspace: Workspace, features: dict[Store, Sequence[str]], feature: str) -> list[str]:
    """The tasks that a feature lists, and those that its entries are of; of all features without one."""
    found: set[str] = set()
    for store, known in features.items():
        layout = layouts.get(store.layout)
        for name in known:
            if feature in ("", name):
                found.update(task.id for task in layout.compaction(workspace, store, name).tasks)
        for document in workspace.documents_of(store):
            scopes = map(layout.scope_of, document.entries)
            found.update(scope.task for scope in scopes if scope.task and feature in ("", scope.feature))
    return sorted(found)


def _unknown(kind: str, name: str, known: Sequence[str], of: str = "") -> UsageError:
    from difflib import get_close_matches

    listed = list(dict.fromkeys(known))
    near = get_close_matches(name, listed, n=1)
    more = f", and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
    told = f"Known: {', '.join(listed[:NAMED])}{more}." if listed else f"There is no {kind} yet."
    return UsageError(
        f"There is no {kind} {name[:80]!r}{of}.", remedy=f"Did you mean {near[0]}? {told}" if near else told
    )
