"""What could come next on a command line. The shells' scripts (`completion`) ask for it at each Tab, by

    memdesk completion -- words WORD... CURRENT          words without quotes, for zsh and fish: VALUE, tab, help
    memdesk completion -- bash WORDBREAKS LINE           the line up to the cursor; answers are quoted as bash needs them

and get a first line that says what follows: words, nospace (no blank after the word), files or folders (the shell's own).
Names from memory are data: what holds more than plain printable text is left out, and no shell is given anything to expand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memdesk.core.errors import MemdeskError
from memdesk.tui.cli.words import TAKES_VALUE, command_position, place

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry, Store

LARGEST = 1 << 20  # bytes of memory up to which ids are offered: more would keep a person waiting at each Tab


class Option(NamedTuple):
    """An option of a command. `values`: what it takes, None for a flag: choices, or a name of VALUES; `again`: it may come
    several times."""

    name: str
    help: str
    values: str | Sequence[str] | None
    again: bool = False


class Answer(NamedTuple):
    """What could come: `mode` as above, and (value, help) for each word."""

    mode: str
    found: tuple[tuple[str, str], ...] = ()


def run(words: Sequence[str]) -> int:
    """Answers a shell. Whatever is wrong with a line, a store or the settings, at a Tab it is no matter: nothing is offered."""
    from memdesk.tui.cli.output import result

    kind, *given = words or [""]
    if kind == "bash" and len(given) == 2:
        from memdesk.tui.cli import bashwords

        line = bashwords.split(given[1])
        mode, found = _tried(line.words[1:], line.current)
        replies = bashwords.replies(line, given[0], [value for value, _ in found])
        result("\n".join([_mode(mode, replies), *replies]))
    elif kind == "words" and given:
        mode, found = _tried(given[:-1], given[-1])
        rows = (f"{value}\t{told}" if told else value for value, told in found)
        result("\n".join([_mode(mode, [value for value, _ in found]), *rows]))
    return 0


def _tried(before: Sequence[str], current: str) -> Answer:
    """What could come and begins as the word does."""
    try:
        answer = complete(before, current)
    except (MemdeskError, OSError):
        return Answer("words")
    return Answer(answer.mode, tuple(item for item in answer.found if item[0].startswith(current)))


def complete(before: Sequence[str], current: str) -> Answer:
    """What could stand in the place of `current`, after the words `before` (the program's own name left out)."""
    line = _Line(before)
    if line.pending is not None:
        return line.values(line.pending.values)
    if not line.ended and current.startswith("-"):
        name, equals, _ = current.partition("=")
        option = line.options.get(name)
        if equals and option is not None and option.values is not None:
            answer = line.values(option.values)
            return Answer(answer.mode, tuple((f"{name}={value}", told) for value, told in answer.found))
        return Answer("words", tuple(
            (option.name, option.help) for option in line.options.values() if option.again or option.name not in line.seen
        ))
    return line.argument(current)


class _Line:
    """The words of a line before the cursor, as far as they tell what may follow."""

    def __init__(self, before: Sequence[str]) -> None:
        position = command_position(before)
        self.command = None if position is None else before[position]
        rest = [word for index, word in enumerate(before) if index != position]
        checks = self.command == "check" or (self.command is None and "--check" in rest)
        self.options, self.places = _of_check() if checks else _of(self.command)
        self.seen: dict[str, str] = {}
        self.arguments: list[str] = []
        self.ended = False
        self.pending: Option | None = None  # one whose value is to come
        for word in rest:
            self._read(word)

    def values(self, kind: str | Sequence[str] | None) -> Answer:
        """The values of an option or argument."""
        if isinstance(kind, str):
            if kind in ("files", "folders"):
                return Answer(kind)
            found = tuple(_plain(_VALUES[kind](self))) if kind in _VALUES else ()
            # A name that begins with a dash would be taken for an option: `--as=x/docs/memory/inbox.md#1234`.
            return Answer("words", tuple(one for one in found if self.ended or not one[0].startswith("-")))
        return Answer("words", tuple((value, "") for value in kind or ()))

    def argument(self, current: str) -> Answer:
        """What may stand in the place of the next argument."""
        if not self.places:
            return Answer("words")
        at = len(self.arguments)
        kind = self.places[min(at, len(self.places) - 1)]
        if at >= len(self.places) and kind not in ("ids", "paths"):  # the others come once
            return Answer("words")
        if kind == "commands":
            found = _commands()
            if not any(name.startswith(current) for name, _ in found):
                return Answer("folders")
            return Answer("words", tuple(found)) if not self.ended else Answer("folders")
        return self.values("files" if kind == "paths" else kind)

    def desk(self) -> Desk:
        """The workspace that the line is about. Raises MemdeskError."""
        from memdesk.core.clock import clock
        from memdesk.core.desk import Desk

        config = self.seen.get("--config")
        start = self.seen.get("--root") or (self.arguments[0] if self.arguments and self.places[0] == "folders" else ".")
        return Desk.open(_path(start), clock=clock(None), config=None if config is None else _path(config))

    def stores(self, desk: Desk) -> list[Store]:
        return [desk.store(self.seen["--store"])] if "--store" in self.seen else list(desk.workspace.stores)

    def _read(self, word: str) -> None:
        if self.pending is not None:
            self.seen[self.pending.name] = word
            self.pending = None
        elif self.ended or word == "-" or not word.startswith("-"):
            self.arguments.append(word)
        elif word == "--":
            self.ended = True
        else:
            name, equals, value = word.partition("=")
            self.seen[name] = value
            option = self.options.get(name)
            if option is None and self.command is None and name in TAKES_VALUE:  # the command, which has it, is to come
                option = Option(name, "", _OPTIONS.get((None, name), ""))
            if option is not None and option.values is not None and not equals:
                self.pending = option


# What a command takes


def _of(command: str | None) -> tuple[dict[str, Option], Sequence[str]]:
    """The options of a command by name, and what its arguments are."""
    import argparse

    from memdesk.tui.cli import arguments, parser

    if command is not None and command not in arguments.COMMANDS:
        return {}, ()
    made = parser.workbench() if command is None else parser.made(command)
    options: dict[str, Option] = {}
    places: list[str] = []
    for action in made._actions:
        if not action.option_strings:
            name = action.metavar if isinstance(action.metavar, str) else ""
            places.append(_ARGUMENTS.get((command, name)) or _ARGUMENTS.get((None, name), ""))
        elif action.help != argparse.SUPPRESS:
            flag = action.nargs == 0
            for name in action.option_strings:
                kind = _OPTIONS.get((command, name)) or _OPTIONS.get((None, name), "")
                values = None if flag else tuple(map(str, action.choices)) if action.choices else kind
                again = isinstance(action.default, list)
                if name.startswith("--"):
                    options[name] = Option(name, (action.help or "").replace("%%", "%"), values, again)
    return options, ["commands"] if command is None else places


def _of_check() -> tuple[dict[str, Option], Sequence[str]]:
    from memdesk.tui.cli import check
    from memdesk.tui.report.check import FORMATS

    rows = (row.strip().partition("  ") for row in check.HELP.split("\n") if row.startswith("  --"))
    told = {left.split(" ")[0]: right.strip() for left, _, right in rows}
    options = {}
    for name in (*check._VALUES, *check._LISTS, *check._FLAGS):
        kind = _OPTIONS.get(("check", name)) or _OPTIONS.get((None, name), "")
        values: str | Sequence[str] | None = FORMATS if name == "--format" else kind
        if name.startswith("--") and name != "--check":
            flag = name in check._FLAGS
            options[name] = Option(name, told.get(name, ""), None if flag else values, name in check._LISTS)
    return options, ["folders"]


def _commands() -> list[tuple[str, str]]:
    from memdesk.tui.cli.arguments import COMMANDS

    return [("check", "run the rules: the same as --check"), *((name, title) for name, (title, _) in COMMANDS.items())]


# (command, or None for any; option or argument) -> what it takes
_OPTIONS = {
    (None, "--root"): "folders", (None, "--config"): "files", (None, "--store"): "stores", (None, "--layout"): "layouts",
    (None, "--task"): "tasks", (None, "--area"): "areas", (None, "--module-rule"): "modules", (None, "--rule"): "modules",
    (None, "--profile"): "profiles", ("pack", "--path"): "files", (None, "--path"): "folders", (None, "--why"): "files",
    (None, "--source"): "files", (None, "--role"): "roles", (None, "--tag"): "tags", (None, "--to"): "destinations",
    (None, "--into"): "ids", (None, "--signal"): "ids", (None, "--feature"): "features", ("compact", "--text"): "files",
    (None, "--base"): "revisions", (None, "--head"): "revisions", ("history", "--show"): "transactions",
    ("history", "--forget"): "transactions", ("check", "--only"): "rules", ("check", "--skip"): "rules",
    ("check", "--explain"): "rules", ("check", "--baseline"): "files", ("check", "--write-baseline"): "files",
    ("renumber", "--to"): "",
}
_ARGUMENTS = {
    (None, "ID"): "ids", ("undo", "ID"): "transactions", (None, "LAYOUT"): "new layouts", (None, "PATH"): "paths",
    (None, "FEATURE"): "features", (None, "SHELL"): "shells", (None, "BASE"): "paths", (None, "OURS"): "paths",
    (None, "THEIRS"): "paths",
}
_WAITING = frozenset({"promote", "reject", "snooze", "merge"})  # their ids are those of candidates


# What names there are


def _ids(line: _Line) -> Iterable[tuple[str, str]]:
    """The entries that an id may name, with their headings, unless there is too much to read for a Tab."""
    from memdesk.tui.cli.output import headed

    desk = line.desk()
    if sum(len(document.data) for document in desk.workspace.documents.values()) > LARGEST:
        return []
    stores = line.stores(desk)
    waiting = line.command in _WAITING and line.pending is None
    given = set(line.arguments)
    entries: list[Entry] = desk.candidates(True) if waiting else list(desk.workspace.entries())
    return [
        (entry.id, headed(entry)) for entry in entries
        if entry.document.store in stores and entry.id not in given and (waiting or not entry.struck)
    ]


def _destinations(line: _Line) -> Iterable[tuple[str, str]]:
    return [(place.id, place.label) for place in line.desk().destinations(line.arguments)] if line.arguments else []


def _tasks(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core import layouts

    desk = line.desk()
    return [(task, store.path) for store in line.stores(desk) for task in layouts.get(store.layout).tasks(store)]


def _modules(field: str) -> Callable[[_Line], Iterable[tuple[str, str]]]:
    def found(line: _Line) -> Iterable[tuple[str, str]]:
        from memdesk.core import layouts

        desk = line.desk()
        return [
            (module.name, module.when) for store in line.stores(desk) for module in layouts.get(store.layout).modules(store)
            if module.field == field
        ]

    return found


def _features(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core import layouts

    desk = line.desk()
    return [
        (feature, store.path) for store in line.stores(desk)
        for feature in layouts.get(store.layout).features(desk.workspace, store)
    ]


def _stores(line: _Line) -> Iterable[tuple[str, str]]:
    return [(store.path, store.layout) for store in line.desk().workspace.stores]


def _roles(line: _Line) -> Iterable[tuple[str, str]]:
    return [(role, "") for role in sorted({document.place.role for document in line.desk().workspace.documents.values()})]


def _rules(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core.checks import registry

    return [(rule.name, rule.title) for rule in registry.rules()]


def _layouts(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core import layouts

    new = line.command == "init"
    return [(name, layouts.get(name).title) for name in layouts.names() if not new or "init" in layouts.get(name).verbs]


def _tags(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core.fields import TAGS

    return [(tag, "") for tag in TAGS if line.command != "add" or tag != "stated"]


def _transactions(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.tui.cli.output import masked

    return [(item.id, masked(item.summary)) for item in line.desk().history()]


def _revisions(line: _Line) -> Iterable[tuple[str, str]]:
    from memdesk.core.git import discover
    from memdesk.core.workspace import find_root

    git = discover(find_root(_path(line.seen.get("--root") or ".")))
    if git is None:
        return []
    out = git.run(["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"])
    return [(name, "") for name in ("HEAD", *out.decode("utf-8", "surrogateescape").split("\n")) if name]


_VALUES: dict[str, Callable[[_Line], Iterable[tuple[str, str]]]] = {
    "ids": _ids, "destinations": _destinations, "tasks": _tasks, "areas": _modules("areas"), "modules": _modules("rules"),
    "profiles": _modules("profiles"), "features": _features, "stores": _stores, "roles": _roles, "rules": _rules,
    "layouts": _layouts, "new layouts": _layouts, "tags": _tags, "transactions": _transactions, "revisions": _revisions,
    "shells": lambda line: [(shell, "") for shell in ("bash", "zsh", "fish")],
}


def _plain(found: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Each value once, without those that a terminal would not show as they are."""
    from memdesk.tui.cli.output import cell

    seen: set[str] = set()
    for value, told in found:
        if value and cell(value) == value and value not in seen:
            seen.add(value)
            yield value, cell(told)


def _mode(mode: str, found: Sequence[str]) -> str:
    """No blank follows what is but the beginning of a word (`area:`)."""
    return "nospace" if mode == "words" and len(found) == 1 and found[0].endswith(":") else mode


def _path(text: str) -> str:
    return place(os.path.expanduser(text))
