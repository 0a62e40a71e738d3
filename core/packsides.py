"""One of two workspaces that are compared: its stores, their tasks and modules, and the pack of each, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.values import LoadRequest
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packing import pack_route
from memdesk.core.packseen import Piece, pieces

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.layouts.values import Module
    from memdesk.core.model import Store, Workspace
    from memdesk.core.packing import Kept, Pack, PackFile

BOOT = "boot"  # a task that every layout knows
KINDS = {"areas": "area", "rules": "rule", "profiles": "profile"}


class Answer(NamedTuple):
    """A pack, or why there is none; neither, where the side has no such store, task or module. `module`: whose pack it is."""

    pack: Pack | None = None
    error: MemdeskError | None = None
    module: Module | None = None


NOTHING = Answer()


class Side:
    """`name`: what people call it. `standing`: its settings' own lines that packs begin with. `kept`: see `packing.Kept`."""

    def __init__(self, workspace: Workspace, name: str, standing: Mapping[str, str], today: date | None, kept: Kept) -> None:
        self.workspace = workspace
        self.name = name
        self.today = today
        self._standing = standing
        self._kept = kept
        self._pieces: dict[tuple[str, int | None], list[Piece]] = {}

    def tasks(self, store: Store) -> dict[str, Answer]:
        """The pack of each category of a store, by the first of its task names; by each of them where it can't be routed."""
        from memdesk.core.layouts import get

        found: dict[str, Answer] = {}
        known: set[str] = set()
        for task in get(store.layout).tasks(store):
            answer = self._routed(store, LoadRequest(task, today=self.today), known)
            if answer is not None:
                found[task] = answer
        return found

    def answer(self, store: Store, request: LoadRequest) -> Answer:
        """The pack of a request."""
        dated = request if request.today else request._replace(today=self.today)
        return self._routed(store, dated, set()) or NOTHING

    def _routed(self, store: Store, request: LoadRequest, known: set[str]) -> Answer | None:
        """The pack of a request; None where it is of a category that is known already."""
        from memdesk.core.layouts import get

        try:
            route = get(store.layout).load(self.workspace, store, request)
        except MemdeskError as error:
            return Answer(None, error)
        if route.category in known:
            return None
        known.add(route.category)
        return Answer(pack_route(self.workspace, route, standing=self._standing, kept=self._kept))

    def modules(self, store: Store) -> dict[str, Answer]:
        """What each module adds to whatever task it is asked for with, by its kind and name."""
        from memdesk.core.layouts import get

        modules = list(get(store.layout).modules(store))
        if not modules:
            return {}
        try:
            return self._modules(store, modules)
        except MemdeskError:  # one of them stops all: then each by itself
            return {name: answer for module in modules for name, answer in self._module(store, module).items()}

    def _module(self, store: Store, module: Module) -> dict[str, Answer]:
        try:
            return self._modules(store, [module])
        except MemdeskError as error:
            return {_named(module): Answer(None, error, module)}

    def _modules(self, store: Store, modules: Sequence[Module]) -> dict[str, Answer]:
        """All at once: a route looks at every file of the store."""
        from memdesk.core.layouts import get

        names = {field: tuple(one.name for one in modules if one.field == field) for field in KINDS}
        request = LoadRequest(BOOT, names["areas"], names["rules"], names["profiles"], (), self.today)
        route = get(store.layout).load(self.workspace, store, request)
        files = {file.path: file for file in route.files if file.requested}
        found = {}
        for module in modules:
            file = files.get(module.path)
            if file is not None:
                own = route._replace(files=(file,), not_loaded=(), scope_notes=())
                made = pack_route(self.workspace, own, standing=self._standing, kept=self._kept)
                found[_named(module)] = Answer(made, None, module)
        return found

    def pieces(self, file: PackFile) -> list[Piece]:
        """A loaded file taken apart (see `packseen`)."""
        key = file.path, file.budget
        if key not in self._pieces:
            self._pieces[key] = pieces(self.workspace, file)
        return self._pieces[key]


def _named(module: Module) -> str:
    return f"{KINDS[module.field]}:{module.name}"
