"""A prune session: verdicts over restarts and terminals, what undo does to them, what ends a snooze, what ends a session."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from memdesk.core import judgments
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused, UsageError
from memdesk.core.plan import Drifted, Request
from memdesk.core.prune import sessions
from memdesk.core.prune.session import FILE, Session
from tests.support.sessions import accepted, opened, proposed, rotten_store, struck
from tests.support.stores import MEMORY, snapshot

COPY, OTHER, BOATS, PAST = "Runs offline.", "Runs small.", "Boats", "decisions.md: 2 struck entries"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    rotten_store(tmp_path)
    return opened(tmp_path)


def said(session: Session) -> list[tuple[str, str]]:
    return [(verdict.said, verdict.title) for verdict in session.verdicts]


def memory(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if ".memdesk/" not in path}


def test_what_is_decided_does_not_come_back_and_is_known_after_a_restart(desk: Desk, tmp_path: Path) -> None:
    assert desk.prune_session() == Session()
    found = proposed(desk)
    assert set(found) == {COPY, OTHER, BOATS, PAST}
    receipt = accepted(desk, found[PAST])
    desk.refuse(found[COPY], "Said on purpose", "Ada")
    desk.put_off(found[OTHER], date(2026, 12, 24))
    assert list(proposed(desk)) == [BOATS]
    again = opened(tmp_path, "2026-12-01T09:00")
    session = again.prune_session()
    assert said(session) == [("accepted", PAST), ("rejected", COPY), ("snoozed", OTHER)]
    assert session.begun == "2026-11-30T10:00:00Z"
    assert session.live == {MEMORY: 17}
    accepted_, refused, snoozed = session.verdicts
    assert (accepted_.transaction, accepted_.kind, accepted_.store) == (receipt.id, "struck", MEMORY)
    assert accepted_.frees == session.frees == {f"{MEMORY}/decisions.md": 60}
    assert (refused.transaction, snoozed.until, snoozed.transaction) == (again.history()[0].id, "2026-12-24", "")
    assert list(proposed(again)) == [BOATS]


def test_a_terminal_that_is_behind_takes_no_verdict_of_another_away(desk: Desk, tmp_path: Path) -> None:
    found, behind = proposed(desk), opened(tmp_path)
    proposed(behind)
    accepted(desk, found[PAST])
    desk.refuse(found[COPY], "Said on purpose", "Ada")
    given = desk.prune_session()
    for title, day in ((PAST, None), (COPY, None), (COPY, date(2026, 12, 24))):
        with pytest.raises(Refused, match="already in this session"):
            behind.put_off(found[title], day)
    with pytest.raises(Refused):
        behind.refuse(found[COPY], "Another reason", "Bo")
    assert opened(tmp_path).prune_session() == given
    desk.commit(desk.undo(given.verdict(found[COPY].id).transaction), "Ada")  # type: ignore[union-attr]
    behind.put_off(found[COPY], None)
    assert said(opened(tmp_path).prune_session()) == [("accepted", PAST), ("snoozed", COPY)]


def test_opening_a_pane_and_looking_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    found = proposed(desk)
    desk.accepting(list(found.values()))
    desk.refusing(found[COPY])
    desk.ending()
    desk.closing()
    assert not desk.stale(found[COPY])
    assert snapshot(tmp_path) == before
    assert desk.prune_session() == Session()


def test_several_exact_ones_are_one_transaction_and_write_what_one_by_one_does(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(tmp_path / "docs", other / "docs")
    found = proposed(desk)
    plan = desk.accepting(list(found.values()))
    assert plan.summary == (
        "Accepted 4 proposals (said twice: 3, struck, past their keep time: 1) in docs/memory/constraints.md, "
        "docs/memory/decisions.md."
    )
    assert plan.label.startswith("Accept 4 proposals · ")
    receipt = desk.accept(list(found.values()), {"share": "yes"}, "Ada")
    assert [item.id for item in desk.history()] == [receipt.id]
    single = opened(other)
    for proposal in found.values():
        accepted(single, proposed(single)[proposal.title])
    assert memory(other) == {path: data for path, data in memory(tmp_path).items() if not path.startswith("other/")}
    assert {one.transaction for one in desk.prune_session().verdicts} == {receipt.id}
    assert desk.prune_session().frees == single.prune_session().frees
    assert desk.prune_session().taken == single.prune_session().taken == {MEMORY: 3}


def test_undone_a_verdict_is_none_and_redone_it_is_one_again(desk: Desk, tmp_path: Path) -> None:
    before = memory(tmp_path)
    found = proposed(desk)
    accepted(desk, found[BOATS], found[COPY])
    desk.refuse(found[PAST], "", "Ada")
    undo = desk.commit(desk.undo(), "Ada")
    assert [title for _, title in said(desk.prune_session())] == [BOATS, COPY]
    assert PAST in proposed(desk)
    desk.commit(desk.undo(desk.session[0]), "Ada")
    assert desk.prune_session().verdicts == ()
    assert desk.prune_session().taken == {}
    assert set(proposed(opened(tmp_path))) == set(found)
    changed = {path for path, data in memory(tmp_path).items() if data != before.get(path)}
    assert changed == {f"{MEMORY}/changelog.md"}
    assert undo.id is not None
    desk.commit(desk.undo(undo.id), "Ada")
    assert said(desk.prune_session()) == [("rejected", PAST)]


def test_a_rejection_holds_until_a_text_changes(desk: Desk, tmp_path: Path) -> None:
    desk.refuse(proposed(desk)[BOATS], "Two boats", "Ada")
    (judgment,) = judgments.read(desk.workspace.tree)
    assert (judgment.verdict, judgment.kind, judgment.reason, judgment.by, judgment.date) == (
        "refused", "proposal:duplicate", "Two boats", "Ada", "2026-11-30",
    )
    shutil.rmtree(tmp_path / ".memdesk" / "state")
    assert BOATS not in proposed(opened(tmp_path))
    file = tmp_path / MEMORY / "decisions.md"
    file.write_text(file.read_text().replace("- Boats\n\nDecision:\nIt is so.", "- Boats\n\nDecision:\nIt was so."))
    assert BOATS in proposed(opened(tmp_path))


def test_judgments_that_cannot_be_read_are_told_beside_what_is_proposed(desk: Desk, tmp_path: Path) -> None:
    desk.refuse(proposed(desk)[COPY], "", "Ada")
    (tmp_path / judgments.PATH).write_text("[[judgment]]\nverdict = 1\n")
    desk.refresh()
    found = desk.prune()
    assert COPY in [one.title for one in found.proposals], "nothing counts as rejected"
    assert [left for left in found.not_compared if left.startswith(judgments.PATH)]


def test_of_a_set_that_was_rejected_only_what_joins_it_later_is_proposed(desk: Desk, tmp_path: Path) -> None:
    desk.refuse(proposed(desk)[PAST], "", "Ada")
    assert desk.prune().judged == 1
    file = tmp_path / MEMORY / "decisions.md"
    file.write_text(file.read_text() + struck("Radio", "2025-12-02"))
    assert PAST not in proposed(opened(tmp_path))
    later = opened(tmp_path, "2026-12-03")
    (radio,) = [one for one in later.prune().proposals if one.kind == "struck"]
    assert ([entry.heading for entry in radio.entries], later.prune().judged) == (["2024-01-05 - Radio"], 1)
    later.refuse(radio, "", "Ada")
    assert [one.kind for one in later.prune().proposals] == ["duplicate"] * 3


def test_a_snooze_ends_on_its_day_or_with_another_text_and_outlives_the_session(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    desk.put_off(found[COPY], date(2026, 12, 2))
    desk.put_off(found[OTHER], None)
    desk.put_off(found[BOATS], None)
    desk.end_session("Ada")
    assert desk.prune_session() == Session(snoozed={
        found[COPY].id: "2026-12-02", found[OTHER].id: "", found[BOATS].id: "",
    })
    assert list(proposed(opened(tmp_path, "2026-12-01"))) == [PAST]
    later = opened(tmp_path, "2026-12-02")
    assert list(proposed(later)) == [COPY, PAST]
    later.take_up(found[OTHER].id)
    assert set(proposed(later)) == {COPY, OTHER, PAST}
    file = tmp_path / MEMORY / "decisions.md"
    file.write_text(file.read_text().replace("- Boats\n\nDecision:\nIt is so.", "- Boats\n\nDecision:\nIt was so."))
    assert BOATS in proposed(opened(tmp_path, "2026-12-02"))


def test_a_snooze_whose_day_has_come_is_no_verdict_any_more(desk: Desk, tmp_path: Path) -> None:
    desk.put_off(proposed(desk)[COPY], date(2026, 12, 1))
    assert said(desk.prune_session()) == [("snoozed", COPY)]
    assert opened(tmp_path, "2026-12-01").prune_session().verdicts == ()
    desk.take_up(proposed(opened(tmp_path, "2026-12-01"))[COPY].id)
    assert desk.prune_session().verdicts == ()


def test_a_day_that_is_not_to_come_is_no_snooze(desk: Desk) -> None:
    with pytest.raises(UsageError, match="2026-11-30 is not to come"):
        desk.put_off(proposed(desk)[COPY], date(2026, 11, 30))
    assert desk.prune_session() == Session()


def test_a_verdict_may_follow_another_on_the_same_proposal(desk: Desk) -> None:
    copy = proposed(desk)[COPY]
    desk.put_off(copy, None)
    accepted(desk, copy)
    assert said(desk.prune_session()) == [("accepted", COPY)]
    assert desk.prune_session().snoozed == {}


def test_two_terminals_add_to_one_session(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    other = opened(tmp_path)
    accepted(desk, found[PAST])
    other.refuse(found[COPY], "", "Bo")
    desk.put_off(found[OTHER], None)
    accepted(other, proposed(other)[BOATS])
    for one in (desk, other, opened(tmp_path)):
        assert said(one.prune_session()) == [
            ("accepted", PAST), ("rejected", COPY), ("snoozed", OTHER), ("accepted", BOATS),
        ]


def test_a_verdict_of_another_terminal_while_the_session_is_ended_is_told_by_the_next(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST])
    plan = desk.closing(0)
    other = opened(tmp_path)
    accepted(other, found[BOATS])
    other.refuse(found[COPY], "", "Bo")
    other.put_off(found[OTHER], None)
    desk.end_session("Ada", confirmed=plan)
    rest = [("accepted", BOATS), ("rejected", COPY), ("snoozed", OTHER)]
    assert said(opened(tmp_path).prune_session()) == said(desk.prune_session()) == rest
    assert desk.prune_session().id == ""
    other.end_session("Bo")
    assert [(one.accepted, one.rejected, one.snoozed) for one in sessions.read(desk.workspace.tree)] == [(1, 0, 0), (1, 1, 1)]
    assert desk.prune_session() == Session(snoozed={found[OTHER].id: ""})


def test_without_its_state_only_the_session_is_lost(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST])
    desk.refuse(found[COPY], "", "Ada")
    desk.put_off(found[OTHER], None)
    before = memory(tmp_path)
    shutil.rmtree(tmp_path / ".memdesk" / "state")
    again = opened(tmp_path)
    assert again.prune_session() == Session()
    assert set(proposed(again)) == {OTHER, BOATS}
    assert memory(tmp_path) == before


@pytest.mark.parametrize("data", [
    b"", b"{", b"[]", b'{"session": "x", "verdict 1": "[]", "verdict 2": 7, "snooze 3": "never"}',
    b'{"session": "{\\"id\\": 5, \\"live\\": {\\"a\\": \\"b\\"}}"}', b"[" * 9000,
    b'{"verdict 1": "' + b"[" * 9000 + b'"}',
], ids=range(7))  # fmt: skip
def test_a_broken_state_is_no_session(desk: Desk, tmp_path: Path, data: bytes) -> None:
    desk.put_off(proposed(desk)[COPY], None)
    (Path(desk.state) / FILE).write_bytes(data)
    assert desk.prune_session().verdicts == ()
    assert accepted(desk, proposed(desk)[PAST]).id
    assert said(desk.prune_session()) == [("accepted", PAST)]


def test_what_was_decided_while_the_files_changed_is_stale_and_never_applied(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    file = tmp_path / MEMORY / "decisions.md"
    file.write_text(file.read_text().replace("Paper it was.", "Paper it was, once."))
    data = file.read_bytes()
    with pytest.raises(Refused, match=r"decisions\.md: what .decisions\.md: 2 struck entries. is about was changed"):
        accepted(desk, found[PAST])
    desk.refresh()
    assert desk.stale(found[PAST]) == (
        f"{MEMORY}/decisions.md: what \u201c{PAST}\u201d is about was changed, moved or taken out since."
    )
    assert desk.stale(found[COPY]) == ""
    for act in (desk.accepting, lambda all_: desk.refusing(all_[0])):
        with pytest.raises(Refused, match="Scan again"):
            act([found[PAST]])
    assert file.read_bytes() == data
    assert desk.prune_session().verdicts == ()


def test_what_a_proposal_rests_on_must_be_there_too(desk: Desk, tmp_path: Path) -> None:
    """Without the first copy the second is the only one."""
    copy = proposed(desk)[COPY]
    file = tmp_path / MEMORY / "constraints.md"
    file.write_text(file.read_text().replace("- Runs offline.\n", "", 1))
    desk.refresh()
    assert desk.stale(copy)
    with pytest.raises(Refused, match="changed, moved or taken out"):
        accepted(desk, copy)


def test_a_file_that_cannot_be_read_is_said(desk: Desk, tmp_path: Path) -> None:
    copy = proposed(desk)[COPY]
    (tmp_path / MEMORY / "constraints.md").unlink()
    (tmp_path / MEMORY / "constraints.md").mkdir()
    desk.refresh()
    assert "constraints.md" in desk.stale(copy)


def test_two_that_change_one_text_are_not_accepted_together(desk: Desk) -> None:
    copy = proposed(desk)[COPY]
    twin = copy._replace(kind="superseded")
    with pytest.raises(Refused, match="changed by another one of these") as caught:
        desk.accepting([copy, twin])
    assert caught.value.remedy == "Accept them one by one."


def test_only_exact_ones_are_accepted_together(desk: Desk) -> None:
    found = proposed(desk)
    possible = found[PAST]._replace(kind="near-duplicate", exact=False)
    with pytest.raises(Refused, match="only possible, and needs a person's look at it alone"):
        desk.accepting([found[COPY], possible])
    assert desk.accepting([possible]).steps
    with pytest.raises(Refused, match="No proposal is chosen"):
        desk.accepting([])
    with pytest.raises(Refused, match="one by one"):
        desk.plan(desk.refusing(found[COPY]).request._replace(parts=()))


def test_of_a_set_that_was_edited_the_rest_is_proposed_again(desk: Desk) -> None:
    past = proposed(desk)[PAST]
    fewer = past._replace(request=past.request._replace(ids=past.request.ids[:1]))
    accepted(desk, fewer)
    assert said(desk.prune_session()) == [("accepted", PAST)]
    assert "decisions.md: 1 struck entry" in proposed(desk)


def test_what_a_person_saw_is_what_is_done(desk: Desk, tmp_path: Path) -> None:
    """An edit elsewhere lets the plan stand; one that changes its hunks doesn't."""
    past = proposed(desk)[PAST]
    plan = desk.accepting([past])
    (tmp_path / MEMORY / "brief.md").write_text("# Brief\n\nAnother one.\n")
    other = opened(tmp_path)
    other.perform(Request("archive", (next(
        entry.id for entry in other.workspace.entries() if entry.heading == "2026-05-02 - Sites"
    ),)), "Bo")
    with pytest.raises(Drifted) as caught:
        desk.accept([past], {}, "Ada", plan)
    assert said(desk.prune_session()) == []
    desk.accept([past], {}, "Ada", caught.value.plan)
    assert said(desk.prune_session()) == [("accepted", PAST)]


