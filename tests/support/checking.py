"""Checks of real folders for tests, on a fixed day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from memdesk.core.checks import session
from memdesk.core.checks.runner import Report, RuleReport
from memdesk.core.model import Finding

TODAY = date(2026, 5, 10)


def report(
    root: Path,
    *,
    mode: str = "none",
    base: str | None = None,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    strict: bool = False,
    store: str | None = None,
    changed_only: bool = False,
    today: date = TODAY,
) -> Report:
    """The report of a check of the workspace at `root`."""
    asked = session.Asked(
        start=str(root), mode=mode, base=base, only=only, skip=skip, strict=strict, store=store, changed_only=changed_only
    )
    return session.check(asked, today).report


def findings(root: Path, rule: str, *, mode: str = "none", base: str | None = None, today: date = TODAY) -> list[Finding]:
    """The findings of one rule."""
    return list(report(root, mode=mode, base=base, only=[rule], today=today).findings)


def lines(root: Path, rule: str, **more: str) -> list[tuple[str, int | None, str]]:
    """(file name, line, severity) of each finding of one rule; "possible" as its severity where it is that."""
    return [
        (finding.path.rpartition("/")[2], finding.line, "possible" if finding.possible else finding.severity)
        for finding in findings(root, rule, **more)
    ]


def ran(found: Report, rule: str) -> RuleReport:
    """What the report says of one rule (the first store's)."""
    return next(one for one in found.rules if one.rule == rule)
