"""Facts against the records and the glossary that lie beside them: what a fact names as its ground, and what it defines."""

from __future__ import annotations

from pathlib import Path

from tests.support.checking import findings, ran, report
from tests.support.stores import fact, record, records_store, tiers_store


def told(root: Path) -> list[tuple[str, int | None, str]]:
    found = findings(root, "rank-conflict")
    return [(one.path.rpartition("/")[2], one.line, "possible" if one.possible else one.severity) for one in found]


def test_a_fact_on_a_ground_that_does_not_stand(tmp_path: Path) -> None:
    records_store(tmp_path, **{
        "docs/adr/0003-x.md": record(3, "Sync by mail", "Rejected"),
        "docs/adr/0004-y.md": record(4, "Keep a journal", "Superseded by ADR-0001"),
    })
    tiers_store(tmp_path, **{
        "facts/mail.md": fact("Counts are sent by mail", "They are mailed, as decided in ADR-0003."),
        "facts/journal.md": fact("A journal is kept", "See [the record](../../docs/adr/0004-y.md)."),
        "facts/fine.md": fact("Counts are files", "As decided in ADR-0001; ADR-0003 was rejected."),
        "log/2026-05-08.md": "- 10:00 mailed them, as decided in ADR-0003\n",
        "working/plan.md": "- mail them, see ADR-0003\n", "archive/old.md": fact("Old", "As decided in ADR-0003."),
    })
    assert told(tmp_path) == [("journal.md", 7, "error"), ("mail.md", 7, "error")]
    assert ran(report(tmp_path, store="memory"), "rank-conflict").checked == 6


def test_a_fact_that_defines_a_term_of_the_glossary(tmp_path: Path) -> None:
    records_store(tmp_path)
    tiers_store(tmp_path, **{
        "facts/other.md": fact("What we call things", "**Site**: A folder on the server.\n\n**Nest**: Where eggs are."),
    })
    assert [found[:2] for found in told(tmp_path)] == [("other.md", 7)]
