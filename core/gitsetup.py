"""Setting a repository up so that git merges memory files by entry: attributes that everyone shares, and the merge driver in
each clone's own configuration. Where that is missing git merges by lines, as ever.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.errors import GitError, MemdeskError, Refused
from memdesk.core.mergedriver import BESIDE
from memdesk.core.plan import Plan, Request, Step

if TYPE_CHECKING:
    from memdesk.core.git import Git
    from memdesk.core.model import Store, Workspace

ATTRIBUTES = ".gitattributes"
NAME = "memdesk"  # of the driver, in attributes and configuration
TITLE = "memdesk: memory files merged by entry"
BEGIN = b"# memdesk: memory files merge by entry (memdesk init --git)"
END = b"# memdesk: end"
UNDONE_BY = "git config --remove-section merge.memdesk"


def plan(workspace: Workspace, request: Request) -> Plan:
    """The attributes of the stores that are here, in a marked block at the end of `.gitattributes`; no step where it says so
    already. Raises Refused: no store, or a file that can't be added to."""
    if not workspace.stores:
        raise Refused(f"There is no store here.{workspace.looked_at()}", remedy="Make one first: memdesk init.")
    made = step(workspace)
    if made is None:
        return Plan(request, f"{ATTRIBUTES} is set up already.", "Nothing to change", ())
    named = workspace.stores[0].path if len(workspace.stores) == 1 else f"{len(workspace.stores)} stores"
    summary, label = f"Named the memory files of {named} in {ATTRIBUTES}.", f"Name memory files in {ATTRIBUTES}"
    return Plan(request, summary, label, (made,), warnings=tuple(_others(made.before or b"")))


def step(workspace: Workspace, new: Mapping[str, Sequence[str]] = {}) -> Step | None:
    """The change of `.gitattributes`, or None. `new`: the files of stores that are to be made, by the store's path."""
    stores: dict[str, list[str]] = {}
    for store in workspace.stores:
        files = [document.path for document in workspace.documents_of(store)]
        stores.setdefault(store.path, []).extend([*files, *later(store)])
    for path, made in new.items():
        stores.setdefault(path, []).extend(file for file in made if file.endswith(".md"))
    before = _attributes(workspace)
    after = with_block(before or b"", [b"%s merge=%s" % (pattern, NAME.encode()) for pattern in patterns(stores)])
    return None if after == before else Step("create" if before is None else "replace", ATTRIBUTES, before, after)


def later(store: Store) -> list[str]:
    """A name in each folder that memory files of a store may come to lie in."""
    return [f"{folder}/later.md" for folder in layouts.get(store.layout).folders(store)]


def command(program: Sequence[str]) -> str:
    """The driver as git's configuration has it. git runs it in a shell; where memdesk isn't there any more, fails or is
    killed, what follows does what git does by itself."""
    from shlex import quote

    words = " ".join(quote(word) for word in program).replace("%", "%%")
    by_lines = "git merge-file --marker-size=%L -L HEAD -L base -L theirs %A %O %B"
    return f"{words} merge-driver %O %A %B %P %L; s=$?; test $s -le 1 && exit $s; rm -f %A{BESIDE}; {by_lines} || exit 1"


def program() -> list[str]:
    """How this memdesk is started, by absolute paths. git starts it at the top of a checkout: a folder there that is called
    memdesk as well is not run for it (-P)."""
    name = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
    if os.path.basename(name) == NAME and os.access(name, os.X_OK) and os.path.isfile(name):
        return [name]
    return [sys.executable, "-P", "-m", NAME]


def configured(git: Git) -> str | None:
    """The driver that this clone has, or None. Raises GitError where git can't be asked."""
    try:
        return git.run(["config", "--get", f"merge.{NAME}.driver"]).decode("utf-8", "surrogateescape").rstrip("\n") or None
    except GitError as error:
        if "exit code 1" in error.message:  # git's way to say that there is none
            return None
        raise


def elsewise(git: Git, workspace: Workspace) -> list[tuple[str, str]]:
    """The memory files that git's attributes do not give to this driver, each with what they say: attributes of a folder below
    and of `.git/info` beat those of the root. Raises GitError where git can't be asked."""
    paths = [document.path.encode("utf-8", "surrogateescape") for document in workspace.documents.values()]
    if not paths:
        return []
    said = git.run(["check-attr", "--stdin", "-z", "merge"], data=b"".join(path + b"\0" for path in paths)).split(b"\0")
    found = zip(said[0::3], said[2::3], strict=False)
    return [(os.fsdecode(path), value.decode("utf-8", "replace")) for path, value in found if value != NAME.encode()]


