"""`memdesk init --hook`: a pre-commit hook that checks what is staged, in this clone."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from memdesk.core import gitsetup, hooks
from memdesk.core.errors import GitError, Refused
from memdesk.core.plan import Request
from memdesk.tui.cli import deciding
from memdesk.tui.cli.asking import at_terminal, confirm
from memdesk.tui.cli.output import json_result, say

if TYPE_CHECKING:
    from memdesk.core.desk import Desk

REQUEST = Request("init", words={"hook": "only"})


def check(desk: Desk) -> hooks.Hook:
    """The hook that is to be made. Raises GitError where no commits are made, Refused for one of somebody else's."""
    if desk.git is None:
        raise GitError("This workspace is no git checkout, so no commit is made in it.", remedy="Make one first: git init.")
    return hooks.look(desk.git, gitsetup.program())


def set_up(desk: Desk, args: Namespace) -> int:
    """The hook alone; one that runs memdesk already stays. Raises Refused where there is no store, or another's hook is."""
    hook = check(desk)
    plan = hook.plan(REQUEST)
    if args.dry_run:
        deciding.show(plan, args)
        return 0
    if not hook.runs and not desk.workspace.stores:
        raise Refused(f"There is no store here.{desk.workspace.looked_at()}", remedy="Make one first: memdesk init.")
    if not hook.runs and not args.yes and not at_terminal():
        reason = "not confirmed: without a terminal, init takes --yes"
        deciding.show(plan, args, refused=reason)
        say(f"memdesk: nothing was changed: {reason}.")
        return 1
    if not hook.runs and not args.yes:
        deciding.show(plan, args)
        if not confirm(f"{plan.label}?", default=True):
            return deciding.declined(args)
    if not hook.runs:
        _make(desk, args, hook)
    elif not args.quiet:
        say(f"There is nothing to change: {hook.shown} runs memdesk already.")
    if args.format == "json":
        json_result(deciding.report(plan, applied=not hook.runs, transaction=None))
    return 0


def configure(desk: Desk, args: Namespace) -> int:
    """The hook beside a store or git's attributes; with --dry-run says what it would be."""
    hook = check(desk)
    if hook.runs:
        return 0
    if args.dry_run:
        say(f"It would make the hook {hook.shown}.")
        return 0
    if not args.yes and not at_terminal():
        say("memdesk: no hook was made: without a terminal, init takes --yes.")
        return 1
    if not args.yes and not confirm(f"Make the hook {hook.shown}, which checks what is staged?", default=True):
        say("No hook was made.")
        return 1
    _make(desk, args, hook)
    return 0


def _make(desk: Desk, args: Namespace, hook: hooks.Hook) -> None:
    from memdesk.core.transaction.files import REAL

    hooks.make(hook, REAL)
    if args.quiet:
        return
    say(f"Made the hook {hook.shown}: what breaks a rule is not committed. To take it back, delete that file.")
    if hook.shared:
        say("It lies in the checkout: commit it, and every clone has it.")
    else:
        say("Every other clone needs 'memdesk init --hook' once. 'git commit --no-verify' goes past it; CI does not.")
