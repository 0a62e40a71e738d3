"""Struck entries past their keep time."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.core.prune.struck import struck_on
from tests.support.proposing import proposed, scanned, shown
from tests.support.sources import decision, memory, over
from tests.support.stores import LINT


def gone(title: str, line: str) -> str:
    return decision(title).replace(f"## 2026-02-01 - {title}\n", f"## ~~2026-02-01 - {title}~~\n\n{line}\n")


OLD, NEW = 'Superseded: 2025-03-01 by "B of 2026-10-01"', "Struck: 2026-10-01. It said 2024-01-01."


def test_one_proposal_for_a_file_with_all_that_is_past_and_nothing_that_is_not() -> None:
    text = decision("A") + gone("B", OLD) + gone("C", NEW) + gone("D", OLD)
    (one,) = proposed("struck", memory(decisions=text, constraints="- ~~Old.~~ struck 2026-11-01: 2020-01-01 is past\n"))
    assert (one.verb, one.places, one.proposal.exact) == ("archive", ["decisions.md:11", "decisions.md:31"], True)
    assert one.proposal.evidence[1] == "Line 11, struck 2025-03-01, 639 days ago: B"
    assert one.drawn.label.startswith("Archive 2 struck entries: decisions.md ")
    assert one.drawn.label.endswith(" of 800 tokens")
    assert set(one.drawn.frees) == {"docs/memory/decisions.md"}, "the archive frees nothing and costs nothing"
    assert "~~2026-02-01 - C~~" in one.after("decisions.md")


@pytest.mark.parametrize(("text", "day"), [
    ("- ~~Old 2020-01-01.~~ struck 2025-03-01: no\n", "2025-03-01"),
    ("- ~~Old.~~ superseded 2025-03-01\n", "2025-03-01"),
    ("- ~~Old.~~ superseded\n\n  2025-03-01 is in the text\n", None),
    ("- ~~Old 2020-01-01.~~\n", None),
])  # fmt: skip
def test_the_day_is_the_strike_s_own(text: str, day: str | None) -> None:
    workspace = over(memory(constraints=text))
    (entry,) = workspace.documents["docs/memory/constraints.md"].entries
    assert struck_on(entry) == day


def test_one_without_a_day_is_past_where_its_file_was_not_touched_since() -> None:
    workspace = over(memory(constraints="- ~~Old.~~\n"))
    assert scanned(workspace).proposals == ()
    assert scanned(workspace, touched=lambda path: date(2025, 12, 1)).proposals == ()
    (one,) = scanned(workspace, touched=lambda path: date(2025, 11, 29)).proposals
    assert one.evidence[1] == "Line 3, struck by 2025-11-29, when its file was changed last, 366 days ago: Old."


def test_exactly_the_keep_time_is_kept() -> None:
    assert proposed("struck", memory(constraints="- ~~Old.~~ struck 2025-11-30\n")) == []
    assert len(proposed("struck", memory(constraints="- ~~Old.~~ struck 2025-11-29\n"))) == 1


def test_struck_tombstones_and_quoted_strikes_stay() -> None:
    stone = "## ~~Tombstone: Faxes~~\n\nStruck: 2024-01-01.\n"
    assert proposed("struck", memory(do_not_use=stone, constraints="- Write `~~old~~ struck 2020-01-01`.\n")) == []


def test_beside_a_current_line_of_a_durable_file_struck_ones_stay_and_a_file_of_nothing_else_goes() -> None:
    line = "- ~~[stated] Old (2024-01-01, from us)~~ superseded 2024-02-01\n"
    files = {"m/memory-lint.json": LINT, "m/MEMORY.md": "- `memory/projects/a.md`: a\n- `memory/projects/b.md`: b\n",
             "m/memory/projects/a.md": f"# A\n\n{line}- [stated] New (2024-02-01, from us)\n",
             "m/memory/projects/b.md": f"# B\n\n{line}{line.replace('Old', 'Older')}"}
    (one,) = proposed("struck", files)
    assert shown([one]) == [("archive", ["b.md:3", "b.md:4"])]
    assert one.drawn.plan is not None
    assert one.drawn.plan.questions == ()
    assert one.drawn.label.startswith("Archive 2 struck entries: memory/projects/b.md goes whole, ")
