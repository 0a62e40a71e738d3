"""Settings: `memdesk.toml` or `[tool.memdesk]` in `pyproject.toml`, and the user's own file (formats/config.md).

The workspace's file wins over the user's, so that everyone's check says the same; but for the command that drafts, which no
check knows of: there the user's wins, and the workspace's is only offered (see `approvals`). Unknown keys, wrong types and
keys in the wrong file are errors with file, line and the nearest key. Without a file nothing is parsed and nothing imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from memdesk.core.configkeys import APPROVED, KEYS, OPEN
from memdesk.core.configkeys import user_path as user_path
from memdesk.core.errors import StoreError, UsageError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.configfile import File, Place
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
    command: tuple[str, ...] | None  # a program and its arguments
    timeout_s: int
    max_bytes: int


class Editor(Section):
    command: str | None  # None: $VISUAL, then $EDITOR


class Theme(Section):
    name: str | None  # None: the terminal decides


class Settings:
    """All settings with their defaults filled in. `standing` and `keymap` hold only what was set."""

    __slots__ = (
        "_files", "_values", "agent", "budget", "editor", "fragments", "freshness", "gate", "keymap", "prune", "recall",
        "records", "standing", "state", "stores", "theme", "tiers",
    )

    def __init__(self, values: Mapping[str, Any], files: tuple[File, ...] = ()) -> None:
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
        path, file = self._set(key)
        return None if file is None else file.place(path)

    def owner(self, key: str) -> str:
        """Whose file set it: "user", "workspace" (also one that `--config` names), or "default". Raises UsageError as above."""
        file = self._set(key)[1]
        return "default" if file is None else file.owner

    def _set(self, key: str) -> tuple[tuple[str, ...], File | None]:
        """The path of a key in its file, and the file whose word counts."""
        path = _split(key)
        if path is None:
            from memdesk.core.configfile import nearest

            raise UsageError(f"There is no setting {key!r}.", remedy=nearest(key))
        files = self._files if key in APPROVED else reversed(self._files)
        return path, next((file for file in files if file.sets(path)), None)

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
    files: list[File] = []
    if user_file is not None and os.path.lexists(user_file):
        files.append(_file(user_file, _from_disk(user_file), "user"))
    if explicit is not None:
        if not os.path.lexists(explicit):
            raise UsageError("There is no such settings file.", path=explicit)
        files.append(_file(explicit, _from_disk(explicit)))
    else:
        files += _of_workspace(root, tree)
    if not files:
        return defaults()
    values = {name: key.default for name, key in KEYS.items()}
    tables: dict[str, dict[str, Any]] = {name: {} for name in OPEN}
    for file in files:
        file.take(values, tables)
    return Settings({**values, **tables}, tuple(files))


def has_table(data: bytes) -> bool:
    """Whether the bytes of a pyproject.toml may hold `[tool.memdesk]`: a scan, not a parse; False is certain."""
    if b"memdesk" not in data:
        return False
    # A header or key that could be [tool.memdesk], in any spelling; another mention of memdesk costs no parsing.
    table = rb"""^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*(?:\.[ \t]*["']?memdesk\b|\]|=)"""
    return re.search(table, data, re.MULTILINE) is not None


def _of_workspace(root: str, tree: Tree | None) -> list[File]:
    if tree is None:
        from memdesk.core.worktree import WorkTree

        tree = WorkTree(root)
    own = None if tree.kind(WORKSPACE_FILE) == "none" else tree.read(WORKSPACE_FILE)
    files = [] if own is None else [_file(WORKSPACE_FILE, own)]
    project = _project(tree)
    file = None if project is None else _file(PROJECT_FILE, project, prefix=("tool", "memdesk"))
    if file is not None and file.present:
        if files:
            raise StoreError(
                f"[tool.memdesk] and {WORKSPACE_FILE} both hold settings.", path=PROJECT_FILE,
                line=file.place(()).line, remedy="Keep one of them.",
            )
        files.append(file)
    return files


def _project(tree: Tree) -> bytes | None:
    """The bytes of pyproject.toml where it may hold settings. One that cannot be read is not ours to complain about."""
    if tree.kind(PROJECT_FILE) not in ("file", "link"):
        return None
    try:
        data = tree.read(PROJECT_FILE)
    except StoreError:
        return None
    return data if has_table(data) else None


def _file(shown: str, data: bytes, owner: str = "workspace", prefix: tuple[str, ...] = ()) -> File:
    from memdesk.core.configfile import File

    return File(shown, data, prefix, owner)


def _from_disk(path: str) -> bytes:
    from memdesk.core.worktree import WorkTree

    # A link is followed wherever it leads: people keep their own settings in a repository of dotfiles.
    folder, name = os.path.split(os.path.realpath(path))
    try:
        return WorkTree(folder).read(name)
    except StoreError as error:
        raise StoreError(error.message, path=path, remedy=error.remedy) from None


def _split(key: str) -> tuple[str, ...] | None:
    """A dotted key as the path in its file; None where there is no such setting."""
    if key in KEYS or key in OPEN:
        return tuple(key.split("."))
    for name in OPEN:
        if key.startswith(name + "."):
            return (*name.split("."), key[len(name) + 1 :])
    return None
