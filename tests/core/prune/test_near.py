"""Entries that say nearly the same: always possible, the weaker goes."""

from __future__ import annotations

import pytest

from tests.support.proposing import proposed, shown
from tests.support.sources import memory

ONE = "Sheets for the marsh are printed on yellow paper so that they are found in the grass."
LIKE = "Sheets for the marsh are printed on yellow paper, so they are easily found in the grass."


def test_the_later_of_two_like_lines_goes_with_the_reason() -> None:
    (one,) = proposed("near-duplicate", memory(constraints=f"- {ONE}\n- Is small.\n- {LIKE}\n"), near=True)
    assert (one.verb, one.places, one.proposal.exact) == ("strike", ["constraints.md:5"], False)
    assert f'struck 2026-11-30: Says nearly the same as "{ONE[:80]}…" in constraints.md' in one.after("constraints.md")
    assert "% alike" in one.proposal.evidence[1]


@pytest.mark.parametrize(("files", "goes"), [
    ({"constraints": f"- {ONE}\n", "inbox": f"- {LIKE}\n"}, ("reject", ["inbox.md:3"])),  # the candidate
    ({"areas__maps": f"# Maps\n\n- {ONE}\n", "constraints": f"- {LIKE}\n"}, ("archive", ["maps.md:3"])),  # the narrower
    ({"preferences": f"# P\n\n- {ONE}\n", "constraints": f"- {LIKE}\n"}, ("archive", ["preferences.md:3"])),  # the lower rank
])  # fmt: skip
def test_which_of_two_goes(files: dict[str, str], goes: tuple[str, list[str]]) -> None:
    assert shown(proposed("near-duplicate", memory(**files), near=True)) == [goes]


@pytest.mark.parametrize("other", [
    ONE.replace("printed", "never printed"), ONE + " Twice.", ONE.replace("yellow", "green"), "Is small.",
])  # fmt: skip
def test_what_says_something_else(other: str) -> None:
    lines = f"- {ONE.replace('marsh', '9 bays')}\n- {other.replace('marsh', '8 bays')}\n"
    assert proposed("near-duplicate", memory(constraints=lines), near=True) == []


def test_two_areas_may_each_say_it_and_of_three_alike_each_goes_once() -> None:
    apart = memory(areas__maps=f"# Maps\n\n- {ONE}\n", areas__mail=f"# Mail\n\n- {LIKE}\n")
    assert proposed("near-duplicate", apart, near=True) == []
    third = ONE.replace("in the grass", "in high grass")
    found = proposed("near-duplicate", memory(constraints=f"- {ONE}\n- {LIKE}\n- {third}\n"), near=True)
    assert [one.places for one in found] == [["constraints.md:4"], ["constraints.md:5"]]
