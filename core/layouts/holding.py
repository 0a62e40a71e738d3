"""How the programs that write in one store tell each other so: by files that say who writes what, and since when.

A layout knows their form; `announcing` looks for those of others, and leaves and removes memdesk's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core.lean import NamedTuple, Protocol


class Lock(NamedTuple):
    """What one such file says: `holder` and `since` as they stand there, "" for nothing. `files` are absolute paths as its
    writer sees them; None where it can't be read: it may name any file that is announced."""

    name: str
    holder: str
    pid: int | None
    since: str
    files: tuple[str, ...] | None


class Locks(Protocol):
    """The form of a store's lock files. `folder`: where they are, workspace-relative."""

    folder: str

    def announced(self, path: str) -> bool:
        """Whether who writes to a workspace-relative path says so."""

    def own(self, name: str) -> bool:
        """Whether a file of this name is memdesk's. Memdesks go by the workspace's lock among themselves, so that one that is
        found under it was left by a memdesk that was killed."""

    def read(self, name: str, data: bytes | None, modified: int, now: str) -> Lock | None:
        """What a lock file says; None for one that holds no longer, and for what is none. `data`: None where it is no file that
        could be read; `modified`: nanoseconds since 1970; `now`: UTC, as `Clock.stamp` gives it."""

    def write(self, pid: int, files: Sequence[str], now: str) -> tuple[str, bytes]:
        """Name and content of memdesk's own, for absolute paths."""
