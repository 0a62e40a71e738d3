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
from memdesk.core.transaction.lock import Busy, Cancelled
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


def test_f28_waiting_can_be_called_off(room: Room) -> None:
    with room.open().lock("edit"):
        waiting = room.open()
        asked = []

        def cancelled() -> bool:
            asked.append(1)
            return len(asked) > 2

        waiting.cancelled = cancelled
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
    assert room.get("inbox.md") == INBOX


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
