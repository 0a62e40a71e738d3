"""Trees over git's objects: the files as they are staged, or as they are in a revision."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memdesk.core.errors import GitError, StoreError
from memdesk.core.globs import Ignore
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.tree import Item

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.git import Git

LINK = 0o120000
SUBMODULE = 0o160000
Paths = list[str]  # inside the class below `list` is its method
HOPS = 40  # as many links in a row as Linux follows


class Blobs:
    """One `git cat-file --batch` that answers for many blobs; started by the first, ended by `close`."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: Any = None

    def read(self, blob: str) -> bytes:
        """The bytes of a blob by its hash. Raises GitError where the repository lacks it."""
        process = self._process or self._start()
        try:
            process.stdin.write(blob.encode() + b"\n")
            process.stdin.flush()
            header = process.stdout.readline().split()
            if len(header) == 3 and header[1] == b"blob":
                size = int(header[2])
                data: bytes = process.stdout.read(size + 1)
                if len(data) == size + 1:
                    return data[:size]
        except OSError:
            pass
        self.close()
        return self._git.run(["cat-file", "blob", blob])  # which says what is wrong with it

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            from contextlib import suppress

            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # it has ended by itself: what it was still to be told is lost
                    pipe.close()
            process.wait()

    def __enter__(self) -> Blobs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _start(self) -> Any:
        import subprocess

        try:
            self._process = subprocess.Popen(
                self._git.command(["cat-file", "--batch"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self._git.environment(),
            )
        except OSError as error:
            raise GitError(f"git cannot be started: {error.strerror}.", remedy="Install git.") from None
        return self._process


class BlobTree:
    """A Tree (see `tree.py`) over blobs: `files` maps paths to (git's mode, hash). Submodules are no files of it."""

    def __init__(self, git: Git, files: Mapping[str, tuple[int, str]], ignore: Sequence[str] = ()) -> None:
        self._git = git
        self._files = {path: facts for path, facts in files.items() if facts[0] != SUBMODULE}
        self._ignore = Ignore(ignore)
        self._blobs = Blobs(git)
        self._read: dict[str, bytes] = {}
        self._folders: dict[str, dict[str, str]] = {".": {}}
        for path, (mode, _) in self._files.items():
            kind = "link" if mode == LINK else "file"
            while True:
                folder, _, last = path.rpartition("/")
                names = self._folders.setdefault(folder or ".", {})
                if last in names:
                    break
                names[last] = kind
                if not folder:
                    break
                path, kind = folder, "folder"

    def ignoring(self, ignore: Sequence[str]) -> BlobTree:
        """The same files, of which `walk` leaves out what these globs name."""
        return BlobTree(self._git, self._files, ignore)

    def list(self, folder: str) -> list[Item]:
        try:
            names = self._folders.get(self.resolve(folder), {})
        except StoreError:
            return []
        return [Item(name, kind) for name, kind in sorted(names.items()) if not name.startswith(".memdesk-")]

    def walk(self) -> Paths:
        names = (path for path in self._files if not any(part.startswith(".memdesk-") for part in path.split("/")))
        return sorted(path for path in names if not self._ignore.path(path))

    def kind(self, path: str) -> str:
        if path in self._files:
            return "link" if self._files[path][0] == LINK else "file"
        if path in self._folders:
            return "folder"
        try:
            real = self.resolve(path)  # a folder above it may be a link
        except StoreError:
            return "none"
        return "none" if real == path else self.kind(real)

    def resolve(self, path: str) -> str:
        done: list[str] = []
        todo = [] if path == "." else path.split("/")[::-1]
        hops = 0
        while todo:
            part = todo.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not done:
                    raise StoreError("leads out of the repository.", path=path, remedy="Replace the link by a file.")
                done.pop()
                continue
            done.append(part)
            here = "/".join(done)
            if here not in self._files or self._files[here][0] != LINK:
                continue
            hops += 1
            target = self._blob(here).decode("utf-8", "surrogateescape")
            if hops > HOPS:
                raise StoreError("is a link that leads to itself.", path=path, remedy="Replace it by a file.")
            if target.startswith("/"):
                raise StoreError("is a link out of the repository.", path=path, remedy="Replace it by a file.")
            done.pop()
            todo += target.split("/")[::-1]
        return "/".join(done) or "."

    def read(self, path: str) -> bytes:
        real = self.resolve(path)
        if real not in self._files:
            what = "is a folder." if real in self._folders else "is not there."
            raise StoreError(what, path=path, remedy="Stage it, or name another revision.")
        return self._blob(real)

    def size(self, path: str) -> int:
        return len(self.read(path))

    def mode(self, path: str) -> int | None:
        try:
            facts = self._files.get(self.resolve(path))
        except StoreError:
            return None
        return None if facts is None else facts[0] & 0o777

    def digest(self, path: str) -> str | None:
        from hashlib import sha256

        real = self.resolve(path)
        if real in self._files:
            return sha256(self._blob(real)).hexdigest()
        if real in self._folders:
            return sha256(b"\0".join(os.fsencode(item.name) for item in self.list(real))).hexdigest()
        return None

    def close(self) -> None:
        """Ends git's helper process; it starts again by itself where it is needed."""
        self._blobs.close()

    def _blob(self, path: str) -> bytes:
        data = self._read.get(path)
        if data is None:
            data = self._read[path] = self._blobs.read(self._files[path][1])
        return data
