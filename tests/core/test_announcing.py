"""Writing beside an orchestrator: its locks are honoured, ours is left for it meanwhile, and nothing of ours stays."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.announcing import Beside, Occupied
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.model import Store
from memdesk.core.plan import Plan
from memdesk.core.transaction import WriteFailed
from memdesk.core.transaction.files import REAL, Files
from tests.support.faults import WRITING, Failing, Killing, Tapped
from tests.support.ground import Edit, Room, end, gone, new
from tests.support.orchestrators import LOCKS, NOW, leave, left, raw
from tests.support.sampling import sampled

MEMORY = ".jonggrang/MEMORY.md"
FEATURE = ".jonggrang/.output/features/export/MEMORY.md"
FRAGMENT = ".jonggrang/.ephemeral/memory/fragments/export/task-001-2026-11-30T04-00-00Z.md"
BEFORE = {MEMORY: b"# Project\n", FEATURE: b"# Feature\n", FRAGMENT: b"- one\n", "notes.md": b"notes\n"}
COMPACT: dict[str, Edit] = {FEATURE: end(b"- one\n"), FRAGMENT: gone, FRAGMENT.replace("fragments", "archive"): new(b"- one\n")}
STORES = (Store("jonggrang", ".jonggrang", ""), Store("custodian", "docs/memory", ""))


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(layouts.LAYOUTS, "jonggrang", "memdesk.core.layouts.jonggrang")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path, BEFORE)


def beside(room: Room, files: Files = REAL) -> Beside:
    return Beside(files, str(room.root), STORES, NOW)


def write(room: Room, edits: dict[str, Edit], files: Files = REAL) -> None:
    """A commit as the desk makes it."""
    plan = room.plan(edits)
    room.open(files).apply(lambda: plan, plan, "Ada", around=lambda made: beside(room, files).announced(made.paths))


def refused(room: Room, edits: dict[str, Edit], files: Files = REAL) -> Occupied:
    """The refusal of a commit that leaves everything as it was, and nothing of ours."""
    before, locks = room.all(), left(room.root)
    with pytest.raises(Occupied) as caught:
        write(room, edits, files)
    assert caught.value.exit_code == 1
    assert (room.all(), left(room.root)) == (before, locks)
    assert room.pending_names() == []
    return caught.value


class Seen:
    """A tap that notes what stands in the folder of locks whenever a file of the memory is about to be replaced or made."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.locks: list[dict[str, object]] = []
        self.modes: set[int] = set()

    def __call__(self, name: str, arguments: tuple[object, ...]) -> None:
        if name in ("exchange", "rename", "rename_new") and str(arguments[1]).endswith(".md"):
            for lock in left(self._room.root):
                path = self._room.root / LOCKS / lock
                self.locks.append(json.loads(path.read_bytes()))
                self.modes.add(stat.S_IMODE(path.stat().st_mode))


def test_ours_is_there_while_a_memory_is_written_and_gone_afterwards(room: Room) -> None:
    seen = Seen(room)
    before = os.umask(0o077)
    try:
        write(room, {**COMPACT, MEMORY: end(b"- two\n")}, Tapped(seen))  # type: ignore[arg-type]
    finally:
        os.umask(before)
    files = [str(room.root / path) for path in (FEATURE, MEMORY)]
    ours = {"agent_id": f"memdesk-{os.getpid()}", "files": files, "acquired_at": NOW, "pid": os.getpid()}
    assert seen.locks
    assert all(lock == ours for lock in seen.locks)
    assert seen.modes == {0o644}
    assert left(room.root) == []
    assert (room.root / LOCKS).is_dir()  # an orchestrator may be about to use it


def test_what_is_no_memory_is_not_announced(room: Room) -> None:
    seen = Seen(room)
    write(room, {FRAGMENT.replace("001", "002"): new(b"- two\n"), "notes.md": end(b"more\n")}, Tapped(seen))  # type: ignore[arg-type]
    assert seen.locks == []
    assert not (room.root / LOCKS).exists()


@pytest.mark.parametrize("path", [FEATURE, FRAGMENT])
def test_a_file_that_another_program_names_is_not_written(room: Room, path: str) -> None:
    lock = leave(room.root, MEMORY, path)
    error = refused(room, COMPACT)
    assert error.path == path
    assert error.message == f"maker-1 (process 4711) is writing this file since 2026-11-30T04:00:00Z, by {LOCKS}/maker-1.lock."
    assert error.remedy.endswith(f"If it has crashed, delete {LOCKS}/maker-1.lock.")
    lock.unlink()
    write(room, COMPACT)


