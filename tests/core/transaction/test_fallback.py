"""File systems without an exchange of names: what is promised there too, and each window that is left (docs/trust.md)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core.transaction.files import RealFiles
from tests.support.fallback import WithoutExchange, WithoutLinks
from tests.support.ground import INBOX, PROMOTE, Room, end, gone, new

FALLBACKS = [WithoutExchange, WithoutLinks]
DONE = b"# Inbox\n\n- two\n- three\n"  # the inbox without what is promoted
OUTSIDE = INBOX + b"- outside\n"
NAMES = {"inbox.md", "decisions.md", "manifest.md"}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _meddling(kind: type[RealFiles], name: str, ending: str, act: Callable[[], None], *, after: bool = False) -> RealFiles:
    """Files of a kind, with someone who acts once: right before (or after) the first operation of a name on such a target."""
    done: list[int] = []

    class Meddled(kind):  # type: ignore[misc, valid-type]
        def __getattribute__(self, asked: str) -> object:
            found = super().__getattribute__(asked)
            if asked != name:
                return found

            def call(*arguments: object, **named: object) -> object:
                mine = not done and any(str(word).endswith(ending) for word in arguments)
                if mine and not after:
                    done.append(1)
                    act()
                result = found(*arguments, **named)
                if mine and after:
                    done.append(1)
                    act()
                return result

            return call

    return Meddled()


def _in_place(room: Room, data: bytes = OUTSIDE, path: str = "inbox.md") -> Callable[[], None]:
    return lambda: room.put(path, data)


def _by_rename(room: Room, data: bytes = OUTSIDE, path: str = "inbox.md") -> Callable[[], None]:
    def act() -> None:
        room.put("beside~", data)
        os.replace(room.root / "beside~", room.root / path)

    return act


@pytest.mark.parametrize("kind", FALLBACKS)
class TestWhatIsPromisedThereToo:
    def test_plans_apply_and_undo(self, room: Room, kind: type[RealFiles]) -> None:
        before = room.all()
        edits = {**PROMOTE, "areas/new.md": new(b"# New\n")}
        first = room.open(kind()).apply(lambda: room.plan(edits), None, "Ada").id
        assert room.get("areas/new.md") == b"# New\n"
        assert room.get("inbox.md") == DONE
        assert os.stat(room.root / "inbox.md").st_nlink == 1
        room.open(kind()).apply(lambda: room.open().undo_plan(first), None, "Ada")
        assert room.all() == before
        assert room.open().kept() == []

    @pytest.mark.parametrize("act", [_in_place, _by_rename])
    def test_an_edit_before_the_comparison_is_planned_upon(
        self, room: Room, kind: type[RealFiles], act: Callable[[Room], Callable[[], None]]
    ) -> None:
        """Right before the file is looked at for the last time, when its neighbour was replaced already."""
        files = _meddling(kind, "rename", "manifest.md", act(room))  # decisions, manifest, inbox: in this order
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.get("inbox.md") == DONE + b"- outside\n"
        assert set(room.all()) == NAMES
        assert (room.get("decisions.md") or b"").count(b"## one\n") == 1

    def test_an_edit_after_the_replacement_is_planned_upon_or_kept(self, room: Room, kind: type[RealFiles]) -> None:
        """It is on our text, while the commit still goes on: that stays, and what was half done is taken back."""
        ours = []

        def act() -> None:
            ours.append(room.get("decisions.md"))
            room.put("decisions.md", (ours[0] or b"") + b"- theirs\n")

        files = _meddling(kind, "rename", "inbox.md", act)
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert (room.get("decisions.md") or b"").endswith(b"- theirs\n")
        assert set(room.all()) == NAMES

    def test_a_new_file_that_was_there_first_is_not_overwritten(self, room: Room, kind: type[RealFiles]) -> None:
        (room.root / "areas").mkdir()
        edits = {"areas/new.md": lambda data: b"ours" if data is None else data + b", ours", **PROMOTE}
        files = _meddling(kind, "rename_new", "new.md", _in_place(room, b"theirs", "areas/new.md"))
        room.open(files).apply(lambda: room.plan(edits), None, "Ada")
        assert room.get("areas/new.md") == b"theirs, ours"

    def test_a_deleted_file_that_was_edited_comes_back(self, room: Room, kind: type[RealFiles]) -> None:
        seen: list[bytes | None] = []

        def replan():  # type: ignore[no-untyped-def]
            seen.append(room.get("inbox.md"))
            return room.plan({"inbox.md": gone if len(seen) == 1 else end(b"- kept\n")})

        files = _meddling(kind, "rename", "s0", _by_rename(room))
        room.open(files).apply(replan, None, "Ada")
        assert seen == [INBOX, OUTSIDE]
        assert room.get("inbox.md") == OUTSIDE + b"- kept\n"


class TestWithLinks:
    """Where hard links are there, which is nearly everywhere."""

    @pytest.mark.parametrize("act", [_in_place, _by_rename])
    def test_between_the_comparison_and_the_second_name_every_edit_is_seen(
        self, room: Room, act: Callable[[Room], Callable[[], None]]
    ) -> None:
        files = _meddling(WithoutExchange, "link", "inbox.md", act(room))
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.get("inbox.md") == DONE + b"- outside\n"
        assert set(room.all()) == NAMES

    @pytest.mark.parametrize("after", [False, True])
    def test_an_edit_in_place_right_around_the_replacement_is_seen(self, room: Room, after: bool) -> None:
        handle = os.open(room.root / "inbox.md", os.O_WRONLY)
        files = _meddling(WithoutExchange, "rename", "inbox.md", lambda: os.pwrite(handle, OUTSIDE, 0), after=after)  # type: ignore[arg-type, return-value]
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        os.close(handle)
        assert room.get("inbox.md") == DONE + b"- outside\n"
        assert set(room.all()) == NAMES
        assert os.stat(room.root / "inbox.md").st_nlink == 1

    def test_an_edit_in_place_after_the_commit_is_kept_and_listed(self, room: Room) -> None:
        handle = os.open(room.root / "inbox.md", os.O_WRONLY)
        room.open(WithoutExchange()).apply(lambda: room.plan(PROMOTE), None, "Ada")
        os.pwrite(handle, OUTSIDE, 0)
        os.close(handle)
        (kept,) = room.open().kept()
        assert (kept.path, room.open().kept_text(kept).data) == ("inbox.md", OUTSIDE)
        assert room.get("inbox.md") == DONE

    def test_when_memdesk_gives_way_a_third_text_that_came_by_rename_stays_and_the_second_is_kept(self, room: Room) -> None:
        """In place before our replacement, by rename right after it: the newest is the file, the other in the history."""
        handle = os.open(room.root / "inbox.md", os.O_WRONLY)
        third = b"# Inbox\n\n- one\n- by rename\n"

        def act() -> None:
            os.pwrite(handle, OUTSIDE, 0)
            _by_rename(room, third)()

        files = _meddling(WithoutExchange, "rename", "inbox.md", act, after=True)
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        os.close(handle)
        assert room.get("inbox.md") == third.replace(b"- one\n", b"")
        assert [room.open().kept_text(item).data for item in room.open().kept()] == [OUTSIDE]
        assert set(room.all()) == NAMES


class TestTheWindows:
    """What is lost there, so that the page says no more than is true. If one of these fails, a window was closed: say so."""

    def test_a_rename_between_the_second_name_and_the_replacement_is_lost(self, room: Room) -> None:
        files = _meddling(WithoutExchange, "link", "inbox.md", _by_rename(room), after=True)
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.get("inbox.md") == DONE
        assert room.open().kept() == []

    @pytest.mark.parametrize("act", [_in_place, _by_rename])
    def test_without_links_every_edit_between_comparison_and_replacement_is_lost(
        self, room: Room, act: Callable[[Room], Callable[[], None]]
    ) -> None:
        files = _meddling(WithoutLinks, "link", "inbox.md", act(room))
        room.open(files).apply(lambda: room.plan(PROMOTE), None, "Ada")
        assert room.get("inbox.md") == DONE
        assert room.open().kept() == []

    def test_without_links_a_new_file_made_between_look_and_rename_is_lost(self, room: Room) -> None:
        (room.root / "areas").mkdir()
        files = _meddling(WithoutLinks, "rename", "areas/new.md", _in_place(room, b"theirs", "areas/new.md"))
        room.open(files).apply(lambda: room.plan({"areas/new.md": new(b"ours")}), None, "Ada")
        assert room.get("areas/new.md") == b"ours"

    def test_without_links_what_is_written_late_goes_with_the_old_file(self, room: Room) -> None:
        handle = os.open(room.root / "inbox.md", os.O_WRONLY)
        room.open(WithoutLinks()).apply(lambda: room.plan(PROMOTE), None, "Ada")
        os.pwrite(handle, OUTSIDE, 0)
        os.close(handle)
        assert room.get("inbox.md") == DONE
        assert room.open().kept() == []

    def test_with_the_exchange_none_of_these_is_lost(self, room: Room) -> None:
        for act in (_in_place, _by_rename):
            files = _meddling(RealFiles, "exchange", "inbox.md", act(room, (room.get("inbox.md") or b"") + b"- outside\n"))
            room.open(files).apply(lambda: room.plan({"inbox.md": end(b"- x\n")}), None, "Ada")
        assert (room.get("inbox.md") or b"").count(b"- outside\n") == 2
