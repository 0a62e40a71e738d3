"""The inbox's list: what waits, under its file, or under store, feature and task where the layout keeps it so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.lean import NamedTuple
from memdesk.tui.widgets.lines import Row

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry, Store, Workspace

COMPACT = "compact"


class Waiting(NamedTuple):
    """A candidate as the list shows it. `group`: its store and what it is listed under there; () where its file says that."""

    ident: str
    entry: Entry
    age: str
    snoozed: bool = False
    group: tuple[str, ...] = ()


class Heading(NamedTuple):
    """The line above candidates: their file, or their group."""

    path: str
    size: int


class Listing(NamedTuple):
    """The rows, and store and feature of those candidates whose feature has files that wait to be compacted."""

    rows: list[Row]
    compactable: frozenset[tuple[str, ...]]


class Feature(NamedTuple):
    """A feature that files wait for. `where`: its store's name."""

    store: Store
    name: str
    waiting: int
    where: str


def listing(desk: Desk, *, newest_first: bool, with_snoozed: bool) -> Listing:
    """The list: candidates grouped by file where there are several, by date within each; undated ones last. Those that are a
    file each are grouped by folder. A layout may know better what they belong to: then groups of one kind stand together."""
    today = desk.clock.today()
    asleep = {snooze.id for snooze in desk.snoozes()} if with_snoozed else set()
    groups: dict[tuple[str, ...], list[Waiting]] = {}
    names: dict[int, str] = {}
    for entry in desk.candidates(with_snoozed):
        store = entry.document.store
        under = layouts.get(entry.layout).group(entry)
        if under:
            name = names.get(id(store))
            if name is None:
                name = names[id(store)] = desk.workspace.store_name(store)
            under = (name, *under)
        ident = entry.id
        where = under or (entry.path.rpartition("/")[0] or "." if entry.kind == "file" else entry.path,)
        item = Waiting(ident, entry, age(entry.date, today), ident in asleep, under)
        groups.setdefault(where, []).append(item)
    rows: list[Row] = []
    for where in _together(groups):
        waiting = groups[where]
        dated = [item for item in waiting if item.entry.date]
        dated.sort(key=lambda item: item.entry.date or "", reverse=newest_first)
        ordered = dated + [item for item in waiting if not item.entry.date]
        if len(groups) > 1 or len(where) > 1:
            rows.append(Row("", Heading(" · ".join(part for part in where if part), len(ordered))))
        rows += [Row(item.ident, item) for item in ordered]
    return Listing(rows, frozenset((one.where, one.name) for one in features(desk.workspace)))


def features(workspace: Workspace) -> list[Feature]:
    """The features that files wait for, of all stores that are compacted."""
    stores = [store for store in workspace.stores if COMPACT in layouts.get(store.layout).verbs]
    return [
        Feature(store, name, number, workspace.store_name(store))
        for store in stores for name, number in layouts.get(store.layout).waiting(workspace, store).items()
    ]


@lru_cache(maxsize=4096)
def age(day: str | None, today: date) -> str:
    """How long ago: `2d`, `5w`, `3y`; "" without a readable date."""
    try:
        days = (today - date.fromisoformat(day or "")).days
    except ValueError:
        return ""
    if days < 0:
        return "soon"
    return f"{days}d" if days < 100 else f"{days // 7}w" if days < 700 else f"{days // 365}y"


def _together(groups: Mapping[tuple[str, ...], list[Waiting]]) -> list[tuple[str, ...]]:
    """The groups in the order in which they were found; those of one feature one after the other."""
    first: dict[tuple[str, ...], int] = {}
    for where in groups:
        first.setdefault(where[:2], len(first))
    return sorted(groups, key=lambda where: first[where[:2]])
