"""Records against tombstones, against the plans of design records, and against entries of nearly their title."""

from __future__ import annotations

import pytest

from memdesk.core.conflicts import find
from tests.support.sources import HOME, RECORDS, adr, clashes, decision, memory, over
from tests.support.stores import FACTS, LINT

TWO, THREE = "docs/adr/0002-keep-counts-in-sqlite.md", "docs/adr/0003-sync-through-a-broker.md"
STONE = f"{HOME}/do-not-use.md:3"


def stone(title: str, more: str = "") -> str:
    return f"## Tombstone: {title}\n\nReason: no. Date: 2026-01-01.\n{more}"


def design(name: str, supersedes: str, status: str = "Draft") -> dict[str, str]:
    return {f"docs/design/{name}.md": f"# {name}\n\n**Status:** {status}\n\n**Supersedes:** {supersedes}\n\nA plan.\n"}


# Tombstones


@pytest.mark.parametrize("title", ["Keep counts in SQLite", "keep counts, in sqlite!", "ADR-0002", "SQLite, see ADR-0002"])
def test_a_tombstone_with_an_accepted_record_s_title_or_number(title: str) -> None:
    assert clashes(RECORDS, memory(do_not_use=stone(title))) == [("tombstone", True, [STONE, f"{TWO}:1"])]


@pytest.mark.parametrize(("title", "more"), [
    ("Sync through a broker", ""),  # rejected, both say so
    ("Draw maps with vectors", ""),  # proposed: what a person has yet to decide
    ("SQLite", ""),
    ("Files in a folder", "Source: ADR-0002\n"),  # its ground, not what it forbids
    ("Keep counts in SQLite", "Scope: area:maps\n"),
    ("ADR-0999", ""),
])  # fmt: skip
def test_tombstones_that_no_accepted_record_opposes(title: str, more: str) -> None:
    assert [found for found in clashes(RECORDS, memory(do_not_use=stone(title, more))) if found[0] == "tombstone"] == []


def test_a_tombstone_of_a_neighbour_forbids_nothing_and_one_of_the_root_does() -> None:
    record = {**adr(1, "Keep counts in SQLite", "Accepted", "packages/web/docs/adr"), "packages/web/CONTEXT.md": "# W\n"}
    text = stone("Keep counts in SQLite")
    assert clashes(record, memory("packages/api/docs/memory", do_not_use=text)) == []
    assert [kind for kind, _, _ in clashes(record, memory(do_not_use=text))] == ["tombstone"]


def test_a_tombstone_forbids_in_other_stores_too() -> None:
    agents = {**FACTS, "memory-lint.json": LINT, "memory/people/bo.md": "- [stated] Cloud sync\n"}
    found = clashes(agents, memory(do_not_use=stone("Cloud sync")))
    assert found == [("tombstone", True, [STONE, "memory/people/bo.md:1"])]


# Design records


def test_two_designs_in_progress_that_supersede_one_record() -> None:
    found = clashes(RECORDS, design("a", "ADR-0002"), design("b", "[it](../adr/0002-keep-counts-in-sqlite.md)", "Accepted"))
    assert found == [("design", True, ["docs/design/a.md:1", "docs/design/b.md:1"])]


@pytest.mark.parametrize("second", [
    design("b", "ADR-0002", "Implemented"), design("b", "ADR-0002", "Rejected"), design("b", "ADR-0003"),
    design("b", "nothing"),
])  # fmt: skip
def test_designs_that_do_not_stand_in_each_other_s_way(second: dict[str, str]) -> None:
    assert clashes(RECORDS, design("a", "ADR-0002"), second) == []


def test_a_design_that_names_a_record_by_its_title_alone() -> None:
    (clash,) = find(over(RECORDS, design("a", "Keep counts in SQLite")))
    assert (clash.kind, clash.exact, clash.about) == ("design", True, "ADR-0002")
    assert [weight.wins for weight in clash.weights()] == [True, False]
    assert clash.weights()[0].why == "accepted record: rank 2, until a design record names it by its number"


# Overlap


@pytest.mark.parametrize(("title", "found"), [
    ("Sync through a broker", True),
    ("Sync through the broker", True),
    ("Broker: sync through one", True),  # words count, not their order
    ("Sync through a relay", False),
    ("Sync", False),
    ("Counts sync to the server through a broker each night", False),
])  # fmt: skip
def test_an_entry_of_nearly_the_title_of_a_record_that_does_not_stand(title: str, found: bool) -> None:
    expected = [("overlap", False, [f"{THREE}:1", f"{HOME}/decisions.md:3"])] if found else []
    assert clashes(RECORDS, memory(decisions=decision(title))) == expected


@pytest.mark.parametrize("files", [
    {"decisions": decision("Keep counts in SQLite")},  # accepted: both say one thing
    {"decisions": decision("Sync through a broker").replace("## 2026", "## ~~2026").replace("broker\n", "broker~~\n", 1)},
    {"decisions": decision("Sync through a broker", more="\nScope:\narea:maps\n")},  # it refines what holds elsewhere
    {"inbox": "## 2026-11-20\n\n- Sync through a broker\n"},
    {"do_not_use": stone("Sync through a broker")},  # it rejects it too
    {"archive__decisions-2026-01-01": "# Archived\n\n" + decision("Sync through a broker")},
])  # fmt: skip
def test_no_overlap(files: dict[str, str]) -> None:
    assert clashes(RECORDS, memory(**files)) == []


def test_opposite_words_are_never_judged() -> None:
    """Whether "do not" turns a title round, only a person can tell: it is shown as near, never as more."""
    found = clashes(RECORDS, memory(decisions=decision("Do not sync through a broker")))
    assert [(kind, exact) for kind, exact, _ in found] == [("overlap", False)]


def test_a_tombstone_of_nearly_an_accepted_title() -> None:
    found = clashes(RECORDS, memory(do_not_use=stone("Keep all counts in SQLite")))
    assert found == [("overlap", False, [f"{TWO}:1", STONE])]


def test_what_is_nearer_to_a_record_that_says_the_same_overlaps_none() -> None:
    records = {**adr(1, "Keep nightly counts as files", "Rejected"), **adr(2, "Keep nightly counts as rows", "Accepted")}
    assert clashes(records, memory(decisions=decision("Keep nightly counts as rows"))) == []
    assert clashes(records, memory(decisions=decision("Keep nightly counts as files"))) != []


def test_nobody_wins_against_a_record_that_binds_nothing() -> None:
    (clash,) = find(over(RECORDS, memory(decisions=decision("Sync through a broker"))))
    assert [weight.wins for weight in clash.weights()] == [False, False]


def test_one_pair_is_told_of_once() -> None:
    files = memory(decisions=decision("Sync through a broker", "As it says (see ADR-0003)."))
    assert clashes(RECORDS, files) == [("ground", True, [f"{THREE}:1", f"{HOME}/decisions.md:6"])]
