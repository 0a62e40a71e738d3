"""Several proposals that are accepted together: what the button and the history say of them stays short."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from tests.support.stores import MEMORY, custodian_store


def test_of_many_files_a_few_are_named_and_the_rest_is_counted(tmp_path: Path) -> None:
    twice = "- Counts are kept for ten years.\n"
    areas = {f"areas/part-{number}": f"# Part {number}\n\n{twice}{twice}" for number in range(6)}
    custodian_store(tmp_path, budgets=["areas/*.md: 600 tokens max per file, if present"], **areas)  # type: ignore[arg-type]
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T09:00:00"), user_config=None)
    found = [one for one in desk.prune().proposals if one.kind == "duplicate"]
    assert len(found) == 6
    plan = desk.accepting(found)
    assert len(plan.label.split(" · ")) == 5
    assert plan.label.startswith("Accept 6 proposals · part-0.md ")
    assert plan.label.endswith(" · 3 more meters")
    assert "and 3 more" in plan.summary


@pytest.mark.parametrize("order", [1, -1])
def test_no_duplicate_rests_on_what_another_one_takes(tmp_path: Path, order: int) -> None:
    inbox = "# Inbox\n\n## 2026-11-02\n\n- {0}- Stays.\n\n## 2026-11-01\n\n- {0}- {0}- Stays.\n".format("Runs offline.\n")
    custodian_store(tmp_path, constraints="# Constraints\n\n- Runs offline.\n- Runs offline.\n", inbox=inbox)
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T09:00:00"), user_config=None)
    found = [one for one in desk.prune().proposals if one.kind == "duplicate"]
    assert sorted(one.request.verb for one in found) == ["merge", "reject", "strike"]
    desk.accept(found[::order], {"share": "yes"}, "Ada")
    assert (tmp_path / MEMORY / "inbox.md").read_text() == "# Inbox\n\n## 2026-11-02\n\n- Stays.\n"
    assert [one for one in desk.prune().proposals if one.kind == "duplicate"] == []
