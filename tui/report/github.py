"""The report of a check as GitHub's workflow commands: it shows them as annotations beside the lines of a pull request.

What runs a step takes each line of its output for a command that begins with `::`, and what follows `##[` in any other. So
every line here is one of ours, outside text only stands inside it, and none goes on over the next. The place is in the
message too: a log shows nothing else of a command.
"""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui.report.check import count, left_out, path_of, place, told

if TYPE_CHECKING:
    from memdesk.core.checks.runner import Report
    from memdesk.core.model import Finding

SHOWN = 10  # errors, and as many warnings, of which GitHub makes annotations in one step; the log has all


def text(report: Report, prefix: str = "", *, quiet: bool = False) -> str:
    """What could not be done, the errors, the warnings, each a command; then one line that sums up. Paths are from the top of
    the repository, in which the workspace is at `prefix`. `quiet`: without hints."""
    from memdesk.tui.inert import line

    lines = [f"::error title=memdesk::{_data(f'Not done: {line(failure)}')}" for failure in report.failures]
    for severity in ("error", "warning"):  # GitHub shows the first of each
        lines += [_command(one, prefix, quiet) for one in report.findings if one.severity == severity]
    return "\n".join([*lines, _summary(report)]) + "\n"


def _command(finding: Finding, prefix: str, quiet: bool) -> str:
    path = path_of(finding, prefix)
    properties = [] if path == "." else [f"file={_property(_file(path))}"]
    if finding.line is not None:
        properties.append(f"line={finding.line}")
    properties.append(f"title={_property(f'memdesk {finding.rule}')}")
    severity = "error" if finding.severity == "error" else "warning"
    message = f"{finding.rule}: {place(finding, prefix)}: {told(finding, hint=not quiet)}"
    return f"::{severity} {','.join(properties)}::{_data(message)}"


def _summary(report: Report) -> str:
    """One line without any outside text."""
    skipped = sum(rule.status == "skip" for rule in report.rules)
    ran = f"{count(len(report.rules) - skipped, 'rule', 'rules')} over {count(len(report.stores), 'store', 'stores')}"
    left = f", {skipped} skipped" if skipped else ""
    many = max(report.errors + len(report.failures), report.warnings) > SHOWN
    shown = f" GitHub shows {SHOWN} errors and {SHOWN} warnings of a step; this log has all." if many else ""
    undone = f", {len(report.failures)} not done" if report.failures else ""
    counts = f"{report.errors} errors, {report.warnings} warnings{undone}"
    return " ".join([f"RESULT {report.result} ({counts}): {ran}{left}.{shown}", *left_out(report)])


def _file(path: str) -> str:
    """A name as GitHub has to know it. What would steer a terminal is a symbol all the same: no file is worth that."""
    from memdesk.tui.inert import inert

    return "\n".join("\r".join(map(inert, part.split("\r"))) for part in path.split("\n"))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
