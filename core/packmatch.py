"""Which piece of one pack is which of another: by its text and place, by what its layout knows it by, by likeness."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import islice

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.linemerge import align

if TYPE_CHECKING:
    from typing import TypeAlias

    from memdesk.core.model import Entry
    from memdesk.core.packseen import Piece

ALIKE = 0.5  # of their letters and words, in order: two texts of one file are then one that was edited
_LONGEST = 4000  # characters that are compared
_MOST = 2500  # pairs of one file that are all compared; of more, those at the same place among what is left
_CEILING = 20_000  # of those: a file of more than that was not edited entry by entry

Files: TypeAlias = "Mapping[str, Sequence[Piece]]"  # by path
Scores: TypeAlias = "dict[tuple[str, str], float]"


class Match(NamedTuple):
    """Two pieces that are one. `same`: in text; `still`: in its place among the others of its file too."""

    before: Piece
    after: Piece
    same: bool
    still: bool


class Matched(NamedTuple):
    """Every piece of both packs is in one match, or left."""

    pairs: list[Match]
    before: list[Piece]
    after: list[Piece]


def match(before: Files, after: Files, scores: Scores) -> Matched:
    """What became of each piece. `scores` keeps how alike texts are, for other packs of the same two workspaces."""
    made = _Matching(before, after)
    made.in_place()
    made.equal(lambda piece: (piece.path, piece.whole, piece.text))
    made.equal(lambda piece: (piece.whole, piece.text))
    made.known(lambda piece, name: (piece.path, name))
    made.rests()
    made.edited(scores)
    made.known(lambda piece, name: name)
    return Matched(made.pairs, list(made.before.values()), list(made.after.values()))


class _Matching:
    """`before` and `after` hold what is left, in order, by a number."""

    def __init__(self, before: Files, after: Files) -> None:
        self.pairs: list[Match] = []
        self.before = dict(enumerate(piece for pieces in before.values() for piece in pieces))
        self.after = dict(enumerate(piece for pieces in after.values() for piece in pieces))

    def pair(self, one: int, other: int, *, same: bool = False, still: bool = False) -> None:
        self.pairs.append(Match(self.before.pop(one), self.after.pop(other), same, still))

    def in_place(self) -> None:
        """Equal pieces in the same order in one file."""
        mine, theirs = _by_path(self.before), _by_path(self.after)
        for path, numbers in mine.items():
            others = theirs.get(path, [])
            for at, other_at in align(_texts(self.before, numbers), _texts(self.after, others)):
                self.pair(numbers[at], others[other_at], same=True, still=True)

    def equal(self, key: Callable[[Piece], Hashable]) -> None:
        """Equal pieces anywhere, twins in their order."""
        for one, other in self._twins(key):
            self.pair(one, other, same=True)

    def known(self, key: Callable[[Piece, str], Hashable]) -> None:
        """Entries that their layout knows by the same name, where just one on each side has it."""
        names = {number: _name(piece) for number, piece in self.before.items()}
        others = {number: _name(piece) for number, piece in self.after.items()}
        mine = _once({number: key(self.before[number], name) for number, name in names.items() if name})
        theirs = _once({number: key(self.after[number], name) for number, name in others.items() if name})
        for name, number in mine.items():
            if name in theirs:
                self.pair(number, theirs[name])

    def rests(self) -> None:
        """The text outside the entries of one file is one thing, whatever became of it."""
        for one, other in self._twins(lambda piece: None if piece.whole else (piece.path, piece.loaded)):
            self.pair(one, other)

    def edited(self, scores: Scores) -> None:
        """What is left of one file and is mostly the same, the likest first."""
        mine, theirs = _by_path(self.before), _by_path(self.after)
        for path, numbers in mine.items():
            ones = [number for number in numbers if self.before[number].whole]
            others = [number for number in theirs.get(path, ()) if self.after[number].whole]
            if len(ones) * len(others) <= _MOST:
                pairs = [(at, to) for at in range(len(ones)) for to in range(len(others))]
            else:
                near = ((at, to) for at in range(len(ones)) for to in range(max(0, at - 2), min(len(others), at + 3)))
                pairs = list(islice(near, _CEILING))
            scored = [
                (score, -at, -to) for at, to in pairs
                if (score := _likeness(self.before[ones[at]], self.after[others[to]], scores)) >= ALIKE
            ]
            for _, at, to in sorted(scored, reverse=True):
                if ones[-at] in self.before and others[-to] in self.after:
                    self.pair(ones[-at], others[-to])

    def _twins(self, key: Callable[[Piece], Hashable]) -> list[tuple[int, int]]:
        there: dict[Hashable, list[int]] = {}
        for number in reversed(self.after):
            there.setdefault(key(self.after[number]), []).append(number)
        found = []
        for number, piece in self.before.items():
            own = key(piece)
            if own is not None and there.get(own):
                found.append((number, there[own].pop()))
        return found


def _texts(pieces: Mapping[int, Piece], numbers: Sequence[int]) -> list[tuple[bool, str]]:
    return [(pieces[number].whole, pieces[number].text) for number in numbers]


def _by_path(pieces: Mapping[int, Piece]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, piece in pieces.items():
        found.setdefault(piece.path, []).append(number)
    return found


def _once(keys: Mapping[int, Hashable]) -> dict[Hashable, int]:
    """The numbers of keys that are there once."""
    found: dict[Hashable, int] = {}
    several = set()
    for number, key in keys.items():
        if key in found:
            several.add(key)
        found[key] = number
    return {key: number for key, number in found.items() if key not in several}


def _name(piece: Piece) -> str:
    from memdesk.core import layouts

    return "" if piece.entry is None else layouts.get(piece.entry.layout).identity(piece.entry).strip()


def _likeness(one: Piece, other: Piece, scores: Scores) -> float:
    """How much of what two entries say is the same and in order, 0 to 1; their form they have from their file. A section with
    another date is another one."""
    if one.entry is None or other.entry is None or _dated(one.entry) != _dated(other.entry):
        return 0.0
    key = one.text, other.text
    if key not in scores:
        from rapidfuzz.distance import Indel

        from memdesk.core.wording import said

        words, others = said(one.entry)[:_LONGEST].split(), said(other.entry)[:_LONGEST].split()
        letters = Indel.normalized_similarity(" ".join(words), " ".join(others))
        scores[key] = (Indel.normalized_similarity(words, others) + letters) / 2
    return scores[key]


def _dated(entry: Entry) -> str | None:
    """The date that is part of what a section is called."""
    return entry.date if entry.kind == "section" else None
