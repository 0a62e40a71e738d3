"""Query -> bounded evidence: whole entries with their sources, the best first, and everything that was left out named.

It ranks, and a ranking drops things, so what must not be dropped comes first: conflicts, and what binds whether or not it
was found. Words are matched, never meanings (invariant 4). A current entry and the struck ones before it are one source.
An inbox and pointers are no evidence; an archive is history that nobody vouches for, so its matches are only named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from weakref import WeakKeyDictionary

from memdesk.core import bm25, ranking, scoping
from memdesk.core.entrywords import EntryWords
from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packing import STANDING
from memdesk.core.scoping import NOWHERE, Within
from memdesk.core.words import terms

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Document, Entry, Store, Workspace

SILENT = frozenset({"index", "manifest", "subjects", "inbox"})  # roles that are no evidence: pointers, and what awaits review
NAMED = 50  # matches that were left out and are named one by one; of more the number is told
TOMORROW = 1  # days by which a date may lie ahead and still be today's: its writer's clock is in another zone

Kept = WeakKeyDictionary["Document", EntryWords]


class Bounds(NamedTuple):
    """What a recall returns at most: sources, and code points of all text; and the age in days up to which an entry counts
    as current."""

    max_sources: int = 5
    max_chars: int = 2000
    fresh_days: int = 180


class Source(NamedTuple):
    """An entry that answers, whole, and the struck ones that stood in its place before, in reading order.

    `freshness`: "current", "stale" or "unknown", by the entry's newest own date. A struck entry that nothing replaced is a
    source of its own (`entry.struck`)."""

    entry: Entry
    history: tuple[Entry, ...]
    freshness: str


class LeftOut(NamedTuple):
    """A match that is not returned. `chars`: code points of its text, that of its history too."""

    entry: Entry
    chars: int
    reason: str


class Recall(NamedTuple):
    """What a query finds, asked from `within`. `more`: matches that were left out beside those named in `left_out`."""

    query: str
    standing: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    binding: tuple[Entry, ...]
    sources: tuple[Source, ...]
    left_out: tuple[LeftOut, ...]
    more: int = 0
    within: Within = NOWHERE

    @property
    def found(self) -> bool:
        """Whether anything matched."""
        return bool(self.sources or self.left_out or self.binding or self.conflicts)

    @property
    def chars(self) -> int:
        """Code points of all text that is returned."""
        return sum(len(entry.text) for source in self.sources for entry in (*source.history, source.entry))


def recall(
    workspace: Workspace, query: str, *, today: date, bounds: Bounds | None = None, stores: Iterable[Store] | None = None,
    standing: Mapping[str, str] | None = None, kept: Kept | None = None, conflicts: Iterable[Conflict] | None = None,
    within: Within = NOWHERE,
) -> Recall:
    """What the entries of these stores (None: all) say about a query, to somebody who is at work `within` a feature or task.

    `standing`: the settings' own wording by kind of text; `kept` holds the words of documents between calls; `conflicts`:
    those of these stores, where they are known already. Raises UsageError for a query without a word to look for, and for a
    feature, task or phase that isn't there.
    """
    limits = bounds or Bounds()
    chosen = list(workspace.stores if stores is None else stores)
    scoping.check(workspace, chosen, within)
    wanted = asked(query)
    kept = WeakKeyDictionary() if kept is None else kept
    scores = _scores([
        document for document in workspace.documents.values()
        if document.place.role not in SILENT and document.store in chosen
    ], wanted, kept)
    matches = _matches(scores, kept, within)
    taken, left_out = _within(matches, limits)
    returned = {match.entry for match in taken}
    binding = [match.entry for match in matches if match.entry not in returned and _binds(match.entry)]
    binding.sort(key=lambda entry: ranking.rank(entry)[:2])  # and within a rank the best first, as they are
    if conflicts is None:
        from memdesk.core.conflicts import find

        conflicts = find(workspace, chosen) if scores else ()
    if within.feature:
        conflicts = [
            clash for clash in conflicts
            if not all(scoping.standing(side.entry, within).outside for side in clash.sides if side.entry in scores)
        ]
    return Recall(
        query, _standing([*returned, *binding], standing or {}),
        tuple(clash for clash in conflicts if any(side.entry in scores for side in clash.sides)), tuple(binding),
        tuple(
            Source(match.entry, match.history, freshness(match.entry.date, today, limits.fresh_days)) for match in taken
        ),
        tuple(left_out[:NAMED]), max(0, len(left_out) - NAMED), within,
    )


def asked(query: str) -> list[str]:
    """The words that a query looks for. Raises UsageError where it has none."""
    wanted = list(dict.fromkeys(terms(query)))
    if wanted:
        return wanted
    if not query.strip():
        raise UsageError("The query is empty.", remedy="Say in a few words what you want to know.")
    raise UsageError(
        f"The query {query.strip()[:80]!r} has no word to look for: nearly every text has such words.",
        remedy="Name the thing that it is about.",
    )


def freshness(day: str | None, today: date, fresh_days: int) -> str:
    """"current" for a date up to `fresh_days` old, "stale" for an older one; "unknown" without one, and for one that is to
    come: it tells when something is due, not when it was last known to be so."""
    if day is None:
        return "unknown"
    age = (today - date.fromisoformat(day)).days
    if age < -TOMORROW:
        return "unknown"
    return "current" if age <= fresh_days else "stale"


class _Match(NamedTuple):
    entry: Entry
    history: tuple[Entry, ...]
    outside: bool = False  # of another feature than the one that was asked for

    @property
    def chars(self) -> int:
        return len(self.entry.text) + sum(len(past.text) for past in self.history)


def _scores(documents: list[Document], wanted: list[str], kept: Kept) -> dict[Entry, float]:
    """The entries that hold a word of the query, with their scores; archived ones too."""
    words = frozenset(wanted)
    entries: list[Entry] = []
    bags: list[bm25.Bag] = []
    for document in documents:
        own = kept.get(document)
        if own is None:
            own = kept[document] = EntryWords(document)
        entries += document.entries
        bags += own.bags(document, words)
    return {entries[index]: score for index, score in bm25.scores(wanted, bags).items()}


def _matches(scores: Mapping[Entry, float], kept: Kept, within: Within) -> list[_Match]:
    """What matches, the best first: the entries of one chain are one, with the best score among them. The task that was asked
    for comes before all others, other features come last. Ties go to the narrowest file (see `EntryWords.place`), then to
    what stands first."""
    best: dict[Entry, float] = {}
    for entry, score in scores.items():
        heads = kept[entry.document].heads(entry.document)
        head = entry.document.entries[heads[entry.index]] if entry.index in heads else entry
        best[head] = max(score, best.get(head, 0.0))
    pasts: dict[Entry, list[Entry]] = {}
    for document in {head.document for head in best}:
        entries = document.entries
        for past, index in sorted(kept[document].heads(document).items()):
            pasts.setdefault(entries[index], []).append(entries[past])
    weighed = [(head, score, scoping.standing(head, within)) for head, score in best.items()]
    ordered = sorted(
        (own.outside, own.behind, -score * own.weight, kept[head.document].place, head.line, head.index, head)
        for head, score, own in weighed
    )
    return [_Match(head, tuple(pasts.get(head, ())), outside) for outside, *_, head in ordered]


def _within(matches: list[_Match], limits: Bounds) -> tuple[list[_Match], list[LeftOut]]:
    """What fits, whole and in order, and the rest with the reason: a smaller one may still fit where a larger did not."""
    taken: list[_Match] = []
    left: list[LeftOut] = []
    used = 0
    for match in matches:
        if match.entry.tier == "archive":
            reason = "archived"
        elif match.outside:
            reason = f"of another feature: {scoping.feature_of(match.entry)}"
        elif len(taken) >= limits.max_sources:
            reason = f"beyond the first {limits.max_sources} sources"
        elif used + match.chars > limits.max_chars:
            reason = f"it would not fit: {used} + {match.chars} of {limits.max_chars} characters"
        else:
            taken.append(match)
            used += match.chars
            continue
        left.append(LeftOut(match.entry, match.chars, reason) if len(left) < NAMED else LeftOut(match.entry, 0, reason))
    return taken, left


def _binds(entry: Entry) -> bool:
    return not entry.struck and entry.tier != "archive" and ranking.kind(entry) in ranking.BINDING


def _standing(held: list[Entry], own: Mapping[str, str]) -> tuple[str, ...]:
    """A standing line for each rank of what is held, the highest first; curated memory's line where nothing is."""
    kinds = {_STANDING_OF.get(ranking.rank(entry).level, "memory") for entry in held}
    chosen = [kind for kind in STANDING if kind in kinds] or ["memory"]
    return tuple(own.get(kind) or STANDING[kind] for kind in chosen)


_STANDING_OF = {1: "records", 2: "records", 4: "notes"}  # level of a rank -> kind of standing line; else curated memory's
