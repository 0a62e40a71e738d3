"""A file system in memory that remembers what was synced, and every state that a crash could leave of it.

The rules are POSIX at its most forgetful, with two things that journalling file systems do give: a rename within one folder
is atomic, and so is one of a folder. Else: bytes that were not synced are lost, torn at any block or kept, and a mode that
was not synced is lost or kept; each change of a name that its folder was not synced after is lost or kept, whatever became
of others before or after it; of a file's rename from one folder to another either half may be lost.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memdesk.core.transaction.files import Stat, Unsupported

BLOCK = 64  # bytes that reach the disk together; small, so that short texts have several
UMASK = 0o022


class File(NamedTuple):
    """A file's bytes and permissions."""

    data: bytes
    mode: int = 0o644


Nodes = dict[int, "File | dict[str, int]"]


class Crash(NamedTuple):
    """What a crash left: how many operations came before it, the disk, and whether a file on it lost some of its bytes."""

    length: int
    nodes: Nodes
    torn: bool


class Names(NamedTuple):
    """Names that change together: (folder, name, what it names then, or None)."""

    changes: tuple[tuple[int, str, int | None], ...]


class Data(NamedTuple):
    """A new file, or another mode of one."""

    node: int
    file: File


class Synced(NamedTuple):
    """A file whose bytes last, or a folder whose names do."""

    node: int


Operation = Names | Data | Synced


