"""Globs over POSIX paths, as settings and manifests write them (formats/custodian.md, Manifest).

Case-sensitive; `*` and `?` stay within one segment and match a leading dot too, `**` stands for any number of whole
segments, none included; everything else, brackets too, is literal. Matching takes the leftmost place for each literal
run, so that its time is bounded by pattern times path, whatever the pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

Segment: TypeAlias = "str | tuple[str, ...]"  # a literal, or what stands between the `*` of a pattern


class Glob:
    """One pattern, split once and matched often."""

    __slots__ = ("_head", "_middle", "_tail", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        runs: list[tuple[Segment, ...]] = [()]
        for segment in pattern.strip("/").split("/"):
            if segment == "**":
                runs.append(())
            elif segment not in ("", "."):
                runs[-1] += (_segment(segment),)
        self._head = runs[0]
        self._middle = [run for run in runs[1:-1] if run]
        self._tail = runs[-1] if len(runs) > 1 else None  # None: no `**`, so the head is the whole pattern

    def matches(self, path: str) -> bool:
        """Whether the whole of a relative POSIX path matches."""
        return self.matches_segments(path.split("/"))

    def matches_segments(self, parts: Sequence[str]) -> bool:
        """The same for a path that is split already."""
        head, tail = self._head, self._tail
        if tail is None:
            return len(parts) == len(head) and _run_at(head, parts, 0)
        end = len(parts) - len(tail)
        if end < len(head) or not _run_at(tail, parts, end) or not _run_at(head, parts, 0):
            return False
        at = len(head)
        for run in self._middle:
            while at + len(run) <= end and not _run_at(run, parts, at):
                at += 1
            if at + len(run) > end:
                return False
            at += len(run)
        return True

    def __repr__(self) -> str:
        return f"Glob({self.pattern!r})"


class Ignore:
    """The globs of `stores.ignore`. A folder that one of them matches is left out with all that is in it."""

    __slots__ = ("_files", "_folders", "_names", "any_file", "patterns")

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        names: set[str] = set()
        self._folders: list[Glob] = []
        self._files: list[Glob] = []
        for pattern in self.patterns:
            # `**/name/**`, the usual form, is one look-up for each folder instead of a match.
            name = pattern[3:-3] if pattern.startswith("**/") and pattern.endswith("/**") else ""
            if name and not set(name) & set("/*?"):
                names.add(name)
            elif pattern.strip("/"):
                self._folders.append(Glob(pattern))
                if not pattern.endswith("/**"):  # that is said of folders
                    self._files.append(self._folders[-1])
        self._names = frozenset(names)
        self.any_file = bool(self._files)  # False: `file` says no to all

    def folder(self, parts: Sequence[str]) -> bool:
        """Whether the folder with these segments is left out, its parents being kept."""
        return parts[-1] in self._names or any(glob.matches_segments(parts) for glob in self._folders)

    def file(self, parts: Sequence[str]) -> bool:
        """Whether the file with these segments is left out, its folder being kept."""
        return any(glob.matches_segments(parts) for glob in self._files)

    def path(self, path: str) -> bool:
        """Whether a file, or a folder above it, is left out."""
        parts = path.split("/")
        return self.file(parts) or any(self.folder(parts[:length]) for length in range(1, len(parts)))


def _segment(pattern: str) -> Segment:
    return tuple(pattern.split("*")) if "*" in pattern or "?" in pattern else pattern


def _matches(pattern: Segment, name: str) -> bool:
    if isinstance(pattern, str):
        return pattern == name
    if len(pattern) == 1:
        return len(pattern[0]) == len(name) and _literal_at(pattern[0], name, 0)
    first, last = pattern[0], pattern[-1]
    end = len(name) - len(last)
    if end < len(first) or not _literal_at(last, name, end) or not _literal_at(first, name, 0):
        return False
    at = len(first)
    for piece in pattern[1:-1]:
        at = _find(piece, name, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


def _run_at(run: Sequence[Segment], parts: Sequence[str], at: int) -> bool:
    return all(_matches(pattern, parts[at + offset]) for offset, pattern in enumerate(run))


def _literal_at(piece: str, name: str, at: int) -> bool:
    if "?" not in piece:
        return name.startswith(piece, at)
    return all(wanted in ("?", name[at + offset]) for offset, wanted in enumerate(piece))


def _find(piece: str, name: str, at: int, end: int) -> int:
    """The first place of a literal piece in name[at:end], or -1."""
    if "?" not in piece:
        return name.find(piece, at, end)
    return next((place for place in range(at, end - len(piece) + 1) if _literal_at(piece, name, place)), -1)