def test_the_files_of_other_stores_and_of_none_are_honoured_too(room: Room) -> None:
    leave(room.root, "notes.md")
    assert refused(room, {"notes.md": end(b"more\n")}).path == "notes.md"


@pytest.mark.parametrize(
    ("named", "since"),
    [
        (MEMORY, "2026-11-30T04:00:00Z"), (FEATURE, "2026-11-30T03:32:51Z"), ("/elsewhere/MEMORY.md", "2026-11-30T04:00:00Z"),
        (FEATURE + ".bak", "2026-11-30T04:00:00Z"), (FEATURE[:-1], "2026-11-30T04:00:00Z"),
        ("\0", "2026-11-30T04:00:00Z"), ("\ud800", "2026-11-30T04:00:00Z"), ("x" * 5000, "2026-11-30T04:00:00Z"),
    ],
    ids=lambda value: repr(value)[:24],
)  # fmt: skip
def test_other_files_and_stale_locks_hinder_nothing_and_stay(room: Room, named: str, since: str) -> None:
    if "\0" in named or "\ud800" in named:
        fields = {"agent_id": "maker-1", "files": [named], "acquired_at": since, "pid": 4711}
        lock = raw(room.root, json.dumps(fields).encode())
    else:
        lock = leave(room.root, named, since=since)
    before = lock.read_bytes()
    write(room, COMPACT)
    assert left(room.root) == ["maker-1.lock"]
    assert lock.read_bytes() == before


