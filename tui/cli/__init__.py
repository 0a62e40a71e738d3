"""The command line: one `main`, thin commands over a Desk. Textual is imported only to open the workbench."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from memdesk.core.errors import MemdeskError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code (CLI.md). Prints errors to stderr; a broken pipe ends quietly."""
    from memdesk.tui.cli.output import say, utf8

    words = list(sys.argv[1:] if argv is None else argv)
    utf8()
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except MemdeskError as error:
        say(f"memdesk: {error}")
        return error.exit_code
    except BrokenPipeError:
        _close_quietly()
        return 0
    except KeyboardInterrupt:
        return 130


def _dispatch(words: list[str]) -> int:
    if _is_check(words):
        from memdesk.tui.cli import check

        return check.main(words)
    from memdesk.tui.cli import parser

    args = parser.parse(words)
    if args.command is None:
        from memdesk.tui.cli import opening

        return opening.run(args)
    from memdesk.tui.cli import commands

    return commands.run(args)


def _is_check(words: list[str]) -> bool:
    """`--check` anywhere before a command's name, or the command `check`. Kept apart from argparse: CI waits for it."""
    from memdesk.tui.cli.words import first_word

    command = first_word(words)
    return command == "check" or (command is None and "--check" in words)


def _close_quietly() -> None:
    """Points stdout at nothing, so that the interpreter's own flush at exit does not complain about the closed pipe."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
