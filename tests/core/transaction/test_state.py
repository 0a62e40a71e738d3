"""Where state lives, and the personal part of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from memdesk.core.transaction import interrupted, state_dir
from tests.support.ground import PROMOTE, Room, end


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _moved(to: str) -> object:
    return SimpleNamespace(state=SimpleNamespace(dir=to))


def test_it_is_in_the_git_folder_of_the_worktree(tmp_path: Path) -> None:
    assert state_dir(str(tmp_path), str(tmp_path / ".git")) == str(tmp_path / ".git" / "memdesk")
    assert state_dir(str(tmp_path), str(tmp_path / "main" / ".git" / "worktrees" / "x")).endswith("/worktrees/x/memdesk")


def test_without_git_it_is_in_the_workspace_and_hides_itself(tmp_path: Path) -> None:
    state = state_dir(str(tmp_path), None)
    assert state == str(tmp_path / ".memdesk" / "state")
    room = Room(tmp_path)
    room.state = room.root / ".memdesk" / "state"
    room.apply(PROMOTE)
    assert (room.state / ".gitignore").read_bytes() == b"*\n"


def test_links_lead_to_one_place(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert state_dir(str(tmp_path / "link"), None) == state_dir(str(tmp_path / "real"), None)


def test_a_setting_moves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    one, other = tmp_path / "one", tmp_path / "other"
    assert state_dir(str(one), None, _moved(".state")) == str(one / ".state")  # type: ignore[arg-type]
    assert state_dir(str(one), str(one / ".git"), _moved(".")) == str(one / ".memdesk" / "state")  # type: ignore[arg-type]
    shared = [state_dir(str(root), None, _moved("~/shared")) for root in (one, other)]  # type: ignore[arg-type]
    assert shared[0] != shared[1]
    assert all(path.startswith(str(tmp_path / "home" / "shared") + "/") for path in shared)


def test_the_check_sees_interrupted_ones_with_one_look(room: Room) -> None:
    assert interrupted(str(room.state)) == []
    room.apply(PROMOTE)
    assert interrupted(str(room.state)) == []
    (room.state / "txn" / "20261130T040251Z-k3f9").mkdir()
    (room.state / "txn" / "20261130T040251Z-k3fa.new").mkdir()
    assert interrupted(str(room.state)) == ["20261130T040251Z-k3f9"]


def test_that_look_imports_nothing_heavy() -> None:
    code = (
        "import sys; from memdesk.core.transaction.state import interrupted; interrupted('/none'); heavy = ("
        "'json', 'hashlib', 'filelock', 'datetime', 'ctypes', 'subprocess', 'difflib'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": _path()}
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == "[]\n", done.stderr


def _path() -> str:
    import memdesk

    return os.path.dirname(os.path.dirname(os.path.abspath(memdesk.__file__)))


class TestPersonal:
    def test_snoozes_come_and_go(self, room: Room) -> None:
        personal = room.open().personal
        personal.snooze(["a.md#1", "b.md#2"], "2026-12-01")
        personal.snooze(["b.md#2"], "2026-12-24")
        assert room.open().personal.snoozes() == {"a.md#1": "2026-12-01", "b.md#2": "2026-12-24"}
        personal.unsnooze(["a.md#1", "unknown"])
        assert room.open().personal.snoozes() == {"b.md#2": "2026-12-24"}

    @pytest.mark.parametrize("rubbish", [b"", b"[]", b"{", b"\xff\xfe", b'{"a": {"b": 1}}'])
    def test_rubbish_loses_nothing_but_itself(self, room: Room, rubbish: bytes) -> None:
        room.apply({"inbox.md": end(b"- x\n")})
        (room.state / "snoozes.json").write_bytes(rubbish)
        room.open().personal.snoozes()
        room.open().personal.snooze(["a.md#1"], "2026-12-01")
        assert room.open().personal.snoozes()["a.md#1"] == "2026-12-01"

    def test_two_processes_do_not_lose_each_others(self, room: Room) -> None:
        children = []
        for number in range(6):
            child = os.fork()
            if child == 0:
                try:
                    room.open().personal.snooze([f"a.md#{number}"], "2026-12-01")
                finally:
                    os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        assert sorted(room.open().personal.snoozes()) == [f"a.md#{number}" for number in range(6)]
