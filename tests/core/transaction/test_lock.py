"""One writer at a time, and what stands in its way (F28)."""

from __future__ import annotations

import errno
import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from memdesk.core.errors import MemdeskError
from memdesk.core.transaction.files import RealFiles
from memdesk.core.transaction.lock import Busy, Cancelled, Holder
from tests.support.ground import INBOX, Room, end


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _apply(room: Room, wait: float = 10.0) -> None:
    room.open().apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada", wait=wait)


def test_f28_a_dead_holders_lock_is_free(room: Room) -> None:
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        with room.open().lock("promote"):
            os.write(into, b"!")
            signal.pause()
        os._exit(0)
    os.read(out, 1)
    told = rf"Another memdesk is writing: process {child} on .+ \(promote, since 2026-11-30T04:02:51Z\)"
    with pytest.raises(Busy, match=told):
        _apply(room, wait=0.05)
    holder = room.open().holder()
    assert holder is not None
    assert (holder.pid, holder.verb) == (child, "promote")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    _apply(room, wait=1)
    assert room.get("inbox.md") == INBOX + b"- x\n"
    assert room.open().holder() is None


class Patient:
    """A waiter that gives up once it was told `tells` times for whom it waits."""

    endless = True

    def __init__(self, tells: int = 1) -> None:
        self.told: list[Holder | None] = []
        self.ended = 0
        self._tells = tells
        self.first = threading.Event()

    def waits(self, holder: Holder | None) -> None:
        self.told.append(holder)
        self.first.set()

    def ends(self) -> None:
        self.ended += 1

    def cancelled(self) -> bool:
        return len(self.told) >= self._tells


def test_f28_waiting_can_be_called_off(room: Room) -> None:
    with room.open().lock("edit"):
        waiting, waiter = room.open(), Patient()
        waiting.waiter = waiter
        caught: list[BaseException] = []

        def work() -> None:
            try:
                waiting.apply(lambda: room.plan({}), None, "Ada")
            except MemdeskError as error:
                caught.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(5)
    assert isinstance(caught[0], Cancelled)
    assert "nothing was written" in str(caught[0])
    assert room.get("inbox.md") == INBOX
    (holder,) = waiter.told
    assert holder is not None
    assert (holder.pid, holder.verb, holder.at) == (os.getpid(), "edit", "2026-11-30T04:02:51Z")
    assert waiter.ended == 1


def test_f28_nobody_is_told_of_a_lock_that_is_free(room: Room) -> None:
    waiting, waiter = room.open(), Patient()
    waiting.waiter = waiter
    waiting.apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada")
    assert waiter.told == []
    assert waiter.ended == 0


def _stopped_holder(room: Room, verb: str) -> int:
    """A process that took the lock and was stopped (SIGSTOP) while it held it."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        with room.open().lock(verb):
            os.write(into, b"!")
            os.read(os.pipe()[0], 1)  # for ever
        os._exit(0)
    os.read(out, 1)
    os.close(out)
    os.close(into)
    os.kill(child, signal.SIGSTOP)
    os.waitpid(child, os.WUNTRACED)
    return child


def test_f28_a_stopped_holder_is_waited_for_by_name_and_its_end_lets_the_next_one_on(room: Room) -> None:
    """No time limit where somebody sees the wait: it lasts until the holder is gone, and then the action is carried out."""
    child = _stopped_holder(room, "promote")
    waiting, waiter = room.open(), Patient(tells=99)
    waiting.waiter = waiter
    thread = threading.Thread(target=lambda: waiting.apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada", wait=0))
    thread.start()
    waiter.first.wait()
    assert thread.is_alive()
    assert room.get("inbox.md") == INBOX
    (holder,) = waiter.told
    assert holder is not None
    assert (holder.pid, holder.verb, holder.at) == (child, "promote", "2026-11-30T04:02:51Z")
    os.kill(child, signal.SIGKILL)  # a stopped process, too, dies of it, and its lock with it
    os.waitpid(child, 0)
    thread.join()
    assert room.get("inbox.md") == INBOX + b"- x\n"
    assert waiter.ended == 1
    assert room.pending_names() == []


def test_f28_a_stopped_holder_that_goes_on_is_let_finish(room: Room) -> None:
    child = _stopped_holder(room, "edit")
    with pytest.raises(Busy, match=rf"process {child} on .+ \(edit, since .+nothing was written"):
        _apply(room, wait=0.05)
    os.kill(child, signal.SIGCONT)
    with pytest.raises(Busy):
        _apply(room, wait=0.05)  # it still holds
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    _apply(room)
    assert room.get("inbox.md") == INBOX + b"- x\n"


def test_f28_two_threads_of_one_process_take_turns(room: Room) -> None:
    threads = [threading.Thread(target=_apply, args=(room,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert room.get("inbox.md") == INBOX + b"- x\n" * 4


@pytest.mark.parametrize(("kind", "word"), [("folder", "a folder"), ("fifo", "a special file"), ("link", "a link")])
def test_f28_something_else_at_the_locks_path(room: Room, kind: str, word: str) -> None:
    """A FIFO would hold the one that opens it for ever."""
    room.state.mkdir()
    path = room.state / "lock"
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(room.root / "inbox.md")
    with pytest.raises(MemdeskError, match=f"lock is {word}"):
        _apply(room)
    assert room.get("inbox.md") == INBOX


def test_f28_a_read_only_place_is_readable_without_a_lock(room: Room) -> None:
    _apply(room)

    class ReadOnly(RealFiles):
        def writable(self, path: str) -> bool:
            return False

        def stat(self, path: str):  # type: ignore[no-untyped-def]
            return None if path.startswith(str(room.state)) else super().stat(path)

        def mkdir(self, path: str, mode: int = 0o777) -> None:
            raise OSError(errno.EROFS, "read-only", path)

    transactions = room.open(ReadOnly())
    assert "cannot be written to" in (transactions.read_only() or "")
    assert transactions.pending() == []
    assert transactions.recover() == []
    assert transactions.history() == []
    assert transactions.generation() == "0"
    with pytest.raises(MemdeskError, match=r"\.git/memdesk: Cannot be written: the file system is mounted read-only"):
        transactions.apply(lambda: room.plan({}), None, "Ada")
    assert room.open().read_only() is None


def test_f28_gits_own_lock_is_left_alone(room: Room) -> None:
    (room.root / ".git" / "index.lock").write_bytes(b"")
    _apply(room)
    assert (room.root / ".git" / "index.lock").exists()


def test_the_state_folder_is_its_owners_alone(room: Room) -> None:
    room.state.mkdir(mode=0o755)
    _apply(room)
    assert stat.S_IMODE(room.state.stat().st_mode) == 0o700
    for folder in ("txn", "history"):
        assert stat.S_IMODE((room.state / folder).stat().st_mode) == 0o700
    for path in room.state.rglob("journal"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((room.state / "lock").stat().st_mode) == 0o600


def test_a_holders_note_that_is_rubbish_does_not_matter(room: Room) -> None:
    _apply(room)
    (room.state / "holder").write_bytes(b"\xff\x00{")
    assert room.open().holder() is None
    _apply(room)
