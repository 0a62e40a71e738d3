"""Where bytes come from: a Tree over the working tree, git's index, a revision, or an overlay of drafts.

Paths are POSIX, relative to the workspace root, "." for the root itself; names that are not UTF-8 carry surrogate
escapes. Everything above takes a Tree, never a path of the file system.
"""

from __future__ import annotations

from memdesk.core.lean import NamedTuple, Protocol


class Item(NamedTuple):
    """A name in a folder. `kind`: "file", "folder", "link" or "other"."""

    name: str
    kind: str


class Tree(Protocol):
    """Read access to one state of the workspace. Its answers do not change behind a caller's back, but for files that
    are read twice from the working tree."""

    def walk(self) -> list[str]:
        """The paths of all files (and of links) that could be memory, sorted: ignored folders, `.git`, nested
        repositories and what `stores.ignore` names are left out."""

    def kind(self, path: str) -> str:
        """One of "file", "folder", "link" (not followed), "other" or "none"."""

    def resolve(self, path: str) -> str:
        """The workspace-relative real path behind links. Raises StoreError when it leaves the workspace or loops."""

    def read(self, path: str) -> bytes:
        """A file's bytes (links inside the workspace followed). Raises StoreError, with the path and the remedy, for one
        that is missing, unreadable or not a regular file."""

    def size(self, path: str) -> int:
        """A file's size in bytes, without reading it where that can be had."""

    def mode(self, path: str) -> int | None:
        """Permission bits of an existing file, or None."""

    def digest(self, path: str) -> str | None:
        """sha256 of the bytes at `path` in hex, or None when nothing is there; of a folder: over its item names."""

    def list(self, folder: str) -> list[Item]:  # last: below it `list` is this method
        """The items of a folder by name; empty when it does not exist or is no folder. memdesk's own temporary names
        (`.memdesk-*`) never appear."""
