"""What can go wrong, with the place, the remedy and the exit code that CLI.md promises."""

from __future__ import annotations


class MemdeskError(Exception):
    """A failure that a person can act on: what happened, where, and what to do.

    `path` is relative to the workspace root; `line` counts from 1, at `\\n` alone, as git does.
    """

    exit_code = 2
    called_off = False  # a person gave up waiting: no failure to be told at length

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.remedy = remedy

    def __str__(self) -> str:
        where = "" if self.path in (None, ".") else f"{self.path}" + (f":{self.line}: " if self.line else ": ")
        return where + self.message + (f" {self.remedy}" if self.remedy else "")


class UsageError(MemdeskError):
    """The caller's words are off: an unknown task, layout, key, option or folder."""


class StoreError(MemdeskError):
    """A store, manifest, configuration or file that cannot be read as what it claims to be."""


class GitError(MemdeskError):
    """git failed, or does not know the revision. A check must never pass on it."""


class ReadOnly(MemdeskError):
    """The store cannot be written by this version (a newer protocol, a tie of layouts)."""


class Refused(MemdeskError):
    """An action that is not carried out: nothing was written. `field` names the input that would mend it."""

    exit_code = 1

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, remedy: str = "", field: str | None = None
    ) -> None:
        super().__init__(message, path=path, line=line, remedy=remedy)
        self.field = field


class UnknownEntry(Refused):
    """An id that names no entry, or several; `candidates` are the ids that it could mean."""

    def __init__(self, message: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message, remedy="Candidates: " + ", ".join(candidates) + "." if candidates else "")
        self.candidates = candidates


class Interrupted(MemdeskError):
    """An interrupted transaction that needs a person (`memdesk recover`)."""

    exit_code = 3
