"""Where stores of this layout are, and what each file in one is."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.agent_memory.lint import FILE, Lint
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Cap, NearMiss, Place, Store
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.tree import Tree

NAME = "agent-memory"
INDEX = "MEMORY.md"
ROLES = ("people", "projects", "decisions")
ENTRY_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")  # what agents read at the start where the settings name no such file
SCOPES = {"people": "person", "projects": "project"}
_DATED = lazy(r"\d{4}-\d{2}-\d{2}")


def detect(tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """Stores: folders that hold `memory-lint.json`, whatever it says; those with a `MEMORY.md` beside a `memory/` that has
    people, projects or decisions; and those that the settings name. They may lie within each other."""
    named = {folder.strip("/").removeprefix("./") or ".": layout for folder, layout in settings.stores.layout.items()}
    marked: set[str] = set()
    indexed: set[str] = set()
    shaped: dict[str, None] = {}  # folders with a memory/people and such, in order
    oddly: dict[str, str] = {}  # folder -> a name that is nearly right
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == FILE:
            marked.add(folder or ".")
        elif name == INDEX:
            indexed.add(folder or ".")
        elif name.lower() in (FILE, "memory.md"):
            oddly[folder or "."] = name
        if "memory/" in path and (above := _above_memory(path)) is not None:
            shaped[above] = None
    wanted = {folder for folder, layout in named.items() if layout == NAME}
    stores: list[Store] = []
    misses: list[NearMiss] = []
    if not marked and not indexed and not wanted and not shaped:
        return stores, misses
    from memdesk.core.layouts.agent_memory.read import defaults

    for folder in sorted(marked | indexed | wanted | set(shaped)):
        if named.get(folder, NAME) != NAME:
            continue
        if folder in marked:
            stores.append(_marked(tree, folder, f"{folder}/{FILE}" if folder != "." else FILE))
        elif folder in wanted:
            stores.append(Store(NAME, folder, "the settings say so", defaults()))
        elif folder in indexed and _has_folders(tree, folder) and not _others(folder):
            beside = "memory/" if folder == "." else f"{folder}/memory/"
            stores.append(Store(NAME, folder, f"{INDEX} beside {beside}", defaults(), marker=False))
        elif not _others(folder):
            misses += _missed(tree, folder, folder in indexed, oddly.get(folder))
    return stores, misses


def classify(store: Store, path: str) -> Place | None:
    """Role, tier, caps and scope of a workspace-relative path; None: not memory of this store."""
    inner = store.inner(path)
    if inner is None:
        return None
    lint: Lint = store.settings
    if inner == lint.index_file or inner in lint.boot or inner in standing(lint):
        cap, *more = lint.boot.get(inner) or (None,)
        return Place("index" if inner == lint.index_file else "instructions", "index", cap, more=tuple(c for c in more if c))
    if not inner.endswith(".md"):
        return None
    if within(inner, lint.archive):
        return Place("archive", "archive")
    if within(inner, lint.durable):
        folders = inner.split("/")[:-1]
        role = next((name for name in reversed(folders) if name in ROLES), "facts")
        title = inner.rpartition("/")[2].removesuffix(".md")
        return Place(role, "durable", scope=f"{SCOPES[role]}:{title}" if role in SCOPES else "")
    if is_working(lint, inner):
        dated = _DATED.match(inner.rpartition("/")[2]) and matches(lint, inner)
        origin = lint.file or "default"
        cap = None if lint.working_chars is None else Cap("chars", lint.working_chars, origin)
        return Place("note" if dated else "context", "working", cap)
    return None


def pathspecs(store: Store) -> tuple[str, ...]:
    """The archive, all of it: what is frozen need not be Markdown."""
    lint: Lint = store.settings
    return tuple(f":(literal){store.join(folder)}" for folder in lint.archive)


def standing(lint: Lint) -> tuple[str, ...]:
    """The instruction files, present or not, relative to the store: those that count as boot files, else the usual ones."""
    named = tuple(path for path in lint.boot if path != lint.index_file)
    return named or ENTRY_FILES


def within(inner: str, folders: Sequence[str]) -> bool:
    """Whether a path of a store is in one of its folders."""
    return any(inner.startswith(folder + "/") for folder in folders)


def matches(lint: Lint, inner: str) -> bool:
    """Whether a path of a store is a working file by its name."""
    return any(pattern(inner) for pattern in lint.patterns)


def is_working(lint: Lint, inner: str) -> bool:
    """Whether a path of a store is a working file: by its folder or its name."""
    return inner.endswith(".md") and (within(inner, lint.working) or matches(lint, inner))


def _marked(tree: Tree, folder: str, reason: str) -> Store:
    """The store at a settings file. Broken ones make it read-only, with the usual settings to show it by."""
    from memdesk.core.layouts.agent_memory.read import defaults, lint_of

    try:
        return Store(NAME, folder, reason, lint_of(tree, folder))
    except MemdeskError as error:
        return Store(NAME, folder, reason, defaults(reason), str(error), fault=error)


def _above_memory(path: str) -> str | None:
    """The folder whose `memory/` has people, projects or decisions above this path, or None."""
    parts = path.split("/")
    for at in range(len(parts) - 2):
        if parts[at] == "memory" and parts[at + 1] in ROLES:
            return "/".join(parts[:at]) or "."
    return None


def _has_folders(tree: Tree, folder: str) -> bool:
    inner = "memory" if folder == "." else f"{folder}/memory"
    return any(tree.kind(f"{inner}/{name}") == "folder" for name in ROLES)


def _others(folder: str) -> bool:
    """Whether a folder belongs to another memory system, whose files bear the same names."""
    return ".jonggrang" in folder.split("/")


def _missed(tree: Tree, folder: str, indexed: bool, oddly: str | None) -> list[NearMiss]:
    """What is missing where part of a store is there. A MEMORY.md alone says little: many tools write one."""
    inner = "memory" if folder == "." else f"{folder}/memory"
    if indexed:
        if tree.kind(inner) != "folder" or any(tree.kind(f"{inner}/{name}") == "folder" for name in ("facts", "log")):
            return []  # of another memory system
        why = f"{INDEX} is here, but memory/ has no folder people, projects or decisions."
    elif oddly is not None:
        right = FILE if oddly.lower() == FILE else INDEX
        why = f"There are memory folders, and a file {oddly}; this layout reads {right}."
    elif any(tree.kind(f"{inner}/{name}") == "file" for name in ("INDEX.md", "manifest.md", INDEX)):
        return []
    else:
        why = f"There are memory folders, but {INDEX} or {FILE} is missing beside memory/."
    return [NearMiss(folder, why)]
