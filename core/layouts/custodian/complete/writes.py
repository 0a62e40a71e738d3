"""What each verb writes in a store of protocol 0.6 and later: a complete entry, or nothing (docs/custodian.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.edits import Cover
from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, spans, texts
from memdesk.core.layouts.base import Change, Content, Destination, Outcome
from memdesk.core.layouts.custodian import forms, leaving, manifest, places, writes
from memdesk.core.layouts.custodian.complete import (
    editing,
    evidence,
    ids,
    kinds,
    owners,
    rendering,
    saying,
    subjects,
    superseding,
)
from memdesk.core.layouts.custodian.complete.kinds import FACETS, Kind

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry, Store

CONFIRMS = "requirement"  # the word by which a person confirms what a candidate had to wait for
REQUIRES = saying.REQUIRES


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
    scope = _scope(scope)
    tree = draft.workspace.tree
    items = evidence.given(words.get("evidence", ""))
    from_source = evidence.of_source(tree, store, words.get("source", ""))
    items += [from_source] if from_source else []
    if words.get("tag") == "observed" or not items:
        items = [*evidence.for_candidate(words), *items]
    items = evidence.checked(tree, store, items, candidate=True)
    provisional = _provisional(draft, store, words)
    text = _with_source(forms.tagged(content.text, words), words, from_source)
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
        raise _unconfirmed(content.words[REQUIRES])
    if place in forms.FOLDERS:
        document = writes.module_file(draft, store, forms.FOLDERS[place], name, destination.path, content)
        scope = f"area:{name}" if place == "area" else "project"
    else:
        document = _file(draft, store, places.FILES[place])
        scope = _scope(content.words.get("scope", "project"))
        if scope != "project":
            raise Refused(
                f"It holds for {scope}, and {places.FILES[place]} is the whole project's.", field="scope",
                remedy=f"Put it into {scope}, or say that it holds for the project (--scope project).",
            )
    write(draft, store, document, kind, content, scope)


def write(
    draft: Draft, store: Store, document: Document, kind: Kind, content: Content, scope: str, *, over: Entry | None = None
) -> str:
    """A new active entry, newest first in a document, and its id. `over`: the entry that it supersedes. Raises Refused."""
    writes.bind(draft, store)
    words = content.words
    if words.get("status", "active") != "active":
        raise Refused("A new entry is active.", field="status", remedy="A candidate waits in the inbox.")
    reason = words.get("reason", "").strip()
    tree = draft.workspace.tree
    source = "" if over is not None and not words.get("source") else words.get("source", "")
    from_source = evidence.of_source(tree, store, source)
    items = evidence.given(words.get("evidence", ""))
    items += [from_source] if from_source else []
    named = _named(words, over)
    _whole(store, document, kind, reason=reason, subject=named[0], facet=named[1], items=items)
    items = evidence.checked(tree, store, items)
    facet = _facet(named[1], over)
    subject = named[0]
    if subject and over is None:
        subject = subjects.reference(draft, store, subject, evidence=items, today=content.today)
    if subject and document.place.role not in ("rule", "profile"):
        owners.refuse(draft, store, scope, subject, facet, besides=() if over is None else (over,))
    text = _with_source(forms.tagged(content.text, words), words, from_source)
    if words.get("reconsider") and kind.label == "Rejected":
        reason = f"{texts.sentence(reason)} Reconsider: {texts.flat(words['reconsider'])}"
    replaced = "" if over is None else over.fields.get("id", "")
    title = texts.flat(content.title)

    def rendered(ident: str) -> str:
        return rendering.entry(
            ident, title, kind, text, scope=scope, evidence=items, subject=subject, facet=facet, reason=reason,
            supersedes=replaced, kind_named=document.place.role == "area" and kind.code == "AREA" and kinds.typed(store),
        )

    ident = ids.fresh(draft, store, kind.code, content.today, rendered(""))
    meant = {"id": ident, "status": "active", "scope": scope, "evidence": rendering.bullets(items), kind.label.casefold(): text}
    meant |= {name: value for name, value in (("subject", subject), ("facet", facet), ("supersedes", replaced)) if value}
    meant |= {"reason": reason} if reason else {}
    meant |= {"entry-type": kind.name} if "\nEntry-Type: " in rendered(ident) else {}
    rendering.read_back(document, rendered(ident), meant)
    spot = spans.before_sections(document.page).offset
    if over is not None and over.document is document:
        spot = min(spot, over.start) if over.kind == "section" else spot
    draft.insert(document, spot, rendered(ident), loose=True, entry=True)
    return ident


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that removes, strikes or archives. What a candidate had to wait for is confirmed before it is taken up."""
    writes.bind(draft, store)
    for entry in entries:
        if entry.role == "subjects":
            _registered(draft, store, entry, entries, outcome)
    if outcome.kind in ("promoted", "moved", "merged"):
        vouch(entries, outcome.words)
    if outcome.kind == "struck":
        for entry in entries:
            superseding.strike(draft, entry, outcome)
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


