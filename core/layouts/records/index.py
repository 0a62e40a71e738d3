"""All records of a workspace by number and path, read once for a check: what a relation names is found at once."""

from __future__ import annotations

import posixpath

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memdesk.core.model import Document, Entry, Workspace


class Index:
    """The first entry of each record and design record, by path, and of records by number."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.paths: dict[str, Entry] = {}
        self.numbers: dict[int, list[Entry]] = {}
        for document in documents:
            if document.store.layout == "records" and document.place.role in ("record", "design") and document.entries:
                entry = document.entries[0]
                self.paths[document.path] = entry
                if entry.number is not None and document.place.role == "record":
                    self.numbers.setdefault(entry.number, []).append(entry)

    @classmethod
    def of(cls, workspace: Workspace, shared: dict[str, Any]) -> Index:
        """That of a workspace, made once for all stores of one check."""
        known: Index | None = shared.get("records-index")
        if known is None:
            known = shared["records-index"] = cls(workspace.documents.values())
        return known

    def find(self, entry: Entry, target: str) -> Entry | None:
        """The record that a relation's target names, seen from `entry`: by its number in the same store, else in all; else by
        its path. None where none or several could be meant."""
        if target.isascii() and target.isdigit():
            every = self.numbers.get(int(target), [])
            own = [one for one in every if one.document.store is entry.document.store] or every
            return own[0] if len(own) == 1 else None
        return self.paths.get(posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), target.partition("#")[0])))

    def successor(self, entry: Entry) -> Entry | None:
        """The record that supersedes it, as it says itself."""
        after = (self.find(entry, target) for kind, target in entry.relations if kind == "superseded-by")
        return next((one for one in after if one is not None), None)
