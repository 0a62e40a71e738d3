"""What is written late, to a file that a commit had taken out: kept, found, shown, and let go of by a person alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.core.plan import Request
from memdesk.core.transaction.history import KEEP_BYTES
from memdesk.core.transaction.kept import Kept
from tests.support.faults import Tapped
from tests.support.ground import INBOX, PROMOTE, Room, end, without

LATE = INBOX + b"- written late\n"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


class Editor:
    """A program that keeps the inbox open across commits."""

    def __init__(self, room: Room) -> None:
        self._handle = os.open(room.root / "inbox.md", os.O_RDWR)

    def save(self, data: bytes = LATE) -> None:
        os.pwrite(self._handle, data, 0)
        os.ftruncate(self._handle, len(data))
        os.utime(self._handle, (1_796_011_371, 1_796_011_371))  # 2026-11-30T04:02:51Z

    def close(self) -> None:
        os.close(self._handle)


@pytest.fixture
def editor(room: Room) -> Iterator[Editor]:
    opened = Editor(room)
    yield opened
    opened.close()


def _later(room: Room, now: str, edits: dict[str, object] | None = None) -> None:
    """Another action, some time later: what is too old is let go of then."""
    chosen = edits or {"decisions.md": end(b"next\n")}
    room.open(now=now).apply(lambda: room.plan(chosen), None, "Ada")  # type: ignore[arg-type]


def test_it_is_found_with_its_file_its_time_and_where_it_lies(room: Room, editor: Editor) -> None:
    ident = room.apply(PROMOTE)
    assert room.open().kept() == []
    editor.save()
    (kept,) = room.open().kept()
    assert kept == Kept(ident, "inbox.md", "2026-11-30T04:02:51Z", len(LATE), "s2")
    text = room.open().kept_text(kept)
    assert text.data == LATE
    assert Path(room.open().kept_file(kept)).read_bytes() == LATE
    assert "+- written late\n" in text.diff
    assert [line for line in text.diff.split("\n") if line.startswith(("+", "-"))][2:] == ["+- written late"]
    assert b"written late" not in (room.get("inbox.md") or b"")


def test_it_stands_with_its_transaction_in_the_history(room: Room, editor: Editor) -> None:
    other = room.apply({"decisions.md": end(b"x\n")})
    ident = room.apply(PROMOTE)
    editor.save()
    listed = {item.id: item.kept for item in room.open().history()}
    assert [item.path for item in listed[ident]] == ["inbox.md"]
    assert listed[other] == ()


def test_what_was_seen_is_looked_at_again_once_it_is_written_to(room: Room, editor: Editor) -> None:
    """Files are read once for as long as they stay what they are; a later save counts at once."""
    room.apply(PROMOTE)
    transactions = room.open()
    assert transactions.kept() == []
    editor.save()
    assert [item.size for item in transactions.kept()] == [len(LATE)]
    editor.save(INBOX)  # back to what it was: nothing of anybody is there any more
    assert transactions.kept() == []


def test_an_old_file_stays_for_an_hour_for_whoever_holds_it_open(room: Room, editor: Editor) -> None:
    """Also through many more commits: a slow editor saves after all of them."""
    ident = room.apply({"inbox.md": end(b"- ours\n")})
    for number in range(6):
        room.apply({"decisions.md": end(b"%d\n" % number), "inbox.md": end(b"- %d\n" % number)})
    _later(room, "2026-11-30T05:02:00")
    editor.save()
    assert [(item.id, item.name) for item in room.open().kept()] == [(ident, "s0")]


def test_what_nobody_wrote_to_is_let_go_of_after_an_hour(room: Room) -> None:
    ids = [room.apply({"inbox.md": end(b"- %d\n" % number)}) for number in range(4)]
    old = [room.state / "history" / ident / "s0" for ident in ids]
    assert all(path.exists() for path in old)
    _later(room, "2026-11-30T05:03:00")
    assert not any(path.exists() for path in old)
    assert len(room.open().history()) == 5


def test_old_files_take_only_so_much_room(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memdesk.core.transaction.history.LATE_BYTES", 3000)
    ids = [room.apply({"inbox.md": end(b"x" * 1000 + b"\n")}) for _ in range(6)]
    left = [ident for ident in ids if (room.state / "history" / ident / "s0").exists()]
    assert left == ids[-1:]
    assert len(room.open().history()) == 6


@pytest.mark.parametrize("limit", ["days", "bytes"])
def test_clearing_old_history_never_clears_it(
    room: Room, editor: Editor, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    ident = room.apply(PROMOTE)
    editor.save()
    other = room.apply({"decisions.md": end(b"x\n")})
    monkeypatch.setattr("memdesk.core.transaction.history.KEEP_LEAST", 1)
    if limit == "bytes":
        assert KEEP_BYTES == 64 * 1024 * 1024
        monkeypatch.setattr("memdesk.core.transaction.history.KEEP_BYTES", 1)
    for now in ("2027-03-01", "2027-12-01"):
        _later(room, now)
    names = room.history_names()
    assert ident in names
    assert other not in names
    (kept,) = room.open().kept()
    assert room.open().kept_text(kept).data == LATE
    room.open().forget(ident)  # a person's word
    assert room.open().kept() == []
    assert ident not in room.history_names()


def test_a_forgotten_transaction_takes_it_along(room: Room, editor: Editor) -> None:
    ident = room.apply(PROMOTE)
    editor.save()
    room.open().forget(ident)
    assert room.open().kept() == []
    assert not [path for path in room.state.rglob("*") if path.is_file() and b"written late" in path.read_bytes()]


def test_a_purge_clears_it_where_it_holds_the_text(room: Room, editor: Editor) -> None:
    room.apply(PROMOTE)
    editor.save(INBOX + b"- Zanzibar, saved late\n")
    assert room.open().purge(["zanzibar"]) == 1
    assert room.open().kept() == []
    assert not [path for path in room.state.rglob("*") if path.is_file() and b"anzibar" in path.read_bytes()]


def test_a_purge_leaves_it_where_only_the_journal_holds_the_text(room: Room, editor: Editor) -> None:
    """The transaction's own texts go; what someone else wrote, and what says nothing of the topic, stays to be had."""
    ident = room.apply({"inbox.md": end(b"- ours, of Zanzibar\n"), "decisions.md": end(b"- Zanzibar\n")})
    editor.save(b"quite another text\n")
    request = Request("forget", words={"topic": "zanzibar", "mode": "purge"})
    room.apply({"inbox.md": without(b"- ours, of Zanzibar\n"), "decisions.md": without(b"- Zanzibar\n")}, request=request)
    assert not [path for path in room.state.rglob("*") if path.is_file() and b"Zanzibar" in path.read_bytes()]
    (kept,) = room.open().kept()
    assert (kept.id, kept.path) == (ident, "inbox.md")
    assert room.open().kept_text(kept).data == b"quite another text\n"
    assert sorted(os.listdir(room.state / "history" / ident)) == ["journal", "s0"]
    assert room.open().purge(["another"]) == 1  # and by its own words it goes
    assert room.open().kept() == []


