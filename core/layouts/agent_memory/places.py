"""Where a candidate can go in this layout, and what each place and verb asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import layouts, questions
from memdesk.core.errors import Refused
from memdesk.core.layouts import naming, texts, usual
from memdesk.core.layouts.agent_memory import facts, forms
from memdesk.core.layouts.agent_memory.history import versions
from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.layouts.base import Ask, Destination, Said

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Store, Workspace

KINDS = {"person": "people", "project": "projects", "decision": "decisions", "fact": "facts"}  # destination -> role
STANDING = "standing"


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """The durable files that are there, a new one of each kind (its id ends in a colon), and the standing files."""
    asked = (*_fact(entry, store), *questions.asks())
    found: list[Destination] = []
    documents = workspace.documents_of(store)
    for kind, role in KINDS.items():
        folder = folder_of(store, role)
        if folder is None:
            continue
        prefix = store.join(folder) + "/"
        for document in documents:
            if document.place.role == role and document.path.startswith(prefix):
                name = document.path[len(prefix) :].removesuffix(".md")
                label = store.named(document.path)
                found.append(Destination(f"{kind}:{name}", label, document.path, (*asked, *_section(document))))
        new = (
            Ask(kind, "Name", required=True, hint=f"{folder}/NAME.md is made, with its row in {_lint(store).index_file}."),
            Ask("owns", "Owns", hint="What the file holds, for its row in the index."),
            Ask("when_read", "Read when", hint="When to read it, such as: before planning a release"),
        )
        found.append(Destination(f"{kind}:", f"a new {kind} …", prefix, (*new, *asked), True))
    for document in documents:
        if document.place.role == "instructions":
            name = store.named(document.path)
            found.append(Destination(f"{STANDING}:{name}", name, document.path, (*asked, *_section(document))))
    return found


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names: `project:NAME`, or `project` with the word `project`; a name that isn't one is made
    into one. Raises Refused for an unknown id."""
    kind, _, name = to.partition(":")
    name = (name.strip() or words.get(kind, "").strip()).strip("/")
    if kind == STANDING:
        return _standing(workspace, store, name)
    folder = folder_of(store, KINDS[kind]) if kind in KINDS else None
    if folder is None:
        known = [f"{one}:NAME" for one, role in KINDS.items() if folder_of(store, role)]
        raise Refused(f"There is no destination {to!r}.", remedy=f"Known: {', '.join([*known, 'standing:FILE'])}.", field="to")
    name = name.removesuffix(".md")
    if not name:
        raise Refused(f"Which {kind}?", remedy=f"Give it a name: {kind}:NAME.", field=kind)
    found = naming.file_in(workspace, store.join(folder), name, kind)
    return Destination(f"{kind}:{found.name}", store.named(found.path), found.path, new=found.new)


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    if verb == "strike" and not entry.candidate:
        return (
            Ask("with", "Replaced by", long=True, hint="The new text; empty: struck without a replacement."),
            Ask("tag", "Tag", choices=forms.choices(_lint(store)), default="stated"),
            Ask("source", "Source", hint="Where the new text is from."),
            Ask("reason", "Reason"),
        )
    if verb == "reject":
        return (Ask("reason", "Reason", hint="It stays in the note, struck."),)
    if verb == "edit" and entry.tier == "durable":
        hint = "A new meaning strikes the old line and puts the new one below it."
        change = Ask("change", "What changes", required=True, choices=("wording", "meaning"), hint=hint)
        return (change, *usual.asks(verb, entry))
    return usual.asks(verb, entry)


def said(entry: Entry) -> Said:
    """What an entry says; its tag goes with it where it was only observed or inferred, and its note is its source where it
    names none."""
    text = entry.fields.get("text", entry.heading)
    if entry.kind == "section" and entry.fields.get(""):
        text = f"{text}\n\n{entry.fields['']}"
    known = {key: entry.fields[key] for key in ("reason",) if entry.fields.get(key)}
    if entry.fields.get("for"):
        known["kind"] = entry.fields["for"]
    if entry.tag in ("observed", "inferred", "stated"):
        known["tag"] = entry.tag
    if entry.source or entry.candidate:
        known["source"] = entry.source or entry.path
    if entry.candidate:
        known["own"] = entry.id
        if entry.date and entry.tag != "stated":
            known["dated"] = entry.date
    return Said(texts.title_of(entry.fields.get("title") or text), text, known)


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in behind its first paragraph."""
    if " ".join(said(into).text.split()).casefold() == " ".join(text.split()).casefold():
        return into.text
    if into.kind != "bullet":
        return f"{into.text}\n\n{text}"
    pad = texts.inside(into.text)
    return into.text + "\n" + "\n".join(pad + row if row.strip() else "" for row in text.split("\n"))


def remarks(entry: Entry) -> list[str]:
    """A warning where an entry makes a decision stand in two versions."""
    if entry.role != "decisions" or entry.candidate:
        return []
    for several in versions(entry.document):
        others = [version.line for version in several.lines if version.entry is not entry]
        if others and len(others) < len(several.lines):
            lines = ", ".join(map(str, others))
            return [f"Line {lines} states a version of {several.about!r} too: strike the one that no longer holds."]
    return []


def folder_of(store: Store, role: str) -> str | None:
    """The store-relative durable folder of a role, or None."""
    named = {"people", "projects", "decisions"}
    for folder in _lint(store).durable:
        name = folder.rpartition("/")[2]
        if name == role or (role == "facts" and name not in named):
            return folder
    return None


def _lint(store: Store) -> Lint:
    lint: Lint = store.settings
    return lint


def _fact(entry: Entry | None, store: Store) -> tuple[Ask, ...]:
    known = None if entry is None else layouts.get(entry.layout).said(entry)
    tag = known.words.get("tag", "stated") if known else "stated"
    text = known.text if known else ""
    tags = forms.choices(_lint(store))
    asked = [
        Ask("tag", "Tag", required=True, default=tag, choices=tags, hint="stated: you confirm it yourself."),
        Ask("text", "Text", default=text, long=True),
        Ask("source", "Source", default=known.words.get("source", "") if known else ""),
    ]
    if entry is not None and entry.tag == "inferred" and entry.document.store is store:
        asked += [
            Ask("when", "When", hint="A lesson is data: when WHAT broke ..."),
            Ask("fixed", "Fixed by", hint="... WHAT fixed it. Both, or neither."),
            Ask("signals", "Signals", signals=True, hint="Tick those that are independent of each other."),
        ]
    if facts.figure(text) is not None:
        own = known.words.get("dated", "") if known else ""
        asked.append(Ask("observed", "Observed on", default=own, hint="The figure's own date, YYYY-MM-DD."))
    return tuple(asked)



def _section(document: Document) -> tuple[Ask, ...]:
    titles = tuple(dict.fromkeys(document.page.title(block) for block in document.page.blocks if block.kind == "heading"))
    return (Ask("section", "Under", choices=titles),) if len(titles) > 1 else ()


def _standing(workspace: Workspace, store: Store, name: str) -> Destination:
    present = [
        document.path for document in workspace.documents_of(store)
        if document.place.role == "instructions" and name in (document.path, store.named(document.path))
    ]
    if not present:
        known = [
            store.named(document.path) for document in workspace.documents_of(store)
            if document.place.role == "instructions"
        ]
        remedy = f"Known: {', '.join(known)}." if known else "This store has none: make AGENTS.md first."
        raise Refused(f"There is no standing file {name!r}.", remedy=remedy, field="to")
    return Destination(f"{STANDING}:{name}", store.named(present[0]), present[0])
