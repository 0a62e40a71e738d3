"""Inline allowances: what they reach, that a reason is required, and that useless ones are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.baselines import done
from tests.support.checking import findings, lines, ran, report
from tests.support.stores import custodian_store, git, git_repo, put

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


def unused(root: Path, **asked: object) -> list[str]:
    return [one.message for one in done(root, **asked).report.findings if one.rule == "allow-unused"]


BOTH = "<!-- memdesk: allow example-value public --> <!-- memdesk: allow machine-path everyone's -->"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [f"- {MAIL} in /mnt/c/x {BOTH}\n", f"{BOTH}\n\n- {MAIL} in /mnt/c/x\n"])
def test_several_on_one_line_each_allow_their_own(tmp_path: Path, text: str, end: str) -> None:
    custodian_store(tmp_path, constraints=f"# C\n\n{text}".replace("\n", end))
    found = report(tmp_path)
    assert [one.rule for one in found.findings if one.path.endswith("constraints.md")] == []
    assert ran(found, "allow-unused").checked == 2


@pytest.mark.parametrize("fence", ["```\n{}\n```\n", "~~~\n{}\n~~~\n", "- a `{}`\n", "text\n\n    {}\n"])
def test_in_code_it_is_text_even_a_wrong_one(tmp_path: Path, fence: str) -> None:
    custodian_store(tmp_path, constraints="# C\n\n" + fence.format("<!-- memdesk: allow no-such-rule -->"))
    assert (unused(tmp_path), ran(report(tmp_path), "allow-unused").checked) == ([], 0)


def test_an_allowance_of_a_rule_that_could_not_look_is_not_judged(tmp_path: Path) -> None:
    reasons = "<!-- memdesk: allow {} it had to go -->"
    rules = ("struck-lost", "prune-overdue", "owner-clash")  # without a change, a cadence, and subjects: all skipped
    custodian_store(tmp_path, constraints="# C\n\n" + "".join(f"- a {rule} {reasons.format(rule)}\n" for rule in rules))
    assert unused(tmp_path, mode="none") == []


def test_an_allowance_of_what_a_change_does_stays_when_that_is_committed(tmp_path: Path) -> None:
    path = "docs/memory/archive/decisions-2026-01-10.md"
    custodian_store(tmp_path)
    put(tmp_path, path, "# Archive\n\n## One\n")
    git_repo(tmp_path)
    put(tmp_path, path, "# Archive\n\n<!-- memdesk: allow archive-changed it named a person -->\n\n## Two\n")
    assert [one.rule for one in report(tmp_path, mode="worktree").findings if one.path == path] == []
    git(tmp_path, "commit", "-qam", "Change")
    # To take it out again would change the archive: nothing may ask for that.
    assert unused(tmp_path, mode="worktree") == []


def test_an_allowance_of_a_rule_that_no_layout_here_has_allows_nothing(tmp_path: Path) -> None:
    text = "# C\n\n- plain <!-- memdesk: allow fact-why because -->\n"
    custodian_store(tmp_path, constraints=text)
    assert unused(tmp_path) == ["This allowance of fact-why allows nothing here."]


@pytest.mark.parametrize(
    "asked",
    [{"only": ["allow-unused"]}, {"skip": ["secret"]}, {"only": ["allow-unused", "machine-path"]}, {"store": "b/docs/memory"}],
)
def test_what_is_left_out_of_a_check_makes_no_allowance_unused(tmp_path: Path, asked: dict[str, object]) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- plain <!-- memdesk: allow secret none here -->\n")
    custodian_store(tmp_path, "b/docs/memory")
    assert unused(tmp_path, **asked) == []
    assert len(unused(tmp_path)) == 1


def test_with_changed_only_and_with_a_baseline_an_allowance_counts_as_ever(tmp_path: Path) -> None:
    allowed = "# C\n\n- Maps are in /home/ana/maps. <!-- memdesk: allow machine-path everyone's -->\n"
    custodian_store(tmp_path, constraints=allowed.replace("<!-- memdesk: allow machine-path everyone's -->", ""))
    git_repo(tmp_path)
    done(tmp_path, write_baseline=str(tmp_path / "baseline.txt"))
    put(tmp_path, "docs/memory/constraints.md", allowed)
    found = done(tmp_path, baseline=str(tmp_path / "baseline.txt")).report
    assert [one.rule for one in found.findings] == []
    assert [one.rule for one in found.sifted.gone] == ["machine-path"]  # type: ignore[union-attr]
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Allow")
    put(tmp_path, "docs/memory/preferences.md", "# P\n\n- a <!-- memdesk: allow machine-path none -->\n")
    found = done(tmp_path, mode="worktree", changed_only=True).report
    assert [(one.rule, one.path) for one in found.findings] == [("allow-unused", "docs/memory/preferences.md")]


@pytest.mark.parametrize(("gap", "left"), [("\n", []), ("\n\n", ["example-value", "machine-path"])])
def test_on_top_of_each_other_they_belong_to_the_heading_that_they_touch(tmp_path: Path, gap: str, left: list[str]) -> None:
    one, two = BOTH.replace("--> ", "-->\n").split("\n")
    two_sections = f"## 2026-05-02 - One\n\nReason:\nx\n{one}\n{two}{gap}## 2026-05-01 - {MAIL} in /home/x/y\n\nReason:\ny\n"
    custodian_store(tmp_path, decisions=f"# Decisions\n\n{two_sections}")
    found = [one.rule for one in report(tmp_path).findings if one.path.endswith("decisions.md")]
    assert sorted(set(found) - {"allow-unused"}) == left


def test_an_allowance_of_another_rule_makes_no_finding_of_its_line_new(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- Maps are in /home/ana/maps.\n")
    done(tmp_path, write_baseline=str(tmp_path / "baseline.txt"))
    custodian_store(
        tmp_path, constraints="# C\n\n- Maps are in /home/ana/maps. <!-- memdesk: allow machine-path everyone's -->\n"
    )
    assert done(tmp_path, baseline=str(tmp_path / "baseline.txt")).report.findings == ()
