"""`memdesk init --git`: memory files that git merges by entry, here and in every clone."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from memdesk.core import gitsetup
from memdesk.core.errors import GitError
from memdesk.core.plan import Request
from memdesk.tui.cli import deciding
from memdesk.tui.cli.asking import at_terminal, confirm
from memdesk.tui.cli.output import json_result, say

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.git import Git


def check(desk: Desk) -> Git:
    """The repository. Raises GitError where there is none, or no git."""
    if desk.git is None:
        raise GitError("This workspace is not in a git repository.", remedy="Make one first: git init.")
    gitsetup.configured(desk.git)
    return desk.git


def set_up(desk: Desk, args: Namespace) -> int:
    """The attributes as a transaction, then the driver in this clone's configuration; what is there already stays."""
    git = check(desk)
    wanted = gitsetup.command(gitsetup.program())
    known = gitsetup.configured(git)
    plan = desk.plan(Request("init", words={"git": "yes"}, person=at_terminal()))
    if plan.steps:
        code = deciding.decide(desk, args, plan)
        if code != 0 or args.dry_run:
            if code == 0 and known != wanted and not args.quiet:
                say(f"It would also set merge.{gitsetup.NAME}.driver in this clone's git configuration:\n  {wanted}")
            return code
    elif args.dry_run or known == wanted or not _agreed(args, wanted):
        refused = None if args.dry_run or known == wanted else "not confirmed"
        if args.format == "json":
            json_result(deciding.bare(applied=False, refused=refused))
        elif known == wanted and not args.quiet:
            say("There is nothing to change: git merges memory files by entry here already.")
        elif args.dry_run:
            say(f"It would set merge.{gitsetup.NAME}.driver in this clone's git configuration:\n  {wanted}")
        return 0 if refused is None else 1
    elif args.format == "json":
        json_result(deciding.bare(applied=True, refused=None))
    gitsetup.configure(git, wanted)
    if not args.quiet:
        say(f"This clone's git configuration names the driver; to take that back: {gitsetup.UNDONE_BY}.")
        say("Commit .gitattributes. Every other clone needs 'memdesk init --git' once; until then git merges there by lines.")
    return 0


def _agreed(args: Namespace, wanted: str) -> bool:
    if args.yes:
        return True
    if not at_terminal():
        say("memdesk: nothing was changed: not confirmed: without a terminal, init takes --yes.")
        return False
    say(f"  merge.{gitsetup.NAME}.driver = {wanted}")
    return confirm("Set this in the clone's git configuration?", default=True)
