"""What changed: a value for the rules of the check, and the reader of git's diffs that makes it."""

from __future__ import annotations

from memdesk.core.errors import GitError
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy

Line = tuple[int, str]


class FileChange(NamedTuple):
    """One changed file.

    `status`: "added", "modified", "deleted", "renamed" (from `old_path`, perhaps with edits), "retyped" (a file became a
    link, or the reverse), "mode" (permission bits alone), "submodule" or "unmerged". Lines are (1-based number, text
    without its ending, other bytes than UTF-8 as surrogate escapes): `added` in the new text, `removed` in the old one.
    """

    path: str
    status: str
    old_path: str | None = None
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()


class Change(NamedTuple):
    """The change that a check looks at. `mode`: "worktree" (against HEAD, untracked files too), "staged" (index against
    HEAD), "base" (worktree against `base`, untracked files too) or "none". `skipped` says why there is none to look at.
    Before the first commit every file counts as added. Paths are relative to the workspace root."""

    mode: str
    base: str | None = None
    files: tuple[FileChange, ...] = ()
    skipped: str | None = None

    @property
    def added(self) -> int:
        """The number of added lines."""
        return sum(len(file.added) for file in self.files)

    @property
    def removed(self) -> int:
        """The number of removed lines."""
        return sum(len(file.removed) for file in self.files)

    @property
    def paths(self) -> frozenset[str]:
        """Every path that it touches, old names included."""
        return frozenset(path for file in self.files for path in (file.path, file.old_path) if path is not None)


def parse(data: bytes) -> list[FileChange]:
    """The changes in the output of `git diff --raw -z -p -U0`.

    The raw part names the files exactly; the patch part is matched to it in order, and its header must be the one that
    these names give, so that no name and no content can be taken for another file. Raises GitError where they disagree.
    """
    entries, start = _raw(data)
    sections = _sections(data[start:])
    out: list[FileChange] = []
    at = 0
    for old_mode, new_mode, letter, old, new in entries:
        header = b"diff --git " + _quoted(b"a/" + old) + b" " + _quoted(b"b/" + new)
        added: list[Line] = []
        removed: list[Line] = []
        for _ in range(2 if letter == "T" else 1):  # a change of type is a deletion and an addition
            if at < len(sections) and sections[at][0] == header:
                removed += sections[at][1]
                added += sections[at][2]
                at += 1
        status = _STATUS.get(letter, "modified")
        if b"160000" in (old_mode, new_mode):
            status, added, removed = "submodule", [], []
        elif status == "modified" and old_mode != new_mode and not added and not removed:
            status = "mode"
        old_path = name(old) if old != new else None
        out.append(FileChange(name(new), status, old_path, tuple(added), tuple(removed)))
    if at != len(sections):
        raise GitError(f"git's diff does not match its own list of files near {name(sections[at][0])!r}.")
    return out


def whole(path: str, data: bytes) -> FileChange:
    """A file all of whose lines are added; none are counted of one that is no text."""
    if b"\0" in data:
        return FileChange(path, "added")
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return FileChange(path, "added", None, tuple((number, _text(line)) for number, line in enumerate(lines, 1)))


def before(change: FileChange, data: bytes | None) -> list[str]:
    """The lines of a changed file before the change, made from those after it (None: there is no such file now), so that
    git need not be asked again. As in a FileChange, they have no endings."""
    added = {number for number, _ in change.added}
    lines = () if data is None or change.status in ("deleted", "retyped") else whole(change.path, data).added
    kept = iter([text for number, text in lines if number not in added])
    removed = dict(change.removed)
    found: list[str] = []
    while True:
        text = removed.get(len(found) + 1)
        if text is None:
            text = next(kept, None)
        if text is None:
            return found
        found.append(text)


def name(raw: bytes) -> str:
    """A file name as the rest of the program carries it."""
    return raw.decode("utf-8", "surrogateescape")


_STATUS = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "C": "added", "T": "retyped", "U": "unmerged"}
_HUNK = lazy(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}
_SPECIAL = lazy(rb'[\x00-\x1f\x7f"\\]')


def _raw(data: bytes) -> tuple[list[tuple[bytes, bytes, str, bytes, bytes]], int]:
    """(old mode, new mode, status letter, old name, new name) of each file, and where the patch starts."""
    entries: list[tuple[bytes, bytes, str, bytes, bytes]] = []
    at = 0
    try:
        while data.startswith(b":", at):
            end = data.index(b"\0", at)
            old_mode, new_mode, _, _, status = data[at + 1 : end].split(b" ")
            at = data.index(b"\0", end + 1)
            old = new = data[end + 1 : at]
            at += 1
            if status[:1] in b"RC":
                end = data.index(b"\0", at)
                new = data[at:end]
                at = end + 1
            entries.append((old_mode, new_mode, status[:1].decode(), old, new))
    except ValueError:
        raise GitError("git's list of changed files cannot be read.") from None
    return entries, at + 1  # one NUL stands between the two parts


def _sections(patch: bytes) -> list[tuple[bytes, list[Line], list[Line]]]:
    """(header, removed lines, added lines) of each file of a patch without context. A hunk's lines are counted, never
    guessed from how they begin: a removed `-- x` looks like a file header."""
    sections: list[tuple[bytes, list[Line], list[Line]]] = []
    lines = patch.split(b"\n")
    at, count = 0, len(lines)
    while at < count:
        line = lines[at]
        at += 1
        if line.startswith(b"diff --git "):
            sections.append((line, [], []))
            continue
        match = _HUNK.match(line)
        if match is None or not sections:
            continue
        old_line, old_count, new_line, new_count = (1 if part is None else int(part) for part in match.groups())
        _, removed, added = sections[-1]
        while old_count or new_count or (lines[at : at + 1] and lines[at].startswith(b"\\")):
            if at >= count:
                raise GitError("git's diff ends inside a hunk.")
            sign, body = lines[at][:1], lines[at][1:]
            at += 1
            if sign == b"-" and old_count:
                removed.append((old_line, _text(body)))
                old_line, old_count = old_line + 1, old_count - 1
            elif sign == b"+" and new_count:
                added.append((new_line, _text(body)))
                new_line, new_count = new_line + 1, new_count - 1
            elif sign != b"\\":
                raise GitError("git's diff holds a hunk that cannot be read.")
    return sections


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


def _quoted(raw: bytes) -> bytes:
    """A name as git writes it in a patch's header with core.quotePath off."""
    if not _SPECIAL.search(raw):
        return raw
    return b'"' + _SPECIAL.sub(lambda match: _ESCAPES.get(match[0][0], b"\\%03o" % match[0][0]), raw) + b'"'
