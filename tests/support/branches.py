"""Pairs of branches on which people and agents worked, for real merges: seeded, with an account of every entry.

What must come of a merge is counted, not merged: of each text as many as on both sides, less those of the base.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

from memdesk.core import gitsetup
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.git import discover
from memdesk.core.model import Entry
from memdesk.core.plan import Request
from tests.support.stores import custodian_store, git, git_repo

WORDS = (
    "retry", "sync", "cache", "site", "count", "report", "volunteer", "plover", "heron", "index", "table", "sheet", "upload",
    "map", "tide", "nest", "ring", "dawn", "reed", "shore", "ferry", "ledger", "lantern", "gravel", "orchard", "window",
)
DAYS = ("2026-11-28", "2026-11-29", "2026-11-30")
Account = Counter[tuple[str, str]]  # (path, text) of entries


def with_driver(root: Path, command: str | None = None) -> None:
    """Sets a repository up as `init --git` does; `command` instead of this very memdesk."""
    repository = discover(str(root))
    assert repository is not None
    gitsetup.configure(repository, command or gitsetup.command([sys.executable, "-m", "memdesk"]))
    step = gitsetup.step(_desk(root).workspace)
    if step is not None and step.after is not None:
        (root / step.path).write_bytes(step.after)


def repository(root: Path, random: Random) -> Path:
    """A store with some of everything, on branch main, committed."""
    sentence = Sentences(random)
    dates = random.sample(["2026-11-21", "2026-11-15", "2026-11-02", "2026-10-11"], random.randint(0, 3))
    inbox = "# Inbox\n" + "".join(
        f"\n## {day}\n\n" + "".join(f"- [observed] {next(sentence)}\n" for _ in range(random.randint(1, 3)))
        for day in sorted(dates, reverse=True)
    )
    decisions = "# Decisions\n" + "".join(
        f"\n## {day} - {next(sentence)}\n\nDecision:\n{next(sentence)}.\n\nReason:\n{next(sentence)}.\n\nScope:\nproject\n"
        for day in ("2026-09-20", "2026-08-04", "2026-05-02")[: random.randint(0, 3)]
    )
    lines = "".join(f"- {next(sentence)}\n" for _ in range(random.randint(1, 4)))
    custodian_store(
        root, inbox=inbox if dates else "# Inbox\n\nNo unprocessed memory candidates.\n", decisions=decisions,
        constraints=f"# Constraints\n\nThey hold.\n\n{lines}",
        changelog=random.choice([None, "# Changelog\n", "# Changelog\n\n## 2026-11-01\n\n- Began\n"]),
        **random.choice([{}, {"areas/storage": f"# Area: storage\n\nLoad it for storage.\n\n- {next(sentence)}\n"}]),
    )
    git_repo(root, commit=False)
    with_driver(root)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    return root


class Diverged(NamedTuple):
    """What there was and is, on each branch."""

    base: Account
    ours: Account
    theirs: Account

    @property
    def expected(self) -> Account:
        """What must be there after a merge: what was, with what each side put in and without what it took out."""
        found: Account = Counter()
        for key in {*self.base, *self.ours, *self.theirs}:
            base, ours, theirs = self.base[key], self.ours[key], self.theirs[key]
            came = max(ours - base, theirs - base, 0)  # the same on both sides once
            found[key] = base + came - max(base - ours, base - theirs, 0)
        return +found


def diverge(root: Path, random: Random, most: int = 5) -> Diverged:
    """Branches main and side, each with verdicts of its own about entries of its own; main is checked out."""
    git(root, "branch", "side")
    desk = _desk(root)
    base = _account(desk)
    entries = [entry.id for entry in desk.workspace.entries() if entry.role not in ("brief", "changelog")]
    found = {}
    random.shuffle(entries)
    cut = random.randint(0, len(entries))
    sentence = Sentences(random)
    for branch, own in (("side", entries[:cut]), ("main", entries[cut:])):
        git(root, "checkout", "-q", branch)
        for day in sorted(random.choices(DAYS, k=random.randint(1, most))):
            desk = _desk(root, day)
            present = {entry.id: entry for entry in desk.workspace.entries()}
            known = [present[ident] for ident in own if ident in present]
            with suppress(Refused):  # a tombstone can't be archived, and such
                desk.perform(_verdict(random, known, sentence), "Ada")
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", f"Work on {branch}")
        found[branch] = _account(desk)
    return Diverged(base, found["main"], found["side"])


def wrong(root: Path, diverged: Diverged) -> list[str]:
    """What is not as it must be after the branches were merged: entries lost or doubled, what `--check` finds, markers."""
    if marked := markers(root):
        return [f"markers in {path}" for path in marked]
    desk = _desk(root)
    found, expected = _account(desk), diverged.expected
    problems = [f"lost: {key}" for key in expected - found] + [f"too many: {key}" for key in found - expected]
    problems += [
        f"{item.path}:{item.line} {item.rule} {item.message}" for item in desk.check().findings if item.severity == "error"
    ]
    return problems + _untidy(root, any(entry.candidate for entry in desk.workspace.entries()))


def markers(root: Path) -> list[str]:
    """The files that hold conflict markers."""
    return [
        path.relative_to(root).as_posix() for path in sorted(root.rglob("*.md")) if b"\n<<<<<<<" in b"\n" + path.read_bytes()
    ]


def _untidy(root: Path, waiting: bool) -> list[str]:
    """What no verb leaves behind: a heading twice or out of order, a line for no candidates beside some, blank lines."""
    found = []
    for path in sorted((root / "docs/memory").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        days = [line[3:13] for line in text.split("\n") if line.startswith("## 20")]
        if path.name in ("inbox.md", "changelog.md") and (days != sorted(days, reverse=True) or len(set(days)) < len(days)):
            found.append(f"{path.name}: {days}")
        if "\n\n\n" in text or text.endswith("\n\n") or not text.endswith("\n"):
            found.append(f"{path.name}: blank lines")
    if waiting == ("No unprocessed" in (root / "docs/memory/inbox.md").read_text(encoding="utf-8")):
        found.append(f"inbox.md: candidates {waiting}")
    return found


class Sentences(Iterator[str]):
    """Texts that are not alike, each once."""

    _made = 0

    def __init__(self, random: Random) -> None:
        self.random = random

    def __next__(self) -> str:
        Sentences._made += 1
        return f"{' '.join(self.random.sample(WORDS, 7))} {Sentences._made}".capitalize()


def _account(desk: Desk) -> Account:
    return Counter((entry.path, entry.text) for entry in desk.workspace.entries())


def _desk(root: Path, day: str = "2026-11-30") -> Desk:
    return Desk.open(os.fspath(root), clock=Clock(datetime.fromisoformat(day)), user_config=None)


def _verdict(random: Random, known: list[Entry], sentence: Sentences) -> Request:
    """Something that a person or an agent does: about one of the entries known, or a new candidate."""
    if not known or random.random() < 0.35:
        return Request("add", words={"text": next(sentence), "tag": "observed"}, store="docs/memory")
    entry = random.choice(known)
    why = {"reason": next(sentence)}
    if entry.candidate:
        verb = random.choice(["promote", "promote", "reject", "reject", "edit"])
    else:
        verb = random.choice(["strike", "strike", "edit", "archive"])
    words: dict[str, str] = {}
    if verb == "promote":
        words = {"to": random.choice(["decisions", "constraints", "preferences", f"area:{random.choice(WORDS)}"]), **why}
    elif verb == "reject":
        words = random.choice([{}, why, {**why, "tombstone": "yes"}])
    elif verb == "strike":
        words = random.choice([{}, {"with": next(sentence), "title": next(sentence), **why}])
    elif verb == "edit":
        *front, last = entry.text.rstrip().split(" ")
        words = {"text": " ".join([*front, "indeed", last])}
    return Request(verb, (entry.id,), words, person=True)