class ModelFiles:
    """Implements `Files` on nodes in memory, and logs every operation. `far`: folders on another
    device. `atomic`: renames between folders are so too, as on journalling file systems they are."""

    def __init__(self, nodes: Nodes, *, far: tuple[str, ...] = (), exchange: bool = True, atomic: bool = False) -> None:
        self.nodes: Nodes = {node: dict(item) if isinstance(item, dict) else item for node, item in nodes.items()}
        self.first: Nodes = {node: dict(item) if isinstance(item, dict) else item for node, item in nodes.items()}
        self.log: list[Operation] = []
        self.far = tuple(f"{folder}/" for folder in far)
        self.can_exchange = exchange
        self.atomic = atomic
        self._known: dict[str, int | None] = {}  # what paths lead to, until a name changes
        self._links: Counter[int | None] = Counter(
            node for folder in self.nodes.values() if isinstance(folder, dict) for node in folder.values()
        )

    def stat(self, path: str) -> Stat | None:
        node = self._find(path)
        if node is None:
            return None
        item = self.nodes[node]
        if isinstance(item, dict):
            return Stat("folder", 0o755, 2, self._device(path), node, 0, 0, 0)
        return Stat("file", item.mode, self._links[node], self._device(path), node, 0, 0, len(item.data))

    def resolve(self, path: str) -> str:
        return path

    def read(self, path: str, limit: int = -1) -> bytes:
        item = self.nodes[self._need(path)]
        if isinstance(item, dict):
            raise IsADirectoryError(errno.EISDIR, "folder", path)
        return item.data if limit < 0 else item.data[:limit]

    def list(self, folder: str) -> list[str]:
        return sorted(self._folder(folder))

    def writable(self, path: str) -> bool:
        return True

    def mounted(self, path: str) -> bool:
        return False

    def inherits(self, folder: str) -> bool:
        return False

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        parent, name = self._place(path)
        if name in self._names(parent):
            raise FileExistsError(errno.EEXIST, "exists", path)
        node = max(self.nodes) + 1
        self._fill(node, File(data, mode & ~UMASK))  # unsynced bytes may be lost or torn whenever the name is there
        self._name((parent, name, node))

    def dress(self, path: str, like: str) -> None:
        self.chmod(path, self._file(like)[1].mode)

    def chmod(self, path: str, mode: int) -> None:
        node, file = self._file(path)
        self._fill(node, file._replace(mode=mode))

    def chgrp(self, path: str, group: int) -> None:
        self._need(path)

    def fsync(self, path: str) -> None:
        self.log.append(Synced(self._need(path)))

    def fsync_dir(self, folder: str) -> None:
        self._folder(folder)
        self.log.append(Synced(self._need(folder)))

    def rename(self, source: str, target: str) -> None:
        node = self._need(source)
        self._same_device(source, target)
        (old, old_name), (new, new_name) = self._place(source), self._place(target)
        self._move(node, (old, old_name, None), (new, new_name, node))

    def rename_new(self, source: str, target: str) -> None:
        self._need(source)
        self._same_device(source, target)
        if self._find(target) is not None:
            raise FileExistsError(errno.EEXIST, "exists", target)
        self.rename(source, target)

    def exchange(self, one: str, other: str) -> None:
        if not self.can_exchange:
            raise Unsupported(errno.ENOSYS, "no exchange", one)
        first, second = self._need(one), self._need(other)
        self._same_device(one, other)
        (left, left_name), (right, right_name) = self._place(one), self._place(other)
        self._move(first, (left, left_name, second), (right, right_name, first))

    def link(self, source: str, target: str) -> None:
        node = self._need(source)
        self._same_device(source, target)
        parent, name = self._place(target)
        if name in self._names(parent):
            raise FileExistsError(errno.EEXIST, "exists", target)
        self._name((parent, name, node))

    def unlink(self, path: str) -> None:
        if isinstance(self.nodes[self._need(path)], dict):
            raise IsADirectoryError(errno.EISDIR, "folder", path)
        parent, name = self._place(path)
        self._name((parent, name, None))

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        parent, name = self._place(path)
        if name in self._names(parent):
            raise FileExistsError(errno.EEXIST, "exists", path)
        node = max(self.nodes) + 1
        self.nodes[node] = {}
        self._name((parent, name, node))

    def rmdir(self, path: str) -> None:
        if self._folder(path):
            raise OSError(errno.ENOTEMPTY, "not empty", path)
        parent, name = self._place(path)
        self._name((parent, name, None))

    def _move(self, node: int, *halves: tuple[int, str, int | None]) -> None:
        if self.atomic or halves[0][0] == halves[1][0] or isinstance(self.nodes[node], dict):
            self._name(*halves)
        else:
            self._name(halves[1])
            self._name(halves[0])

    def _fill(self, node: int, file: File) -> None:
        self.nodes[node] = file
        self.log.append(Data(node, file))

    def _name(self, *changes: tuple[int, str, int | None]) -> None:
        for folder, name, node in changes:
            self._links[node] += 1
            self._links[self._names(folder).get(name)] -= 1
        self._known.clear()
        _apply(self.nodes, Names(changes))
        self.log.append(Names(changes))

    def _file(self, path: str) -> tuple[int, File]:
        node = self._need(path)
        item = self.nodes[node]
        if isinstance(item, dict):
            raise IsADirectoryError(errno.EISDIR, "folder", path)
        return node, item

    def _find(self, path: str) -> int | None:
        if path not in self._known:
            parent, _, name = path.rpartition("/")
            above = 0 if not parent else self._find(parent)
            item = None if above is None else self.nodes[above]
            self._known[path] = 0 if path == "/" else item.get(name) if isinstance(item, dict) else None
        return self._known[path]

    def _need(self, path: str) -> int:
        node = self._find(path)
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        return node

    def _folder(self, path: str) -> dict[str, int]:
        return self._names(self._need(path))

    def _names(self, node: int) -> dict[str, int]:
        item = self.nodes[node]
        if not isinstance(item, dict):
            raise NotADirectoryError(errno.ENOTDIR, "no folder")
        return item

    def _place(self, path: str) -> tuple[int, str]:
        return self._need(os.path.dirname(path)), os.path.basename(path)

    def _device(self, path: str) -> int:
        return 2 if f"{path}/".startswith(self.far) else 1

    def _same_device(self, one: str, other: str) -> None:
        if self._device(os.path.dirname(one)) != self._device(os.path.dirname(other)):
            raise OSError(errno.EXDEV, "another device", one)


def disk(files: Mapping[str, bytes | File], folders: tuple[str, ...] = ()) -> Nodes:
    """Nodes with these files and folders, all of it lasting."""
    made = ModelFiles({0: {}})
    for path in [*folders, *files]:
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts) + (path in folders)):
            folder = "/" + "/".join(parts[:depth])
            if made.stat(folder) is None:
                made.mkdir(folder)
    for path, item in files.items():
        file = item if isinstance(item, File) else File(item)
        made.write(path, file.data)
        made.chmod(path, file.mode)
    return made.nodes


def everything(nodes: Nodes) -> dict[str, File | None]:
    """All that can be reached: paths with files, folders with None."""
    found: dict[str, File | None] = {}
    for path, node in _paths(nodes):
        item = nodes[node]
        found[path or "/"] = None if isinstance(item, dict) else item
    return found


