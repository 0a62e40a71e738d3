"""Undo: every byte, or refused with the reason; its own undo is the redo; logs get a line instead."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.errors import Refused
from memdesk.core.plan import Step
from tests.support.ground import DECISIONS, INBOX, MANIFEST, PROMOTE, Edit, Room, below, end, folder, gone, new, without


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def undo(room: Room, ident: str | None = None) -> str:
    transactions = room.open()
    plan = transactions.undo_plan(ident)
    receipt = transactions.apply(lambda: room.open().undo_plan(ident), plan, "Ada")
    assert receipt.id is not None
    return receipt.id


def test_every_byte_comes_back(room: Room) -> None:
    room.put("crlf.md", b"\xef\xbb\xbf- a\r\n- b  \r\n\r\n- no end")
    before = room.all()
    room.apply({**PROMOTE, "crlf.md": without(b"- b  \r\n"), "areas/deep/new.md": new(b"x"), "old.md": new(b"")})
    undo(room)
    assert room.all() == before
    assert room.folders() == set()


def test_an_undo_is_undone_and_that_too(room: Room) -> None:
    before = room.all()
    first = room.apply({**PROMOTE, "areas/new.md": new(b"# New\n")})
    after = room.all()
    second = undo(room, first)
    assert room.all() == before
    third = undo(room, second)
    assert room.all() == after
    entries = {entry.id: entry for entry in room.open().history()}
    said = 'Promoted "one" from inbox.md to decisions.md.'
    assert [entry.summary for entry in entries.values()] == [f"Redone: {said}", f"Undone: {said}", said]
    assert entries[second].undoes == first
    assert entries[second].reason == f"It was undone by {third}."
    assert room.open().undo_plan(None).undoes == third
    assert room.open().undo_plan(first).undoes == third, "the first is in effect by its redo"
    undo(room)
    assert room.all() == before
    with pytest.raises(Refused, match="There is nothing to undo"):
        room.open().undo_plan(None)


def test_undo_goes_back_step_by_step(room: Room) -> None:
    states = [room.all()]
    for number in range(4):
        room.apply({"inbox.md": below(b"# Inbox\n\n", b"- new %d\n" % number)})
        states.append(room.all())
    for state in reversed(states[:-1]):
        undo(room)
        assert room.all() == state


def test_an_older_one_is_taken_out_from_under_newer_ones(room: Room) -> None:
    first = room.apply({"decisions.md": below(b"# Decisions\n\n", b"## A\n\na\n\n"), "inbox.md": without(b"- one\n")})
    room.apply({"decisions.md": below(b"# Decisions\n\n", b"## B\n\nb\n\n"), "inbox.md": without(b"- two\n")})
    undo(room, first)
    assert room.get("decisions.md") == DECISIONS.replace(b"# Decisions\n\n", b"# Decisions\n\n## B\n\nb\n\n")
    assert room.get("inbox.md") == INBOX.replace(b"- two\n", b"")


def test_what_others_wrote_since_stays(room: Room) -> None:
    first = room.apply(PROMOTE)
    room.put("inbox.md", (room.get("inbox.md") or b"") + b"- outside\n")
    room.put("decisions.md", (room.get("decisions.md") or b"").replace(b"# Decisions\n\n", b"# Decisions\n\nOutside\n\n"))
    undo(room, first)
    assert room.get("inbox.md") == INBOX + b"- outside\n"
    assert room.get("decisions.md") == DECISIONS.replace(b"# Decisions\n\n", b"# Decisions\n\nOutside\n\n")


def test_it_is_refused_where_its_spans_changed_and_nothing_is_written(room: Room) -> None:
    first = room.apply(PROMOTE)
    room.put("decisions.md", (room.get("decisions.md") or b"").replace(b"Decision:\none\n", b"Decision:\none, edited\n"))
    before = room.all()
    with pytest.raises(Refused, match=r"decisions\.md:3: What it wrote was changed since") as caught:
        room.open().undo_plan(first)
    assert caught.value.remedy
    (entry,) = room.open().history()
    assert entry.undoable is False
    assert "decisions.md:3: What it wrote was changed since." in (entry.reason or "")
    assert room.all() == before


def test_a_change_between_the_dialog_and_the_undo_is_looked_at_again(room: Room) -> None:
    first = room.apply(PROMOTE)
    plan = room.open().undo_plan(first)
    room.put("inbox.md", b"- above\n" + (room.get("inbox.md") or b""))
    room.open().apply(lambda: room.open().undo_plan(first), plan, "Ada")
    assert room.get("inbox.md") == b"- above\n" + INBOX
    with pytest.raises(Refused, match="was undone by"):
        room.open().apply(lambda: room.open().undo_plan(first), plan, "Ada")


class TestFiles:
    def test_a_created_file_goes_only_if_untouched(self, room: Room) -> None:
        first = room.apply({"areas/new.md": new(b"# New\n")})
        room.put("areas/new.md", b"# New\n\nmore\n")
        with pytest.raises(Refused, match=r"areas/new\.md: The file was made by it, and was changed since"):
            room.open().undo_plan(first)
        room.put("areas/new.md", b"# New\n")
        undo(room, first)
        assert not (room.root / "areas").exists()

    def test_folders_go_only_if_it_made_them_and_they_are_empty(self, room: Room) -> None:
        first = room.apply({"areas/deep/new.md": new(b"x"), "empty": folder})
        room.put("areas/mine.md", b"mine")
        undo(room, first)
        assert room.folders() == {"areas"}
        (room.root / "there").mkdir()
        second = room.apply({"there/new.md": new(b"x")})
        undo(room, second)
        assert room.folders() == {"areas", "there"}

    def test_a_deleted_file_comes_back_with_its_mode(self, room: Room) -> None:
        (room.root / "manifest.md").chmod(0o640)
        first = room.apply({"manifest.md": gone})
        undo(room, first)
        assert room.get("manifest.md") == MANIFEST
        assert (room.root / "manifest.md").stat().st_mode & 0o777 == 0o640

    def test_a_deleted_file_whose_name_is_taken_is_refused(self, room: Room) -> None:
        first = room.apply({"manifest.md": gone})
        room.put("manifest.md", b"another")
        with pytest.raises(Refused, match="A new file has the name"):
            room.open().undo_plan(first)

    def test_a_file_that_was_deleted_since_is_refused(self, room: Room) -> None:
        first = room.apply(PROMOTE)
        os.unlink(room.root / "inbox.md")
        with pytest.raises(Refused, match=r"inbox\.md: The file was deleted since"):
            room.open().undo_plan(first)

    def test_what_is_back_already_needs_nothing(self, room: Room) -> None:
        first = room.apply(PROMOTE)
        room.put("inbox.md", INBOX)
        plan = room.open().undo_plan(first)
        assert [step.path for step in plan.steps] == ["decisions.md", "manifest.md"]
        assert plan.warnings == ("inbox.md already is as it was before.",)
        room.put("decisions.md", DECISIONS)
        room.put("manifest.md", MANIFEST)
        with pytest.raises(Refused, match="already as they were"):
            room.open().undo_plan(first)


class TestLogs:
    """Append-only files keep their lines; undo adds one that says so."""

    LOG = b"# Changelog\n\n## 2026-11-29\n\n- Old.\n"

    def _promote(self, room: Room, log: Edit) -> str:
        room.put("changelog.md", self.LOG)
        edits = {**PROMOTE, "changelog.md": log}
        return room.apply(edits, log_only=frozenset({"changelog.md"}), summary='Promoted "one".')

    def test_a_line_under_todays_heading(self, room: Room) -> None:
        first = self._promote(room, below(b"# Changelog\n\n", b"## 2026-11-30\n\n- Promoted.\n\n"))
        second = undo(room, first)
        assert room.get("inbox.md") == INBOX
        assert room.get("changelog.md") == (
            b'# Changelog\n\n## 2026-11-30\n\n- Undone: Promoted "one".\n- Promoted.\n\n## 2026-11-29\n\n- Old.\n'
        )
        undo(room, second)
        assert (room.get("changelog.md") or b"").startswith(
            b'# Changelog\n\n## 2026-11-30\n\n- Redone: Promoted "one".\n- Undone: Promoted "one".\n- Promoted.\n'
        )

    def test_a_new_heading_on_another_day(self, room: Room) -> None:
        self._promote(room, below(b"## 2026-11-29\n\n", b"- Promoted.\n"))
        undo(room)
        assert room.get("changelog.md") == (
            b'# Changelog\n\n## 2026-11-30\n\n- Undone: Promoted "one".\n\n## 2026-11-29\n\n- Promoted.\n- Old.\n'
        )

    def test_at_the_end_where_the_log_grows_downwards(self, room: Room) -> None:
        self._promote(room, end(b"- 04:02 promoted\r\n"))
        undo(room)
        assert (room.get("changelog.md") or b"").endswith(b'- 04:02 promoted\r\n- Undone: Promoted "one".\n')

    def test_a_log_that_got_its_first_heading_is_newest_first(self, room: Room) -> None:
        room.put("changelog.md", b"# Changelog\n")
        edits = {**PROMOTE, "changelog.md": end(b"\n## 2026-11-30\n\n- Promoted.\n")}
        undo(room, room.apply(edits, log_only=frozenset({"changelog.md"}), summary='Promoted "one".'))
        assert room.get("changelog.md") == (
            b'# Changelog\n\n## 2026-11-30\n\n- Undone: Promoted "one".\n- Promoted.\n'
        )

    def test_a_layouts_own_form(self, room: Room) -> None:
        first = self._promote(room, end(b"x\n"))
        def note(path: str, read: Callable[[str], bytes | None], said: str) -> list[Step]:
            now = read(path)
            return [Step("replace", path, now, (now or b"") + f"{path}: {said}".encode())]

        plan = room.open().undo_plan(first, note)
        (step,) = [step for step in plan.steps if step.path == "changelog.md"]
        assert (step.after or b"").endswith(b'changelog.md: Undone: Promoted "one".')
        assert plan.log_only == frozenset({"changelog.md"})

    def test_a_log_that_changed_since_does_not_stop_it(self, room: Room) -> None:
        first = self._promote(room, end(b"x\n"))
        room.put("changelog.md", b"rewritten\n")
        assert room.open().history()[0].undoable
        undo(room, first)
        assert room.get("changelog.md") == b'rewritten\n- Undone: Promoted "one".\n'
        assert room.get("inbox.md") == INBOX


class TestHistory:
    def test_it_works_across_restarts_and_lists_reasons(self, room: Room) -> None:
        ident = room.apply(PROMOTE)
        undo(room, ident)
        newest, oldest = room.open().history()
        assert (newest.verb, newest.undoes, newest.undoable) == ("undo", ident, True)
        assert (oldest.undoable, oldest.reason) == (False, f"It was undone by {newest.id}.")

    def test_forgetting_one_takes_its_texts(self, room: Room) -> None:
        ident = room.apply({"inbox.md": end(b"- telling text\n")})
        room.open().forget(ident)
        assert room.history_names() == []
        assert not [path for path in room.state.rglob("*") if path.is_file() and b"telling" in path.read_bytes()]

    def test_forgetting_an_undo_leaves_undone_what_it_undid(self, room: Room) -> None:
        first = room.apply(PROMOTE)
        second = undo(room, first)
        room.open().forget(second)
        (entry,) = room.open().history()
        assert (entry.id, entry.undoable, entry.reason) == (first, False, "It was undone already.")

    def test_it_keeps_ninety_days(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("memdesk.core.transaction.history.KEEP_LEAST", 1)
        for now in ("2026-08-01", "2026-09-02", "2026-11-29"):
            room.open(now=now).apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada")
        room.apply({"inbox.md": end(b"- y\n")})
        assert [entry.at[:10] for entry in room.open().history()] == ["2026-11-30", "2026-11-29", "2026-09-02"]

    def test_a_clock_that_runs_ahead_costs_none_of_the_newest(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("memdesk.core.transaction.history.KEEP_LEAST", 3)
        for now in ("2026-08-01", "2026-11-27", "2026-11-28", "2126-11-29"):
            room.open(now=now).apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada")
        assert [entry.at[:10] for entry in room.open().history()] == ["2126-11-29", "2026-11-28", "2026-11-27"]

    def test_it_keeps_so_many_bytes_and_always_the_newest(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("memdesk.core.transaction.history.KEEP_BYTES", 3000)
        for _ in range(6):
            room.apply({"big.md": lambda data: os.urandom(1000)})
        assert 1 <= len(room.open().history()) <= 2
        monkeypatch.setattr("memdesk.core.transaction.history.KEEP_BYTES", 1)
        room.apply({"big.md": lambda data: os.urandom(1000)})
        assert len(room.open().history()) == 1
        undo(room)

    def test_rests_and_strange_names_do_not_disturb_it(self, room: Room) -> None:
        ident = room.apply(PROMOTE)
        history = room.state / "history"
        (history / "20260101T000000Z-aaaa.new").mkdir()
        (history / "20260101T000000Z-bbbb").mkdir()
        assert [entry.id for entry in room.open().history()] == [ident, "20260101T000000Z-bbbb"]
        assert room.open().history()[1].reason == "Its journal cannot be read."
        room.apply({"inbox.md": end(b"- x\n")})
        assert "20260101T000000Z-aaaa.new" not in room.history_names()

    def test_a_listing_reads_no_texts(self, room: Room) -> None:
        for _ in range(3):
            room.apply({"inbox.md": end(b"- x\n")})
        found = room.open().history()
        assert [entry.undoable for entry in found] == [True, True, True]
        assert datetime.fromisoformat(found[0].at).tzinfo == UTC


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["inbox.md", "decisions.md", "new.md"]), st.integers(0, 6),
            st.sampled_from([b"- \xff bytes\r\n", b"text", b"\n\n", b"## H\n", b""]),
        ),
        min_size=1, max_size=5,
    ),
    st.integers(0, 5),
)
def test_a_row_of_edits_is_undone_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, int, bytes]], redo: int
) -> None:
    room = Room(tmp_path_factory.mktemp("undo"))
    states = [room.all()]
    for path, place, data in edits:
        def edit(before: bytes | None, place: int = place, data: bytes = data) -> bytes | None:
            lines = (before or b"").split(b"\n")
            lines[min(place, len(lines) - 1) :][:1] = []
            return b"\n".join([*lines[:place], data, *lines[place + 1 :]])

        if room.plan({path: edit}).steps[0].before != room.plan({path: edit}).steps[0].after:
            room.apply({path: edit})
            states.append(room.all())
    undone = []
    for state in reversed(states[:-1]):
        undone.append(undo(room))
        assert room.all() == state
    for ident, state in list(zip(reversed(undone), states[1:], strict=True))[:redo]:
        undo(room, ident)
        assert room.all() == state
