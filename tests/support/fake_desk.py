"""A desk that reads nothing from disk: entries made by hand, for tests of widgets and panes alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from memdesk.core.clock import Clock
from memdesk.core.errors import Refused
from memdesk.core.gate import Gate
from memdesk.core.layouts.base import Ask, Destination
from memdesk.core.model import Cap, Document, Entry, Place, Store, Workspace
from memdesk.core.near import Match
from memdesk.core.plan import BudgetChange, Drifted, Plan, Receipt, Request, Step

TODAY = datetime(2026, 11, 30, 9, 0)


class FakeDesk:
    """What panes ask of a desk, over candidates in memory."""

    def __init__(self, texts: Sequence[str], *, read_only: str | None = None, near: dict[str, str] | None = None) -> None:
        self.root = "/somewhere/night-notes"
        self.settings = SimpleNamespace(
            theme=None, keymap={}, budget=SimpleNamespace(near=0.8), editor=SimpleNamespace(command=None)
        )
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
        others = [
            ("brief", 500, "word " * 212), ("decisions", 800, "word " * 640), ("constraints", 400, "word " * 388),
            ("do-not-use", 400, "word " * 420),
        ]
        documents = {self.inbox.path: self.inbox}
        for name, cap, text in others:
            path = f"docs/memory/{name}.md"
            documents[path] = Document(
                path, store, Place(name, "durable", Cap("tokens", cap, "manifest")), text.encode(), lambda d: []
            )
        self.workspace = Workspace(None, [store], documents, [], [])  # type: ignore[arg-type]
        self.asleep: dict[str, date] = {}
        self.plans = 0
        self.drift = ""
        self.warnings: list[str] = []
        self.committed: list[Plan] = []

    def wait_with(self, waiter: object) -> None:
        """There is no lock."""

    def who(self) -> str:
        return "Test Person"

    def candidates(self, snoozed: bool = False) -> list[Entry]:
        return [entry for entry in self.inbox.entries if snoozed or entry.id not in self.asleep]

    def near(self, entry: Entry) -> list[Match]:
        return [
            Match(other, self._near[entry.heading]) for other in self.inbox.entries
            if entry.heading in self._near and other is not entry
        ][:2]

    def opposed(self, candidates: Sequence[Entry]) -> dict[str, str]:
        return {}

    def history(self) -> list[Any]:
        return []

    def snoozes(self) -> list[Any]:
        return [SimpleNamespace(id=ident, until=until) for ident, until in self.asleep.items()]

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        return False

    # Verdicts: a decision at the top of decisions.md, the bullet out of the inbox.

    def gate(self, entry: Entry) -> Gate | None:
        return None

    def promotable(self, ids: Sequence[str]) -> bool:
        return True

    def passing(self, ident: str) -> dict[str, str]:
        return {}

    def destinations(self, ids: Sequence[str]) -> list[Destination]:
        decision = (
            Ask("title", "Title", True, self.workspace.find(ids[0]).heading),
            Ask("reason", "Reason", True, hint="why it holds"),
            Ask("scope", "Scope", hint="the whole project"),
            Ask("tag", "Tag", choices=("", "stated", "observed")),
        )
        return [
            Destination("decisions", "Decisions", "docs/memory/decisions.md", decision),
            Destination("constraints", "Constraints", "docs/memory/constraints.md"),
            Destination("area:storage", "Area storage", "docs/memory/areas/storage.md", decision),
        ]

    def subjects(self, ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(ids)

    def ends(self, ids: Sequence[str]) -> str:
        return "strike"

    def instead(self, verb: str, ids: Sequence[str]) -> str:
        return verb

    def singly(self, verb: str, ids: Sequence[str]) -> bool:
        return False

    def asks(self, verb: str, ids: Sequence[str]) -> tuple[Ask, ...]:
        return (Ask("reason", "Reason", False),) if verb in ("strike", "reject") else ()

    def plan(self, request: Request) -> Plan:
        entries = [self.workspace.find(ident) for ident in request.ids]
        if request.verb == "promote" and request.words["to"] == "decisions" and not request.words.get("reason"):
            raise Refused("A decision needs its reason.", field="reason", remedy="Say why it holds.")
        before = self.inbox.data
        after = before
        for entry in reversed(entries):
            after = after[: entry.start] + after[entry.end :]
        self.plans += 1
        words = request.words
        text = f"## 2026-11-30 - {words.get('title', '')}\n\nReason: {words.get('reason', '')}\n{self.drift}".encode()
        old = self.workspace.documents["docs/memory/decisions.md"].data
        return Plan(
            request,
            f"{request.verb} of {len(entries)}",
            f"{request.verb.title()} to decisions.md · 640 → 671 of 800 tokens · inbox 12 → 11",
            (Step("replace", self.inbox.path, before, after), Step("replace", "docs/memory/decisions.md", old, text + old)),
            budgets=(BudgetChange("docs/memory/decisions.md", "tokens", 640, 671, 800),),
            warnings=tuple(self.warnings),
        )

    def commit(self, plan: Plan, who: str) -> Receipt:
        new = self.plan(plan.request)
        if new.hunks() != plan.hunks():
            raise Drifted("The files changed since.", new)
        self.committed.append(plan)
        return Receipt(f"t{len(self.committed)}", plan)

    def kept(self) -> list[Any]:
        return []

    def pending(self) -> list[Any]:
        return []
