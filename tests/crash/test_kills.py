"""Processes killed for good (SIGKILL) in the middle of a commit: after the next start all files of the plan agree."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core.errors import Interrupted
from tests.support.faults import Killing, Tapped
from tests.support.ground import PROMOTE, Room, end, gone, new, without

MIXED = {**PROMOTE, "areas/new.md": new(b"# New\n"), "old.md": gone}
BEFORE = {
    "inbox.md": b"# Inbox\n\n- one\n- two\n- three\n", "decisions.md": b"# Decisions\n\n## Old\n\nDecision:\nkeep\n",
    "manifest.md": b"# Manifest\n\n- None enabled.\n", "old.md": b"old\n",
}
AFTER = {
    "inbox.md": b"# Inbox\n\n- two\n- three\n",
    "decisions.md": b"# Decisions\n\n## one\n\nDecision:\none\n\n## Old\n\nDecision:\nkeep\n",
    "manifest.md": b"# Manifest\n\n- `areas/new.md`: one\n\n- None enabled.\n", "areas/new.md": b"# New\n",
}


def in_child(work: Callable[[], None]) -> int:
    """Runs `work` in a forked process and gives how that ended: 0, or minus the signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path, BEFORE)


def _killed_at(room: Room, at: int) -> bool:
    """Promotes in a child that is killed at its n-th operation; whether it was, or came to its end."""

    def work() -> None:
        room.open(Tapped(Killing(at))).apply(lambda: room.plan(MIXED), None, "Ada")  # type: ignore[arg-type]

    return in_child(work) == -signal.SIGKILL


def test_killed_at_every_operation_of_a_promote(tmp_path: Path) -> None:
    """A plan of three replaces, a create and a delete: every file wholly before or wholly after, and all agree."""
    outcomes = []
    for at in range(200):
        room = Room(_made(tmp_path / str(at)), BEFORE)
        if not _killed_at(room, at):
            break
        before_recovery = room.all()
        recovered = room.open().recover()
        assert room.all() in (BEFORE, AFTER), (at, before_recovery)
        assert not any(item.person for item in recovered)
        assert room.pending_names() == []
        assert "areas" not in room.folders() or "areas/new.md" in room.all()
        assert room.open().recover() == []
        outcomes.append(room.all() == AFTER)
        if room.all() == AFTER:  # what was finished later can be undone like anything
            room.open().apply(lambda room=room: room.open().undo_plan(), None, "Ada")  # type: ignore[misc]
            assert room.all() == BEFORE
    assert len(outcomes) > 35
    assert {True, False} == set(outcomes)


def test_the_next_writer_recovers_by_itself(room: Room) -> None:
    assert _killed_at(room, 26)
    assert room.open().pending()[0].question == ""
    room.apply({"inbox.md": end(b"- next\n")})
    recovered = {**room.all(), "inbox.md": (room.get("inbox.md") or b"").removesuffix(b"- next\n")}
    assert recovered in (BEFORE, AFTER)
    assert room.open().pending() == []


@pytest.mark.parametrize("at", [28, *(pytest.param(at, marks=pytest.mark.slow) for at in (22, 24, 26, 30, 32, 34))])
def test_recovery_killed_at_every_operation(tmp_path: Path, at: int) -> None:
    """From a half-done promote, recovery itself is killed at each of its operations, and run again."""
    for step in range(60):
        room = Room(_made(tmp_path / str(step)), BEFORE)
        assert _killed_at(room, at)

        def work(room: Room = room, step: int = step) -> None:
            room.open(Tapped(Killing(step))).recover()  # type: ignore[arg-type]

        ended = in_child(work)
        room.open().recover()
        assert room.all() in (BEFORE, AFTER), step
        assert room.pending_names() == []
        if ended == 0:
            break
    assert step > 3


def test_someone_elses_text_in_a_half_done_commit_is_not_touched(tmp_path: Path) -> None:
    for at in range(20, 34, 2):
        room = Room(_made(tmp_path / str(at)), BEFORE)
        assert _killed_at(room, at)
        if room.open().pending() == []:
            continue
        room.put("decisions.md", b"# Decisions\n\nSomeone else's.\n")
        begun = {state for _, state in room.open().pending()[0].states}
        (item,) = room.open().recover()
        assert room.all() == {**BEFORE, "decisions.md": b"# Decisions\n\nSomeone else's.\n"}, (at, begun)
        assert item.person
        assert item.foreign == ("decisions.md",)
        (entry,) = room.open().history()
        assert (entry.outcome, entry.undoable) == ("restored", False)
        assert "decisions.md had been changed by someone else" in (entry.reason or "")
        texts = dict(room.open().diffs(entry.id))
        assert "+## one\n" in texts["decisions.md"]
        room.apply({"inbox.md": end(b"- next\n")})  # and work goes on


