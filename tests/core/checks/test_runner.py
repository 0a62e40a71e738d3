"""The runner: choosing rules, strictness, statuses, masking, what can't be done, several stores."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core.checks import registry, session
from memdesk.core.errors import StoreError, UsageError
from tests.support.checking import TODAY, findings, ran, report
from tests.support.stores import custodian_store, git_repo, put

KEY = "AKIA" + "QWERTYUIOPASDFGH"


def test_a_clean_store_passes_with_every_rule_run_once(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    found = report(tmp_path)
    assert (found.result, found.exit_code, found.findings, found.failures) == ("pass", 0, (), ())
    assert [rule.rule for rule in found.rules] == [rule.name for rule in registry.rules("custodian")]
    assert found.stores == (("custodian", "docs/memory", 6, 4),)
    assert {rule.status for rule in found.rules} == {"pass", "skip"}
    assert all(rule.reason for rule in found.rules if rule.status == "skip")
    assert len(found.not_checked) >= 4


def test_only_and_skip(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\n")
    assert [rule.rule for rule in report(tmp_path, only=["brief-scaffold", "secret"]).rules] == ["secret", "brief-scaffold"]
    found = report(tmp_path, skip=["brief-scaffold"])
    assert "brief-scaffold" not in [rule.rule for rule in found.rules]
    assert found.exit_code == 0
    assert report(tmp_path, only=["secret"], skip=["secret"]).rules == ()


@pytest.mark.parametrize("where", ["only", "skip"])
def test_f31_an_unknown_rule_is_refused_with_the_nearest(tmp_path: Path, where: str) -> None:
    custodian_store(tmp_path)
    with pytest.raises(UsageError, match="duplicate-entries") as error:
        report(tmp_path, **{where: ["duplicate-entries"]})
    assert error.value.exit_code == 2
    assert "Did you mean duplicate-entry?" in error.value.remedy


def test_strict_makes_warnings_errors_but_not_what_is_only_possible(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- Runs offline\n- Runs offline.\n")
    loose, strict = report(tmp_path), report(tmp_path, strict=True)
    assert (loose.result, loose.errors) == ("pass", 0)
    assert strict.exit_code == 1
    assert {finding.rule: finding.severity for finding in strict.findings} == {
        "guide-missing": "error",
        "two-versions": "warning",
    }
    assert (ran(strict, "guide-missing").status, ran(strict, "two-versions").status) == ("fail", "warn")


def test_statuses_and_summaries(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\nTODO: y\n", constraints="# C\n\n- mail ana@corp.dev\n")
    found = report(tmp_path)
    scaffold, value = ran(found, "brief-scaffold"), ran(found, "example-value")
    assert (scaffold.status, scaffold.summary) == ("fail", "1 file checked: 2 errors")
    assert (value.status, value.summary) == ("warn", "6 files checked: 1 warning")


def test_findings_are_in_order_of_path_and_line(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\nTODO: y\n", constraints="# C\n\n- a\n- a\n- /home/ana/x\n")
    places = [(finding.path, finding.line or 0) for finding in report(tmp_path).findings]
    assert places == sorted(places)


def test_f07_secrets_are_masked_in_every_finding(tmp_path: Path) -> None:
    custodian_store(
        tmp_path,
        constraints=f"# C\n\n- token {KEY}\n- token {KEY}\n",
        decisions=f"# D\n\n## 2026-05-02 - Use {KEY}\n\ntext\n",
        **{"archive/old": f"# Old\n\n- {KEY}\n"},
    )
    found = report(tmp_path)
    places = [(finding.path.rpartition("/")[2], finding.line) for finding in found.findings if finding.rule == "secret"]
    assert places == [("old.md", 3), ("constraints.md", 3), ("constraints.md", 4), ("decisions.md", 3)]
    assert {"duplicate-entry", "decision-why"} <= {finding.rule for finding in found.findings}
    assert KEY not in repr(found)
    assert "history keeps it" in next(finding.message for finding in found.findings if finding.rule == "secret")


def test_f07_a_secret_in_a_file_that_is_not_utf8_is_found_too(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=b"# Caf\xe9\n\n" + KEY.encode() + b"\n")
    assert [finding.line for finding in findings(tmp_path, "secret")] == [3]


def test_f31_no_store_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    put(tmp_path, "README.md", "hello\n")
    with pytest.raises(StoreError, match="nothing was checked") as error:
        report(tmp_path)
    assert error.value.exit_code == 2
    assert "memdesk init" in error.value.remedy


def test_f31_a_near_miss_is_named(tmp_path: Path) -> None:
    put(tmp_path, "docs/memory/decisions.md", "# D\n")
    put(tmp_path, "docs/memory/inbox.md", "# I\n")
    with pytest.raises(StoreError, match=r"docs/memory: manifest\.md is missing"):
        report(tmp_path)


def test_f31_an_empty_manifest_is_a_finding_not_no_store(tmp_path: Path) -> None:
    custodian_store(tmp_path, manifest="")
    found = report(tmp_path)
    assert found.exit_code == 1
    assert {"protocol", "route"} <= {finding.rule for finding in found.findings}


def test_an_unknown_revision_is_a_failure_and_the_rest_is_checked(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\n")
    git_repo(tmp_path)
    found = report(tmp_path, mode="base", base="no-such-rev")
    assert found.exit_code == 2
    assert "no-such-rev" in found.failures[0]
    lost = ran(found, "struck-lost")
    assert (lost.status, lost.reason, lost.checked) == ("fail", found.failures[0], 0)
    assert lost.summary.startswith("nothing checked: ")
    assert ran(found, "brief-scaffold").status == "fail"


@pytest.mark.parametrize("mode", ["base", "staged"])
def test_a_change_that_needs_git_fails_without_it(tmp_path: Path, mode: str) -> None:
    custodian_store(tmp_path)
    found = report(tmp_path, mode=mode, base="HEAD" if mode == "base" else None)
    assert (found.exit_code, found.result) == (2, "fail")


def test_staged_reads_the_index(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    git_repo(tmp_path)
    put(tmp_path, "docs/memory/brief.md", "# B\n\nTODO: x\n")
    assert ran(report(tmp_path, mode="staged"), "brief-scaffold").status == "pass"
    assert ran(report(tmp_path, mode="worktree"), "brief-scaffold").status == "fail"


def test_changed_only_keeps_findings_of_the_change(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\n")
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    git_repo(tmp_path)
    put(tmp_path, "docs/memory/constraints.md", "# C\n\n- a\n- a\n")
    found = report(tmp_path, mode="worktree", changed_only=True)
    assert [(finding.rule, finding.path) for finding in found.findings] == [("duplicate-entry", "docs/memory/constraints.md")]
    assert ran(found, "brief-scaffold").status == "pass"
    assert report(tmp_path, mode="none", changed_only=True).exit_code == 2


def test_two_stores_are_checked_apart_or_one_by_its_path(tmp_path: Path) -> None:
    custodian_store(tmp_path, "a/docs/memory", brief="# B\n\nTODO: x\n")
    custodian_store(tmp_path, "b/docs/memory")
    put(tmp_path, "AGENTS.md", "see a/docs/memory and b/docs/memory\n")
    found = report(tmp_path)
    assert [(rule.store, rule.status) for rule in found.rules if rule.rule == "brief-scaffold"] == [
        ("a/docs/memory", "fail"),
        ("b/docs/memory", "pass"),
    ]
    assert report(tmp_path, store="b/docs/memory/").exit_code == 0
    with pytest.raises(UsageError, match="There is no store 'c'"):
        report(tmp_path, store="c")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_f31_a_file_without_permission_is_a_failure(tmp_path: Path) -> None:
    store = custodian_store(tmp_path)
    (store / "brief.md").chmod(0)
    assert report(tmp_path).exit_code == 2


def test_every_rule_explains_itself() -> None:
    every = registry.rules()
    names = [rule.name for rule in every]
    assert len(names) == len(set(names))
    for rule in every:
        assert rule.severity in ("error", "warning")
        assert rule.title
        assert rule.remedy.endswith(".") or rule.remedy.endswith("`.")
        assert rule.unit.endswith("s")
    with pytest.raises(UsageError, match="no rule 'secrets'"):
        registry.find("secrets")
    assert registry.find("secret").severity == "error"


def test_the_registry_holds_every_rule_of_the_formats() -> None:
    common = (
        "encoding file-size control-character conflict-marker unclosed-block link-outside name-clash duplicate-entry"
        " two-versions tombstone-repeat example-value secret over-budget over-cap near-budget struck-lost archive-changed"
        " guide-missing"
        " entry-file allow-unused prune-overdue"
    )
    custodian = (
        "core-file protocol route route-file module-index decision-length decision-why brief-scaffold inbox-backlog"
        " machine-path unreachable owner-clash"
    )
    names = {rule.name for rule in registry.rules()}
    assert set(common.split()) | set(custodian.split()) <= names
    assert {rule.name for rule in registry.rules() if rule.layout == "custodian"} == set(custodian.split())


def test_a_commit_that_comes_between_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path, brief="# B\n\nTODO: x\n")
    seen: list[str] = []

    def generation(state: str) -> str:
        seen.append(state)
        if len(seen) == 2:  # another memdesk commits while the files are read for the first time
            put(tmp_path, "docs/memory/brief.md", "# B\n\nWritten.\n")
        return "0" if len(seen) < 2 else "1"

    monkeypatch.setattr(session, "generation", generation)
    assert ran(report(tmp_path), "brief-scaffold").status == "pass"
    assert len(seen) == 4
    assert seen[0] == str(tmp_path / ".memdesk" / "state")


def test_an_interrupted_transaction_does_not_keep_a_check_waiting(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    (tmp_path / ".memdesk" / "state" / "txn" / "20260510-120000-abcd").mkdir(parents=True)
    done = session.check(session.Asked(str(tmp_path), mode="none"), TODAY)
    assert done.report.exit_code == 0
    assert "20260510-120000-abcd" in done.notices[0]
