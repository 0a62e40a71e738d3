"""The state folder, and what is personal in it: snoozes and session cursors. Losing it loses no memory.

Light enough for the check: what it needs is imported where it is used.
"""

from __future__ import annotations

import os

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from memdesk.core.config import Settings
    from memdesk.core.transaction.files import Files


def state_dir(root: str, git_dir: str | None, settings: Settings | None = None) -> str:
    """The absolute path of a workspace's state folder: a function of the workspace alone, so that all writers meet there.

    `state.dir` moves it: relative to the root; outside of it, workspaces share it with a folder each. The folder itself
    is made by the first that writes.
    """
    real = os.path.realpath(root)
    chosen = settings.state.dir if settings is not None else None
    if chosen:
        path = os.path.realpath(os.path.join(real, os.path.expanduser(chosen)))
        if path == real or path.startswith(real.rstrip("/") + "/"):
            return path if path != real else os.path.join(real, ".memdesk", "state")
        from hashlib import sha256

        return os.path.join(path, f"{os.path.basename(real)}-{sha256(os.fsencode(real)).hexdigest()[:12]}")
    if git_dir is not None:
        return os.path.join(os.path.realpath(git_dir), "memdesk")
    return os.path.join(real, ".memdesk", "state")


def interrupted(state: str) -> list[str]:
    """The ids of transactions that are prepared and not committed: interrupted ones, or one that is being carried out
    this very moment (look again). One look at a folder, for readers, who only warn."""
    try:
        names = os.listdir(os.path.join(state, "txn"))
    except OSError:
        return []
    return sorted(name for name in names if "-" in name and "." not in name)


def generation(state: str) -> str:
    """Equal before and after a reading: no commit came between. Ends in "+" while one is under way. For readers that must
    stay light; `Transactions.generation` says the same."""
    try:
        data = short(os.path.join(state, "txn", "generation"))
    except OSError:
        data = b""
    return (data or b"0").decode("ascii", "replace") + ("+" if interrupted(state) else "")


def short(path: str) -> bytes:
    """The first 4096 bytes of a file; a FIFO in its place is not waited for. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        return os.read(handle, 4096)
    finally:
        os.close(handle)


class Personal:
    """Snoozes and session cursors of one state folder. To readers, missing files and rubbish count as empty, and so do
    unreadable ones; who changes something refuses then, so that what could not be read is not written over.

    `guard` is entered while a file is read, changed and written: the transactions' lock (`Transactions.lock`).
    """

    def __init__(self, files: Files, state: str, guard: Callable[[str], Any]) -> None:
        self._files = files
        self._state = state
        self._guard = guard

    def snoozes(self) -> dict[str, str]:
        """Entry ids with the date (YYYY-MM-DD) until which each is put aside, past ones too."""
        return self._read("snoozes.json")

    def snooze(self, ids: Iterable[str], until: str) -> None:
        """Puts entries aside. Raises MemdeskError: the lock, or the disk."""
        self._change("snoozes.json", dict.fromkeys(ids, until))

    def unsnooze(self, ids: Iterable[str]) -> None:
        """Brings them back; unknown ones do not matter."""
        self._change("snoozes.json", dict.fromkeys(ids))

    def fields(self, file: str) -> dict[str, str]:
        """What a file of the state holds, by key."""
        return self._read(file)

    def rewrite(self, file: str, change: Callable[[dict[str, str]], Mapping[str, str]]) -> None:
        """Writes what `change` makes of what the file holds by then: what another terminal wrote meanwhile is in it. Raises
        MemdeskError: the lock, or the disk."""
        from memdesk.core.transaction.problems import failure

        with self._guard("state"):
            try:
                before = self._read(file, changing=True)
                after = dict(change(dict(before)))
                if after != before:
                    self._write(file, after)
            except OSError as error:
                raise failure(error, f"{self._state}/{file}", "Nothing was changed.") from error

    def purge(self, texts: Iterable[str]) -> None:
        """Forgets what holds one of the texts, case aside. The caller holds the lock. Raises OSError."""
        wanted = [text.casefold() for text in texts if text.strip()]
        for file in ("snoozes.json", "pruning.json"):
            fields = self._read(file, changing=True)
            told = {key: f"{key}\n{_told(value)}".casefold() for key, value in fields.items()}
            kept = {key: value for key, value in fields.items() if not any(text in told[key] for text in wanted)}
            if kept != fields:
                self._write(file, kept)

    def _change(self, file: str, changes: Mapping[str, str | None]) -> None:
        def changed(fields: dict[str, str]) -> dict[str, str]:
            return {key: value for key, value in {**fields, **changes}.items() if value is not None}

        self.rewrite(file, changed)

    def _read(self, file: str, changing: bool = False) -> dict[str, str]:
        import errno
        import json

        try:
            fields = json.loads(self._files.read(f"{self._state}/{file}"))
        except (ValueError, RecursionError):
            return {}
        except OSError as error:
            if changing and error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL, errno.ELOOP):
                raise
            return {}
        return {str(key): str(value) for key, value in fields.items()} if isinstance(fields, dict) else {}

    def _write(self, file: str, fields: dict[str, str]) -> None:
        import json

        path = f"{self._state}/{file}"
        temporary = f"{path}.new"
        if self._files.stat(temporary) is not None:
            self._files.unlink(temporary)
        self._files.write(temporary, json.dumps(fields, indent=1, sort_keys=True).encode())
        self._files.fsync(temporary)
        self._files.rename(temporary, path)
        self._files.fsync_dir(self._state)


def _told(value: str) -> str:
    """A value with the texts that are written into it as JSON, as they read."""
    import json

    parts, waiting = [value], [value]
    while waiting:
        found: Any = waiting.pop()
        if isinstance(found, str):
            parts.append(found)
            try:
                found = json.loads(found) if found[:1] in "{[" else None
            except (ValueError, RecursionError):
                continue
        waiting += [*found, *found.values()] if isinstance(found, dict) else found if isinstance(found, list) else []
    return "\n".join(parts)
