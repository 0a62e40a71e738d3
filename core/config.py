"""Settings: `memdesk.toml` or `[tool.memdesk]` in `pyproject.toml`, and the user's own file (formats/config.md).

The workspace's file wins over the user's, so that everyone's check says the same. Unknown keys, wrong types and keys in
the wrong file are errors with file, line and the nearest key. Without a file nothing is parsed and nothing imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memdesk.core.configkeys import KEYS, OPEN, SECTIONS, USER_SECTIONS, Key, path_key
from memdesk.core.errors import StoreError, UsageError

if TYPE_CHECKING:
    from memdesk.core.tree import Tree

WORKSPACE_FILE = "memdesk.toml"
PROJECT_FILE = "pyproject.toml"


class Section:
    """The keys of one table, as attributes. A value: nothing sets them after `load`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__!r})"


class Stores(Section):
    ignore: tuple[str, ...]  # globs
    layout: Mapping[str, str]  # folder -> layout or "none"


class State(Section):
    dir: str | None  # below the workspace's root


class BudgetSettings(Section):
    near: float  # share of a cap


class Freshness(Section):
    days: int


class Recall(Section):
    max_sources: int
    max_chars: int


class Gate(Section):
    signals: int
    sessions: int
    half_after_days: int


class Prune(Section):
    every_days: int | None
    keep_struck_days: int
    untouched_days: int
    near: float


class Fragments(Section):
    waiting_days: int
    archive_days: int


class Tiers(Section):
    facts: str
    index: str
    log: str
    working: str
    inbox: str
    archive: str
    log_days: int
    max_facts: int


class Records(Section):
    design: str
    sources: tuple[str, ...] | None
    statuses: Mapping[str, str]
    supersede_as: str


class Agent(Section):
    command: str | None
    timeout_s: int
    max_bytes: int


class Editor(Section):
    command: str | None  # None: $VISUAL, then $EDITOR


class Theme(Section):
    name: str | None  # None: the terminal decides


