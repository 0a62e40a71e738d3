"""Where a candidate can go in this layout, and what each place and verb asks for."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import fields, layouts, questions
from memdesk.core.errors import Refused
from memdesk.core.layouts import naming, texts
from memdesk.core.layouts.base import Ask, Destination, Said
from memdesk.core.layouts.records import newterm, statuses, style
from memdesk.core.layouts.records.kept import GLOSSARY

if TYPE_CHECKING:
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.model import Entry, Store, Workspace

ADR, DESIGN, TERM = "adr", "design", "term"
KNOWN = f"{ADR}, {DESIGN}:NAME, {TERM}"
# The three tests of a record: field, what is asked in short (it fits a dialog) and in full, and what a "no" says.
TESTS = (
    ("lasts", "Hard to reverse?", "Hard to reverse?", "it is easy to change later"),
    ("surprises", "Surprising?", "Surprising without its context?", "it surprises nobody"),
    ("traded", "A trade-off?", "A real trade-off between named options?", "nothing was given up for it"),
)
_LABELS = {"context": "Context", "options": "Considered options", "consequences": "Consequences"}


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """Records, the glossary and design notes, the usual one first. A proposed record of this store is accepted where it is."""
    own = entry is not None and entry.document.store is store
    record = Destination(ADR, "a decision record", folder(store), (*_record(entry), *tests(), *questions.asks()))
    if own and entry is not None and entry.role == "record":
        asked = (*_missing(entry), _supersedes(), *tests(), *questions.asks())
        record = Destination(ADR, "accept it", entry.path, asked, usual=True)
    term = Destination(TERM, GLOSSARY, store.join(GLOSSARY), (*_term(workspace, store, entry), *questions.asks()))
    word = own and entry is not None and entry.role == "terms"
    found = [term._replace(usual=True), record] if word else [record, term]
    found[1:1] = _designs(workspace, store, entry)
    return found


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names; `design:NAME`, or `design` with the word `design`, may be a new one. Raises Refused."""
    kind, colon, name = to.partition(":")
    if kind == ADR and not colon:
        return Destination(ADR, "a decision record", folder(store))
    if kind == TERM and not colon:
        path = store.join(GLOSSARY)
        return Destination(TERM, GLOSSARY, path, new=path not in workspace.documents)
    if kind != DESIGN:
        raise Refused(f"There is no destination {to!r}.", remedy=f"Known: {KNOWN}.", field="to")
    name = (name.strip() or words.get(DESIGN, "").strip()).strip("/")
    if not name:
        raise Refused("Which design note?", remedy="Give it a name: design:NAME.", field=DESIGN)
    found = naming.file_in(workspace, design_folder(store), name, DESIGN)
    return Destination(f"{DESIGN}:{found.name}", store.named(found.path), found.path, new=found.new)


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    if verb == "strike":
        if entry.candidate or entry.role != "record":
            return (Ask("reason", "Reason", hint="It stays on disk, with the date."),)
        return (
            Ask("title", "Title", hint="Of the record that supersedes it; made from its decision where empty."),
            Ask("with", "Decision", required=True, long=True, hint="What holds instead."),
            Ask("reason", "Why", required=True, long=True, hint="What changed: the context of the new record."),
            Ask("options", "Considered options", long=True), Ask("consequences", "Consequences", long=True),
        )
    if verb == "reject":
        keep = Ask(
            "tombstone", "Leave a tombstone", choices=("no", "yes"), default="no",
            hint="In the store that keeps tombstones, if there is one.",
        )
        return (
            Ask("reason", "Reason", hint="It stays on disk, with the date."), keep,
            Ask("title", "Title", default=said(entry).title), Ask("scope", "Scope"),
            Ask("reconsider", "Reconsider", hint="YYYY-MM-DD, or a condition."),
        )
    if verb == "merge":
        return (Ask("into", "Into", required=True), Ask("text", "Merged text", long=True))
    if verb == "edit":
        return (Ask("text", "Text", required=True, default=entry.text, long=True),)
    return ()


