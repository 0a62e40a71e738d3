"""What is near a candidate: the same text, a rejected path that it may rediscover, an entry that it may repeat.

Only "equal" is exact. The rest is a hint from shared words, weighed by how rare they are, and is never acted on without
a person (invariant 4). An inverted index over the rarer words keeps 10,000 candidates from being compared with each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import log
from weakref import WeakKeyDictionary

from memdesk.core import fields
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.words import words

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Workspace


class Match(NamedTuple):
    """An entry near another. `kind`: "equal" (the same text), "tombstone" (a rejected path) or "possible" (shared words;
    whether it says the same only a person can tell). `score`: 0 to 1, the weight of the words that both have."""

    entry: Entry
    kind: str
    score: float = 1.0


MOST = 10  # matches of one entry: more is no help
LIKE = 0.5  # the share of weight from which shared words are worth a look
COMMON = 200  # a word of more entries than this finds nothing by itself


class Near:
    """The index of one reading of a workspace. `words` are kept by document from one reading to the next."""

    def __init__(self, workspace: Workspace, words: WeakKeyDictionary[Document, list[Signature]]) -> None:
        self._entries: list[Entry] = []
        self._signatures: list[Signature] = []
        self._equal: dict[str, list[int]] = {}
        self._titles: dict[str, list[int]] = {}
        self._found: dict[str, list[Match]] = {}
        for document in workspace.documents.values():
            if document.place.tier in ("index", "log", "archive"):
                continue
            signatures = words.get(document)
            if signatures is None:
                signatures = words[document] = [signature(entry) for entry in document.entries]
            for entry, own in zip(document.entries, signatures, strict=True):
                if not entry.struck:
                    self._add(entry, own)
        self._places: dict[str, list[int]] = {}
        for index, own in enumerate(self._signatures):
            for word in own.words:
                self._places.setdefault(word, []).append(index)
        # One entry of each word is the one that is compared: a word that just two share is as rare as can be.
        count = len(self._entries)
        self._weights = {word: log(1 + count / max(1, len(places) - 1)) for word, places in self._places.items()}

    def near(self, entry: Entry) -> list[Match]:
        """What is near an entry of this reading, equal texts first, then tombstones, then by score; at most ten."""
        found = self._found.get(entry.id)
        if found is None:
            found = self._found[entry.id] = self._near(entry, signature(entry))
        return found

    def _add(self, entry: Entry, own: Signature) -> None:
        index = len(self._entries)
        self._entries.append(entry)
        self._signatures.append(own)
        for text in own.texts:
            self._equal.setdefault(text, []).append(index)
        if is_tombstone(entry):
            self._titles.setdefault(title(entry), []).append(index)

    def _near(self, entry: Entry, own: Signature) -> list[Match]:
        kinds: dict[int, Match] = {}
        for text in own.texts:
            for index in self._equal.get(text, ())[: MOST + 1]:
                kinds.setdefault(index, Match(self._entries[index], "equal"))
        titles = {title(entry), *(fields.normal_title(text) for text in own.texts)}
        for index in (index for text in titles if text for index in self._titles.get(text, ())[:MOST]):
            kinds[index] = Match(self._entries[index], "tombstone")
        for index, score in self._alike(own):
            other = self._entries[index]
            if is_tombstone(other):
                kinds.setdefault(index, Match(other, "tombstone", score))
            elif not other.candidate:
                kinds.setdefault(index, Match(other, "possible", score))
        own_place = (entry.path, entry.start)
        found = [match for match in kinds.values() if (match.entry.path, match.entry.start) != own_place]
        found.sort(key=lambda match: (_ORDER[match.kind], -match.score, match.entry.path, match.entry.line))
        return found[:MOST]

    def _alike(self, own: Signature) -> list[tuple[int, float]]:
        """Entries that share rare words with these, with their score, where it is high enough."""
        shared: Counter[int] = Counter()
        for word in own.words:
            places = self._places.get(word, ())
            if len(places) <= COMMON:
                shared.update(places)
        found = []
        for index, _ in shared.most_common(COMMON):
            other = self._signatures[index]
            score = max(self._overlap(own.words, other.words), self._overlap(own.words, other.title))
            if score >= LIKE:
                found.append((index, round(score, 3)))
        return found

    def _overlap(self, left: frozenset[str], right: frozenset[str]) -> float:
        """The weight of the shared words against the lighter side's; 0 for a single shared word, which says nothing."""
        both = left & right
        if len(both) < 2:
            return 0.0
        lighter = min(self._weight(left), self._weight(right))
        return self._weight(both) / lighter if lighter else 0.0

    def _weight(self, words: Iterable[str]) -> float:
        most = log(1 + max(len(self._entries), 1))  # a word that no entry of the index has is as rare as can be
        return sum(self._weights.get(word, most) for word in sorted(words))


class Signature(NamedTuple):
    """What an entry is compared by: its texts in a normal form, its words, and those of its title alone."""

    texts: tuple[str, ...]
    words: frozenset[str]
    title: frozenset[str]


def signature(entry: Entry) -> Signature:
    """The signature of an entry; its tag, source and bracket are no part of it."""
    body = entry.text
    if entry.kind == "bullet":
        body = fields.candidate(_MARKER.sub("", body)).text
        texts = [body]
    else:
        texts = stated(entry) or [_HEADING.sub("", body)]
        body = " ".join((_named(entry), *(entry.fields[label] for label in _SAYING if label in entry.fields)))
    heading = words(_named(entry)) if entry.kind == "section" else frozenset[str]()
    equal = tuple(dict.fromkeys(folded for text in texts if (folded := " ".join(text.split()).casefold())))
    return Signature(equal, words(body), heading)


def is_tombstone(entry: Entry) -> bool:
    """Whether an entry is a rejected path that is kept so that it isn't rediscovered."""
    return entry.role in ("do-not-use", "tombstones")


def title(entry: Entry) -> str:
    """An entry's title in the form that titles are compared in, a tombstone's label off."""
    return fields.normal_title(_LABEL.sub("", _named(entry)))


def stated(entry: Entry) -> list[str]:
    """What a section states below its labels, without its tag."""
    return [fields.split_tag(entry.fields[label])[1] for label in _WHAT if label in entry.fields]


def _named(entry: Entry) -> str:
    """An entry's heading, without the id that may stand before its title: no two have that in common."""
    return entry.fields.get("title", "") or entry.heading if entry.fields.get("id") else entry.heading


_ORDER = {"equal": 0, "tombstone": 1, "possible": 2}
# The labels of what an entry states.
_WHAT = ("decision", "statement", "constraint", "preference", "rejected", "rule", "profile")
_SAYING = ("", *_WHAT, "subject")
_LABEL = re.compile(r"\A\s*tombstone:\s*", re.IGNORECASE)
_MARKER = re.compile(r"\A\s*(?:[-*+]|\d{1,9}[.)])\s+")
_HEADING = re.compile(r"\A#{1,6}[^\n]*\n+")
