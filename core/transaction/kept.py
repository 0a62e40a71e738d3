"""Texts of others that lie in the history: what was written to an old file after a commit had taken it out.

A program that holds a file open across a commit writes to the old one. That file stays in the transaction's folder, so
nothing of it is lost; here it is found again. Also what a recovery could not bring back under its name stands here.
"""

from __future__ import annotations

from datetime import UTC, datetime

from memdesk.core.lean import NamedTuple
from memdesk.core.transaction.ground import Ground
from memdesk.core.transaction.journal import Change, Journal, digest


class Kept(NamedTuple):
    """One such text. `id`: the transaction whose folder keeps it; `path`: the file that it was written for.

    `at`: when it was written last, UTC; `size` in bytes; `name`: its name in that folder.
    """

    id: str
    path: str
    at: str
    size: int
    name: str


class Keep:
    """Finds them; a file that is what it was when it was last looked at is not read again."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._known: dict[str, tuple[tuple[int, int, int], str | None]] = {}

    def of(self, name: str, header: Journal | None) -> tuple[Kept, ...]:
        """Those in a history folder. `header`: its journal, with or without bytes; None where that cannot be read, and
        then nothing can be told from what was only staged. Raises OSError."""
        if header is None:
            return ()
        folder = f"{self.ground.history}/{name}"
        found: list[Kept] = []
        for text in old_files(self.ground.names(folder)):
            number = _number(text)
            if number >= len(header.changes):
                continue
            item = header.changes[number]
            status = self.ground.files.stat(f"{folder}/{text}")
            if status is None or status.kind != "file" or self._digest(f"{folder}/{text}") in _expected(item):
                continue
            at = datetime.fromtimestamp(status.modified // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            found.append(Kept(header.id, item.path, at, status.size, text))
        return tuple(found)

    def _digest(self, path: str) -> str | None:
        status = self.ground.files.stat(path)
        if status is None:
            return None
        signature = (status.inode, status.size, status.modified)
        known = self._known.get(path)
        if known is None or known[0] != signature:
            if len(self._known) > 5000:
                self._known.clear()
            known = self._known[path] = (signature, digest(self.ground.files.read(path)))
        return known[1]


def old_files(names: list[str]) -> list[str]:
    """Of the names in a history folder those of files that a commit took out: `sN`, or `sN.K`."""
    return [name for name in names if name[:1] == "s" and name[1:].partition(".")[0].isdigit()]


def _number(text: str) -> int:
    return int(text[1:].partition(".")[0])


def _expected(item: Change) -> set[str | None]:
    return {item.before_digest, item.after_digest}
