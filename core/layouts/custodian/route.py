"""Task -> route: which files load, in order, and why each other memory file stays out."""

from __future__ import annotations

from memdesk.core.errors import MemdeskError, StoreError, UsageError
from memdesk.core.layouts.custodian.manifest import (
    CATEGORIES,
    FOLDERS,
    HEADINGS,
    TASKS,
    Listing,
    Manifest,
    Module,
    is_name,
    matches,
)
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.layouts.base import LoadRequest, Route, RouteFile
    from memdesk.core.model import Document, Store, Workspace

BOOT = "boot"  # what every layout loads at the start; here the always-load files
FLAGS = {"rules": "--module-rule", "profiles": "--profile", "areas": "--area"}


def load(workspace: Workspace, store: Store, request: LoadRequest) -> Route:
    """The route of a request.

    Raises UsageError for an unknown task, a malformed module name or a path outside the workspace; StoreError, with file,
    line and remedy, for a manifest that cannot be routed and for a path that leads out of the store.
    """
    from memdesk.core.layouts.base import Route

    category = category_of(request.task)
    manifest: Manifest = store.settings
    _routable(workspace, manifest, category)
    routing = _Routing(workspace, store, manifest, category)
    routing.listing(manifest.always[0], "always load")
    for listing in manifest.categories.get(category, ())[:1]:
        routing.listing(listing, f"task {category}")
    touched = [_touched(path) for path in request.paths]
    routing.requested("rules", request.rules)
    routing.requested("profiles", request.profiles)
    routing.requested("areas", request.areas)
    routing.by_path(touched)
    routing.by_name(touched)
    notes = []
    if category in ("planning", "implementation") and not request.paths and not request.areas:
        globbed = [module.name for module in manifest.enabled("areas") if module.globs]
        if globbed:
            notes.append(
                f"Scope may be incomplete: areas load by path ({', '.join(globbed)}), and neither --path nor --area was given."
            )
    files = tuple(routing.files.values())
    return Route(store.path, store.layout, request.task, category, files, routing.not_loaded(touched), tuple(notes))


def category_of(task: str) -> str:
    """The category that a task name belongs to. Raises UsageError, with the known ones."""
    category = TASKS.get(task.strip().casefold(), "general" if task.strip().casefold() == BOOT else None)
    if category is None:
        known = f"Known tasks: {', '.join(TASKS)}; {BOOT} for the always-load files alone."
        raise UsageError(f"Unknown task {task!r}.", remedy=known)
    return category


class Unreachable(NamedTuple):
    """A memory file of the store that no task's route can load, whatever is requested."""

    path: str
    reason: str


def unreachable(workspace: Workspace, store: Store) -> list[Unreachable]:
    """Files that no route names and that are no enabled module. The manifest, the registry of subjects, the inbox and the
    archive are not meant to load."""
    manifest: Manifest = store.settings
    reached = {
        store.join(file.path)
        for listings in (manifest.always, *manifest.categories.values())
        for listing in listings
        for file in listing.files
        if not file.fault
    }
    reached |= {store.join(module.path) for module in manifest.modules if not module.fault}
    found = []
    for document in workspace.documents_of(store):
        if document.place.role in ("manifest", "subjects", "inbox", "archive") or document.path in reached:
            continue
        if reached.intersection(document.aliases):
            continue
        if document.place.role in ("rule", "profile", "area"):
            found.append(Unreachable(document.path, "it is not enabled in the manifest's module index"))
        else:
            found.append(Unreachable(document.path, "no route of the manifest names it"))
    return found


class IndexGap(NamedTuple):
    """A difference between the module index and the folders. `path` is workspace-relative; `line` one of the manifest."""

    path: str
    line: int | None
    message: str
    orphan: bool  # a file without a row; else a row without its file


def index_gaps(workspace: Workspace, store: Store) -> list[IndexGap]:
    """Both directions, which are not alike: a row without its file can go, a file without its row is asked about."""
    manifest: Manifest = store.settings
    if manifest.unreadable:
        return []
    indexed = {module.path for module in manifest.modules}
    gaps = []
    for module in manifest.modules:
        path = store.join(module.path)
        if not module.fault and document_at(workspace, path) is None:
            gaps.append(IndexGap(path, module.line, f"{module.path} is in the module index, but there is no such file.", False))
    for document in workspace.documents_of(store):
        if document.place.role not in ("rule", "profile", "area"):
            continue
        names = [store.named(path) for path in (document.path, *document.aliases)]
        if not indexed.intersection(names):
            gaps.append(IndexGap(document.path, None, f"{names[0]} is not in the manifest's module index.", True))
    return gaps


def document_at(workspace: Workspace, path: str) -> Document | None:
    """The document at a path or under one of its other names."""
    document = workspace.documents.get(path)
    if document is not None:
        return document
    return next((document for document in workspace.documents.values() if path in document.aliases), None)


