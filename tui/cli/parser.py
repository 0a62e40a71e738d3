"""From the words of a command line to what they mean: one parser for each command, and one for the workbench."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from memdesk.core.errors import UsageError
from memdesk.tui.cli.arguments import COMMANDS
from memdesk.tui.cli.words import command_position

PANES = ("inbox", "context", "conflicts", "prune", "health", "history")


class Parser(argparse.ArgumentParser):
    """argparse, with errors raised as UsageError so that one place prints them and sets the exit code."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", remedy=f"See '{self.prog} --help'.")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The words, options and others in any order. Raises UsageError for an unknown option, with the nearest."""
        self._known(words)
        # What argparse calls intermixed does not know `--`.
        parse = self.parse_known_args if "--" in words else self.parse_known_intermixed_args
        args, extra = parse(list(words))
        if extra:
            raise UsageError(f"{self.prog} has no use for {extra[0]!r}.", remedy=f"See '{self.prog} --help'.")
        return args

    def _known(self, words: Sequence[str]) -> None:
        options = self._option_string_actions
        skip = False
        for word in words:
            if word == "--":
                return
            if skip or not word.startswith("-") or word == "-" or " " in word:
                skip = False
                continue
            name, equals, _ = word.partition("=")
            if name not in options:
                from difflib import get_close_matches

                near = get_close_matches(name, options, n=1)
                words_on = f"Did you mean {near[0]}?" if near else "Put '--' before a text that begins with a dash."
                raise UsageError(f"{self.prog} has no option {name}.", remedy=f"{words_on} See '{self.prog} --help'.")
            skip = options[name].nargs is None and not equals


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed words; `command` is None for the workbench. Raises UsageError."""
    position = command_position(argv)
    if position is None:
        return workbench().read(argv)
    rest = list(argv)
    command = rest.pop(position)  # common options may stand before it, and a path of the same name after it
    return made(command).read(rest)


def made(command: str) -> Parser:
    """The parser of one command."""
    title, build = COMMANDS[command]
    parser = Parser(prog=f"memdesk {command}", description=f"{title[0].upper()}{title[1:]}.", allow_abbrev=False)
    _common(parser)
    build(parser)
    parser.set_defaults(command=command)
    return parser


def overview() -> str:
    """The commands, a line each, for `--help`."""
    width = max(map(len, COMMANDS))
    titles = {"check": "run the rules: the same as --check"} | {name: title for name, (title, _) in COMMANDS.items()}
    return "\n".join(f"  {name.ljust(width)}  {title}" for name, title in titles.items())


def workbench() -> Parser:
    """The parser of the workbench's own words."""
    parser = Parser(
        prog="memdesk", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Opens the workbench on the workspace that contains ROOT (default: here).",
        epilog=f"commands (memdesk COMMAND --help):\n{overview()}",
    )
    _common(parser)
    parser.add_argument("where", nargs="?", metavar="ROOT")
    parser.add_argument("--pane", choices=PANES, help="the pane to open")
    parser.add_argument("--demo", action="store_true", help="a throw-away copy of the example stores")
    parser.add_argument("--check", action="store_true", help="run the rules instead (see 'memdesk check --help')")
    parser.set_defaults(command=None)
    return parser


def _common(parser: Parser) -> None:
    from memdesk import __version__

    group = parser.add_argument_group("common options")
    group.add_argument("--root", metavar="DIR", help="a folder of the workspace (default: here)")
    group.add_argument("--store", metavar="PATH", help="one store among several")
    group.add_argument("--config", metavar="FILE", help="a settings file instead of the workspace's own")
    group.add_argument("--quiet", action="store_true", help="results only")
    group.add_argument("--now", metavar="DATE", help="today: YYYY-MM-DD[THH:MM[:SS]]")
    group.add_argument("--version", action="version", version=f"memdesk {__version__}")
