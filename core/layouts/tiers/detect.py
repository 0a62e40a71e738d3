"""Where stores of this layout are, and what each file in one is."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from memdesk.core import fields
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.tiers.kept import INDEXES, NAME, Kept, within
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import NearMiss, Place, Store

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.tiers.indexlines import IndexLine
    from memdesk.core.tree import Tree

LARGEST = 1024 * 1024  # bytes of an index; a larger one is none
ENOUGH = 3  # facts that are looked at in each folder that an index leads to
MOST = 16  # such folders
KEYS = ("index", "facts", "log", "working", "inbox", "archive")
# Files of a repository, or of other tools, that may lie beside an index and are no facts.
NO_FACTS = frozenset({
    "agents.md", "changelog.md", "changes.md", "claude.md", "code_of_conduct.md", "contributing.md", "gemini.md", "history.md",
    "index.md", "license.md", "memory.md", "readme.md", "security.md", "skill.md",
})  # fmt: skip


def detect(tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """Stores: the one that `tiers.*` describes, those that `stores.layout` names, and folders with an index whose lines link
    to Markdown files with a description, where no other memory system is."""
    stores = _configured(tree, settings)
    known = {store.path for store in stores}
    taken = {store.join(store.settings.index) for store in stores}
    others = {folder for folder, layout in settings.stores.layout.items() if layout != NAME}
    found = _Found(paths)
    misses: list[NearMiss] = []
    for folder, indexes in sorted(found.indexed.items()):
        if folder in known or folder in others or taken & {_in(folder, name) for name in indexes} or found.foreign(folder):
            continue
        store, missed = _shaped(tree, folder, found, settings)
        stores += store
        misses += missed
    misses += found.without_index(known)
    return stores, misses


def classify(store: Store, path: str) -> Place | None:
    """Role and tier of a workspace-relative path; None: not memory of this store."""
    inner = store.inner(path)
    if inner is None:
        return None
    kept: Kept = store.settings
    if inner == kept.index:
        return Place("index", "index")
    if not inner.endswith(".md"):
        return None
    if inner == kept.inbox:
        return Place("inbox", "working")
    for folder, role in ((kept.archive, "archive"), (kept.log, "log"), (kept.working, "working")):
        if within(inner, folder):
            return None if inner == f"{folder}/README.md" else Place(role, role)
    return Place("fact", "durable") if is_fact(kept, inner) else None


def folders(store: Store) -> tuple[str, ...]:
    """The folders that memory files of it lie in, present or not."""
    kept: Kept = store.settings
    named = [kept.facts, *kept.more, kept.log, kept.working, kept.archive]
    return tuple(store.join(folder) if folder else store.path for folder in dict.fromkeys(named))


def is_fact(kept: Kept, inner: str) -> bool:
    """Whether a store-relative Markdown path, of none of the other tiers, is a fact's by where it is."""
    folder, _, name = inner.rpartition("/")
    if kept.facts and within(inner, kept.facts):
        return name.lower() != "readme.md"
    if folder == kept.home and not kept.facts:
        return name.lower() not in NO_FACTS
    return any(within(inner, one) if one else folder == kept.home for one in kept.more) and name.lower() not in NO_FACTS


# By configuration


def _configured(tree: Tree, settings: Settings) -> list[Store]:
    named = [folder for folder, layout in settings.stores.layout.items() if layout == NAME]
    stores = [Store(NAME, folder, "the settings say so", _kept_in(tree, folder, settings)) for folder in named]
    if any(settings.place(f"tiers.{key}") is not None for key in KEYS):
        own = {key: getattr(settings.tiers, key) for key in KEYS}
        homes = [own[key] if key in ("facts", "log", "working", "archive") else posixpath.dirname(own[key]) for key in KEYS]
        home = posixpath.commonpath([one if one != "." else "" for one in homes]) or "."
        if not any(folder in (".", home) or home.startswith(folder + "/") for folder in named):
            present = [path for path in own.values() if tree.kind(path) != "none"]
            if present:
                stores.append(Store(NAME, home, "the settings say so (tiers)", _kept_in(tree, home, settings)))
    return stores


