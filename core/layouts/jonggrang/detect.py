"""Where stores of this layout are, and what each file in one is. Every workspace is asked this: where there is none, no more is
imported than the asking takes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from memdesk.core.layouts.jonggrang.kept import FOLDER, NAME, Features
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import NearMiss, Place, Store

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.tree import Tree


def detect(tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """Stores: each folder `.jonggrang` with a file in it, the one at the root empty too, and those that the settings name."""
    found = {FOLDER: f"a folder {FOLDER}/"} if tree.kind(FOLDER) == "folder" else {}
    for path in paths:
        if FOLDER in path and (folder := _folder(path)) is not None and folder not in found:
            found[folder] = f"a folder {FOLDER}/"
    misses = []
    for folder, layout in settings.stores.layout.items():
        if layout == NAME:
            inner = FOLDER if folder == "." else f"{folder}/{FOLDER}"
            if inner in found:
                misses.append(NearMiss(folder, f"The store is the folder in it: {inner}."))
            else:
                found[folder] = "the settings say so"
    if not found:
        return [], misses
    kept = Features(settings.fragments.waiting_days, settings.fragments.archive_days)
    for folder in found:
        misses += _passed_over(tree, folder, paths)
    return [Store(NAME, folder, reason, kept) for folder, reason in sorted(found.items())], misses


def classify(store: Store, path: str) -> Place | None:
    """Role, tier and scope of a workspace-relative path; None: not memory of this store."""
    from memdesk.core.layouts.jonggrang import paths as places

    inner = store.inner(path)
    return None if inner is None else places.place_of(inner)


def folders(store: Store) -> tuple[str, ...]:
    """The folder that memories lie in which travel with the branch, present or not."""
    from memdesk.core.layouts.jonggrang.paths import FEATURES

    return (store.join(FEATURES),)


def pathspecs(store: Store) -> tuple[str, ...]:
    """The notes of features, which are no Markdown files."""
    from memdesk.core.layouts.jonggrang.paths import PROGRESS

    return (f"*/{PROGRESS}",)


def _folder(path: str) -> str | None:
    """The outermost folder `.jonggrang` that a path lies in."""
    if path.startswith(FOLDER + "/"):
        return FOLDER
    at = path.find(f"/{FOLDER}/")
    return None if at < 0 else path[: at + 1 + len(FOLDER)]


def _passed_over(tree: Tree, folder: str, paths: Sequence[str]) -> Iterator[NearMiss]:
    """What in a store's folder looks like memory and isn't read: memories by another spelling, links to folders."""
    from memdesk.core.errors import MemdeskError
    from memdesk.core.layouts.jonggrang import paths as places

    holding = (places.FEATURES, places.FRAGMENTS, places.ARCHIVE)
    prefix = "" if folder == "." else f"{folder}/"
    for path in paths[bisect_left(paths, prefix) : bisect_left(paths, prefix[:-1] + "0") if prefix else None]:
        inner = path[len(prefix) :]
        if inner.endswith((".md", ".MD")):
            above, slash, name = inner.rpartition("/")
            odd = name != places.MEMORY and name.lower() == places.MEMORY.lower()
            if odd and places.place_of(f"{above}{slash}{places.MEMORY}") is not None:
                yield NearMiss(path, f"This layout reads {places.MEMORY}, spelled so.")
        elif _is_above(inner, holding) and tree.kind(path) == "link":
            try:
                real = tree.resolve(path)
            except MemdeskError as error:
                yield NearMiss(path, f"It {error.message}")
                continue
            if tree.kind(real) == "folder":
                yield NearMiss(path, f"It is a link to the folder {real}, and links to folders are not followed.")


def _is_above(inner: str, folders: Sequence[str]) -> bool:
    """Whether a path is one of these folders, above one, or right in one."""
    if inner.rpartition("/")[0] in folders:
        return True
    return any(one == inner or one.startswith(inner + "/") for one in folders)