def vouch(entries: Sequence[Entry], words: Mapping[str, str]) -> None:
    """Raises Refused for a candidate whose requirement nobody confirmed."""
    asked = {texts.flat(required(entry)): entry for entry in entries if required(entry)}
    if not asked:
        return
    if len(asked) > 1:
        raise Refused("Each of them has a requirement of its own.", remedy="Take them up one by one.", field=CONFIRMS)
    what, entry = next(iter(asked.items()))
    if words.get(CONFIRMS) != "yes":
        raise _unconfirmed(what, entry)


def _unconfirmed(what: str, entry: Entry | None = None) -> Refused:
    return Refused(
        f"What it needs before it is taken up is not confirmed: {texts.shown(what, 300)}",
        path=None if entry is None else entry.path, line=None if entry is None else entry.line, field=CONFIRMS,
        remedy=f"Once it is so, answer yes (--answer {CONFIRMS}=yes); else leave it where it is.",
    )


def required(entry: Entry) -> str:
    """What a candidate says it needs before it is taken up."""
    return entry.fields.get("promotion-requirement", "").strip() if entry.candidate else ""


def _whole(
    store: Store, document: Document, kind: Kind, *, reason: str, subject: str, facet: str, items: Sequence[str]
) -> None:
    """Raises Refused, with all that is missing, for an entry that would not be complete."""
    own = kind.owns or bool(subject or facet)
    found = [
        name for name, there in (
            ("reason", reason or not kind.why), ("subject", subject or not own), ("facet", facet or not own),
            ("evidence", items),
        ) if not there
    ]
    if not found:
        return
    settings: manifest.Manifest = store.settings
    options = ", ".join(f"--{name}" for name in found)
    what = ", ".join(found[:-1]) + (" and " if found[1:] else "") + found[-1]
    why = " A decision without its why can't be re-evaluated." if "reason" in found and kind.label == "Decision" else ""
    raise Refused(
        f"A {kind.name} of protocol {settings.version_text} is not complete without {what}.{why}", path=document.path,
        remedy=f"Fill it in ({options})." if len(found) == 1 else f"Fill them in ({options}).", field=found[0],
    )


def _named(words: Mapping[str, str], over: Entry | None) -> tuple[str, str]:
    """Subject and facet of a new entry; what supersedes an entry owns what that owned."""
    if over is None or not over.fields.get("id"):
        return (words.get("new_subject") or words.get("subject", "")).strip(), words.get("facet", "").strip()
    own = over.fields.get("subject", ""), over.fields.get("facet", "")
    for name, value in zip(("subject", "facet"), own, strict=True):
        given = words.get(name, "").strip()
        if given and subjects.normal(given) != subjects.normal(value):
            raise Refused(
                f"What supersedes an entry keeps its {name}, {value or 'which it has none of'}.", field=name,
                remedy="Leave it out; another subject or facet is another entry: promote it.",
            )
    return own


