"""The report of a check: text for people, JSON for programs (CLI.md). Those that hosts of CI show are modules of their own."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.checks.runner import ChangeReport, Report
    from memdesk.core.model import Finding

FORMATS = ("text", "json", "github", "sarif", "junit")
HOSTED = FORMATS[2:]  # what a host of CI reads: it gets a whole document even of a check that could not begin


def text(report: Report, *, quiet: bool = False) -> str:
    """A line for each rule with its status and how much it checked, the findings, and the result. `quiet`: without the
    first and without hints."""
    lines: list[str] = []
    if not quiet:
        for store in report.stores:
            lines.append(f"{_line(store.path)} ({store.layout}): {_holds(store.documents, store.entries)}")
        lines.append(looked(report.change))
        several = len(report.stores) > 1
        width = max((len(rule.rule) for rule in report.rules), default=0)
        for rule in report.rules:
            where = f"  [{rule.store}]" if several else ""
            lines.append(f"{rule.status:<4}  {rule.rule:<{width}}  {rule.summary}{where}")
        lines.append("")
    for finding in report.findings:
        place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
        possible = "possible " if finding.possible else ""
        lines.append(_line(f"{place}: {finding.severity} {finding.rule}: {possible}{finding.message}"))
        if not quiet and finding.hint:
            lines.append("    " + _line(finding.hint))
    if not quiet:
        if report.findings:
            lines.append("")
        lines += left_out(report)
        lines.append("Not checked: " + "; ".join(report.not_checked) + ".")
    lines += [_line(f"Not done: {failure}") for failure in report.failures]
    lines.append(f"RESULT {report.result} ({report.errors} errors, {report.warnings} warnings)")
    return "\n".join(lines) + "\n"


def left_out(report: Report) -> list[str]:
    """Lines about the findings that the report does not show: those of a baseline, and those in files without a change."""
    lines = []
    if report.sifted is not None:
        gone = len(report.sifted.gone)
        more = f"; {gone} that it knows {'is' if gone == 1 else 'are'} gone, and can be taken out of it" if gone else ""
        lines.append(f"Baseline: {count(report.sifted.known, 'known finding is', 'known findings are')} left out{more}.")
    if report.elsewhere:
        errors = sum(finding.severity == "error" for finding in report.elsewhere)
        warnings = len(report.elsewhere) - errors
        counts = f"{count(errors, 'error', 'errors')}, {count(warnings, 'warning', 'warnings')}"
        lines.append(f"Left out, in files that the change doesn't touch (--changed-only): {counts}.")
    return lines


def looked(change: ChangeReport) -> str:
    """One line about the change that was looked at, or why there was none."""
    if change.skipped:
        return _line(f"change: not looked at: {change.skipped}")
    against = f" against {_line(change.base)}" if change.base else ""
    files = count(change.files, "file", "files")
    return f"change ({change.mode}{against}): {files}, +{change.added} -{change.removed} lines"


def told(finding: Finding, *, hint: bool = True) -> str:
    """What a finding says and, with `hint`, what to do about it: one line, inert."""
    possible = "Possible: " if finding.possible else ""
    remedy = f" {finding.hint}" if hint and finding.hint else ""
    return _line(f"{possible}{finding.message}{remedy}")


def place(finding: Finding, prefix: str = "") -> str:
    """Where a finding is, `path:line` from the top of the repository, for people: one line, inert."""
    path = path_of(finding, prefix)
    return _line(path if finding.line is None else f"{path}:{finding.line}")


def path_of(finding: Finding, prefix: str = "") -> str:
    """A finding's path from the top of the repository, in which the workspace is at `prefix`; "." for the top itself."""
    return "/".join(part for part in (prefix, finding.path) if part not in ("", ".")) or "."


def count(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"


def _holds(documents: int, entries: int) -> str:
    return f"{count(documents, 'document', 'documents')}, {count(entries, 'entry', 'entries')}"


def _line(text: str) -> str:
    """One line that can do nothing to a terminal, piped or not: a file's name must not write a line of the report."""
    if text.isascii() and text.isprintable():
        return text
    from memdesk.tui.inert import line

    return line(text)


def value(report: Report) -> dict[str, Any]:
    """The same as CLI.md's `memdesk.check/1`. `failures` is what could not be done (exit 2)."""
    return {
        "schema": "memdesk.check/1",
        "root": ".",
        "result": report.result,
        "stores": [store._asdict() for store in report.stores],
        "change": report.change._asdict(),
        "rules": [rule._asdict() for rule in report.rules],
        "findings": [
            {
                "rule": finding.rule, "severity": finding.severity, "possible": finding.possible, "path": finding.path,
                "line": finding.line, "message": finding.message, "hint": finding.hint,
            }
            for finding in report.findings
        ],
        "baselined": 0 if report.sifted is None else report.sifted.known,
        "baseline_gone": 0 if report.sifted is None else len(report.sifted.gone),
        "elsewhere": len(report.elsewhere),
        "counts": {"errors": report.errors, "warnings": report.warnings},
        "not_checked": list(report.not_checked),
        "failures": list(report.failures),
    }
