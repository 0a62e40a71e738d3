"""Applying plans on a real folder: what is written, what is refused, and what a lost race leaves."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from memdesk.core.errors import Refused
from memdesk.core.plan import Drifted, Plan, Step
from memdesk.core.transaction.files import RealFiles
from tests.support.ground import DECISIONS, INBOX, PROMOTE, Room, below, end, folder, gone, new, without


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_plan_writes_exactly_its_after_bytes(room: Room) -> None:
    receipt = room.open().apply(lambda: room.plan(PROMOTE), None, "Ada")
    assert room.get("inbox.md") == b"# Inbox\n\n- two\n- three\n"
    assert room.get("decisions.md") == b"# Decisions\n\n## one\n\nDecision:\none\n\n## Old\n\nDecision:\nkeep\n"
    assert set(room.all()) == {"inbox.md", "decisions.md", "manifest.md"}
    assert receipt.id is not None
    assert receipt.id.startswith("20261130T040251Z-")
    assert room.pending_names() == []


def test_history_tells_who_did_what(room: Room) -> None:
    ident = room.apply(PROMOTE, new_ids=("decisions.md#12345678",))
    (entry,) = room.open().history()
    assert entry.id == ident
    assert (entry.at, entry.by, entry.verb) == ("2026-11-30T04:02:51Z", "Ada", "promote")
    assert entry.summary == 'Promoted "one" from inbox.md to decisions.md.'
    assert entry.paths == ("decisions.md", "manifest.md", "inbox.md")
    assert (entry.undoable, entry.reason, entry.undoes) == (True, None, None)
    assert entry.new_ids == ("decisions.md#12345678",)


def test_diffs_are_exact(room: Room) -> None:
    ident = room.apply({"inbox.md": without(b"- two\n")})
    assert room.open().diffs(ident) == [
        ("inbox.md", "--- a/inbox.md\n+++ b/inbox.md\n@@ -1,5 +1,4 @@\n # Inbox\n \n - one\n-- two\n - three\n")
    ]


def test_a_plan_without_steps_leaves_no_trace(room: Room) -> None:
    receipt = room.open().apply(lambda: room.plan({}), None, "Ada")
    assert receipt.id is None
    same = room.open().apply(lambda: room.plan({"inbox.md": lambda data: data}), None, "Ada")
    assert same.id is None
    assert room.history_names() == []


def test_create_delete_and_folders(room: Room) -> None:
    room.apply({"areas/deep/new.md": new(b"# New\n"), "manifest.md": gone, "empty": folder})
    assert room.get("areas/deep/new.md") == b"# New\n"
    assert room.get("manifest.md") is None
    assert (room.root / "empty").is_dir()


def test_ids_sort_as_they_were_made_within_a_second_and_when_the_clock_is_set_back(room: Room) -> None:
    made = [room.apply({"inbox.md": end(b"- %d\n" % number)}) for number in range(3)]
    earlier = room.open(now="2026-11-01").apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada").id
    later = room.open(now="2026-12-01").apply(lambda: room.plan({"inbox.md": end(b"- y\n")}), None, "Ada").id
    assert [entry.id for entry in room.open().history()] == [later, earlier, *reversed(made)]
    assert len({*made, earlier, later}) == 5


def test_an_id_can_be_given_by_its_beginning(room: Room) -> None:
    first = room.apply({"inbox.md": end(b"- a\n")})
    second = room.apply({"inbox.md": end(b"- b\n")})
    assert room.open().find(first).id == first
    assert room.open().find(second[:-1] + second[-1]).id == second
    with pytest.raises(Exception, match=r"begins several transactions.*Candidates: "):
        room.open().find("2026")
    with pytest.raises(Exception, match="There is no transaction 'zz'"):
        room.open().diffs("zz")


class TestDrift:
    def test_f02_an_outside_edit_elsewhere_is_kept_and_the_confirmed_edit_applied(self, room: Room) -> None:
        confirmed = room.plan(PROMOTE)
        room.put("inbox.md", INBOX + b"- [observed] build cache lives in tmp\n")
        room.put("decisions.md", DECISIONS + b"\n## Outside\n\nDecision:\nx\n")
        room.open().apply(lambda: room.plan(PROMOTE), confirmed, "Ada")
        assert room.get("inbox.md") == b"# Inbox\n\n- two\n- three\n- [observed] build cache lives in tmp\n"
        assert (room.get("decisions.md") or b"").endswith(b"\n## Outside\n\nDecision:\nx\n")

    def test_f02_other_hunks_are_refused_with_the_new_plan_and_nothing_is_written(self, room: Room) -> None:
        confirmed = room.plan(PROMOTE)
        room.put("inbox.md", INBOX.replace(b"- one\n", b"- one\n  more\n"))
        before = room.all()
        changed = {**PROMOTE, "inbox.md": without(b"- one\n  more\n")}
        with pytest.raises(Drifted, match="changed since you confirmed") as caught:
            room.open().apply(lambda: room.plan(changed), confirmed, "Ada")
        assert caught.value.plan.steps[2].before == INBOX.replace(b"- one\n", b"- one\n  more\n")
        assert room.all() == before
        assert room.history_names() == []

    def test_f02_a_change_between_reading_and_writing_is_planned_anew(self, room: Room) -> None:
        """Also one of the same size, in the same second: bytes are compared, not times."""
        confirmed = room.plan({"inbox.md": without(b"- one\n")})
        rounds: list[Plan] = []

        def replan() -> Plan:
            rounds.append(room.plan({"inbox.md": without(b"- one\n")}))
            if len(rounds) == 1:
                room.put("inbox.md", INBOX.replace(b"- three\n", b"- thirty"))
            return rounds[-1]

        room.open().apply(replan, confirmed, "Ada")
        assert len(rounds) == 2
        assert room.get("inbox.md") == b"# Inbox\n\n- two\n- thirty"

    def test_what_else_a_plan_was_made_from_is_compared(self, room: Room) -> None:
        reads = {"manifest.md": sha256(b"another manifest").hexdigest()}
        with pytest.raises(Refused, match=r"manifest\.md: Someone else keeps changing"):
            room.open().apply(lambda: room.plan({"inbox.md": end(b"- x\n")}, reads=reads), None, "Ada")
        assert room.get("inbox.md") == INBOX

    def test_an_absence_and_a_folders_names_are_compared(self, room: Room) -> None:
        room.put("adr/0001-a.md", b"x")
        room.put("adr/0002-b.md", b"x")
        names = sha256(b"0001-a.md\x000002-b.md").hexdigest()
        edits = {"adr/0003-c.md": new(b"y")}
        with pytest.raises(Refused):
            room.open().apply(lambda: room.plan(edits, reads={"adr": "0" * 64, "none.md": None}), None, "Ada")
        with pytest.raises(Refused):
            room.open().apply(lambda: room.plan(edits, reads={"inbox.md": None}), None, "Ada")
        room.open().apply(lambda: room.plan(edits, reads={"adr": names, "none.md": None}), None, "Ada")
        assert room.get("adr/0003-c.md") == b"y"

    def test_digests_are_those_of_the_working_tree(self, room: Room) -> None:
        from memdesk.core.transaction.targets import digest_at
        from memdesk.core.worktree import WorkTree

        room.put("adr/b.md", b"x")
        room.put("adr/a.md", b"x")
        room.put("adr/.memdesk-x-s0", b"ours")
        (room.root / "adr" / "link.md").symlink_to("a.md")
        tree = WorkTree(str(room.root), ())
        ground = room.open().ground
        for path in ("inbox.md", "adr", "none.md", "adr/link.md", "none/x.md"):
            assert digest_at(ground, path) == tree.digest(path), path


class Intruder(RealFiles):
    """Someone else who does something right before the n-th operation of a name on a path."""

    def __init__(self, name: str, ending: str, act: object) -> None:
        self._name, self._ending, self._act = name, ending, act

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        if name.startswith("_") or name != self._name:
            return found

        def call(*arguments: object, **named: object) -> object:
            if self._act is not None and any(str(word).endswith(self._ending) for word in arguments):
                act, self._act = self._act, None
                act()  # type: ignore[operator]
            return found(*arguments, **named)

        return call


class TestRaces:
    """An outside edit in the very middle of a commit: each version is in the file or kept, and the plan is made anew."""

    def test_an_edit_right_before_the_exchange_comes_back_and_is_planned_upon(self, room: Room) -> None:
        files = Intruder("exchange", "inbox.md", lambda: room.put("inbox.md", INBOX + b"- outside\n"))
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.get("inbox.md") == b"# Inbox\n\n- two\n- three\n- outside\n"
        assert (room.get("decisions.md") or b"").count(b"## one\n") == 1
        assert len(room.history_names()) == 1
        assert set(room.all()) == {"inbox.md", "decisions.md", "manifest.md"}

    def test_an_edit_that_changes_the_hunks_is_refused_and_all_is_put_back(self, room: Room) -> None:
        theirs = INBOX.replace(b"- one\n", b"- one, but better\n")
        files = Intruder("exchange", "inbox.md", lambda: room.put("inbox.md", theirs))
        before = room.all()

        def replan() -> Plan:
            line = b"- one\n" if b"- one\n" in (room.get("inbox.md") or b"") else b"- one, but better\n"
            return room.plan({**PROMOTE, "inbox.md": without(line)})

        with pytest.raises(Drifted):
            room.open(files).apply(replan, room.plan(PROMOTE), "Ada")
        assert room.all() == {**before, "inbox.md": theirs}
        assert room.pending_names() == []
        assert room.history_names() == []

    def test_a_file_that_vanishes_stays_away(self, room: Room) -> None:
        files = Intruder("exchange", "inbox.md", lambda: os.unlink(room.root / "inbox.md"))
        with pytest.raises(AssertionError):  # the test's own plan finds no inbox when it is made anew
            room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.all() == {"decisions.md": DECISIONS, "manifest.md": b"# Manifest\n\n- None enabled.\n"}

    def test_a_created_name_that_someone_else_takes_is_not_overwritten(self, room: Room) -> None:
        files = Intruder("rename_new", "new.md", lambda: room.put("areas/new.md", b"theirs"))
        (room.root / "areas").mkdir()
        edits = {"areas/new.md": lambda data: b"ours" if data is None else data + b", ours", "inbox.md": without(b"- one\n")}
        room.open(files).apply(lambda: room.plan(edits), None, "Ada")
        assert room.get("areas/new.md") == b"theirs, ours"

    def test_a_deleted_file_that_was_edited_comes_back(self, room: Room) -> None:
        files = Intruder("rename", "inbox.md", lambda: room.put("inbox.md", b"newer"))
        with pytest.raises(Refused, match=r"inbox\.md: Someone else"):
            room.open(files).apply(
                lambda: Plan(room.plan({}).request, "s", "l", (Step("delete", "inbox.md", INBOX, None),)), None, "Ada"
            )
        assert room.get("inbox.md") == b"newer"

    def test_a_text_written_late_to_the_file_that_was_taken_out_is_the_file(self, room: Room) -> None:
        """An editor that opened the file before the exchange and writes after it."""
        handle = os.open(room.root / "inbox.md", os.O_WRONLY)
        late = INBOX + b"- late\n"

        def write() -> None:
            os.pwrite(handle, late, 0)

        files = Intruder("exchange", "manifest.md", write)
        order = {"inbox.md": without(b"- one\n"), "manifest.md": end(b"x\n")}
        try:
            room.open(files).apply(lambda: room.plan(order), None, "Ada")
        finally:
            os.close(handle)
        assert room.get("inbox.md") == late.replace(b"- one\n", b"")

    def test_a_target_that_becomes_a_folder_or_a_fifo_is_left_alone(self, room: Room) -> None:
        def become_fifo() -> None:
            os.unlink(room.root / "inbox.md")
            os.mkfifo(room.root / "inbox.md")

        plan = room.plan({"inbox.md": without(b"- one\n")})
        with pytest.raises(Refused, match=r"inbox\.md: This is no regular file"):
            room.open(Intruder("exchange", "inbox.md", become_fifo)).apply(lambda: plan, None, "Ada")
        assert (room.root / "inbox.md").is_fifo()
        os.unlink(room.root / "inbox.md")
        (room.root / "inbox.md").mkdir()
        with pytest.raises(Refused, match="This is a folder"):
            room.open().apply(lambda: plan, None, "Ada")

    def test_someone_who_never_stops_is_given_way_to(self, room: Room) -> None:
        counter = iter(range(100))

        def replan() -> Plan:
            plan = room.plan({"inbox.md": without(b"- one\n")})
            room.put("inbox.md", INBOX + b"- %d\n" % next(counter))
            return plan

        with pytest.raises(Refused, match="keeps changing this file"):
            room.open().apply(replan, None, "Ada")
        assert room.get("inbox.md") == INBOX + b"- 4\n"


def test_the_generation_tells_readers_that_a_commit_is_under_way(room: Room) -> None:
    transactions = room.open()
    seen: list[bytes] = []

    class Reading(RealFiles):
        def exchange(self, one: str, other: str) -> None:
            super().exchange(one, other)
            seen.append(transactions.generation().encode())

    before = transactions.generation()
    room.open(Reading()).apply(lambda: room.plan(PROMOTE), None, "Ada")
    after = transactions.generation()
    assert before != after
    assert all(item.endswith(b"+") for item in seen)
    assert not after.endswith("+")


def test_below_keeps_what_others_wrote(room: Room) -> None:
    room.apply({"decisions.md": below(b"# Decisions\n", b"\nx\n")})
    assert room.get("decisions.md") == DECISIONS.replace(b"# Decisions\n", b"# Decisions\n\nx\n")
