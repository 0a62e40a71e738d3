"""One active owner for each scope, subject and facet: a second one is refused before it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import texts
from memdesk.core.layouts.custodian.complete import rendering
from memdesk.core.layouts.custodian.complete.registry import Registry, registry
from memdesk.core.layouts.custodian.scopes import NOT_OWNING

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry, Store


def refuse(
    draft: Draft, store: Store, scope: str, subject: str, facet: str, *, besides: Collection[Entry] = (), field: str = "facet"
) -> None:
    """Raises Refused, with the owner's id, path and line and the way on, where an active entry owns this already. `besides`:
    entries that cease to, by this draft. The plan is bound to every file that was looked at."""
    known = registry(draft.workspace, store)
    wanted = key(known, scope, subject, facet)
    for entry in _standing(draft, store):
        if entry not in besides and _owned(known, entry) == wanted:
            raise Refused(
                f"{entry.fields.get('id') or texts.titled(entry)} is the active owner of {scope} / "
                f"{known.called(subject)} / {facet} already ({entry.path}:{entry.line}).", path=entry.path,
                line=entry.line, field=field,
                remedy=f"Supersede it (strike {entry.id}, with what holds now), merge into it, or choose another facet.",
            )
    if any(_owned(known, entry) == wanted for entry in _drafted(draft, store)):
        raise Refused(
            f"Two new entries would own {scope} / {known.called(subject)} / {facet}.", field=field,
            remedy="Take them one by one, each with a facet of its own.",
        )


def key(known: Registry, scope: str, subject: str, facet: str) -> tuple[str, str, str]:
    """What is owned, to compare by: a subject counts under any of its names as one."""
    return _folded(scope), known.canonical(subject), _folded(facet)


def _owned(known: Registry, entry: Entry) -> tuple[str, str, str] | None:
    subject = entry.fields.get("subject", "")
    if not subject or entry.struck or entry.candidate:
        return None
    scope = entry.fields.get("scope") or entry.document.place.scope or "project"
    return key(known, scope, subject, entry.fields.get("facet", ""))


def _standing(draft: Draft, store: Store) -> Iterator[Entry]:
    """The entries that stand in the store and stay in this draft."""
    for document in draft.workspace.documents_of(store):
        if document.place.tier != "durable" or document.place.role in NOT_OWNING or document.problem is not None:
            continue
        draft.look(document.path)
        work = draft.works.get(document.path)
        yield from (entry for entry in document.entries if work is None or entry.index not in work.gone)


def _drafted(draft: Draft, store: Store) -> Iterator[Entry]:
    """The entries that this draft makes."""
    for work in draft.works.values():
        if work.document.store is store and work.document.place.tier == "durable":
            for number in work.made:
                yield from rendering.probe(work.document, work.edits[number].new.decode("utf-8", "replace"))


def _folded(text: str) -> str:
    return " ".join(text.split()).strip("`.*").casefold()
