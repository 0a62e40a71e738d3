"""Entries that say nearly the same: found by their rarer words, compared by a library, and never more than possible.

Two texts that are alike share most of their words, and so at least one of the rarer ones of each: only entries that do are
compared (a prefix filter, as in S. Chaudhuri and others, "A Primitive Operator for Similarity Joins in Data Cleaning",
2006). Numbers, dates and negations are set aside before (see `differing`): where they differ, two alike texts are at odds,
and no duplicates.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil

from memdesk.core import layouts, wording
from memdesk.core.conflicts.within import QUIET_TIERS, text_key
from memdesk.core.differing import Signs, differs
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.wording import Wording


class Pair(NamedTuple):
    """Two entries whose words are alike, the first as they came. `score`: 0 to 1. `differs`: what sets them against each other:
    "number", "date", "polarity"; "" for nothing: then they may be one text twice."""

    first: Entry
    other: Entry
    score: float
    differs: str


class Alike(NamedTuple):
    """The pairs, in the order of the entries; how many were compared; and, in sentences, what was not."""

    pairs: tuple[Pair, ...]
    compared: int
    left: tuple[str, ...]


CEILING = 200_000  # pairs that are compared; long texts count for several, pairs of which words alone are looked at a little
ROW = 4  # texts that differ only in a number and are so many are a row of things, and not at odds
SHARE = 0.7  # of the likeness asked for: the share of the longer text's words that two texts must have in common
NEAREST = 20  # of the texts that share words with one: those that share most are compared
REACH = 1_000  # texts that the rarer words of one lead to
BULK = 500_000  # pairs of characters that cost as much as a pair of short texts does
LOOKS = 20  # pairs whose words are looked at for what one costs that is compared
FOUND = 4  # what a pair costs besides that turns out to be alike
EVERY = 16  # texts after which progress is told

Progress = Callable[[int, int], object]


def alike(
    entries: Iterable[Entry], near: float, *, ceiling: int = CEILING, progress: Progress | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Alike:
    """The pairs among entries that are alike to `near` (0 to 1) or more. Struck ones, and those of archives, logs and indexes,
    are left out, and so is the same text twice: that is no likeness.

    `progress` is called with what is done of how much, `stopped` between any two pieces of work of a millisecond or so: once
    it says so, what was found so far comes back, and `left` says that it is not all.
    """
    run = _Run(near, ceiling, progress or _silent, stopped or _never)
    run.read([entry for entry in entries if _counts(entry)])
    run.compare()
    return run.result()


class _Run:
    """One comparison of many entries."""

    def __init__(self, near: float, ceiling: int, progress: Progress, stopped: Callable[[], bool]) -> None:
        self.near = near
        self.ceiling = ceiling
        self.progress = progress
        self.stopped = stopped
        self.count = 0  # of the entries
        self.texts: dict[tuple[str, bool], Wording] = {}
        self.order: dict[int, int] = {}  # id of an entry -> its place among them
        self.found: list[Pair] = []
        self.compared = 0
        self.spent = 0.0  # of the ceiling
        self.long: list[Entry] = []
        self.crowded: list[tuple[Wording, int]] = []  # those with more likely ones than were looked at, and how many more
        self.beyond: list[Wording] = []  # those that the ceiling left out
        self.halted = False

    def read(self, entries: Sequence[Entry]) -> None:
        """Takes the texts apart, and puts together those that have the same words."""
        self.count = len(entries)
        same: set[bytes] = set()
        for at, entry in enumerate(entries):
            if at % EVERY == 0:
                self.progress(at, 2 * self.count)
            if self.stopped():
                self.halted = True
                return
            self.order[id(entry)] = at
            key = text_key(entry)
            if key not in same:
                same.add(key)
                if wording.read(entry, self.texts) is None:
                    self.long.append(entry)

    def compare(self) -> None:
        """Compares what has the same words, then what shares rarer ones, from the text with the fewest on."""
        texts = sorted(self.texts.values(), key=lambda text: (len(text.words), text.line, text.stone))
        for text in texts:
            self._inside(text)
        often = Counter(word for text in texts for word in text.words)
        sizes: list[int] = []
        holding: dict[str, list[int]] = {}  # word -> the texts so far that have it among their rarer ones
        for at, text in enumerate(texts):
            if at % EVERY == 0:
                self.progress(self.count + self.count * at // len(texts), 2 * self.count)
            if self.halted or self.stopped():
                self.halted = True
                return
            if self.spent >= self.ceiling:
                self.beyond = texts[at:]
                return
            need = ceil(SHARE * self.near * len(text.words))
            begin = bisect_left(sizes, need)  # shorter ones can't share so many words
            likely: set[int] = set()
            more = 0
            for word in sorted(text.words, key=lambda word: (often[word], word))[: len(text.words) - need + 1]:
                others = holding.setdefault(word, [])
                first = bisect_left(others, begin)
                looked = max(first, len(others) - REACH) if len(likely) < REACH else len(others)
                likely.update(others[looked:])
                more += looked - first
                others.append(at)
            sizes.append(len(text.words))
            self._among(text, [(other, texts[other]) for other in likely], need, more)
        self.progress(2 * self.count, 2 * self.count)

    def _among(self, text: Wording, likely: Sequence[tuple[int, Wording]], need: int, more: int) -> None:
        """Compares a text with those of the likely ones that share enough of its words, the likeliest first."""
        self.spent += len(likely) / LOOKS
        words, length = text.words, len(text.line)
        low, high = length * self.near / (2 - self.near), length * (2 - self.near) / self.near
        close = [
            (-both, at, other) for at, other in likely
            if low <= len(other.line) <= high and (both := len(words & other.words)) >= need and other.stone is text.stone
        ]
        close.sort()
        more += len(close[NEAREST:])
        if more:
            self.crowded.append((text, more))
        for _, _, other in close[:NEAREST]:
            if self.stopped():
                self.halted = True
                return
            self._pair(text, other)

    def _pair(self, one: Wording, other: Wording) -> None:
        self.compared += 1
        self.spent += 1 + len(one.line) * len(other.line) // BULK
        score = wording.likeness(one.line, other.line, self.near)
        if score:
            self.spent += FOUND
            score -= wording.other_words(one, other)
        if score < self.near:
            return
        few = len(one.members) + len(other.members) < ROW
        for key in one.members:
            for sign in other.members if few else (key,):  # of rows of things, those with the same numbers
                if sign in other.members:
                    self._put(one.members[key][0], other.members[sign][0], score, differs(key, sign))

    def _inside(self, text: Wording) -> None:
        """What has the same words: at odds where the signs differ, unless that many numbers are a row of things."""
        rows: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Signs]] = {}
        for key, several in text.members.items():
            rows.setdefault((key.numbers, key.dates), []).append(key)
            for other in several[1:]:
                self._put(several[0], other, 1.0, "")
        for keys in rows.values():
            for key in keys[1:]:
                self._meet(text, keys[0], key)
        firsts = [keys[0] for keys in rows.values()] if len(rows) < ROW else []
        for at, one in enumerate(firsts):
            for key in firsts[at + 1 :]:
                self._meet(text, one, key)

    def _meet(self, text: Wording, one: Signs, other: Signs) -> None:
        self.compared += 1
        self._put(text.members[one][0], text.members[other][0], 1.0, differs(one, other))

    def _put(self, one: Entry, other: Entry, score: float, what: str) -> None:
        if self.order[id(one)] > self.order[id(other)]:
            one, other = other, one
        self.found.append(Pair(one, other, round(score, 3), what))

    def result(self) -> Alike:
        """What was found, in the order of the entries."""
        self.found.sort(key=lambda pair: (self.order[id(pair.first)], self.order[id(pair.other)]))
        return Alike(tuple(self.found), self.compared, tuple(self._left()))

    def _left(self) -> Iterator[str]:
        if self.halted:
            yield "It was stopped before all entries were compared."
        if self.long:
            yield f"Texts of more than {wording.LONGEST:,} characters were compared with none: {_places(self.long)}."
        if self.crowded:
            most = sum(more for _, more in self.crowded)
            whose = _places([text.first for text, _ in self.crowded])
            yield f"Up to {most:,} pairs were not compared whose words very many entries have: those of {whose}."
        if self.beyond:
            whose = _places([text.first for text in self.beyond])
            yield f"After {self.compared:,} pairs no more were compared: not those of {whose}."


def _counts(entry: Entry) -> bool:
    """Whether an entry says something now that another could say again; in a file that can't be written nothing counts."""
    if entry.struck or entry.tier in QUIET_TIERS or entry.document.problem is not None:
        return False
    return entry.candidate or entry.role not in layouts.get(entry.layout).repeats


def _places(entries: Sequence[Entry]) -> str:
    listed = ", ".join(f"{entry.path}:{entry.line}" for entry in entries[:3])
    return f"{listed} and {len(entries) - 3:,} more" if len(entries) > 3 else listed


def _silent(done: int, total: int) -> None:
    return


def _never() -> bool:
    return False
