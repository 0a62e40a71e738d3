"""The rule rank-conflict, and how judgments quiet the rules over conflicts, in the working tree, in the index and in CI."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.judgments import PATH
from memdesk.core.plan import Request
from tests.support.checking import lines, ran, report
from tests.support.sources import GLOSSARY, HOME, RECORDS, decision, memory
from tests.support.stores import git, git_repo, put

STONE = "## Tombstone: {}\n\nReason: no. Date: 2026-01-01.\n"


def write(root: Path, *parts: dict[str, str]) -> None:
    for part in parts:
        for path, text in part.items():
            put(root, path, text)


def dismiss_all(root: Path) -> int:
    desk = Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)
    for clash in desk.conflicts():
        desk.perform(Request("dismiss", (clash.id,), {"reason": "Both hold."}), "Ada")
    return len(desk.conflicts())


@pytest.mark.parametrize(("files", "expected"), [
    ({"constraints": "- Split by day (see ADR-0001).\n"}, [("constraints.md", 3, "error")]),
    ({"constraints": "- We go with ADR-0001.\n"}, [("constraints.md", 3, "possible")]),
    ({"constraints": "- **Site**: the web site.\n"}, [("constraints.md", 3, "possible")]),
    ({"decisions": decision("One spot for each bay")}, [("decisions.md", 3, "error")]),
    ({"do_not_use": STONE.format("Keep counts in SQLite")}, [("do-not-use.md", 3, "error")]),
    ({"decisions": decision("Sync through a broker")}, [("decisions.md", 3, "possible")]),
    ({"decisions": decision("Keep counts in SQLite")}, []),
])  # fmt: skip
def test_memory_against_records_and_the_glossary(
    tmp_path: Path, files: dict[str, str], expected: list[tuple[str, int, str]]
) -> None:
    write(tmp_path, RECORDS, {"CONTEXT.md": GLOSSARY}, memory(**files))
    assert lines(tmp_path, "rank-conflict") == expected


def test_a_design_record_is_told_of_where_it_stands(tmp_path: Path) -> None:
    design = {"docs/design/a.md": "# A\n\n**Status:** Draft\n\n**Supersedes:** Keep counts in SQLite\n"}
    write(tmp_path, RECORDS, design, memory())
    assert lines(tmp_path, "rank-conflict") == [("a.md", 1, "error")]


def test_nothing_is_told_twice(tmp_path: Path) -> None:
    """A title twice and a tombstone in one store have rules of their own; across stores, this one tells."""
    text = decision("Colours") + decision("Colours", "Other.") + decision("Cloud sync")
    write(tmp_path, RECORDS, memory(decisions=text, do_not_use=STONE.format("Cloud sync")))
    found = report(tmp_path, only=["rank-conflict", "two-versions", "tombstone-repeat", "owner-clash"])
    assert sorted(finding.rule for finding in found.findings) == ["tombstone-repeat", "two-versions"]


def test_without_records_it_says_that_it_compared_nothing(tmp_path: Path) -> None:
    write(tmp_path, memory(decisions=decision("Colours")))
    assert ran(report(tmp_path, only=["rank-conflict"]), "rank-conflict").summary == "0 entries checked"
    write(tmp_path, RECORDS)
    found = report(tmp_path, only=["rank-conflict"])
    assert {one.layout: one.checked for one in found.rules} == {"custodian": 2, "records": 0}


def test_what_a_person_dismissed_is_quiet_and_counted_errors_too(tmp_path: Path) -> None:
    text = decision("Colours") + decision("Colours", "Other.") + decision("Cloud sync", "So (see ADR-0003).")
    write(tmp_path, RECORDS, memory(decisions=text, do_not_use=STONE.format("Cloud sync")))
    only = ["rank-conflict", "two-versions", "tombstone-repeat"]
    assert report(tmp_path, only=only).errors == 3
    assert dismiss_all(tmp_path) == 3
    found = report(tmp_path, only=only, strict=True)
    assert (found.errors, found.warnings, found.exit_code) == (0, 0, 0)
    said = {one.rule: one.summary for one in found.rules if one.layout == "custodian"}
    assert [said[name].endswith(" checked, 1 dismissed") for name in only] == [True, True, True]
    file = tmp_path / HOME / "decisions.md"
    file.write_text(file.read_text().replace("Other.", "Another."))
    assert [finding.rule for finding in report(tmp_path, only=only).findings] == ["two-versions"]


def test_two_owners_that_a_person_dismissed(tmp_path: Path) -> None:
    owner = "## MC-DEC-20260101-{} — {}\n\nSubject: storage\nFacet: format\nStatement:\n{}\n\nReason:\nx\n\n"
    files = memory(decisions=owner.format("a", "CSV", "CSV.") + owner.format("b", "JSON", "JSON."))
    files[f"{HOME}/manifest.md"] = files[f"{HOME}/manifest.md"].replace("protocol_version: 0.5", "protocol_version: 0.6")
    write(tmp_path, files)
    assert lines(tmp_path, "owner-clash") == [("decisions.md", 13, "error")]
    dismiss_all(tmp_path)
    assert lines(tmp_path, "owner-clash") == []


def test_ci_sees_the_judgments_that_are_committed_or_staged_and_no_others(tmp_path: Path) -> None:
    write(tmp_path, RECORDS, memory(constraints="- Split by day (see ADR-0003).\n"))
    git_repo(tmp_path)
    dismiss_all(tmp_path)
    assert lines(tmp_path, "rank-conflict") == []
    assert lines(tmp_path, "rank-conflict", mode="staged") == [("constraints.md", 3, "error")]
    git(tmp_path, "add", PATH)
    assert lines(tmp_path, "rank-conflict", mode="staged") == []


def test_a_file_of_judgments_that_cannot_be_read_fails_the_check_and_quiets_nothing(tmp_path: Path) -> None:
    write(tmp_path, RECORDS, memory(constraints="- Split by day (see ADR-0003).\n"), {PATH: "<<<<<<< HEAD\n"})
    found = report(tmp_path)
    assert found.exit_code == 2
    assert [failure.split(" is ")[0] for failure in found.failures] == [f"{PATH}:1:"]
    assert [finding.rule for finding in found.findings if finding.severity == "error"] == ["rank-conflict"]
