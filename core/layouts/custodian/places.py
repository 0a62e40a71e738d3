"""Where a candidate can go in this layout, and what each place and verb asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import fields, layouts, questions
from memdesk.core.errors import Refused
from memdesk.core.layouts import naming, texts, usual
from memdesk.core.layouts.base import Ask, Destination, Said
from memdesk.core.layouts.custodian import forms
from memdesk.core.layouts.custodian.manifest import DECISION_GUIDE
from memdesk.core.tokens import count

if TYPE_CHECKING:
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Entry, Store, Workspace

FILES = {
    "decisions": "decisions.md", "constraints": "constraints.md", "preferences": "preferences.md",
    "do-not-use": "do-not-use.md",
}

_LABEL = re.compile(
    r" {0,3}(?:[-*+] )?(?:\*\*)?(?:Reason|Reasoning|Scope|Source|Reconsider|Date|Evidence)(?:\*\*)?:", re.IGNORECASE
)


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """The core files, the areas, rules and profiles that are there, and a new one of each (its id ends in a colon)."""
    title, reason, scope, text = _known(entry)
    asks = {
        "decisions": _decision(title, text, reason, scope),
        "constraints": (_text(text), Ask("tag", "Tag", choices=fields.TAGS)),
        "preferences": (_text(text), Ask("tag", "Tag", choices=fields.TAGS)),
        "do-not-use": _tombstone(title, reason, scope, required=True),
    }
    judged = questions.asks()
    found = [
        Destination(name, file, store.join(file), (*asks[name], *judged), workspace.documents.get(store.join(file)) is None)
        for name, file in FILES.items()
    ]
    for kind, folder in forms.FOLDERS.items():
        fit = (*(_area(title, text, reason, scope) if kind == "area" else (_text(text),)), *judged)
        prefix = store.join(folder) + "/"
        present = {
            document.path for document in workspace.documents_of(store)
            if document.path.startswith(prefix) and document.place.role == kind
        }
        manifest: Manifest = store.settings
        present |= {store.join(module.path) for module in manifest.enabled(folder)}
        for path in sorted(present):
            name = path[len(prefix) :].removesuffix(".md")
            found.append(Destination(f"{kind}:{name}", f"{folder}/{name}.md", path, fit, path not in workspace.documents))
        name_ask = Ask(kind, "Name", required=True, hint=f"{folder}/NAME.md is made and indexed in the manifest.")
        when = Ask("applies", "Applies", hint=f"One line on when this {kind} applies, such as: when a task touches storage")
        found.append(Destination(f"{kind}:", f"a new {kind} …", prefix, (name_ask, when, *fit), True))
    return found


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    title, _, scope, _ = _known(entry)
    if verb == "strike" and not entry.candidate:
        return (
            Ask("with", "Replaced by", long=True, hint="The new text; empty: struck without a replacement."),
            Ask("title", "Title", hint="Of the new entry; made from its text where empty."), Ask("reason", "Reason"),
            Ask("scope", "Scope", default=scope), Ask("tag", "Tag", choices=fields.TAGS),
        )
    if verb == "reject":
        keep = Ask("tombstone", "Leave a tombstone", choices=("no", "yes"), default="no", hint="So that it isn't rediscovered.")
        named, _, *rest = _tombstone(title, "", scope, required=False)
        return (Ask("reason", "Reason"), keep, named, *rest)
    if verb == "forget":
        return (Ask("topic", "Topic", required=True), Ask("mode", "How", choices=("soft", "hard", "purge"), default="soft"))
    return usual.asks(verb, entry)


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names; `area:`, or `area` with the word `area`, is a new one by that name.

    A name that isn't one is made into one: lower case, letters and digits kept. Raises Refused for an unknown id.
    """
    present = {name for document in workspace.documents.values() for name in (document.path, *document.aliases)}
    kind, colon, name = to.partition(":")
    if kind in FILES and not colon:
        path = store.join(FILES[kind])
        return Destination(kind, FILES[kind], path, new=path not in present)
    if kind not in forms.FOLDERS:
        known = [*FILES, *(f"{kind}:NAME" for kind in forms.FOLDERS)]
        raise Refused(f"There is no destination {to!r}.", remedy=f"Known: {', '.join(known)}.", field="to")
    folder = forms.FOLDERS[kind]
    name = (name.strip() or words.get(kind, "").strip()).removesuffix(".md")
    if not name:
        raise Refused(f"Which {kind}?", remedy=f"Give it a name: {kind}:NAME.", field=kind)
    found = naming.file_in(workspace, store.join(folder), name, kind)
    return Destination(f"{kind}:{found.name}", f"{folder}/{found.name}.md", found.path, new=found.new)


