"""Facts that nobody touched for long."""

from __future__ import annotations

from datetime import date

from tests.support.proposing import proposed
from tests.support.sources import decision, memory
from tests.support.stores import LINT

OLD = date(2025, 11, 29)
INDEX = {"m/memory-lint.json": LINT, "m/MEMORY.md": "# I\n\n- `memory/people/ada.md`: a\n- `memory/decisions/api.md`: b\n"}
LINE = "- [stated] Plans the counts (2024-02-01, from a letter)\n"


def person(text: str = LINE) -> dict[str, str]:
    return {**INDEX, "m/memory/people/ada.md": f"# Ada\n\n{text}"}


def test_a_file_of_facts_goes_whole_and_the_evidence_says_that_it_is_by_file() -> None:
    (one,) = proposed("untouched", person(LINE + LINE.replace("Plans", "Draws")), touched=lambda path: OLD)
    assert (one.verb, one.places, one.proposal.exact) == ("archive", ["ada.md:3", "ada.md:4"], False)
    assert one.proposal.evidence == (
        "m/memory/people/ada.md was changed last on 2025-11-29, 366 days ago (git); 365 days is the limit "
        "(prune.untouched_days).",
        "2 entries in it, by file: which line was changed when is not looked at.",
    )
    assert one.drawn.label == (
        "Archive 2 entries: memory/people/ada.md goes whole, 38 tokens, MEMORY.md 64 → 36 of 15000 chars, "
        "MEMORY.md 4 → 3 of 400 lines"
    )
    assert one.drawn.frees["m/memory/people/ada.md"] == 38


def test_not_before_the_limit_nor_with_a_newer_date_in_it_nor_without_git() -> None:
    assert proposed("untouched", person(), touched=lambda path: date(2025, 11, 30)) == []
    assert proposed("untouched", person(LINE.replace("2024", "2026")), touched=lambda path: OLD) == []
    assert proposed("untouched", person(LINE.replace("2024", "2027")), touched=lambda path: OLD) == []
    assert proposed("untouched", person(), touched=lambda path: None) == []
    assert proposed("untouched", person()) == []


def test_what_was_decided_and_what_binds_does_not_age() -> None:
    files = {**INDEX, "m/memory/decisions/api.md": "# API\n\n- [stated] REST, chosen 2024-01-14\n"}
    old = memory(decisions=decision("A").replace("2026-02-01", "2024-02-01"), constraints="- Runs offline.\n")
    assert proposed("untouched", files, old, touched=lambda path: OLD) == []