def others_said(found: Sequence[tuple[str, str]]) -> str:
    """What git merges in another way, in one line."""
    (path, value), more = found[0], f" and {len(found) - 1} more" if len(found) > 1 else ""
    how = f"'merge: {value}'" if value != "unspecified" else "nothing"
    return (
        f"git's attributes say {how} of {path}{more}: not merged by entry. "
        f"'git check-attr merge FILE' shows it; attributes of the file's own folder and of .git/info count before {ATTRIBUTES}."
    )


def configure(git: Git, driver: str) -> None:
    """Writes the driver into this clone's configuration, which its worktrees share. Raises GitError."""
    git.run(["config", "--local", f"merge.{NAME}.name", TITLE])
    git.run(["config", "--local", f"merge.{NAME}.driver", driver])


def patterns(stores: Mapping[str, Sequence[str]]) -> list[bytes]:
    """What names the memory files of stores (path -> files), later ones too. A store with a folder of its own: that. At the
    root: its files there by name, and the folders that the others lie in. Files that are no memory git merges as ever."""
    found: dict[str, bool] = {}  # path -> whether all Markdown files in it are meant
    for store, files in stores.items():
        if store != ".":
            found[store] = True
            continue
        folders: dict[str, list[str]] = {}
        for path in files:
            folder, _, _ = path.rpartition("/")
            if folder:
                folders.setdefault(folder.split("/")[0], []).append(folder)
            else:
                found[path] = False
        found.update((_shared(inner), True) for inner in folders.values())
    kept = [path for path in sorted(found) if not _covered(path, found)]
    return [_pattern(path, found[path]) for path in kept]


def with_block(data: bytes, lines: Sequence[bytes]) -> bytes:
    """The attributes with our block in them: in its place where there is one, else at the end. All else stays to the byte."""
    ending = b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"
    rows = data.split(b"\n")
    bare = [row.rstrip(b"\r") for row in rows]
    block = [BEGIN, *lines, END]
    if BEGIN in bare and END in bare[bare.index(BEGIN) :]:
        first = bare.index(BEGIN)
        last = bare.index(END, first)
        if bare[first : last + 1] == block:
            return data
        head = b"".join(row + b"\n" for row in rows[:first])
        rest = b"\n".join(rows[last + 1 :])
        return head + ending.join(block) + ending + rest
    before = data if not data or data.endswith(b"\n") else data + ending
    gap = ending if before.strip() and not before.endswith(ending * 2) else b""
    return before + gap + ending.join(block) + ending


def _attributes(workspace: Workspace) -> bytes | None:
    kind = workspace.tree.kind(ATTRIBUTES)
    if kind == "none":
        return None
    if kind != "file":
        raise Refused(f"It is a {kind}; git reads no attributes from it.", path=ATTRIBUTES, remedy="Make it a file first.")
    try:
        return workspace.tree.read(ATTRIBUTES)
    except MemdeskError as error:
        raise Refused(f"It {error.message}", path=ATTRIBUTES) from None


def _others(data: bytes) -> Iterable[str]:
    """Warnings about lines of others that say how files are merged: ours come later, and win."""
    inside = False
    for number, row in enumerate(data.split(b"\n"), 1):
        row = row.rstrip(b"\r")
        inside = (inside or row == BEGIN) and row != END
        words = row.split()
        if not inside and not row.startswith(b"#") and any(word.startswith((b"merge=", b"-merge")) for word in words[1:]):
            yield f"{ATTRIBUTES}:{number} says how files are merged too; for memory files the later line counts."


def _shared(folders: Sequence[str]) -> str:
    """The deepest folder that all of these are in."""
    parts = [folder.split("/") for folder in folders]
    depth = next((at for at, names in enumerate(zip(*parts, strict=False)) if len(set(names)) > 1), min(map(len, parts)))
    return "/".join(parts[0][:depth])


def _covered(path: str, found: dict[str, bool]) -> bool:
    above = path.split("/")[:-1]
    return any(found.get("/".join(above[:depth])) for depth in range(1, len(above) + 1))


def _pattern(path: str, folder: bool) -> bytes:
    """A path as git's attributes name it, from their own folder; `folder`: all Markdown files in it."""
    raw = b"/" + path.encode("utf-8", "surrogateescape")
    for sign in b"\\*?[":
        raw = raw.replace(bytes([sign]), b"\\" + bytes([sign]))
    raw += b"/**/*.md" if folder else b""
    if raw.isascii() and not any(sign in raw for sign in b' \t"\\'):
        return raw
    quoted = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\t", b"\\t")
    return b'"' + quoted + b'"'