def said(entry: Entry) -> Said:
    """An entry's title, text and what it says of itself; the labels of its form are left behind."""
    found = entry.fields
    known = {key: found[key] for key in ("reason", "scope", "area") if found.get(key)}
    if found.get("for"):
        known["kind"] = found["for"]
    if entry.source and not found.get("evidence"):  # what stands as evidence goes with the text
        known["source"] = entry.source
    if entry.kind == "bullet":
        text = found.get("text") or texts.dedented(entry.text)
        return Said(texts.title_of(text), text, known)
    title = found.get("title") or entry.heading
    bodies = ("", "decision", "statement", "constraint", "preference")
    parts = list(dict.fromkeys(found[key] for key in bodies if found.get(key)))
    if found.get("evidence"):
        parts.append(f"Evidence:\n{found['evidence']}")
    return Said(title, "\n\n".join(parts) or title, known)


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in at its end; in a decision behind what was decided, before its reason. Where
    both say the same, the entry's text as it is."""
    if " ".join(said(into).text.split()).casefold() == " ".join(text.split()).casefold():
        return into.text
    if into.kind == "bullet":
        pad = texts.inside(into.text)
        return into.text + "\n" + "\n".join(pad + row if row.strip() else "" for row in text.split("\n"))
    rows = into.text.split("\n")
    at = next((number for number, row in enumerate(rows) if number and _LABEL.match(row)), len(rows))
    head, tail = "\n".join(rows[:at]).rstrip("\n"), "\n".join(rows[at:])
    return f"{head}\n\n{text}" + (f"\n\n{tail}" if tail else "")


def remarks(entry: Entry) -> list[str]:
    """A warning for a decision that is longer than the guide for one."""
    if entry.role not in ("decisions", "area") or "decision" not in entry.fields:
        return []
    tokens = count(entry.text)
    if tokens <= DECISION_GUIDE:
        return []
    return [f"This decision has {tokens} tokens; the guide for one is {DECISION_GUIDE}."]


def _known(entry: Entry | None) -> tuple[str, str, str, str]:
    if entry is None:
        return "", "", "", ""
    title, text, known = layouts.get(entry.layout).said(entry)
    return title, known.get("reason", ""), known.get("scope", ""), text


def _text(text: str) -> Ask:
    return Ask("text", "Text", default=text, long=True)


def _decision(title: str, text: str, reason: str, scope: str) -> tuple[Ask, ...]:
    hint = "A decision without its why can't be re-evaluated."
    why = Ask("reason", "Reason", required=True, default=reason, long=True, hint=hint)
    return (why, Ask("title", "Title", default=title), _text(text), Ask("scope", "Scope", default=scope))


def _area(title: str, text: str, reason: str, scope: str) -> tuple[Ask, ...]:
    default = "decision" if reason else ""
    kind = Ask("kind", "As", choices=("decision", "constraint"), default=default, hint="A constraint is one line.")
    why = Ask("reason", "Reason", default=reason, long=True, hint="A decision needs one.")
    return (kind, why, Ask("title", "Title", default=title), _text(text), Ask("scope", "Scope", default=scope))


def _tombstone(title: str, reason: str, scope: str, *, required: bool) -> tuple[Ask, ...]:
    return (
        Ask("title", "Title", default=title), Ask("reason", "Reason", required=required, default=reason),
        Ask("scope", "Scope", default=scope),
        Ask("reconsider", "Reconsider", hint="YYYY-MM-DD, or a condition."),
    )
