"""`memory-lint.json` as settings. Another tool reads the same file, so keys that are unknown here are left alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core.errors import StoreError
from memdesk.core.layouts.agent_memory.lint import FILE, Lint
from memdesk.core.layouts.agent_memory.patterns import Pattern, Unsupported
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Cap

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.layouts.agent_memory.located import Node
    from memdesk.core.tree import Tree

LARGEST = 1024 * 1024  # bytes
MOST_PATTERNS = 50
BOOT = (15000, 400)  # characters and lines of the index
BOOT_CHARS = 60000
WORKING = ("memory/context",)
NOTES = r"^memory/\d{4}-\d{2}-\d{2}.*\.md$"
WORKING_CHARS = 30000
DURABLE = ("memory/people", "memory/projects", "memory/decisions")
ARCHIVE = ("memory/archive",)


def defaults(file: str | None = None) -> Lint:
    """The settings of a store without a file of its own (or of one whose `file` cannot be read)."""
    return _lint({}, file, "default")


def lint_of(tree: Tree, folder: str) -> Lint:
    """The settings of the store in a folder that holds a `memory-lint.json`. Raises StoreError with file, line and what
    must be there instead."""
    path = FILE if folder == "." else f"{folder}/{FILE}"
    if tree.size(path) > LARGEST:
        raise StoreError("has over 1 MB; these are no settings.", path=path, remedy=_REMEDY)
    return read(path, tree.read(path))


def read(path: str, data: bytes) -> Lint:
    """The settings in the bytes of a file. Raises StoreError."""
    from memdesk.core.layouts.agent_memory import located

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StoreError("is not UTF-8 text.", path=path, line=line, remedy="Save it as UTF-8.") from None
    try:
        root = located.parse(text)
    except located.Malformed as error:
        raise StoreError(f"is no JSON: {error.message}.", path=path, line=error.line, remedy=_REMEDY) from None
    return _lint(_Values(path, "", root).members(), path, path)


_REMEDY = "Correct it, or take the file away: the usual values then hold."
Members = Mapping[str, "_Values"]


def _lint(top: Members, file: str | None, origin: str) -> Lint:
    """The settings; for each missing key the usual ones. A cap that a tier leaves out, where it is there, is none: the
    tool of this file reads it so."""
    index = _get(top, "index", _Values.path_text, "MEMORY.md")
    tiers = _get(top, "tiers", _Values.members, {})
    rom = _get(tiers, "rom", _Values.members, None)
    ram = _get(tiers, "ram", _Values.members, None)
    disk = _get(tiers, "disk", _Values.members, {})
    tape = _get(tiers, "tape", _Values.members, {})
    boot: Mapping[str, tuple[Cap, ...]] = {index: ()}
    if rom is None:
        boot = {index: _caps(*BOOT, "default")}
    elif "files" in rom:
        boot = rom["files"].boot(origin)
    return Lint(
        index_file=index,
        tags=_get(top, "tags", _Values.tags, ()) or Lint().tags,
        boot=boot,
        boot_chars=BOOT_CHARS if rom is None else _get(rom, "totalMaxChars", _Values.limit, None),
        working=_get(ram or {}, "dirs", _Values.folders, WORKING),
        patterns=_get(ram or {}, "patterns", _Values.patterns, (Pattern(NOTES),)),
        working_chars=WORKING_CHARS if ram is None else _get(ram, "maxChars", _Values.limit, None),
        durable=_get(disk, "dirs", _Values.folders, DURABLE),
        archive=_get(tape, "dirs", _Values.folders, ARCHIVE),
        file=file,
    )


def _get(members: Members, key: str, how: Callable[[_Values], Any], default: Any) -> Any:
    return how(members[key]) if key in members else default


def _caps(chars: int | None, lines: int | None, origin: str) -> tuple[Cap, ...]:
    both = (Cap("chars", chars, origin), Cap("lines", lines, origin))
    return tuple(cap for cap in both if cap.limit is not None)


class _Values:
    """A value of the file under its name ("tiers.rom.files"); each way to read it refuses what it must not be."""

    def __init__(self, file: str, name: str, node: Node) -> None:
        self.file = file
        self.name = name
        self.node = node

    def members(self) -> Members:
        if not isinstance(self.node.value, dict):
            raise self.wrong("an object in braces")
        prefix = f"{self.name}." if self.name else ""
        return {key: _Values(self.file, f"{prefix}{key}", node) for key, node in self.node.value.items()}

    def items(self) -> list[_Values]:
        if not isinstance(self.node.value, list):
            raise self.wrong("a list of texts")
        return [_Values(self.file, f"{self.name}[{at}]", node) for at, node in enumerate(self.node.value)]

    def text(self) -> str:
        if not isinstance(self.node.value, str) or not self.node.value:
            raise self.wrong("a text that is not empty")
        return self.node.value

    def limit(self) -> int | None:
        """A cap; 0 is none, as its tool reads it."""
        value = self.node.value
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.wrong("a whole number, 0 (no limit) or more")
        return value or None

    def path_text(self) -> str:
        path = plain_path(self.text())
        if path is None:
            raise self.wrong("a path inside the store, with `/` and without `..`")
        return path

    def folders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.path_text() for one in self.items()))

    def tags(self) -> tuple[str, ...]:
        found = []
        for one in self.items():
            tag = one.text()
            if not all(char.isalnum() or char in "-_" for char in tag):
                raise one.wrong("a word of letters, digits, `-` and `_`, without its brackets")
            found.append(tag)
        return tuple(dict.fromkeys(found))

    def patterns(self) -> tuple[Pattern, ...]:
        items = self.items()
        if len(items) > MOST_PATTERNS:
            raise self.wrong(f"at most {MOST_PATTERNS} patterns")
        found = []
        for one in items:
            source = one.text()
            try:
                found.append(Pattern(source))
            except Unsupported as error:
                raise StoreError(
                    f"{one.name}: the pattern {source[:80]!r} {error}.", path=self.file, line=one.node.line,
                    remedy="Write it with characters, classes, groups, alternatives and repetitions.",
                ) from None
        return tuple(found)

    def boot(self, origin: str) -> Mapping[str, tuple[Cap, ...]]:
        found: dict[str, tuple[Cap, ...]] = {}
        for key, value in self.members().items():
            path = plain_path(key)
            if path is None or path in found:
                what = "is named twice" if path in found else "must be a path inside the store, with `/` and without `..`"
                raise StoreError(f"{self.name}: {key[:80]!r} {what}.", path=self.file, line=value.node.line, remedy=_REMEDY)
            limits = value.members()
            chars, lines = (_get(limits, name, _Values.limit, None) for name in ("maxChars", "maxLines"))
            found[path] = _caps(chars, lines, origin)
        return found

    def wrong(self, must: str) -> StoreError:
        name = self.name or "the file"
        return StoreError(f"{name} must be {must}.", path=self.file, line=self.node.line, remedy=_REMEDY)


def plain_path(text: str) -> str | None:
    """A path of a store without `./` in front and `/` behind; None for one that is absolute, leaves the store, names no
    file or folder in it, or holds what no path of a store does."""
    if text.startswith("/") or "\\" in text or "\0" in text or (text[1:2] == ":" and text[:1].isalpha()):
        return None
    if any("\ud800" <= char <= "\udfff" for char in text):  # half a pair: JSON can write one, and no file has that name
        return None
    parts = [part for part in text.split("/") if part not in ("", ".")]
    return None if not parts or ".." in parts else "/".join(parts)
