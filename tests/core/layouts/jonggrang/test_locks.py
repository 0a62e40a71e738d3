"""An orchestrator's lock files, as they are read and as memdesk writes its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from memdesk.core.layouts.holding import Lock
from memdesk.core.layouts.jonggrang.locks import locks
from memdesk.core.model import Store

NOW = "2026-11-30T04:02:51Z"
AT = datetime(2026, 11, 30, 4, 2, 51, tzinfo=UTC)
FILE = "/w/.jonggrang/MEMORY.md"
STORE = Store("jonggrang", ".jonggrang", "")
LOCKS = locks(STORE)
LONG_AGO = 0


def ago(minutes: float) -> str:
    return (AT - timedelta(minutes=minutes)).isoformat()


def nanoseconds(minutes: float) -> int:
    """When a file was changed that many minutes ago."""
    return int((AT - timedelta(minutes=minutes)).timestamp()) * 10**9


def data(**changes: object) -> bytes:
    fields = {"agent_id": "maker-1", "files": [FILE], "acquired_at": ago(1), "pid": 4711, **changes}
    return json.dumps(fields).encode()


def read(content: bytes | None, modified: int = LONG_AGO, name: str = "maker-1.lock") -> Lock | None:
    return LOCKS.read(name, content, modified, NOW)


def test_what_a_lock_says() -> None:
    assert read(data(acquired_at="2026-11-30T04:00:00.123Z")) == Lock(
        "maker-1.lock", "maker-1", 4711, "2026-11-30T04:00:00.123Z", (FILE,)
    )
    assert LOCKS.folder == ".jonggrang/locks"
    assert locks(Store("jonggrang", "sub/.jonggrang", "")).folder == "sub/.jonggrang/locks"


@pytest.mark.parametrize(
    "since",
    [
        ago(0), ago(29.9), ago(-4.9), "2026-11-30T04:00:00Z", "2026-11-30T04:00:00.1Z", "2026-11-30T05:00:00+01:00",
        "2026-11-30T04:00:00", " 2026-11-30T04:00:00Z ", AT.timestamp() - 60, int((AT.timestamp() - 60) * 1000),
    ],
)  # fmt: skip
def test_it_holds_for_thirty_minutes_in_every_way_of_writing_a_time(since: object) -> None:
    assert read(data(acquired_at=since)) is not None


@pytest.mark.parametrize(
    "since", [ago(30), ago(31), ago(60 * 24), "2026-11-30T04:00:00+05:00", 0, -1, AT.timestamp() - 1800, "0001-01-01T00:00:00"]
)
def test_then_it_is_stale_whatever_the_file_says_of_itself(since: object) -> None:
    assert read(data(acquired_at=since), modified=nanoseconds(0)) is None


@pytest.mark.parametrize(
    "since",
    [
        None, "", "soon", True, [], {}, float("nan"), float("inf"), 10**400, "0001-01-01T00:00:00+14:00", ago(-5.1),
        "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00",
    ],
)  # fmt: skip
def test_of_a_time_that_is_none_or_not_to_be_believed_the_last_change_counts(since: object) -> None:
    """So that no file holds for ever."""
    content = data(acquired_at=since)
    assert read(content, nanoseconds(29)) is not None
    assert read(content, nanoseconds(30)) is None
    assert read(content, nanoseconds(-60)) is None


@pytest.mark.parametrize(
    "content",
    [
        None, b"", b"{", b"null", b"[]", b"3", b"\xff\xfe{", b"[" * 100_000, b'{"files": ' + b"9" * 5000 + b"}", b"{}",
        data(files=None), data(files=FILE), data(files=[FILE, 3]), data(files={FILE: 1}),
    ],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_what_cannot_be_read_may_name_any_file_while_it_is_fresh(content: bytes | None) -> None:
    fresh = content is not None and b"acquired_at" in content
    found = read(content, LONG_AGO if fresh else nanoseconds(29))
    assert found is not None
    assert found.files is None
    if not fresh:
        assert read(content, nanoseconds(30)) is None


def test_odd_fields_beside_the_files_do_not_matter() -> None:
    found = read(data(agent_id=["x"], pid="4711", more=[1]))
    assert found is not None
    assert (found.holder, found.pid, found.files) == ("", None, (FILE,))
    assert (read(data(pid=-1)) or found._replace(pid=1)).pid is None
    assert (read(data(pid=10**30)) or found._replace(pid=1)).pid is None
    assert (read(data(pid=True)) or found._replace(pid=1)).pid is None
    assert (read(data(files=[])) or found).files == ()


def test_who_it_is_from_is_short_on_one_line_and_masked() -> None:
    found = read(data(agent_id="maker\n" + "x" * 500, acquired_at=ago(1)))
    assert found is not None
    assert len(found.holder) == 60
    assert "\n" not in found.holder
    key = "ghp_" + "a1B2" * 9
    assert key not in (read(data(agent_id=f"maker {key}")) or found).holder


@pytest.mark.parametrize("name", ["maker-1.json", "lock", "README.md", ".memdesk-memdesk-7.lock.new", "memdesk-7.lock"])
def test_what_is_no_lock_of_another_is_none(name: str) -> None:
    assert read(data(), name=name) is None


def test_ours_has_the_same_form_and_a_name_of_its_own() -> None:
    name, content = LOCKS.write(7, [FILE, "/w/ü"], NOW)
    assert name == "memdesk-7.lock"
    assert LOCKS.own(name)
    assert json.loads(content) == {"agent_id": "memdesk-7", "files": [FILE, "/w/ü"], "acquired_at": NOW, "pid": 7}
    assert read(content, name="copy.lock") == Lock("copy.lock", "memdesk-7", 7, NOW, (FILE, "/w/ü"))
    for other in ("memdesk-x.lock", "memdesk-.lock", "a-memdesk-7.lock", "memdesk-7.lock.new", "memdesk-" + "7" * 21 + ".lock"):
        assert not LOCKS.own(other)


@pytest.mark.parametrize(
    ("path", "announced"),
    [
        (".jonggrang/MEMORY.md", True), (".jonggrang/.output/features/export/MEMORY.md", True),
        (".jonggrang/.output/features/export/progress.txt", False), ("MEMORY.md", False), (".jonggrang/notes.md", False),
        (".jonggrang/.ephemeral/memory/fragments/export/task-001-2026-11-30T04-02-51Z.md", False),
    ],
)  # fmt: skip
def test_who_writes_a_memory_says_so(path: str, announced: bool) -> None:
    assert LOCKS.announced(path) is announced
