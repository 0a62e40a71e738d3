"""The rules over records and words that look at the tree alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.layouts.records import uses
from memdesk.core.layouts.records.uses import forms
from tests.support.checking import findings, lines, ran, report
from tests.support.stores import RECORDS, git_repo, put, record, records_store


def adr(number: int, status: str = "Accepted", more: str = "", title: str | None = None) -> dict[str, str]:
    return {f"docs/adr/{number:04}-x.md": record(number, title or f"Choice {number}", status, more=more)}


def said(root: Path, rule: str) -> list[str]:
    return [f"{finding.path}:{finding.line}: {finding.message}" for finding in findings(root, rule)]


def test_the_standard_store_has_no_finding(tmp_path: Path) -> None:
    records_store(tmp_path)
    put(tmp_path, "AGENTS.md", "Memory: CONTEXT.md and docs/adr. It ranks below the glossary and the records.\n")
    git_repo(tmp_path)
    found = report(tmp_path)
    assert (found.findings, found.exit_code) == ((), 0)
    assert ran(found, "adr-number").summary == "2 records checked"
    assert ran(found, "adr-status").summary == "2 records checked"
    assert ran(found, "adr-supersession").summary == "2 records checked"
    assert ran(found, "adr-why").summary == "1 record checked"
    assert ran(found, "term-duplicate").summary == "2 terms checked"
    assert ran(found, "term-unused").summary == "skipped: records.sources names no source folders"


def test_one_number_twice(tmp_path: Path) -> None:
    records_store(tmp_path, **{
        "docs/adr/001-other.md": record(1, "Other"), "packages/a/docs/adr/0001-x.md": record(1, "Elsewhere"),
        "docs/adr/00002-late.md": "", "docs/design/0001-x.md": "# X\n\nStatus: draft\n",
    })
    assert said(tmp_path, "adr-number") == [
        "docs/adr/0002-sync-at-night.md:None: Number 2 is that of docs/adr/00002-late.md too.",
        "docs/adr/001-other.md:None: Number 1 is that of docs/adr/0001-store-counts-as-csv.md too.",
    ]


def test_statuses_that_are_missing_or_unreadable(tmp_path: Path) -> None:
    records_store(tmp_path, **adr(3, "Ratified by all"), **adr(4, ""), **{
        "docs/adr/0005-x.md": "# X\n\nStatus\n", "docs/adr/0006-x.md": "", "docs/design/a.md": "# A\n",
        "docs/design/b.md": "# B\n\nStatus: soon\n", "docs/design/c.md": "# C\n\n- Status: draft\n",
        "docs/adr/0007-x.md": "---\nstatus: accepted\n---\n# X\n\n* Status: rejected\n", "docs/adr/0008-x.md": b"\xff\xfe",
    })
    assert said(tmp_path, "adr-status") == [
        "docs/adr/0003-x.md:7: The status 'Ratified by all' can't be read.",
        "docs/adr/0004-x.md:5: The status section says none.",
        "docs/adr/0005-x.md:None: There is no status.",
        "docs/adr/0006-x.md:None: The file is empty: it has no status.",
        "docs/adr/0007-x.md:2: The status is 'accepted' here and 'rejected' in line 6.",
        "docs/design/a.md:None: There is no status.",
        "docs/design/b.md:3: The status 'soon' can't be read.",
    ]
    assert [line[2] for line in lines(tmp_path, "adr-status")] == ["error"] * 5 + ["warning", "error"]
    assert ran(report(tmp_path), "adr-status").checked == 10
    put(tmp_path, "memdesk.toml", '[records.statuses]\nratified = "accepted"\n"Soon" = "on hold"\n')
    assert [line[0] for line in lines(tmp_path, "adr-status")] == ["0004-x.md", "0005-x.md", "0006-x.md", "0007-x.md", "a.md"]


def test_succession_that_is_in_order(tmp_path: Path) -> None:
    records_store(
        tmp_path, **adr(3, "Superseded by [ADR-0004](0004-x.md)"), **adr(4, "Superseded by ADR 5", "Supersedes ADR-0003"),
        **adr(5, "Accepted", "Supersedes [4](0004-x.md)"), **adr(6, "Rejected, superseded by ADR-0007, 2026-05-02"),
        **adr(7, "Implemented", "Supersedes ADR 6"), **adr(8, "Proposed", "Supersedes ADR 7"), **adr(9, "Deprecated"),
    )
    assert said(tmp_path, "adr-supersession") == []


def test_succession_across_packages(tmp_path: Path) -> None:
    records_store(tmp_path, **adr(9, "Superseded by [ADR-0001](../../packages/a/docs/adr/0001-y.md)"), **{
        "packages/a/docs/adr/0001-y.md": record(1, "Y", more="Supersedes [9](../../../../docs/adr/0009-x.md)"),
    })
    assert said(tmp_path, "adr-supersession") == []


@pytest.mark.parametrize(("records", "expected"), [
    ([adr(3, "Superseded")], ["docs/adr/0003-x.md:7: It is superseded and doesn't say by which record."]),
    ([adr(3, "Superseded by ADR 9")],
     ["docs/adr/0003-x.md:7: It says that ADR-0009 supersedes it, and there is no such record."]),
    ([adr(3, "Superseded by the new plan")],
     ["docs/adr/0003-x.md:7: It says that 'the new plan' supersedes it, and there is no such record."]),
    ([adr(3, "Superseded by ADR 4"), adr(4)],
     ["docs/adr/0003-x.md:7: It says that docs/adr/0004-x.md supersedes it, and that one doesn't say so."]),
    ([adr(3), adr(4, more="Supersedes ADR 3")],
     ["docs/adr/0004-x.md:9: It supersedes docs/adr/0003-x.md, and that one doesn't say so."]),
    ([adr(4, more="Supersedes ADR 3")], ["docs/adr/0004-x.md:9: It supersedes ADR-0003, and there is no such record."]),
    ([adr(3, "Superseded by ADR 4", "Supersedes ADR 5"), adr(4, "Superseded by ADR 5", "Supersedes ADR 3"),
      adr(5, "Superseded by ADR 3", "Supersedes ADR 4")],
     ["docs/adr/0003-x.md:7: These supersede each other in a circle: ADR-0003 → ADR-0004 → ADR-0005 → ADR-0003."]),
    ([adr(3, "Superseded by ADR 3", "Supersedes ADR 3")],
     ["docs/adr/0003-x.md:7: These supersede each other in a circle: ADR-0003 → ADR-0003."]),
    ([adr(3, "Superseded by ADR 4 and ADR 5"), adr(4, more="Supersedes ADR 3"), adr(5, more="Supersedes ADR 3")],
     ["docs/adr/0005-x.md:9: ADR-0004 and ADR-0005 supersede docs/adr/0003-x.md alike, and are accepted: one alone can "
      "be its successor."]),
])  # fmt: skip
def test_succession_that_is_not(tmp_path: Path, records: list[dict[str, str]], expected: list[str]) -> None:
    files = {path: text for one in records for path, text in one.items()}
    records_store(tmp_path, **files)
    assert said(tmp_path, "adr-supersession") == expected


def test_an_accepted_record_says_why(tmp_path: Path) -> None:
    empty = "# X\n\n## Status\n\nAccepted\n\n## Context\n\n<!-- why -->\n\n## Considered options\n\n- \n\n## Decision\n\nYes.\n"
    label = "# 5. X\n\n**Status:** Accepted\n\n**Reason:** it opens anywhere.\n\n## Alternatives\n\n- XML\n"
    records_store(tmp_path, **adr(8, "Rejected"), **{
        "docs/adr/0003-x.md": "# 3. X\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n", "docs/adr/0004-x.md": empty,
        "docs/adr/0005-x.md": label, "docs/adr/0006-x.md": "# 6. X\n\nStatus: draft\n",
        "docs/adr/0007-x.md": empty.replace("## Context\n\n", "## Context and Problem Statement\n\nBecause.\n\n"),
    })
    assert said(tmp_path, "adr-why") == [
        "docs/adr/0003-x.md:1: The record is accepted and names no context or reason and no considered option.",
        "docs/adr/0004-x.md:1: The record is accepted and names no context or reason and no considered option.",
        "docs/adr/0007-x.md:1: The record is accepted and names no considered option.",
    ]
    assert {line[2] for line in lines(tmp_path, "adr-why")} == {"warning"}


def test_one_meaning_for_one_word(tmp_path: Path) -> None:
    records_store(tmp_path, **{
        "CONTEXT.md": (
            "# W\n\n- **Site**: x. _Avoid_: `Spot`, place\n- **site**: y\n- **Spot**: z\n- ~~**Site**: old.~~\n"
            "- **Count**: c. _Avoid_: count\n"
        ),
        "packages/a/package.json": "{}", "packages/a/CONTEXT.md": "- **Site**: another context has its own words\n",
    })
    assert said(tmp_path, "term-duplicate") == [
        "CONTEXT.md:3: 'Site' says to avoid 'Spot', which line 5 defines.",
        "CONTEXT.md:4: 'site' is defined in line 3 already.",
    ]


def test_words_that_nothing_uses(tmp_path: Path) -> None:
    words = (
        "Site", "Tally", "Order line", "Party", "Tag", "Bus", "Rate", "Left over", "Crest", "計数", "Unused thing", "Café",
        "Fox", "Owl", "Nest",
    )
    records_store(tmp_path, standard=False, **{
        "CONTEXT.md": "# W\n\n" + "".join(f"- **{word}**: x\n" for word in words) + "- ~~**Gone**: x~~\n",
        "docs/adr/0001-x.md": record(1, "Sites have tallies"), "docs/design/a.md": "# A\n\nStatus: draft\n\nNests.\n",
        "src/a.py": "class OrderLine: ...\nparties = untagged = TAGGED = my_bus = 1\ndef rating(): ...\n",
        "src/deep/b.js": "// the left\n//   over; crestfallen; 計数器; cafés, foxglove, a bowl\n",
        "src/c.bin": b"\0Unused thing", "src/big.txt": "Unused thing " * 90_000, "lib/x.txt": "Owl",
    })
    assert ran(report(tmp_path), "term-unused").status == "skip"
    put(tmp_path, "memdesk.toml", '[records]\nsources = ["src", "gone"]\n')
    assert said(tmp_path, "term-unused") == [
        "CONTEXT.md:11: Nothing uses 'Crest'.", "CONTEXT.md:13: Nothing uses 'Unused thing'.",
        "CONTEXT.md:15: Nothing uses 'Fox'.",
        "CONTEXT.md:16: Nothing uses 'Owl'.", "memdesk.toml:2: records.sources names 'gone', and there is no such folder.",
    ]
    assert ran(report(tmp_path), "term-unused").summary == (
        "15 terms checked, in 4 files, 2 left out (binary, a link or over 1 MB): 5 warnings"
    )
    put(tmp_path, "memdesk.toml", '[records]\nsources = ["src", "lib/x.txt"]\n')
    assert [line[1] for line in lines(tmp_path, "term-unused")] == [11, 13, 15]
    put(tmp_path, "src/more.py", "# the crest, a fox, unused things\n")
    assert said(tmp_path, "term-unused") == []


def test_a_tree_too_large_calls_no_word_unused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records_store(tmp_path, **{"src/a.py": "x = 1\n" * 20, "src/b.py": "y = 1\n" * 20})
    put(tmp_path, "memdesk.toml", '[records]\nsources = ["src"]\n')
    assert [line[1] for line in lines(tmp_path, "term-unused")] == []  # the standard store's records use both
    put(tmp_path, "CONTEXT.md", RECORDS["CONTEXT.md"] + "\n**Ferret**:\nNo bird.\n")
    assert len(lines(tmp_path, "term-unused")) == 1
    monkeypatch.setattr(uses, "MOST", 150)
    assert lines(tmp_path, "term-unused") == []
    assert "then stopped" in ran(report(tmp_path), "term-unused").summary


@pytest.mark.parametrize(("word", "form"), [
    ("site", "sites"), ("party", "parties"), ("class", "classes"), ("tag", "tagged"), ("tag", "tagging"), ("rate", "rating"),
    ("rate", "rated"), ("carry", "carried"), ("sites", "site"), ("parties", "party"), ("classes", "class"), ("bus", "buses"),
    ("settings", "setting"), ("tag", "tag"),
])  # fmt: skip
def test_common_inflections(word: str, form: str) -> None:
    assert form in forms(word)


@pytest.mark.parametrize(("word", "form"), [("class", "clas"), ("site", "sit"), ("tag", "tagger"), ("bus", "bu")])
def test_what_is_no_inflection(word: str, form: str) -> None:
    assert form not in forms(word)


def test_a_word_to_avoid_is_one_however_the_list_parts_them(tmp_path: Path) -> None:
    """The rule over the glossary and the conflicts of memory read one list in one way."""
    glossary = "# G\n\n**Site**: x\n_Avoid_: spot (too vague); hide or perch\n\n**Perch**: y\n"
    records_store(tmp_path, **{"CONTEXT.md": glossary})
    [found] = findings(tmp_path, "term-duplicate")
    assert found.message == "'Site' says to avoid 'perch', which line 6 defines."
