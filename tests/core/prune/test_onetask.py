"""Notes of one task in durable files."""

from __future__ import annotations

import pytest

from memdesk.core.prune.onetask import signs
from tests.support.proposing import proposed, shown
from tests.support.sources import decision, memory


@pytest.mark.parametrize(("text", "said"), [
    ("WIP: two of five", "WIP:"), ("See this branch", "this branch"), ("[ ] split it", "[ ]"), ("TODO: name it", "TODO:"),
    ("It fails today, see #12", "today #12"), ("Still failing on PR 7", "PR 7 Still failing"), ("It fails today", ""),
    ("`TODO: name it`", ""), ("The button says \"to be continued\"", ""), ("Never leave a TODO: in it", ""),
    ("ADR-12 and UTF-8, currently", ""), ("The task list", ""), ("/path#12 currently", ""),
])  # fmt: skip
def test_forms_that_point_at_one_moment_or_piece_of_work(text: str, said: str) -> None:
    assert " ".join(signs(text)) == said


def test_it_is_proposed_where_it_stands_among_what_lasts_and_nowhere_else() -> None:
    note = "WIP: two of five cases done."
    files = memory(
        decisions=decision("A", note), constraints=f"- {note}\n- ~~{note}~~ struck 2026-11-01\n", inbox=f"- {note}\n",
        do_not_use=f"## Tombstone: A\n\n{note}\n", changelog=f"# C\n\n- {note}\n",
    )
    found = proposed("task-specific", files)
    assert shown(found) == [("strike", ["constraints.md:3"]), ("archive", ["decisions.md:3"])]
    assert all(not one.proposal.exact for one in found)
    assert "- ~~WIP: two of five cases done.~~ struck 2026-11-30: A note of one task\n" in found[0].after("constraints.md")


@pytest.mark.parametrize("unit", ["this ", "# ", "a-1 ", "\"", "`", "[ ", "still ", "PR ", "“", "'a"])
def test_no_text_makes_it_slow(unit: str) -> None:
    signs(unit * (200_000 // len(unit)))
