"""What is near a candidate: the same text, a rejected path that it may rediscover, an entry that it may repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry


class Match(NamedTuple):
    """An entry near another. `kind`: "equal" (the same text), "tombstone" (a rejected path) or "possible" (shared words;
    whether it says the same only a person can tell). `score`: 0 to 1, the share of words that both have."""

    entry: Entry
    kind: str
    score: float = 1.0