def _facet(given: str, over: Entry | None) -> str:
    if not given or given.casefold() in FACETS:
        return given.casefold() if over is None else given
    if over is not None:
        return given
    raise Refused(f"There is no facet {given!r}.", field="facet", remedy=f"Known: {', '.join(FACETS)}.")


def _scope(given: str) -> str:
    """A scope as it is written. Raises Refused for one that is neither the project's nor an area's."""
    plain = texts.flat(given).strip("`.")
    if plain.casefold() == "project":
        return "project"
    kind, colon, name = plain.partition(":")
    if kind.casefold() == "area" and colon and manifest.is_name(name.strip()) and name.strip().isascii():
        return f"area:{name.strip()}"
    raise Refused(
        f"The scope {plain[:60]!r} is neither the project nor an area.", field="scope", remedy="Say project, or area:NAME."
    )


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
    draft.look(store.join(subjects.FILE))
    found = subjects.find(subjects.registry(draft.workspace, store), subject)
    if found is None or not found.active:
        raise Refused(
            f"A candidate registers no subject, and there is none called {subject[:60]!r}.", field="subject",
            remedy="Leave subject and facet to who promotes it.",
        )
    return found.reference, _facet(facet, None)


def _with_source(text: str, words: Mapping[str, str], as_evidence: str) -> str:
    """A text with its source behind it, where that is no file that could be evidence."""
    source = texts.flat(words.get("source", ""))
    if not source or as_evidence:
        return text
    closing = f"(from {source})"
    return text if closing in text else f"{text}\n\n{closing}" if texts.ends_in_block(text) else f"{text} {closing}"


def _rejected(draft: Draft, store: Store, entry: Entry, content: Content) -> None:
    """The tombstone of a rejected entry: the project's, or that of the area which it says."""
    own = saying.said(entry)
    known = {name: own.words[name] for name in ("subject", "facet", "evidence") if own.words.get(name)}
    if entry.fields.get("id") and own.words.get("scope"):
        known["scope"] = own.words["scope"]
    words = {name: value for name, value in (known | dict(content.words)).items() if name not in ("kind", "tag", "source")}
    made = content._replace(text=own.text, words=words)
    scope = _scope(words.get("scope", "project"))
    name = scope.partition(":")[2]
    if not name:
        write(draft, store, _file(draft, store, "do-not-use.md"), kinds.TOMBSTONE, made, scope)
        return
    document = draft.look(store.join(f"areas/{name}.md"))
    if document is None:
        raise Refused(
            f"There is no {scope} to keep the tombstone in.", field="scope", remedy="Say project, or make the area first."
        )
    write(draft, store, document, kinds.TOMBSTONE, made, scope)


def _forgotten(draft: Draft, store: Store, content: Content) -> None:
    """The tombstone that forgetting leaves: a person's word, of no subject."""
    words = {"reason": content.words.get("reason", ""), "evidence": evidence.CONFIRMED}
    text = "Do not reintroduce this unless the user explicitly reverses it."
    made = content._replace(text=text, words=words)
    write(draft, store, _file(draft, store, "do-not-use.md"), kinds.FORGOTTEN, made, "project")


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
            named = subjects.normal(ident) in {
                subjects.normal(other.fields.get(name, "").strip("`.*")) for name in ("subject", "provisional-subject")
            }
            if ident and named and id(other) not in leaving_too:
                raise Refused(
                    f"An entry is about the subject {ident} ({other.path}:{other.line}).", path=entry.path, line=entry.line,
                    field="topic", remedy="Edit the subject's names instead, or forget that entry too.",
                )


def _file(draft: Draft, store: Store, name: str) -> Document:
    writes.bind(draft, store)
    return writes.core_file(draft, store, name)
