"""Opening the workbench: the only command that imports Textual."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from memdesk.core.errors import UsageError


def run(args: Namespace) -> int:
    """Opens the workbench, or says why it can't start here. Raises UsageError without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        raise UsageError(
            "The workbench needs a terminal.", remedy="For scripts and CI there is 'memdesk --check', and 'memdesk --help'."
        )
    if args.demo and args.where:
        raise UsageError("--demo opens its own stores and takes no ROOT.")
    from memdesk.core.clock import clock
    from memdesk.tui import workbench

    where = args.where or args.root or "."
    return workbench.run(
        where, pane=args.pane, clock=clock(args.now or os.environ.get("MEMDESK_NOW")), config=args.config, demo=args.demo
    )
