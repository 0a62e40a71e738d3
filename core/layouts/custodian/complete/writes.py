"""What each verb writes in a store of protocol 0.6 and later: a complete entry, or nothing (docs/custodian.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.edits import Cover
from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, spans, texts
from memdesk.core.layouts.base import Change, Content, Destination, Outcome
from memdesk.core.layouts.custodian import forms, leaving, places, writes
from memdesk.core.layouts.custodian.complete import (
    admission,
    editing,
    evidence,
    ids,
    kinds,
    rendering,
    saying,
    superseding,
)
from memdesk.core.layouts.custodian.complete.vouching import CONFIRMS, REQUIRES, unconfirmed, vouch
from memdesk.core.layouts.custodian.registry import FILE, normal, registry

_LEFT_BEHIND = (
    "supersedes", "superseded-by", "promoted-to", "exception-to", "merged-into", "aliases", "canonical-ref",
)  # labels of other entries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry, Store


def add(draft: Draft, store: Store, content: Content) -> None:
    """A candidate section at the top of `inbox.md`; a line that stood in for candidates goes."""
    words = content.words
    sort = words.get("kind", "") or kinds.UNKNOWN_TYPE
    if sort not in (*kinds.TYPES, kinds.UNKNOWN_TYPE):
        raise Refused(
            f"A candidate of this store can't become a {sort}.", field="kind",
            remedy="It can become a decision, constraint, preference or tombstone; leave the kind out where that is open.",
        )
    document = _file(draft, store, "inbox.md")
    scope = f"area:{words['area']}" if words.get("area") else words.get("scope", "project")
    scope = admission.scope_of(scope)
    tree = draft.workspace.tree
    items = evidence.given(words.get("evidence", ""))
    from_source = evidence.of_source(tree, store, words.get("source", ""))
    items += [from_source] if from_source else []
    if words.get("tag") == "observed" or not items:
        items = [*evidence.for_candidate(words), *items]
    items = evidence.checked(tree, store, items, candidate=True)
    provisional = _provisional(draft, store, words)
    text = admission.with_source(forms.tagged(content.text, words), words, from_source)
    reason = words.get("reason", "")
    title = texts.title_of(content.title)

    def rendered(ident: str) -> str:
        return rendering.candidate(
            ident, title, sort, text, scope=scope, evidence=items, reason=reason, provisional=provisional
        )

    ident = ids.fresh(draft, store, kinds.CANDIDATE.code, content.today, rendered(""))
    meant = {"id": ident, "status": "candidate", "candidate-type": sort, "scope": scope, "statement": text}
    meant |= {"evidence": rendering.bullets(items), "promotion-requirement": rendering.TO_CONFIRM}
    meant |= {"reason": reason} if reason.strip() else {}
    meant |= {"provisional-subject": provisional[0], "provisional-facet": provisional[1]} if provisional else {}
    rendering.read_back(document, rendered(ident), meant)
    stood_in = inbox.placeholders(document)
    left = inbox.emptied(document, Cover((block.start, block.end) for block in stood_in))
    for block in (*stood_in, *left):
        draft.cut_lines(document, block.start, block.end)
    offset = spans.before_sections(document.page).offset
    draft.insert(document, offset, rendered(ident), loose=True, entry=True)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """An entry at its destination, newest first; a file that isn't there is made, and indexed. Raises Refused, naming what is
    missing, for one that would not be complete."""
    place, _, name = destination.id.partition(":")
    kind = kinds.of(destination.id, content.words)
    if content.words.get(REQUIRES) and content.words.get(CONFIRMS) != "yes":
        raise unconfirmed(content.words[REQUIRES])
    if place in forms.FOLDERS:
        document = writes.module_file(draft, store, forms.FOLDERS[place], name, destination.path, content)
        scope = f"area:{name}" if place == "area" else "project"
    else:
        document = _file(draft, store, places.FILES[place])
        scope = admission.scope_of(content.words.get("scope", "project"))
        if scope != "project":
            raise Refused(
                f"It holds for {scope}, and {places.FILES[place]} is the whole project's.", field="scope",
                remedy=f"Put it into {scope}, or say that it holds for the project (--scope project).",
            )
    admission.write(draft, store, document, kind, content, scope)



def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that removes, strikes or archives. What a candidate had to wait for is confirmed before it is taken up."""
    writes.bind(draft, store)
    for entry in entries:
        if entry.role == "subjects":
            _registered(draft, store, entry, entries, outcome)
    if outcome.kind in ("promoted", "moved") or (outcome.kind == "merged" and _worked_in(draft)):
        vouch(entries, outcome.words)
        _nothing_lost(entries)
    if outcome.kind == "struck":
        for entry in entries:
            superseding.strike(draft, store, entry, outcome)
        return
    if outcome.kind == "archived":
        leaving.archive(draft, store, entries, outcome.today)
    elif outcome.kind == "rejected":
        leaving.reject(draft, store, entries, outcome, _rejected)
    elif outcome.kind == "forgotten":
        leaving.forget(draft, store, entries, outcome, _forgotten)
    inbox.leave(draft, entries)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change in place: "replace" makes the text another one that is as complete, "strike" supersedes the entry."""
    writes.bind(draft, store)
    if change.kind == "replace":
        editing.check(draft, store, entry, change.text)
        draft.rewrite(entry, change.text)
        return
    superseding.supersede(draft, store, entry, change)









def _provisional(draft: Draft, store: Store, words: Mapping[str, str]) -> tuple[str, str] | None:
    """The subject and facet that a candidate would have: a registered one, and both or none."""
    subject, facet = words.get("subject", "").strip(), words.get("facet", "").strip()
    if not subject and not facet:
        return None
    if not subject or not facet:
        raise Refused(
            "A candidate names a subject and a facet together, or none.", field="facet" if subject else "subject",
            remedy="Give both, or leave both to who promotes it.",
        )
    draft.look(store.join(FILE))
    found = registry(draft.workspace, store).find(subject)
    if found is None or not found.active:
        raise Refused(
            f"A candidate registers no subject, and there is none called {subject[:60]!r}.", field="subject",
            remedy="Leave subject and facet to who promotes it.",
        )
    return found.reference, admission.facet_of(facet)



def _nothing_lost(entries: Sequence[Entry]) -> None:
    """Raises Refused for a candidate that says under a label what no new entry takes over, and what would so be lost."""
    for entry in entries:
        name = next((name for name in _LEFT_BEHIND if entry.candidate and entry.fields.get(name)), "")
        if name:
            label = rendering.label(name)
            instead = " Where it comes in place of an entry, strike that one, with this text." if name == "supersedes" else ""
            raise Refused(
                f"It has a line {label}:, and what stands there would be left behind.", path=entry.path, line=entry.line,
                remedy=f"Edit it first: take the line out, or put it into a sentence.{instead}",
            )


def _worked_in(draft: Draft) -> bool:
    """Whether a merge changes the entry that it is into: what that says already is not taken up anew."""
    return any(edit.owner >= 0 for work in draft.works.values() for edit in work.edits)


def _rejected(draft: Draft, store: Store, entry: Entry, content: Content) -> None:
    """The tombstone of a rejected entry: the project's, or that of the area which it says."""
    own = saying.said(entry)
    known = {name: own.words[name] for name in ("subject", "facet", "evidence") if own.words.get(name)}
    if entry.fields.get("id") and own.words.get("scope"):
        known["scope"] = own.words["scope"]
    words = {name: value for name, value in (known | dict(content.words)).items() if name not in ("kind", "tag", "source")}
    made = content._replace(text=own.text, words=words)
    scope = admission.scope_of(words.get("scope", "project"))
    name = scope.partition(":")[2]
    if not name:
        admission.write(draft, store, _file(draft, store, "do-not-use.md"), kinds.TOMBSTONE, made, scope, leaving=entry)
        return
    document = draft.look(store.join(f"areas/{name}.md"))
    if document is None:
        raise Refused(
            f"There is no {scope} to keep the tombstone in.", field="scope", remedy="Say project, or make the area first."
        )
    admission.write(draft, store, document, kinds.TOMBSTONE, made, scope, leaving=entry)


