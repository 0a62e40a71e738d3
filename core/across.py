"""Where a candidate can go in the whole workspace: its own store first, then every other one (verbs.md, promote).

A destination of another store goes by its own id where only one store has it, else by `ID@STORE`, which always works.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence

from memdesk.core import layouts
from memdesk.core.errors import Refused
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Destination, Said
    from memdesk.core.model import Entry, Store, Workspace

AT = "@"
CARRIED = frozenset({"reason", "scope", "source", "kind"})  # words of a candidate that mean the same in every layout


class Goal(NamedTuple):
    """A destination and the store that it is in."""

    store: Store
    destination: Destination


def goals(workspace: Workspace, entry: Entry) -> list[Goal]:
    """Where an entry can go, the destinations of its own store first; their ids are those that `resolve` takes."""
    own = entry.document.store
    others = [store for store in workspace.stores if store is not own and takes(store)]
    before = layouts.get(own.layout).vouched(entry)
    found = [
        Goal(store, destination._replace(asks=(*before, *destination.asks))) for store in (own, *others)
        for destination in layouts.get(store.layout).destinations(workspace, store, entry)
    ]
    often = Counter(goal.destination.id for goal in found)
    return [goal if goal.store is own else _named(workspace, goal, often) for goal in found]


def passing(workspace: Workspace, entry: Entry) -> dict[str, str]:
    """For each destination of an entry the one of the same store that takes what won't last, both by id; those of stores
    without one are left out."""
    found = goals(workspace, entry)
    kept = {
        id(goal.store): goal.destination.id for goal in found
        if goal.destination.id.partition(AT)[0] == layouts.get(goal.store.layout).passing
    }
    return {goal.destination.id: kept[id(goal.store)] for goal in found if id(goal.store) in kept}


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Goal:
    """The destination that an id names: of this store where it has it, else of the one other that has; `ID@STORE` says
    which. Raises Refused, with what is known, for an id that none or several have."""
    plain, at, place = to.rpartition(AT)
    asked = workspace.stores_named(place) if at else []
    unknown = None
    found = []
    for one in asked or (store, *(other for other in workspace.stores if other is not store and takes(other))):
        try:
            goal = Goal(one, layouts.get(one.layout).destination(workspace, one, plain if asked else to, words))
        except Refused as error:
            if error.field != "to":
                raise
            unknown = unknown or error
            continue
        if one is store:
            return goal
        found.append(goal)
    if len(found) > 1:
        ways = ", ".join(f"{plain if asked else to}{AT}{workspace.store_name(goal.store)}" for goal in found)
        raise Refused(f"Several stores have {to!r}.", remedy=f"Say which: {ways}.", field="to")
    if not found:
        assert unknown is not None
        elsewhere = sorted({_family(goal.id) for goal in _elsewhere(workspace, store)})
        more = f" In other stores: {', '.join(elsewhere)}." if elsewhere else ""
        raise Refused(unknown.message, remedy=f"{unknown.remedy}{more}", field="to")
    return found[0]


def carried(said: Said) -> Said:
    """What an entry says, as another layout can use it: how sure its own one was of it, and what only that one reads, stay
    behind. Of what it rests on, the first is its source."""
    words = {key: value for key, value in said.words.items() if key in CARRIED}
    ground = said.words.get("evidence", "").partition("\n")[0]
    if ground and "source" not in words:
        words["source"] = ground.removeprefix("repo:").removeprefix("doc:").removeprefix("test:")
    return said._replace(words=words)


def lost(workspace: Workspace, entry: Entry, text: str, path: str) -> list[str]:
    """What a person should know of a text's links, as it goes from an entry's file to another: those that led to a file of
    the workspace, and from there lead nowhere. The text itself is kept as it is."""
    from memdesk.core.links import links
    from memdesk.core.model import Document

    here, there = posixpath.dirname(entry.path), posixpath.dirname(path)
    if here == there:
        return []
    document = entry.document
    carried = Document(entry.path, document.store, document.place, text.encode("utf-8", "surrogateescape"), lambda _: [])
    found = []
    for link in dict.fromkeys(link.path for link in links(carried) if not (link.wiki or link.path.startswith("/"))):
        led = posixpath.normpath(posixpath.join(here, link))
        leads = posixpath.normpath(posixpath.join(there, link))
        if link and _is_there(workspace, led) and not _is_there(workspace, leads):
            found.append(f"Its link to {link} leads nowhere from {path}: there it is {posixpath.relpath(led, there or '.')}.")
    return found


def takes(store: Store) -> bool:
    """Whether candidates can be promoted into a store."""
    return not store.read_only and "promote" in layouts.get(store.layout).verbs


def _is_there(workspace: Workspace, path: str) -> bool:
    return path.split("/")[0] != ".." and workspace.tree.kind(path) in ("file", "folder")


def _named(workspace: Workspace, goal: Goal, often: Mapping[str, int]) -> Goal:
    place, store = goal.destination, workspace.store_name(goal.store)
    label = f"{place.label} · {store}" if ":" in store else f"{place.label} · {store} ({goal.store.layout})"
    return Goal(goal.store, place._replace(id=place.id if often[place.id] == 1 else f"{place.id}{AT}{store}", label=label))


def _elsewhere(workspace: Workspace, store: Store) -> Sequence[Destination]:
    return [
        destination for other in workspace.stores if other is not store and takes(other)
        for destination in layouts.get(other.layout).destinations(workspace, other, None)
    ]


def _family(ident: str) -> str:
    """`area:storage` as all of its kind are called: `area:NAME`."""
    kind, colon, _ = ident.partition(":")
    return f"{kind}:NAME" if colon else kind