def test_a_writer_stops_once_where_a_person_has_to_look(room: Room) -> None:
    assert _killed_at(room, 28)
    room.put("decisions.md", b"theirs")
    with pytest.raises(Interrupted, match=r"had been interrupted\. decisions\.md had been changed") as caught:
        room.apply({"inbox.md": end(b"- next\n")})
    assert caught.value.exit_code == 3
    room.apply({"inbox.md": end(b"- next\n")})
    assert room.get("inbox.md") == BEFORE["inbox.md"] + b"- next\n"


class TestAnotherHead:
    @pytest.fixture(autouse=True)
    def _half_done(self, room: Room) -> None:
        assert _killed_at(room, 28)
        self.half = room.all()
        assert self.half not in (BEFORE, AFTER)

    def test_it_is_asked_about(self, room: Room) -> None:
        moved = room.open(head=lambda: "b" * 40)
        (found,) = moved.pending()
        assert "git's HEAD moved from aaaaaaaaa to bbbbbbbbb" in found.question
        assert found.choices == ("complete", "restore", "keep", "later")
        (left,) = moved.recover()
        assert (left.outcome, left.person) == ("left", True)
        assert room.all() == self.half
        with pytest.raises(Interrupted, match="memdesk recover"):
            moved.apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada")
        assert room.all() == self.half

    @pytest.mark.parametrize(("choice", "outcome"), [("complete", "completed"), ("restore", "restored"), ("keep", "kept")])
    def test_the_answer_is_done(self, room: Room, choice: str, outcome: str) -> None:
        (item,) = room.open(head=lambda: None).recover(lambda found: choice)
        assert item.outcome == outcome
        assert room.all() == {"complete": AFTER, "restore": BEFORE, "keep": self.half}[choice]
        assert room.open().pending() == []


def test_a_newer_journal_is_left_for_the_newer_memdesk(room: Room) -> None:
    assert _killed_at(room, 28)
    (ident,) = room.pending_names()
    path = room.state / "txn" / ident / "journal"
    path.write_bytes(path.read_bytes().replace(b"memdesk-journal 1 ", b"memdesk-journal 2 ", 1))
    half = room.all()
    with pytest.raises(Interrupted, match="its format is version 2; this memdesk knows 1"):
        room.apply({"inbox.md": end(b"- x\n")})
    (left,) = room.open().recover(lambda found: "complete")
    assert left.outcome == "left"
    assert room.all() == half


def test_a_damaged_journal_is_never_guessed_from(room: Room) -> None:
    assert _killed_at(room, 28)
    (ident,) = room.pending_names()
    path = room.state / "txn" / ident / "journal"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    half = room.all()
    with pytest.raises(Interrupted, match="is damaged"):
        room.apply({"inbox.md": end(b"- x\n")})
    assert room.open().recover(lambda found: "keep")[0].outcome == "kept"
    assert room.all() == half
    assert room.open().history()[0].undoable is False
    room.apply({"inbox.md": end(b"- x\n")})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_mid_commit_waits_for_its_end(room: Room, number: signal.Signals) -> None:
    done: list[str] = []

    def tap(name: str, _arguments: tuple[object, ...]) -> None:
        if name == "exchange" and not done:
            done.append(name)
            os.kill(os.getpid(), number)

    def work() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        room.open(Tapped(tap)).apply(lambda: room.plan(MIXED), None, "Ada")  # type: ignore[arg-type]

    assert in_child(work) == -number
    assert room.all() == AFTER
    assert room.pending_names() == []


def test_keyboard_interrupt_comes_after_the_commit(room: Room) -> None:
    def tap(name: str, _arguments: tuple[object, ...]) -> None:
        if name == "exchange":
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        room.open(Tapped(tap)).apply(lambda: room.plan({"inbox.md": without(b"- one\n")}), None, "Ada")  # type: ignore[arg-type]
    assert room.get("inbox.md") == AFTER["inbox.md"]
    assert room.pending_names() == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
