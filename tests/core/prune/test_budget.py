"""Files over a cap: what is proposed to leave them, that its plan brings them under, and what a person makes of the set."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from memdesk.core import actions, config
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from memdesk.core.prune import budget
from memdesk.core.prune.budget import Over
from memdesk.core.prune.proposal import Proposal
from tests.support.planning import TODAY, Bench, MemoryBench
from tests.support.stores import manifest

SECTION = "## {head}\n\n{struck}Decision:\n{words}\n\nReason:\nIt holds.\n"


def words_of(number: int) -> str:
    return " ".join(["word"] * number)


def decision(number: int, words: int, *, struck: bool = False, month: int = 5) -> str:
    head = f"2026-{month:02}-02 - Choice {number}"
    if struck:
        return SECTION.format(head=f"~~{head}~~", struck="Superseded: 2026-10-01 by \"Other\"\n\n", words=words_of(words))
    return SECTION.format(head=head, struck="", words=words_of(words))


def decisions(*entries: str) -> str:
    return "# Decisions\n\n" + "\n".join(entries)


def looked(bench: Bench) -> Over:
    return budget.look(bench.workspace, TODAY, config.defaults())


def only(bench: Bench) -> Proposal:
    over = looked(bench)
    assert over.left == ()
    (proposal,) = over.proposals
    assert (proposal.kind, proposal.exact, proposal.request.verb) == ("over-budget", False, "archive")
    assert proposal.request.ids == tuple(entry.id for entry in proposal.entries)
    assert proposal.changes == len(proposal.entries)
    return proposal


def titles(proposal: Proposal) -> list[str]:
    return [entry.heading.rpartition(" ")[2] for entry in proposal.entries]


def used(bench: Bench, proposal: Proposal) -> int:
    """The tokens of the file after the proposal's plan."""
    plan = actions.plan(bench.workspace, proposal.request, TODAY)
    return next(meter.after for meter in plan.budgets if meter.path == proposal.entries[0].path and meter.cap)


def budgeted(**caps: int) -> str:
    """A manifest with budgets of its own."""
    return manifest(budgets=[f"{name}.md: {cap} tokens max" for name, cap in caps.items()])


def test_struck_ones_go_first_and_no_more_than_it_takes(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions=decisions(
        decision(1, 550), decision(2, 100, struck=True), decision(3, 90, struck=True), decision(4, 30, struck=True),
    ))  # fmt: skip
    proposal = only(bench)
    assert titles(proposal) == ["3"], "one is enough, and the smallest that is"
    assert proposal.title == "decisions.md: 885 of 800 tokens"
    assert proposal.evidence[0] == "885 of 800 tokens."
    assert proposal.evidence[1] == "The smallest set that brings it under: 1 entry, all struck or superseded."
    assert proposal.evidence[2].startswith("Line 21, struck 2026-10-01: Choice 3 (")
    assert used(bench, proposal) <= 800


def test_what_holds_goes_where_the_rest_is_not_enough_the_fewest_and_the_least(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions=decisions(
        decision(1, 400), decision(2, 300), decision(3, 200), decision(4, 30, struck=True),
    ))  # fmt: skip
    proposal = only(bench)
    assert titles(proposal) == ["3"], "the smallest that is enough beside the struck one, which is then not needed"
    assert "all current" in proposal.evidence[1]
    more = only(Bench(tmp_path / "more", decisions=decisions(
        decision(1, 400), decision(2, 300), decision(3, 120), decision(4, 30, struck=True), decision(5, 50, struck=True),
    )))  # fmt: skip
    assert titles(more) == ["3", "5"]
    assert "1 of them current" in more.evidence[1]


def test_no_smaller_set_would_do(tmp_path: Path) -> None:
    sizes = [70, 95, 120, 60, 88, 140, 33, 71, 150, 64]
    bench = Bench(tmp_path, decisions=decisions(*(decision(at, size, struck=at % 2 == 0) for at, size in enumerate(sizes))))
    proposal = only(bench)
    entries = bench.entries("decisions.md")
    struck = [entry for entry in entries if entry.struck]
    assert used(bench, proposal) <= 800
    assert all(entry.struck for entry in proposal.entries)
    for chosen in combinations(struck, len(proposal.entries) - 1):
        plan = bench.plan("archive", chosen)
        assert next(meter.after for meter in plan.budgets if meter.cap == 800) > 800
    same = [bench.plan("archive", chosen) for chosen in combinations(struck, len(proposal.entries))]
    after = [next(meter.after for meter in plan.budgets if meter.cap == 800) for plan in same]
    assert used(bench, proposal) == max(tokens for tokens in after if tokens <= 800), "the least that is enough"