def _forgotten(draft: Draft, store: Store, content: Content) -> None:
    """The tombstone that forgetting leaves: a person's word, of no subject."""
    words = {"reason": content.words.get("reason", ""), "evidence": evidence.CONFIRMED}
    text = "Do not reintroduce this unless the user explicitly reverses it."
    made = content._replace(text=text, words=words)
    admission.write(draft, store, _file(draft, store, "do-not-use.md"), kinds.FORGOTTEN, made, "project")


def _registered(draft: Draft, store: Store, entry: Entry, entries: Sequence[Entry], outcome: Outcome) -> None:
    """Raises Refused for a subject that would leave the registry while something is about it, or by anything but forgetting."""
    if outcome.kind != "forgotten":
        raise Refused(
            "A subject stays in the registry: entries name it.", path=entry.path, line=entry.line, remedy="Edit it instead."
        )
    ident = entry.fields.get("id", "")
    leaving_too = {id(one) for one in entries}
    for document in draft.workspace.documents_of(store):
        for other in document.entries:
            named = normal(ident) in {
                normal(other.fields.get(name, "").strip("`.*")) for name in ("subject", "provisional-subject")
            }
            if ident and named and id(other) not in leaving_too:
                raise Refused(
                    f"An entry is about the subject {ident} ({other.path}:{other.line}).", path=entry.path, line=entry.line,
                    field="topic", remedy="Edit the subject's names instead, or forget that entry too.",
                )


def _file(draft: Draft, store: Store, name: str) -> Document:
    writes.bind(draft, store)
    return writes.core_file(draft, store, name)
