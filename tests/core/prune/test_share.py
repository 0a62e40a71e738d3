"""The second confirmation: more than a quarter of a store's live entries in one session, at once or one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.prune import share
from memdesk.core.prune.proposal import Proposal
from tests.support.sessions import opened, proposed, rotten_store
from tests.support.stores import MEMORY, agent_memory_store

LIVE = ["- Count the gulls.", "- Count the terns.", *(f"- Rule {number} holds." for number in range(6))]
COPIES = ["- Count the gulls.", "- Count the terns.", *(f"- Rule {number} holds." for number in range(2))]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """16 live entries, 4 of them copies: 8 constraints with their copies, a decision, a tombstone, the brief, and one more."""
    text = "# Constraints\n\n" + "\n".join([*LIVE, *COPIES]) + "\n"
    rotten_store(
        tmp_path, constraints=text, decisions="# Decisions\n\n## Sites\n\nOne.\n\n## Maps\n\nTwo.\n\n## ~~Old~~\n\nThree.\n",
        inbox="# Inbox\n\n- [observed] Gulls\n- Terns\n",
    )
    return opened(tmp_path)


def asked(desk: Desk, *proposals: Proposal) -> list[str]:
    return [question.key for question in desk.accepting(proposals).questions]


def test_candidates_struck_entries_logs_and_archives_are_not_live(desk: Desk) -> None:
    assert share.live(desk.workspace) == {MEMORY: 16}


def test_all_at_once_up_to_a_quarter_and_beyond(desk: Desk) -> None:
    copies = list(proposed(desk).values())
    assert len(copies) == 4
    assert asked(desk, *copies) == []
    more = desk.plan(desk.accepting(copies).request._replace(words={f"live {MEMORY}": "15"}))
    assert [one.text for one in more.questions] == [
        f"With this, the session takes 4 of the 15 live entries of {MEMORY}: more than a quarter of what was there when it "
        "began. Go on?"
    ]


def test_one_by_one_it_asks_from_the_one_that_goes_beyond(desk: Desk, tmp_path: Path) -> None:
    """Counted from the session's beginning, over restarts, whatever is left of the store by then."""
    for _ in range(4):
        desk = opened(tmp_path)
        copy = next(one for one in proposed(desk).values() if one.kind == "duplicate")
        assert asked(desk, copy) == []
        desk.accept([copy], None, "Ada")
    entry = next(entry for entry in desk.workspace.entries() if entry.heading == "Sites")
    past = Proposal(
        "task-specific", False, "Sites", (), (entry,), 1, copy.request._replace(verb="archive", ids=(entry.id,)), copy.store
    )
    assert asked(desk, past) == ["share"]
    with pytest.raises(Refused, match="A question is open: With this, the session takes 5 of the 16 live entries"):
        desk.accept([past], {"share": "no"}, "Ada")
    assert len(desk.prune_session().verdicts) == 4
    assert desk.accept([past], {"share": "yes"}, "Ada").id
    assert desk.prune_session().taken == {MEMORY: 5}
    desk.commit(desk.undo(), "Ada")
    assert desk.prune_session().taken == {MEMORY: 4}


def test_what_takes_nothing_live_does_not_ask(tmp_path: Path) -> None:
    rotten_store(tmp_path, constraints=None, do_not_use=None, brief="# Brief\n")
    desk = opened(tmp_path)
    past = next(one for one in proposed(desk).values() if one.kind == "struck")
    assert asked(desk, past) == []
    everything = desk.accepting([past]).request._replace(words={f"live {MEMORY}": "1", f"taken {MEMORY}": "1"})
    assert desk.plan(everything).questions == ()


def test_another_s_verdicts_since_the_plan_was_made_count(desk: Desk, tmp_path: Path) -> None:
    copies = list(proposed(desk).values())
    plan = desk.accepting(copies[:1])
    assert not plan.questions
    other = opened(tmp_path)
    other.accept(copies[1:], None, "Bo")
    entry = next(entry for entry in other.workspace.entries() if entry.heading == "Sites")
    request = copies[0].request._replace(verb="archive", ids=(entry.id,))
    other.accept([Proposal("task-specific", False, "Sites", (), (entry,), 1, request, copies[0].store)], None, "Bo")
    with pytest.raises(Refused, match="A question is open"):
        desk.accept(copies[:1], None, "Ada", plan)


def test_each_store_has_its_own_share(tmp_path: Path) -> None:
    """What is much of a small store is little of both together."""
    rotten_store(tmp_path)
    agent_memory_store(tmp_path, "notes")
    desk = opened(tmp_path)
    live = share.live(desk.workspace)
    assert set(live) == {MEMORY, "notes"}
    words = share.words(desk.workspace, desk.prune_session())
    small = live["notes"] // 4 + 1
    assert share.questions(words, {}, {MEMORY: small}) == []
    assert [one.key for one in share.questions(words, {}, {"notes": small})] == ["share"]
    assert share.questions(words, {"share": "yes"}, {"notes": small}) == []