def test_a_text_that_could_not_be_brought_back_is_found_too(room: Room) -> None:
    """Written late during the commit, while the name got a third text: both are kept, the third in the file."""
    handle = os.open(room.root / "inbox.md", os.O_WRONLY)
    theirs = b"# Inbox\n\n- by rename\n"

    def tap(name: str, arguments: tuple[object, ...]) -> None:
        if name == "exchange" and str(arguments[1]).endswith("manifest.md") and not os.path.exists(room.root / "inbox.md~"):
            os.pwrite(handle, LATE, 0)
            room.put("inbox.md~", theirs)
            os.replace(room.root / "inbox.md~", room.root / "inbox.md")
            room.put("inbox.md~", b"")

    order = {"inbox.md": without(b"- one\n"), "manifest.md": end(b"x\n")}
    with pytest.raises(AssertionError):  # made anew on a text in which the line isn't any more
        room.open(Tapped(tap)).apply(lambda: room.plan(order), None, "Ada")  # type: ignore[arg-type]
    os.close(handle)
    assert room.get("inbox.md") == theirs
    assert room.get("manifest.md") == b"# Manifest\n\n- None enabled.\n"
    (kept,) = room.open().kept()
    assert kept.path == "inbox.md"
    assert room.open().kept_text(kept).data == LATE
    (entry,) = room.open().history()
    assert (entry.outcome, entry.kept) == ("restored", (kept,))
