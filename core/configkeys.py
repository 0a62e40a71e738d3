"""Every setting that exists: its type, limits and default (formats/config.md). Nothing is read here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

IGNORE = ("**/fixtures/**", "**/node_modules/**", "**/vendor/**", ".git/**")


class Key(NamedTuple):
    """One setting. `read` gives the value to keep, or raises ValueError with what it must be ("must be ...")."""

    default: Any
    read: Callable[[Any], Any]
    shared: bool = False  # it must be the same for everyone: the workspace's file alone may hold it


def _whole(least: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"must be a whole number of {least} or more")
        return value

    return read


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:  # nan is neither
        raise ValueError("must be a number above 0 and up to 1")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text that is not empty")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("must be a list of texts")
    return tuple(value)


def _command(value: Any) -> tuple[str, ...]:
    """A program and its arguments, as they are: no shell takes them apart."""
    if isinstance(value, list) and value and all(isinstance(item, str) and item and "\0" not in item for item in value):
        return tuple(value)
    raise ValueError("must be a list of words, none of them empty: [\"program\", \"argument\"]")


def _path(value: Any) -> str:
    """A path inside the workspace, without `./` in front and `/` behind."""
    if isinstance(value, str) and value and not value.startswith("/") and "\\" not in value and "\0" not in value:
        parts = [part for part in value.split("/") if part not in ("", ".")]
        if ".." not in parts:
            return "/".join(parts) or "."
    raise ValueError("must be a path inside the workspace, with `/` and without `..`")


def _state(value: Any) -> str:
    try:
        path = _path(value)
    except ValueError:
        path = "."
    if path == "." or path.split("/")[0] == ".git":
        raise ValueError("must be a folder inside the workspace, outside `.git`")
    return path


def _paths(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("must be a list of paths")
    return tuple(_path(item) for item in value)


def _layout(value: Any) -> str:
    from memdesk.core.layouts import names

    known = (*names(), "none")
    if value not in known:
        raise ValueError(f"must be one of {', '.join(known)}")
    return str(value)


KEYS: Mapping[str, Key] = {
    "stores.ignore": Key(IGNORE, _texts),
    "state.dir": Key(None, _state, shared=True),
    "budget.near": Key(0.8, _share),
    "freshness.days": Key(180, _whole(1)),
    "recall.max_sources": Key(5, _whole(1)),
    "recall.max_chars": Key(2000, _whole(1)),
    "gate.signals": Key(3, _whole(1)),
    "gate.sessions": Key(2, _whole(1)),
    "gate.half_after_days": Key(30, _whole(0)),
    "prune.every_days": Key(None, _whole(1)),
    "prune.keep_struck_days": Key(365, _whole(0)),
    "prune.untouched_days": Key(365, _whole(0)),
    "prune.near": Key(0.86, _share),
    "fragments.waiting_days": Key(7, _whole(0)),
    "fragments.archive_days": Key(7, _whole(0)),
    "tiers.facts": Key("memory/facts", _path),
    "tiers.index": Key("memory/INDEX.md", _path),
    "tiers.log": Key("memory/log", _path),
    "tiers.working": Key("memory/working", _path),
    "tiers.inbox": Key("memory/inbox.md", _path),
    "tiers.archive": Key("memory/archive", _path),
    "tiers.log_days": Key(7, _whole(1)),
    "tiers.max_facts": Key(300, _whole(1)),
    "records.design": Key("docs/design", _path),
    "records.sources": Key(None, _paths),
    "records.supersede_as": Key("superseded", _text),
    "agent.command": Key(None, _command),
    "agent.timeout_s": Key(120, _whole(1)),
    "agent.max_bytes": Key(262144, _whole(1)),
    "editor.command": Key(None, _text),
    "theme.name": Key(None, _text),
}

# Tables whose keys are the person's own: folders, statuses, kinds of text, actions.
OPEN: Mapping[str, Key] = {
    "stores.layout": Key({}, _layout),
    "records.statuses": Key({}, _text),
    "standing": Key({}, _text),
    "keymap": Key({}, _text),
}

USER_SECTIONS = frozenset({"agent", "editor", "keymap", "theme"})  # in the user's own file alone
APPROVED = frozenset({"agent.command"})  # of these what a workspace's file may offer; the user approves or overrules it
SECTIONS = frozenset(name.split(".")[0] for name in (*KEYS, *OPEN))


def path_key(name: str) -> str:
    """The folder that a key of `stores.layout` names. Raises ValueError."""
    return _path(name)


def user_path() -> str:
    """Where the user's own file is on this platform; it need not exist."""
    if os.name == "posix" and os.uname().sysname != "Darwin":
        base = os.environ.get("XDG_CONFIG_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".config")
        return os.path.join(base, "memdesk", "config.toml")
    from platformdirs import user_config_path

    return str(user_config_path("memdesk", appauthor=False) / "config.toml")
