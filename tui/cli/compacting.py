"""`memdesk compact`: the draft of a feature's memory, what became of each entry in it, and its transaction."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.compacting import checking, drafting, materials, planning
from memdesk.core.errors import Refused, UsageError
from memdesk.tui.cli import deciding
from memdesk.tui.cli.asking import at_terminal, confirm
from memdesk.tui.cli.output import cell, json_result, result, row, say

if TYPE_CHECKING:
    from memdesk.core.compacting.account import Account, Row
    from memdesk.core.compacting.materials import Materials
    from memdesk.core.desk import Desk
    from memdesk.core.model import Store


def compact(desk: Desk, args: Namespace) -> int:
    """Compacts a feature, or lists those that there are. Raises MemdeskError."""
    if args.distil:
        from memdesk.tui.cli.distilling import distil

        return distil(desk, args)
    if args.feature is None:
        return _listed(desk, args)
    if args.text is not None and (args.draft == "command" or args.edit):
        raise UsageError("--text is the whole memory: it needs no draft.", remedy="Leave --draft and --edit out.")
    store = store_of(desk, args)
    found = materials.gather(desk.workspace, store, args.feature)
    text = _given(desk, args, found)
    stamp = desk.clock.stamp()
    left = _left(args, found, text, stamp)
    if args.print:
        result(drafting.text(_data(found, text, left, stamp)))
        return 0
    if args.edit:
        text, left = _edited(desk, args, found, _data(found, text, left, stamp), stamp)
    request = planning.request(found, text, left)._replace(stamp=stamp)
    who = deciding.name_of(args)
    if who is not None:
        request = request._replace(words={**request.words, "by": who})
    if args.format != "json" and not found.empty:
        checked = checking.check(found, _data(found, text, left, stamp), left)
        _account(checked.account, store, on_stderr=at_terminal() and not args.yes and not args.dry_run)
        for problem in checked.problems[1:]:
            say("memdesk: " + (f"line {problem.line} of the draft: " if problem.line else "") + problem.message)
    return deciding.act(desk, args, request._replace(store=desk.workspace.store_name(store)))


def _listed(desk: Desk, args: Namespace) -> int:
    """The features, with what waits in each."""
    stores = _stores(desk, args)
    found = [
        materials.gather(desk.workspace, store, name)
        for store in stores for name in materials.features(desk.workspace, store)
    ]
    if args.format == "json":
        json_result({"schema": "memdesk.features/1", "features": [
            {
                "feature": one.feature, "store": one.store.path, "memory": one.path if one.memory is not None else None,
                "fragments": len(one.fragments), "entries": len(one.entries),
            }
            for one in found
        ]})
        return 0
    for one in found:
        fragments, entries = len(one.fragments), len(one.entries)
        row(one.feature, f"{fragments} fragment{'' if fragments == 1 else 's'}", f"{entries} entries wait" if entries else "")
    if not args.quiet:
        say(f"{len(found)} feature{'' if len(found) == 1 else 's'}; memdesk compact FEATURE makes the memory of one.")
    return 0


def _stores(desk: Desk, args: Namespace) -> list[Store]:
    from memdesk.core import layouts

    stores = desk.workspace.stores if args.store is None else [desk.store(args.store)]
    found = [store for store in stores if "compact" in layouts.get(store.layout).verbs]
    if not found:
        raise UsageError("There is no store here that keeps memory by feature.", remedy="`memdesk stores` lists what there is.")
    return found


def store_of(desk: Desk, args: Namespace) -> Store:
    """The one store with this feature. Raises UsageError."""
    stores = _stores(desk, args)
    own = [store for store in stores if args.feature in materials.features(desk.workspace, store)]
    if len(own) > 1:
        listed = ", ".join(map(desk.workspace.store_name, own))
        raise UsageError(f"Several stores have a feature {args.feature!r}.", remedy=f"Stores: {listed} (--store PATH).")
    return (own or stores)[0]


def _given(desk: Desk, args: Namespace, found: Materials) -> str | None:
    """The text of a person or a command; None where the draft is made without either."""
    if args.text is not None:
        return _read(args.text)
    if args.draft == "plain" or found.empty:
        return None
    from memdesk.core.compacting import prompting

    return prompting.unwrapped(by_command(desk, args, lambda: prompting.prompt(found, desk.clock.stamp())))


def by_command(desk: Desk, args: Namespace, prompt: Callable[[], str]) -> str:
    """What the command of the settings makes of a prompt. Raises UsageError where there is none, Refused where it gives no
    draft, or a repository names it and nobody approved."""
    from memdesk.core.agent import DraftFailed

    drafter = desk.drafter(os.environ)
    command = drafter.command
    if command is None:
        remedy = "Name one in your own settings, or do without."
        raise UsageError("The settings name no command for drafts (agent.command).", remedy=remedy)
    asked = drafter.asked()
    if asked is not None and at_terminal() and not args.yes:
        say(f"{cell(command.origin)} names a command that you have not run here before:", f"  {cell(asked.exact)}")
        if confirm("Run it now, and from now on as long as exactly this stands there?", default=False):
            drafter.approve(asked, desk.clock.stamp())
    if not args.quiet and drafter.asked() is None:
        say(f"Drafting: {cell(command.shown)}")
    try:
        return drafter.draft(prompt())
    except DraftFailed as error:
        raise Refused(error.message, remedy=error.remedy) from None


def _read(given: str) -> str:
    """The text of a file, or of standard input for "-". Raises UsageError."""
    from memdesk.tui.cli.acting import text_of
    from memdesk.tui.cli.words import place

    if given == "-":
        return text_of(given)
    try:
        with open(place(given), "rb") as stream:
            return stream.read().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"--text {given}: {error.strerror}.", remedy="Name a file, or '-' for standard input.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"--text {given} is not UTF-8 (byte {error.start}).", remedy="Convert it first.") from None


def _data(found: Materials, text: str | None, left: dict[str, str], stamp: str) -> bytes:
    return drafting.draft(found, stamp, left) if text is None else drafting.fitted(found, text, stamp)


def _edited(desk: Desk, args: Namespace, found: Materials, data: bytes, stamp: str) -> tuple[str, dict[str, str]]:
    """What the editor leaves of a draft, and what it leaves out."""
    if not at_terminal():
        raise UsageError("Without a terminal there is no editor.", remedy="Give the text with --text (see --print).")
    from memdesk.tui.editing import edit_text

    draft = drafting.text(data)
    edited = edit_text(draft, desk.settings)
    text = draft if edited is None else edited
    return text, _left(args, found, text, stamp)


def _left(args: Namespace, found: Materials, text: str | None, stamp: str) -> dict[str, str]:
    """Why entries are left out, by id, from the options. Raises UsageError."""
    if not args.leave:
        return {}
    account = checking.check(found, _data(found, text, {}, stamp), {}).account
    left: dict[str, str] = {}
    for item in args.leave:
        which, separator, why = item.partition("=")
        if not separator or not why.strip():
            raise UsageError(f"--leave {item!r} is not N=REASON.", remedy="Write --leave '3=too narrow'.")
        for one in _chosen(account, which.strip()):
            left[one.entry.id] = why
    return left


def _chosen(account: Account, which: str) -> list[Row]:
    """The rows that a number, a range, an id or "rest" names. Raises UsageError."""
    if which == "rest":
        return account.unexplained
    low, dash, high = which.partition("-")
    if low.isdecimal() and (not dash or high.isdecimal()):
        first, last = int(low), int(high or low)
        found = [one for one in account.rows if first <= one.number <= last]
    else:
        found = [one for one in account.rows if one.entry.id == which]
    if not found:
        raise UsageError(f"--leave: there is no entry {which!r}.", remedy=f"The account has {len(account.rows)}.")
    return found


def _account(account: Account, store: Store, *, on_stderr: bool) -> None:
    from memdesk.tui.report.compacting import lines

    for cells in lines(account, store):
        if on_stderr:
            say("  ".join(map(cell, cells)))
        else:
            row(*cells)
    (say if on_stderr else result)("")
