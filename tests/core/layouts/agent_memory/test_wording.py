"""What facts say of themselves: figures without a date, statements that call themselves proposals. Possible, always."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.checking import lines, ran, report
from tests.support.stores import agent_memory_store

FIGURES = [
    ("Answers within 250 ms", True), ("40 % of them pay", True), ("12,400 rows", True), ("Costs $300 a month", True),
    ("3 million requests", True),
    ("Has 125 stars", True), ("4.5 GB on disk", True), ("1,234,567", True),
    ("Answers within 250 ms (observed 2026-04-12)", False), ("125 stars in September 2026", False),
    ("Runs on Python 3.11", False),
    ("See issue #1,200", False), ("Two of 3 agree", False), ("`timeout = 250 ms`", False), ("~~250 ms~~", False),
    ("Port 8080", False), ("v2.250 of it", False), ("HTTP 404", False), ("No figure", False),
]


@pytest.mark.parametrize(("text", "found"), FIGURES)
def test_a_figure_carries_a_date(tmp_path: Path, text: str, found: bool) -> None:
    agent_memory_store(tmp_path, standard=False, **{"memory/projects/p.md": f"# P\n\n- [observed] {text}\n"})
    assert lines(tmp_path, "figure-undated") == ([("p.md", 3, "possible")] if found else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[stated] I proposed to use SQLite", True), ("[stated] The agent's suggestion: cache it", True),
        ("[stated] recommends tRPC", True),
        ("[stated] \"sounds good\" to the plan", True),
        ("[suggested] I proposed it", False),
        ("[stated] Use `suggest()`", False), ("[stated] Uses SQLite", False), ("~~[stated] proposed~~", False),
        ("proposed, untagged", False), ("[stated] The proposer left", False),
    ],
)  # fmt: skip
def test_a_statement_is_no_proposal(tmp_path: Path, text: str, found: bool) -> None:
    agent_memory_store(tmp_path, standard=False, **{"memory/2026-05-01.md": f"# Day\n\n- {text}\n"})
    assert lines(tmp_path, "stated-proposal") == ([("2026-05-01.md", 3, "possible")] if found else [])


def test_the_standard_store_is_quiet_and_they_say_how_much_they_checked(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    found = report(tmp_path, only=["figure-undated", "stated-proposal"])
    assert found.findings == ()
    assert [ran(found, rule).checked for rule in ("figure-undated", "stated-proposal")] == [2, 1]
