"""From parsed words to an open desk to the command's function."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.desk import Desk


def run(args: Namespace) -> int:
    """Runs one command; what it could not do is raised as a MemdeskError."""
    from memdesk.tui.cli import acting, reading, upkeep

    desk = open_desk(args)
    if args.command != "recover" and not args.quiet:
        warn_of_pending(desk)
    for module in (reading, acting, upkeep):
        command = module.COMMANDS.get(args.command)
        if command is not None:
            return command(desk, args)
    raise AssertionError(args.command)


def open_desk(args: Namespace) -> Desk:
    """The desk that the common options name."""
    from memdesk.core.clock import clock
    from memdesk.core.desk import Desk

    return Desk.open(args.root or ".", clock=clock(args.now or os.environ.get("MEMDESK_NOW")), config=args.config)


def warn_of_pending(desk: Desk) -> None:
    """Readers warn of an interrupted transaction; they never mend it."""
    from memdesk.tui.cli.output import say

    for pending in desk.pending():
        say(f"memdesk: an interrupted transaction waits: {pending.id}. Run 'memdesk recover'.")
