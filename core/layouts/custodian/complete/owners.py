"""One active owner for each scope, subject and facet: a second one is refused before it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memdesk.core import conflicts
from memdesk.core.errors import Refused
from memdesk.core.layouts import texts
from memdesk.core.layouts.custodian import scopes
from memdesk.core.layouts.custodian.complete import rendering
from memdesk.core.layouts.custodian.registry import registry

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry, Store, Workspace


def refuse(
    draft: Draft, store: Store, scope: str, subject: str, facet: str, *, besides: Collection[Entry] = (), field: str = "facet"
) -> None:
    """Raises Refused, with the owner's id, path and line and the way on, where an active entry owns this already. `besides`:
    entries that cease to, by this draft. The plan is bound to every file that was looked at."""
    known = registry(draft.workspace, store)
    wanted = scopes.claim(known, scope, subject, facet)
    for entry in standing(draft, store):
        if entry not in besides and scopes.owned_by(known, entry) == wanted:
            raise Refused(
                f"{entry.fields.get('id') or texts.titled(entry)} is the active owner of {wanted.name} already "
                f"({entry.path}:{entry.line}).", path=entry.path, line=entry.line, field=field,
                remedy=f"Supersede it (strike {entry.id}, with what holds now), merge into it, or choose another facet.",
            )
    if any(scopes.owned_by(known, entry) == wanted for entry in _drafted(draft, store)):
        raise Refused(
            f"Two new entries would own {wanted.name}.", field=field,
            remedy="Take them one by one, each with a facet of its own.",
        )


def active(workspace: Workspace, store: Store) -> Iterator[Entry]:
    """The entries that hold in the store, where the check looks for owners too."""
    for document in _owning(workspace, store):
        yield from (entry for entry in document.entries if not (entry.struck or entry.candidate))


def standing(draft: Draft, store: Store) -> Iterator[Entry]:
    """Those that stay in this draft, which is bound to all their files."""
    for document in _owning(draft.workspace, store):
        draft.look(document.path)
    for entry in active(draft.workspace, store):
        work = draft.works.get(entry.path)
        if work is None or entry.index not in work.gone:
            yield entry


def _owning(workspace: Workspace, store: Store) -> list[Document]:
    documents = conflicts.readable(workspace.documents_of(store))
    return [document for document in documents if document.place.role not in scopes.NOT_OWNING]


def _drafted(draft: Draft, store: Store) -> Iterator[Entry]:
    """The entries that this draft makes."""
    for work in draft.works.values():
        if work.document.store is store and work.document.place.tier == "durable":
            for number in work.made:
                made = rendering.probe(work.document, work.edits[number].new.decode("utf-8", "replace"))
                yield from (entry for entry in made if not (entry.struck or entry.candidate))
