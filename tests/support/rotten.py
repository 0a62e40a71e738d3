"""A small workspace in which something of nearly every kind has rotted, for prune sessions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.stores import MEMORY, custodian_store, git_repo

DECISIONS = """# Decisions

## 2026-08-19 - The public API is tRPC

Decision:
Clients call typed procedures over one endpoint.

Reason:
One client, from the architecture review.

## 2026-05-02 - Store counts as CSV

Decision:
Counts are stored as CSV files, one for each site.

Reason:
Volunteers open them in a spreadsheet, see [the guide](guide.md).

Scope:
project

## 2026-01-14 - The public API is tRPC

Decision:
Clients call untyped procedures.

Reason:
One client.

## ~~2024-03-01 - Sync by FTP~~

Struck: 2024-05-01. Nobody has the password any more.

Decision:
Counts are sent by FTP each night.

## ~~2024-02-01 - Print the counts~~

Struck: 2024-06-01. The printer is gone.

Decision:
Counts are printed and posted.
"""
CONSTRAINTS = """# Constraints

- Runs without a network connection.
- Old logs are kept for a year.
- Every count names its observer.
- Runs without a network connection.
- Old logs are kept for a year.
"""
TOMBSTONES = """# Do not use

## Tombstone: Cloud sync

Do not reintroduce this unless the user explicitly reverses it. Reason: sites have no network. Date: 2026-04-11.
"""
PREFERENCES = """# Preferences

- Short answers, in plain words.
- Dates are written as 2026-11-30.
- Tables rather than long lists where there are numbers.
- Names of birds in English and in Latin, the Latin one in brackets.
"""
INBOX = """# Inbox

## 2026-11-20

- Every count names its observer.
- Cloud sync
"""
TEXTS: Mapping[str, str] = {
    "decisions": DECISIONS, "constraints": CONSTRAINTS, "do-not-use": TOMBSTONES, "preferences": PREFERENCES, "inbox": INBOX,
    "changelog": "# Changelog\n",
}
CAPS = ("decisions.md: 800 tokens max", "preferences.md: 30 tokens max")


def rotten(root: Path, **files: str | bytes | None) -> Path:
    """A custodian store in a repository: said twice, superseded, struck for long, a dead link, over its budget,
    rejected before. Its folder."""
    folder = custodian_store(root, budgets=CAPS, **{**TEXTS, **files})
    git_repo(root)
    return folder


__all__ = ["CONSTRAINTS", "DECISIONS", "INBOX", "MEMORY", "PREFERENCES", "TOMBSTONES", "rotten"]