def test_tombstones_and_constraints_that_hold_never_go(tmp_path: Path) -> None:
    lines = "".join(f"- Rule {number} {words_of(50)}\n" for number in range(9))
    struck = "".join(f"- ~~Old {number} {words_of(20)}~~ superseded 2026-01-01\n" for number in range(3))
    stone = f"Do not reintroduce this. Reason: {words_of(60)}. Date: 2026-01-02."
    stones = "".join(f"## Tombstone: No {number}\n\n{stone}\n\n" for number in range(9))
    bench = Bench(tmp_path, constraints=f"# Constraints\n\n{lines}{struck}", **{"do-not-use": f"# Do not use\n\n{stones}"})
    over = looked(bench)
    assert over.proposals == ()
    assert [note.partition(". ")[2] for note in over.left] == [
        "All 3 entries that may leave free 99 tokens. The other 9 stay. Shorten what is there, or raise the cap.",
        "A tombstone is never archived: it keeps the rejected path from being rediscovered.",
    ]
    assert over.left[0].startswith("docs/memory/constraints.md: 578 of 400 tokens. ")


def test_rules_and_the_constraints_of_an_area_hold_too(tmp_path: Path) -> None:
    area = "# Maps\n\n## Constraints\n\n" + "".join(f"- Never {number} {words_of(80)}\n" for number in range(9))
    rules = area.replace("## Constraints\n\n", "")
    bench = Bench(tmp_path, **{"areas/maps": area + "\n" + decision(1, 9), "rules/style": rules})
    over = looked(bench)
    assert over.proposals == ()
    assert "The one entry that may leave frees" in over.left[0]
    assert over.left[1].endswith(". A constraint that holds is never archived.")


def test_candidates_are_reviewed_and_not_moved_away(tmp_path: Path) -> None:
    inbox = "# Inbox\n\n" + "".join(f"- Candidate {number} {words_of(50)}\n" for number in range(9))
    bench = Bench(tmp_path, inbox=inbox, manifest=budgeted(inbox=100))
    over = looked(bench)
    assert over.proposals == ()
    assert over.left[0].endswith(" of 100 tokens. A candidate is promoted or rejected, not moved away.")


def test_a_log_that_is_told_of_what_leaves_it_still_comes_under(tmp_path: Path) -> None:
    days = "".join(f"## 2026-0{day}-01\n\n- Promoted something {words_of(9)}.\n- Another line.\n\n" for day in range(1, 9))
    bench = Bench(tmp_path, changelog=f"# Changelog\n\n{days}", manifest=budgeted(changelog=160))
    proposal = only(bench)
    assert used(bench, proposal) <= 160
    assert "all current" in proposal.evidence[1]
    for entry in proposal.entries:
        spare = [other for other in proposal.entries if other is not entry]
        plan = bench.plan("archive", spare)
        assert next(meter.after for meter in plan.budgets if meter.cap == 160) > 160, "none of them is spare"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions=decisions(decision(1, 900)) + "\n```\nnever closed\n")
    over = looked(bench)
    assert over.proposals == ()
    assert "never closes" in over.left[0]


NOTE = "memory/2026-11-20.md"


@pytest.mark.parametrize(
    ("name", "line", "why"),
    [
        ("memory/2026-11-20", "- [observed] {n} waits for review\n", "line 3 still waits: review it, or shorten the file."),
        ("memory/2026-11-30", "- ~~[observed] {n} went~~ struck 2026-11-21\n", "this is today's: shorten it."),
        ("memory/2026-11-20", "- ~~[observed] {n} went~~ struck 2026-11-21\n", ""),
    ],
)
def test_a_whole_note_goes_where_nothing_in_it_waits(tmp_path: Path, name: str, line: str, why: str) -> None:
    text = "# Note\n\n" + "".join(line.format(n=number) for number in range(9))
    tiers = {"ram": {"patterns": [r"^memory/\d{4}-.*"], "maxChars": 200}, "tape": {"dirs": ["memory/archive"]}}
    bench = MemoryBench(tmp_path, lint=json.dumps({"tiers": tiers}), **{f"{name}.md": text})
    over = looked(bench)
    if why:
        assert over.proposals == ()
        (note,) = over.left
        assert note.endswith(f"The archive of this layout takes whole files, and {why}")
        return
    (proposal,) = over.proposals
    assert proposal.evidence[1] == "The whole file goes, 9 entries: nothing in it waits for review."
    plan = actions.plan(bench.workspace, proposal.request, TODAY)
    assert [(step.kind, step.path) for step in plan.steps] == [
        ("mkdir", "memory/archive"), ("create", "memory/archive/2026-11-20.md"), ("delete", NOTE),
    ]
    assert plan.questions == ()
    with pytest.raises(Refused, match="belong together"):
        budget.with_moves(proposal, proposal.request.ids[:1])


