"""Layout `custodian`: manifest-routed memory, a folder under `docs/` that holds `manifest.md` (docs/custodian.md).

The class only hands each question to the module that knows: importing it costs nothing, and `memdesk --check` loads no
code of the writing side.

Roles of its documents: "manifest", "brief", "decisions", "constraints", "do-not-use", "preferences", "inbox",
"changelog", "subjects", "rule", "profile", "area", "archive", and "other" (a file that only the manifest knows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.checks.rule import Rule
    from memdesk.core.config import Settings
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import (
        Ask,
        Change,
        Content,
        Destination,
        LoadRequest,
        Module,
        Order,
        Outcome,
        Route,
        Said,
        Versions,
    )
    from memdesk.core.model import Document, Entry, NearMiss, Place, Store, Workspace
    from memdesk.core.tree import Tree

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "archive", "forget", "undo", "init"})


class Custodian(Layout):
    """The rules of manifest-routed memory; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "custodian"
    title = "manifest-routed memory"
    verbs = VERBS
    init_path = "docs/memory"
    by_path = True
    ranks: Mapping[str, str] = {
        "constraints": "constraint", "rule": "constraint", "do-not-use": "tombstone", "decisions": "decision",
        "area": "decision", "preferences": "preference", "profile": "preference", "inbox": "note",
    }

    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        from memdesk.core.layouts.custodian.detect import detect

        return detect(tree, paths, settings)

    def classify(self, store: Store, path: str) -> Place | None:
        from memdesk.core.layouts.custodian.detect import classify

        return classify(store, path)

    def entries(self, document: Document) -> list[Entry]:
        from memdesk.core.layouts.custodian.entries import entries

        return entries(document)

    def tasks(self, store: Store) -> tuple[str, ...]:
        from memdesk.core.layouts.custodian.manifest import TASKS

        return tuple(TASKS)

    def modules(self, store: Store) -> Sequence[Module]:
        from memdesk.core.layouts.base import Module

        return [
            Module(module.kind, module.name, store.join(module.path), module.when)
            for kind in ("areas", "rules", "profiles") for module in store.settings.enabled(kind)
        ]

    def load(self, workspace: Workspace, store: Store, request: LoadRequest) -> Route:
        from memdesk.core.layouts.custodian.route import load

        return load(workspace, store, request)

    def versions(self, document: Document) -> Sequence[Versions]:
        from memdesk.core.layouts.custodian import history

        return history.versions(document)

    def owner(self, entry: Entry) -> str:
        from memdesk.core.layouts.custodian import scopes

        return scopes.owner(entry)

    def scoped(self, entry: Entry, scope: str) -> str:
        from memdesk.core.layouts.custodian import scopes

        return scopes.scoped(entry, scope)

    def successors(self, document: Document) -> Mapping[int, int]:
        from memdesk.core.layouts.custodian import history

        return history.successors(document)

    def destinations(self, workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
        from memdesk.core.layouts.custodian import writes

        return writes.destinations(workspace, store, entry)

    def asks(self, store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
        from memdesk.core.layouts.custodian import writes

        return writes.asks(store, verb, entry)

    def destination(self, workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
        from memdesk.core.layouts.custodian import places

        return places.resolve(workspace, store, to, words)

    def said(self, entry: Entry) -> Said:
        from memdesk.core.layouts.custodian import places

        return places.said(entry)

    def merged(self, into: Entry, text: str) -> str:
        from memdesk.core.layouts.custodian import places

        return places.merged(into, text)

    def remarks(self, entry: Entry) -> Sequence[str]:
        from memdesk.core.layouts.custodian import places

        return places.remarks(entry)

    def add(self, draft: Draft, store: Store, content: Content) -> None:
        from memdesk.core.layouts.custodian import writes

        writes.add(draft, store, content)

    def take(self, draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
        from memdesk.core.layouts.custodian import writes

        writes.take(draft, store, entries, outcome)

    def put(self, draft: Draft, store: Store, destination: Destination, content: Content) -> None:
        from memdesk.core.layouts.custodian import writes

        writes.put(draft, store, destination, content)

    def amend(self, draft: Draft, store: Store, entry: Entry, change: Change) -> None:
        from memdesk.core.layouts.custodian import writes

        writes.amend(draft, store, entry, change)

    def order(self, place: Place) -> Order:
        from memdesk.core.layouts.custodian import keeping

        return keeping.order(place)

    def note(self, draft: Draft, store: Store, lines: Sequence[str], today: date) -> None:
        from memdesk.core.layouts.custodian import writes

        writes.note(draft, store, lines, today)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.custodian.rules import RULES

        return RULES

    def guide(self, store: Store) -> str:
        from memdesk.core.layouts.custodian.guide import guide

        return guide(store)

    def template(self, path: str, today: date) -> Mapping[str, bytes]:
        from memdesk.core.layouts.custodian.starter import template

        return template(path, today)


LAYOUT = Custodian()