class _Routing:
    def __init__(self, workspace: Workspace, store: Store, manifest: Manifest, category: str) -> None:
        self.workspace = workspace
        self.store = store
        self.manifest = manifest
        self.category = category
        self.files: dict[str, RouteFile] = {}
        self.barred: dict[str, str] = {}  # the registry, and outside maintenance inbox and archive, where a section names them

    def listing(self, listing: Listing, why: str) -> None:
        from memdesk.core.layouts.base import RouteFile

        for file in listing.files:
            line = file.line
            path = self.store.join(file.path)
            if file.fault:
                raise StoreError(
                    f"`{file.path}` is no path that can be loaded: {file.fault}.", path=self.manifest.path, line=line,
                    remedy="A path is relative to the store, with `/` between its parts, and ends in `.md`.",
                )
            self._inside(file.path, line)
            out = _REGISTRY if file.path == "subjects.md" else ""
            if not out and self.category != "maintenance":
                out = kept_out(file.path, path)
            if out:
                self.barred[path] = f"{out}, although the manifest names it"
                continue
            self._put(RouteFile(path, file.required, why, self._cap(file.path)))

    def requested(self, kind: str, names: tuple[str, ...]) -> None:
        from memdesk.core.layouts.base import RouteFile

        role = FOLDERS[kind]
        for name in names:
            if not is_name(name):
                raise UsageError(
                    f"{FLAGS[kind]} {name!r} is no module name.",
                    remedy="A name is letters, digits, `.`, `_` and `-`, and begins with a letter or digit.",
                )
            module = self.manifest.module(kind, name)
            inner = f"{kind}/{name}.md"
            refused = None
            if module is None:
                there = document_at(self.workspace, self.store.join(inner)) is not None
                enabled = ", ".join(one.name for one in self.manifest.enabled(kind)) or "none"
                fault = "is not enabled in the manifest" if there else "does not exist"
                refused = f"{role} {name} {fault}; enabled {kind}: {enabled}"
            else:
                self._inside(inner, module.line)
            self._put(RouteFile(self.store.join(inner), True, f"{role} {name} requested", self._cap(inner), True, refused))

    def by_path(self, touched: list[str]) -> None:
        from memdesk.core.layouts.base import RouteFile

        for module in self.manifest.enabled("areas"):
            hit = self._hit(module, touched)
            if hit is not None:
                self._inside(module.path, module.line)
                why = f"area {module.name}: {hit[1]} matches {hit[0]}"
                self._put(RouteFile(self.store.join(module.path), True, why, self._cap(module.path)))

    def by_name(self, touched: list[str]) -> None:
        """An inbox or archive file that the caller names itself: the explicit request that they load by."""
        from memdesk.core.layouts.base import RouteFile

        for path in touched:
            inner = self.store.inner(path)
            document = document_at(self.workspace, path)
            if inner is not None and kept_out(inner, path) and document is not None and document.store is self.store:
                self._inside(inner, None)
                self._put(RouteFile(document.path, True, "requested by its path", None, True))

    def not_loaded(self, touched: list[str]) -> tuple[tuple[str, str], ...]:
        routes = self._routes()
        modules = {self.store.join(one.path): one for one in reversed(self.manifest.modules) if not one.fault}
        chosen = self.files.keys()
        out = []
        for document in self.workspace.documents_of(self.store):
            names = {document.path, *document.aliases}
            if names.isdisjoint(chosen):
                out.append((document.path, self._why_not(document, names, touched, routes, modules)))
        return tuple(out)

    def _why_not(
        self, document: Document, names: set[str], touched: list[str], routes: dict[str, list[str]], modules: dict[str, Module]
    ) -> str:
        for name in names:
            if name in self.barred:
                return self.barred[name]
        role = document.place.role
        inner = self.store.inner(document.path) or document.path
        if role == "manifest":
            return "the manifest routes and is not loaded itself"
        if role == "subjects":
            return _REGISTRY
        out = kept_out(inner, document.path)
        if out and self.category != "maintenance":
            return out
        tasks = sorted({task for name in names for task in routes.get(name, [])}, key=CATEGORIES.index)
        also = f"; loads for {', '.join(tasks)}" if tasks else ""
        if role in ("rule", "profile", "area"):
            return self._not_asked(role, inner, names, touched, modules) + also
        if out:
            return f"not routed for maintenance; loads with --path {document.path}"
        alone = " (the always-load files alone)" if self.category == "general" else ""
        return f"not routed for {self.category}{alone}{also or ', nor for any other task'}"

    def _not_asked(
        self, role: str, inner: str, names: set[str], touched: list[str], modules: dict[str, Module]
    ) -> str:
        """Why a module doesn't load, with the option that asks for it."""
        kind = next(kind for kind, name in FOLDERS.items() if name == role)
        module = next((modules[name] for name in names if name in modules), None)
        if module is None:
            name = inner.removeprefix(f"{kind}/").removesuffix(".md")
            if not is_name(name):
                return f"not enabled: {name!r} is no module name, so that no row of the manifest's module index can name it"
            if any(self.store.join(one.path) in names for one in self.manifest.modules):
                return "not enabled: its row in the manifest's module index is faulty"
            return f"not enabled: the manifest's module index has no row for it, by which {FLAGS[kind]} {name} would load it"
        if not module.globs:
            return f"not requested ({FLAGS[kind]} {module.name})"
        globs = ", ".join(module.globs)
        if touched:
            return f"not requested ({FLAGS[kind]} {module.name}), and no given path matches {globs}"
        return f"not requested ({FLAGS[kind]} {module.name}, or --path with one that matches {globs})"

    def _routes(self) -> dict[str, list[str]]:
        """Path -> the categories whose own section names it."""
        routes: dict[str, list[str]] = {}
        for category, listings in self.manifest.categories.items():
            for listing in listings:
                for file in listing.files:
                    routes.setdefault(self.store.join(file.path), []).append(category)
        return routes

    def _hit(self, module: Module, touched: list[str]) -> tuple[str, str] | None:
        """(glob, path) of the first match. Globs are relative to the folder that holds the store's `docs/`; a path inside
        it may also be matched as the workspace has it."""
        base = _base(self.store)
        for path in touched:
            if base and not path.startswith(base + "/"):
                continue
            for glob in module.globs:
                if matches(glob, path[len(base) + 1 :] if base else path) or (base and matches(glob, path)):
                    return glob, path
        return None

    def _put(self, file: RouteFile) -> None:
        before = self.files.get(file.path)
        if before is None:
            self.files[file.path] = file
        else:
            self.files[file.path] = before._replace(
                required=before.required or file.required, requested=before.requested or file.requested,
                refused=before.refused or file.refused,
                why=before.why if file.why == before.why else f"{before.why}; {file.why}",
            )

    def _inside(self, inner: str, line: int | None) -> None:
        """A path resolves, links too, inside the store."""
        tree = self.workspace.tree
        path = self.store.join(inner)
        if tree.kind(path) == "none":
            return
        try:
            real, home = tree.resolve(path), tree.resolve(self.store.path)
            fault = "" if home == "." or real.startswith(home + "/") else f"it is {real}."
        except MemdeskError as error:
            fault = f"it {error.message}"
        if fault:
            raise StoreError(
                f"`{inner}` is a link out of the store: {fault}", path=self.manifest.path, line=line,
                remedy="Put the file itself into the store, or take the line out of the manifest.",
            )

    def _cap(self, inner: str) -> int | None:
        return self.manifest.budget(inner)[0]


