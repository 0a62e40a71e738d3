"""Memory that names a record which does not stand as its ground, and all that only looks so."""

from __future__ import annotations

import pytest

from memdesk.core.conflicts import find
from tests.support.sources import HOME, RECORDS, adr, clashes, decision, memory, over
from tests.support.stores import FACTS, LINT

ONE, TWO, THREE, FOUR = sorted(RECORDS)[:4]
AT = f"{HOME}/constraints.md:3"


@pytest.mark.parametrize("text", [
    "- Files are split by day (see ADR-0001).",
    "- Files are split by day, per ADR 1.",
    "- Files are split by day. Source: ADR-0001",
    f"- Files are split by day (from {ONE})",
    f"- Files are split by day (from `{ONE}`)",
    "- Files are split by day, as [the record](../adr/0001-keep-counts-as-csv.md) says.",
    "- Files are split by day: based on [ADR-0001](/docs/adr/gone.md).",
    "- Never split a day's file (see ADR-0001).",  # what it forbids is no word about the record
    "- Files are split by day (see `adr/0001-keep-counts-as-csv.md`).",
    "- Files are split by day.\n  Source: ADR-0001",
    "- The split by day was chosen in spring (see ADR-0001).",
    "- Replaced sheets of paper are kept, split by day (see ADR-0001).",  # far from it: history of something else
    "- Zoë's files, 鳥 by 鳥, are split (see ADR-0001).",
])  # fmt: skip
def test_a_superseded_record_as_the_ground_is_exact_and_its_successor_a_side(text: str) -> None:
    found = clashes(RECORDS, memory(constraints=text + "\n"))
    line = 4 if text.endswith("\n  Source: ADR-0001") else 3
    assert found == [("ground", True, [f"{ONE}:1", f"{HOME}/constraints.md:{line}", f"{TWO}:1"])]


@pytest.mark.parametrize(("number", "path"), [(3, THREE), (4, FOUR)])
def test_a_rejected_or_deprecated_record_has_no_successor_to_show(number: int, path: str) -> None:
    found = clashes(RECORDS, memory(constraints=f"- Say it twice (see ADR-{number:04}).\n"))
    assert found == [("ground", True, [f"{path}:1", AT])]


def test_a_mention_is_possible() -> None:
    assert clashes(RECORDS, memory(constraints="- We go with ADR-0001 for files.\n")) == [
        ("ground", False, [f"{ONE}:1", AT, f"{TWO}:1"])
    ]


@pytest.mark.parametrize("text", [
    "- Files are split by day (see ADR-0002).",  # stands
    "- Vectors, as soon as it is accepted (see ADR-0005).",  # proposed
    "- Nothing of that number (see ADR-0999).",
    "- Files are split by day (see ADR-0001, now ADR-0002).",  # knows its successor
    f"- Files are split by day ({ONE}; see [its successor](../adr/0002-keep-counts-in-sqlite.md)).",
    "- Supersedes ADR-0001: counts are in one database.",
    "- One database instead of the files of ADR-0001.",
    "- One database; ADR-0001 was rejected on the way.",
    "- For the history of the files see ADR-0001.",
    "- This does not follow ADR-0001.",
    "- The old way, now replaced: see ADR-0001.",
    "- One database (see ADR-0001, which was superseded).",
    "- It had been as ADR-0001 says.",
    "- Unlike [ADR-0001](../adr/0001-keep-counts-as-csv.md), it is one database.",
    "- One database. Until 2025 it was as ADR-0001 says.",
    "- ~~Files are split by day (see ADR-0001).~~ superseded 2026-03-01",
    "- One database; ~~see ADR-0001~~.",
    "- One database. <!-- see ADR-0001 -->",
    "- One database, in the words of:\n\n  > see ADR-0001",
    "- One database, made by:\n\n  ```\n  # see ADR-0001\n  ```",
    "- Sites are numbered 0001-0003 from ADR.",
    "- Version 1 (see decision log).",
])  # fmt: skip
def test_what_only_looks_like_it(text: str) -> None:
    assert clashes(RECORDS, memory(constraints=text + "\n")) == []


@pytest.mark.parametrize("files", [
    {"inbox": "## 2026-11-20\n\n- Files are split by day (see ADR-0001).\n"},  # a candidate
    {"archive__decisions-2026-01-01": "# Archived\n\n" + decision("Files", "Split by day (see ADR-0001).")},
    {"changelog": "# Changelog\n\n## 2026-01-01\n\n- Filed as in ADR-0001 (see ADR-0001).\n"},
    {"decisions": "## ~~2026-01-01 - Files~~\n\nSuperseded: 2026-03-01.\n\nDecision:\nSplit (see ADR-0001).\n"},
    {"do_not_use": "## Tombstone: A broker\n\nReason: see ADR-0003. Date: 2026-01-01.\n"},  # rejected, as there
])  # fmt: skip
def test_what_says_nothing_now(files: dict[str, str]) -> None:
    assert clashes(RECORDS, memory(**files), kind="ground") == []


