"""Every operation of a commit fails once, with every error that a disk gives: the store is as before, the message is clear."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdesk.core.errors import Interrupted, MemdeskError
from memdesk.core.transaction.problems import WriteFailed
from tests.support.faults import GROWING, READING, WRITING, Failing, Tapped
from tests.support.ground import PROMOTE, Edit, Room, gone, new

MIXED: Mapping[str, Edit] = {**PROMOTE, "areas/new.md": new(b"# New\n"), "old.md": gone}
ALL = (*WRITING, *READING)
ERRORS = [
    (errno.ENOSPC, WRITING), (errno.EXDEV, WRITING), (errno.EIO, WRITING),
    *(pytest.param(*pair, marks=pytest.mark.slow) for pair in (
        (errno.EACCES, WRITING), (errno.EROFS, WRITING), (errno.EMFILE, ALL), (errno.EIO, ALL),
    )),
]


def _room(folder: Path) -> Room:
    folder.mkdir()
    room = Room(folder)
    room.put("old.md", b"old\n")
    return room


def _attempt(folder: Path, tap: Failing) -> tuple[Room, MemdeskError | None, dict[str, bytes]]:
    room = _room(folder)
    with_state = room.open()
    with with_state.lock("test"):
        pass  # the state folder is there, as it is after the first action ever
    before = room.all()
    folders = room.folders()
    try:
        room.open(Tapped(tap)).apply(lambda: room.plan(MIXED), None, "Ada")  # type: ignore[arg-type]
    except MemdeskError as error:
        assert room.folders() == folders, tap.failed
        return room, error, before
    return room, None, before


@pytest.mark.parametrize(("number", "names"), ERRORS)
def test_f25_each_operation_fails_once(tmp_path: Path, number: int, names: tuple[str, ...]) -> None:
    """Errors that pass: the commit is undone by the same process, and nothing is left to recover."""
    at = refused = 0
    while True:
        tap = Failing(at, number, names)
        room, error, before = _attempt(tmp_path / str(at), tap)
        if tap.failed is None:
            break
        at += 1
        if error is None:  # what fails after the mark, or has another way, does not matter
            assert room.get("areas/new.md") == b"# New\n", tap.failed
            assert room.get("old.md") is None
            assert (room.get("inbox.md") or b"").startswith(b"# Inbox\n\n- two\n"), tap.failed
            assert room.pending_names() == [], tap.failed
        else:
            refused += 1
            assert room.all() == before, tap.failed
            assert room.pending_names() == [], tap.failed
            assert isinstance(error, WriteFailed), (tap.failed, error)
            assert error.path, tap.failed
            assert error.remedy, tap.failed
            assert "as it was before" in error.message or "Nothing was written" in str(error), error
        # Whatever happened: the next action works.
        room.open().apply(lambda room=room: room.plan({"inbox.md": lambda data: (data or b"") + b"- x\n"}), None, "Ada")
        assert (room.get("inbox.md") or b"").endswith(b"- x\n")
        assert not [name for name in room.all() if ".memdesk-" in name]
    assert at > 30
    assert refused > 15


@pytest.mark.parametrize(("number", "names"), [(errno.ENOSPC, GROWING), (errno.EROFS, WRITING), (errno.EIO, WRITING)])
def test_f25_the_disk_fails_from_an_operation_on(tmp_path: Path, number: int, names: tuple[str, ...]) -> None:
    """Errors that stay. A full disk takes a rollback; where even that fails, recovery makes all targets agree later."""
    at = 0
    while True:
        tap = Failing(at, number, names, lasting=True)
        room, error, before = _attempt_quietly(tmp_path / str(at), tap)
        if tap.failed is None:
            break
        at += 1
        if number == errno.ENOSPC and error is not None:
            assert room.all() == before, tap.failed
            assert isinstance(error, WriteFailed)
            assert error.path
            assert "the disk is full" in error.message
        if isinstance(error, Interrupted):
            assert error.exit_code == 3
            assert room.pending_names() != []
        room.open().recover()
        wanted = before if (room.get("old.md") is not None) else None
        assert room.pending_names() == []
        if wanted is not None:
            assert room.all() == wanted, tap.failed
        else:
            assert room.get("areas/new.md") == b"# New\n"
            assert room.get("inbox.md") == b"# Inbox\n\n- two\n- three\n"
        assert not [name for name in room.all() if ".memdesk-" in name]
    assert at >= 8


def _attempt_quietly(folder: Path, tap: Failing) -> tuple[Room, MemdeskError | None, dict[str, bytes]]:
    room = _room(folder)
    with room.open().lock("test"):
        pass
    before = room.all()
    try:
        room.open(Tapped(tap)).apply(lambda: room.plan(MIXED), None, "Ada")  # type: ignore[arg-type]
    except MemdeskError as error:
        return room, error, before
    return room, None, before


def test_f25_the_message_names_the_file(tmp_path: Path) -> None:
    tap = Failing(0, errno.ENOSPC, ("exchange",))
    _, error, _ = _attempt(tmp_path / "room", tap)
    assert error is not None
    assert str(error).startswith(("decisions.md: Cannot be written: the disk is full.", "/"))
    assert "Free some space and try again." in str(error)
