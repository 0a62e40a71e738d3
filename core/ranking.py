"""Which source wins where two disagree, by what each is (DESIGN.md, Ranking), and why, in words."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core import layouts
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry


class Rank(NamedTuple):
    """A rank: `level` 1 is the highest, `order` tells those of one level apart; `name` is for people."""

    level: int
    order: int
    name: str


class Weight(NamedTuple):
    """What one side of a conflict weighs: its rank, whether it outranks another and none outranks it, and why."""

    rank: Rank
    wins: bool
    why: str


# What each kind of entry ranks as; layouts say which of their roles is which kind.
RANKS = {
    "design": Rank(1, 0, "design record of the work in progress"),
    "record": Rank(2, 0, "accepted record"),
    "term": Rank(2, 0, "glossary"),
    "constraint": Rank(3, 0, "constraint"),
    "tombstone": Rank(3, 1, "tombstone"),
    "decision": Rank(3, 2, "decision"),
    "fact": Rank(3, 2, "curated fact"),
    "preference": Rank(3, 3, "preference"),
    "note": Rank(4, 0, "soft note"),
    "closed": Rank(4, 1, "record that does not stand"),
}
BINDING = frozenset({"record", "constraint", "tombstone"})  # what holds whether or not a search finds it


def kind(entry: Entry) -> str:
    """The kind of an entry: a key of RANKS. Inferred and suggested lines, and candidates, are soft notes wherever they
    stand; else its layout says."""
    if entry.candidate or entry.tag in ("inferred", "suggested"):
        return "note"
    return layouts.get(entry.layout).rank(entry)


def rank(entry: Entry) -> Rank:
    """The rank of an entry."""
    return RANKS[kind(entry)]


def weigh(entries: Sequence[Entry], about: str = "") -> list[Weight]:
    """The weight of each side of a conflict; `about` is the conflict's kind.

    What a record says of its own status holds against whatever names it as its ground. One that does not stand binds nothing
    by itself; and a design record stands above an accepted record only by naming it.
    """
    ranks = [rank(entry) for entry in entries]
    closed = kind(entries[0]) == "closed"
    state = entries[0].status or "closed"
    if about == "ground" and len(entries) == 2:  # nothing came in its place
        return [
            Weight(ranks[0], True, f"it says itself that it is {state}"),
            Weight(ranks[1], False, f"{_words(ranks[1])}, on a ground that is {state}"),
        ]
    if about == "overlap" and closed:
        unsettled = f"whether this goes against a record that is {state}, a person must say"
        return [Weight(own, False, f"{_words(own)}; {unsettled}") for own in ranks]
    if about == "design" and kind(entries[0]) == "record":
        return [
            Weight(ranks[0], True, f"{_words(ranks[0])}, until a design record names it by its number"),
            Weight(ranks[1], False, f"{_words(ranks[1])}, but it does not name the record by its number"),
        ]
    return [Weight(own, won, _why(own, ranks)) for own, won in zip(ranks, _wins(ranks), strict=True)]


def _wins(ranks: Sequence[Rank]) -> list[bool]:
    highest, lowest = min(ranks), max(ranks)
    return [own[:2] == highest[:2] != lowest[:2] for own in ranks]


def _why(own: Rank, ranks: Sequence[Rank]) -> str:
    highest, lowest = min(ranks), max(ranks)
    if highest[:2] == lowest[:2]:
        return f"{_words(own)}, as the rest: of one rank none wins, a person must settle it"
    first = own[:2] == highest[:2]
    other = lowest if first else highest
    if own.level == other.level:
        return f"{_words(own)}, {'before' if first else 'behind'} {other.name} within it"
    return f"{_words(own)}, {'above' if first else 'below'} {_words(other)}"


def _words(one: Rank) -> str:
    return f"{one.name}: rank {one.level}"
