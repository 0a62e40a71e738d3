"""Layout `agent-memory`: editing rules over tiers, an index `MEMORY.md` beside `memory/` (docs/agent-memory.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "index", "instructions" (files that agents read at the start), "people", "projects", "decisions"
and "facts" (durable folders by their name), "note" (dated), "context" (working, undated) and "archive".
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
    from memdesk.core.gate import Gate
    from memdesk.core.layouts.base import (
        Ask,
        Change,
        Content,
        Destination,
        LoadRequest,
        Outcome,
        Route,
        Said,
        Versions,
    )
    from memdesk.core.model import Budget, Document, Entry, NearMiss, Place, Store, Workspace
    from memdesk.core.tree import Tree

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "archive", "forget", "undo", "init"})


class AgentMemory(Layout):
    """The rules of memory by editing rules; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "agent-memory"
    title = "memory by editing rules"
    verbs = VERBS
    init_path = "."
    marks = ("memory-lint.json",)
    covers = frozenset({"struck-lost", "archive-changed", "over-cap"})
    repeats = frozenset({"note", "context"})
    ranks: Mapping[str, str] = {
        "instructions": "fact", "decisions": "decision", "people": "fact", "projects": "fact", "facts": "fact",
        "note": "note", "context": "note", "archive": "note",
    }

    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        from memdesk.core.layouts.agent_memory.detect import detect

        return detect(tree, paths, settings)

    def classify(self, store: Store, path: str) -> Place | None:
        from memdesk.core.layouts.agent_memory.detect import classify

        return classify(store, path)

    def entries(self, document: Document) -> list[Entry]:
        from memdesk.core.layouts.agent_memory.entries import entries

        return entries(document)

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def load(self, workspace: Workspace, store: Store, request: LoadRequest) -> Route:
        from memdesk.core.layouts.agent_memory.boot import load

        return load(workspace, store, request)

    def meters(self, workspace: Workspace, store: Store) -> list[Budget]:
        from memdesk.core.layouts.agent_memory.boot import meters

        return meters(workspace, store)

    def folders(self, store: Store) -> tuple[str, ...]:
        lint = store.settings
        return tuple(store.join(folder) for folder in (*lint.durable, *lint.working, *lint.archive))

    def pathspecs(self, store: Store) -> tuple[str, ...]:
        from memdesk.core.layouts.agent_memory.detect import pathspecs

        return pathspecs(store)

    def versions(self, document: Document) -> Sequence[Versions]:
        from memdesk.core.layouts.agent_memory import history

        return history.versions(document)

    def successors(self, document: Document) -> Mapping[int, int]:
        from memdesk.core.layouts.agent_memory import history

        return history.successors(document)

    def destinations(self, workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
        from memdesk.core.layouts.agent_memory import places

        return places.destinations(workspace, store, entry)

    def asks(self, store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
        from memdesk.core.layouts.agent_memory import places

        return places.asks(store, verb, entry)

    def destination(self, workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
        from memdesk.core.layouts.agent_memory import places

        return places.resolve(workspace, store, to, words)

    def said(self, entry: Entry) -> Said:
        from memdesk.core.layouts.agent_memory import places

        return places.said(entry)

    def merged(self, into: Entry, text: str) -> str:
        from memdesk.core.layouts.agent_memory import places

        return places.merged(into, text)

    def gate(self, workspace: Workspace, store: Store, entry: Entry, today: date) -> Gate | None:
        from memdesk.core.layouts.agent_memory import signals

        return signals.gate(workspace, store, entry, today)

    def remarks(self, entry: Entry) -> Sequence[str]:
        from memdesk.core.layouts.agent_memory import places

        return places.remarks(entry)

    def add(self, draft: Draft, store: Store, content: Content) -> None:
        from memdesk.core.layouts.agent_memory import writes

        writes.add(draft, store, content)

    def take(self, draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
        from memdesk.core.layouts.agent_memory import writes

        writes.take(draft, store, entries, outcome)

    def put(self, draft: Draft, store: Store, destination: Destination, content: Content) -> None:
        from memdesk.core.layouts.agent_memory import writes

        writes.put(draft, store, destination, content)

    def amend(self, draft: Draft, store: Store, entry: Entry, change: Change) -> None:
        from memdesk.core.layouts.agent_memory import writes

        writes.amend(draft, store, entry, change)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.agent_memory.rules import RULES

        return RULES

    def guide(self, store: Store) -> str:
        from memdesk.core.layouts.agent_memory.guide import guide

        return guide(store)

    def template(self, path: str, today: date) -> Mapping[str, bytes]:
        from memdesk.core.layouts.agent_memory.starter import template

        return template(path, today)


LAYOUT = AgentMemory()
