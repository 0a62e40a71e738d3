"""Where stores of this layout are, and what each file in one is."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.custodian.manifest import CORE_FILES, FOLDERS, Manifest, unreadable
from memdesk.core.layouts.custodian.read import read
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Cap, NearMiss, Place, Store

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.tree import Tree

HEADINGS = ("memorycustodian protocol", "always load", "load by task", "optional module index", "context budget")
SIBLINGS = frozenset(CORE_FILES) - {"manifest.md"}
LARGEST = 8 * 1024 * 1024  # bytes; larger files are not parsed

# role and tier of the files in the store's own folder
PLACES = {
    "manifest.md": ("manifest", "index"),
    "brief.md": ("brief", "working"),
    "decisions.md": ("decisions", "durable"),
    "constraints.md": ("constraints", "durable"),
    "do-not-use.md": ("do-not-use", "durable"),
    "preferences.md": ("preferences", "durable"),
    "inbox.md": ("inbox", "working"),
    "changelog.md": ("changelog", "log"),
    "subjects.md": ("subjects", "index"),
}


def detect(tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """Stores: folders under a `docs/` that hold `manifest.md`, and folders that the settings name.

    `docs/memory/manifest.md` marks a store whatever it says: an empty or broken manifest must be reported, not make the
    store vanish. Elsewhere under `docs/` a manifest needs a heading of this layout, or two core files beside it.
    """
    named = _configured(settings)
    folders: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in SIBLINGS or name.lower() == "manifest.md":
            folders.setdefault(folder or ".", set()).add(name)
    for folder, name in named.items():
        if name == "custodian":
            folders.setdefault(folder, set())
    stores: list[Store] = []
    misses: list[NearMiss] = []
    for folder in sorted(folders):
        if any(folder != store.path and (store.path == "." or folder.startswith(store.path + "/")) for store in stores):
            continue  # a file of that store which happens to bear such a name
        layout = named.get(folder)
        if layout not in (None, "custodian"):
            continue
        here = folders[folder]
        if layout == "custodian":
            stores.append(_store(tree, folder, "the settings say so"))
            continue
        under_docs = "docs" in folder.split("/")[:-1]
        siblings = len(here & SIBLINGS)
        if "manifest.md" not in here:
            misses += _without_manifest(folder, here, siblings, under_docs)
        elif not under_docs:
            if siblings >= 2:
                misses.append(NearMiss(folder, _PLACE.format(folder=folder)))
        else:
            store = _store(tree, folder, f"{folder}/manifest.md")
            if folder.endswith("docs/memory") or siblings >= 2 or _has_heading(store.settings):
                stores.append(store)
            elif siblings or folder.endswith("memory"):
                misses.append(NearMiss(folder, "manifest.md has none of this layout's headings (such as `## Always load`)."))
    return stores, misses


def classify(store: Store, path: str) -> Place | None:
    """Role, tier, cap and scope of a workspace-relative path; None: not memory of this store.

    A README.md is memory only where the manifest names it. Any other Markdown file in the folder is: one that nothing
    routes is reported as unreachable instead of being overlooked.
    """
    inner = store.inner(path)
    if inner is None or not inner.endswith(".md"):
        return None
    manifest: Manifest = store.settings
    folder, _, name = inner.rpartition("/")
    if name.lower() == "readme.md" and inner not in manifest.named():
        return None
    limit, origin = manifest.budget(inner)
    cap = None if limit is None else Cap("tokens", limit, origin)
    more = manifest.caps(inner)
    if not folder:
        return Place(*PLACES.get(name, ("other", "working")), cap, more=more)
    top = inner.split("/", 1)[0]
    if top == "archive":
        return Place("archive", "archive")
    if top in FOLDERS:
        role = FOLDERS[top]
        return Place(role, "durable", cap, f"{role}:{inner.removeprefix(top + '/').removesuffix('.md')}", more)
    if store.path == "." and inner not in manifest.named():
        return None  # a store at the root does not own the repository's other folders
    return Place("other", "working", cap, more=more)


def manifest_of(tree: Tree, folder: str) -> Manifest:
    """The manifest in a folder; an unreadable one where it is missing, too large or not text."""
    from memdesk.core import markdown

    path = "manifest.md" if folder == "." else f"{folder}/manifest.md"
    try:
        if tree.size(path) > LARGEST:
            return unreadable(path, "it is over 8 MB")
        data = tree.read(path)
    except MemdeskError as error:
        return unreadable(path, error.message.rstrip("."))
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return unreadable(path, "it is not UTF-8 text")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return unreadable(path, "it is not UTF-8 text")
    return read(path, markdown.parse(data))


_PLACE = (
    "A manifest and core files are here, but this layout keeps them in a folder under docs/."
    " Name the folder {folder!r} in stores.layout."
)


def _store(tree: Tree, folder: str, reason: str) -> Store:
    manifest = manifest_of(tree, folder)
    return Store("custodian", folder, reason, manifest, manifest.read_only())


def _configured(settings: Settings) -> dict[str, str]:
    layouts = settings.stores.layout
    return {folder.strip("/").removeprefix("./") or ".": layout for folder, layout in layouts.items()}


def _has_heading(manifest: Manifest) -> bool:
    return bool(manifest.unreadable or manifest.headings & frozenset(HEADINGS))


def _without_manifest(folder: str, here: set[str], siblings: int, under_docs: bool) -> list[NearMiss]:
    other = next((name for name in sorted(here) if name.lower() == "manifest.md"), None)
    if other is not None and (under_docs or siblings):
        return [NearMiss(folder, f"The manifest is spelled {other}; this layout reads manifest.md.")]
    if siblings >= 2 or (siblings and under_docs and folder.endswith("docs/memory")):
        return [NearMiss(folder, f"manifest.md is missing beside {', '.join(sorted(here & SIBLINGS))}.")]
    return []
