"""Layout `records`: the words of a domain in CONTEXT.md and numbered decision records (docs/records.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "glossary" (CONTEXT.md), "map" (CONTEXT-MAP.md), "record" (a numbered decision record), "design" (a
design record of work in progress) and "terms" (words that await the glossary).
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
        Outcome,
        Renumbered,
        Route,
        Said,
    )
    from memdesk.core.model import Document, Entry, NearMiss, Place, Store, Workspace
    from memdesk.core.tree import Tree

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "renumber", "undo", "init"})


class Records(Layout):
    """The rules of glossaries and decision records; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "records"
    title = "glossary and decision records"
    verbs = VERBS
    init_path = "."
    marks = (".adr-dir",)
    standing = "records"
    kinds = frozenset({"adr", "term"})
    general = frozenset({"glossary", "record", "design"})
    ranks: Mapping[str, str] = {"glossary": "term", "record": "record", "design": "design", "terms": "note", "map": "note"}

    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        from memdesk.core.layouts.records.detect import detect

        return detect(tree, paths, settings)

    def classify(self, store: Store, path: str) -> Place | None:
        from memdesk.core.layouts.records.detect import classify

        return classify(store, path)

    def entries(self, document: Document) -> list[Entry]:
        from memdesk.core.layouts.records.read import entries

        return entries(document)

    def rank(self, entry: Entry) -> str:
        from memdesk.core.layouts.records.statuses import rank

        return rank(entry.role, entry.status)

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def load(self, workspace: Workspace, store: Store, request: LoadRequest) -> Route:
        from memdesk.core.layouts.records.boot import load

        return load(workspace, store, request)

    def destinations(self, workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
        from memdesk.core.layouts.records import asks

        return asks.destinations(workspace, store, entry)

    def asks(self, store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
        from memdesk.core.layouts.records import asks

        return asks.asks(store, verb, entry)

    def destination(self, workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
        from memdesk.core.layouts.records import asks

        return asks.resolve(workspace, store, to, words)

    def said(self, entry: Entry) -> Said:
        from memdesk.core.layouts.records import asks

        return asks.said(entry)

    def merged(self, into: Entry, text: str) -> str:
        from memdesk.core.layouts.records import asks

        return asks.merged(into, text)

    def remarks(self, entry: Entry) -> Sequence[str]:
        from memdesk.core.layouts.records import asks

        return asks.remarks(entry)

    def add(self, draft: Draft, store: Store, content: Content) -> None:
        from memdesk.core.layouts.records import writes

        writes.add(draft, store, content)

    def take(self, draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
        from memdesk.core.layouts.records import writes

        writes.take(draft, store, entries, outcome)

    def put(self, draft: Draft, store: Store, destination: Destination, content: Content) -> None:
        from memdesk.core.layouts.records import writes

        writes.put(draft, store, destination, content)

    def amend(self, draft: Draft, store: Store, entry: Entry, change: Change) -> None:
        from memdesk.core.layouts.records import writes

        writes.amend(draft, store, entry, change)

    def renumber(self, draft: Draft, store: Store, entry: Entry, to: str) -> Renumbered:
        from memdesk.core.layouts.records.renumber import renumber

        return renumber(draft, store, entry, to)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.records.rules import RULES

        return RULES

    def guide(self, store: Store) -> str:
        from memdesk.core.layouts.records.guide import guide

        return guide(store)

    def template(self, path: str, today: date) -> Mapping[str, bytes]:
        from memdesk.core.layouts.records.starter import template

        return template(path, today)

    def fresh(self, workspace: Workspace, path: str, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
        from memdesk.core.layouts.records.starter import fresh

        return fresh(workspace, path, files)


LAYOUT = Records()
