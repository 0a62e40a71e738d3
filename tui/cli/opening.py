"""Opening the workbench: the only command that imports Textual."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from memdesk.core.errors import UsageError
from memdesk.tui.cli.words import place


def run(args: Namespace) -> int:
    """Opens the workbench, or says why it can't start here. Raises UsageError without a terminal."""
    if args.where is not None and args.root is not None:
        raise UsageError("ROOT and --root name the same thing.", remedy="Give one of them.")
    if args.where is not None and not os.path.lexists(place(args.where)):
        raise _no_such_folder(args.where)
    if args.demo and (args.where or args.root):
        raise UsageError("--demo opens its own stores and takes no ROOT.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The workbench needs a terminal.", remedy="For scripts and CI there is 'memdesk --check', and 'memdesk --help'."
        )
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        named = f"TERM={term} can't" if term else "without TERM it can't"
        raise UsageError(
            f"The workbench needs a terminal that can move its cursor; {named}.",
            remedy="Set TERM to your terminal's kind, such as xterm-256color; the commands work without ('memdesk --help').",
        )
    from memdesk.tui import workbench
    from memdesk.tui.cli.commands import clock_of

    where = place(args.where or args.root or ".")
    config = None if args.config is None else place(args.config)
    return workbench.run(where, pane=args.pane, clock=clock_of(args), config=config, demo=args.demo)


def _no_such_folder(word: str) -> UsageError:
    """A word that names neither a command nor a folder: mistyped, most likely."""
    from difflib import get_close_matches

    from memdesk.tui.cli.words import COMMAND_NAMES

    near = [] if os.sep in word else get_close_matches(word, sorted(COMMAND_NAMES), n=1)
    remedy = f"Did you mean 'memdesk {near[0]}'?" if near else "See 'memdesk --help' for the commands."
    return UsageError(f"{word!r} is neither a command nor a folder here.", remedy=remedy)
