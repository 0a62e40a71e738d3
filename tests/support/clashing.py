"""Workspaces in which sources disagree: in several ways, and where git stopped in the middle of a merge."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support.stores import MEMORY, custodian_store

WHEN = {"GIT_AUTHOR_DATE": "2026-11-02T08:00:00Z", "GIT_COMMITTER_DATE": "2026-11-02T08:00:00Z"}

DECISIONS = """# Decisions

## 2026-08-19 - The public API is tRPC

Decision:
[stated] Clients call typed procedures over one endpoint. Old clients are served until March.

Reason:
One client, from the architecture review.

## 2026-05-02 - Store counts as CSV

Decision:
Counts are stored as CSV files, one for each site, and kept for nine years.

Reason:
Volunteers open them in a spreadsheet.

Scope:
project

## 2026-03-14 - Store counts as CSV

Decision:
Counts are kept in SQLite, one table for every site, for ten years.

Reason:
Queries over all sites.

## 2026-02-01 - Cloud sync

Decision:
Sync the counts with a cloud folder.

Reason:
Sites have a network now.
"""
TOMBSTONES = """# Do not use

## Tombstone: Cloud sync

Do not reintroduce this unless the user explicitly reverses it. Reason: sites have no network. Date: 2026-04-11.
"""
CONSTRAINTS = "# Constraints\n\n- Runs without a network connection.\n- Old logs are kept for a year.\n"
PREFERENCES = "# Preferences\n\n## Tone\n\nShort and plain.\n\n## Tone\n\nWarm, with examples.\n"


def clashing(root: Path, **files: str | bytes | None) -> Path:
    """A custodian store with a decision that is there twice, one against a tombstone, and a preference that is there twice;
    committed. Its folder."""
    texts: dict[str, str | bytes | None] = {
        "decisions": DECISIONS, "do-not-use": TOMBSTONES, "constraints": CONSTRAINTS, "preferences": PREFERENCES,
    }
    folder = custodian_store(root, **{**texts, **files})
    _git(root, "init", "-q", "-b", "main")
    _commit(root, "Begin")
    return folder


def unmerged(root: Path, style: str = "merge") -> Path:
    """The same in the middle of a merge: two decisions and a constraint, changed on both sides. `style`: of the markers."""
    folder = clashing(root)
    decisions, constraints = folder / "decisions.md", folder / "constraints.md"
    sides = (("other", "twelve", "until June", "two years"), ("main", "six", "no more", "six months"))
    for branch, years, clients, logs in sides:
        _git(root, "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        text = decisions.read_text().replace("nine years", f"{years} years").replace("until March", clients)
        decisions.write_text(text)
        constraints.write_text(constraints.read_text().replace("kept for a year", f"kept for {logs}"))
        _commit(root, branch)
    done = subprocess.run(
        ["git", "-c", f"merge.conflictStyle={style}", "merge", "other"], cwd=root, capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert _git(root, "ls-files", "--unmerged", MEMORY)
    return folder


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", message)


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True, env={**os.environ, **WHEN})
    return done.stdout
