"""How long 10,000 entries take to be looked through for near duplicates: words as often as in natural text, 300 planted pairs.

Processor time of this process, the best of several rounds, beside the time to read the entries; and how much memory it takes
at the most. Half of the planted pairs say the same, half differ in a number or a "not".
"""

from __future__ import annotations

import random
import re
import time
import tracemalloc
from bisect import bisect_left
from itertools import accumulate

from memdesk.core.alike import Alike, alike
from memdesk.core.model import Workspace
from tests.support.sources import decision, memory, over

ENTRIES, AREAS, PAIRS = 10_000, 100, 300
WORDS = 6_000  # of content; the rarest is said some five times
NEAR = 0.86
MOST = 5.0  # seconds

_COMMON = (
    "the of and to a in is that for it as was with be by on not he this are or his from at which but have an had they you were "
    "their one all we can her has there been if more when will would who so no must only every each"
)
_BEFORE, _VOWELS = "b c d f g h k l m n p r s t v w br st tr pl", "a e i o u ai ea ou"


def made(entries: int = ENTRIES, areas: int = AREAS, pairs: int = PAIRS) -> Workspace:
    """The same workspace each time."""
    return over(files(entries, areas, pairs))


def files(entries: int = ENTRIES, areas: int = AREAS, pairs: int = PAIRS) -> dict[str, str]:
    """Its files by path: one entry in three is a decision, the others are bullets."""
    chance = random.Random(7)
    speech = _Speech(chance)
    texts = [speech.sentence(speech.topic(at % areas)) for at in range(entries - pairs)]
    for at in range(pairs):
        text = texts[at * 7]
        texts.append(_again(text, chance) if at % 2 else _otherwise(text))
    chance.shuffle(texts)
    made: dict[str, str] = {}
    for area in range(areas):
        own = texts[area::areas]
        bullets = [f"- {text}\n" for text in own[: len(own) * 2 // 3]]
        sections = [decision(" ".join(text.split()[:6]), text) for text in own[len(bullets) :]]
        made[f"areas__part-{area:03}"] = f"# Part {area}\n\nLoad when it matters.\n\n" + "".join((*bullets, "\n", *sections))
    return memory(**made)


class _Speech:
    """Sentences whose words are as often as those of natural text: half of them the commonest, the rest by Zipf's law, with
    words of the topic preferred."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._common = _COMMON.split()
        beginnings = [before + vowel for before in _BEFORE.split() for vowel in _VOWELS.split()]
        self._words: list[str] = []
        seen: set[str] = set()
        while len(self._words) < WORDS:
            word = "".join(chance.choices(beginnings, k=chance.choice((1, 2, 2, 3)))) + chance.choice("nrtlsmd")
            if word not in seen and len(word) > 2:
                seen.add(word)
                self._words.append(word)
        self._sums = list(accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
        self._topics: dict[int, list[str]] = {}

    def topic(self, number: int) -> list[str]:
        """The words that a topic prefers."""
        if number not in self._topics:
            self._topics[number] = self._chance.sample(self._words[100:], 120)
        return self._topics[number]

    def sentence(self, topic: list[str]) -> str:
        length = max(6, min(60, round(self._chance.lognormvariate(2.9, 0.45))))
        return " ".join(self._word(topic) for _ in range(length)).capitalize() + "."

    def _word(self, topic: list[str]) -> str:
        kind = self._chance.random()
        if kind < 0.45:
            return self._chance.choice(self._common)
        if kind < 0.65:
            return self._chance.choice(topic)
        if kind < 0.68:
            return str(self._chance.randrange(2, 500))
        return self._words[bisect_left(self._sums, self._chance.random() * self._sums[-1])]


def _again(text: str, chance: random.Random) -> str:
    """The same, with two halves exchanged and a letter mistyped."""
    words = text[:-1].lower().split()
    middle = len(words) // 2
    words = words[middle:] + words[:middle]
    at = max(range(len(words)), key=lambda at: len(words[at]))
    words[at] = words[at][:-2] + words[at][-1] + words[at][-2]
    return " ".join(words).capitalize() + chance.choice(".!")


def _otherwise(text: str) -> str:
    """With another number; the opposite, where it has none."""
    other = re.sub(r"\d+", lambda match: str(int(match[0]) + 1_000), text, count=1)
    return other if other != text else f"Never {text[:1].lower()}{text[1:]}"


def run(rounds: int = 3) -> dict[str, float]:
    """Prints the seconds, and what was found; returns the seconds."""
    best = {"read": float("inf"), "alike": float("inf")}
    found: Alike | None = None
    for _ in range(rounds):
        workspace = made()
        start = time.process_time()
        entries = list(workspace.entries())
        between = time.process_time()
        found = alike(entries, NEAR)
        end = time.process_time()
        best = {"read": min(best["read"], between - start), "alike": min(best["alike"], end - between)}
    assert found is not None
    tracemalloc.start()
    alike(entries, NEAR)
    peak = tracemalloc.get_traced_memory()[1] / 1_000_000
    tracemalloc.stop()
    odds = sum(1 for pair in found.pairs if pair.differs)
    print(f"{len(entries)} entries, {found.compared} pairs compared; {len(found.pairs) - odds} nearly the same, {odds} at odds")
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1000:8.1f} ms" + (f"  (at most {MOST * 1000:.0f})" if name == "alike" else ""))
    print(f"{'memory':<14} {peak:8.1f} MB at the most")
    for sentence in found.left:
        print(sentence)
    return best


if __name__ == "__main__":
    run()
