"""Changes from outside (F27). Events are pushed by hand but for one real watch; nothing waits for a clock."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from memdesk.core import watch
from memdesk.core.errors import StoreError
from memdesk.core.watch import Folders, Watcher, _spread, _words, on_network

STORE = Folders(frozenset({"docs/memory"}), frozenset({".", "docs"}))


class Source:
    """The system's part, played by the test: bursts that it sends, and what was armed."""

    def __init__(self) -> None:
        self.armed: list[Folders] = []
        self.waits = 0  # how often it had nothing more to tell
        self.bursts: asyncio.Queue[set[str] | BaseException] = asyncio.Queue()

    async def __call__(self, root: str, folders: Folders) -> AsyncIterator[set[str]]:
        self.armed.append(folders)
        while True:
            self.waits += 1
            burst = await self.bursts.get()
            if isinstance(burst, BaseException):
                raise burst
            yield burst


class Pause:
    """Waiting without time: each wait runs what the test has planned for it, then lets the others run."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps: Iterator[Callable[[], object]] = iter(steps)
        self.asked: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        step = next(self.steps, None)
        if step is None and seconds == watch.POLL:
            await asyncio.Event().wait()
        if step is not None:
            step()
        await asyncio.sleep(0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "docs/memory/areas").mkdir(parents=True)
    for name in ("inbox.md", "decisions.md", "areas/a.md"):
        (tmp_path / "docs/memory" / name).write_text(name)
    return tmp_path


def watcher(root: Path, **options: object) -> Watcher:
    settings: dict[str, object] = {"folders": lambda: STORE, "known": lambda path: False, "source": Source(), "pause": Pause()}
    return Watcher(str(root), **{**settings, **options})  # type: ignore[arg-type]


def first(watching: Watcher, *batches: set[str], count: int = 1) -> list[set[str]]:
    """The first `count` answers after these events."""

    async def run() -> list[set[str]]:
        for batch in batches:
            watching.push(batch)
        found: list[set[str]] = []
        events = watching.events()
        async with asyncio.timeout(10):
            async for paths in events:
                found.append(paths)
                if len(found) == count:
                    break
        await events.aclose()  # type: ignore[attr-defined]
        return found

    return asyncio.run(run())


def test_f27_only_what_can_be_memory_is_told(root: Path) -> None:
    noise = {
        "src/app.py", "docs/memory/notes.txt", "docs/memory/.memdesk-1-0", ".git/index", "docs/memory/inbox.md~",
        "docs/memory/4913", ".memdesk/state/txn/generation", "node_modules", "docs/memory/.inbox.md.swp", "docs/.git/x.md",
    }
    kept = {"docs/memory/inbox.md", "AGENTS.md", "memdesk.toml", "docs/memory/memory-lint.json"}
    assert first(watcher(root, files=["memdesk.toml"]), noise | kept) == [kept | {"docs/memory/4913"}]
    assert first(watcher(root), noise - {"docs/memory/4913"}, {"docs/memory/inbox.md"}) == [{"docs/memory/inbox.md"}]


def test_f27_bursts_that_wait_are_told_as_one(root: Path) -> None:
    names = [f"docs/memory/areas/{number}.md" for number in range(500)]
    for name in names:
        (root / name).write_text("x")
    assert first(watcher(root), *({name} for name in names)) == [set(names)]


def test_f27_our_own_writes_are_known_and_not_told(root: Path) -> None:
    asked: list[str] = []

    def known(path: str) -> bool:
        asked.append(path)
        if path.endswith("a.md"):
            raise StoreError("cannot be read.", path=path)
        return path.endswith("inbox.md")

    batch = {"docs/memory/inbox.md", "docs/memory/decisions.md", "docs/memory/areas/a.md"}
    assert first(watcher(root, known=known), batch) == [{"docs/memory/decisions.md", "docs/memory/areas/a.md"}]
    assert set(asked) == batch


def test_f27_a_file_that_is_saved_by_renaming_is_not_seen_as_deleted(root: Path) -> None:
    target = root / "docs/memory/inbox.md"
    target.rename(root / "docs/memory/inbox.md~")
    pause = Pause(lambda: target.write_text("inbox.md"))
    seen: list[bool] = []

    def known(path: str) -> bool:
        seen.append(target.exists())
        return target.read_text() == "inbox.md" and path == "docs/memory/inbox.md"

    changed = first(watcher(root, known=known, pause=pause), {"docs/memory/inbox.md"}, {"docs/memory/decisions.md"})
    assert changed == [{"docs/memory/decisions.md"}]
    assert seen == [True, True]
    assert pause.asked == [watch.GONE]


def test_f27_a_deleted_file_and_a_new_folder_are_told(root: Path) -> None:
    (root / "docs/memory/inbox.md").unlink()
    (root / "docs/memory/rules").mkdir()
    assert first(watcher(root), {"docs/memory/inbox.md", "docs/memory/rules", "docs"}) == [
        {"docs/memory/inbox.md", "docs/memory/rules", "docs"}
    ]


def test_f27_folders_are_armed_again_when_they_were_replaced_or_others_came(root: Path) -> None:
    source = Source()
    wanted = [Folders(frozenset({"docs/memory", "gone"}), frozenset({".", "docs/memory"}))]
    watching = watcher(root, source=source, folders=lambda: wanted[0])

    async def run() -> list[set[str]]:
        events = watching.events()
        found = []
        async with asyncio.timeout(10):
            for step in range(3):
                if step == 2:
                    wanted[0] = Folders(frozenset({"docs/memory/areas"}), frozenset())
                source.bursts.put_nowait([{"docs/memory/inbox.md"}, {"docs/memory"}, {"docs/memory/inbox.md"}][step])
                found.append(await anext(events))
            while len(source.armed) < 3:
                await asyncio.sleep(0)
        await events.aclose()  # type: ignore[attr-defined]
        return found

    assert asyncio.run(run()) == [{"docs/memory/inbox.md"}, {"docs/memory"}, {"docs/memory/inbox.md"}]
    first_arm = Folders(frozenset(), frozenset({".", "docs/memory", "docs/memory/areas"}))
    assert source.armed == [first_arm, first_arm, Folders(frozenset(), frozenset({"docs/memory/areas"}))]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("OS file watch limit reached.\nmore")])
def test_f27_without_watches_the_folders_are_looked_through(root: Path, error: Exception) -> None:
    source = Source()
    told: list[str] = []
    inbox = root / "docs/memory/inbox.md"

    def same_size_same_time() -> None:
        before = inbox.stat()
        inbox.write_text("INBOX.md")
        os.utime(inbox, ns=(before.st_atime_ns, before.st_mtime_ns))

    pause = Pause(same_size_same_time, (root / "docs/memory/areas/b.md").touch, (root / "docs/memory/decisions.md").unlink)
    watching = watcher(root, source=source, pause=pause, on_notice=told.append)
    source.bursts.put_nowait(error)
    assert first(watching, count=3) == [
        {"docs/memory/inbox.md"}, {"docs/memory/areas/b.md"}, {"docs/memory/decisions.md"},
    ]
    assert told == [watching.notice]
    assert "cannot be watched" in told[0]
    assert "\n" not in told[0]


def test_f27_polling_can_be_asked_for(root: Path) -> None:
    source = Source()
    pause = Pause(lambda: (root / "docs/memory/inbox.md").write_text("longer than before"))
    watching = watcher(root, source=source, pause=pause, polling=True)
    assert first(watching) == [{"docs/memory/inbox.md"}]
    assert source.armed == []
    assert watching.notice is None


def test_f27_file_systems_that_tell_nothing_are_known() -> None:
    mounts = (
        "/dev/sda / ext4 rw 0 0\nserver:/x /mnt/share nfs4 rw 0 0\nC: /mnt/c 9p rw 0 0\n/dev/sdb /mnt/share/disk ext4 rw 0 0\n"
        "//host/a /mnt/with\\040space cifs rw 0 0\nbroken\n"
    )
    expected = {
        "/home/a": False, "/mnt/share": True, "/mnt/share/repo": True, "/mnt/shared": False, "/mnt/share/disk/r": False,
        "/mnt/c/r": True, "/mnt/with space/r": True,
    }
    assert {path: on_network(path, mounts) for path in expected} == expected
    assert on_network("/") is False


def test_an_error_of_the_program_ends_the_events_loudly(root: Path) -> None:
    def broken() -> Folders:
        raise ValueError("bug")

    with pytest.raises(ValueError, match="bug"):
        first(watcher(root, folders=broken))


def test_a_real_watch_sees_a_file_saved_by_renaming(root: Path) -> None:
    watching = Watcher(str(root), lambda: STORE, lambda path: False)

    async def save() -> None:
        number = 0
        while True:  # until it is seen: when exactly the system begins to watch, nobody says
            number += 1
            (root / "docs/memory/.new").write_text(f"text {number}")
            (root / "docs/memory/.new").replace(root / "docs/memory/inbox.md")
            await asyncio.sleep(0.05)

    async def run() -> set[str]:
        saving = asyncio.create_task(save())
        events = watching.events()
        try:
            async with asyncio.timeout(20):
                return await anext(events)
        finally:
            saving.cancel()
            await asyncio.gather(saving, return_exceptions=True)
            await events.aclose()  # type: ignore[attr-defined]

    assert "docs/memory/inbox.md" in asyncio.run(run())
    assert watching.notice is None


def test_no_link_is_followed_out_of_what_is_watched(root: Path) -> None:
    """A link to `/` in a clone would have the whole disk watched; one to a folder above would never end."""
    areas = root / "docs/memory/areas"
    for name, target in {"disk": "/", "above": "../..", "disk.md": "/", "itself": "itself"}.items():
        (areas / name).symlink_to(target)
    (areas / "deeper/still").mkdir(parents=True)
    found = _spread(str(root), STORE)
    assert {name for name in found.flat if "areas" in name} == {
        "docs/memory/areas", "docs/memory/areas/deeper", "docs/memory/areas/deeper/still",
    }
    assert found.deep == frozenset()


def test_a_folder_that_came_is_watched_and_told_with_what_is_in_it(root: Path) -> None:
    source = Source()
    watching = watcher(root, source=source)

    async def run() -> list[set[str]]:
        events = watching.events()
        async with asyncio.timeout(10):
            source.bursts.put_nowait({"docs/memory/inbox.md"})
            found = [await anext(events)]
            while source.waits < 2:  # or the look at the folders after the first burst may see the new one already
                await asyncio.sleep(0)
            (root / "docs/memory/areas/new").mkdir()
            source.bursts.put_nowait({"docs/memory/areas/new"})
            found.append(await anext(events))
            while len(source.armed) < 2:
                await asyncio.sleep(0)
            found.append(await anext(events))
        await events.aclose()  # type: ignore[attr-defined]
        return found

    assert asyncio.run(run())[1:] == [{"docs/memory/areas/new"}] * 2
    assert "docs/memory/areas/new" in source.armed[1].flat


def test_the_reason_of_a_watch_that_failed_is_the_one_behind_the_group(root: Path) -> None:
    inner = OSError(28, "No space left on device")
    assert _words(ExceptionGroup("in a TaskGroup", [ExceptionGroup("x", [inner])])) == "No space left on device"
