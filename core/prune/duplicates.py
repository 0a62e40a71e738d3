"""What is said twice: the same text under the same heading of one file, one fact in two files, a candidate that says what an
entry says already."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memdesk.core import conflicts, fields, layouts
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, answers, fits, made, name, place, plural, spot

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Store
    from memdesk.core.prune.proposal import Proposal

KIND = "duplicate"


def duplicates(look: Look) -> Iterator[Proposal]:
    """One proposal for each text: all its copies but the first go. A day's notes may say again what happened again; the same
    text in another file, under another heading or for another scope says it of something else."""
    facts: dict[tuple[int, str, str, str], list[Entry]] = {}
    told = [proposal for store in look.stores for proposal in _told(look, store)]
    merged = {entry for proposal in told if proposal.exact for entry in proposal.entries[: proposal.changes]}
    for document in look.spoken(KIND):
        if document.place.role in layouts.get(document.store.layout).repeats:
            continue
        yield from _in(look, document, merged)
        for entry in document.entries:
            if entry.kind == "file" and not entry.struck and not entry.candidate:
                key = (id(document.store), document.place.role, document.place.scope, _said(entry))
                facts.setdefault(key, []).append(entry)
    for (*_, text), several in facts.items():
        if text and len(several) > 1:
            yield from _copies(look, several)
    yield from told


def copies(document: Document) -> dict[Entry, Entry]:
    """Entry -> the first of the document that says the same to the letter, white space and bullet aside, under the same
    heading (one that only dates is none)."""
    first_of: dict[tuple[bool, tuple[str, ...], bytes], Entry] = {}
    found: dict[Entry, Entry] = {}
    for entry in document.entries:
        if entry.struck or entry.kind not in ("section", "bullet"):
            continue
        path = tuple(title for title in entry.heading_path if not fields.is_date(title.strip()))
        first = first_of.setdefault((entry.candidate, path, conflicts.text_key(entry)), entry)
        if first is not entry:
            found[entry] = first
    return found


def _in(look: Look, document: Document, merged: Collection[Entry]) -> Iterator[Proposal]:
    """The copies in one document, but for those of a candidate that goes with all of its copies (`merged`)."""
    groups: dict[Entry, list[Entry]] = {}
    for entry, first in copies(document).items():
        if first not in merged:
            groups.setdefault(first, [first]).append(entry)
    for several in groups.values():
        yield from _copies(look, several)


def _copies(look: Look, several: list[Entry]) -> Iterator[Proposal]:
    first, *others = several
    store = first.document.store
    same = first.document is others[0].document
    reason = f"said twice in {store.named(first.path)}" if same else f"says the same as {store.named(first.path)}"
    evidence = [f"{spot(first)} says it first, and stays.", *(f"{place(entry)} says the same." for entry in others)]
    yield from look.propose(KIND, others, evidence, beside=[first], title=name(first), reason=reason)


def _told(look: Look, store: Store) -> Iterator[Proposal]:
    """Candidates that say what an entry of their store says: worked into it as they are, nothing is left to say. Copies of one
    go with it, so that no other proposal rests on what this one takes."""
    layout = layouts.get(store.layout)
    candidates: dict[str, list[Entry]] = {}
    again: dict[Entry, list[Entry]] = {}
    for document in look.of(store):
        twice = copies(document) if document.place.role not in layout.repeats else {}
        for entry, first in twice.items():
            again.setdefault(first, []).append(entry)
        for entry in document.entries:
            if not (entry.candidate and entry not in twice and "merge" in layout.verbs and layout.merges(entry)):
                continue
            if text := _said(entry):
                candidates.setdefault(text, []).append(entry)
    if not candidates:
        return
    for document in look.of(store):
        if document.place.tier in conflicts.QUIET_TIERS or document.place.role in layout.repeats:
            continue
        if conflicts.is_tombstones(document):
            continue
        for entry in document.entries:
            if entry.struck or entry.candidate or not layout.mends(entry):
                continue
            waiting = candidates.get(_said(entry))
            if not waiting:
                continue
            # Of a file that is about one person or project, only a person knows whether a note is about it too.
            sure = entry.role not in layout.subjects
            equal = [one for one in waiting if (answers if sure else fits)(entry, one)]
            if equal:
                candidates[_said(entry)] = [one for one in waiting if one not in equal]
                if sure:
                    equal = [one for first in equal for one in (first, *again.get(first, ()))]
                count = plural(len(equal), "candidate says", "candidates say")
                evidence = [f"{spot(entry)} holds already; {count} the same.", *map(spot, equal)]
                ids = tuple(one.id for one in equal)
                request = Request("merge", ids, {"into": entry.id, "text": entry.text})
                yield made(KIND if sure else "near-duplicate", equal, [entry], request, name(entry), evidence)


def _said(entry: Entry) -> str:
    return " ".join(layouts.get(entry.layout).said(entry).text.split()).casefold()
