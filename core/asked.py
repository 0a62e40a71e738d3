"""What a request names, as it is found in a workspace: its entries, its store, the destination of a promotion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memdesk.core import across, layouts
from memdesk.core.errors import Refused, UnknownEntry, UsageError

if TYPE_CHECKING:
    from memdesk.core.compose import Action
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.plan import Request


_WITHOUT = frozenset({"add", "forget", "init", "reindex", "clear"})  # verbs that are about no entries


def entries(workspace: Workspace, request: Request) -> list[Entry]:
    """The entries of a request, each once: those to promote as they were named, else by file and line. Raises UnknownEntry."""
    found: dict[tuple[str, int], Entry] = {}
    for ident in request.ids:
        entry = workspace.find(ident)
        found[entry.path, entry.index] = entry
    if not found and request.verb not in _WITHOUT:
        raise UnknownEntry(f"{request.verb} needs the id of an entry.")
    return list(found.values()) if request.verb == "promote" else [found[key] for key in sorted(found)]


def store(workspace: Workspace, request: Request, entries: list[Entry]) -> Store:
    """The one store that a request is about. Raises UsageError, with the list, for none or several."""
    if entries:
        stores = {id(entry.document.store): entry.document.store for entry in entries}
        if len(stores) > 1:
            raise Refused("These entries are of several stores.", remedy="Take one store at a time.")
        return next(iter(stores.values()))
    if request.store is not None:
        found = workspace.stores_named(request.store.rstrip("/"))
    else:
        found = workspace.stores
    if len(found) > 1:
        found = [store for store in found if request.verb in layouts.get(store.layout).verbs]
    if request.verb == "add":
        found = _for_feature(found, bool(request.words.get("feature") or request.words.get("task_id")))
    if len(found) > 1 and request.verb == "add":
        found = _for_kind(found, request.words.get("kind", "")) or found
    if len(found) == 1:
        return found[0]
    if not workspace.stores:
        raise UsageError(f"There is no store here.{workspace.looked_at()}", remedy="Make one with `memdesk init`.")
    known = ", ".join(map(workspace.store_name, workspace.stores))
    message = "Which store?" if found else f"There is no store at {request.store!r}."
    raise UsageError(message, remedy=f"Stores: {known} (--store PATH).")


def destination(action: Action) -> str:
    """The destination that was asked for; where nobody said, the usual or only one of the candidate's own store. Raises
    Refused, with all that there are."""
    area = action.words.get("area", "")
    to = action.words.get("to", "") or (f"area:{area}" if area else "")
    if to:
        return to
    goals = across.goals(action.workspace, action.entries[0])
    here = [goal.destination for goal in goals if goal.store is action.store]
    own = [place.id for place in here if place.usual] or [place.id for place in here]
    if len(own) == 1:
        return own[0]
    known = ", ".join(goal.destination.id for goal in goals)
    raise Refused("Where should it go?", remedy=f"Destinations: {known}.", field="to")


def instead(verb: str, entries: Sequence[Entry]) -> str:
    """The verb that does for these entries what a person asks for by that one; for several that differ in it, that one."""
    found = {layouts.get(entry.layout).instead(verb, entry) for entry in entries}
    return found.pop() if len(found) == 1 else verb


def changeable(entry: Entry) -> None:
    """Raises Refused for what is kept as it was written: the archive, and a log."""
    if entry.tier == "archive":
        raise Refused("The archive is frozen.", path=entry.path, line=entry.line)
    if entry.tier == "log":
        raise Refused("A log is only added to.", path=entry.path, line=entry.line, remedy="Say in a new line what has changed.")


def subjects(workspace: Workspace, ids: Sequence[str]) -> list[str]:
    """What a person's verdict on these is about: for a line that only points at an entry that one's id. Ids that name no
    entry stay."""
    found = []
    for ident in ids:
        try:
            entry = workspace.find(ident)
        except UnknownEntry:
            found.append(ident)
            continue
        meant = layouts.get(entry.layout).subject(workspace, entry)
        found.append(ident if meant is entry else meant.id)
    return list(dict.fromkeys(found))


def _for_feature(stores: list[Store], named: bool) -> list[Store]:
    """The stores that a new candidate goes to which names a feature or task: those that keep memory by feature. One that names
    none goes to the others, where there are any. Raises Refused where no store keeps what was named."""
    keep = [store for store in stores if layouts.get(store.layout).by_feature == named]
    if named and stores and not keep:
        titles = ", ".join(dict.fromkeys(layouts.get(store.layout).title for store in stores))
        raise Refused(f"Nothing is kept by feature and task here: {titles}.", field="feature", remedy="Leave them out.")
    return keep or stores


def _for_kind(stores: list[Store], kind: str) -> list[Store]:
    """The stores that a new candidate of this kind goes to: those whose layout claims it, else those that claim none."""
    claims = [layouts.get(store.layout).kinds for store in stores]
    claimed = [store for store, kinds in zip(stores, claims, strict=True) if kind in kinds]
    return claimed or [store for store, kinds in zip(stores, claims, strict=True) if not kinds]


def only(action: Action, fit: Callable[[Entry], bool]) -> None:
    """Raises Refused for an entry of the action that no verdict on candidates is for."""
    for entry in action.entries:
        if not fit(entry):
            raise Refused(
                f"\u201c{action.title(entry)}\u201d is no candidate.", path=entry.path, line=entry.line,
                remedy="Strike, edit or archive an entry that was accepted.",
            )