class Place(NamedTuple):
    """Where a setting was made: the file as it is shown, and the 1-based line (None where it could not be found)."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Settings:
    """All settings with their defaults filled in. `standing` and `keymap` hold only what was set."""

    __slots__ = (
        "_files", "_values", "agent", "budget", "editor", "fragments", "freshness", "gate", "keymap", "prune", "recall",
        "records", "standing", "state", "stores", "theme", "tiers",
    )

    def __init__(self, values: Mapping[str, Any], files: tuple[_File, ...] = ()) -> None:
        self._values = values
        self._files = files
        tables: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            section, _, key = name.partition(".")
            tables.setdefault(section, {})[key] = value
        self.stores = Stores(tables["stores"])
        self.state = State(tables["state"])
        self.budget = BudgetSettings(tables["budget"])
        self.freshness = Freshness(tables["freshness"])
        self.recall = Recall(tables["recall"])
        self.gate = Gate(tables["gate"])
        self.prune = Prune(tables["prune"])
        self.fragments = Fragments(tables["fragments"])
        self.tiers = Tiers(tables["tiers"])
        self.records = Records(tables["records"])
        self.agent = Agent(tables["agent"])
        self.editor = Editor(tables["editor"])
        self.theme = Theme(tables["theme"])
        self.standing: Mapping[str, str] = values["standing"]
        self.keymap: Mapping[str, str] = values["keymap"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def items(self) -> Iterator[tuple[str, Any]]:
        """Every setting by its dotted key; of the tables whose keys are the person's own, each key that is set."""
        for name, value in self._values.items():
            if name in OPEN:
                yield from ((f"{name}.{key}", text) for key, text in value.items())
            else:
                yield name, value

    def origin(self, key: str) -> str:
        """Who set it: "default", or file and line ("memdesk.toml:3"). `key` is dotted; in an open table, its last part
        may hold dots ("stores.layout.docs/v1.2"). Raises UsageError for a key that is no setting."""
        place = self.place(key)
        return "default" if place is None else str(place)

    def place(self, key: str) -> Place | None:
        """The same as file and line; None for a default."""
        path = _split(key)
        if path is None:
            raise UsageError(f"There is no setting {key!r}.", remedy=_nearest(key))
        for file in reversed(self._files):
            if file.sets(path):
                return file.place(path)
        return None

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read, as they are shown; the later one wins."""
        return tuple(file.shown for file in self._files)

    def same_files(self, other: Settings) -> bool:
        """Whether both come from the same texts: then places and values are the same."""
        return [(file.shown, file.text) for file in self._files] == [(file.shown, file.text) for file in other._files]


def defaults() -> Settings:
    """The settings where nobody set any."""
    values = {name: key.default for name, key in (*KEYS.items(), *OPEN.items())}
    return Settings(values)


def load(root: str, tree: Tree | None = None, user_file: str | None = None, explicit: str | None = None) -> Settings:
    """The settings of the workspace at `root`, whose files are read from `tree` (None: from disk).

    `user_file`: the user's own (absent is fine; see `user_path`). `explicit`: a file instead of the workspace's, as
    `--config` names it. Raises StoreError naming file, line and remedy; UsageError where `explicit` is not there.
    """
    files: list[_File] = []
    if user_file is not None and os.path.lexists(user_file):
        files.append(_File(user_file, _from_disk(user_file), (), "user"))
    if explicit is not None:
        if not os.path.lexists(explicit):
            raise UsageError("There is no such settings file.", path=explicit)
        files.append(_File(explicit, _from_disk(explicit), (), "workspace"))
    else:
        files += _of_workspace(root, tree)
    if not files:
        return defaults()
    values = {name: key.default for name, key in KEYS.items()}
    tables: dict[str, dict[str, Any]] = {name: {} for name in OPEN}
    for file in files:
        file.take(values, tables)
    return Settings({**values, **tables}, tuple(files))


def user_path() -> str:
    """Where the user's own file is on this platform; it need not exist."""
    if os.name == "posix" and os.uname().sysname != "Darwin":
        base = os.environ.get("XDG_CONFIG_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".config")
        return os.path.join(base, "memdesk", "config.toml")
    from platformdirs import user_config_path

    return str(user_config_path("memdesk", appauthor=False) / "config.toml")


def has_table(data: bytes) -> bool:
    """Whether the bytes of a pyproject.toml may hold `[tool.memdesk]`: a scan, not a parse; False is certain."""
    if b"memdesk" not in data:
        return False
    # A header or key that could be [tool.memdesk], in any spelling; another mention of memdesk costs no parsing.
    table = rb"""^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*(?:\.[ \t]*["']?memdesk\b|\]|=)"""
    return re.search(table, data, re.MULTILINE) is not None


class _File:
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
                remedy = f"Move it to {user_path()}: what runs on a machine, and how it looks, is its user's to say."
                raise self._error((section,), "may stand in the user's own file alone", remedy)
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
                    values[name] = self._read(KEYS[name], path, value)
                else:
                    raise self._unknown(path)

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
        return StoreError(message, path=self.shown, line=self.place(path).line, remedy=_nearest(name))

    def _error(self, path: tuple[str, ...], what: str, remedy: str = "") -> StoreError:
        name = ".".join((*path[:-1], _quoted(path[-1])))
        return StoreError(f"{name} {what}.", path=self.shown, line=self.place(path).line, remedy=remedy)


def _of_workspace(root: str, tree: Tree | None) -> list[_File]:
    if tree is None:
        from memdesk.core.worktree import WorkTree

        tree = WorkTree(root)
    own = None if tree.kind(WORKSPACE_FILE) == "none" else tree.read(WORKSPACE_FILE)
    project = _project(tree)
    files = [] if own is None else [_File(WORKSPACE_FILE, own, (), "workspace")]
    if project is not None and has_table(project):
        file = _File(PROJECT_FILE, project, ("tool", "memdesk"), "workspace")
        if file.present and files:
            raise StoreError(
                f"[tool.memdesk] and {WORKSPACE_FILE} both hold settings.", path=PROJECT_FILE,
                line=file.place(()).line, remedy="Keep one of them.",
            )
        if file.present:
            files.append(file)
    return files


def _project(tree: Tree) -> bytes | None:
    """The bytes of pyproject.toml. One that cannot be read is not ours to complain about."""
    if tree.kind(PROJECT_FILE) not in ("file", "link"):
        return None
    try:
        return tree.read(PROJECT_FILE)
    except StoreError:
        return None


def _from_disk(path: str) -> bytes:
    from memdesk.core.worktree import WorkTree

    # A link is followed wherever it leads: people keep their own settings in a repository of dotfiles.
    folder, name = os.path.split(os.path.realpath(path))
    try:
        return WorkTree(folder).read(name)
    except StoreError as error:
        raise StoreError(error.message, path=path, remedy=error.remedy) from None


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
        raise StoreError(f"is not valid TOML: {message}.", path=shown, line=at, remedy="Mend that line.") from None
    except RecursionError:
        raise StoreError("is nested too deeply.", path=shown) from None


def _split(key: str) -> tuple[str, ...] | None:
    """A dotted key as the path in its file; None where there is no such setting."""
    if key in KEYS or key in OPEN:
        return tuple(key.split("."))
    for name in OPEN:
        if key.startswith(name + "."):
            return (*name.split("."), key[len(name) + 1 :])
    return None


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


def _nearest(name: str) -> str:
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
