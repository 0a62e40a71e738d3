"""A small store with something to prune, and desks on it, for tests of prune sessions."""

from __future__ import annotations

from pathlib import Path

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Receipt
from memdesk.core.prune.proposal import Proposal
from tests.support.stores import custodian_store

NOW = "2026-11-30T10:00"


def decision(title: str, text: str = "It is so.", day: str = "2026-05-02") -> str:
    return f"\n## {day} - {title}\n\nDecision:\n{text}\n\nReason:\nSeen on {day}.\n"


def struck(title: str, day: str = "2024-06-01") -> str:
    return f'\n## ~~2024-01-05 - {title}~~\n\nSuperseded: {day} by "Counts"\n\nDecision:\n{title} it was.\n'


DECISIONS = "# Decisions\n" + "".join(
    decision(title) for title in ("Counts", "Sites", "Hides", "Rings", "Boats", "Maps", "Tides")
) + struck("Paper") + struck("Slides") + decision("Boats")
CONSTRAINTS = "# Constraints\n\n" + "".join(f"- Runs {word}.\n" for word in (
    "offline", "small", "fast", "offline", "at night", "small", "alone",
))


def rotten_store(root: Path, **files: str | bytes | None) -> Path:
    """17 live entries, among them a copy of each of two constraints and of a decision; two struck entries past their keep
    time; a changelog."""
    standard: dict[str, str | bytes | None] = {
        "decisions": DECISIONS, "constraints": CONSTRAINTS, "changelog": "# Changelog\n",
    }
    return custodian_store(root, **{**standard, **files})


def opened(root: Path, now: str = NOW) -> Desk:
    return Desk.open(str(root), clock=clock(now), user_config=None)


def proposed(desk: Desk) -> dict[str, Proposal]:
    """What is proposed, by what it is about."""
    return {proposal.title: proposal for proposal in desk.prune().proposals}


def accepted(desk: Desk, *proposals: Proposal) -> Receipt:
    """Accepts them, whatever share of the store goes."""
    return desk.accept(proposals, {"share": "yes"}, "Ada")
