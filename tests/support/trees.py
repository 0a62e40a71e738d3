"""A Tree in memory, for tests of what is above it: no file system, links by name."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from memdesk.core import config
from memdesk.core.errors import StoreError
from memdesk.core.model import Workspace
from memdesk.core.tree import Item
from memdesk.core.workspace import open_workspace


class MemoryTree:
    """Files by path; `links` map a path to the path that it leads to ("" and "../x" lead out of the workspace)."""

    def __init__(self, files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None) -> None:
        self.files = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        self.links = dict(links or {})

    def list(self, folder: str) -> list[Item]:
        prefix = "" if folder == "." else folder + "/"
        names = {}
        for path in (*self.files, *self.links):
            if path.startswith(prefix):
                name, slash, _ = path[len(prefix) :].partition("/")
                names[name] = "folder" if slash else "link" if path in self.links else "file"
        return [Item(name, kind) for name, kind in sorted(names.items())]

    def walk(self) -> list[str]:
        return sorted({*self.files, *self.links})

    def kind(self, path: str) -> str:
        if path in self.links:
            return "link"
        if path in self.files:
            return "file"
        return "folder" if path == "." or any(name.startswith(path + "/") for name in self.files) else "none"

    def resolve(self, path: str) -> str:
        seen = set()
        while path in self.links:
            if path in seen:
                raise StoreError("loops.", path=path)
            seen.add(path)
            path = self.links[path]
        if not path or path.startswith("../"):
            raise StoreError("leads out of the workspace.", path=path)
        return path

    def read(self, path: str) -> bytes:
        try:
            return self.files[self.resolve(path)]
        except KeyError:
            raise StoreError("There is no such file.", path=path) from None

    def size(self, path: str) -> int:
        return len(self.read(path)) if self.kind(path) != "none" else 0

    def mode(self, path: str) -> int | None:
        return 0o644 if path in self.files else None

    def digest(self, path: str) -> str | None:
        return sha256(self.read(path)).hexdigest() if self.kind(path) in ("file", "link") else None


def workspace(files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None) -> Workspace:
    """The workspace over these files, with default settings."""
    return open_workspace(MemoryTree(files, links), config.defaults())