def _kept_in(tree: Tree, folder: str, settings: Settings) -> Kept:
    """Where a store keeps its tiers by the settings, as far as they lie in its folder, and else by the usual names."""
    found: dict[str, str] = {}
    usual = Kept()
    for key in KEYS:
        path = getattr(settings.tiers, key)
        inner = path if folder == "." else path[len(folder) + 1 :] if within(path, folder) else None
        if settings.place(f"tiers.{key}") is not None and path == folder and key == "facts":
            inner = ""
        if inner is None or (settings.place(f"tiers.{key}") is None and folder != "." and tree.kind(path) == "none"):
            inner = getattr(usual, key)
        found[key] = inner
    if settings.place("tiers.index") is None and tree.kind(_in(folder, found["index"])) == "none":
        home = posixpath.dirname(found["index"])
        other = _join(home, INDEXES[1])
        found["index"] = other if tree.kind(_in(folder, other)) != "none" else found["index"]
    return Kept(
        found["index"], found["facts"], found["log"], found["working"], found["inbox"], found["archive"],
        settings.tiers.log_days, settings.tiers.max_facts,
    )


# By what is there


class _Found:
    """What the names of all files say. `indexed`: folder -> the indexes in it."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self.indexed: dict[str, list[str]] = {}
        self.spelled: dict[str, str] = {}  # folder -> an index by another spelling
        self.logged: set[str] = set()  # folders with a dated file in log/
        self.marked: set[str] = set()  # folders with the marker of another memory system
        for path in paths:
            if not path.endswith((".md", ".json")):
                continue
            folder, _, name = path.rpartition("/")
            if name in INDEXES:
                self.indexed.setdefault(folder or ".", []).append(name)
            elif name == "memory-lint.json" or name == "manifest.md":
                self.marked.add(folder or ".")
            elif name.lower() in _LOWER:
                self.spelled[folder or "."] = name
            elif name[:2] == "20" and folder.endswith("log") and fields.is_date(name[:-3]):
                if folder == "log":
                    self.logged.add(".")
                elif folder.endswith("/log"):
                    self.logged.add(folder[:-4])

    def has(self, path: str) -> bool:
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def holds(self, folder: str) -> bool:
        """Whether there is a Markdown file in a folder."""
        at = bisect_left(self.paths, folder + "/")
        while at < len(self.paths) and self.paths[at].startswith(folder + "/"):
            if self.paths[at].endswith(".md"):
                return True
            at += 1
        return False

    def foreign(self, folder: str) -> bool:
        """Whether a folder belongs to another memory system."""
        parts = [] if folder == "." else folder.split("/")
        if ".jonggrang" in parts:
            return True
        for depth in range(len(parts) + 1):
            above = "/".join(parts[:depth]) or "."
            inside = depth == len(parts) or parts[depth] == "memory"
            if above in self.marked and ((inside and self.has(_in(above, "memory-lint.json"))) or self._routed(above)):
                return True
            rules = inside and self.has(_in(above, "MEMORY.md"))
            if rules and any(self.holds(_in(above, f"memory/{name}")) for name in ("people", "projects", "decisions")):
                return True
        return False

    def shaped(self, folder: str) -> bool:
        """Whether two of the tiers lie in a folder by their usual names, the log among them."""
        return folder in self.logged and (
            self.holds(_in(folder, "facts")) or self.holds(_in(folder, "working")) or self.has(_in(folder, "inbox.md"))
        )

    def without_index(self, known: set[str]) -> list[NearMiss]:
        """Folders with facts and a log, where the index is missing or spelled in another way."""
        found = []
        for folder in sorted(self.logged):
            if folder in self.indexed or folder in known or not self.holds(_in(folder, "facts")) or self.foreign(folder):
                continue
            above = posixpath.dirname(folder) or "."
            if folder != "." and posixpath.basename(folder) == "memory" and above in self.indexed:
                continue
            if folder in self.spelled:
                why = f"There are facts and a log, and a file {self.spelled[folder]}; this layout reads INDEX.md or MEMORY.md."
            else:
                why = "There are facts and a log, but no INDEX.md (or MEMORY.md) beside them."
            found.append(NearMiss(folder, why))
        return found

    def _routed(self, folder: str) -> bool:
        """Whether a manifest in a folder is that of a store of ours, whose modules have indexes too."""
        core = any(self.has(_in(folder, name)) for name in ("brief.md", "decisions.md", "constraints.md"))
        return self.has(_in(folder, "manifest.md")) and (core or folder.endswith("docs/memory"))


_LOWER = frozenset(name.lower() for name in INDEXES)
# Front matter of pages, skills and commands, which have a description too and are no facts.
_PAGES = frozenset({
    "layout", "permalink", "slug", "sidebar_position", "sidebar_label", "nav_order", "weight", "allowed-tools", "argument-hint",
    "tools", "model", "globs", "alwaysApply", "applyTo",
})  # fmt: skip


def _shaped(tree: Tree, folder: str, found: _Found, settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """The store at an index, or what it lacks to be one."""
    inner = _in(folder, "memory")
    below = inner not in found.indexed and not any(found.holds(_in(folder, one)) for one in ("facts", "log", "working"))
    under = "memory/" if below and any(found.holds(f"{inner}/{one}") for one in ("facts", "log", "working")) else ""
    shaped = found.shaped(inner if under else folder)
    best: tuple[int, int] = (0, 0)
    for name in INDEXES:
        if name not in found.indexed[folder]:
            continue
        kept = Kept(
            name, f"{under}facts", f"{under}log", f"{under}working", f"{under}inbox.md", f"{under}archive",
            settings.tiers.log_days, settings.tiers.max_facts,
        )
        groups = _targets(tree, folder, name, kept)
        described, looked = 0, 0
        held = []
        for where, targets in groups.items():
            if shaped and where == kept.facts:
                held.append(where)
                continue
            good = sum(_is_described(tree, path) for path in targets)
            described += good
            looked += len(targets)
            if good:
                held.append(where)
        if shaped or (described and 2 * described >= looked):
            usual = kept.facts in held or not held
            facts = kept.facts if usual else held[0] if len(held) == 1 else "" if "" in held else held[0]
            more = tuple(one for one in held if one != facts)
            reason = f"{name} beside {under}log/" if shaped else f"{name} leads to facts"
            return [Store(NAME, folder, reason, kept._replace(facts=facts, more=more), marker=False)], []
        best = max(best, (looked, described))
    return [], _missed(folder, best, found)


def _missed(folder: str, best: tuple[int, int], found: _Found) -> list[NearMiss]:
    looked, described = best
    name = found.indexed[folder][0]
    hinted = posixpath.basename(folder) == "memory" or any(
        found.holds(_in(folder, one)) for one in ("facts", "log", "working", "memory/facts", "memory/log")
    )
    if looked and described:
        why = f"{name} leads to {looked} files that were looked at, and only {described} have a description in front matter."
        return [NearMiss(folder, why)]
    if looked and hinted:
        return [NearMiss(folder, f"{name} is here, but no file that its lines link to has a description in its front matter.")]
    if hinted and found.holds(_in(folder, "facts")):
        return [NearMiss(folder, f"{name} is here beside facts/, but none of its lines links to a file there.")]
    return []


def _targets(tree: Tree, folder: str, name: str, kept: Kept) -> Mapping[str, list[str]]:
    """Folder (relative to the store's, "" for its own) -> files in it that the lines of an index lead to, a few of each."""
    from memdesk.core import markdown
    from memdesk.core.layouts.tiers import indexlines

    path = _in(folder, name)
    try:
        if tree.size(path) > LARGEST:
            return {}
        data = tree.read(path)
    except MemdeskError:
        return {}
    groups: dict[str, list[str]] = {}
    for line in indexlines.of_page(markdown.parse(data)):
        for inner in _spelled(line, kept):
            where = kept.facts if within(inner, kept.facts) else inner.rpartition("/")[0]
            target = _in(folder, inner)
            if not _may_be_fact(folder, inner, kept) or (where not in groups and len(groups) == MOST):
                continue
            if len(groups.get(where, ())) == ENOUGH:
                break
            if tree.kind(target) not in ("file", "link"):
                continue
            few = groups.setdefault(where, [])
            few += [target] if target not in few else []
            break
    return groups


def _spelled(line: IndexLine, kept: Kept) -> list[str]:
    """Where a line of an index may lead, from the index's folder."""
    if not line.wiki:
        return [posixpath.normpath(line.target)]
    name = line.target if line.target.endswith(".md") else f"{line.target}.md"
    return [posixpath.normpath(name)] if "/" in name else [f"{kept.facts}/{name}", name]


def _may_be_fact(folder: str, inner: str, kept: Kept) -> bool:
    """Whether a path from the index's folder can be a fact's by its name: not of another tier, no file of a repository, no
    numbered record."""
    name = posixpath.basename(inner)
    if not name.endswith(".md") or inner.startswith(("../", "/")) or name.lower() in NO_FACTS:
        return False
    if any(within(inner, one) for one in (kept.log, kept.working, kept.archive)) or inner == kept.inbox:
        return False
    return not (name[:3].isdigit() and posixpath.dirname(_in(folder, inner)).endswith(("adr", "decisions")))


def _is_described(tree: Tree, path: str) -> bool:
    """Whether a file is Markdown with a description in its front matter, and no page or command of something else."""
    from memdesk.core import frontmatter, markdown

    try:
        if tree.size(path) > LARGEST:
            return False
        data = tree.read(path)
    except MemdeskError:
        return False
    if not data.startswith((b"---", b"\xef\xbb\xbf---")) or b"description" not in data:
        return False
    said = frontmatter.fields(markdown.parse(data))
    return bool(said.get("description")) and not _PAGES & said.keys()


def _in(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
