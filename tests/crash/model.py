"""A file system in memory that remembers what was synced, and every state that a crash could leave of it.

The rules are POSIX at its most forgetful, with two things that journalling file systems do give: a rename within one folder
is atomic, and so is one of a folder. Else: bytes that were not synced are lost, torn or kept; each change of a name that
its folder was not synced after is lost or kept, whatever became of others before or after it; of a file's rename from one
folder to another either half may be lost.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memdesk.core.transaction.files import Stat, Unsupported

Nodes = dict[int, "bytes | dict[str, int]"]


class Names(NamedTuple):
    """Names that change together: (folder, name, what it names then, or None)."""

    changes: tuple[tuple[int, str, int | None], ...]


class Data(NamedTuple):
    """Bytes of a file."""

    node: int
    data: bytes


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
        self.far = far
        self.can_exchange = exchange
        self.atomic = atomic

    def stat(self, path: str) -> Stat | None:
        node = self._find(path)
        if node is None:
            return None
        item = self.nodes[node]
        if isinstance(item, dict):
            return Stat("folder", 0o755, 2, self._device(path), node, 0, 0, 0)
        links = sum(list(folder.values()).count(node) for folder in self.nodes.values() if isinstance(folder, dict))
        return Stat("file", 0o644, links, self._device(path), node, 0, 0, len(item))

    def resolve(self, path: str) -> str:
        return path

    def read(self, path: str, limit: int = -1) -> bytes:
        item = self.nodes[self._need(path)]
        if isinstance(item, dict):
            raise IsADirectoryError(errno.EISDIR, "folder", path)
        return item if limit < 0 else item[:limit]

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
        self.nodes[node] = data
        self.log.append(Data(node, data))  # unsynced bytes may be lost or torn whenever the name is there
        self._name((parent, name, node))

    def dress(self, path: str, like: str) -> None:
        self._need(path)
        self._need(like)

    def chmod(self, path: str, mode: int) -> None:
        self._need(path)

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

    def _name(self, *changes: tuple[int, str, int | None]) -> None:
        _apply(self.nodes, Names(changes))
        self.log.append(Names(changes))

    def _find(self, path: str) -> int | None:
        node = 0
        for name in path.strip("/").split("/") if path != "/" else ():
            item = self.nodes[node]
            if not isinstance(item, dict) or name not in item:
                return None
            node = item[name]
        return node

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
        return 2 if any(path == folder or path.startswith(folder + "/") for folder in self.far) else 1

    def _same_device(self, one: str, other: str) -> None:
        if self._device(os.path.dirname(one)) != self._device(os.path.dirname(other)):
            raise OSError(errno.EXDEV, "another device", one)


def disk(files: Mapping[str, bytes], folders: tuple[str, ...] = ()) -> Nodes:
    """Nodes with these files and folders, all of it lasting."""
    made = ModelFiles({0: {}})
    for path in [*folders, *files]:
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts) + (path in folders)):
            folder = "/" + "/".join(parts[:depth])
            if made.stat(folder) is None:
                made.mkdir(folder)
    for path, data in files.items():
        made.write(path, data)
    return made.nodes


def everything(nodes: Nodes) -> dict[str, bytes | None]:
    """All that can be reached: paths with bytes, folders with None."""
    found: dict[str, bytes | None] = {}
    stack = [("", 0)]
    while stack:
        path, node = stack.pop()
        item = nodes[node]
        if isinstance(item, dict):
            found[path or "/"] = None
            stack += [(f"{path}/{name}", child) for name, child in item.items()]
        else:
            found[path] = item
    return found


def crashes(files: ModelFiles, *, most: int = 256, seed: int = 0) -> Iterator[tuple[int, Nodes]]:
    """Every state that a crash could leave, with the length of the log before it; alike ones once.

    Of more than `most` combinations of lost names the telling ones and a fixed random choice are taken.
    """
    seen: set[tuple[tuple[str, bytes | None], ...]] = set()
    for length in range(len(files.log) + 1):
        for nodes in _after(files.first, files.log[:length], most, random.Random(seed + length)):
            # What lies in a folder that is still being prepared counts for nothing, whatever it is.
            reached = {path: data for path, data in everything(nodes).items() if ".new/" not in path}
            key = tuple(sorted(reached.items()))
            if key not in seen or length == len(files.log):
                seen.add(key)
                yield length, nodes


def _after(first: Nodes, log: list[Operation], most: int, chance: random.Random) -> Iterator[Nodes]:
    names: list[int] = []  # places in the log of changes of names that may be lost
    unsynced: dict[int, bytes] = {}
    kinds: dict[int, bytes] = {}
    for place, operation in enumerate(log):
        if isinstance(operation, Names):
            names.append(place)
        elif isinstance(operation, Data):
            unsynced[operation.node] = operation.data
            kinds[operation.node] = operation.data
        else:
            unsynced.pop(operation.node, None)
            names = [at for at in names if not _touches(log[at], operation.node)]
    for lost in _choices(names, most, chance):
        for torn in _tears(unsynced):
            nodes: Nodes = {node: dict(item) if isinstance(item, dict) else item for node, item in first.items()}
            for place, operation in enumerate(log):
                if isinstance(operation, Names):
                    for _, _, node in operation.changes:
                        if node is not None and node not in nodes:
                            nodes[node] = torn.get(node, kinds[node]) if node in kinds else {}
                    if place not in lost:
                        _apply(nodes, operation)
            yield nodes


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


def _tears(unsynced: Mapping[int, bytes]) -> Iterator[dict[int, bytes]]:
    """What became of bytes that were not synced: all kept, all lost, all torn, and each alone lost or torn."""
    yield {}
    if not unsynced:
        return
    yield dict.fromkeys(unsynced, b"")
    yield {node: data[: len(data) // 2] for node, data in unsynced.items()}
    if len(unsynced) > 1:
        for node, data in unsynced.items():
            yield {node: b""}
            yield {node: bytes(len(data))}


def _apply(nodes: Nodes, operation: Names) -> None:
    for folder, name, node in operation.changes:
        item = nodes[folder]
        assert isinstance(item, dict)
        if node is None:
            item.pop(name, None)
        else:
            item[name] = node
