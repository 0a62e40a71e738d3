"""Undoing what isn't the newest: each entry comes back under the heading and date that it had, or not at all."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Plan, Request
from tests.support.stores import MEMORY, custodian_store, put

INBOX = (
    "# Inbox\n\n## 2026-11-19\n\n- Newer stays\n\n## 2026-11-12\n\n- Alpha goes\n- Beta goes\n\n"
    "## 2026-10-30\n\n- Older stays\n"
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    archived = "# Archived from inbox.md, 2026-11-30\n\n- Earlier\n"
    custodian_store(tmp_path, inbox=INBOX, **{"archive/inbox-2026-11-30": archived})
    return Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)


def act(desk: Desk, verb: str, entry_text: str, **words: str) -> str:
    ident = next(entry.id for entry in desk.workspace.entries() if entry_text in entry.text and entry.tier != "archive")
    receipt = desk.perform(Request(verb, (ident,), {"reason": "so", **words}, person=True), "me")
    assert receipt.id is not None
    return receipt.id


def undo(desk: Desk, ident: str) -> Plan:
    plan = desk.undo(ident)
    desk.commit(plan, "me")
    return plan


def inbox(desk: Desk) -> str:
    return (Path(desk.root) / MEMORY / "inbox.md").read_text()


def dated(desk: Desk) -> dict[str, str | None]:
    desk.refresh()
    return {entry.heading: entry.date for entry in desk.workspace.candidates()}


@pytest.mark.parametrize("verb", ["reject", "promote", "archive"])
@pytest.mark.parametrize("order", list(itertools.permutations(["Alpha goes", "Beta goes"])), ids=" ".join)
def test_what_lost_its_heading_to_a_later_action_waits_for_that_ones_undo(desk: Desk, order: list[str], verb: str) -> None:
    first, second = [act(desk, verb, text, to="constraints") for text in order]
    assert "2026-11-12" not in inbox(desk)
    left = inbox(desk)
    with pytest.raises(Refused, match=rf"changed since: undo {second} first \(") as caught:
        desk.undo(first)
    assert caught.value.path == f"{MEMORY}/inbox.md"
    assert inbox(desk) == left
    undo(desk, second)
    undo(desk, first)
    assert inbox(desk) == INBOX


def test_where_the_heading_stays_the_older_one_is_undone_at_once(desk: Desk) -> None:
    first = act(desk, "reject", "Beta goes")
    act(desk, "reject", "Older stays")
    undo(desk, first)
    assert dated(desk) == {"Newer stays": "2026-11-19", "Alpha goes": "2026-11-12", "Beta goes": "2026-11-12"}


def test_what_came_and_went_since_is_not_to_blame(desk: Desk) -> None:
    first = act(desk, "reject", "Alpha goes")
    second = act(desk, "reject", "Newer stays")
    undo(desk, second)
    third = act(desk, "reject", "Beta goes")
    with pytest.raises(Refused, match=f"undo {third} first"):
        desk.undo(first)


def test_a_later_edit_of_the_same_entry_is_named(desk: Desk) -> None:
    first = act(desk, "edit", "Alpha goes", text="- Alpha goes on")
    second = act(desk, "edit", "Alpha goes on", text="- Alpha goes on and on")
    with pytest.raises(Refused, match=f"What it wrote was changed since: undo {second} first"):
        desk.undo(first)


def test_a_change_by_hand_has_no_transaction_to_undo(desk: Desk) -> None:
    first = act(desk, "reject", "Alpha goes")
    put(Path(desk.root), f"{MEMORY}/inbox.md", inbox(desk).replace("## 2026-11-12\n\n- Beta goes\n\n", ""))
    desk.refresh()
    with pytest.raises(Refused, match=r"surroundings changed since\. Edit the file instead"):
        desk.undo(first)


def test_a_file_that_it_made_and_others_wrote_to_names_the_others(desk: Desk) -> None:
    first = act(desk, "promote", "Alpha goes", to="preferences")
    second = act(desk, "promote", "Newer stays", to="preferences")
    with pytest.raises(Refused, match=f"made by it, and was changed since: undo {second} first"):
        desk.undo(first)


def test_a_plan_that_was_shown_before_is_looked_at_again_under_the_lock(desk: Desk) -> None:
    first = act(desk, "reject", "Alpha goes")
    shown = desk.undo(first)
    second = act(desk, "reject", "Beta goes")
    left = inbox(desk)
    with pytest.raises(Refused, match=f"undo {second} first"):
        desk.commit(shown, "me")
    assert inbox(desk) == left
