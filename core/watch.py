"""Changes that others make, as they happen. Nothing depends on them: whoever writes compares digests first.

Folders are watched, not files, since a file that is saved by renaming is another file afterwards. Events are gathered
for a moment, filtered to what can be memory, checked against what is already known (so that our own writes are none),
and a file that is gone is looked for once more. Where the system cannot watch, the folders are looked through instead.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from memdesk.core import layouts
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Workspace

GATHER = 0.015  # seconds without another event after which a burst is over
LONGEST = 0.1  # seconds that a burst is gathered for at most
GONE = 0.05  # seconds after which a file that was gone counts as deleted
JUDGED = ".memdesk"  # the folder of what people decided; the state below it is nobody's matter
POLL = 1.0  # seconds between two looks where nothing tells of changes
_NETWORK = ("nfs", "cifs", "smb", "9p", "drvfs", "vboxsf", "fuse.sshfs", "fuse.gvfsd", "virtiofs", "afs", "ncpfs", "prl_fs")


class Folders(NamedTuple):
    """What to watch, workspace-relative: `deep` with everything below, `flat` alone. Those that don't exist are left out."""

    deep: frozenset[str]
    flat: frozenset[str]


Source = Callable[[str, Folders], AsyncIterator[set[str]]]
Stamp = tuple[int, int, int, int]


class Watcher:
    """The changes of one workspace.

    `folders` says what to watch now; `files` names further paths that count (settings); `known` says whether the reading
    at hand already has what is at a path. `notice` is set, and `on_notice` told, when watching had to give way to polling.
    """

    def __init__(
        self, root: str, folders: Callable[[], Folders], known: Callable[[str], bool], *, files: Iterable[str] = (),
        polling: bool = False, source: Source | None = None, pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        self.root = root
        self.notice: str | None = None
        self._folders = folders
        self._known = known
        self._files = frozenset(files)
        marks = (mark for layout in layouts.names() for mark in layouts.get(layout).marks)
        self._endings = (".md", *marks)  # how the names of what can be memory end
        self._polling = polling or on_network(root)
        self._source = source or system_source
        self._pause = pause
        self._on_notice = on_notice
        self._queue: asyncio.Queue[set[str] | None] = asyncio.Queue()
        self._armed: frozenset[str] | None = None  # the folders that were watched last

    async def events(self) -> AsyncIterator[set[str]]:
        """Sets of workspace-relative paths that changed, one for each burst, until the caller stops asking.

        A path may name a folder that came or went. Nothing is yielded for what is known already.
        """
        feeding = asyncio.create_task(self._feed())
        try:
            while (batch := await self._queue.get()) is not None:
                while not self._queue.empty():
                    batch |= self._queue.get_nowait() or set()
                changed = await self._settled(batch)
                if changed:
                    yield changed
            await feeding  # it ended by itself: tell why
        finally:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)

    def push(self, paths: Iterable[str]) -> None:
        """An event by hand, as if the system had told of it. From the event loop's thread."""
        self._queue.put_nowait(set(paths))

    async def _feed(self) -> None:
        """Puts what the system tells into the queue. Where it cannot watch, goes over to polling."""
        try:
            while not self._polling:
                try:
                    await self._follow()
                except (OSError, RuntimeError) as error:
                    self._give_way(f"The folders cannot be watched ({_words(error)}); they are looked through every second.")
            await self._poll()
        finally:
            self._queue.put_nowait(None)

    async def _follow(self) -> None:
        """One watch, until the folders to watch are others or one of them was replaced."""
        armed = await asyncio.to_thread(_spread, self.root, self._folders())
        if self._armed is not None and armed.flat - self._armed:
            self._queue.put_nowait(set(armed.flat - self._armed))  # what came into them before they were watched
        self._armed = armed.flat
        async for batch in self._source(self.root, armed):
            self._queue.put_nowait(batch)
            if batch & armed.flat or await asyncio.to_thread(_spread, self.root, self._folders()) != armed:
                return

    async def _poll(self) -> None:
        seen = await asyncio.to_thread(self._stamps)
        while True:
            await self._pause(POLL)
            now = await asyncio.to_thread(self._stamps)
            changed = {path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path)}
            if changed:
                self._queue.put_nowait(changed)
            seen = now

    async def _settled(self, batch: set[str]) -> set[str]:
        """What of a burst counts, after a second look at what seems to be gone."""
        paths = {path for path in batch if self._counts(path)}
        if any(not os.path.lexists(os.path.join(self.root, path)) for path in paths):
            await self._pause(GONE)
        return await asyncio.to_thread(self._unknown, paths)

    def _counts(self, path: str) -> bool:
        parts = path.split("/")
        if ".git" in parts or any(part.startswith(".memdesk-") for part in parts) or path.startswith(".memdesk/state"):
            return False
        if path in self._files or path.endswith(self._endings):
            return True
        folders = self._folders()  # a folder counts where memory is in it, or could be
        return any(folder == path or folder.startswith(path + "/") for folder in folders.deep | folders.flat) or (
            any(path.startswith(folder + "/") for folder in folders.deep) and not os.path.splitext(parts[-1])[1]
        )

    def _unknown(self, paths: set[str]) -> set[str]:
        found = set()
        for path in paths:
            try:
                if not self._known(path):
                    found.add(path)
            except (MemdeskError, OSError):
                found.add(path)  # what cannot be read is told: the one who reads it says why
        return found

    def _stamps(self) -> dict[str, Stamp]:
        armed = _existing(self.root, self._folders())
        found: dict[str, Stamp] = {}
        for folder in armed.deep:
            for place, _, names in os.walk(os.path.join(self.root, folder)):
                _stamp_all(self.root, place, names, found)
        for folder in armed.flat:
            place = os.path.join(self.root, folder)
            _stamp_all(self.root, place, _names(place), found)
        return {path: stamp for path, stamp in found.items() if path in self._files or path.endswith(self._endings)}

    def _give_way(self, words: str) -> None:
        self._polling = True
        self.notice = words
        if self._on_notice is not None:
            self._on_notice(words)