def test_an_index_is_shortened_by_hand(tmp_path: Path) -> None:
    index = "# Index\n\n" + "".join(f"- `memory/people/{number}.md`: who\n" for number in range(900))
    over = looked(MemoryBench(tmp_path, **{"MEMORY.md": index}))
    assert over.proposals == ()
    assert [note.partition(": ")[0] for note in over.left] == ["MEMORY.md"]
    assert over.left[0].endswith("The archive of this layout takes whole files, and this one is in use: shorten it.")


# what a person makes of it


@pytest.fixture
def edited(tmp_path: Path) -> tuple[Bench, Proposal]:
    bench = Bench(tmp_path, decisions=decisions(
        decision(1, 550), decision(2, 100, struck=True), decision(3, 90, struck=True), decision(4, 30, struck=True),
    ))  # fmt: skip
    return bench, only(bench)


def test_the_set_can_be_another_one(edited: tuple[Bench, Proposal]) -> None:
    bench, proposal = edited
    offered = budget.choices(proposal)
    assert [(choice.chosen, choice.stays, choice.unit) for choice in offered] == [
        (False, "", "tokens"), (False, "", "tokens"), (True, "", "tokens"), (False, "", "tokens"),
    ]
    wanted = [offered[3].entry, offered[1].entry]
    other = budget.with_moves(proposal, [entry.id for entry in wanted])
    assert titles(other) == ["2", "4"], "in the order of the file"
    assert other.request.ids == tuple(entry.id for entry in (offered[1].entry, offered[3].entry))
    assert other.changes == 2
    assert other.evidence[1] == "Chosen by hand: 2 entries, all struck or superseded."
    before = bench.document("decisions.md").used_tokens
    assert used(bench, other) == before - offered[1].cost - offered[3].cost
    assert [choice.chosen for choice in budget.choices(other)] == [False, True, False, True]
    assert budget.with_moves(other, proposal.request.ids).request == proposal.request


def test_the_words_of_the_request_stay(edited: tuple[Bench, Proposal]) -> None:
    _, proposal = edited
    asked = proposal._replace(request=proposal.request._replace(words={"reason": "old"}))
    other = budget.with_moves(asked, [budget.choices(proposal)[1].entry.id])
    assert other.request.words == {"reason": "old"}


def test_what_may_not_go_cannot_be_chosen(tmp_path: Path) -> None:
    lines = "".join(f"- ~~Old {number} {words_of(50)}~~ superseded 2026-01-01\n" for number in range(9))
    bench = Bench(tmp_path, constraints=f"# Constraints\n\n- It holds.\n{lines}")
    proposal = only(bench)
    offered = budget.choices(proposal)
    assert offered[0].stays == "A constraint that holds is never archived."
    with pytest.raises(Refused, match="never archived") as caught:
        budget.with_moves(proposal, [offered[0].entry.id, *proposal.request.ids])
    assert caught.value.line == 3


def test_an_empty_set_an_unknown_entry_and_another_kind_are_refused(edited: tuple[Bench, Proposal]) -> None:
    bench, proposal = edited
    with pytest.raises(Refused, match="nothing left to move"):
        budget.with_moves(proposal, [])
    with pytest.raises(Refused, match="no entry of this file"):
        budget.with_moves(proposal, [bench.entries("constraints.md")[0].id])
    with pytest.raises(Refused, match="belong together"):
        budget.with_moves(proposal._replace(kind="duplicate"), proposal.request.ids)


def test_single_ones_can_be_taken_out_of_what_is_past_its_keep_time(tmp_path: Path) -> None:
    lines = "".join(f"- ~~Old {number}~~ superseded 2026-01-0{number}\n" for number in (1, 2, 3))
    bench = Bench(tmp_path, constraints=f"# Constraints\n\n- It holds.\n{lines}")
    entries = bench.entries("constraints.md")
    request = Request("archive", tuple(entry.id for entry in entries[1:3]))
    evidence = ("Struck longer than 90 days.", *(f"Line {entry.line}, long ago: {entry.heading}" for entry in entries[1:3]))
    proposal = Proposal("struck", True, "constraints.md", evidence, tuple(entries[1:3]), 2, request, entries[0].document.store)
    fewer = budget.with_moves(proposal, [entries[1].id, entries[3].id])
    assert [entry.line for entry in fewer.entries] == [4, 6]
    assert fewer.evidence == (
        "Struck longer than 90 days.", "Line 4, long ago: Old 1", "Line 6, struck 2026-01-03: Old 3",
    )
    assert (fewer.title, fewer.exact) == ("constraints.md: 2 struck entries", True)
    with pytest.raises(Refused, match="constraint that holds"):
        budget.with_moves(proposal, [entries[0].id])
    assert b"Old 2" in bench.after(actions.plan(bench.workspace, fewer.request, TODAY), "constraints.md")
