"""The command line's words, as CLI.md lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from memdesk.core.errors import UsageError
from memdesk.tui.cli.words import command_position

PANES = ("inbox", "context", "conflicts", "prune", "health", "history")
TEXT_JSON = ("text", "json")


class Parser(argparse.ArgumentParser):
    """argparse, with errors raised as UsageError so that one place prints them and sets the exit code."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, remedy=f"See '{self.prog} --help'.")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed words; `command` is None for the workbench. Raises UsageError."""
    position = command_position(argv)
    if position is None:
        return _workbench().parse_args(list(argv))
    rest = list(argv)
    command = rest.pop(position)  # common options may stand before it, and a path of the same name after it
    title, build = COMMANDS[command]
    parser = Parser(prog=f"memdesk {command}", description=title, allow_abbrev=False)
    _common(parser)
    build(parser)
    parser.set_defaults(command=command)
    return parser.parse_args(rest)


def overview() -> str:
    """The commands, a line each, for `--help`."""
    width = max(map(len, COMMANDS))
    return "\n".join(f"  {name.ljust(width)}  {title}" for name, (title, _) in COMMANDS.items())


def _workbench() -> Parser:
    parser = Parser(
        prog="memdesk", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Opens the workbench on the workspace that contains ROOT (default: here).",
        epilog=f"commands (memdesk COMMAND --help):\n  {'check'.ljust(max(map(len, COMMANDS)))}  the same as --check\n{overview()}",
    )
    _common(parser)
    parser.add_argument("where", nargs="?", metavar="ROOT")
    parser.add_argument("--pane", choices=PANES, help="the pane to open")
    parser.add_argument("--demo", action="store_true", help="a throw-away copy of the example stores")
    parser.add_argument("--check", action="store_true", help="run the rules without a user interface (see 'memdesk check --help')")
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


def _format(parser: Parser, choices: Sequence[str] = TEXT_JSON) -> None:
    parser.add_argument("--format", choices=choices, default="text")


def _acting(parser: Parser) -> None:
    parser.add_argument("--yes", action="store_true", help="apply without asking; planned under the lock")
    parser.add_argument("--as", dest="who", metavar="NAME", help="who decides; goes into the history (or MEMDESK_AS)")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    parser.add_argument("--answer", action="append", default=[], metavar="KEY=VALUE", help="an answer to a question of the plan")
    _format(parser)


def _pack(parser: Parser) -> None:
    parser.add_argument("--task", metavar="T", help="the task's name; 'boot' for what a layout without tasks always loads")
    parser.add_argument("--area", action="append", default=[], metavar="A")
    parser.add_argument("--module-rule", "--rule", dest="rule", action="append", default=[], metavar="R")
    parser.add_argument("--profile", action="append", default=[], metavar="P")
    parser.add_argument("--path", action="append", default=[], metavar="P", help="a path that the task touches")
    parser.add_argument("--explain", action="store_true", help="what loaded, what didn't, and why, instead of the text")
    parser.add_argument("--names-only", action="store_true", help="the paths that load, one a line")
    _format(parser, ("text", "json", "markdown"))


def _guide(parser: Parser) -> None:
    parser.add_argument("--layout", metavar="L")


def _stores(parser: Parser) -> None:
    _format(parser)


def _entries(parser: Parser) -> None:
    parser.add_argument("--role", metavar="ROLE")
    parser.add_argument("--struck", action="store_true", help="struck entries only")
    parser.add_argument("--candidates", action="store_true", help="candidates only")
    parser.add_argument("--grep", metavar="TEXT", help="entries that hold TEXT, in any case")
    _format(parser)


def _add(parser: Parser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the candidate; '-' reads standard input")
    parser.add_argument("--tag", metavar="TAG", help="observed, inferred or suggested")
    parser.add_argument("--kind", choices=("decision", "constraint", "preference", "tombstone", "fact", "adr", "term"))
    parser.add_argument("--reason")
    parser.add_argument("--source", metavar="PATH[:LINE]")
    parser.add_argument("--area")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    _format(parser)


def _promote(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--to", metavar="DEST")
    for name in ("title", "reason", "scope", "tag", "area", "source"):
        parser.add_argument(f"--{name}")
    _acting(parser)


def _strike(parser: Parser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--with", dest="replacement", metavar="TEXT", help="what replaces it")
    for name in ("reason", "tag", "source", "title"):
        parser.add_argument(f"--{name}")
    _acting(parser)


def _reject(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--reason")
    parser.add_argument("--tombstone", action="store_true", help="leave a tombstone; then a reason is required")
    parser.add_argument("--scope")
    parser.add_argument("--title")
    parser.add_argument("--reconsider", metavar="DATE|TEXT")
    _acting(parser)


def _merge(parser: Parser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--into", required=True, metavar="ID")
    parser.add_argument("--text", help="the merged entry ('-' reads standard input); without it your editor opens on a draft")
    _acting(parser)


def _edit(parser: Parser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--text", help="the new text ('-' reads standard input); without it your editor opens")
    _acting(parser)


def _snooze(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--until", required=True, metavar="DATE")
    _acting(parser)


def _archive(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    _acting(parser)


def _forget(parser: Parser) -> None:
    parser.add_argument("topic", metavar="TOPIC")
    parser.add_argument("--mode", choices=("soft", "hard", "purge"), default="soft")
    parser.add_argument("--reason")
    _acting(parser)


def _undo(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="a transaction (default: the newest not undone)")
    _acting(parser)


def _history(parser: Parser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--show", metavar="ID", help="the diffs of one transaction")
    group.add_argument("--forget", metavar="ID", help="take one out of the history, texts and all")
    parser.add_argument("--yes", action="store_true", help="forget without asking")
    _format(parser)


def _recover(parser: Parser) -> None:
    parser.add_argument("--yes", action="store_true", help="finish or roll back without asking")
    parser.add_argument("--choose", choices=("complete", "restore"), help="the answer where only a person can give one")
    _format(parser)


def _init(parser: Parser) -> None:
    parser.add_argument("layout", nargs="?", metavar="LAYOUT", help="default: custodian")
    parser.add_argument("--path", metavar="DIR", help="where the store is made")
    parser.add_argument("--agents", action="store_true", help="also put the standing text into AGENTS.md")
    _acting(parser)


def _config(parser: Parser) -> None:
    _format(parser)


COMMANDS: dict[str, tuple[str, Callable[[Parser], Any]]] = {
    "pack": ("what a task would load, and why", _pack),
    "guide": ("the standing text for agents", _guide),
    "stores": ("the stores that are here, and what was not recognised", _stores),
    "entries": ("every entry of all stores", _entries),
    "inbox": ("the candidates of all stores, with their ids", _stores),
    "add": ("add a candidate", _add),
    "promote": ("take candidates to where they belong", _promote),
    "strike": ("supersede in place, with or without a replacement", _strike),
    "reject": ("take candidates out of the inbox", _reject),
    "merge": ("work a candidate into an entry", _merge),
    "edit": ("change an entry's own text", _edit),
    "snooze": ("put candidates aside until a date", _snooze),
    "archive": ("move whole entries to the archive", _archive),
    "forget": ("take a topic out: soft, hard or purge", _forget),
    "undo": ("take a transaction back", _undo),
    "history": ("the transactions, newest first", _history),
    "recover": ("finish or roll back an interrupted transaction", _recover),
    "init": ("make a store; never overwrites", _init),
    "config": ("the effective settings with their origin", _config),
    "doctor": ("state folder, lock, git, watching, terminal, clipboard", _config),
}
