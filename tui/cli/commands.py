"""From parsed words to an open desk to the command's function."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING

from memdesk.tui.cli.words import place

if TYPE_CHECKING:
    from memdesk.core.clock import Clock
    from memdesk.core.desk import Desk

READING = frozenset({"pack", "recall", "guide", "stores", "entries", "inbox", "conflicts", "prune", "history"})
UPKEEP = frozenset({"recover", "config", "doctor"})
LOOKS = 10  # how often a reader looks again before it calls a transaction interrupted


def run(args: Namespace) -> int:
    """Runs one command; what it could not do is raised as a MemdeskError. Only the modules of that command are imported."""
    if args.command == "merge-driver":
        from memdesk.tui.cli import driving

        return driving.run([args.command, args.base, args.ours, args.theirs, args.path, args.size])
    if args.command == "completion":
        from memdesk.tui.cli import completion

        return completion.run(args.shell)
    desk = open_desk(args)
    if args.command in READING:
        from memdesk.tui.cli import reading

        warn_of_pending(desk)
        return reading.COMMANDS[args.command](desk, args)
    if args.command in UPKEEP:
        from memdesk.tui.cli import upkeep

        return upkeep.COMMANDS[args.command](desk, args)
    from memdesk.tui.cli import acting

    return acting.run(args.command, desk, args)


def open_desk(args: Namespace) -> Desk:
    """The desk that the common options name."""
    from memdesk.core.desk import Desk

    config = None if args.config is None else place(args.config)
    desk = Desk.open(place(args.root or "."), clock=clock_of(args), config=config)
    if not getattr(args, "quiet", False):
        from memdesk.tui.cli.waiting import Told

        desk.wait_with(Told())
    return desk


def clock_of(args: Namespace) -> Clock:
    """Today, by `--now`, else by MEMDESK_NOW, else by the system. Raises UsageError."""
    from memdesk.core.clock import clock

    return clock(args.now) if args.now else clock(os.environ.get("MEMDESK_NOW"), "MEMDESK_NOW")


def warn_of_pending(desk: Desk) -> None:
    """Readers warn of an interrupted transaction; they never mend it, as writers do.

    One that another memdesk carries out this moment is gone by the second look.
    """
    from memdesk.core.transaction.state import interrupted

    if not interrupted(desk.transactions.ground.state):
        return
    waiting = desk.pending()
    if waiting:
        from time import sleep

        from memdesk.tui.cli.output import say

        for _ in range(LOOKS):
            sleep(0.02)
            waiting = desk.pending()
            if not waiting:
                return
        names = ", ".join(pending.id for pending in waiting)
        say(f"memdesk: warning: a transaction was interrupted ({names}); 'memdesk recover' finishes it or takes it back.")
