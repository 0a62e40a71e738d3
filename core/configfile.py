"""One settings file, read and checked: every key known, every error with its line and what would be right.

Imported only where there is such a file; see `config.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memdesk.core.configkeys import APPROVED, KEYS, OPEN, SECTIONS, USER_SECTIONS, Key, path_key, user_path
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Place(NamedTuple):
    """Where a setting was made: the file as it is shown, and the 1-based line (None where it could not be found)."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class File:
    """One settings file: its table, and the lines of its keys where somebody asks."""

    def __init__(self, shown: str, data: bytes, prefix: tuple[str, ...], owner: str) -> None:
        self.shown = shown
        self.prefix = prefix
        self.owner = owner
        self.present = True  # False: the file is there, but not the table
        self.text, self.table = parse_toml(shown, data)
        self._lines: dict[tuple[str | int, ...], int] | None = None
        for name in prefix:
            self.present = self.present and name in self.table
            inner = self.table.get(name, {})
            if not isinstance(inner, dict):
                raise StoreError(f"{'.'.join(prefix)} must be a table.", path=shown, line=self.place(()).line)
            self.table = inner

    def sets(self, path: tuple[str, ...]) -> bool:
        """Whether this file sets the key. Folder names of `stores.layout` count in their plain form."""
        table: Any = self.table
        for depth, name in enumerate(path):
            if not isinstance(table, dict):
                return False
            found = name if name in table else _spelled(table, path[:depth], name)
            if found is None:
                return False
            table = table[found]
        return True

    def place(self, path: tuple[str, ...]) -> Place:
        """File and line of a key that the file holds; of the table itself for ()."""
        from memdesk.core.tomlkeys import key_lines

        if self._lines is None:
            self._lines = key_lines(self.text)
        names = list(path)
        if path[:2] == ("stores", "layout") and len(path) == 3:
            table = self.table["stores"]["layout"]
            names[2] = names[2] if names[2] in table else _spelled(table, path[:2], names[2]) or names[2]
        return Place(self.shown, self._lines.get((*self.prefix, *names)))

    def take(self, values: dict[str, Any], tables: dict[str, dict[str, Any]]) -> None:
        """Check every key and put it where it belongs."""
        for section, content in self.table.items():
            if section not in SECTIONS:
                raise self._unknown((section,))
            if section in USER_SECTIONS and self.owner != "user":
                self._offered(section, content)
            if not isinstance(content, dict):
                raise self._error((section,), "must be a table")
            if section in OPEN:
                self._open(section, (section,), content, tables)
                continue
            for key, value in content.items():
                name = f"{section}.{key}"
                path = (section, key)
                if name in OPEN:
                    if not isinstance(value, dict):
                        raise self._error(path, "must be a table")
                    self._open(name, path, value, tables)
                elif name in KEYS:
                    read = self._read(KEYS[name], path, value)
                    if name not in APPROVED or values[name] == KEYS[name].default:  # the user's, which came first, overrules
                        values[name] = read
                else:
                    raise self._unknown(path)

    def _offered(self, section: str, content: Any) -> None:
        """Raises StoreError for what is the user's alone to say, and not something that a workspace may offer."""
        may = isinstance(content, dict) and any(name.startswith(section + ".") for name in APPROVED)
        names = [f"{section}.{key}" for key in content] if may else []
        own = [tuple(name.split(".")) for name in names if name in KEYS and name not in APPROVED] if may else [(section,)]
        if own:
            remedy = f"Move it to {user_path()}: what runs on a machine, and how it looks, is its user's to say."
            raise self._error(own[0], "may stand in the user's own file alone", remedy)

    def _open(self, name: str, path: tuple[str, ...], content: Mapping[str, Any], tables: dict[str, dict[str, Any]]) -> None:
        seen: set[str] = set()
        for key, value in content.items():
            own = key
            if name == "standing" and key not in _kinds():
                raise self._unknown((*path, key))
            if name == "stores.layout":
                try:
                    own = path_key(key)
                except ValueError as error:
                    raise self._error((*path, key), str(error)) from None
                if own in seen:
                    raise self._error((*path, key), f"names the folder {own} a second time", "Keep one of them.")
                seen.add(own)
            tables[name][own] = self._read(OPEN[name], (*path, key), value)

    def _read(self, key: Key, path: tuple[str, ...], value: Any) -> Any:
        if key.shared and self.owner == "user":
            raise self._error(path, "may stand in the workspace's file alone", "It holds for everyone who works there.")
        try:
            return key.read(value)
        except ValueError as error:
            raise self._error(path, f"{error}, not {_shown(value)}") from None

    def _unknown(self, path: tuple[str, ...]) -> StoreError:
        name = ".".join(path)
        message = f"There is no setting {_cut(repr(name))}."
        return StoreError(message, path=self.shown, line=self.place(path).line, remedy=nearest(name))

    def _error(self, path: tuple[str, ...], what: str, remedy: str = "") -> StoreError:
        name = ".".join((*path[:-1], _quoted(path[-1])))
        return StoreError(f"{name} {what}.", path=self.shown, line=self.place(path).line, remedy=remedy)


