"""What each verb writes in this layout: the halves that `actions.py` composes, into a Draft (docs/custodian.md)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, spans, striking, texts
from memdesk.core.layouts.base import Change, Content, Destination, Outcome
from memdesk.core.layouts.custodian import forms, index, leaving, places, spots
from memdesk.core.layouts.custodian.places import asks, destinations
from memdesk.core.layouts.custodian.striking import is_one_line, supersede

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry, Store

__all__ = ["add", "amend", "asks", "destinations", "note", "put", "take"]


def add(draft: Draft, store: Store, content: Content) -> None:
    """A candidate bullet in `inbox.md` under today's heading, newest first; a line that stood in for candidates goes."""
    bind(draft, store)
    inbox.add(draft, core_file(draft, store, "inbox.md"), content)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """An entry at its destination, in the form of its neighbours; a file that isn't there is made, and indexed."""
    bind(draft, store)
    kind, _, name = destination.id.partition(":")
    if kind in forms.FOLDERS:
        document = module_file(draft, store, forms.FOLDERS[kind], name, destination.path, content)
        as_decision = kind == "area" and content.words.get("kind", "decision") not in ("constraint", "preference", "fact")
    else:
        document = core_file(draft, store, places.FILES[kind])
        as_decision = kind == "decisions"
    if kind == "do-not-use":
        put_tombstone(draft, document, content)
    elif as_decision:
        _put_decision(draft, document, content)
    else:
        spot = spots.last_bullet(document)
        text = forms.line(content.text, content.words, spot.marker)
        draft.insert(document, spot.offset, text, loose=spot.loose, entry=True)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that removes, strikes or archives; see `leaving.py` and `striking.py`."""
    bind(draft, store)
    if outcome.kind == "struck":
        for entry in entries:
            striking.strike(draft, entry, f"struck {outcome.today.isoformat()}", outcome.reason)
        return
    if outcome.kind == "archived":
        leaving.archive(draft, store, entries, outcome.today)
    elif outcome.kind == "rejected":
        leaving.reject(draft, store, entries, outcome, _rejected)
    elif outcome.kind == "forgotten":
        leaving.forget(draft, store, entries, outcome, _forgotten)
    inbox.leave(draft, entries)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change in place: "replace" makes the text another one, "strike" supersedes it, with a replacement or without."""
    bind(draft, store)
    if change.kind == "replace":
        draft.rewrite(entry, change.text)
        return
    if not change.text.strip():
        striking.strike(draft, entry, f"struck {change.today.isoformat()}", change.words.get("reason", ""))
        return
    supersede(draft, entry, change)


def note(draft: Draft, store: Store, lines: Sequence[str], today: date, at: str) -> None:
    """Changelog lines under today's heading, newest first, where the store keeps a changelog."""
    document = draft.look(store.join("changelog.md"))
    if document is None:
        return
    page = document.page
    day = today.isoformat()
    heading = inbox.dated(document, day)
    bare = next((entry for entry in document.entries if entry.kind == "section" and entry.text == f"## {day}"), None)
    if bare is not None and heading is None:
        draft.absorb(bare)
        heading = spans.entry_heading(page, bare)
    if heading is not None:
        spot = spans.under(page, heading)
    else:
        spot = spans.before_sections(page)
        draft.insert(document, spot.offset, f"## {day}", loose=True)
    for line in lines:
        draft.insert(document, spot.offset, texts.bullet(texts.flat(line), spot.marker), loose=spot.loose, entry=True)


def bind(draft: Draft, store: Store) -> None:
    """Every write depends on the manifest: on its protocol, at least."""
    draft.look(store.join("manifest.md"))


def core_file(draft: Draft, store: Store, name: str) -> Document:
    """A core file, made with its title where it is missing."""
    path = store.join(name)
    return draft.look(path) or draft.make(store, path, forms.title_file(forms.TITLES[name]))


def put_tombstone(draft: Draft, document: Document, content: Content) -> None:
    """A tombstone section, newest first. Raises Refused without a reason."""
    if not content.words.get("reason", "").strip():
        raise Refused(
            "A tombstone needs its reason, so that someone can tell when it no longer holds.", remedy="Say why.", field="reason"
        )
    text = forms.tombstone(content.title, content.words, content.today)
    draft.insert(document, spans.before_sections(document.page).offset, text, loose=True, entry=True)


def _rejected(draft: Draft, store: Store, entry: Entry, content: Content) -> None:
    put_tombstone(draft, core_file(draft, store, "do-not-use.md"), content)


def _forgotten(draft: Draft, store: Store, content: Content) -> None:
    put_tombstone(draft, core_file(draft, store, "do-not-use.md"), content)


def _put_decision(draft: Draft, document: Document, content: Content) -> None:
    if not content.words.get("reason", "").strip():
        raise Refused(
            "A decision without its reason can't be re-evaluated.", path=document.path, remedy="Say why (--reason).",
            field="reason",
        )
    first = next((entry for entry in document.entries if entry.kind != "body"), None)
    if first is not None and is_one_line(first):
        spot = spans.first_bullet(document.page)
        text = forms.one_line_decision(content.text, content.words, content.today, spot.marker)
        draft.insert(document, spot.offset, text, loose=spot.loose, entry=True)
        return
    text = forms.decision(content.title, content.text, content.words, content.today)
    draft.insert(document, spans.before_sections(document.page).offset, text, loose=True, entry=True)


def module_file(draft: Draft, store: Store, folder: str, name: str, path: str, content: Content) -> Document:
    """An area, rule or profile file; where it isn't there or isn't enabled, it is made and indexed."""
    when = forms.applies(name, content.words)
    document = draft.look(path) or draft.make(store, path, forms.module(folder, name, when))
    index.enable(draft, store, folder, name, when)
    return document
