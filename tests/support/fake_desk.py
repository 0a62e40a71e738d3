"""A desk that reads nothing from disk: entries made by hand, for tests of widgets and panes alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from memdesk.core.clock import Clock
from memdesk.core.model import Cap, Document, Entry, Place, Store, Workspace
from memdesk.core.near import Match

TODAY = datetime(2026, 11, 30, 9, 0)


class FakeDesk:
    """What panes ask of a desk, over candidates in memory."""

    def __init__(self, texts: Sequence[str], *, read_only: str | None = None, near: dict[str, str] | None = None) -> None:
        self.root = "/somewhere/night-notes"
        self.settings = SimpleNamespace(theme=None, keymap={}, budget=SimpleNamespace(near=0.8), editor=SimpleNamespace(command=None))
        self.clock = Clock(TODAY)
        self.git: Any = SimpleNamespace(branch="main")
        self.read_only = read_only
        self._near = near or {}
        store = Store("custodian", "docs/memory", "manifest.md")
        self.entries_: list[Entry] = []
        data = "\n".join(f"- {text}" for text in texts).encode()
        offsets, at = [], 0
        for text in texts:
            size = len(f"- {text}".encode()) + 1
            offsets.append((at, at + size))
            at += size

        def entries(document: Document) -> list[Entry]:
            line, found = 1, []
            for number, (text, (start, end)) in enumerate(zip(texts, offsets, strict=True)):
                lines = text.count("\n") + 1
                found.append(Entry(
                    document, kind="bullet", start=start, end=end, line=line, end_line=line + lines - 1,
                    heading=text.split("\n")[0][:80], candidate=True, tag=("observed", "inferred", None)[number % 3],
                    date=(date(2026, 11, 28) - timedelta(days=number)).isoformat(),
                ))
                line += lines
            return found

        self.inbox = Document("docs/memory/inbox.md", store, Place("inbox", "working"), data, entries)
        self.inbox.__dict__["ids"] = [f"docs/memory/inbox.md#{number:08x}" for number in range(len(texts))]
        others = [
            ("brief", 500, "word " * 212), ("decisions", 800, "word " * 640), ("constraints", 400, "word " * 388),
            ("do-not-use", 400, "word " * 420),
        ]
        documents = {self.inbox.path: self.inbox}
        for name, cap, text in others:
            path = f"docs/memory/{name}.md"
            documents[path] = Document(path, store, Place(name, "durable", Cap("tokens", cap, "manifest")), text.encode(), lambda d: [])
        self.workspace = Workspace(None, [store], documents, [], [])  # type: ignore[arg-type]
        self.asleep: dict[str, date] = {}

    def who(self) -> str:
        return "Test Person"

    def candidates(self, snoozed: bool = False) -> list[Entry]:
        return [entry for entry in self.inbox.entries if snoozed or entry.id not in self.asleep]

    def near(self, entry: Entry) -> list[Match]:
        return [
            Match(other, self._near[entry.heading]) for other in self.inbox.entries
            if entry.heading in self._near and other is not entry
        ][:2]

    def history(self) -> list[Any]:
        return []

    def snoozes(self) -> list[Any]:
        return [SimpleNamespace(id=ident, until=until) for ident, until in self.asleep.items()]

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        return False
