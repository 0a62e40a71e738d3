"""The report of a check as SARIF 2.1.0, which code scanning and editors read."""

from __future__ import annotations

from urllib.parse import quote_from_bytes

from memdesk import __version__
from memdesk.core.checks import registry
from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui.inert import line
from memdesk.tui.report.check import left_out, path_of, told

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.checks.rule import Rule
    from memdesk.core.checks.runner import Report, RuleReport
    from memdesk.core.model import Finding, Workspace

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "memdesk/v1"  # not GitHub's own key: its uploader makes that one, and warns of each that differs from its own


def value(report: Report, workspace: Workspace | None = None, prefix: str = "") -> dict[str, Any]:
    """One run with the rules that ran and what they found. URIs are from the top of the repository, in which the workspace is
    at `prefix`. What could not be done, and what was skipped, are notifications. `workspace`: what the findings are of."""
    names = list(dict.fromkeys(rule.rule for rule in report.rules))
    index = {name: number for number, name in enumerate(names)}
    known = {rule.name: rule for layout in {rule.layout for rule in report.rules} for rule in registry.rules(layout)}
    driver = {"name": "memdesk", "version": __version__, "rules": [_rule(known[name]) for name in names]}
    marks = _fingerprints(report, workspace)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [_invocation(report, index)],
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, index, mark, prefix) for finding, mark in zip(report.findings, marks, strict=True)
                ],
                "properties": {
                    "rules": [
                        {"rule": rule.rule, "store": line(rule.store), "status": rule.status, "summary": line(rule.summary)}
                        for rule in report.rules
                    ],
                    "leftOut": left_out(report),
                    "notChecked": list(report.not_checked),
                },
            }
        ],
    }


def _fingerprints(report: Report, workspace: Workspace | None) -> list[str]:
    if workspace is None or not report.findings:
        return [""] * len(report.findings)
    from memdesk.core.checks.fingerprint import fingerprints

    return fingerprints(workspace, report.findings)


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": _message(rule.title[:1].upper() + rule.title[1:] + "."),
        "fullDescription": _message(f"Reports {rule.title}."),
        "help": _message(f"{rule.remedy} `memdesk --check --explain {rule.name}` says more."),
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": [rule.layout or "every layout"], "problem.severity": rule.severity},
    }


def _invocation(report: Report, index: dict[str, int]) -> dict[str, Any]:
    """What could not be done is of the execution, what was skipped of the configuration: nobody asked for it, or it has no
    use here."""
    idle = [rule for rule in report.rules if rule.reason is not None]
    return {
        "executionSuccessful": not report.failures,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": [
            *({"level": "error", "message": _message(line(failure))} for failure in report.failures),
            *(_idle(rule, "error", index) for rule in idle if rule.status == "fail"),
        ],
        "toolConfigurationNotifications": [_idle(rule, "note", index) for rule in idle if rule.status != "fail"],
    }


def _idle(rule: RuleReport, level: str, index: dict[str, int]) -> dict[str, Any]:
    text = f"{rule.rule} ({rule.store}): {rule.summary}"
    return {"level": level, "message": _message(line(text)), "associatedRule": {"id": rule.rule, "index": index[rule.rule]}}


def _result(finding: Finding, index: dict[str, int], mark: str, prefix: str) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": {"uri": _uri(path_of(finding, prefix)), "uriBaseId": "%SRCROOT%"}}
    if finding.line is not None:
        where["region"] = {"startLine": finding.line}
    found: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": "error" if finding.severity == "error" else "warning",
        "message": _message(told(finding)),
        "locations": [{"physicalLocation": where}],
    }
    if mark:
        found["partialFingerprints"] = {FINGERPRINT: mark}
    if finding.possible:
        found["properties"] = {"possible": True}
    return found


def _uri(path: str) -> str:
    """A path as a relative reference: every byte that is not plain is percent-encoded, those of no UTF-8 too."""
    try:
        return quote_from_bytes(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half a pair that stands for no byte: no file has that name
        return quote_from_bytes(path.encode("utf-8", "replace"))


def _message(text: str) -> dict[str, str]:
    """A message that says just this: in SARIF's own, braces are placeholders and `[text](target)` is a link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}
