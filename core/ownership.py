"""Which stores there are, and which path belongs to which: every layout is asked, the settings have the last word."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from memdesk.core import layouts
from memdesk.core.config import WORKSPACE_FILE
from memdesk.core.errors import MemdeskError, StoreError
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Finding, NearMiss, Place, Store
from memdesk.core.worktree import Items, Names

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.tree import Tree


def detect(
    tree: Tree, paths: list[str], settings: Settings, problems: list[Finding]
) -> tuple[list[Store], list[NearMiss], dict[str, bytes | None]]:
    """The stores of all layouts, near misses, and path -> bytes of all that the layouts looked at to find them.

    What each layout must not see is taken out of its sight (`stores.layout`). Raises StoreError where the settings name
    a store that is none.
    """
    named = settings.stores.layout
    recorder = _Recorder(tree)
    stores: list[Store] = []
    near_misses: list[NearMiss] = []
    for name in layouts.names():
        seen = [path for path in paths if _configured(path, named) in (None, name)] if named else paths
        try:
            found, missed = layouts.get(name).detect(recorder, seen, settings)
        except MemdeskError as error:
            problems.append(_unreadable(error))
            continue
        found = [store for store in found if not named or _configured(store.path, named) in (None, name)]
        problems += (_unreadable(store.fault) for store in found if store.fault is not None)
        stores += found
        near_misses += missed
    for folder, name in named.items():
        if name == "none":
            continue
        if tree.kind(folder) != "folder" or not any((store.path, store.layout) == (folder, name) for store in stores):
            raise _configured_wrongly(tree, folder, name, settings, near_misses)
    near_misses += _linked_folders(tree, paths)
    decisive = {path: peek(tree, path) for path in sorted(recorder.asked)}
    return sorted(stores, key=lambda store: store.path), near_misses, decisive


def _unreadable(error: MemdeskError) -> Finding:
    """The finding that makes a check exit with 2: something could not be read, and so was not checked."""
    return Finding("unreadable", "error", error.path or ".", error.line, error.message, error.remedy)


def _configured(path: str, named: Mapping[str, str]) -> str | None:
    """What the settings say about a path: those of the deepest folder that they name above it, or None."""
    if not named:
        return None
    folder = path
    while folder not in named:
        if folder == ".":
            return None
        folder = folder.rpartition("/")[0] or "."
    return named[folder]


def _configured_wrongly(tree: Tree, folder: str, name: str, settings: Settings, missed: list[NearMiss]) -> StoreError:
    place = settings.place(f"stores.layout.{folder}")
    kind = tree.kind(folder)
    why = next((miss.why for miss in missed if miss.path == folder), "that layout does not recognise it")
    if kind != "folder":
        why = "there is no such folder" if kind == "none" else f"it is a {kind}"
    return StoreError(
        f"stores.layout names {folder!r} as {name!r}, but {why.rstrip('.')}.", path=place.file if place else None,
        line=place.line if place else None, remedy='Correct the folder, or remove the line.',
    )


def _linked_folders(tree: Tree, paths: list[str]) -> list[NearMiss]:
    """Links in the place of a store's usual folder: they are not followed, which must not look like "no store"."""
    usual = {layouts.get(name).init_path for name in layouts.names()}
    found = []
    for path in paths:
        if path in usual or any(path.endswith("/" + one) for one in usual):
            try:
                real = tree.resolve(path)
            except StoreError as error:
                found.append(NearMiss(path, f"It {error.message}"))
                continue
            if tree.kind(real) == "folder":
                found.append(NearMiss(path, f"It is a link to the folder {real}; name that folder in stores.layout instead."))
    return found


def assign(
    paths: list[str], stores: list[Store], settings: Settings, problems: list[Finding]
) -> dict[str, tuple[Store, Place]]:
    """Each memory file with its one store: by configuration, else by a marker, else the deepest root (DESIGN.md)."""
    owners: dict[str, tuple[Store, Place]] = {}
    ranks: dict[str, tuple[bool, bool, int]] = {}
    ties: dict[tuple[int, int], str] = {}
    named = settings.stores.layout
    for index, store in enumerate(stores):
        layout = layouts.get(store.layout)
        configured = named.get(store.path) == store.layout
        rank = (configured, store.marker, 0 if store.path == "." else store.path.count("/") + 1)
        for path in _below(paths, store.path):
            if named and _configured(path, named) not in (None, store.layout):
                continue
            place = layout.classify(store, path)
            if place is None:
                continue
            if path not in owners or rank > ranks[path]:
                owners[path] = (store, place)
                ranks[path] = rank
            elif rank == ranks[path]:
                ties.setdefault((stores.index(owners[path][0]), index), path)
    for (one, other), path in ties.items():
        _tie(stores[one], stores[other], path, problems)
    return dict(sorted(owners.items()))


def _below(paths: list[str], folder: str) -> list[str]:
    """The paths inside a folder, of a sorted list."""
    if folder == ".":
        return paths
    return paths[bisect_left(paths, folder + "/") : bisect_left(paths, folder + "0")]  # "0" follows "/"


def _tie(one: Store, other: Store, path: str, problems: list[Finding]) -> None:
    message = f"{one.path} is a store of {one.layout} and of {other.layout} alike (both claim {path})."
    hint = f'Say which it is: [stores.layout] "{one.path}" = "{one.layout}" in {WORKSPACE_FILE}.'
    one.read_only = other.read_only = f"{message} {hint}"
    problems.append(Finding("store-tie", "error", one.path, None, message, hint))


def peek(tree: Tree, path: str) -> bytes | None:
    """A file's bytes, or None where they cannot be had."""
    try:
        return tree.read(path)
    except StoreError:
        return None


class _Recorder:
    """A Tree that remembers which files were asked about: a layout's idea of its stores depends on them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.asked: set[str] = set()

    def list(self, folder: str) -> Items:
        return self._tree.list(folder)

    def walk(self) -> Names:
        return self._tree.walk()

    def kind(self, path: str) -> str:
        return self._tree.kind(path)

    def resolve(self, path: str) -> str:
        return self._tree.resolve(path)

    def read(self, path: str) -> bytes:
        self.asked.add(path)
        return self._tree.read(path)

    def size(self, path: str) -> int:
        self.asked.add(path)
        return self._tree.size(path)

    def mode(self, path: str) -> int | None:
        return self._tree.mode(path)

    def digest(self, path: str) -> str | None:
        self.asked.add(path)
        return self._tree.digest(path)
