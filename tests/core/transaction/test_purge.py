"""A purge leaves the text nowhere in memdesk's own state, whenever it is interrupted."""

from __future__ import annotations

import os
import signal
import zlib
from pathlib import Path

import pytest

from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from memdesk.core.transaction import journal as journals
from tests.support.faults import Killing, Tapped
from tests.support.ground import Room, end, new, without

SECRET = b"- Zanzibar holds the spare key to the vault\n"
PURGE = Request("forget", words={"topic": "zanzibar", "mode": "purge"})


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _holds(room: Room, text: bytes = b"zanzibar") -> list[str]:
    """The files of the state folder that hold a text, packed or not."""
    found = []
    for path in room.state.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        told = [data]
        if path.name == "journal":
            told += list(journals.texts(journals.decode(data)))
        if any(text in item.lower() for item in told) or text in str(path).lower().encode():
            found.append(str(path.relative_to(room.state)))
    return found


def _prepare(room: Room) -> None:
    room.apply({"inbox.md": end(SECRET)}, summary="Added Zanzibar.")
    room.apply({"decisions.md": end(b"- nothing of it\n")})
    room.apply({"areas/zanzibar.md": new(b"an area\n" * 200)})
    with room.open().lock("test"):
        pass
    room.open().personal.snooze(["inbox.md#zanzibar", "inbox.md#1234"], "2026-12-24")
    assert len(_holds(room)) >= 3


def test_a_purge_clears_what_it_took_out(room: Room) -> None:
    _prepare(room)
    edits = {"inbox.md": without(SECRET)}
    room.apply(edits, request=PURGE, summary='Purged "zanzibar".')
    room.open().purge(["zanzibar"])
    assert _holds(room) == []
    assert _holds(room, b"spare key") == []
    newest, area, other, oldest = room.open().history()
    assert [item.reason for item in (newest, area, oldest)] == ["Its texts were purged."] * 3
    assert newest.summary == "forget (purged)"
    assert oldest.paths == ("inbox.md",)
    assert area.paths == ("(purged)",)
    assert other.undoable
    assert room.open().diffs(oldest.id) == [("inbox.md", "")]
    with pytest.raises(Refused, match="Its texts were purged"):
        room.open().undo_plan(newest.id)
    assert room.open().personal.snoozes() == {"inbox.md#1234": "2026-12-24"}


def test_lines_of_the_purged_entry_go_too_though_they_do_not_name_the_topic(room: Room) -> None:
    body = b"- Zanzibar\n  it lies under the third stone\n"
    room.apply({"inbox.md": end(body)})
    room.apply({"inbox.md": without(b"- Zanzibar\n")})
    room.apply({"inbox.md": end(b"- Zanzibar\n")})
    edits = {"inbox.md": lambda data: (data or b"").replace(b"  it lies under the third stone\n- Zanzibar\n", b"")}
    room.apply(edits, request=PURGE)
    assert _holds(room, b"third stone") == []


def test_a_purge_that_is_killed_anywhere_is_finished_by_the_next_writer(tmp_path: Path) -> None:
    reached = 0
    for at in range(20, 120, 3):
        folder = tmp_path / str(at)
        folder.mkdir()
        room = Room(folder)
        room.apply({"inbox.md": end(SECRET)})
        child = os.fork()
        if child == 0:
            code = 1
            try:
                room.open(Tapped(Killing(at))).apply(  # type: ignore[arg-type]
                    lambda room=room: room.plan({"inbox.md": without(SECRET)}, request=PURGE), None, "Ada"
                )
                code = 0
            finally:
                os._exit(code)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        room.open().recover()
        room.apply({"decisions.md": end(b"next\n")})
        if SECRET not in (room.get("inbox.md") or b""):
            reached += 1
            assert _holds(room) == [], at
        if ended != -signal.SIGKILL:
            break
    assert reached > 3


def test_packed_texts_are_found(room: Room) -> None:
    room.apply({"big.md": new(b"line\n" * 500 + SECRET)})
    assert SECRET not in b"".join(path.read_bytes() for path in room.state.rglob("journal"))
    assert zlib.compress(b"x")
    assert room.open().purge(["ZANZIBAR"]) == 1
    assert _holds(room) == []


def test_an_empty_text_purges_nothing(room: Room) -> None:
    room.apply({"inbox.md": end(SECRET)})
    assert room.open().purge(["", "  "]) == 0
    assert room.open().history()[0].undoable
