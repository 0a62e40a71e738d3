"""Undoing what isn't the newest: each entry comes back under the heading and date that it had, or not at all."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.model import Document
from memdesk.core.plan import Plan, Request
from memdesk.core.transaction.undo import READ
from tests.support.stores import MEMORY, big_inbox, custodian_store, put, snapshot

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


@pytest.mark.parametrize("order", list(itertools.permutations(["north", "south"])), ids=" ".join)
def test_a_line_of_a_list_that_a_later_action_emptied_waits_for_that_ones_undo(tmp_path: Path, order: list[str]) -> None:
    """The blank line above the list went with its last one: back right below the title, it would be another file."""
    fact = "---\nname: {0}\ndescription: the {0}\n---\n\n# {0}\n\nIt is far.\n\nWhy: so.\n"
    names = ("north", "south")
    for name in names:
        put(tmp_path, f"memory/facts/{name}.md", fact.format(name))
    index = "# Index\n\n" + "".join(f"- [{name}](facts/{name}.md): the {name}\n" for name in names)
    put(tmp_path, "memory/INDEX.md", index)
    put(tmp_path, "memdesk.toml", '[stores.layout]\nmemory = "tiers"\n')  # without a line it is no index by itself
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T10:00"), user_config=None)
    ids = {entry.heading: entry.id for entry in desk.workspace.entries() if entry.kind == "file"}
    first, second = (desk.perform(Request("archive", (ids[name],), {}, person=True), "me").id or "" for name in order)
    with pytest.raises(Refused, match=rf"INDEX\.md: Its surroundings changed since: undo {second} first"):
        desk.undo(first)
    undo(desk, second)
    undo(desk, first)
    assert (tmp_path / "memory/INDEX.md").read_text() == index


@pytest.mark.parametrize("back", list(itertools.permutations(range(3))), ids=str)
def test_taken_back_in_any_order_what_lay_beside_each_other_is_as_it_was(tmp_path: Path, back: tuple[int, ...]) -> None:
    """Each in turn finds its place by its neighbours; the last leaves the bytes of the beginning, with redos among them too."""
    lines = "".join(f"- Rule {number} holds.\n" for number in range(5))
    archived = "# Archived from preferences.md, 2026-11-30\n\n- Earlier\n"
    custodian_store(tmp_path, preferences=f"# Preferences\n\n{lines}", **{"archive/preferences-2026-11-30": archived})
    file = tmp_path / MEMORY / "preferences.md"
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)
    done = [act(desk, "archive", f"Rule {number} holds") for number in (2, 1, 3)]
    again = desk.commit(desk.undo(done[back[0]]), "me").id or ""
    desk.commit(desk.undo(again), "me")
    for number in back:
        undo(desk, done[number])
    assert file.read_text() == f"# Preferences\n\n{lines}"
    assert (tmp_path / MEMORY / "archive/preferences-2026-11-30.md").read_text() == archived


def test_taken_back_out_of_order_what_others_wrote_stays(tmp_path: Path) -> None:
    lines = "".join(f"- Rule {number} holds.\n" for number in range(4))
    archived = "# Archived from preferences.md, 2026-11-30\n\n- Earlier\n"
    custodian_store(tmp_path, preferences=f"# Preferences\n\n{lines}", **{"archive/preferences-2026-11-30": archived})
    file = tmp_path / MEMORY / "preferences.md"
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)
    first, second = act(desk, "archive", "Rule 1 holds"), act(desk, "archive", "Rule 0 holds")
    file.write_text(file.read_text() + "- Theirs.\n")
    desk.refresh()
    undo(desk, first)
    undo(desk, second)
    assert sorted(file.read_text().split("\n")) == sorted(f"# Preferences\n\n{lines}- Theirs.\n".split("\n"))


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


@pytest.mark.parametrize("verb", ["archive", "hard"])
def test_what_was_taken_out_of_the_log_itself_comes_back(desk: Desk, verb: str) -> None:
    log = Path(desk.root) / MEMORY / "changelog.md"
    log.write_text("# Changelog\n\n## 2026-11-02\n\n- Promoted gamma from inbox.md to decisions.md.\n- Another.\n")
    desk.refresh()
    before = snapshot(Path(desk.root) / MEMORY)
    if verb == "archive":
        done = act(desk, "archive", "Promoted gamma")
    else:
        words = {"topic": "gamma", "mode": "hard", "confirmed": "yes"}
        done = desk.perform(Request("forget", (), words, person=True), "me").id or ""
    after = snapshot(Path(desk.root) / MEMORY)
    assert "- Promoted gamma" not in log.read_text()
    undo(desk, done)
    assert snapshot(Path(desk.root) / MEMORY) == before
    undo(desk, desk.history()[0].id)
    assert snapshot(Path(desk.root) / MEMORY) == after


@pytest.mark.parametrize(
    "log", [b"\xef\xbb\xbf", b"\xef\xbb\xbf# Changelog\n", b"\xef\xbb\xbf\r\n"], ids=["bare", "title", "blank"]
)
def test_actions_on_a_log_with_a_byte_order_mark_are_undone_in_turn(desk: Desk, log: bytes) -> None:
    path = Path(desk.root) / MEMORY / "changelog.md"
    path.write_bytes(log)
    desk.refresh()
    before = inbox(desk)
    done = [act(desk, "reject", "Newer stays"), act(desk, "archive", "Beta goes")]
    for ident in reversed(done):
        undo(desk, ident)
    assert inbox(desk) == before
    assert path.read_bytes().startswith(log.rstrip())
    assert path.read_bytes().count(b"Undone: ") == 2


def test_a_line_of_the_log_comes_back_though_the_day_went_on(desk: Desk) -> None:
    log = Path(desk.root) / MEMORY / "changelog.md"
    log.write_text("# Changelog\n\n## 2026-11-02\n\n- Promoted gamma from inbox.md to decisions.md.\n")
    desk.refresh()
    first = act(desk, "archive", "Promoted gamma")
    undo(desk, act(desk, "reject", "Newer stays"))
    undo(desk, first)
    rejected = '- Rejected "Newer stays" from inbox.md: so.'
    assert log.read_text() == (
        f"# Changelog\n\n## 2026-11-30\n\n- Undone: {rejected[2:]}\n{rejected}\n\n"
        "## 2026-11-02\n\n- Promoted gamma from inbox.md to decisions.md.\n"
    )


@pytest.mark.parametrize(
    "log",
    [
        "# Changelog\n\n## 2026-11-02\n\n- Old.\n\n## 2026-11-30\n\n- From hand.\n",  # today's heading, below another
        "# Changelog\n\n```\n## 2026-01-01\n```\n\n## 2026-11-02\n\n- Old.\n",  # a heading that is none
        "# Changelog\n\nNewest first.\n\n## 2026-11-29\n\n- Old.\n",
        "# Changelog\n\n## 2026-11-30\n\n* Old.\n",
        "# Changelog\r\n\r\n## 2026-11-30\r\n\r\n- Old.",
        "# Changelog\n\n- Old, undated.\n",
        "",
    ],
    ids=["not at the top", "fence", "introduction", "marker", "crlf", "undated", "empty"],
)
def test_the_line_of_an_undo_stands_where_a_line_of_an_action_would(desk: Desk, log: str) -> None:
    path = Path(desk.root) / MEMORY / "changelog.md"
    path.write_bytes(log.encode())
    desk.refresh()
    done = act(desk, "reject", "Alpha goes")
    logged = path.read_bytes()
    line = b'Rejected "Alpha goes" from inbox.md: so.'
    undo(desk, done)
    marker = logged[: logged.index(line)].rpartition(b"\n")[2]
    newline = b"\r\n" if b"\r" in logged else b"\n"
    assert path.read_bytes() == logged.replace(marker + line, marker + b"Undone: " + line + newline + marker + line)


def test_the_list_says_of_surroundings_what_the_attempt_says(desk: Desk) -> None:
    first = act(desk, "reject", "Alpha goes")
    put(Path(desk.root), f"{MEMORY}/inbox.md", inbox(desk).replace("## 2026-11-12\n\n- Beta goes\n\n", ""))
    desk.refresh()
    with pytest.raises(Refused) as caught:
        desk.undo(first)
    (listed,) = desk.history()
    assert (listed.undoable, listed.reason) == (False, str(caught.value))


def test_one_that_is_shown_names_what_to_undo_first(desk: Desk) -> None:
    first = act(desk, "reject", "Alpha goes")
    second = act(desk, "reject", "Beta goes")
    listed = next(item for item in desk.history() if item.id == first)
    assert listed.reason is not None
    assert "changed since" in listed.reason
    assert f"undo {second} first (" in (desk.show(first).reason or "")
    undo(desk, second)
    assert desk.show(first).undoable
    assert desk.show(second).reason == f"It was undone by {desk.history()[0].id}."


@pytest.mark.slow
def test_a_listing_reads_few_texts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    big_inbox(tmp_path, 1500)
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)
    for _ in range(4):
        for entry in desk.candidates()[10:70:20]:
            desk.perform(Request("reject", (entry.id,), {"reason": "so"}, person=True), "me")
    desk.refresh()
    read = []
    real = Document.after
    monkeypatch.setattr(Document, "after", lambda self, data: (read.append(len(data)), real(self, data))[1])
    listed = desk.history()
    assert all(item.undoable for item in listed[:1])
    assert sum(read) <= 5 * READ, "however many there are"
    read.clear()
    assert desk.history() == listed
    assert read == []
