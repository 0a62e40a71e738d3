"""What texts are compared by, in `alike`: their words in one order whatever theirs is, without what `differing` reads off."""

from __future__ import annotations

import re
from collections import Counter

from memdesk.core import layouts
from memdesk.core.conflicts.within import is_tombstones
from memdesk.core.differing import Signs, signs
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy
from memdesk.core.words import parts

if TYPE_CHECKING:
    from memdesk.core.model import Entry

LONGEST = 10_000  # characters of a text; a longer one is compared with none
BYTES = 5  # of a character and the form around it, at the most
LEAST = 3  # words that a text must have: fewer say too little
SHORT = 2  # characters from which on a word counts
SOFT = 0.7  # likeness from which on one word is another in another form
FORMS = 40  # words of two texts that are looked at for forms of one word
FEW = 10  # words up to which one word in the place of another costs a tenth: "north" and "south" are near in letters alone


class Wording:
    """The words of a text; and the entries that have exactly these, by their signs.

    `line`: the words in order, runs of a script that does not part its words behind them. `words`: what it is looked up by,
    such runs by pairs of characters. `stone`: a rejected path; beside what says the same without rejecting it, it is something
    else.
    """

    __slots__ = ("_names", "line", "members", "single", "stone", "words")

    def __init__(self, line: str, single: list[str], words: frozenset[str], stone: bool) -> None:
        self.line = line
        self.single = single
        self.words = words
        self.stone = stone
        self.members: dict[Signs, list[Entry]] = {}
        self._names: frozenset[str] | None = None

    @property
    def first(self) -> Entry:
        """The first entry that has these words."""
        return next(iter(self.members.values()))[0]

    @property
    def names(self) -> frozenset[str]:
        """Its words that name something: in code, in capitals, with a digit or an underscore in them."""
        if self._names is None:
            found = (match[1] or match[0] for match in _NAMEABLE.finditer(said(self.first)) if match[1] or _naming(match[0]))
            self._names = frozenset(parts(" ".join(found), SHORT)[0])
        return self._names


def read(entry: Entry, known: dict[tuple[str, bool], Wording]) -> Wording | None:
    """The wording of an entry, which joins the one that has its words already; None for a text that is too long. One that says
    too little is in none."""
    if entry.end - entry.start > BYTES * LONGEST:
        return None
    text = said(entry)
    if len(text) > LONGEST:
        return None
    own, rest = signs(text)
    single, runs = parts(rest, SHORT)
    single.sort()
    line = " ".join((*single, "".join(runs)))
    stone = is_tombstones(entry.document)
    found = known.get((line, stone))
    if found is None:
        words = frozenset((*single, *(run[at : at + 2] for run in runs for at in range(len(run) - 1))))
        found = Wording(line, single, words, stone)
        if len(words) >= LEAST:
            known[line, stone] = found
    found.members.setdefault(own, []).append(entry)
    return found


def said(entry: Entry) -> str:
    """What an entry says, apart from its form, its source and its own date."""
    own = layouts.get(entry.layout).said(entry)
    text = "\n".join((own.text, *(value for key, value in own.words.items() if key not in _META)))
    title = own.title.rstrip("….")
    if not text.startswith(title):
        text = f"{title}.\n{text}"
    return _OWN_DATE.sub(" ", text)


def likeness(one: str, other: str, least: float) -> float:
    """How much of two texts is the same, in their order, 0 to 1; 0.0 where that is less than `least`."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(one, other, score_cutoff=least))


def other_words(one: Wording, other: Wording) -> float:
    """What it takes off a likeness that words of one stand where the other has others. Forms of one word are none; a name for
    another name is another thing altogether."""
    mine, theirs = Counter(one.single), Counter(other.single)
    left, right = sorted((mine - theirs).elements()), sorted((theirs - mine).elements())
    if not left or not right:
        return 0.0
    if not one.names.isdisjoint(left) and not other.names.isdisjoint(right):
        return 1.0
    for word in left[:FORMS]:
        near = max(right[:FORMS], key=lambda known: (likeness(word, known, SOFT), known), default="")
        if near and likeness(word, near, SOFT):
            left.remove(word)
            right.remove(near)
    return min(len(left), len(right)) / max(FEW, len(one.single), len(other.single))


def _naming(word: str) -> bool:
    if word.isalpha():
        return sum(map(str.isupper, word)) > 1
    return not word.isdecimal()


# Words of `Said` about where it stands and what it rests on.
_META = frozenset((
    "area", "dated", "evidence", "facet", "kind", "own", "requires", "scope", "source", "subject", "tag",
))  # fmt: skip
_OWN_DATE = lazy(r"\bdate:\s{0,3}[0-9]{4}-[0-9]{2}-[0-9]{2}", re.IGNORECASE)
_NAMEABLE = lazy(r"`([^`\n]{1,80}+)`|\w++")
