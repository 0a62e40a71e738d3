"""Checks with a baseline, for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from memdesk.core.checks import baseline, session
from memdesk.core.checks.runner import Report
from memdesk.core.model import Finding
from tests.support.checking import TODAY

NAME = "baseline.txt"


def written(root: Path, name: str = NAME, **asked: object) -> session.Done:
    """A check that writes the baseline."""
    return done(root, write_baseline=str(root / name), **asked)


def against(root: Path, name: str = NAME, **asked: object) -> Report:
    """The report of a check with that baseline."""
    return done(root, baseline=str(root / name), **asked).report


def done(root: Path, **asked: object) -> session.Done:
    return session.check(session.Asked(start=str(root), **{"mode": "none", **asked}), TODAY)  # type: ignore[arg-type]


def lines(root: Path, name: str = NAME) -> list[baseline.Known]:
    """What the file holds."""
    return baseline.parse((root / name).read_bytes(), name)


def rules(findings: Iterable[Finding]) -> Counter[str]:
    """How many findings there are of each rule."""
    return Counter(finding.rule for finding in findings)