def test_a_record_s_own_chain_is_no_conflict() -> None:
    assert clashes(RECORDS) == []
    chain = {**RECORDS, **adr(6, "Keep counts at the sites", "Accepted\n\nSee ADR-0001 and ADR-0003.")}
    assert clashes(chain, memory()) == []


def test_a_tombstone_on_a_superseded_record_is_possible() -> None:
    stone = "## Tombstone: Parquet\n\nReason: see ADR-0001. Date: 2026-01-01.\n"
    found = clashes(RECORDS, memory(do_not_use=stone))
    assert found == [("ground", False, [f"{ONE}:1", f"{HOME}/do-not-use.md:5", f"{TWO}:1"])]


def test_one_conflict_for_an_entry_and_a_record_however_often_it_is_named() -> None:
    text = "- We go with ADR-0001 (see ADR-0001) and [it](../adr/0001-keep-counts-as-csv.md).\n"
    assert [exact for _, exact, _ in clashes(RECORDS, memory(constraints=text))] == [True]
    both = "- Split by day (see ADR-0001 and ADR-0003).\n"
    assert [places[0] for _, _, places in clashes(RECORDS, memory(constraints=both))] == [f"{ONE}:1", f"{THREE}:1"]


def test_the_last_successor_that_stands_is_shown() -> None:
    chain = {
        **adr(1, "A", "Superseded by ADR-0002"), **adr(2, "B", "Superseded by ADR-0003"), **adr(3, "C", "Accepted"),
    }
    text = memory(constraints="- Do so (see ADR-0001).\n")
    (clash,) = find(over(chain, text))
    assert [side.entry.number for side in clash.sides] == [1, None, 3]
    assert clash.reason == "it names ADR-0001 as its ground, which is superseded by ADR-0003"
    assert clashes(chain, memory(constraints="- Do so (see ADR-0001, ADR-0003).\n")) == []


def test_a_circle_of_successors_ends() -> None:
    circle = {**adr(1, "A", "Superseded by ADR-0002"), **adr(2, "B", "Superseded by ADR-0001")}
    assert [exact for _, exact, _ in clashes(circle, memory(constraints="- Do so (see ADR-0001).\n"))] == [True]


# Several records folders


def test_a_number_that_several_folders_have_is_the_nearest_s_and_only_possible() -> None:
    north, south = ("packages/north", "packages/south")
    records = {
        **adr(1, "North", "Rejected", f"{north}/docs/adr"), **adr(1, "South", "Accepted", f"{south}/docs/adr"),
        f"{north}/CONTEXT.md": "# Words\n", f"{south}/CONTEXT.md": "# Words\n",
    }
    text = "- Do so (see ADR-0001).\n"
    here = memory(f"{north}/docs/memory", constraints=text)
    assert clashes(records, here) == [
        ("ground", False, [f"{north}/docs/adr/0001-north.md:1", f"{north}/docs/memory/constraints.md:3"])
    ]
    assert clashes(records, memory(f"{south}/docs/memory", constraints=text)) == []
    assert clashes(records, memory(constraints=text)) == []  # which of them, nobody can tell
    path = "- Do so (see packages/north/docs/adr/0001-north.md).\n"
    assert clashes(records, memory(constraints=path)) == [("ground", True, [f"{north}/docs/adr/0001-north.md:1", AT])]
    assert clashes(records, memory(constraints="- Do so (see packages/south/docs/adr/0001-south.md).\n")) == []


def test_crlf_and_a_byte_order_mark_change_nothing() -> None:
    files = memory(constraints="- Split by day (see ADR-0001).\n")
    files[f"{HOME}/constraints.md"] = "\ufeff" + files[f"{HOME}/constraints.md"].replace("\n", "\r\n")
    assert clashes(RECORDS, files) == [("ground", True, [f"{ONE}:1", AT, f"{TWO}:1"])]


def test_a_day_s_notes_tell_what_was_and_durable_facts_what_is() -> None:
    note = {"memory/2026-01-14.md": "- [observed] Files are split by day (see ADR-0001)\n"}
    fact = {"memory/decisions/files.md": "# Files\n\n- [stated] Files are split by day (2026-01-14, from ADR-0001)\n"}
    agents = {**FACTS, "memory-lint.json": LINT}
    assert clashes(RECORDS, agents, note) == []
    assert clashes(RECORDS, agents, note, fact) == [("ground", True, [f"{ONE}:1", "memory/decisions/files.md:3", f"{TWO}:1"])]
