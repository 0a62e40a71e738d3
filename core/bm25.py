"""BM25: how well texts answer a query, by the words that they share, rare words counting more.

The formula is that of Okapi BM25 (S. Robertson and others, "Okapi at TREC-3", 1994; S. Robertson and H. Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3). A text's score is the sum, over the query's words, of

    idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))

with tf: how often the word stands in the text; idf: the Robertson/Spärck Jones weight without relevance information, of N
texts of which n have the word, ln(1 + (N - n + 0.5) / (n + 0.5)). The 1 keeps it above zero where most texts have a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from memdesk.core.lean import NamedTuple

K1 = 1.2  # how fast more of one word stops counting more
B = 0.75  # how much a long text is held to be long-winded: 0 not at all, 1 wholly
DIGITS = 6  # scores are equal that differ by less than a sum's rounding


class Bag(NamedTuple):
    """A text as its words: how often each stands there, and how long the text is, in words or in any one unit."""

    counts: Mapping[str, int]
    length: int


def bag(words: Sequence[str], length: int | None = None) -> Bag:
    """The bag of a text's words; `length` where it is not their number."""
    return Bag(Counter(words), len(words) if length is None else length)


def scores(query: Iterable[str], bags: Sequence[Bag], *, k1: float = K1, b: float = B) -> dict[int, float]:
    """The score of each text that holds a word of the query, by its index, in the order of the texts; always above zero.

    A word that is repeated in the query counts once. The same texts give the same scores whatever their order.
    """
    wanted = sorted(set(query))
    hits: dict[int, list[tuple[str, int]]] = {}
    spread: Counter[str] = Counter()
    for index, (counts, _) in enumerate(bags):
        held = [(word, counts[word]) for word in wanted if word in counts]
        if held:
            hits[index] = held
            spread.update([word for word, _ in held])
    if not hits:
        return {}
    average = sum(length for _, length in bags) / len(bags) or 1.0
    weights = {word: log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for word, n in spread.items()}
    found: dict[int, float] = {}
    for index, held in hits.items():
        damp = k1 * (1 - b + b * bags[index].length / average)
        found[index] = round(sum(weights[word] * tf * (k1 + 1) / (tf + damp) for word, tf in held), DIGITS)
    return found
