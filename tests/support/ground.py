"""A folder with a few memory files and the transactions over it, for tests of the transaction layer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from memdesk.core.clock import clock
from memdesk.core.plan import Plan, Request, Step
from memdesk.core.transaction.files import REAL, Files
from memdesk.core.transaction.transactions import Transactions

INBOX = b"# Inbox\n\n- one\n- two\n- three\n"
DECISIONS = b"# Decisions\n\n## Old\n\nDecision:\nkeep\n"
MANIFEST = b"# Manifest\n\n- None enabled.\n"

Edit = Callable[[bytes | None], bytes | None]


class Room:
    """A workspace in a real folder. `edits` say what a plan does to each path, on the bytes that are there then."""

    def __init__(self, root: Path, files: Mapping[str, bytes] | None = None) -> None:
        self.root = root / "work"
        self.root.mkdir()
        self.state = self.root / ".git" / "memdesk"
        (self.root / ".git").mkdir()
        for path, data in (files or {"inbox.md": INBOX, "decisions.md": DECISIONS, "manifest.md": MANIFEST}).items():
            self.put(path, data)

    def put(self, path: str, data: bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    def get(self, path: str) -> bytes | None:
        target = self.root / path
        return target.read_bytes() if target.is_file() else None

    def all(self) -> dict[str, bytes]:
        """Every file outside the state folder, by path: temporary ones would show."""
        found = {}
        for folder, _, names in os.walk(self.root):
            if not folder.startswith(str(self.state)):
                for name in names:
                    full = os.path.join(folder, name)
                    if os.path.isfile(full):
                        found[os.path.relpath(full, self.root)] = Path(full).read_bytes()
        return found

    def folders(self) -> set[str]:
        return {
            os.path.relpath(os.path.join(folder, name), self.root)
            for folder, names, _ in os.walk(self.root) for name in names if ".git" not in os.path.join(folder, name)
        }

    def open(
        self, files: Files = REAL, now: str = "2026-11-30T04:02:51", head: Callable[[], str | None] = lambda: "a" * 40
    ) -> Transactions:
        return Transactions(str(self.root), str(self.state), files=files, clock=clock(now), head=head)

    def plan(self, edits: Mapping[str, Edit], **facts: object) -> Plan:
        """A plan from the files as they are now."""
        return plan(str(self.root), edits, **facts)

    def apply(self, edits: Mapping[str, Edit], **facts: object) -> str:
        """Applies edits, and gives the id."""
        receipt = self.open().apply(lambda: self.plan(edits, **facts), None, "Ada")
        assert receipt.id is not None
        return receipt.id

    def history_names(self) -> list[str]:
        return sorted(os.listdir(self.state / "history"))

    def pending_names(self) -> list[str]:
        folder = self.state / "txn"
        return sorted(name for name in (os.listdir(folder) if folder.is_dir() else ()) if not name.startswith("generation"))


def plan(root: str, edits: Mapping[str, Edit], **facts: object) -> Plan:
    """The steps that edits come to: a folder for an edit that is `folder`."""
    steps = []
    for path, edit in edits.items():
        if edit is folder:
            steps.append(Step("mkdir", path))
            continue
        full = os.path.join(root, path)
        before = Path(full).read_bytes() if os.path.isfile(full) else None
        after = edit(before)
        kind = "create" if before is None else "delete" if after is None else "replace"
        steps.append(Step(kind, path, before, after))
    fields: dict[str, object] = {
        "request": Request("promote"), "summary": 'Promoted "one" from inbox.md to decisions.md.', "label": "Promote",
        "steps": tuple(steps), **facts,
    }
    return Plan(**fields)  # type: ignore[arg-type]


def without(line: bytes) -> Edit:
    """Takes a line out, which must be there."""

    def edit(data: bytes | None) -> bytes | None:
        assert data is not None
        assert line in data, (line, data)
        return data.replace(line, b"", 1)

    return edit


def below(anchor: bytes, text: bytes) -> Edit:
    """Puts a text below a line."""

    def edit(data: bytes | None) -> bytes | None:
        assert data is not None
        assert anchor in data
        return data.replace(anchor, anchor + text, 1)

    return edit


def end(text: bytes) -> Edit:
    """Appends a text."""
    return lambda data: (data or b"") + text


def new(text: bytes) -> Edit:
    """Makes a file."""
    return lambda _data: text


def gone(_data: bytes | None) -> bytes | None:
    """Deletes a file."""
    return None


def folder(_data: bytes | None) -> bytes | None:
    """Makes a folder."""
    raise AssertionError("a folder has no bytes")


PROMOTE: Mapping[str, Edit] = {
    "decisions.md": below(b"# Decisions\n\n", b"## one\n\nDecision:\none\n\n"),
    "manifest.md": below(b"# Manifest\n", b"\n- `areas/new.md`: one\n"),
    "inbox.md": without(b"- one\n"),
}
"""Three files, as a promote changes them."""
