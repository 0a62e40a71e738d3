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
    desk.git.run(["rev-parse", "--git-dir"])  # git reads settings outside of a repository too, and of one that it refuses
    return desk.git


def set_up(desk: Desk, args: Namespace) -> int:
    """The attributes as a transaction, then the driver in this clone's configuration; what is there already stays."""
    check(desk)
    plan = desk.plan(Request("init", words={"git": "only"}, person=at_terminal()))
    if plan.steps:
        if at_terminal() and not args.yes and not args.dry_run and _missing(desk):
            say("It also sets, in this clone's git configuration:", f"  {_setting()}")
        code = deciding.decide(desk, args, plan)
    elif not _missing(desk):
        if not _warned(desk):
            say("There is nothing to change: git merges memory files by entry here already.")
        return _reported(args, applied=False)
    elif args.dry_run or _agreed(args):
        code = _reported(args, applied=not args.dry_run)
    else:
        return _reported(args, applied=False, refused="not confirmed")
    if code == 0:
        configure(desk, args)
    return code


def configure(desk: Desk, args: Namespace) -> None:
    """Sets the driver in this clone's configuration, after the person agreed to it; with --dry-run says what it would be."""
    if args.dry_run:
        if _missing(desk):
            say("It would set, in this clone's git configuration:", f"  {_setting()}")
        return
    gitsetup.configure(check(desk), gitsetup.command(gitsetup.program()))
    if not args.quiet:
        say(f"This clone's git configuration names the driver; to take that back: {gitsetup.UNDONE_BY}.")
        _warned(desk)
        say("Commit .gitattributes. Every other clone needs 'memdesk init --git' once; until then git merges there by lines.")


def _warned(desk: Desk) -> bool:
    """Says which memory files git goes on merging otherwise, since other attributes come first; False for none."""
    others = gitsetup.elsewise(check(desk), desk.workspace)
    if others:
        say(f"memdesk: warning: {gitsetup.others_said(others)}")
    return bool(others)


def _missing(desk: Desk) -> bool:
    """Whether this clone's configuration has no driver, or another."""
    return gitsetup.configured(check(desk)) != gitsetup.command(gitsetup.program())


def _setting() -> str:
    return f"merge.{gitsetup.NAME}.driver = {gitsetup.command(gitsetup.program())}"


def _agreed(args: Namespace) -> bool:
    if args.yes:
        return True
    if not at_terminal():
        say("memdesk: nothing was changed: not confirmed: without a terminal, init takes --yes.")
        return False
    say(f"  {_setting()}")
    return confirm("Set this in the clone's git configuration?", default=True)


def _reported(args: Namespace, *, applied: bool, refused: str | None = None) -> int:
    if args.format == "json":
        json_result(deciding.bare(applied=applied, refused=refused))
    return 0 if refused is None else 1
