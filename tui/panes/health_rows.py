"""The lines of the Health pane: budgets, findings, what the check could not do, and what it does not check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memdesk.core.model import Budget, Finding
from memdesk.core.timeline import Use
from memdesk.tui import text
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.meters import FULL, REST, short_name
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule
from memdesk.tui.widgets.spark import spark

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.checks.runner import Report, RuleReport
    from memdesk.core.model import Workspace

Courses = Mapping[tuple[str, str], Sequence[Use]]  # by path and unit

SPARK = 16
AROUND = 12  # lines of the file that are shown above and below a finding's own


class Head(NamedTuple):
    title: str
    words: str = ""


class BudgetItem(NamedTuple):
    budget: Budget
    name: str


class FindingItem(NamedTuple):
    finding: Finding
    rule: Rule | None


class FailureItem(NamedTuple):
    """What the check could not do."""

    words: str


class RuleItem(NamedTuple):
    """A rule and how much it looked at."""

    report: RuleReport


class Unchecked(NamedTuple):
    words: str


def rows_of(budgets: Sequence[Budget], report: Report | None, rules: Mapping[str, Rule]) -> list[Row]:
    """Findings first, the worst at the top, then budgets, rules and what is not checked. `report` None: not there yet."""
    rows: list[Row] = []
    if report is None:
        rows.append(Row("", Head("Findings", "checking…")))
    else:
        order = {"error": 0, "warning": 1}
        found = sorted(
            report.findings, key=lambda each: (order.get(each.severity, 2), each.path, each.line or 0, each.rule, each.message)
        )
        rows.append(Row("", Head("Findings", findings_words(report))))
        rows += [Row(f"failure:{words}", FailureItem(words)) for words in report.failures]
        seen: dict[tuple[object, ...], int] = {}
        for finding in found:
            # By rule, place and words: the line moves with every edit above it, so that it only tells twins apart.
            key = (finding.rule, finding.path, finding.message)
            seen[key] = seen.get(key, 0) + 1
            rows.append(
                Row(
                    f"finding:{finding.rule}:{finding.path}:{finding.message}:{seen[key]}",
                    FindingItem(finding, rules.get(finding.rule)),
                )
            )
    capped = [budget for budget in budgets if budget.cap]
    rows.append(Row("", Head("Budgets", f"{len(capped)}" if capped else "no file has one")))
    rows += [Row(f"budget:{budget.path}:{budget.unit}", BudgetItem(budget, short_name(budget, capped))) for budget in capped]
    if report is not None:
        rows.append(Row("", Head("Rules", f"{len(report.rules)} ran")))
        rows += [Row(f"rule:{each.store}:{each.rule}", RuleItem(each)) for each in report.rules]
        rows.append(Row("", Head("Not checked", "what only a person can judge")))
        rows += [Row(f"not:{words}", Unchecked(words)) for words in report.not_checked]
    return rows


def findings_words(report: Report) -> str:
    """`2 errors, 1 warning`, or that there is nothing."""
    if not report.findings and not report.failures:
        return f"✓ none in {sum(store.documents for store in report.stores)} files"
    parts = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in ((report.errors, "error"), (report.warnings, "warning"))
        if count
    ]
    parts += [f"{len(report.failures)} could not be checked"] if report.failures else []
    return ", ".join(parts)


def draw(item: object, width: int, near: float, courses: Courses) -> list[Piece]:
    """A line of the list."""
    if isinstance(item, Head):
        return [Piece(item.title, "heading"), Piece(f"  {item.words}", "dim")]
    if isinstance(item, BudgetItem):
        return _budget(item, width, near, courses.get((item.budget.path, item.budget.unit)))
    if isinstance(item, FindingItem):
        finding = item.finding
        glyph, role = ("✕ ", "bad") if finding.severity == "error" else ("! ", "warn")
        where = finding.path.rsplit("/", 1)[-1] + (f":{finding.line}" if finding.line else "")
        possible = "possible: " if finding.possible else ""
        rule_ = f"  {finding.rule}  " if width >= 50 else "  "
        return [
            Piece(glyph, role),
            Piece(where, "strong"),
            Piece(rule_, "tag"),
            Piece(possible, "warn"),
            Piece(text.line(finding.message)),
        ]
    if isinstance(item, FailureItem):
        return [Piece("✕ ", "bad"), Piece(text.line(item.words))]
    if isinstance(item, RuleItem):
        report = item.report
        glyph, role = {"pass": ("✓ ", "good"), "warn": ("! ", "warn"), "fail": ("✕ ", "bad")}.get(report.status, ("– ", "dim"))
        if report.status == "pass" and not report.checked:
            glyph, role = "– ", "dim"  # a pass over nothing is none
        return [
            Piece(glyph, role),
            Piece(report.rule, "tag"),
            Piece(f"  {report.status}  ", role),
            Piece(text.line(report.summary), "dim"),
        ]
    if isinstance(item, Unchecked):
        return [Piece("? ", "dim"), Piece(text.line(item.words))]
    return []


def _budget(item: BudgetItem, width: int, near: float, course: Sequence[Use] | None) -> list[Piece]:
    budget = item.budget
    state = {"near": "warn", "over": "bad"}.get(budget.state(near), "good")
    glyph = {"warn": "! ", "bad": "✕ "}.get(state, "✓ ")
    bar = 9 if width >= 60 else 5 if width >= 44 else 0
    graph = "" if course is None else spark([use.used for use in course], SPARK if width >= 50 else 8, budget.cap)
    size = f"{budget.used}/{budget.cap}"
    unit = f" {budget.unit}" if width >= 60 else ""
    used = 2 + len(size) + len(unit) + 2 + (bar + 1 if bar else 0) + (SPARK if width >= 50 else 8) + 1
    name = text.fit(item.name, max(min(24, width - used), 8))
    full = min(bar, int(budget.used / (budget.cap or 1) * bar + 0.5)) if budget.used else 0
    pieces = [Piece(glyph, state), Piece(name, "strong"), Piece(f" {size:>9}{unit} ", state if state != "good" else "")]
    if bar:
        pieces += [Piece(FULL * full, state), Piece(REST * (bar - full) + " ", "dim")]
    return [*pieces, Piece(graph, "accent")]


def detail(item: object, workspace: Workspace, near: float, courses: Courses) -> list[Para]:
    """What the reading pane says of a line."""
    if isinstance(item, FindingItem):
        return _finding(item, workspace)
    if isinstance(item, BudgetItem):
        if item.budget.path not in workspace.documents:
            return [*_use(item.budget, near), Para((Piece("The files of a store that have a cap together.", "dim"),))]
        return _course(item.budget, near, courses.get((item.budget.path, item.budget.unit)))
    if isinstance(item, RuleItem):
        report = item.report
        return [
            Para((Piece(report.rule, "heading"), Piece(f"  {report.layout}  {report.store}", "dim"))),
            Para(),
            Para((Piece(f"{report.status}: ", "strong"), Piece(report.summary))),
        ]
    if isinstance(item, FailureItem):
        return [Para((Piece("✕ ", "bad"), Piece(item.words)), hang=2)]
    if isinstance(item, Unchecked):
        return [Para((Piece("No program can check this:", "strong"),)), Para(), *markdown(item.words)]
    return []


def _finding(item: FindingItem, workspace: Workspace) -> list[Para]:
    from memdesk.core.checks.secrets import mask

    finding = item.finding
    role = "bad" if finding.severity == "error" else "warn"
    where = finding.path + (f":{finding.line}" if finding.line else "")
    possible = " · possible: a person has to look" if finding.possible else ""
    lines = [
        Para((Piece(finding.severity, role), Piece(f" · {where} · {finding.rule}{possible}", "dim"))),
        Para(),
        Para((Piece(finding.message),)),
    ]
    if finding.hint:
        lines += [Para(), Para((Piece("→ ", "accent"), Piece(finding.hint)), hang=2)]
    if item.rule is not None:
        lines += [Para(), Para((Piece(f"{finding.rule} reports {item.rule.title}", "dim"),))]
    document = workspace.documents.get(finding.path)
    if document is not None and finding.line:
        source = document.data.decode("utf-8", "replace").split("\n")
        first = max(finding.line - 1 - AROUND, 0)
        lines += [Para(), rule(f"{finding.path}:{finding.line}")]
        for number, line in enumerate((mask(line) for line in source[first : finding.line + AROUND]), first + 1):
            here = number == finding.line
            lines.append(
                Para(
                    (
                        Piece("▌" if here else " ", "accent"),
                        Piece(f"{number:>5} ", "dim"),
                        Piece(line, "strong" if here else ""),
                    ),
                    hang=7,
                )
            )
    return lines


def _use(budget: Budget, near: float) -> list[Para]:
    left = (budget.cap or 0) - budget.used
    state = budget.state(near)
    words = f"{left} {budget.unit} left" if left >= 0 else f"{-left} {budget.unit} over"
    words += ": a pack stops before what does not fit" if left < 0 and budget.unit == "tokens" else ""
    return [
        Para((Piece(budget.path, "heading"),)),
        Para(),
        Para(
            (
                Piece(f"{budget.used} of {budget.cap} {budget.unit} ", "strong"),
                Piece(
                    {"near": "! near its cap · ", "over": "✕ over its cap · "}.get(state, "✓ "),
                    {"near": "warn", "over": "bad"}.get(state, "good"),
                ),
                Piece(words),
            )
        ),
        Para(),
    ]


def _course(budget: Budget, near: float, course: Sequence[Use] | None) -> list[Para]:
    lines = _use(budget, near)
    if course is None:
        return [*lines, Para((Piece("Its course over git's history is not read yet.", "dim"),))]
    if not course:
        return [*lines, Para((Piece("Git keeps no history of it here.", "dim"),))]
    lines += [
        rule(f"its course · {len(course)} version{'' if len(course) == 1 else 's'}"),
        Para((Piece(spark([use.used for use in course], 60, budget.cap), "accent"),)),
    ]
    for older, use in reversed(list(zip([None, *course], course, strict=False))):
        change = "" if older is None else f"{use.used - older.used:+}"
        over = "✕" if budget.cap and use.used > budget.cap else " "
        lines.append(
            Para(
                (
                    Piece(f"{use.date or 'not committed':<14} {use.rev[:9]:<10}", "dim"),
                    Piece(f"{use.used:>6} ", "strong"),
                    Piece(over, "bad"),
                    Piece(f" {change}", "dim"),
                )
            )
        )
    return lines


def haystack(item: object) -> str:
    """What a filter looks in."""
    if isinstance(item, FindingItem):
        finding = item.finding
        return f"{finding.severity} {finding.rule} {finding.path}:{finding.line or ''} {finding.message} {finding.hint}".lower()
    if isinstance(item, BudgetItem):
        return f"budget {item.budget.path} {item.budget.unit} {item.budget.state()}".lower()
    if isinstance(item, RuleItem):
        return f"rule {item.report.rule} {item.report.status} {item.report.summary}".lower()
    return " ".join(str(part) for part in item).lower() if isinstance(item, tuple) else ""