def crashes(files: ModelFiles, *, most: int = 256, seed: int = 0) -> Iterator[Crash]:
    """Every state that a crash could leave; alike ones once, but for those of a crash after the end.

    Of more than `most` combinations of lost names the telling ones and a fixed random choice are taken.
    """
    seen: set[tuple[tuple[str, File | None], ...]] = set()
    for length in range(len(files.log) + 1):
        for nodes, loose in _after(files.first, files.log[:length], most, random.Random(seed + length)):
            # What lies in a folder that is still being prepared counts for nothing, whatever it is.
            reached = [(path, node) for path, node in _paths(nodes) if ".new/" not in path]
            met = {node: loose[node] for _, node in reached if node in loose}
            for torn in _tears(met):
                state = {**nodes, **torn}
                key = tuple(sorted(
                    (path, None if isinstance(item := state[node], dict) else item) for path, node in reached
                ))
                if key not in seen or length == len(files.log):
                    seen.add(key)
                    yield Crash(length, state, any(file.data != met[node][-1].data for node, file in torn.items()))


def _paths(nodes: Nodes) -> Iterator[tuple[str, int]]:
    stack = [("", 0)]
    while stack:
        path, node = stack.pop()
        yield path, node
        item = nodes[node]
        if isinstance(item, dict):
            stack += [(f"{path}/{name}", child) for name, child in item.items()]


def _after(
    first: Nodes, log: list[Operation], most: int, chance: random.Random
) -> Iterator[tuple[Nodes, Mapping[int, list[File]]]]:
    """Disks with every unsynced byte kept; and the files that were not synced, each with what it was since."""
    names: list[int] = []  # places in the log of changes of names that may be lost
    loose: dict[int, list[File]] = {}
    last: Nodes = {}
    for place, operation in enumerate(log):
        if isinstance(operation, Names):
            names.append(place)
        elif isinstance(operation, Data):
            known = last.get(operation.node, first.get(operation.node))
            assert not isinstance(known, dict)
            loose.setdefault(operation.node, [] if known is None else [known]).append(operation.file)
            last[operation.node] = operation.file
        else:
            loose.pop(operation.node, None)
            names = [at for at in names if not _touches(log[at], operation.node)]
    changes = [(place, operation) for place, operation in enumerate(log) if isinstance(operation, Names)]
    for lost in _choices(names, most, chance):
        nodes: Nodes = {node: dict(item) if isinstance(item, dict) else last.get(node, item) for node, item in first.items()}
        for place, operation in changes:
            for _, _, node in operation.changes:
                if node is not None and node not in nodes:
                    nodes[node] = last.get(node, {})
            if place not in lost:
                _apply(nodes, operation)
        yield nodes, loose


def _touches(operation: Operation, folder: int) -> bool:
    return isinstance(operation, Names) and any(change[0] == folder for change in operation.changes)


def _choices(places: list[int], most: int, chance: random.Random) -> Iterator[frozenset[int]]:
    """Which of the changes are lost."""
    if 2 ** len(places) <= most:
        for size in range(len(places) + 1):
            yield from (frozenset(chosen) for chosen in itertools.combinations(places, size))
        return
    telling = [frozenset(places[:at]) for at in range(len(places) + 1)] + [frozenset(places[at:]) for at in range(len(places))]
    telling += [frozenset((place,)) for place in places] + [frozenset(places) - {place} for place in places]
    telling += [frozenset(place for place in places if chance.random() < 0.5) for _ in range(most // 2)]
    yield from dict.fromkeys(telling)


def _tears(loose: Mapping[int, list[File]]) -> Iterator[dict[int, File]]:
    """What became of files that were not synced: all kept, all lost, all torn, and each alone lost or torn at each block."""
    yield {}
    if not loose:
        return
    newest = {node: versions[-1] for node, versions in loose.items()}
    yield {node: file._replace(data=b"") for node, file in newest.items()}
    yield {node: file._replace(data=file.data[: len(file.data) // 2]) for node, file in newest.items()}
    for node, versions in loose.items():
        file = versions[-1]
        yield from ({node: file._replace(mode=mode)} for mode in {version.mode for version in versions} - {file.mode})
        yield from ({node: file._replace(data=data)} for data in _torn(file.data))


def _torn(data: bytes) -> Iterator[bytes]:
    """Only the first blocks; any single block never written; all of its length and none of its bytes."""
    starts = range(0, len(data), BLOCK)
    yield from (data[:at] for at in starts)
    yield from (data[:at] + bytes(len(data[at : at + BLOCK])) + data[at + BLOCK :] for at in starts)
    if len(starts) > 1:
        yield bytes(len(data))


def _apply(nodes: Nodes, operation: Names) -> None:
    for folder, name, node in operation.changes:
        item = nodes[folder]
        assert isinstance(item, dict)
        if node is None:
            item.pop(name, None)
        else:
            item[name] = node
