"""Reports of many findings: the time that each format takes grows with them and no faster."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memdesk.core.checks.fingerprint import fingerprints
from memdesk.core.checks.runner import ChangeReport, Report, RuleReport, StoreReport
from memdesk.core.model import Finding, Workspace
from memdesk.tui.report import check, github, junit, sarif
from tests.hostile.test_linear import AGAIN, seconds, too_fast
from tests.support.trees import workspace

PATH = "docs/memory/constraints.md"
FORMATS: dict[str, Callable[[Report, Workspace], object]] = {
    "text": lambda report, opened: check.text(report),
    "json": lambda report, opened: check.value(report),
    "github": lambda report, opened: github.text(report),
    "junit": lambda report, opened: junit.text(report),
    "sarif": sarif.value,
    "fingerprints": lambda report, opened: fingerprints(opened, report.findings),
}


def many(n: int, rules: int = 1) -> tuple[Report, Workspace]:
    """A report with n findings of so many rules, in a file in which ten times as many lines hold values to mask."""
    lines = "".join(f"- see /home/ana/x{number}\n" for number in range(10 * n))
    names = ["machine-path", "secret", "example-value", "duplicate-entry"][:rules]
    text = "é\n::error::x" * 3
    found = [
        Finding(names[number % rules], "error", PATH, 10 * number + 3, f"{text} {number}", "Take it out.")
        for number in range(n)
    ]
    told = tuple(RuleReport(name, "custodian", "docs/memory", "fail", n, "files", "many checked") for name in names)
    own = tuple(tuple(one for one in found if one.rule == name) for name in names)
    change = ChangeReport("none", None, 0, 0, 0, "not asked for")
    stores = (StoreReport("custodian", "docs/memory", 1, n),)
    return Report(stores, change, told, tuple(found), (), (), own), workspace({PATH: "# C\n\n" + lines})


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_report_takes_time_that_grows_with_its_findings(name: str) -> None:
    made = [many(n, 4) for n in (250, 1_000)]
    taken = [{name: min(seconds(lambda each=each: FORMATS[name](*each)) for _ in range(AGAIN))} for each in made]
    assert not too_fast(taken[0], taken[1], 2)
