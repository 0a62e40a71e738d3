"""The report of a check as JUnit XML: a suite for each store, in it a case for each rule.

A rule that reports an error failed. One that could not look is an error, or skipped, with the reason. Warnings don't fail a
case: they stand in its output.
"""

from __future__ import annotations

from xml.etree import ElementTree

from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui.inert import line
from memdesk.tui.report.check import left_out, looked, place, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.checks.runner import Report, RuleReport, StoreReport
    from memdesk.core.model import Finding

KINDS = ("failure", "error", "skipped")


def text(report: Report, prefix: str = "") -> str:
    """The document. The first suite has one case, the check as a whole: an error where something could not be done. Paths are
    from the top of the repository, in which the workspace is at `prefix`."""
    root = ElementTree.Element("testsuites")
    suites = [_whole(report), *(_suite(store, report, prefix) for store in report.stores)]
    _counts(root, "memdesk", suites)
    root.extend(suites)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _whole(report: Report) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname="memdesk", name="check")
    if report.failures:
        failures = [line(failure) for failure in report.failures]
        message = failures[0] if len(failures) == 1 else f"{failures[0]} (and {len(failures) - 1} more)"
        _child(case, "error", failures, message=message, type="not done")
    unseen = [f"Not checked: {one}." for one in report.not_checked]
    _child(case, "system-out", [looked(report.change), *left_out(report), *unseen])
    suite = ElementTree.Element("testsuite")
    _counts(suite, "memdesk", [case])
    suite.append(case)
    return suite


def _suite(store: StoreReport, report: Report, prefix: str) -> ElementTree.Element:
    own = [
        _case(rule, found, prefix) for rule, found in zip(report.rules, report.by_rule, strict=True)
        if (rule.store, rule.layout) == (store.path, store.layout)
    ]
    suite = ElementTree.Element("testsuite")
    _counts(suite, f"{line(store.path)} ({store.layout})", own)
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (("documents", store.documents), ("entries", store.entries)):
        ElementTree.SubElement(properties, "property", name=name, value=str(value))
    suite.extend(own)
    return suite


def _case(rule: RuleReport, found: Sequence[Finding], prefix: str) -> ElementTree.Element:
    """One rule in one store. What it counted begins its output: a pass over nothing says so."""
    case = ElementTree.Element("testcase", classname=f"memdesk.{rule.layout}.{line(rule.store)}", name=rule.rule)
    errors = [f"{place(one, prefix)}: {told(one)}" for one in found if one.severity == "error"]
    warnings = [f"{place(one, prefix)}: warning: {told(one)}" for one in found if one.severity != "error"]
    if rule.status == "fail" and rule.reason is not None:
        _child(case, "error", errors, message=line(rule.reason), type="not done")
    elif rule.status == "fail":
        message = errors[0] if len(errors) == 1 else f"{errors[0]} (and {len(errors) - 1} more)"
        _child(case, "failure", errors, message=message, type=rule.rule)
    elif rule.status == "skip":
        _child(case, "skipped", [], message=line(rule.reason or ""))
    _child(case, "system-out", [line(rule.summary), *warnings])
    return case


def _child(parent: ElementTree.Element, tag: str, lines: Sequence[str], **attributes: str) -> None:
    child = ElementTree.SubElement(parent, tag, attributes)
    if lines:
        child.text = "\n".join(lines)


def _counts(suite: ElementTree.Element, name: str, parts: Sequence[ElementTree.Element]) -> None:
    """Its name, and how many cases there are in its parts and how they ended."""
    cases = [case for part in parts for case in part.iter("testcase")]
    suite.set("name", name)
    suite.set("tests", str(len(cases)))
    for kind, attribute in zip(KINDS, ("failures", "errors", "skipped"), strict=True):
        suite.set(attribute, str(sum(case.find(kind) is not None for case in cases)))