def test_nothing_is_decided_where_nothing_can_be_written(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    with pytest.raises(Refused, match=r"U\+001B"):
        desk.refuse(found[COPY], "red \x1b[31m", "Ada")
    with pytest.raises(Refused, match="example value"):
        desk.refuse(found[COPY], "Ask ada@birds.org", "Ada")
    desk.refuse(found[COPY], "", "Ada")
    with pytest.raises(Refused, match="rejected already, by Ada on 2026-11-30"):
        desk.refuse(found[COPY], "", "Ada")
    assert said(desk.prune_session()) == [("rejected", COPY)]


def test_a_purge_takes_what_the_session_says_of_the_topic(tmp_path: Path) -> None:
    rotten_store(tmp_path, constraints="# Constraints\n\n- Says \u201cZoë\u201d.\n- Runs fast.\n- Says \u201cZoë\u201d.\n")
    desk = opened(tmp_path)
    found = proposed(desk)
    desk.put_off(found["Says \u201cZoë\u201d."], None)
    desk.put_off(found[BOATS], None)
    desk.perform(Request("forget", (), {"topic": "“zoë”", "mode": "purge", "confirmed": "yes"}, person=True), "Ada")
    assert said(desk.prune_session()) == [("snoozed", BOATS)]
    text = (Path(desk.state) / FILE).read_text("utf-8")
    assert "Zo" not in text
    assert json.loads(text)


def test_the_history_may_forget_what_was_accepted(desk: Desk) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST])
    desk.put_off(found[COPY], None)
    desk.forget_history(desk.history()[0].id)
    assert said(desk.prune_session()) == [("accepted", PAST), ("snoozed", COPY)]
