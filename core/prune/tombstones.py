"""Rejected paths: those to look at again, since the day that they name has come, and candidates that take one up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import conflicts, fields, layouts
from memdesk.core.near import signature
from memdesk.core.patterns import lazy
from memdesk.core.prune.look import Look, name, place, spot
from memdesk.core.words import words

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store
    from memdesk.core.prune.proposal import Proposal

RECONSIDER, REPEATED = "reconsider", "tombstone"
LEAST = 2  # words that a title must have before words alone can tell that a candidate takes it up
SHARE = 0.5  # of a candidate's words that must be the title's


def to_reconsider(look: Look) -> Iterator[Proposal]:
    """Tombstones whose day to be reconsidered has come. Accepting strikes one: the path is open again. A condition instead of a
    day is a person's to watch."""
    for document in look.spoken(RECONSIDER):
        if not conflicts.is_tombstones(document):
            continue
        for entry in document.entries:
            day = _day(entry)
            if entry.struck or day is None or day > look.today:
                continue
            said = day.isoformat()
            evidence = [f"{place(entry)} is to be reconsidered {said}: that day has come."]
            if entry.fields.get("reason"):
                evidence.append(f"It was rejected because: {entry.fields['reason']}")
            reason = f"reconsidered: the day set for it, {said}, has come"
            yield from look.propose(RECONSIDER, [entry], evidence, reason=reason, verb="strike")


def repeated(look: Look) -> Iterator[Proposal]:
    """Candidates under a tombstone's title, or that say little more than it does. Only a person can tell."""
    for store in look.stores:
        seen: set[Entry] = set()
        documents = conflicts.readable(look.of(store))
        for clash in conflicts.tombstones(documents, look.titles):
            stone, entry = clash.entries
            if entry.candidate and entry not in seen:
                seen.add(entry)
                if not look.dismissed(clash):
                    yield from _rejected(look, stone, entry, "has the title of")
        yield from _alike(look, store, seen)


_DATED = lazy(r"(?:(?:on|from|after|by|in|not before|no earlier than)\s+)?([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w-])", 2)


def _day(entry: Entry) -> date | None:
    match = _DATED.match(entry.fields.get("reconsider", "").strip().strip("*_` "))
    return date.fromisoformat(match[1]) if match and fields.is_date(match[1]) else None


def _alike(look: Look, store: Store, seen: set[Entry]) -> Iterator[Proposal]:
    stones: dict[str, list[tuple[frozenset[str], Entry]]] = {}
    candidates = []
    for document in conflicts.readable(look.of(store)):
        stone = conflicts.is_tombstones(document)
        for entry in document.entries:
            if stone and not entry.struck:
                own = words(entry.fields.get("title") or entry.fields.get("text") or entry.heading)
                if len(own) >= LEAST:
                    stones.setdefault(min(own), []).append((own, entry))
            elif entry.candidate and entry not in seen:
                candidates.append(entry)
    for done, entry in enumerate(candidates if stones else ()):
        look.turn(REPEATED, done, len(candidates))
        said = signature(entry).words
        for word in sorted(said & stones.keys()):
            hit = next((one for own, one in stones[word] if own <= said and len(own) >= SHARE * len(said)), None)
            if hit is not None and conflicts.scope_of(hit) in ("", conflicts.scope_of(entry)):
                yield from _rejected(look, hit, entry, "says little more than")
                break


def _rejected(look: Look, stone: Entry, entry: Entry, how: str) -> Iterator[Proposal]:
    if layouts.get(entry.layout).leaves(entry) != "reject":
        return
    evidence = [f"{spot(entry)}: the candidate {how} a tombstone.", f"{spot(stone)}."]
    if stone.fields.get("reason"):
        evidence.append(f"It was rejected because: {stone.fields['reason']}")
    reason = f'rejected before: tombstone "{name(stone)}"'
    yield from look.propose(REPEATED, [entry], evidence, beside=[stone], reason=reason)
