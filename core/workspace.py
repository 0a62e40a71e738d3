"""From a folder to a Workspace: where its root is, which stores are in it, which file belongs to which, what it says.

Opening reads every memory file once and parses none but what the layouts look at. A refresh reads what changed and
shares the rest: unchanged documents, with their parsed entries, stay the same objects.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from memdesk.core import intake, layouts
from memdesk.core.config import PROJECT_FILE, WORKSPACE_FILE, Settings
from memdesk.core.errors import StoreError, UsageError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.model import UNPARSED, Document, Entry, Finding, Place, Problem, Store, Workspace
from memdesk.core.ownership import assign, detect, peek
from memdesk.core.worktree import LIMIT, MOST_ENTRIES, Stamp, WorkTree, remedy

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Layout
    from memdesk.core.tree import Tree

# A file that changed this shortly before it was looked at may change again within the same tick of the clock.
RACY = 2_000_000_000  # nanoseconds


def find_root(start: str) -> str:
    """The workspace's root above `start` (a folder, or a file in it): the same from every folder of a checkout.

    It is the top of this worktree, where `.git` is a folder or (linked worktrees, submodules) a file; without git the
    nearest folder upwards with a `memdesk.toml`, settings in `pyproject.toml`, `.memdesk/` or a store; else the folder
    itself. No process is started and git's environment variables play no part. Raises UsageError for no such folder.
    """
    try:
        here = os.path.realpath(start)
    except FileNotFoundError:  # a relative name, and the folder that we are in was removed
        raise UsageError(
            "The folder that you are in is not there any more.", remedy="Change to another (cd), or give --root DIR."
        ) from None
    if not os.path.isdir(here):
        if not os.path.lexists(here):
            raise UsageError("There is no such folder.", path=start)
        here = os.path.dirname(here)
    above = list(_upwards(here))
    for folder in above:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
    for folder in above:
        if _is_workspace(folder, here):
            return folder
    return here


def work_tree(root: str, settings: Settings) -> WorkTree:
    """The files at `root` without those that the settings ignore, a state folder among them, and what layouts don't look at."""
    ignore = ignored(settings)
    # Nobody made a folder without a repository, settings or a store a workspace: it may be a home folder, or a whole disk.
    usual = (layouts.get(name).init_path for name in layouts.names())
    marks = (".git", *(path for path in usual if path != "."))
    known = any(os.path.lexists(os.path.join(root, mark)) for mark in marks) or _is_workspace(root, root)
    return WorkTree(root, ignore, most_entries=None if known else MOST_ENTRIES)


def ignored(settings: Settings) -> tuple[str, ...]:
    """The globs of what is not looked at in a workspace with these settings."""
    own = () if settings.state.dir is None else (settings.state.dir,)
    return (*settings.stores.ignore, *own, *(glob for name in layouts.names() for glob in layouts.get(name).unseen))


def open_workspace(tree: Tree, settings: Settings, before: Workspace | None = None) -> Workspace:
    """Everything that is memory in a tree. Raises StoreError where a configured store is none, or the tree is too large.

    What is wrong with single files does not stop it: see `Document.problem` and `Workspace.problems`. `before`: an earlier
    reading, whose documents are kept where the bytes, read now, are the same.
    """
    return _open(tree, settings, before)


def refresh(workspace: Workspace, paths: Iterable[str] | None = None, settings: Settings | None = None) -> Workspace:
    """The workspace as it is now. The same object where nothing differs.

    `paths`: all that may have changed since (None: everything is compared, by size, times and inode). `settings`: new
    ones, where the caller has read them. A new, vanished or retyped path, and a changed file that a layout looked at to
    find its stores, open the workspace anew; even then documents that did not change are kept.
    """
    reading: Reading = workspace.reading
    tree = workspace.tree
    changed_settings = settings is not None and settings != reading.settings
    settings = settings if settings is not None else reading.settings
    if not isinstance(tree, WorkTree):  # what git keeps does not change
        return _open(tree, settings, workspace) if changed_settings else workspace
    if changed_settings:
        return _open(work_tree(tree.root, settings), settings, workspace)
    if paths is None:
        suspects = _suspects(tree.fresh(), reading)
        if suspects is None:
            return _kept(workspace, _open(tree.fresh(), settings, workspace))
    else:
        suspects = sorted(set(paths))
    fresh = tree.fresh(forget=suspects)
    if any(_reopens(fresh, reading, path) for path in suspects):
        return _kept(workspace, _open(tree.fresh(), settings, workspace))
    return _reread(workspace, fresh, suspects)


class Reading(NamedTuple):
    """What a refresh compares with. `known`: all paths of the walk; `names`: path or alias -> document's path; `decisive`:
    path -> bytes (None: unreadable) of what the layouts read to find their stores; `stamps`: None where they prove nothing."""

    settings: Settings
    known: frozenset[str]
    names: Mapping[str, str]
    decisive: Mapping[str, bytes | None]
    stamps: dict[str, Stamp | None]


# Finding the root


