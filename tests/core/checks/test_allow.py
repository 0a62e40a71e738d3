"""Inline allowances: what they reach, that a reason is required, and that useless ones are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.checking import findings, lines, ran, report
from tests.support.stores import custodian_store

MAIL = "ana@corp.dev"
ALLOW = "<!-- memdesk: allow example-value it is the public address -->"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"- mail {MAIL} {ALLOW}\n- also {MAIL}\n", [4]),
        (f"- mail\n  {MAIL}\n  {ALLOW}\n- also {MAIL}\n", [6]),
        (f"{ALLOW}\n\n- mail {MAIL}\n- also {MAIL}\n", [6]),
        (f"- mail {MAIL}\n\n{ALLOW}\n\n- also\n  {MAIL}\n", [3]),
        (f"```\n{ALLOW}\n```\n\n- mail {MAIL}\n", [7]),
        (f"- write `{ALLOW}` for {MAIL}\n", [3]),
        (f"- mail {MAIL} <!-- memdesk: allow example-value -->\n", [3]),
        (f"- mail {MAIL} <!-- memdesk: allow secret because -->\n", [3]),
        (f"- mail {MAIL}\r\n- more {MAIL} {ALLOW}\r\n", [3]),
    ],
)
def test_what_an_allowance_reaches(tmp_path: Path, text: str, left: list[int]) -> None:
    custodian_store(tmp_path, constraints="# C\n\n" + text)
    assert [finding.line for finding in findings(tmp_path, "example-value")] == left


def test_in_a_section_it_holds_for_the_whole_entry(tmp_path: Path) -> None:
    one = f"## 2026-05-02 - One\n\nDecision:\n{MAIL}\n\n{ALLOW}\n\nReason:\n{MAIL}\n\n"
    custodian_store(tmp_path, decisions=f"# Decisions\n\n{one}## 2026-05-01 - Two\n\n{MAIL}\n")
    assert lines(tmp_path, "example-value") == [("decisions.md", 15, "warning")]


@pytest.mark.parametrize(("gap", "left"), [("\n", 3), ("\n\n", 9)])
def test_between_two_sections_it_belongs_to_the_one_that_it_touches(tmp_path: Path, gap: str, left: int) -> None:
    text = f"# Decisions\n\n## 2026-05-02 - {MAIL}\n\nReason:\nx\n{ALLOW}{gap}## 2026-05-01 - {MAIL}\n\nReason:\ny\n"
    custodian_store(tmp_path, decisions=text)
    assert [line for _, line, _ in lines(tmp_path, "example-value")] == [left]


def test_before_the_first_entry_it_holds_for_the_file(tmp_path: Path) -> None:
    text = "# C\n\n<!-- memdesk: allow over-budget the list is law -->\n\n- " + "word " * 500 + "\n"
    custodian_store(tmp_path, constraints=text)
    assert findings(tmp_path, "over-budget") == []
    custodian_store(
        tmp_path, constraints=text.replace("<!-- memdesk: allow over-budget the list is law -->\n\n", "") + ALLOW + "\n"
    )
    assert len(findings(tmp_path, "over-budget")) == 1


def test_an_allowance_changes_the_status_of_its_rule(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=f"# C\n\n- mail {MAIL} {ALLOW}\n")
    found = report(tmp_path)
    assert ran(found, "example-value").status == "pass"
    assert (ran(found, "allow-unused").status, ran(found, "allow-unused").checked) == ("pass", 1)


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("<!-- memdesk: allow -->", "names no rule"),
        ("<!-- memdesk: allow exampl-value x -->", "'exampl-value', which is no rule"),
        ("<!-- memdesk: allow example-value -->", "gives no reason"),
        ("<!-- memdesk: allow secret none here -->", "allows nothing"),
        ("<!-- memdesk: allow encoding it is fine -->", "can't be allowed"),
    ],
)
def test_a_useless_allowance_is_reported(tmp_path: Path, comment: str, words: str) -> None:
    custodian_store(tmp_path, constraints=f"# C\n\n- plain text {comment}\n")
    [finding] = [one for one in report(tmp_path).findings if one.rule == "allow-unused"]
    assert (finding.path, finding.line, finding.severity) == ("docs/memory/constraints.md", 3, "warning")
    assert words in finding.message


def test_an_allowance_of_a_rule_that_did_not_run_is_not_judged(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- plain <!-- memdesk: allow secret none here -->\n")
    assert findings(tmp_path, "allow-unused") == []


def test_an_allowance_cannot_hide_a_broken_file(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\n<!-- memdesk: allow conflict-marker it is an example -->\n\n>>>>>>> theirs\n")
    assert len(findings(tmp_path, "conflict-marker")) == 1


def test_no_text_makes_allowances_slow(tmp_path: Path) -> None:
    opened = "<!-- memdesk: allow " * 4000 + " " * 100_000
    custodian_store(tmp_path, constraints=f"# C\n\n- {opened}\n\n" + f"- a {ALLOW}\n" * 3000)
    found = report(tmp_path, only=["example-value", "allow-unused"])
    assert len([finding for finding in found.findings if finding.rule == "allow-unused"]) == 3000