def parse_toml(shown: str, data: bytes) -> tuple[str, dict[str, Any]]:
    """The text and content of a TOML file. Raises StoreError with the line, `shown` as its path."""
    import tomllib

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StoreError("is not UTF-8.", path=shown, line=line, remedy="Save it as UTF-8.") from None
    if text.startswith("\ufeff"):
        raise StoreError("begins with a byte order mark.", path=shown, line=1, remedy="Save it as UTF-8 without one.")
    try:
        return text, tomllib.loads(text)
    except ValueError as error:
        message = str(error)
        match = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
        at = None
        if match:
            message = message[: match.start()]
            at = int(match[1]) if match[1] else text.rstrip("\n").count("\n") + 1
        elif number := re.search(r"[0-9_]{4300}", text):  # Python's own limit, which names no line
            message, at = "a number has thousands of digits", text.count("\n", 0, number.start()) + 1
        raise StoreError(f"is not valid TOML: {message}.", path=shown, line=at, remedy="Mend that line.") from None
    except RecursionError:
        deepest = max(enumerate(text.split("\n"), 1), key=lambda row: row[1].count("[") + row[1].count("{") + row[1].count("."))
        raise StoreError("is nested too deeply.", path=shown, line=deepest[0], remedy="Write it flat.") from None


def _spelled(table: Mapping[str, Any], above: tuple[str, ...], name: str) -> str | None:
    """The key of `stores.layout` that means the folder `name`, as it is spelled in the file."""
    if above != ("stores", "layout"):
        return None
    for key in table:
        try:
            if path_key(key) == name:
                return key
        except ValueError:
            continue
    return None


def _kinds() -> list[str]:
    """The kinds of text that a pack or recall can begin with a standing line for."""
    from memdesk.core.packing import STANDING

    return list(STANDING)


def nearest(name: str) -> str:
    """A remedy for a key that is no setting: the one that it may have been meant for."""
    from difflib import get_close_matches

    known = [*KEYS, *OPEN]
    if name.startswith("standing."):
        known = [f"standing.{kind}" for kind in _kinds()]
    section, _, key = name.partition(".")
    # The key may be right and its table wrong (or left out), so both are looked at, the whole name first.
    near = get_close_matches(name, known, n=1)
    if not near:
        last = {full.rpartition(".")[2]: full for full in reversed(known)}
        near = [last[found] for found in get_close_matches(key or section, last, n=1)]
    if not near:
        near = [f"[{found}]" for found in get_close_matches(section, SECTIONS, n=1)]
    return f"Did you mean {near[0]}?" if near else "`memdesk config` lists all settings."


def _shown(value: Any) -> str:
    """A wrong value in an error, short and on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.isprintable():
        return f'"{_cut(value)}"'
    return _cut(repr(value))


def _quoted(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return _cut(name)
    return f'"{_cut(name)}"' if name.isprintable() else _cut(repr(name))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
