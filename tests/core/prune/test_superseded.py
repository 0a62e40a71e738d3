"""What was superseded and isn't struck."""

from __future__ import annotations

import pytest

from memdesk.core import conflicts
from memdesk.core.judgments import Judgment
from tests.support.proposing import proposed, scanned, shown
from tests.support.sources import adr, decision, memory, over
from tests.support.stores import LINT


def dated(day: str, title: str = "Colours", text: str = "Red.", more: str = "") -> str:
    return decision(title, text, more).replace("2026-02-01", day)


def test_the_older_of_one_title_in_one_scope_is_struck() -> None:
    text = dated("2026-05-01") + dated("2026-03-01", text="Blue.") + dated("2026-01-01", text="Green.")
    (one,) = proposed("superseded", memory(decisions=text))
    assert (one.verb, one.places, one.proposal.exact) == ("strike", ["decisions.md:11", "decisions.md:19"], True)
    after = one.after("decisions.md")
    reason = 'Superseded by "Colours" of 2026-05-01 in decisions.md.'
    assert f"## ~~2026-03-01 - Colours~~\n\nStruck: 2026-11-30. {reason}\n" in after
    assert one.drawn.label.startswith("Strike 2 superseded entries: decisions.md ")


@pytest.mark.parametrize("text", [
    dated("2026-05-01") + dated("2026-05-01", text="Blue."),  # of one day: a person has to say
    dated("2026-05-01") + dated("2026-03-01", text="Blue.").replace("2026-03-01 - ", ""),  # of no day
    dated("2026-05-01") + dated("2026-03-01", text="Blue.", more="\nScope:\nmaps\n"),  # in another scope
    dated("2026-05-01") + dated("2026-03-01", text="Blue.").replace("## 2026-03-01 - Colours", "## ~~2026-03-01 - Colours~~"),
    dated("2026-05-01") + dated("2026-03-01", "Colour", "Blue."),
])  # fmt: skip
def test_what_stands_rightly_or_is_a_person_s_to_settle(text: str) -> None:
    assert proposed("superseded", memory(decisions=text)) == []


def test_what_a_person_dismissed_as_a_conflict_is_left_alone() -> None:
    workspace = over(memory(decisions=dated("2026-05-01") + dated("2026-03-01", text="Blue.")))
    (clash,) = conflicts.find(workspace)
    judged = Judgment("dismissed", clash.subject, clash.digests, "Both.", "Ada", "2026-11-01")
    assert [one.kind for one in scanned(workspace).proposals] == ["superseded"]
    assert scanned(workspace, judgments=[judged]).proposals == ()


def test_an_entry_that_another_one_supersedes_by_name_or_that_says_so_itself() -> None:
    new = dated("2026-05-01", "Sizes", more="\nSupersedes:\n- Colours\n")
    itself = dated("2026-01-01", "Shapes", more='\nSuperseded: 2026-02-01 by "Sizes"\n')
    found = proposed("superseded", memory(decisions=new + dated("2026-03-01") + itself))
    assert shown(found) == [("strike", ["decisions.md:14"]), ("strike", ["decisions.md:22"])]
    assert "which isn't struck." in found[0].proposal.evidence[0]
    assert "says itself that it was superseded" in found[1].proposal.evidence[0]


def test_older_lines_of_one_decision_are_struck_where_they_stand() -> None:
    text = "# API\n\nREST, chosen 2026-01-14\nGraphQL, chosen 2026-04-22\n**tRPC, chosen 2026-08-19** [stated]\n"
    files = {"m/memory-lint.json": LINT, "m/MEMORY.md": "- `memory/decisions/api.md`: a\n", "m/memory/decisions/api.md": text}
    (one,) = proposed("superseded", files)
    assert one.verb == "edit"
    assert one.after("api.md") == (
        "# API\n\n~~REST, chosen 2026-01-14~~ superseded 2026-11-30\n~~GraphQL, chosen 2026-04-22~~ superseded 2026-11-30\n"
        "**tRPC, chosen 2026-08-19** [stated]\n"
    )
    bullets = text.replace("\nREST", "\n- REST").replace("\nGraphQL", "\n- GraphQL").replace("\n**tRPC", "\n- **tRPC")
    (one,) = proposed("superseded", {**files, "m/memory/decisions/api.md": bullets})
    assert (one.verb, one.places) == ("strike", ["api.md:3", "api.md:4"])


def test_a_record_s_status_gets_the_record_that_says_it_came_in_its_place() -> None:
    new = adr(2, "Keep counts in SQLite", "Accepted\n\nSupersedes [ADR-0001](0001-keep-counts-as-csv.md)")
    (one,) = proposed("superseded", adr(1, "Keep counts as CSV", "Accepted"), new)
    assert (one.verb, one.places, one.proposal.exact) == ("edit", ["0001-keep-counts-as-csv.md:1"], True)
    assert "Superseded by [ADR-0002](0002-keep-counts-in-sqlite.md), 2026-11-30" in one.after("csv.md")
    assert one.drawn.label.startswith("Say that it is superseded: docs/adr/0001-keep-counts-as-csv.md ")


def test_of_records_only_those_that_one_record_that_stands_supersedes() -> None:
    old, more = adr(1, "Keep counts as CSV", "Accepted"), "\n\nSupersedes [ADR-0001](0001-keep-counts-as-csv.md)"
    assert proposed("superseded", old, adr(2, "Keep counts in SQLite", f"Proposed{more}")) == []
    assert proposed("superseded", old, *(adr(number, f"Way {number}", f"Accepted{more}") for number in (2, 3))) == []
    circle = adr(1, "One", "Accepted\n\nSupersedes [ADR-0002](0002-two.md)")
    assert proposed("superseded", circle, adr(2, "Two", "Accepted\n\nSupersedes [ADR-0001](0001-one.md)")) == []
