"""Entries that say nearly the same, or the same in another place. Likeness settles nothing: always possible, and never accepted
with others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdesk.core import conflicts, layouts
from memdesk.core.alike import alike
from memdesk.core.prune.look import Look, answers, name, spot

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store
    from memdesk.core.prune.proposal import Proposal

KIND = "near-duplicate"


def near_duplicates(look: Look, known: frozenset[Entry]) -> Iterator[Proposal]:
    """One proposal for each pair of one store that differs in no number, date or denial: the weaker of the two goes. `known`:
    entries that go already, as exact copies or as superseded."""
    for store in look.stores:
        entries = list(_compared(look, store, known))
        if len(entries) < 2:
            continue
        gone: set[Entry] = set()
        yield from _elsewhere(look, entries, gone)
        found = alike(
            entries, look.settings.prune.near, progress=lambda done, total: look.turn(KIND, done, total),
            stopped=look.called_off,
        )
        look.left += [f"{store.path}: {line}" for line in found.left]
        look.turn(KIND, len(entries), len(entries))
        for pair in found.pairs:
            if pair.differs or not _one_matter(pair.first, pair.other):
                continue
            kept, going = _weaker(pair.first, pair.other)
            if going in gone or kept in gone:
                continue  # what it is like goes already
            like = f"says nearly the same ({pair.score:.0%} alike)"
            proposed = list(_proposal(look, kept, going, like, "nearly the same as"))
            if proposed:
                gone.add(going)
                yield from proposed


def _compared(look: Look, store: Store, known: frozenset[Entry]) -> Iterator[Entry]:
    layout = layouts.get(store.layout)
    for document in conflicts.readable(look.of(store)):
        if document.place.role in layout.repeats or conflicts.is_tombstones(document):
            continue
        for entry in document.entries:
            if not entry.struck and entry not in known and entry.kind in ("bullet", "section", "file") and layout.pruned:
                yield entry


def _elsewhere(look: Look, entries: list[Entry], gone: set[Entry]) -> Iterator[Proposal]:
    """The same text in another file or under another heading, where one of them holds for what the other does."""
    groups: dict[bytes, list[Entry]] = {}
    for entry in entries:
        if entry.kind != "file":
            groups.setdefault(conflicts.text_key(entry), []).append(entry)
    for several in groups.values():
        kept = several[0]
        for entry in several[1:]:
            if _one_matter(kept, entry):
                kept, going = _weaker(kept, entry)
                gone.add(going)
                yield from _proposal(look, kept, going, "says the same in another place", "the same as")


def _one_matter(first: Entry, other: Entry) -> bool:
    """Whether the scope of one covers the other: two areas may each say it of themselves, and so may two people's files."""
    if first.document is not other.document and not (first.candidate or other.candidate):
        subjects = layouts.get(first.layout).subjects
        if first.role in subjects or other.role in subjects:
            return False
    for one, entry in ((first, other), (other, first)):
        if one.candidate and not entry.candidate and not answers(entry, one):
            return False
    scopes = {conflicts.scope_of(first), conflicts.scope_of(other)}
    return len(scopes) == 1 or "" in scopes


def _weaker(first: Entry, other: Entry) -> tuple[Entry, Entry]:
    """(the one that stays, the one that goes): a candidate before an entry, the narrower scope, the weaker rank, the older, the
    later in the files."""
    from memdesk.core import ranking

    def weight(entry: Entry) -> tuple[object, ...]:
        rank = ranking.rank(entry).level
        return entry.candidate, conflicts.scope_of(entry) != "", rank, _minus(entry.date), entry.path, entry.line

    return (first, other) if weight(first) <= weight(other) else (other, first)


def _minus(day: str | None) -> int:
    """A number that is smaller for a newer day."""
    return -int(day.replace("-", "")) if day else 0


def _proposal(look: Look, kept: Entry, going: Entry, like: str, reason: str) -> Iterator[Proposal]:
    evidence = [f"{spot(kept)} stays.", f"{spot(going)} {like}."]
    said = f'says {reason} "{name(kept)}" in {kept.document.store.named(kept.path)}'
    yield from look.propose(KIND, [going], evidence, beside=[kept], reason=said, exact=False)