def _upwards(folder: str) -> Iterable[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _is_workspace(folder: str, start: str) -> bool:
    """Whether a folder without git is a workspace: by its settings, its state, or a store where stores usually are."""
    from memdesk.core import config

    if os.path.lexists(os.path.join(folder, WORKSPACE_FILE)) or os.path.isdir(os.path.join(folder, ".memdesk")):
        return True
    tree = WorkTree(folder)
    try:
        if tree.kind(PROJECT_FILE) == "file" and config.has_table(tree.read(PROJECT_FILE)):
            return True
    except StoreError:
        pass  # unreadable: whoever reads the settings says so
    inner = os.path.relpath(start, folder).split(os.sep)
    places = {"/".join(inner[:depth]) for depth in range(1, len(inner) + 1)} - {"."}
    for name in layouts.names():
        usual = layouts.get(name).init_path.rpartition("/")[0]
        if usual:
            places |= {f"{usual}/{item.name}" for item in tree.list(usual) if item.kind == "folder"}
        paths = [item.name for item in tree.list(".") if item.kind == "file"]
        paths += [f"{place}/{item.name}" for place in sorted(places) for item in tree.list(place) if item.kind == "file"]
        try:
            found, _ = layouts.get(name).detect(tree, sorted(paths), config.defaults())
        except StoreError:
            continue
        own = os.path.basename(folder) == layouts.get(name).init_path and all(store.path == "." for store in found)
        if found and not own:  # a folder that is called as stores of the layout are is one, below its workspace
            return True
    return False


# Opening


def _open(tree: Tree, settings: Settings, before: Workspace | None) -> Workspace:
    paths = tree.walk()
    problems: list[Finding] = []
    if isinstance(tree, WorkTree):
        for path, number in tree.unreadable:
            message = f"The folder cannot be read: {os.strerror(number)}."
            problems.append(Finding("unreadable", "error", path, None, message, remedy(number)))
    stores, near_misses, decisive = detect(tree, paths, settings, problems)
    if before is not None:
        stores = [_same_store(store, before.stores) for store in stores]
    owners = assign(paths, stores, settings, problems)
    documents, stamps = _documents(tree, owners, before)
    problems += _clashes(documents, owners)
    names = {name: document.path for document in documents.values() for name in (*document.aliases, document.path)}
    reading = Reading(settings, frozenset(paths), names, decisive, stamps)
    opened = Workspace(tree, stores, documents, near_misses, problems, reading)
    return opened if before is None else opened.follow(before)


def _same_store(store: Store, known: list[Store]) -> Store:
    """The store of the earlier reading, where nothing about it differs: documents hold on to it."""
    for other in known:
        if (
            (other.layout, other.path, other.reason, other.read_only, other.marker)
            == (store.layout, store.path, store.reason, store.read_only, store.marker)
            and other.settings == store.settings
        ):
            return other
    return store


# Documents


def _documents(
    tree: Tree, owners: Mapping[str, tuple[Store, Place]], before: Workspace | None
) -> tuple[dict[str, Document], dict[str, Stamp | None]]:
    groups = _groups(tree, owners)
    documents: dict[str, Document] = {}
    stamps: dict[str, Stamp | None] = {}
    for path, aliases in groups.items():
        store, place = owners[path]
        loaded = _load(tree, path)
        if loaded is None:
            continue  # it went away since the listing
        stamps[path] = loaded.stamp
        old = None if before is None else before.documents.get(path)
        documents[path] = _made(path, store, place, loaded, aliases, old)
    return documents, stamps


def _groups(tree: Tree, owners: Mapping[str, tuple[Store, Place]]) -> dict[str, tuple[str, ...]]:
    """Path -> aliases: one document for each file, by its real path and inode, under its own name where that is memory."""
    reals: dict[str, list[str]] = {}
    inodes: dict[tuple[int, int], str] = {}
    for path in owners:
        real = path
        if tree.kind(path) == "link":
            try:
                real = tree.resolve(path)
            except StoreError:
                real = path  # a document of its own, with the problem
        if isinstance(tree, WorkTree):
            stamp = tree.stamp(real)
            if stamp is not None and stamp.links > 1:
                real = inodes.setdefault((stamp.device, stamp.inode), real)
        reals.setdefault(real, []).append(path)
    groups: dict[str, tuple[str, ...]] = {}
    for real, names in reals.items():
        own = real if real in names else names[0]
        others = names if real in names else [*names, real]
        groups[own] = tuple(sorted(name for name in others if name != own))
    return dict(sorted(groups.items()))


class _Loaded(NamedTuple):
    data: bytes
    problem: Problem | None
    stamp: Stamp | None


def _load(tree: Tree, path: str) -> _Loaded | None:
    """A file's bytes and what is wrong with them; None where there is nothing (any more)."""
    stamp = _stamp(tree, path)
    try:
        if tree.kind(path) == "link":
            tree.resolve(path)
    except StoreError as error:
        return _Loaded(b"", Problem("link-outside", None, f"It {error.message}"), stamp)
    size = tree.size(path) if stamp is None else stamp.size
    if size > LIMIT:
        return _Loaded(b"", Problem("file-size", None, f"It has {size // 1_000_000} MB; over 8 MB is not read."), stamp)
    try:
        data = tree.read(path)
    except StoreError as error:
        if tree.kind(path) == "none":
            return None
        # Without a stamp: what hindered us may pass, and the file be no other than now.
        return _Loaded(b"", Problem("unreadable", None, f"It {error.message}"), None)
    return _Loaded(data, intake.problem(data) or intake.link_as_text(tree, path, data), stamp)


def _stamp(tree: Tree, path: str) -> Stamp | None:
    """The stamp to compare with later; None where the file changed so lately that it could change unseen."""
    if not isinstance(tree, WorkTree):
        return None
    from time import time_ns

    stamp = tree.stamp(path)
    if stamp is None or max(stamp.modified, stamp.changed) > time_ns() - RACY:
        return None
    return stamp


def _made(
    path: str, store: Store, place: Place, loaded: _Loaded, aliases: tuple[str, ...], old: Document | None
) -> Document:
    """A document, or the old one where nothing differs. Of equal bytes at least the blocks are kept."""
    same = old is not None and old.data == loaded.data and old.problem == loaded.problem
    if old is not None and same and _belongs(old, store, place, aliases):
        return old
    drafted = None if old is None or loaded.problem is not None else old.drafted
    if drafted is not None and drafted.data == loaded.data and _belongs(drafted, store, place, aliases):
        return drafted  # a plan of ours came true
    reader = _reader(layouts.get(store.layout), loaded.problem)
    made = Document(path, store, place, loaded.data, reader, aliases=aliases, problem=loaded.problem)
    if old is not None and same and "page" in old.__dict__:
        made.__dict__["page"] = old.page
    if old is not None and old.problem is None and loaded.problem is None and _belongs(old, store, place, aliases):
        made.follow(old)
    return made


def _belongs(document: Document, store: Store, place: Place, aliases: tuple[str, ...]) -> bool:
    return document.store is store and document.place == place and document.aliases == aliases


def _reader(layout: Layout, problem: Problem | None) -> Callable[[Document], list[Entry]]:
    return _nothing if problem is not None and problem.rule in UNPARSED else layout.entries


def _nothing(document: Document) -> list[Entry]:
    return []


def _clashes(documents: Mapping[str, Document], owners: Mapping[str, tuple[Store, Place]]) -> list[Finding]:
    found = []
    folded: dict[str, str] = {}
    for path, document in documents.items():
        other = folded.setdefault(_fold(path), path)
        if other != path:
            message = f"Its name differs from {other} only in case or form: on some machines one replaces the other."
            found.append(Finding("name-clash", "warning", path, None, message, "Rename or merge one of them."))
        for alias in document.aliases:
            if alias in owners:
                message = f"The same file is memory as {alias} too."
                found.append(Finding("name-clash", "warning", path, None, message, "Keep one name."))
    return found


def _fold(path: str) -> str:
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", path).casefold()


# Refreshing


def _suspects(tree: WorkTree, reading: Reading) -> list[str] | None:
    """The paths whose stamps differ, or None where the listing does."""
    if frozenset(tree.walk()) != reading.known:
        return None
    watched = {*reading.stamps, *reading.decisive}
    return sorted(path for path in watched if reading.stamps.get(path) is None or tree.stamp(path) != reading.stamps[path])


def _reopens(tree: WorkTree, reading: Reading, path: str) -> bool:
    """Whether a change of this path can change which stores and documents there are."""
    if path in reading.decisive:
        return peek(tree, path) != reading.decisive[path]
    kind = tree.kind(path)
    if kind == "folder" or (path in reading.known) != (kind in ("file", "link")):
        return True
    if path in reading.names and kind == "link":
        return True  # it may lead elsewhere now
    return any(name.startswith(path + "/") for name in reading.known) if kind == "none" else False


def _reread(workspace: Workspace, tree: WorkTree, suspects: Iterable[str]) -> Workspace:
    reading: Reading = workspace.reading
    documents = dict(workspace.documents)
    stamps = dict(reading.stamps)
    for path in dict.fromkeys(reading.names[name] for name in suspects if name in reading.names):
        old = documents[path]
        loaded = _load(tree, path)
        if loaded is None:
            return _open(tree.fresh(), reading.settings, workspace)
        stamps[path] = loaded.stamp
        documents[path] = _made(path, old.store, old.place, loaded, old.aliases, old)
    new = Workspace(
        tree, workspace.stores, documents, workspace.near_misses, workspace.problems, reading._replace(stamps=stamps)
    )
    return _kept(workspace, new.follow(workspace))


def _kept(old: Workspace, new: Workspace) -> Workspace:
    """The old workspace where the new one says the same; it then learns the new stamps."""
    same = (
        all(one is other for one, other in zip(old.documents.values(), new.documents.values(), strict=False))
        and len(old.documents) == len(new.documents)
        and len(old.stores) == len(new.stores)
        and all(one is other for one, other in zip(old.stores, new.stores, strict=True))
        and old.near_misses == new.near_misses
        and old.problems == new.problems
        and old.reading.known == new.reading.known
    )
    if same:
        old.reading = new.reading
        return old
    return new
