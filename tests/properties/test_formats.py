"""Whatever rules report, of whatever names, comes through each format whole, once, and as nothing else than a finding."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.checks import registry
from memdesk.core.checks.runner import ChangeReport, Report, RuleReport, StoreReport
from memdesk.core.model import Finding
from memdesk.tui.cli.output import _valid
from memdesk.tui.inert import inert, line
from memdesk.tui.report import github, junit, sarif
from tests.support.hosts import junit_cases, sarif_log, steps_log
from tests.support.trees import workspace

NASTY = [
    "::error::owned", "::stop-commands::x", "##[error]owned", "##[stop-commands]x", "]]>", "<![CDATA[", "</failure>", "<!--",
    "&amp;", "%0A", "%25", "%", "\n", "\r", "\r\n", "\n::warning::", ",", ":", "=", ";", "{0}", "{", "}}",
    "[x](https://a.example)", "](1)", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\u200d", "\ufeff", "\ufffe",
    "\uffff", "\ud800", "\udcff", "\U000e0041", "\u0301", "é", "記憶", "  ", "\t", "..", "/", "\\", '"', "'",
]
PIECES = st.one_of(st.sampled_from(NASTY), st.text(max_size=6), st.characters(categories=["Cs", "Cc", "Cf"]))
TEXT = st.lists(PIECES, max_size=6).map("".join)
NAMES = st.binary(min_size=1, max_size=8).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
PATHS = st.one_of(
    st.sampled_from([".", "docs/memory/brief.md", "a%20b.md", "a:b,c.md", "x/küche.md"]),
    st.one_of(TEXT, NAMES).map(lambda text: text.replace("\0", "").strip("/") or "x"),
)
PREFIXES = st.one_of(st.just(""), st.sampled_from(["sub", "a b/c", "50%/x,y"]))
LAYOUTS = ["custodian", "tiers"]


class Made(NamedTuple):
    report: Report
    prefix: str


@st.composite
def reports(draw: st.DrawFn) -> Made:
    layouts = draw(st.lists(st.sampled_from(LAYOUTS), min_size=1, max_size=2, unique=True))
    stores = [StoreReport(layout, draw(PATHS), 3, 7) for layout in layouts]
    rules: list[RuleReport] = []
    by_rule: list[tuple[Finding, ...]] = []
    for store in stores:
        for rule in draw(st.lists(st.sampled_from(registry.rules(store.layout)), min_size=1, max_size=3, unique=True)):
            least = draw(st.sampled_from([0, 1, 2]))
            found = tuple(draw(st.lists(finding(rule.name), min_size=least, max_size=3, unique=True)))
            reason = draw(st.one_of(st.none(), TEXT.filter(bool))) if not found else None
            status = (
                draw(st.sampled_from(["skip", "fail"])) if reason is not None
                else "fail" if any(one.severity == "error" for one in found) else "warn" if found else "pass"
            )
            summary = f"skipped: {reason}" if reason is not None else "3 files checked"
            rules.append(RuleReport(rule.name, store.layout, store.path, status, 3, "files", summary, reason))
            by_rule.append(found)
    every = tuple(dict.fromkeys(one for found in by_rule for one in found))
    failures = tuple(draw(st.lists(TEXT, max_size=2)))
    change = ChangeReport("worktree", None, 0, 0, 0, draw(st.one_of(st.none(), TEXT)))
    whole = Report(tuple(stores), change, tuple(rules), every, registry.NOT_CHECKED, failures, tuple(by_rule))
    return Made(whole, draw(PREFIXES))


def finding(rule: str) -> st.SearchStrategy[Finding]:
    lines = st.one_of(st.none(), st.integers(1, 10**7))
    severity = st.sampled_from(["error", "warning"])
    return st.builds(Finding, st.just(rule), severity, PATHS, lines, TEXT, TEXT, st.booleans(), TEXT)


def words(found: Finding) -> str:
    """What has to be read of a finding, but for blanks."""
    return line(f"{'Possible: ' if found.possible else ''}{found.message}{' ' + found.hint if found.hint else ''}")


def flat(text: str) -> str:
    return "".join(text.split())


def path(found: Finding, prefix: str) -> str:
    return prefix if prefix and found.path == "." else prefix + "/" * bool(prefix) + found.path


@settings(max_examples=30)
@given(reports())
def test_a_runner_finds_each_finding_and_no_other_command(made: Made) -> None:
    report, prefix = made
    commands, logged = steps_log(github.text(report, prefix))
    assert [line[:7] for line in logged] == ["RESULT "]
    told = [command for command in commands if command.properties["title"] == "memdesk"]
    assert [command.data for command in told] == [f"Not done: {line(failure)}" for failure in report.failures]
    assert commands[: len(told)] == told
    ordered = sorted(report.findings, key=lambda one: one.severity != "error")
    for command, one in zip(commands[len(told) :], ordered, strict=True):
        where = path(one, prefix)
        assert command.name == one.severity
        assert command.properties.get("line") == (None if one.line is None else str(one.line))
        assert command.properties["title"] == f"memdesk {one.rule}"
        at = where if one.line is None else f"{where}:{one.line}"
        assert flat(command.data) == flat(f"{one.rule}: {line(at)}: {words(one)}")
        if where.isprintable() and where == inert(where) == where.strip() and "=" not in where[:1]:
            assert command.properties.get("file") == (None if where == "." else where)


@settings(max_examples=20)
@given(reports())
def test_what_a_log_shows_is_inert(made: Made) -> None:
    for text in (github.text(*made), junit.text(*made)):
        assert all(shown == inert(shown) for shown in text.split("\n"))


@settings(max_examples=25)
@given(reports())
def test_a_sarif_log_is_valid_and_says_all(made: Made) -> None:
    report, prefix = made
    opened = workspace({"docs/memory/brief.md": "# Brief\n\nTODO: x\n"})
    text = json.dumps(_valid(sarif.value(report, opened, prefix)), ensure_ascii=False)
    run, results = sarif_log(text)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(dict.fromkeys(rule.rule for rule in report.rules))
    assert len({one.fingerprint for one in results} - {None}) == len(results)
    for result, one in zip(results, report.findings, strict=True):
        where = path(one, prefix)
        assert (result.rule, result.level, result.line) == (one.rule, one.severity, one.line)
        assert flat(result.message) == flat(words(one))
        try:
            assert result.file == where.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            assert b"?" in result.file
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == (not report.failures)
    assert invocation["exitCode"] == report.exit_code
    errors = [notice for notice in invocation["toolExecutionNotifications"] if "associatedRule" not in notice]
    assert len(errors) == len(report.failures)


@settings(max_examples=30)
@given(reports())
def test_a_junit_document_is_well_formed_and_says_all(made: Made) -> None:
    report, prefix = made
    cases = junit_cases(junit.text(report, prefix))
    whole = cases.pop(0)
    assert whole.how == ("error" if report.failures else "passed")
    assert flat(whole.said) == flat(" ".join(map(line, report.failures)))
    assert len(cases) == len(report.rules)
    for case, rule, found in zip(cases, report.rules, report.by_rule, strict=True):
        errors = [one for one in found if one.severity == "error"]
        assert case.name == rule.rule
        ended = {"pass": "passed", "warn": "passed", "skip": "skipped", "fail": "failure" if errors else "error"}
        assert case.how == ended[rule.status]
        assert not rule.reason or flat(case.message) == flat(line(rule.reason))
        for one in found:
            at = line(path(one, prefix) if one.line is None else f"{path(one, prefix)}:{one.line}")
            shown = (case.said if one in errors else case.output).split("\n")
            assert flat(f"{at}: {'' if one in errors else 'warning: '}{words(one)}") in map(flat, shown)


EACH = [
    test_a_runner_finds_each_finding_and_no_other_command, test_what_a_log_shows_is_inert,
    test_a_sarif_log_is_valid_and_says_all, test_a_junit_document_is_well_formed_and_says_all,
]


@pytest.mark.slow
@pytest.mark.parametrize("each", EACH)
def test_many_more_of_them(each: Callable[..., None]) -> None:
    settings(max_examples=250, deadline=None)(given(reports())(each.hypothesis.inner_test))()  # type: ignore[attr-defined]