_REGISTRY = "registry of subjects: no task loads it"


def kept_out(inner: str, path: str) -> str:
    """Why a store-relative path does not load on an ordinary route, or "". `path`: the same from the workspace's root."""
    if inner == "inbox.md":
        return f"inbox: candidates load for maintenance only, or with --path {path}"
    if inner.startswith("archive/"):
        return f"archive: loads for maintenance only, or with --path {path}"
    return ""


def _routable(workspace: Workspace, manifest: Manifest, category: str) -> None:
    """Raises StoreError where the manifest does not say, once, what loads."""
    if manifest.unreadable:
        raise StoreError(
            f"The manifest cannot be read: {manifest.unreadable}.", path=manifest.path,
            remedy="Restore it; without a manifest nothing can be routed.",
        )
    document = workspace.documents.get(manifest.path)
    if document is not None and document.problem is not None:
        problem = document.problem
        raise StoreError(problem.message, path=manifest.path, line=problem.line, remedy="Nothing is routed until it is mended.")
    _one(manifest, manifest.always, "`## Always load`", (), "Keep one, with the files that every task needs.")
    if category in HEADINGS:
        what = f"`### {HEADINGS[category]}` under `## Load by task`"
        _one(manifest, manifest.categories[category], what, manifest.task_headings, f"Task {category} needs exactly one.")


def _one(manifest: Manifest, listings: tuple[Listing, ...], what: str, there: tuple[tuple[str, int], ...], remedy: str) -> None:
    if len(listings) == 1:
        return
    if listings:
        lines = ", ".join(str(listing.line) for listing in listings)
        message = f"There are several sections {what}, in lines {lines}."
        raise StoreError(message, path=manifest.path, line=listings[1].line, remedy=remedy)
    known = f" Headings there: {', '.join(f'{title} (line {line})' for title, line in there)}." if there else ""
    raise StoreError(f"There is no section {what}.{known}", path=manifest.path, line=1, remedy=remedy)


def paths_within(store: Store, paths: tuple[str, ...]) -> list[str]:
    """The paths that a task touches as the globs of areas have them: relative to the folder that holds the store's `docs/`;
    those outside of it left out."""
    base = _base(store)
    touched = [_touched(path) for path in paths]
    return [path[len(base) + 1 :] if base else path for path in touched if not base or path.startswith(base + "/")]


def _base(store: Store) -> str:
    return store.path.partition("/docs/")[0] if "/docs/" in store.path else ""


def _touched(path: str) -> str:
    """A path that the task touches, relative to the workspace. Raises UsageError for one that is not."""
    if path.startswith("/"):
        raise UsageError(f"--path {path!r} is absolute.", remedy="Give it relative to the workspace root.")
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise UsageError(f"--path {path!r} leads out of the workspace.")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
