"""Budgets: over, near, and not counted where they can't be reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.checks.budgets import at_most
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.layouts.values import LoadRequest
from memdesk.core.tokens import count
from tests.support.checking import findings, ran, report
from tests.support.stores import custodian_store

BUDGET = ["constraints.md: 40 tokens max"]


def constraints(words: int) -> str:
    """A text of exactly that many tokens: "# C" is two, each bullet ten."""
    bullets, rest = divmod(words - 2, 10)
    lines = [f"- {' '.join(f'w{number}x{index}' for index in range(9))}" for number in range(bullets)]
    if rest:
        lines.append("- " + " ".join(["y"] * (rest - 1)))
    return "# C\n\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize(("tokens", "over", "near"), [(31, 0, 0), (32, 0, 1), (40, 0, 1), (41, 1, 0)])
def test_at_one_token_more_or_less(tmp_path: Path, tokens: int, over: int, near: int) -> None:
    text = constraints(tokens)
    assert count(text) == tokens
    custodian_store(tmp_path, constraints=text, budgets=BUDGET)
    assert len(findings(tmp_path, "over-budget")) == over
    assert len(findings(tmp_path, "near-budget")) == near


def test_over_budget_says_what_a_pack_would_leave_out(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=constraints(62), budgets=BUDGET)
    [finding] = findings(tmp_path, "over-budget")
    assert (finding.path, finding.line, finding.severity) == ("docs/memory/constraints.md", None, "error")
    assert finding.message.startswith("62 of 40 tokens: 22 over (set in docs/memory/manifest.md:")
    assert "(line 6)" in finding.hint
    assert "and 0 more" not in finding.hint


def test_an_oversized_first_unit_is_said_to_be_kept_whole(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- " + "word " * 60 + "\n", budgets=BUDGET)
    [finding] = findings(tmp_path, "over-budget")
    assert "keeps its one unit whole" in finding.hint


def test_f13_a_cjk_character_is_a_token(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# B\n\n" + "漢" * 501 + "\n")
    [finding] = findings(tmp_path, "over-budget")
    assert finding.message.startswith("503 of 500 tokens: 3 over (the layout's default)")


def test_the_near_share_is_a_setting(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=constraints(32), budgets=BUDGET)
    (tmp_path / "memdesk.toml").write_text("[budget]\nnear = 0.9\n")
    assert findings(tmp_path, "near-budget") == []


def test_caps_in_other_units_are_another_rule_and_a_pack_is_not_cut_there(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=constraints(102), budgets=("constraints.md: 9 lines max, at most 90 characters",))
    found = [(finding.path.rpartition("/")[2], finding.message) for finding in findings(tmp_path, "over-cap")]
    lines, chars = constraints(102).count("\n"), len(constraints(102))
    assert found == [
        ("constraints.md", f"{lines} of 9 lines: {lines - 9} over (set in docs/memory/manifest.md:86)."),
        ("constraints.md", f"{chars} of 90 chars: {chars - 90} over (set in docs/memory/manifest.md:86)."),
    ]
    assert findings(tmp_path, "over-budget") == []
    desk = Desk.open(str(tmp_path), clock=clock("2026-05-10"), user_config=None)
    assert constraints(102).strip() in desk.pack(LoadRequest("implementation")).text


def test_a_store_without_caps_in_other_units_says_that_it_looked_at_none(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    found = report(tmp_path)
    assert (ran(found, "over-cap").status, ran(found, "over-cap").checked) == ("pass", 0)
    assert ran(found, "over-budget").checked == 4  # brief, decisions, constraints, do-not-use


@pytest.mark.parametrize(
    "text", ["", "a", "a-b-c.d", "漢字かな", "x " * 50, "a_b c1d", "---", "a\u00a0b", "\x0b\x0c", "é" * 9, "`src/app.py`"]
)
def test_the_cheap_bound_is_never_below_the_estimate(text: str) -> None:
    assert at_most(text.encode()) >= count(text)
