"""The lock files by which an orchestrator and memdesk tell each other who writes a memory: `.jonggrang/locks/AGENT.lock`.

JSON: {"agent_id", "files": [absolute paths], "acquired_at", "pid"}; stale 30 minutes after `acquired_at`. A process that is
gone makes one stale no sooner: its number says nothing where the other program runs in a container. What cannot be read as
such a file may be one that is just being written: for 30 minutes from its last change it stands for every memory.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memdesk.core.layouts.holding import Lock, Locks
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.model import Store
from memdesk.core.patterns import lazy

STALE = timedelta(minutes=30)
SKEW = timedelta(minutes=5)  # how far another clock may be ahead; a time further on is not believed
ENDING = ".lock"
_OWN = lazy(r"memdesk-[0-9]{1,20}\.lock")


def locks(store: Store) -> Locks:
    """The locks of a store."""
    return _Locks(store)


class _Locks:
    def __init__(self, store: Store) -> None:
        self.folder = store.join(paths.LOCKS)
        self._store = store

    def announced(self, path: str) -> bool:
        inner = self._store.inner(path)
        found = None if inner is None else paths.name_of(inner)
        return found is not None and found.role in ("project", "feature")

    def own(self, name: str) -> bool:
        return _OWN.fullmatch(name) is not None

    def read(self, name: str, data: bytes | None, modified: int, now: str) -> Lock | None:
        if not name.endswith(ENDING) or self.own(name):
            return None
        at = datetime.fromisoformat(now)
        fields = _fields(data)
        since = fields.get("acquired_at")
        acquired = _moment(since)
        if acquired is None or acquired - at > SKEW:
            acquired = _moment(modified // 1_000_000_000)
        if acquired is None or acquired - at > SKEW or at - acquired >= STALE:
            return None
        files, pid = fields.get("files"), fields.get("pid")
        read = isinstance(files, list) and all(isinstance(file, str) for file in files)
        return Lock(
            name, _said(fields.get("agent_id")), pid if type(pid) is int and 0 < pid < 1 << 31 else None, _said(since),
            tuple(files) if isinstance(files, list) and read else None,
        )

    def write(self, pid: int, files: Sequence[str], now: str) -> tuple[str, bytes]:
        fields = {"agent_id": f"memdesk-{pid}", "files": list(files), "acquired_at": now, "pid": pid}
        return f"memdesk-{pid}{ENDING}", json.dumps(fields, indent=2).encode() + b"\n"


def _fields(data: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(data or b"")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _moment(value: object) -> datetime | None:
    """An ISO time, in UTC where it names no zone, or seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip())
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def _said(value: object) -> str:
    """What stands in a field, for a message."""
    from memdesk.core.checks.secrets import brief

    return brief(value, 60) if isinstance(value, str) else ""
