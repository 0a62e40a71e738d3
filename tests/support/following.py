"""Following what an answer advises, from its words alone: what a person would do who has nothing but the line on screen."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from memdesk.core import config
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.model import Workspace
from memdesk.core.routing import Why, why
from memdesk.core.workspace import open_workspace
from tests.support.trees import MemoryTree

_CHANGE = re.compile(r"(?P<path>[^\s:]+)(?::(?P<line>\d+))?(?: \((?P<words>.*)\))?", re.DOTALL)
_QUOTED = re.compile(r"`([^`]*)`|“(.*?)”(?=, |\Z| add | write )", re.DOTALL)


class World(NamedTuple):
    """Files by path, and the links among them: a workspace that can be changed and read again."""

    files: Mapping[str, str]
    links: Mapping[str, str] = {}

    def opened(self) -> tuple[Workspace, config.Settings]:
        tree = MemoryTree(self.files, self.links)
        settings = config.load("", tree)
        return open_workspace(tree, settings), settings

    def asked(
        self, path: str, task: str = "boot", line: int | None = None, today: date | None = None, **modules: tuple[str, ...]
    ) -> Why:
        """The answer for one task."""
        there, settings = self.opened()
        (found,) = why(there, path, line, today, LoadRequest(task, **modules), settings)
        return found


def followed(world: World, change: str) -> World | None:
    """The world after one change; None where the words name a place and no exact change of it."""
    match = _CHANGE.fullmatch(change)
    assert match is not None, change
    path, words = match["path"], match["words"] or ""
    quoted = [plain if plain is not None else fancy for plain, fancy in
              ((one[1], one[2]) for one in _QUOTED.finditer(words))]
    if words.startswith("a new file with "):
        assert path not in world.files
        return world._replace(files={**world.files, path: "\n".join(quoted) + "\n"})
    if path not in world.files or match["line"] is None:
        return None
    text = world.files[path]
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    number = int(match["line"])
    if words.startswith("to ") and " add `" in words and path.endswith(".json"):
        return world._replace(files={**world.files, path: _member(text, words, quoted)})
    if words.startswith(("below ", "instead of ", "take out ")):
        now = lines[number - 1].removeprefix("\ufeff").strip()
        told, *new = quoted if "this line" not in words else ["", *quoted]
        assert now == told or (told.endswith("…") and now.startswith(told[:-1])), (change, now)
        if words.startswith("below "):
            lines[number:number] = new
        elif words.startswith("instead of "):
            lines[number - 1 : number] = new
        else:
            del lines[number - 1]
        return world._replace(files={**world.files, path: ending.join(lines)})
    return None


def loading(world: World, path: str, task: str, *, most: int = 8, **words: object) -> tuple[Why, int]:
    """What is said in the end, after as many of the changes as it takes (at most `most`), and how many were made."""
    for step in range(most):
        found = world.asked(path, task, **words)  # type: ignore[arg-type]
        if found.loads or not found.change:
            return found, step
        after = followed(world, found.change)
        if after is None:
            return found, step
        world = after
    raise AssertionError(f"{most} changes did not do: {found}")


def _member(text: str, words: str, quoted: list[str]) -> str:
    """A JSON text with a member more in the object of that name."""
    value = json.loads(text.removeprefix("\ufeff"))
    target = value if words.startswith("to the file ") else _object(value, quoted[0])
    target.update(json.loads("{" + quoted[-1] + "}"))
    return json.dumps(value)


def _object(value: object, name: str) -> dict[str, object]:
    chain = {"tiers": ("tiers",), "rom": ("tiers", "rom"), "files": ("tiers", "rom", "files")}[name]
    for key in chain:
        value = value[key]  # type: ignore[index]
    assert isinstance(value, dict)
    return value
