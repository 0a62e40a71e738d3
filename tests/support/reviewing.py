"""A branch of the example store as a reviewer gets it: entries come, go, change, move and are left out; an area is renamed."""

from __future__ import annotations

from pathlib import Path

from tests.support.benches import commit, demo
from tests.support.stores import git

MARKDOWN = (
    "## 2026-11-20 - Export as Markdown too\n\nDecision:\nAn export is Markdown where the path ends in `.md`.\n\nReason:\n"
    "Readers asked for headings that survive.\n\n"
)
STONE = (
    "## Tombstone: Sync over mail\n\nDo not reintroduce this unless the user explicitly reverses it.\nReason: two of three"
    " providers dropped the attachment.\nDate: 2026-11-21\n\n"
)
MOVED = "- Session files stay readable and mendable in any text editor.\n"


def branch(root: Path, name: str = "exports") -> Path:
    """The example store on main, and a branch of it checked out, committed; returns the store's folder."""
    store = demo(root)
    git(root, "checkout", "-q", "-b", name)
    edit(store / "decisions.md", "## 2026-10-19 - Export", f"{MARKDOWN}## 2026-10-19 - Export")
    edit(store / "decisions.md", "mode 0600 and never overwrites", "mode 0640 and never overwrites without a question")
    edit(store / "constraints.md", MOVED, "")
    edit(store / "constraints.md", "- Starts in under 100 ms", "- Starts in under 150 ms")
    edit(store / "constraints.md", "no telemetry, no crash reports, no update check", "no telemetry and no crash reports")
    edit(store / "preferences.md", "- Functions over classes", f"{MOVED}- Functions over classes")
    edit(store / "do-not-use.md", "## Tombstone:", f"{STONE}## Tombstone:")
    (store / "areas/storage.md").rename(store / "areas/session.md")
    edit(store / "manifest.md", "`areas/storage.md`", "`areas/session.md`")
    edit(store / "manifest.md", "`decisions.md`: 450 tokens", "`decisions.md`: 440 tokens")
    commit(root, "Exports", "2026-11-22")
    return store


def edit(path: Path, old: str, new: str) -> None:
    """Replaces the first of what has to be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
