"""An orchestrator beside memdesk: the lock files that it leaves, and those that memdesk leaves for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

NOW = "2026-11-30T04:02:51Z"
SECONDS = 1796011371  # the same since 1970
LOCKS = ".jonggrang/locks"


def leave(root: Path, *paths: str, agent: str = "maker-1", since: str = "2026-11-30T04:00:00Z", pid: int = 4711) -> Path:
    """An orchestrator's lock on files of the workspace (or absolute ones)."""
    fields = {"agent_id": agent, "files": [str(root / path) for path in paths], "acquired_at": since, "pid": pid}
    return raw(root, json.dumps(fields).encode(), agent)


def raw(root: Path, data: bytes, agent: str = "maker-1", age: int = 60) -> Path:
    """A lock file that holds just that, changed so many seconds ago."""
    path = root / LOCKS / f"{agent}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (SECONDS - age, SECONDS - age))
    return path


def left(root: Path) -> list[str]:
    """The names in the folder of locks."""
    return sorted(os.listdir(root / LOCKS)) if (root / LOCKS).is_dir() else []
