"""git's merge driver: one file of a merge, a rebase or a cherry-pick, merged by entry.

git calls it for each file that both sides changed, with three temporary files, and takes what is left in the second. It
takes no lock and opens no workspace: the working tree may be half merged, so all that it asks of it is whose the path is.
Whatever goes wrong, the person gets git's own markers; the result is written as the last step, so that a driver that is
killed leaves the file as git gave it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.model import Document, Finding, Place, Store

BESIDE = ".memdesk"  # what the file that a result is written to first is called, behind the name of git's own
SIZE = 7  # of a marker, where git says none
OURS, BASE = "HEAD", "base"


class Call(NamedTuple):
    """What git calls the driver with: the files of the base, ours (which takes the result) and theirs; the path that they
    are versions of, relative to the checkout; the size of the markers."""

    base: str
    ours: str
    theirs: str
    path: str
    size: int = SIZE


def drive(call: Call, root: str, environment: Mapping[str, str]) -> int:
    """Merges the file of a call in the checkout at `root`: 0 for a clean merge, 1 for one with markers. Raises OSError only
    where not even git's own markers can be written."""
    try:
        code = _by_entry(call, root, environment)
    except Exception:  # noqa: BLE001 - whatever it was, a bug of ours too: the person gets what git would have given them
        code = None
    return ordinary(call, environment) if code is None else code


def ordinary(call: Call, environment: Mapping[str, str]) -> int:
    """What git does by itself: a merge by lines. 0 for a clean one, 1 for one with markers, or where git can't say."""
    from memdesk.core import process

    labels = [word for label in (OURS, BASE, theirs_label(environment)) for word in ("-L", label)]
    words = ["git", "merge-file", f"--marker-size={call.size}", *labels, "--", call.ours, call.base, call.theirs]
    try:
        return 0 if process.run(words, environment).returncode == 0 else 1
    except (OSError, TimeoutError):
        from memdesk.core.linemerge import merge_lines
        from memdesk.core.merging import Merged

        base, ours, theirs = (_read(name) for name in (call.base, call.ours, call.theirs))
        merged = Merged(tuple(merge_lines(base, ours, theirs)))
        _write(call.ours, merged.text(OURS, theirs_label(environment), None, call.size))
        return 0 if merged.clean else 1


def reader(root: str, path: str) -> Callable[[bytes], Document] | None:
    """Reads bytes as the memory file at a path of the checkout at `root`; None where that is none. Raises MemdeskError."""
    from memdesk.core import layouts
    from memdesk.core.model import Document

    found = _whose(root, path)
    if found is None:
        return None
    store, place = found
    layout = layouts.get(store.layout)
    return lambda data: Document(path, store, place, data, layout.entries)


def theirs_label(environment: Mapping[str, str]) -> str:
    """What the other side is called: the branch, where git says so."""
    names = [value for name, value in environment.items() if name.startswith("GITHEAD_")]
    return names[0] if len(names) == 1 and names[0].strip() and "\n" not in names[0] else "theirs"


def _by_entry(call: Call, root: str, environment: Mapping[str, str]) -> int | None:
    from memdesk.core import merging

    document = reader(root, call.path)
    versions = [_read(name) for name in (call.base, call.ours, call.theirs)]
    if document is None or any(b"\0" in data for data in versions):
        return None  # to git that is no text: it keeps ours, without markers
    merged = merging.merge(document, *versions)
    base = BASE if not merged.clean and _shows_base(environment) else None
    _write(call.ours, merged.text(OURS, theirs_label(environment), base, call.size))
    return 0 if merged.clean else 1


def _whose(root: str, path: str) -> tuple[Store, Place] | None:
    """The store and place of a path; None where it is no memory, or where that is unsure: a store's own settings can't be
    read, two layouts claim it. The file need not be in the working tree."""
    from memdesk.core.ownership import assign, detect
    from memdesk.core.workspace import work_tree

    settings = _settings(root)
    tree = work_tree(root, settings)
    stores, _, _ = detect(tree, tree.walk(), settings, [])
    problems: list[Finding] = []
    found = assign([path], stores, settings, problems).get(path)
    if found is None and tree.kind(path.rpartition("/")[0] or ".") == "none":
        found = _renamed(path, stores, settings)
    unsure = found is None or found[0].fault is not None or any(problem.rule == "store-tie" for problem in problems)
    return None if unsure else found


def _renamed(path: str, stores: list[Store], settings: Settings) -> tuple[Store, Place] | None:
    """Whose a path is in a folder that the other side renamed, and that is not here: the end of it says where it lies in its
    store."""
    from memdesk.core.ownership import assign

    parts = path.split("/")
    for at in range(1, len(parts)):
        for store in stores:
            inner = store.join("/".join(parts[at:]))
            found = assign([inner], [store], settings, []).get(inner)
            if found is not None:
                return found
    return None


def _settings(root: str) -> Settings:
    """The workspace's settings; the defaults where they can't be read, as they may be in conflict themselves."""
    from memdesk.core import config

    try:
        return config.load(root, None, None, None)
    except MemdeskError:
        return config.defaults()


def _shows_base(environment: Mapping[str, str]) -> bool:
    """Whether the person wants to see what was there before (git's merge.conflictStyle)."""
    from memdesk.core import process

    try:
        done = process.run(["git", "config", "--get", "merge.conflictStyle"], environment, timeout=10)
    except (OSError, TimeoutError):
        return False
    return done.stdout.strip() in (b"diff3", b"zdiff3")


def _read(name: str) -> bytes:
    with open(name, "rb") as stream:
        return stream.read()


def _write(name: str, data: bytes) -> None:
    """Puts a result in place of git's file, whole or not at all. What a kill leaves beside it the configured command takes
    away (`gitsetup.command`)."""
    beside = name + BESIDE
    try:
        with open(beside, "wb") as stream:
            stream.write(data)
        os.replace(beside, name)
    except BaseException:
        if os.path.lexists(beside):
            os.unlink(beside)
        raise
