"""A changed entry is as complete as it was: its id and status stay, what it owns is nobody else's, new evidence is evidence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts.custodian.complete import evidence, kinds, owners, rendering
from memdesk.core.layouts.custodian.entries import BODIES
from memdesk.core.layouts.custodian.registry import FILE, registry, subject
from memdesk.core.layouts.custodian.scopes import NOT_OWNING

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry, Store

_STAYS = ("status", "supersedes", "superseded-by", "promoted-from", "promoted-to", "exception-to", "merged-into")
_KEPT = (
    "scope", "evidence", "subject", "facet", "reason", "candidate-type", "promotion-requirement", "kind", "entry-type",
    "provisional-subject", "provisional-facet",
)  # fmt: skip


def check(draft: Draft, store: Store, entry: Entry, text: str) -> None:
    """Raises Refused, with what is wrong, for a text that would leave an entry with an id less than complete. One without an id
    is a person's to word."""
    ident = entry.fields.get("id", "")
    if not ident:
        return
    found = rendering.probe(entry.document, text)
    if len(found) != 1 or found[0].fields.get("id") != ident:
        raise Refused(
            f"The heading no longer begins with the id {ident}, or the text is more than one entry.", path=entry.path,
            line=entry.line, field="text", remedy="Leave `## ID \u2014` as it is.",
        )
    made = found[0]
    _once(entry, text)
    loose = _loose(draft, store, entry, made)
    for name in _STAYS:
        if name not in loose and made.fields.get(name, "") != entry.fields.get(name, ""):
            raise _refused(entry, f"The field {name} is not changed by hand", "Strike, promote or reject the entry instead.")
    for name in (*_KEPT, *BODIES):
        if entry.fields.get(name) and not made.fields.get(name):
            raise _refused(entry, f"It would lose its {name}", "Leave the field, and change what it says.")
    fresh = [item for item in evidence.own(made) if item not in evidence.own(entry)]
    try:
        evidence.checked(draft.workspace.tree, store, fresh, candidate=entry.candidate)
    except Refused as error:
        raise _refused(entry, error.message.rstrip("."), error.remedy or "Name other evidence.") from None
    if entry.role == "subjects":
        if made.fields.get("") and made.fields[""] != entry.fields.get(""):
            raise _refused(entry, "A subject has fields, and no text of its own", "Write it into an entry that is about it.")
        _names(draft, store, entry, made)
    elif not entry.candidate and not made.struck and entry.tier == "durable":
        _owned(draft, store, entry, made)


def _loose(draft: Draft, store: Store, entry: Entry, made: Entry) -> set[str]:
    """The relations that an edit takes out of an entry, since what they name is nowhere any more; and its status, where that
    went with one: what was superseded by an entry that was forgotten may hold again."""
    if entry.candidate:  # relates to nothing yet
        return {name for name in _STAYS if name != "status" and not made.fields.get(name)}
    dropped = [(kind, target) for kind, target in entry.relations if not made.fields.get(kind)]
    if not dropped:
        return set()
    known = {
        other.fields["id"].casefold() for document in draft.workspace.documents_of(store)
        if draft.look(document.path) is not None for other in document.entries if other.fields.get("id")
    }
    loose = {kind for kind, target in dropped if target.casefold() not in known}
    if made.status != "active":
        return loose - {"superseded-by"}
    return loose | {"status"} if "superseded-by" in loose else loose


def _once(entry: Entry, text: str) -> None:
    """No field comes twice that came once, and no line comes that another reader would take for a field."""
    before, after = _rows(entry.text), _rows(text)
    stood = Counter(row for _, row in before)
    had = Counter(rendering.label_of(row) for _, row in before)
    has = Counter(rendering.label_of(row) for _, row in after)
    for number, row in after:
        label = rendering.label_of(row)
        stood[row] -= 1
        if stood[row] >= 0:
            continue
        if label and has[label] > max(had[label], 1):
            raise _refused(entry, f"Line {number} names the field {label} again", "Put it into a sentence.")
        if label in BODIES and not had[label] and any(had[body] for body in BODIES):
            raise _refused(entry, f"Line {number} gives it a {label} beside its own body", "Put it into a sentence.")
        if not label and rendering.looks_like_label(row):
            raise _refused(entry, f"Line {number} would be read as a field", "Put a blank before it, or make it a sentence.")


def _rows(text: str) -> list[tuple[int, str]]:
    """The lines outside code, with their numbers."""
    rows = text.split("\n")
    return [(number, row) for number, (row, seen) in enumerate(zip(rows, rendering.shown(rows), strict=True), 1) if seen]


def _owned(draft: Draft, store: Store, entry: Entry, made: Entry) -> None:
    before, after = ({name: one.fields.get(name, "") for name in ("scope", "subject", "facet")} for one in (entry, made))
    if before == after and not entry.struck:
        return
    scope = entry.document.place.scope or "project"
    if after["scope"] != before["scope"] and after["scope"] != (scope if entry.role == "area" else "project"):
        raise _refused(entry, f"What stands in {store.named(entry.path)} holds for {scope}", "Promote it to where it belongs.")
    if after["facet"] != before["facet"] and after["facet"] not in kinds.FACETS:
        raise _refused(entry, f"There is no facet {after['facet'][:60]!r}", f"Known: {', '.join(kinds.FACETS)}.")
    if after["subject"] != before["subject"]:
        draft.look(store.join(FILE))
        known = registry(draft.workspace, store).find(after["subject"])
        if known is None or not known.active or known.reference != after["subject"]:
            raise _refused(entry, f"{after['subject'][:60]!r} is no active subject of {FILE}", "Name one by its id.")
    if after["subject"] and entry.role not in NOT_OWNING:
        owners.refuse(draft, store, after["scope"] or scope, after["subject"], after["facet"], besides=(entry,), field="text")


def _names(draft: Draft, store: Store, entry: Entry, made: Entry) -> None:
    """No two active subjects are called the same."""
    after = subject(made)
    for other in registry(draft.workspace, store):
        shared = after.names & other.names
        if other.entry is not entry and other.active and after.active and shared:
            raise _refused(entry, f"{other.reference} is called {min(shared)!r} too", "Choose another name.")


def _refused(entry: Entry, what: str, remedy: str) -> Refused:
    return Refused(f"{what}.", path=entry.path, line=entry.line, field="text", remedy=remedy)