def said(entry: Entry) -> Said:
    """What a record decides or a term means; a record's why goes with it as its reason."""
    if entry.role in ("glossary", "terms"):
        term = newterm.of(entry)
        bracket = fields.bracket(entry.fields.get("text", ""))[1]
        known = {"avoid": term.avoid} if term.avoid else {}
        known |= {"source": bracket["from"]} if bracket.get("from") else {}
        known |= {"reason": bracket["reason"]} if bracket.get("reason") else {}
        return Said(term.name, term.text, {**known, "own": entry.id} if entry.candidate else known)
    own = entry.fields
    known = {"reason": reason} if (reason := own.get("reason") or own.get("context", "")) else {}
    known |= {part: own[part] for part in ("options", "consequences") if own.get(part)}
    known |= {"scope": own["scope"]} if own.get("scope") else {}
    text = own.get("decision") or own.get("title") or entry.heading
    return Said(own.get("title") or entry.heading, text, {**known, "own": entry.id} if entry.candidate else known)


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in at its end."""
    if into.kind == "bullet":
        pad = texts.inside(into.text)
        return into.text + "\n" + "\n".join(pad + row if row.strip() else "" for row in text.split("\n"))
    return f"{into.text} {texts.flat(text)}" if into.kind == "row" else f"{into.text}\n\n{text}"


def remarks(entry: Entry) -> list[str]:
    """A warning for a record that is accepted and names nothing that was given up for it."""
    if entry.role != "record" or entry.status not in statuses.CURRENT or entry.fields.get("options"):
        return []
    return ["It names no considered option, so nobody sees what it was chosen over."]


def tests() -> tuple[Ask, ...]:
    """The three tests of a record, as questions; what fails one belongs somewhere else."""
    hint = "If not: a design note (design:NAME), or the glossary for a word (term)."
    return tuple(
        Ask(field, short, choices=("yes", "no", "unsure"), hint=f"{full} {hint}", shown=True) for field, short, full, _ in TESTS
    )


def stop(words: Mapping[str, str]) -> None:
    """Raises Refused, with another place, where an answer says that this should be no record."""
    for field, _, label, against in TESTS:
        answer = words.get(field, "").strip().casefold()
        if answer == "no":
            remedy = "Put it into a design note (design:NAME), or a word into the glossary (term)."
            raise Refused(f"By your answer {against}: then it is no record.", remedy=remedy, field=field)
        if answer == "unsure":
            raise Refused(
                f"Unsure: {label}", remedy="Leave it proposed until that is known, or put it into a design note.", field=field
            )


def folder(store: Store) -> str:
    """The workspace-relative folder that new records go to."""
    kept: Kept = store.settings
    return posixpath.normpath(posixpath.join(store.path, kept.records[0]))


def folder_of(entry: Entry) -> str:
    """The workspace-relative folder of a record."""
    return posixpath.dirname(entry.path) or "."


def design_folder(store: Store) -> str:
    """The workspace-relative folder of design records, and of the words that await the glossary."""
    kept: Kept = store.settings
    return posixpath.normpath(posixpath.join(store.path, kept.design))


def _record(entry: Entry | None) -> tuple[Ask, ...]:
    known = None if entry is None else layouts.get(entry.layout).said(entry)
    why = known.words.get("reason", "") if known else ""
    return (
        Ask("title", "Title", default=known.title if known else ""),
        Ask("text", "Decision", default=known.text if known else "", long=True),
        Ask("reason", "Context", required=True, default=why, long=True, hint="What made a decision necessary; why this one."),
        Ask("options", "Considered options", long=True, hint="By their names, with what spoke against each."),
        Ask("consequences", "Consequences", long=True),
        Ask("status", "Status", choices=("accepted", "proposed"), default="accepted"), _supersedes(),
    )


def _missing(entry: Entry) -> tuple[Ask, ...]:
    """The parts that a draft does not have yet, and a record should have."""
    own = entry.fields
    have = {part for part in style.PARTS if own.get(part)}
    if own.get("reason"):
        have.add("context")
    hint = {"context": "A record without its why can't be judged later."}
    return tuple(
        Ask(part, label, required=part == "context", long=True, hint=hint.get(part, ""))
        for part, label in _LABELS.items() if part not in have
    )


def _supersedes() -> Ask:
    return Ask("supersedes", "Supersedes", hint="Numbers of records, such as 7, beside those that it names itself.")


def _term(workspace: Workspace, store: Store, entry: Entry | None) -> tuple[Ask, ...]:
    word, text, avoid = "", "", ""
    if entry is not None:
        known = layouts.get(entry.layout).said(entry)
        word, text, avoid = "", known.text, known.words.get("avoid", "")
        if entry.role == "terms" and entry.layout == store.layout:
            word = known.title
        elif (split := newterm.read(known.text)) is not None:
            word, text, avoid = split
    document = workspace.documents.get(store.join(GLOSSARY))
    above = [one.heading_path[-1] for one in document.entries if one.heading_path] if document is not None else []
    groups = tuple(dict.fromkeys(above))
    under = (Ask("section", "Under", choices=groups),) if len(groups) > 1 else ()
    return (
        Ask("title", "Term", required=True, default=word), Ask("text", "Means", required=True, default=text, long=True),
        Ask("avoid", "Avoid", default=avoid, hint="Other words for it, with commas."), *under,
    )


def _designs(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """The design notes that are being worked on, and a new one."""
    known = None if entry is None else layouts.get(entry.layout).said(entry)
    fit = (
        Ask("title", "Title", default=known.title if known else ""),
        Ask("text", "Text", default=known.text if known else "", long=True), *questions.asks(),
    )
    place = design_folder(store) + "/"
    found = [
        Destination(f"{DESIGN}:{_stem(document.path[len(place) :])}", store.named(document.path), document.path, fit)
        for document in workspace.documents_of(store)
        if document.place.role == "design" and document.path.startswith(place)
        and not any(entry.status in (statuses.CLOSED | statuses.CURRENT) for entry in document.entries)
    ]
    name = Ask(DESIGN, "Name", required=True, hint=f"{store.named(place)}NAME.md is made.")
    found.append(Destination(f"{DESIGN}:", "a new design note …", place, (name, *fit), True))
    return found


def _stem(name: str) -> str:
    return name.removesuffix(".md")
