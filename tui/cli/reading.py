"""The commands that read: pack, guide, stores, entries, inbox, history."""

from __future__ import annotations

import contextlib
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import StoreError, UsageError
from memdesk.tui.cli.output import json_result, masked, result, say, shown

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Store


def pack(desk: Desk, args: Namespace) -> int:
    """Prints what a task would load; exit 1 where it is incomplete."""
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.tui.report import pack as report

    if not args.task:
        raise UsageError("pack needs --task T.", remedy=_known_tasks(desk, args.store))
    request = LoadRequest(args.task, tuple(args.area), tuple(args.rule), tuple(args.profile), tuple(args.path))
    made = desk.pack(request, args.store)
    if args.format == "json":
        json_result(report.as_json(made))
    elif args.names_only:
        for path in report.names(made):
            result(shown(path))
    elif args.explain:
        result(report.explain(made))
    else:
        result(report.markdown(made) if args.format == "markdown" else made.text)
    for line in report.complaints(made):
        say(f"memdesk: {line}")
    for line in report.sensitive(made):
        say(f"memdesk: warning: {line}")
    return 0 if made.status == "complete" else 1


def guide(desk: Desk, args: Namespace) -> int:
    """Prints the standing text for agents, for each layout that is here (or the one asked for)."""
    from memdesk.core import layouts

    if args.layout is not None and args.layout not in layouts.names():
        raise UsageError(f"There is no layout {args.layout!r}.", remedy=f"Known: {', '.join(layouts.names())}.")
    chosen = [store for store in _stores(desk, args.store) if args.layout in (None, store.layout)]
    if not chosen:
        raise StoreError("There is no store here to guide to.", remedy="Make one with 'memdesk init'.")
    seen: set[str] = set()
    for store in chosen:
        text = layouts.get(store.layout).guide(store)
        if text not in seen:
            seen.add(text)
            result(text)
    return 0


def stores(desk: Desk, args: Namespace) -> int:
    """Prints the stores found, their documents and budgets, and what was not recognised."""
    from memdesk.tui.report import listings

    value = listings.stores(desk, _stores(desk, args.store))
    if args.format == "json":
        json_result(value)
    else:
        result(listings.stores_text(value))
    return 0


def entries(desk: Desk, args: Namespace) -> int:
    """Prints every entry that the filters let through."""
    from memdesk.tui.report import listings

    _need_store(desk)
    wanted = None if args.store is None else desk.store(args.store)
    chosen = [
        entry for entry in desk.workspace.entries()
        if (wanted is None or entry.document.store is wanted)
        and (args.role is None or entry.role == args.role)
        and (not args.struck or entry.struck)
        and (not args.candidates or entry.candidate)
        and (args.grep is None or args.grep.casefold() in entry.text.casefold())
    ]
    if args.format == "json":
        json_result(listings.entries(chosen))
    else:
        for entry in chosen:
            result(f"{shown(entry.id)}  {shown(entry.path)}:{entry.line}  {masked(entry.heading)}")
        _count(args, len(chosen), "entry", "entries")
    return 0


def inbox(desk: Desk, args: Namespace) -> int:
    """Prints the candidates of all stores, those put aside too."""
    from memdesk.tui.report import listings

    _need_store(desk)
    wanted = None if args.store is None else desk.store(args.store)
    chosen = [entry for entry in desk.candidates(snoozed=True) if wanted is None or entry.document.store is wanted]
    if args.format == "json":
        json_result(listings.inbox(desk, chosen))
    else:
        for entry in chosen:
            tag = f"  {entry.tag}" if entry.tag else ""
            result(f"{shown(entry.id)}  {shown(entry.path)}:{entry.line}{tag}  {masked(entry.heading)}")
        _count(args, len(chosen), "candidate", "candidates")
    return 0


def history(desk: Desk, args: Namespace) -> int:
    """Lists the transactions, shows one with its diffs, or takes one out."""
    from memdesk.tui.report import listings

    if args.forget is not None:
        return _forget_history(desk, args)
    if args.show is not None:
        transaction = desk.show(args.show)
        diffs = desk.transactions.diffs(transaction.id)
        if args.format == "json":
            json_result(listings.history([transaction]) | {"edits": [{"path": path, "diff": diff} for path, diff in diffs]})
        else:
            result(listings.transaction_line(transaction))
            for _, diff in diffs:
                result(diff)
        return 0
    found = desk.history()
    if args.format == "json":
        json_result(listings.history(found))
    else:
        for transaction in found:
            result(listings.transaction_line(transaction))
        _count(args, len(found), "transaction", "transactions")
    return 0


def _forget_history(desk: Desk, args: Namespace) -> int:
    from memdesk.tui.cli.asking import at_terminal, confirm

    transaction = desk.show(args.forget)
    if not args.yes:
        if not at_terminal():
            say("memdesk: nothing was changed. Without a terminal, say --yes.")
            return 1
        if not confirm(f"Forget {transaction.id} ({masked(transaction.summary)})? It can't be undone any more.", default=False):
            return 1
    desk.forget_history(transaction.id)
    say(f"Forgot {transaction.id}.")
    return 0


def _stores(desk: Desk, path: str | None) -> list[Store]:
    return desk.workspace.stores if path is None else [desk.store(path)]


def _need_store(desk: Desk) -> None:
    """An empty success is never given for a place where there is nothing to look at (invariant 8)."""
    if not desk.workspace.stores:
        raise StoreError("There is no store here.", remedy="Make one with 'memdesk init', or name another folder with --root.")


def _known_tasks(desk: Desk, store: str | None) -> str:
    from memdesk.core import layouts

    with contextlib.suppress(UsageError, StoreError):
        chosen = desk.store(store)
        return "Known: " + ", ".join(layouts.get(chosen.layout).tasks(chosen)) + "."
    return ""


def _count(args: Namespace, number: int, one: str, many: str) -> None:
    if not args.quiet:
        say(f"{number} {one if number == 1 else many}")


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {
    "pack": pack, "guide": guide, "stores": stores, "entries": entries, "inbox": inbox, "history": history,
}