def test_a_file_is_known_by_any_of_its_names(room: Room, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(room.root)
    for named in (f"{tmp_path}/link/{FEATURE}", f"{room.root}/./x/../{FEATURE}", f"{room.root}/.jonggrang/.output/features"):
        leave(room.root, named)
        assert refused(room, COMPACT).path == FEATURE
    folder = room.root / ".jonggrang/.output/features"
    folder.rename(tmp_path / "work/kept")
    folder.symlink_to(tmp_path / "work/kept")
    leave(room.root, "kept/export/MEMORY.md")
    assert refused(room, COMPACT).path == FEATURE


def test_a_workspace_that_is_mounted_elsewhere_under_another_name_is_this_one(room: Room, tmp_path: Path) -> None:
    """An orchestrator in a container names the files as it sees them."""
    leave(room.root, f"/memdesk-test-mount/{FEATURE}")
    assert refused(room, COMPACT).path == FEATURE
    (tmp_path / "other/.jonggrang").mkdir(parents=True)  # but a workspace that is here is another one
    leave(room.root, f"{tmp_path}/other/{FEATURE}")
    write(room, COMPACT)


TORN = b'{"agent_id": "maker-1", "fil'


@pytest.mark.parametrize("data", [b"", TORN, b"x" * 300_000, b"[]"], ids=["empty", "torn", "huge", "list"])
def test_a_lock_that_cannot_be_read_stands_for_the_memories_while_it_is_fresh(room: Room, data: bytes) -> None:
    lock = raw(room.root, data)
    error = refused(room, COMPACT)
    assert "may be writing this file: its lock can't be read, by .jonggrang/locks/maker-1.lock." in error.message
    write(room, {FRAGMENT.replace("001", "002"): new(b"- two\n")})  # fragments have many writers and no lock
    os.utime(lock, (0, 0))
    write(room, COMPACT)


@pytest.mark.parametrize("kind", ["folder", "link", "fifo", "unreadable"])
def test_what_is_no_file_is_not_followed_and_not_waited_for(room: Room, tmp_path: Path, kind: str) -> None:
    lock = raw(room.root, b"")
    lock.unlink()
    if kind == "folder":
        lock.mkdir()
    elif kind == "link":
        lock.symlink_to("/dev/zero")
    elif kind == "fifo":
        os.mkfifo(lock)
    else:
        lock.write_bytes(b"{}")
    os.utime(lock, ns=(1796011000 * 10**9,) * 2, follow_symlinks=False)
    if kind == "unreadable":

        def tap(name: str, arguments: tuple[object, ...]) -> None:
            if name == "read" and str(arguments[0]).endswith("maker-1.lock"):
                raise PermissionError(errno.EACCES, "no", arguments[0])

        assert "can't be read" in refused(room, COMPACT, Tapped(tap)).message  # type: ignore[arg-type]
    else:
        assert "can't be read" in refused(room, COMPACT).message


class Arriving:
    """A tap by which an orchestrator's lock arrives right before the operation that puts ours in its place, or after it."""

    def __init__(self, room: Room, operation: str) -> None:
        self._room = room
        self._operation = operation
        self.ours: list[str] = []

    def __call__(self, name: str, arguments: tuple[object, ...]) -> None:
        if name == self._operation and LOCKS in str(arguments[0]) and not self.ours:
            self.ours = [*left(self._room.root), "arrived"]
            leave(self._room.root, FEATURE)


@pytest.mark.parametrize("operation", ["rename_new", "chmod", "list"])
def test_a_lock_that_arrives_while_ours_is_being_left_refuses_too(room: Room, operation: str) -> None:
    (room.root / LOCKS).mkdir()
    arriving = Arriving(room, operation)
    plan = room.plan(COMPACT)
    files: Files = Tapped(arriving)  # type: ignore[assignment]
    with pytest.raises(Occupied, match="maker-1"):
        room.open(files).apply(lambda: plan, plan, "Ada", around=lambda made: beside(room, files).announced(made.paths))
    assert arriving.ours
    assert left(room.root) == ["maker-1.lock"]
    assert room.get(FEATURE) == BEFORE[FEATURE]


def test_a_lock_that_arrives_between_preview_and_commit_refuses(room: Room) -> None:
    assert beside(room).found(room.plan(COMPACT).paths) is None
    leave(room.root, FEATURE)
    found = beside(room).found(room.plan(COMPACT).paths)
    assert found is not None
    assert (found.path, found.lock, found.says.holder) == (FEATURE, f"{LOCKS}/maker-1.lock", "maker-1")
    refused(room, COMPACT)


def test_what_a_killed_memdesk_left_is_no_ones_and_is_tidied_away(room: Room) -> None:
    leave(room.root, FEATURE, agent="memdesk-4242", pid=4242)
    (room.root / LOCKS / ".memdesk-memdesk-4243.lock.new").write_bytes(b"{")
    leave(room.root, MEMORY)
    write(room, COMPACT)
    assert left(room.root) == ["maker-1.lock"]


def test_a_name_that_is_taken_is_not_written_over(room: Room) -> None:
    ours = room.root / LOCKS / f"memdesk-{os.getpid()}.lock"
    ours.mkdir(parents=True)
    with pytest.raises(Refused, match="Something else has the name of memdesk's lock") as caught:
        write(room, COMPACT)
    assert caught.value.path == f"{LOCKS}/{ours.name}"
    assert (ours.is_dir(), left(room.root)) == (True, [ours.name])
    assert room.get(FEATURE) == BEFORE[FEATURE]


def test_ours_that_another_program_replaced_is_left_to_it(room: Room) -> None:
    ours = room.root / LOCKS / f"memdesk-{os.getpid()}.lock"
    with beside(room).announced([FEATURE]):
        ours.write_bytes(b"theirs")
    assert ours.read_bytes() == b"theirs"


@pytest.mark.parametrize("to", ["outside", "git", "file"])
def test_locks_are_not_left_outside_the_workspace(room: Room, tmp_path: Path, to: str) -> None:
    places = {"outside": tmp_path / "outside", "git": room.root / ".git/hooks"}
    for place in places.values():
        place.mkdir()
    locks = room.root / LOCKS
    if to == "file":
        locks.write_bytes(b"")
    else:
        locks.symlink_to(places[to])
    with pytest.raises(MemdeskError) as caught:
        write(room, COMPACT)
    assert (caught.value.path or "").startswith(LOCKS)
    assert caught.value.remedy
    assert room.get(FEATURE) == BEFORE[FEATURE]
    assert [os.listdir(place) for place in places.values()] == [[], []]
    write(room, {FRAGMENT.replace("001", "002"): new(b"- two\n")})


@pytest.mark.parametrize("number", sampled([errno.ENOSPC, errno.EACCES, errno.EROFS], 3))
def test_a_disk_that_fails_leaves_no_lock_behind_that_it_can_take_away(tmp_path: Path, number: int) -> None:
    """Each operation on the folder of locks fails in turn: either nothing was written, or only the taking away failed."""
    written = 0
    for at in range(12):
        room = Room(_made(tmp_path / str(at)), BEFORE)
        failing = Failing(at, number, (*WRITING, "list"))

        def tap(name: str, arguments: tuple[object, ...], failing: Failing = failing) -> None:
            if LOCKS in str(arguments[0]):
                failing(name, arguments)

        try:
            write(room, COMPACT, Tapped(tap))  # type: ignore[arg-type]
        except WriteFailed:
            assert {path: room.get(path) for path in BEFORE} == BEFORE
            assert [name for name in left(room.root) if name.endswith(".lock")] == []
        else:
            written += 1
            assert room.get(FRAGMENT) is None
        write(room, {FEATURE: end(b"- next\n")})
        assert left(room.root) == []
        if failing.failed is None:
            break
    assert at > 5
    assert written >= 2


def _made(path: Path) -> Path:
    path.mkdir()
    return path


# Real processes

CHILD = """
import os, signal, sys
from memdesk.core import layouts
layouts.LAYOUTS.setdefault("jonggrang", "memdesk.core.layouts.jonggrang")
sys.path.insert(0, sys.argv[2])
from tests.core.test_announcing import beside, room_at, end, FEATURE
room = room_at(sys.argv[1])
plan = room.plan({FEATURE: end(b"- child\\n")})
from contextlib import contextmanager
@contextmanager
def around(made):
    with beside(room).announced(made.paths):
        os.write(1, b"!")
        os.read(0, 1)
        yield
room.open().apply(lambda: plan, None, "Ada", around=around)
"""


def room_at(root: str) -> Room:
    """The room that another process made."""
    room = Room.__new__(Room)
    room.root = Path(root)
    room.state = room.root / ".git/memdesk"
    return room


@contextmanager
def writing(room: Room) -> Iterator[subprocess.Popen[bytes]]:
    """A process in the middle of its commit, its lock left; it goes on when its input ends."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(room.root), os.getcwd()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        assert child.stdout.read(1) == b"!"
        yield child
    finally:
        child.stdin.close()
        child.wait()
        child.stdout.close()


def test_killed_with_its_lock_out_it_hinders_no_later_one(room: Room) -> None:
    with writing(room) as child:
        (lock,) = left(room.root)
        assert lock == f"memdesk-{child.pid}.lock"
        child.send_signal(signal.SIGKILL)
    assert left(room.root) == [lock]
    assert room.get(FEATURE) == BEFORE[FEATURE]
    write(room, COMPACT)
    assert room.get(FEATURE) == b"# Feature\n- one\n"
    assert left(room.root) == []


@pytest.mark.slow
def test_killed_at_every_operation_the_next_one_finds_all_files_agreeing_and_no_lock_in_its_way(tmp_path: Path) -> None:
    after = {**BEFORE, FEATURE: b"# Feature\n- one\n", FRAGMENT.replace("fragments", "archive"): b"- one\n"}
    del after[FRAGMENT]
    out = 0
    for at in range(200):
        room = Room(_made(tmp_path / str(at)), BEFORE)
        child = os.fork()
        if child == 0:  # pragma: no cover - the child
            try:
                write(room, COMPACT, Tapped(Killing(at)))  # type: ignore[arg-type]
            finally:
                os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out += left(room.root) != []
        write(room, {MEMORY: end(b"- next\n")})
        done = {path: data for path, data in room.all().items() if path != MEMORY}
        assert done in ({path: data for path, data in files.items() if path != MEMORY} for files in (BEFORE, after)), at
        assert left(room.root) == []
        if ended == 0:
            break
    assert at > 30
    assert out > 20


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGINT, signal.SIGHUP], 3))
def test_a_signal_that_ends_it_leaves_no_lock(room: Room, number: signal.Signals) -> None:
    """As for the commit itself, the end waits for it."""
    with writing(room) as child:
        child.send_signal(number)
    assert child.returncode == -number
    assert left(room.root) == []
    assert room.get(FEATURE) == b"# Feature\n- child\n"


def test_of_two_memdesks_one_waits_for_the_other_or_is_refused_with_its_name(room: Room) -> None:
    with writing(room) as child:
        with pytest.raises(MemdeskError, match=f"Another memdesk is writing: process {child.pid} on "):
            room.open().apply(lambda: room.plan(COMPACT), None, "Ada", 0.0, lambda made: beside(room).announced(made.paths))
        assert room.get(FEATURE) == BEFORE[FEATURE]
    write(room, COMPACT)
    assert room.get(FEATURE) == b"# Feature\n- child\n- one\n"


def test_what_goes_round_a_plan_is_entered_under_the_lock_and_left_before_it_ends(room: Room) -> None:
    order: list[str] = []

    @contextmanager
    def around(plan: Plan) -> Iterator[None]:
        order.append(f"in {plan.paths} {room.open().holder() is not None}")
        yield
        order.append(f"out {room.open().holder() is not None}")

    room.open().apply(lambda: room.plan({MEMORY: end(b"x\n")}), None, "Ada", around=around)
    assert order == [f"in {[MEMORY]} True", "out True"]
