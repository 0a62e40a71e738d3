"""Where a candidate can go in this layout, what each place and verb asks for, and what an entry says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import layouts, questions
from memdesk.core.errors import Refused
from memdesk.core.layouts import texts, usual
from memdesk.core.layouts.base import Ask, Destination, Said
from memdesk.core.layouts.jonggrang import paths, sections, starter
from memdesk.core.plan import YES

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace

PROJECT, FEATURE = "project-memory", "feature"


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """The project's memory, section by section; for what a fragment says the memory of its feature, which only a compaction
    writes. Nothing is chosen beforehand: little of a feature is worth the whole project."""
    own = entry is not None and entry.document.store is store
    if own and entry is not None and entry.role == "fragment":
        feature = entry.fields.get("feature", "")
        if not feature:
            return []
        return [Destination(f"{FEATURE}:{feature}", f"{feature}: by compaction", store.join(paths.memory_path(feature)))]
    text = "" if entry is None else layouts.get(entry.layout).said(entry).text
    known = {} if entry is None else layouts.get(entry.layout).said(entry).words
    titles = _sections(workspace, store)
    asked = [Ask("section", "Section", required=True, choices=titles, hint="Of the project's memory.")] if titles else []
    if own and known.get("feature"):
        hint = f"That of {known['feature']}: only what a review let pass is taken for the project's."
        asked.append(Ask("reviewed", "Has the review passed?", required=True, choices=("no", YES), hint=hint))
    source = known.get("source", "") if not own else ""
    asked += [
        Ask("text", "Text", default=text, long=True), Ask("reason", "Why", default=known.get("reason", ""), shown=True),
        Ask("source", "Source", default=source), *questions.asks(shown=True),
    ]
    return [Destination(PROJECT, "the project's memory", store.join(paths.PROJECT), tuple(asked))]


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names: `project-memory`. Raises Refused for `feature:ID`, with what does that, and for
    another, with those known."""
    kind, colon, feature = to.partition(":")
    if to == PROJECT:
        return Destination(PROJECT, "the project's memory", store.join(paths.PROJECT))
    if kind == FEATURE and colon:
        raise Refused(
            "What fragments say goes to the feature's memory by compaction.", field=FEATURE,
            remedy=f"memdesk compact {feature if paths.is_feature(feature) else 'FEATURE'} drafts it.",
        )
    raise Refused(f"There is no destination {to!r}.", remedy=f"Known: {PROJECT}, {FEATURE}:ID (by compaction).", field="to")


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    if verb == "strike" and not entry.candidate:
        return (
            Ask("with", "Replaced by", long=True, hint="The new text; empty: struck without a replacement."),
            Ask("reason", "Reason"), Ask("source", "Source", hint="Where the new text is from."),
        )
    if verb == "reject":
        hint = "The next compaction counts it as left out, for this." if entry.role == "fragment" else "It stays, struck."
        return (Ask("reason", "Reason", shown=True, hint=hint),)
    if verb == "merge":
        hint = "Asked where it goes into the project's memory."
        review = Ask("reviewed", "Has the review passed?", choices=("no", YES), hint=hint)
        return (*usual.asks(verb, entry), review)
    return usual.asks(verb, entry)


def said(entry: Entry) -> Said:
    """What an entry says, and of what feature; where it names no source, its memory is that, or its task and day: a fragment
    stays on this machine."""
    found = entry.fields
    text = found.get("text", entry.heading)
    known = {key: found[key] for key in ("reason", "area", "feature") if found.get(key)}
    if found.get("for"):
        known["kind"] = found["for"]
    if entry.role in ("fragment", "archive"):
        parts = (found.get("task", ""), found.get("feature", ""))
        known["source"] = entry.source or " of ".join(part for part in parts if part)
    else:
        known["source"] = entry.source or entry.path
    known["own"] = known["source"]
    if entry.role == "fragment":
        known["compacted"] = "no"
    return Said(texts.title_of(found.get("title") or text), text, known)


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in behind its first paragraph. Where both say the same, the entry's as it is."""
    if " ".join(said(into).text.split()).casefold() == " ".join(text.split()).casefold():
        return into.text
    if into.kind != "bullet":
        return f"{into.text}\n\n{text}"
    pad = texts.inside(into.text)
    return into.text + "\n" + "\n".join(pad + row if row.strip() else "" for row in text.split("\n"))


def promotable(entry: Entry) -> bool:
    """Whether an entry can be promoted: a candidate, or what a feature's memory states."""
    return entry.candidate or (entry.role == "feature" and not entry.struck and not entry.fields.get("promoted"))


def _sections(workspace: Workspace, store: Store) -> tuple[str, ...]:
    """The titles of the project memory's sections, or of those that it will have."""
    document = workspace.documents.get(store.join(paths.PROJECT))
    if document is None:
        return starter.SECTIONS
    return tuple(dict.fromkeys(one.title for one in sections.sections(document.page)))
