"""Plans made on a real store on disk, and what the files would hold after."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from memdesk.core import actions, config
from memdesk.core.model import Document, Entry, Workspace
from memdesk.core.plan import Plan, Request
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, jonggrang_store, records_store, tiers_store

TODAY = date(2026, 11, 30)


class Bench:
    """A store on disk with its workspace. `files` as in `custodian_store`."""

    folder = MEMORY

    def __init__(self, root: Path, **files: Any) -> None:
        self.root = root
        self.make(files)
        self.read()

    def make(self, files: dict[str, Any]) -> None:
        custodian_store(self.root, **files)

    def path(self, name: str) -> str:
        """The workspace-relative path of a file of the store."""
        return name if self.folder == "." else f"{self.folder}/{name}"

    def read(self) -> Workspace:
        """Reads the store again, from the disk."""
        settings = config.defaults()
        self.workspace = open_workspace(work_tree(str(self.root), settings), settings)
        return self.workspace

    def document(self, name: str) -> Document:
        return self.workspace.documents[self.path(name)]

    def entries(self, name: str) -> list[Entry]:
        return self.document(name).entries

    def plan(self, verb: str, entries: Sequence[Entry] = (), person: bool = True, answers: Any = None, **words: str) -> Plan:
        words = {key.rstrip("_"): value for key, value in words.items()}
        request = Request(verb, tuple(entry.id for entry in entries), words, answers or {}, person=person)
        return actions.plan(self.workspace, request, TODAY)

    def after(self, plan: Plan, name: str) -> bytes:
        """What a file holds after a plan; its present bytes where the plan leaves it alone."""
        for step in plan.steps:
            if step.path == self.path(name) and step.kind in ("replace", "create"):
                assert step.after is not None
                return step.after
        return self.document(name).data

    def apply(self, plan: Plan) -> Workspace:
        """Writes a plan's files as they are, without the transaction layer, and reads again."""
        for step in plan.steps:
            target = self.root / step.path
            if step.kind == "mkdir":
                target.mkdir()
            elif step.kind == "delete":
                target.unlink()
            else:
                assert step.after is not None
                assert (target.read_bytes() if target.exists() else None) == step.before
                target.write_bytes(step.after)
        return self.read()

    def names(self, plan: Plan) -> list[str]:
        """The files that a plan writes, by their names in the store, in the order of the steps."""
        return [path.removeprefix("" if self.folder == "." else f"{self.folder}/") for path in plan.paths]


class MemoryBench(Bench):
    """A store of layout agent-memory at the workspace's root; `files` as in `agent_memory_store`."""

    folder = "."

    def make(self, files: dict[str, Any]) -> None:
        agent_memory_store(self.root, **files)

    def candidate(self, name: str, text: str = "") -> Entry:
        """The candidate of a note that holds these words; the first where none are given."""
        return next(entry for entry in self.entries(name) if entry.candidate and text in entry.text)


class RecordsBench(Bench):
    """A store of layout records at the workspace's root; `files` as in `records_store`."""

    folder = "."

    def make(self, files: dict[str, Any]) -> None:
        records_store(self.root, **files)

    def entry(self, name: str) -> Entry:
        """The record whose file's name begins so, or the term of that name."""
        return next(
            entry for entry in self.workspace.entries()
            if entry.path.rpartition("/")[2].startswith(name) or entry.heading == name
        )


class TiersBench(Bench):
    """A store of layout tiers in `memory/`; `files` as in `tiers_store`."""

    folder = "memory"

    def make(self, files: dict[str, Any]) -> None:
        tiers_store(self.root, **files)

    def plan(self, verb: str, entries: Sequence[Entry] = (), person: bool = True, answers: Any = None, **words: str) -> Plan:
        """At five past two in the afternoon."""
        words = {key.rstrip("_"): value for key, value in words.items()}
        request = Request(verb, tuple(entry.id for entry in entries), words, answers or {}, person=person, at="14:05")
        return actions.plan(self.workspace, request, TODAY)

    def entry(self, name: str, text: str = "") -> Entry:
        """The entry of a file that holds these words; the first where none are given."""
        return next(entry for entry in self.entries(name) if text in entry.text)


class JonggrangBench(Bench):
    """A store of layout jonggrang in `.jonggrang/`; `files` as in `jonggrang_store`."""

    folder = ".jonggrang"

    def make(self, files: dict[str, Any]) -> None:
        jonggrang_store(self.root, **files)

    def plan(self, verb: str, entries: Sequence[Entry] = (), person: bool = True, answers: Any = None, **words: str) -> Plan:
        """At five past two in the afternoon, UTC."""
        words = {key.rstrip("_"): value for key, value in words.items()}
        ids = tuple(entry.id for entry in entries)
        request = Request(verb, ids, words, answers or {}, person=person, at="14:05", stamp="2026-11-30T14:05:09Z")
        return actions.plan(self.workspace, request, TODAY)

    def entry(self, name: str, text: str = "", *, candidate: bool | None = None) -> Entry:
        """The entry of a file that holds these words; the first where none are given. `candidate`: of these or the others."""
        return next(
            entry for entry in self.entries(name) if text in entry.text and candidate in (None, entry.candidate)
        )
