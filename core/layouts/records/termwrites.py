"""What the verbs write of terms: the glossary, and the list of words that await it (docs/records.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import stops, strikes
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, texts
from memdesk.core.layouts.records import asks, newterm
from memdesk.core.layouts.records.kept import GLOSSARY, TERMS

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Content, Outcome
    from memdesk.core.model import Document, Entry, Store


def wait(draft: Draft, store: Store, content: Content) -> None:
    """A line of a word that awaits the glossary."""
    term = newterm.read(content.text)
    if term is None:
        raise Refused(
            "A term says the word and what it means.", field="text", remedy='Write it as "WORD: what it means here".'
        )
    if content.words.get("avoid"):
        term = term._replace(avoid=content.words["avoid"])
    newterm.check(term, _terms(draft, store))
    document = _waiting_list(draft, store)
    items = spans.top(document.page, "item")
    marker = spans.marker(document.page, items[-1].start) if items else "-"
    line = newterm.waiting(term, content.words, marker)
    draft.insert(document, len(document.data), line, loose=_is_loose(document), entry=True)


def define(draft: Draft, store: Store, own: Entry | None, content: Content) -> None:
    """A term in the glossary, which is made where there is none."""
    words = content.words
    term = newterm.Term(texts.flat(content.title), content.text, words.get("avoid", ""))
    if own is None or own.role != "terms":
        split = newterm.read(content.text)
        if split is not None and not words.get("title"):
            term = newterm.Term(split.name, split.text, words.get("avoid") or split.avoid)
        elif not words.get("title"):
            raise Refused("Which word is it?", remedy="Give the term itself (--title).", field="title")
    newterm.check(term, _terms(draft, store), own)
    document = draft.make(store, store.join(GLOSSARY), b"# Words\n\n## Language\n")
    newterm.insert(draft, document, term, words.get("section", ""))


def take(draft: Draft, entry: Entry, outcome: Outcome) -> None:
    """A word leaves the list, or is struck on it, with date and reason. Raises Refused."""
    if outcome.kind in ("promoted", "moved", "merged"):
        draft.cut(entry)
        return
    reason = texts.flat(outcome.reason)
    shape.words(reason, "reason")
    stops.values([(entry.path, reason)], "reason")
    span = spans.first_paragraph(entry.document.page, entry) if entry.kind == "bullet" else None
    if span is None:
        raise Refused(
            "Only a word on a bullet can be struck in place.", path=entry.path, line=entry.line, remedy="Edit the file by hand."
        )
    text = entry.document.data[slice(*span)].decode("utf-8", "surrogateescape")
    avoid = text.find("\n")
    end = span[0] + len(text[:avoid].rstrip("\r").encode("utf-8", "surrogateescape")) if avoid >= 0 else span[1]
    strikes.strike(text[:avoid] if avoid >= 0 else text)
    draft.absorb(entry)
    draft.patch(entry.document, span[0], span[0], "~~")
    draft.patch(entry.document, end, end, f"~~ {outcome.kind} {outcome.today.isoformat()}" + (f": {reason}" if reason else ""))


def retire(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A term leaves the glossary; its definition stays, struck, with the words that await it."""
    if entry.role != "glossary":
        raise Refused(
            "A design note isn't struck.", path=entry.path, line=entry.line, remedy="Edit it, and give it the status rejected."
        )
    if change.text.strip():
        raise Refused(
            "A term has no replacement.", path=entry.path, line=entry.line, field="with",
            remedy="Edit its definition, or strike it and add the other word.",
        )
    reason = texts.flat(change.words.get("reason", ""))
    shape.words(reason, "reason")
    stops.values([(entry.path, reason)], "reason")
    term = newterm.of(entry)
    avoid = f" (avoid: {texts.flat(term.avoid)})" if term.avoid else ""
    said = strikes.strike(f"**{term.name}**: {texts.flat(term.text)}{avoid}")
    document = _waiting_list(draft, store)
    line = f"- {said} struck {change.today.isoformat()}" + (f": {reason}" if reason else "")
    draft.cut(entry)
    draft.insert(document, len(document.data), line, loose=_is_loose(document))


def _terms(draft: Draft, store: Store) -> list[Entry]:
    """All terms of a store, those that await the glossary too; looking binds the plan."""
    found: list[Entry] = []
    for path in (store.join(GLOSSARY), f"{asks.design_folder(store)}/{TERMS}"):
        document = draft.look(path)
        found += document.entries if document is not None else []
    return found


def _waiting_list(draft: Draft, store: Store) -> Document:
    return draft.make(store, f"{asks.design_folder(store)}/{TERMS}", b"# Candidates for the glossary\n")


def _is_loose(document: Document) -> bool:
    items = spans.top(document.page, "item")
    return not items or spans.are_loose(document.page, items)
