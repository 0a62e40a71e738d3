"""What a proposal is."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store
    from memdesk.core.plan import Request

# Kind -> what people read for it, in the order of the list. Those of EXACT can be accepted together.
KINDS = {
    "duplicate": "Said twice", "superseded": "Superseded, not struck", "struck": "Struck, past their keep time",
    "dead-link": "Dead links", "unreachable": "No task reaches them", "review": "Past their review date",
    "reconsider": "Rejected paths to look at again", "tombstone": "Candidates that were rejected before",
    "expired": "Expired fragments", "over-budget": "Files over their budget", "near-duplicate": "Nearly the same",
    "untouched": "Not touched for long", "task-specific": "Of one task only",
}
EXACT = frozenset({"duplicate", "superseded", "struck", "dead-link", "unreachable", "expired"})

KEPT = 90  # days for which an undo can bring back what went: those of the history


class Proposal(NamedTuple):
    """A suggested change, never made by itself: the request that accepting it would carry out, and why.

    `title`: what it is about, on one line, values masked. `evidence`: what speaks for it: places, dates, texts, line by line,
    values masked. `entries`: those that the request changes, then those that it rests on (the first copy, the tombstone).
    `changes`: how many of `entries`, from the first, the request changes. `exact`: structure alone says so.
    """

    kind: str
    exact: bool
    title: str
    evidence: tuple[str, ...]
    entries: tuple[Entry, ...]
    changes: int
    request: Request
    store: Store

    @property
    def id(self) -> str:
        """12 hex digits that last until one of the texts changes or moves to another file."""
        from hashlib import sha256

        parts = (f"{entry.path}\0{entry.text}" for entry in self.entries)
        return sha256("\0".join((self.kind, *parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def digests(self) -> tuple[str, ...]:
        """What a judgment of it knows its texts by, sorted."""
        from memdesk.core.judgments import digest

        return tuple(sorted({digest(entry.text) for entry in self.entries}))

    @property
    def subject(self) -> str:
        """What a judgment of it calls it."""
        return f"proposal:{self.kind}"
