"""The command line: one `main`, thin commands over a Desk. Textual is imported only to open the workbench."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from memdesk.core.errors import MemdeskError

INTERRUPTED = 130  # what a shell reports for Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code (CLI.md). Prints errors to stderr; a broken pipe ends quietly."""
    from memdesk.tui.cli.output import utf8

    words = _as_utf8(sys.argv[1:]) if argv is None else list(argv)
    utf8()
    try:
        code = _explained(words)
        sys.stdout.flush()
        sys.stderr.flush()
        if argv is None:
            gc.freeze()  # the process ends here: what is left is not searched for garbage several times more
        return code
    except BrokenPipeError:
        _close_quietly()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # the results could not be written: a full disk behind `>`
        _close_quietly()
        return _complain(f"memdesk: {error.filename or 'standard output'}: {error.strerror or error}.")


def _explained(words: list[str]) -> int:
    """The exit code of one command; what it could not do is said on stderr."""
    from memdesk.tui.cli.output import say

    try:
        return _dispatch(words)
    except MemdeskError as error:
        sys.stdout.flush()  # what could be done comes before what could not
        say(f"memdesk: {error}")
        return error.exit_code
    except SystemExit as end:  # argparse, after --help and --version
        return end.code if isinstance(end.code, int) else 0


def _dispatch(words: list[str]) -> int:
    if _is_check(words):
        from memdesk.tui.cli import check

        return check.main(words)
    if words[:1] == ["merge-driver"]:
        from memdesk.tui.cli import driving

        if driving.is_call(words):
            return driving.run(words)
    if words[:2] == ["completion", "--"]:  # a shell asks, at a Tab
        from memdesk.tui.cli import completing

        return completing.run(words[2:])
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


def _as_utf8(words: list[str]) -> list[str]:
    """The words as UTF-8, whatever the locale made of their bytes. Paths among them go through `words.place` again."""
    if sys.getfilesystemencoding() == "utf-8":
        return words
    import os

    return [os.fsencode(word).decode("utf-8", "surrogateescape") for word in words]


def _close_quietly() -> None:
    """Points both streams at nothing, so that the interpreter's own flush at exit does not complain as well."""
    import os

    nothing = os.open(os.devnull, os.O_WRONLY)
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(nothing, number)
    os.close(nothing)


def _complain(text: str) -> int:
    import contextlib

    from memdesk.tui.cli.output import say

    with contextlib.suppress(OSError):
        say(text)
        sys.stderr.flush()
    return 2