def folders(workspace: Workspace) -> Folders:
    """What to watch of a workspace: each store with all below it, and alone the folders above, where settings and stores
    appear, and that of the judgments. Of a store in the root just the folders that hold its documents."""
    stores = {store.path for store in workspace.stores}
    deep = stores - {"."}
    above = {".", JUDGED}
    for path in (*deep, *(workspace.documents if "." in stores else ())):
        while path := path.rpartition("/")[0]:
            above.add(path)
    return Folders(frozenset(deep), frozenset(above))


async def system_source(root: str, folders: Folders) -> AsyncIterator[set[str]]:
    """The bursts that the system tells of in each flat folder. Raises OSError or RuntimeError where it cannot watch."""
    queue: asyncio.Queue[set[str] | BaseException] = asyncio.Queue()
    stop = asyncio.Event()

    async def one(names: frozenset[str]) -> None:
        from watchfiles import awatch

        try:
            places = [os.path.join(root, name) if name != "." else root for name in sorted(names)]
            async for changes in awatch(
                *places, watch_filter=None, debounce=int(LONGEST * 1000), step=int(GATHER * 1000), stop_event=stop,
                recursive=False, ignore_permission_denied=True,
            ):
                queue.put_nowait({_relative(root, place) for _, place in changes})
        except Exception as error:  # noqa: BLE001 - handed to whoever reads the queue
            queue.put_nowait(error)

    tasks = [asyncio.create_task(one(folders.flat))] if folders.flat else []
    try:
        if not tasks:
            raise OSError("there is no folder to watch")
        while True:
            batch = await queue.get()
            if isinstance(batch, BaseException):
                raise batch if isinstance(batch, OSError | RuntimeError) else OSError(_words(batch)) from batch
            yield batch
    finally:
        stop.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def on_network(root: str, mounts: str | None = None) -> bool:
    """Whether a folder lies on a file system that tells nothing of changes made elsewhere (`mounts` as /proc/mounts)."""
    if mounts is None:
        try:
            with open("/proc/mounts", encoding="utf-8", errors="surrogateescape") as stream:
                mounts = stream.read()
        except OSError:
            return False
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(place) >= len(best) and (root == place or root.startswith(place.rstrip("/") + "/")):
            best, kind = place, fields[2]
    return kind.startswith(_NETWORK)


def _existing(root: str, folders: Folders) -> Folders:
    deep, flat = (
        frozenset(name for name in names if os.path.isdir(os.path.join(root, name))) for names in (folders.deep, folders.flat)
    )
    return Folders(deep, flat - deep)


def _spread(root: str, folders: Folders) -> Folders:
    """Each folder by itself. The system's own way into all that is below follows links: one to `/` in a cloned repository
    would have it watch the whole disk."""
    armed = _existing(root, folders)
    found = set(armed.flat)
    for folder in armed.deep:
        for place, below, _ in os.walk(os.path.join(root, folder)):
            found.add(_relative(root, place))
            below[:] = [name for name in below if name != ".git"]  # nothing there counts
    return Folders(frozenset(), frozenset(found))


def _relative(root: str, place: str) -> str:
    return os.path.relpath(place, root).replace(os.sep, "/")


def _names(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:
        return []


def _stamp_all(root: str, place: str, names: Iterable[str], found: dict[str, Stamp]) -> None:
    for name in names:
        try:
            status = os.stat(os.path.join(place, name))
        except OSError:
            continue
        found[_relative(root, os.path.join(place, name))] = (
            status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
        )


def _words(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):  # watching is done in a group of tasks: what one of them met is the reason
        return _words(error.exceptions[0])
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).splitlines()[0]
