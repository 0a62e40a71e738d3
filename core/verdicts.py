"""What people decided, as git gets it: which transactions count, and a commit message out of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.transaction import Transaction

WIDTH = 72  # characters of a first line that every list of commits shows whole


def in_effect(history: Sequence[Transaction], wanted: Collection[str]) -> list[Transaction]:
    """Of these transactions (by id; `history` newest first) those that still hold, oldest first: what was undone is left
    out, and so is the undo of one of them."""
    undone: set[str] = set()
    for item in history:
        if item.undoes is not None and item.id not in undone and item.outcome == "committed":
            undone.add(item.undoes)
    chosen = [item for item in reversed(history) if item.id in wanted and item.id not in undone]
    return [item for item in chosen if item.undoes is None or item.undoes not in wanted]


def message(transactions: Sequence[Transaction]) -> str:
    """The message for these transactions, oldest first; "" for none. Values that look secret are masked."""
    from memdesk.core.checks.secrets import mask

    if not transactions:
        return ""
    lines = [" ".join(mask(item.summary).split()) for item in transactions]
    if len(lines) == 1:
        first = lines[0].removesuffix(".")
        return first + "\n" if len(first) <= WIDTH else f"{_cut(first)}\n\n{lines[0]}\n"
    counts = Counter(_PAST.get(item.verb, item.verb) for item in transactions)
    first = "Curate memory: " + ", ".join(f"{count} {verb}" for verb, count in counts.items())
    return f"{_cut(first)}\n\n" + "".join(f"- {line}\n" for line in lines)


def _cut(line: str) -> str:
    if len(line) <= WIDTH:
        return line
    return line[: WIDTH - 1].rpartition(" ")[0].rstrip(" ,") + "…"


_PAST = {
    "add": "added", "promote": "promoted", "strike": "struck", "reject": "rejected", "merge": "merged", "edit": "edited",
    "archive": "archived", "forget": "forgotten", "init": "set up", "undo": "undone", "prune": "pruned",
    "refuse": "kept though proposed", "session": "prune session ended",
}
