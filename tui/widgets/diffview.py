"""The exact diff of every file of a plan, its budgets before and after, and what it warns of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdesk.tui.widgets.meters import FULL, REST
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, rule
from memdesk.tui.widgets.sides import Sides

if TYPE_CHECKING:
    from memdesk.core.errors import MemdeskError
    from memdesk.core.plan import BudgetChange, Plan

BAR = 9
_OPTION = re.compile(r" \(--[^()]*\)")  # what a remedy says to the command line alone


class DiffView(Sides):
    """A reading pane for plans and transactions."""

    def refuse(self, reason: str, remedy: str = "", where: str = "") -> None:
        """Why there is no plan."""
        self.show(_refusal(reason, remedy, where), "refused")


def refusal_lines(error: MemdeskError) -> list[Para]:
    """Why something was not done, to stand above what it was."""
    where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
    return [*_refusal(error.message, error.remedy, where), Para()]


def _refusal(reason: str, remedy: str, where: str) -> list[Para]:
    lines = [Para((Piece("✕ ", "bad"), Piece(f"{where}: " if where else "", "dim"), Piece(reason, "strong")), hang=2)]
    remedy = _OPTION.sub("", remedy)
    if remedy:
        lines.append(Para((Piece("→ ", "accent"), Piece(remedy)), hang=2))
    return lines


def plan_lines(plan: Plan, note: str = "", near: float = 0.8) -> list[Para]:
    """A plan's lines: notes, warnings, budgets, then each file's diff."""
    lines = head_lines(plan, note, near)
    for path, diff in plan.diffs():
        lines += [Para(), *diff_lines(path, diff)]
    return lines[1:] if lines and not lines[0].pieces else lines


def head_lines(plan: Plan, note: str = "", near: float = 0.8) -> list[Para]:
    """What stands above the diffs: notes, warnings, budgets."""
    lines = note_lines(note)
    lines += [Para((Piece("! ", "warn"), Piece(warning)), hang=2) for warning in plan.warnings]
    return [*lines, *(budget_line(change, near) for change in plan.budgets)]


def note_lines(note: str) -> list[Para]:
    """Why what is shown is new, above everything else; nothing where it is not."""
    return [Para((Piece("! NEW ", "new"), Piece(note, "strong")), hang=6)] if note else []


def budget_line(change: BudgetChange, near: float) -> Para:
    """`decisions.md 640 → 671 of 800 tokens ▇▇▇▇▇▇▇▁▁ near`."""
    name = change.path.rsplit("/", 1)[-1]
    if not change.cap:
        return Para((Piece(f"{name} "), Piece(f"{change.before} → {change.after}", "strong"), Piece(f" {change.unit}", "dim")))
    state = "bad" if change.after > change.cap else "warn" if change.after >= near * change.cap else "good"
    word = {"bad": " ✕ over its cap", "warn": " ! near its cap", "good": ""}[state]
    full = min(BAR, int(change.after / change.cap * BAR + 0.5))
    return Para((
        Piece(f"{name} "), Piece(f"{change.before} → {change.after}", "strong"), Piece(f" of {change.cap} {change.unit} "),
        Piece(FULL * full, state), Piece(REST * (BAR - full), "dim"), Piece(word, state),
    ))


def diff_lines(path: str, diff: str) -> list[Para]:
    """A unified diff of one file. A carriage return at a line's end shows as ␍, dim."""
    body = diff.split("\n")
    if body and not body[-1]:
        body.pop()
    added = sum(1 for line in body if line.startswith("+") and not line.startswith("+++ "))
    removed = sum(1 for line in body if line.startswith("-") and not line.startswith("--- "))
    kind = (
        "new file"
        if body and body[0].startswith("--- /dev/null")
        else "deleted"
        if len(body) > 1 and "+++ /dev/null" in body[1]
        else ""
    )
    lines = [rule(f"{path}  +{added} −{removed}" + (f"  {kind}" if kind else ""), "heading")]
    for line in body[2:]:
        if line.startswith("@@"):
            if len(lines) > 1:
                lines.append(Para((Piece("  ⋮", "hunk"),)))
            continue
        role = {"+": "added", "-": "removed", "\\": "dim"}.get(line[:1], "")
        sign, rest = line[:1], line[1:]
        end = ""
        if rest.endswith("\r"):
            rest, end = rest[:-1], "␍"
        lines.append(Para((Piece(f"{sign or ' '} ", role), Piece(rest, role), Piece(end, "dim")), hang=2))
    return lines
