"""Records against what memory rejects, against each other's plans, and against entries of nearly their title."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from memdesk.core import ranking
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.library import covers, home, record_name, role_rank
from memdesk.core.conflicts.within import Titles, is_tombstones, scope_of, title_key
from memdesk.core.layouts.texts import titled
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.words import words

if TYPE_CHECKING:
    from memdesk.core.conflicts.library import Library
    from memdesk.core.model import Entry

LIKE = 0.75  # share of the longer title's words that two titles must have in common to overlap
LEAST = 2  # words that they must have in common at least


def tombstones(library: Library, titles: Titles) -> Iterator[Conflict]:
    """Tombstones of memory against accepted records (their title, or the record's number in their own) and against current
    entries of other stores under their title; where the one's folder holds the other's, and their scope covers it."""
    stones = [entry for entry in library.entries() if is_tombstones(entry.document)]
    if not stones:
        return
    by_title: dict[str, list[Entry]] = {}
    for record in library.records:
        if library.stands(record):
            by_title.setdefault(title_key(record, titles), []).append(record)
    stone_titles: dict[str, list[Entry]] = {}
    for stone in stones:
        stone_titles.setdefault(title_key(stone, titles), []).append(stone)
        met = [one for one in by_title.get(title_key(stone, titles), ()) if _meet(one, stone) and _scoped(stone, one)]
        yield from (_forbidden(stone, one, "has its title") for one in met)
        for one in _named(stone, library):
            if one not in met and library.stands(one):
                yield _forbidden(stone, one, "is named in its title")
    stone_titles.pop("", None)
    if len({id(document.store) for document in library.memory}) < 2:
        return
    for entry in library.entries():
        if entry.document.place.role and not is_tombstones(entry.document):
            for stone in stone_titles.get(title_key(entry, titles), ()):
                if stone.document.store is not entry.document.store and _meet(stone, entry) and _scoped(stone, entry):
                    reason = f"{titled(entry)!r} has the title of a tombstone"
                    yield Conflict("tombstone", True, reason, (whole(stone), whole(entry)))
                    break


def designs(library: Library, titles: Titles) -> Iterator[Conflict]:
    """Design records of work in progress: several that supersede one record, and one that names an accepted record as
    superseded, but not by its number."""
    claimed: dict[Entry, list[Entry]] = {}
    accepted = {title_key(record, titles): record for record in library.records if library.stands(record)}
    for design in library.designs:
        if ranking.kind(design) != "design":
            continue
        for kind, target in design.relations:
            if kind != "supersedes":
                continue
            record = library.related(design, target)
            if record is None and not target.isdigit():
                record = accepted.get(_key(target))
                if record is not None and _meet(record, design):
                    name = record_name(record)
                    reason = f"it supersedes {name} by its title, without its number"
                    yield Conflict("design", True, reason, (whole(record), whole(design)), name)
                    continue
            if record is not None and design not in claimed.setdefault(record, []):
                claimed[record].append(design)
    for record, several in claimed.items():
        if len(several) > 1:
            name = record_name(record)
            reason = f"{len(several)} design records in progress supersede {name}"
            yield Conflict("design", True, reason, tuple(map(whole, several)), name)


def overlaps(library: Library, titles: Titles, known: set[tuple[Entry, Entry]]) -> Iterator[Conflict]:
    """Entries with nearly the title of a record of opposite status: a current entry and a record that does not stand, a
    tombstone and one that does. Likeness settles nothing: possible. `known`: pairs that another kind tells of already."""
    index = _Index([record for record in library.records if record.struck or library.stands(record)])
    if not index.records:
        return
    for document in library.memory:
        rank = role_rank(document)
        if rank not in ("decision", "constraint", "tombstone", "fact", "preference"):
            continue
        for entry in document.entries:
            if entry.struck or entry.candidate or entry.kind not in ("section", "bullet") or entry.fields.get("scope"):
                continue
            near = [one for one in index.near(entry.fields.get("title") or title_key(entry, titles)) if _around(one[1], entry)]
            opposite = [one for one in near if library.stands(one[1]) == (rank == "tombstone")]
            if not opposite:
                continue
            share, record = max(opposite, key=lambda one: one[0])
            others = max((one[0] for one in near if one not in opposite), default=0.0)
            if others >= share or (record, entry) in known:
                continue  # it is nearer to one that says the same
            name = record_name(record)
            state = "is " + (record.status or "closed")
            what = "rejects what has" if rank == "tombstone" else "has"
            reason = f"it {what} nearly the title of {name}, which {state}"
            yield Conflict("overlap", False, reason, (whole(record), whole(entry)), name)


class _Index:
    """Records by the words of their titles. Two titles alike to LIKE share one of the rarest words of each: only these are
    looked up, so that ten thousand titles cost little more than their own words."""

    def __init__(self, records: list[Entry]) -> None:
        self.records: list[Entry] = []
        self.words: list[frozenset[str]] = []
        self.often: dict[str, int] = {}
        self.holding: dict[str, list[int]] = {}
        for record in records:
            own = words(_title(record))
            if len(own) >= LEAST:
                self.records.append(record)
                self.words.append(own)
                for word in own:
                    self.often[word] = self.often.get(word, 0) + 1
        for at, own in enumerate(self.words):
            for word in self._rarest(own):
                self.holding.setdefault(word, []).append(at)

    def near(self, title: str) -> list[tuple[float, Entry]]:
        """The records that a title overlaps, with the share of words that they have in common."""
        own = words(title)
        if len(own) < LEAST:
            return []
        found = []
        for at in sorted({at for word in self._rarest(own) for at in self.holding.get(word, ())}):
            other = self.words[at]
            both = len(own & other)
            share = both / max(len(own), len(other))
            if both >= LEAST and share >= LIKE:
                found.append((share, self.records[at]))
        return found

    def _rarest(self, own: frozenset[str]) -> list[str]:
        """So many of the rarest words that a title alike to LIKE must hold one of them."""
        spare = len(own) - ceil(LIKE * len(own)) + 1
        return sorted(own, key=lambda word: (self.often.get(word, 0), word))[:spare]


def _named(stone: Entry, library: Library) -> list[Entry]:
    """The records that a tombstone's title names."""
    from memdesk.core.layouts.records.links import references

    title = _title(stone)
    meant = (library.named(stone, ref.number, ref.path) for ref in references(title)) if any(map(str.isdigit, title)) else ()
    return [one.record for one in meant if one is not None and one.sure]


def _forbidden(stone: Entry, record: Entry, how: str) -> Conflict:
    name = record_name(record)
    reason = f"a tombstone forbids what {name} chooses, which {how}"
    return Conflict("tombstone", True, reason, (whole(stone), whole(record)), name)


def _meet(one: Entry, other: Entry) -> bool:
    """Whether one's folder holds the other's: what a package says is nothing to its neighbour."""
    first, second = home(one.document.store), home(other.document.store)
    return covers(first, second) or covers(second, first)


def _around(record: Entry, entry: Entry) -> bool:
    return covers(home(record.document.store), home(entry.document.store))


def _scoped(stone: Entry, other: Entry) -> bool:
    return scope_of(stone) in ("", scope_of(other))


def _key(title: str) -> str:
    from memdesk.core.fields import normal_title

    return normal_title(title)


def _title(entry: Entry) -> str:
    return entry.fields.get("title") or entry.heading
