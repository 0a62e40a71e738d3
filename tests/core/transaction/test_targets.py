"""What a file is stays as it was, and what is not written to is refused with the remedy (F24, F25)."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.plan import Plan, Request, Step
from memdesk.core.transaction.files import RealFiles
from tests.support.faults import Tapped
from tests.support.ground import INBOX, PROMOTE, Room, end, gone, new, without

TAKE = {"inbox.md": without(b"- one\n")}
TAKEN = b"# Inbox\n\n- two\n- three\n"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _refused(room: Room, plan: Plan, match: str) -> Refused:
    before = room.all()
    with pytest.raises(Refused, match=match) as caught:
        room.open().apply(lambda: plan, None, "Ada")
    assert room.all() == before
    assert room.history_names() == []
    assert room.pending_names() == []
    assert caught.value.path
    assert caught.value.remedy
    return caught.value


class TestF24:
    """Atomic replace changes what a file is: here it does not."""

    @pytest.mark.parametrize("mode", [0o664, 0o600, 0o755, 0o640, 0o666])
    def test_f24_the_mode_stays(self, room: Room, mode: int) -> None:
        (room.root / "inbox.md").chmod(mode)
        ident = room.apply(TAKE)
        assert stat.S_IMODE((room.root / "inbox.md").stat().st_mode) == mode
        room.open().apply(lambda: room.open().undo_plan(ident), None, "Ada")
        assert stat.S_IMODE((room.root / "inbox.md").stat().st_mode) == mode

    def test_f24_a_link_inside_the_repository_stays_a_link(self, room: Room) -> None:
        room.put("AGENTS.md", b"one\n")
        (room.root / "CLAUDE.md").symlink_to("AGENTS.md")
        (room.root / "docs").mkdir()
        (room.root / "docs" / "deep.md").symlink_to("../CLAUDE.md")
        room.apply({"docs/deep.md": end(b"two\n")})
        assert os.readlink(room.root / "docs" / "deep.md") == "../CLAUDE.md"
        assert (room.root / "CLAUDE.md").is_symlink()
        assert (room.root / "AGENTS.md").read_bytes() == b"one\ntwo\n"

    def test_f24_a_linked_folder_inside_the_repository_is_written_through(self, room: Room) -> None:
        room.put("docs/memory/inbox.md", b"- a\n")
        (room.root / "memory").symlink_to("docs/memory")
        room.apply({"memory/inbox.md": end(b"- b\n"), "memory/new.md": new(b"new\n")})
        assert room.get("docs/memory/inbox.md") == b"- a\n- b\n"
        assert room.get("docs/memory/new.md") == b"new\n"
        assert (room.root / "memory").is_symlink()

    def test_f24_one_file_by_two_names_is_not_changed_twice(self, room: Room) -> None:
        (room.root / "alias.md").symlink_to("inbox.md")
        _refused(room, room.plan({**TAKE, "alias.md": end(b"x")}), "changes this file twice")

    def test_f24_a_link_out_of_the_repository_is_refused(self, room: Room, tmp_path: Path) -> None:
        outside = tmp_path / "outside.md"
        outside.write_bytes(b"outside\n")
        (room.root / "inbox.md").unlink()
        (room.root / "inbox.md").symlink_to(outside)
        plan = Plan(Request("x"), "s", "l", (Step("replace", "inbox.md", b"outside\n", b"changed\n"),))
        with pytest.raises(Refused, match=r"inbox\.md: A link leads out of the repository"):
            room.open().apply(lambda: plan, None, "Ada")
        assert outside.read_bytes() == b"outside\n"
        (room.root / "far").symlink_to(tmp_path)
        create = Plan(Request("x"), "s", "l", (Step("create", "far/new.md", None, b"new\n"),))
        with pytest.raises(Refused, match="out of the repository"):
            room.open().apply(lambda: create, None, "Ada")
        assert not (tmp_path / "new.md").exists()

    def test_f24_a_link_to_nothing_or_in_circles_is_refused(self, room: Room) -> None:
        (room.root / "inbox.md").unlink()
        (room.root / "inbox.md").symlink_to("b.md")
        (room.root / "b.md").symlink_to("inbox.md")
        with pytest.raises(MemdeskError, match=r"inbox\.md"):
            room.open().apply(lambda: Plan(Request("x"), "s", "l", (Step("replace", "inbox.md", b"", b"x"),)), None, "Ada")

    def test_f24_hard_links_are_refused(self, room: Room) -> None:
        os.link(room.root / "inbox.md", room.root / "twin.md")
        error = _refused(room, room.plan(TAKE), "has 2 hard links")
        assert "copy it" in error.remedy

    def test_f24_a_read_only_file_is_refused_even_for_root(self, room: Room) -> None:
        (room.root / "inbox.md").chmod(0o444)
        error = _refused(room, room.plan(TAKE), "read-only")
        assert "chmod u+w" in error.remedy
        (room.root / "manifest.md").chmod(0o444)
        _refused(room, room.plan({"manifest.md": gone}), "read-only")

    def test_f24_one_refused_target_stops_all(self, room: Room) -> None:
        (room.root / "inbox.md").chmod(0o444)
        _refused(room, room.plan(PROMOTE), r"inbox\.md: The file is read-only")

    def test_f24_a_folder_whose_group_is_inherited_gives_it_to_new_files(self, room: Room) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can choose a group freely")
        folder = room.root / "shared"
        folder.mkdir()
        os.chown(folder, -1, 12345)
        folder.chmod(0o2775)
        room.put("shared/old.md", b"old\n")
        os.chown(folder / "old.md", 54321, 12345)
        room.apply({"shared/new.md": new(b"new\n"), "shared/old.md": end(b"more\n"), "shared/deep/new.md": new(b"x")})
        assert (folder / "new.md").stat().st_gid == 12345
        assert ((folder / "old.md").stat().st_uid, (folder / "old.md").stat().st_gid) == (54321, 12345)
        assert (folder / "deep" / "new.md").stat().st_gid == 12345

    def test_f24_a_group_that_cannot_be_kept_is_an_error_and_not_a_change(self, room: Room) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        os.chown(room.root / "inbox.md", -1, 12345)

        def deny(name: str, arguments: tuple[object, ...]) -> None:
            if name == "dress":
                raise PermissionError(errno.EPERM, "its group (12345) cannot be kept", arguments[0])

        with pytest.raises(MemdeskError, match=r"inbox\.md: Cannot be written: its group \(12345\) cannot be kept"):
            room.open(Tapped(deny)).apply(lambda: room.plan(TAKE), None, "Ada")  # type: ignore[arg-type]
        assert room.get("inbox.md") == INBOX

    def test_f24_extended_attributes_stay(self, room: Room) -> None:
        path = room.root / "inbox.md"
        try:
            os.setxattr(path, "user.origin", b"by hand")
        except OSError:
            pytest.skip("this file system has no extended attributes")
        room.apply(TAKE)
        assert os.getxattr(path, "user.origin") == b"by hand"
        assert os.listxattr(path) == ["user.origin"]

    def test_f24_new_files_follow_the_umask(self, room: Room) -> None:
        previous = os.umask(0o027)
        try:
            room.apply({"areas/new.md": new(b"new\n")})
        finally:
            os.umask(previous)
        assert stat.S_IMODE((room.root / "areas/new.md").stat().st_mode) == 0o640
        assert stat.S_IMODE((room.root / "areas").stat().st_mode) == 0o750

    def test_f24_a_given_mode_is_taken(self, room: Room) -> None:
        plan = Plan(Request("x"), "s", "l", (Step("create", "run.md", None, b"x", 0o755),))
        room.open().apply(lambda: plan, None, "Ada")
        assert stat.S_IMODE((room.root / "run.md").stat().st_mode) == 0o755

    def test_f24_a_very_long_name_is_no_problem_for_a_temporary_one(self, room: Room) -> None:
        name = "n" * 250 + ".md"
        room.put(name, b"a\n")
        room.apply({name: end(b"b\n")})
        assert room.get(name) == b"a\nb\n"

    def test_a_name_that_is_too_long_is_refused_before_anything_is_prepared(self, room: Room) -> None:
        _refused(room, room.plan({"m" * 260 + ".md": new(b"x")}), "name is too long")
        _refused(room, room.plan({"new/" + "\u65e5" * 90 + ".md": new(b"x")}), "name is too long")

    def test_a_name_that_no_file_can_have_does_not_stop_recovery(self, room: Room) -> None:
        real = RealFiles()
        assert real.stat(str(room.root / ("m" * 260))) is None
        assert real.stat(str(room.root / ("m" * 260) / "x")) is None

    def test_a_name_that_differs_only_in_case_is_refused(self, room: Room) -> None:
        _refused(room, room.plan({"Inbox.md": new(b"x")}), r"inbox\.md is there already")
        room.put("areas/a.md", b"a")
        _refused(room, room.plan({"Areas/b.md": new(b"x")}), "areas is there already")
        room.put("caf\u00e9.md", b"a")
        _refused(room, room.plan({"cafe\u0301.md": new(b"x")}), "is there already")


class TestF25:
    """Bind mounts, other devices, folders that cannot be written to."""

    def test_f25_a_bind_mounted_file_is_refused(self, room: Room) -> None:
        class Mounted(RealFiles):
            def mounted(self, path: str) -> bool:
                return path.endswith("/inbox.md")

        with pytest.raises(Refused, match="Something is mounted on this very file"):
            room.open(Mounted()).apply(lambda: room.plan(TAKE), None, "Ada")
        assert room.get("inbox.md") == INBOX

    def test_f25_a_real_bind_mount_is_seen(self, room: Room, tmp_path: Path) -> None:
        source, target = tmp_path / "source.md", room.root / "inbox.md"
        source.write_bytes(INBOX)
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            pytest.skip("a mount needs root")
        script = (
            "import sys; from memdesk.core.transaction.files import RealFiles; "
            "print(RealFiles().mounted(sys.argv[1]), RealFiles().mounted(sys.argv[1] + 'x'))"
        )
        command = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" "$2" && exec "$3" -c "$4" "$2"', "sh"]
        words = [*command, str(source), str(target), shutil.which("python3") or "python3", script]
        import sys

        words[-2] = sys.executable
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0 and "mount" in done.stderr:
            pytest.skip("no mounts here")
        assert done.stdout == "True False\n", done.stderr

    def test_f25_busy_when_mounted_all_the_same(self, room: Room) -> None:
        def busy(name: str, arguments: tuple[object, ...]) -> None:
            if name == "exchange":
                raise OSError(errno.EBUSY, "busy", arguments[1])

        with pytest.raises(MemdeskError, match=r"inbox\.md: Cannot be written: something is mounted on the file"):
            room.open(Tapped(busy)).apply(lambda: room.plan(TAKE), None, "Ada")  # type: ignore[arg-type]
        assert room.get("inbox.md") == INBOX

    @pytest.mark.parametrize("always", [True, False])
    def test_f25_another_device_than_the_state_folders(self, room: Room, always: bool) -> None:
        """EXDEV, whether the device number tells it before or not: the text goes beside the target, and leaves nothing."""

        class Far(RealFiles):
            def _check(self, one: str, other: str) -> None:
                if ("/.git/" in one) != ("/.git/" in other):
                    raise OSError(errno.EXDEV, "another device", one)

            def rename(self, source: str, target: str) -> None:
                self._check(source, target)
                super().rename(source, target)

            def rename_new(self, source: str, target: str) -> None:
                self._check(source, target)
                super().rename_new(source, target)

            def exchange(self, one: str, other: str) -> None:
                self._check(one, other)
                super().exchange(one, other)

            def stat(self, path: str):  # type: ignore[no-untyped-def]
                found = super().stat(path)
                return found._replace(device=99) if found and always and "/.git/" in path else found

        before = room.all()
        edits = {**PROMOTE, "areas/new.md": new(b"# New\n"), "old.md": new(b"old\n")}
        first = room.open(Far()).apply(lambda: room.plan(edits), None, "Ada").id
        assert room.get("inbox.md") == TAKEN
        assert set(room.all()) == {"inbox.md", "decisions.md", "manifest.md", "areas/new.md", "old.md"}
        room.open(Far()).apply(lambda: room.open().undo_plan(first), None, "Ada")
        assert room.all() == before

    def test_f25_a_folder_without_permission_is_refused_before_anything_is_written(self, room: Room) -> None:
        class Closed(RealFiles):
            def writable(self, path: str) -> bool:
                return not path.endswith("/areas")

        room.put("areas/a.md", b"a")
        for edits in ({"areas/b.md": new(b"x")}, {"areas/a.md": end(b"x")}, {"areas/deep/b.md": new(b"x")}):
            with pytest.raises(Refused, match="Its folder cannot be written to"):
                room.open(Closed()).apply(lambda edits=edits: room.plan(edits), None, "Ada")  # type: ignore[misc]
        assert room.get("areas/a.md") == b"a"


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", "a//b.md", "a/../b.md", "./a.md", "", "a\0b.md"])
def test_paths_that_leave_the_workspace_are_refused(room: Room, path: str) -> None:
    plan = Plan(Request("x"), "s", "l", (Step("create", path, None, b"x"),))
    with pytest.raises(Refused, match="no path inside the workspace"):
        room.open().apply(lambda: plan, None, "Ada")


@pytest.mark.parametrize("path", [".git/hooks/x", ".git/memdesk/lock"])
def test_gits_and_our_own_files_are_no_targets(room: Room, path: str) -> None:
    plan = Plan(Request("x"), "s", "l", (Step("create", path, None, b"x"),))
    with pytest.raises(Refused, match="no memory"):
        room.open().apply(lambda: plan, None, "Ada")


def test_a_file_where_a_folder_is_needed_is_refused(room: Room) -> None:
    plan = Plan(Request("x"), "s", "l", (Step("create", "inbox.md/x.md", None, b"x"),))
    with pytest.raises(Refused, match=r"inbox\.md is no folder"):
        room.open().apply(lambda: plan, None, "Ada")


def test_a_name_that_is_not_utf8(room: Room) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    room.put(name, b"a\n")
    ident = room.apply({name: end(b"b\n")})
    assert room.get(name) == b"a\nb\n"
    assert room.open().history()[0].paths == (name,)
    room.open().apply(lambda: room.open().undo_plan(ident), None, "Ada")
    assert room.get(name) == b"a\n"
