"""Which source wins where two disagree, by what each is (DESIGN.md, Ranking)."""

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
}
BINDING = frozenset({"record", "constraint", "tombstone"})  # what holds whether or not a search finds it


def kind(entry: Entry) -> str:
    """The kind of an entry: a key of RANKS. Inferred and suggested lines, and candidates, are soft notes wherever they
    stand."""
    if entry.candidate or entry.tag in ("inferred", "suggested"):
        return "note"
    return layouts.get(entry.layout).ranks.get(entry.role, "note")


def rank(entry: Entry) -> Rank:
    """The rank of an entry."""
    return RANKS[kind(entry)]


def winners(entries: Sequence[Entry]) -> list[bool]:
    """For each of several that disagree, whether it outranks another and none outranks it. Of one rank none wins: a person
    must settle it."""
    ranks = [rank(entry) for entry in entries]
    highest, lowest = min(ranks), max(ranks)
    return [own[:2] == highest[:2] != lowest[:2] for own in ranks]
