"""The commands that read: recall, guide, stores, entries, inbox, conflicts, prune, history."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError, StoreError, UsageError
from memdesk.tui.cli import packs
from memdesk.tui.cli.output import cell, diffs, headed, json_result, masked, result, row, say, warn_of_values

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Store
    from memdesk.core.transaction import Transaction

NO_STORE = "Make one with 'memdesk init', or name another folder with --root."


def recall(desk: Desk, args: Namespace) -> int:
    """Prints bounded evidence for a query; finding nothing is an answer too."""
    from memdesk.core.scoping import Within
    from memdesk.tui.report import recall as report

    for option in ("feature", "task_id", "phase"):
        if getattr(args, option) == "":  # as of a variable that isn't set: not the same as to leave it out
            raise UsageError(f"--{option.replace('_', '-')} is empty.", remedy="Name one, or leave it out.")
    within = Within(args.feature or "", args.task_id or "", args.phase or "")
    _need_store(desk)
    made = desk.recall(
        " ".join(args.query), max_sources=args.max_sources, max_chars=args.max_chars, store=args.store, within=within
    )
    if args.format == "json":
        json_result(report.as_json(made))
    else:
        result(report.text(made))
    for path, text in report.exact(made):
        warn_of_values(path, text)
    return max(_unread(desk, args.store), _unjudged(desk.judgments_fault()))


def conflicts(desk: Desk, args: Namespace) -> int:
    """Prints what cannot all be current, dismissed ones last and where they are asked for. A list changes nothing and judges
    nothing: the check is what fails."""
    from memdesk.tui.report import conflicts as report
    from memdesk.tui.report import marked

    if args.dismiss is not None:
        from memdesk.tui.cli import acting

        return acting.run("dismiss", desk, args)
    stray = next((name for name in ("reason", "yes", "who", "dry_run", "answer") if getattr(args, name)), None)
    if stray is not None:
        option = {"who": "as", "dry_run": "dry-run"}.get(stray, stray)
        raise UsageError(f"--{option} goes with --dismiss.", remedy="Name the conflict: --dismiss ID.")
    _need_store(desk)
    fault = desk.judgments_fault()
    judged = desk.judged(args.store, alike=True)
    left = desk.differing().left
    hidden = 0 if args.dismissed or args.format == "json" else sum(judgment is not None for _, judgment in judged)
    shown = [
        report.Shown(clash, judgment, desk.choices(clash))
        for clash, judgment in sorted(judged, key=lambda pair: pair[1] is not None) if not (hidden and judgment)
    ]
    files = marked.rows(desk, args.store)
    if args.format == "json":
        json_result(report.as_json(shown, left) | {"marked": marked.as_json(files)})
    elif args.format == "markdown":
        result("\n".join(part for part in (report.markdown(shown, hidden, left), marked.markdown(files)) if part))
    else:
        if shown or files:
            result("\n\n".join(part for part in (report.text(shown), marked.text(files)) if part))
        _count(args, len(shown), "conflict", "conflicts", f", and {hidden} dismissed (--dismissed)" if hidden else "")
        for sentence in left if not args.quiet else ():
            say(cell(sentence))
    return max(_unread(desk, args.store), _unjudged(fault))


def prune(desk: Desk, args: Namespace) -> int:
    """Prints what has rotted and what could be done about it. A list: it changes nothing, and a proposal fails nothing."""
    from memdesk.core.prune import cadence
    from memdesk.core.prune.drawn import draw
    from memdesk.core.prune.proposing import propose
    from memdesk.tui.report import prune as report

    _need_store(desk)
    stores = _stores(desk, args.store)
    found, faults = propose(desk, stores=stores)
    try:
        last = cadence.last_session(desk.workspace.tree)
    except StoreError as error:
        last, faults = None, (*faults, error)
    overdue = cadence.overdue(last, desk.settings.prune.every_days, desk.clock.today())
    now = desk.clock.now()
    shown = [(one, draw(desk.workspace, one, now.date(), now.strftime("%H:%M"))) for one in found.proposals]
    listed = report.Listed(shown, overdue, last, found.not_compared, found.judged)
    if args.format == "json":
        json_result(report.as_json(listed))
    elif args.format == "markdown":
        result(report.markdown(listed))
    else:
        if shown:
            result(report.text(listed))
        _count(args, len(shown), "proposal", "proposals", f", and {found.judged} rejected before" if found.judged else "")
        for line in found.not_compared if not args.quiet else ():
            say(f"memdesk: not compared: {line}")
        if overdue and not args.quiet:
            say(f"memdesk: {cadence.told(last, desk.settings.prune.every_days or 0, desk.clock.today())}")
    if args.format != "markdown":
        for _, drawn in shown:
            for path, diff in drawn.diff:
                warn_of_values(path, diff)
    for fault in faults:
        say(f"memdesk: {fault}")
    return max(_unread(desk, args.store), 2 if faults else 0)


def guide(desk: Desk, args: Namespace) -> int:
    """Prints the standing text for agents, for each layout that is here (or the one asked for)."""
    from memdesk.core import layouts

    if args.layout is not None:
        layouts.get(args.layout)
    _need_store(desk)
    chosen = [store for store in _stores(desk, args.store) if args.layout in (None, store.layout)]
    if not chosen:
        raise StoreError(f"There is no store of layout {args.layout} here.", remedy="'memdesk stores' lists those that are.")
    texts = [(store, layouts.get(store.layout).guide(store)) for store in chosen]
    if args.format == "json":
        json_result({"schema": "memdesk.guide/1", "guides": [
            {"layout": store.layout, "store": store.path, "text": text} for store, text in texts]})
    else:
        result("\n".join(text for _, text in texts))
    return 0


def stores(desk: Desk, args: Namespace) -> int:
    """Prints the stores found, their documents and budgets, and what was not recognised; exit 2 where there is none."""
    from memdesk.tui.report import listings

    value = listings.stores(desk, _stores(desk, args.store))
    if args.format == "json":
        json_result(value)
    else:
        for line in listings.stores_text(value):
            row(line)
    _need_store(desk)
    return _unread(desk, args.store)


def entries(desk: Desk, args: Namespace) -> int:
    """Prints every entry that the filters let through."""
    from memdesk.tui.report import listings

    _need_store(desk)
    if args.role is not None:
        _known_role(desk, args.role)
    wanted = None if args.store is None else desk.store(args.store)
    words = None if args.grep is None else args.grep.casefold()
    chosen = [
        entry for entry in desk.workspace.entries()
        if (wanted is None or entry.document.store is wanted)
        and (args.role is None or entry.role == args.role)
        and (not args.struck or entry.struck)
        and (not args.candidates or entry.candidate)
        and (words is None or words in entry.text.casefold())
    ]
    if args.format == "json":
        json_result(listings.entries(chosen))
    else:
        for entry in chosen:
            row(entry.id, f"{entry.path}:{entry.line}", "struck" if entry.struck else "", headed(entry))
        _count(args, len(chosen), "entry", "entries")
    return _unread(desk, args.store)


def inbox(desk: Desk, args: Namespace) -> int:
    """Prints the candidates of all stores, those put aside too."""
    from memdesk.tui.report import listings

    _need_store(desk)
    wanted = None if args.store is None else desk.store(args.store)
    chosen = [entry for entry in desk.candidates(snoozed=True) if wanted is None or entry.document.store is wanted]
    if args.format == "json":
        json_result(listings.inbox(desk, chosen))
    else:
        asleep = {snooze.id: f"(snoozed until {snooze.until})" for snooze in desk.snoozes()}
        for entry in chosen:
            place = f"{entry.path}:{entry.line}"
            row(entry.id, place, entry.tag or "", headed(entry).removeprefix(f"[{entry.tag}] "), asleep.get(entry.id, ""))
        _count(args, len(chosen), "candidate", "candidates")
    return _unread(desk, args.store)


def history(desk: Desk, args: Namespace) -> int:
    """Lists the transactions, shows one with its diffs, or takes one out."""
    from memdesk.tui.report import listings

    if args.forget is not None:
        return _forget_history(desk, args)
    if args.show is not None:
        transaction = desk.show(args.show)
        found = desk.transactions.diffs(transaction.id)
        if args.format == "json":
            value = listings.history(desk, [transaction])
            json_result(value | {"edits": [{"path": path, "diff": diff} for path, diff in found], "kept": [
                listings.kept(desk, item) | {"diff": desk.transactions.kept_text(item).diff} for item in transaction.kept]})
        else:
            row(listings.transaction_line(transaction))
            diffs(found)
            for item in transaction.kept:
                row(listings.kept_line(desk, item))
                diffs([(item.path, desk.transactions.kept_text(item).diff)])
        return 0
    past = desk.history()
    if args.format == "json":
        json_result(listings.history(desk, past))
    else:
        for transaction in past:
            row(listings.transaction_line(transaction))
        _count(args, len(past), "transaction", "transactions")
    return 0


def _forget_history(desk: Desk, args: Namespace) -> int:
    from memdesk.tui.cli.asking import at_terminal, confirm
    from memdesk.tui.cli.deciding import bare

    transaction = desk.show(args.forget)
    refused = None
    if not args.yes:
        if not at_terminal():
            refused = "not confirmed: without a terminal, history --forget takes --yes"
            say(f"memdesk: nothing was changed: {refused}.")
        elif not confirm(_last_words(transaction), default=False):
            refused = "not confirmed"
    if refused is None:
        desk.forget_history(transaction.id)
        if not args.quiet:
            say(f"Forgot {transaction.id}.")
    if args.format == "json":
        json_result(bare(applied=refused is None, refused=refused))
    return 0 if refused is None else 1


def _last_words(transaction: Transaction) -> str:
    """What goes with a transaction that is forgotten, as a question."""
    late = ", ".join(dict.fromkeys(item.path for item in transaction.kept))
    also = f" The text that someone else saved late to {late} goes too." if late else ""
    return f"Forget {transaction.id} ({masked(transaction.summary)})? It can't be undone then.{also}"


def _stores(desk: Desk, path: str | None) -> list[Store]:
    return desk.workspace.stores if path is None else [desk.store(path)]


def _need_store(desk: Desk) -> None:
    """An empty success is never given for a place where there is nothing to look at (invariant 8)."""
    if not desk.workspace.stores:
        looked = [f"{cell(miss.path)}: {miss.why}" for miss in desk.workspace.near_misses]
        looked += [str(MemdeskError(problem.message, path=problem.path)) for problem in desk.workspace.problems]
        more = f" Looked at and not recognised: {' '.join(looked)}" if looked else ""
        raise StoreError(f"There is no store here.{more}", remedy=NO_STORE)


def _unread(desk: Desk, path: str | None) -> int:
    """2, and a line for each, where files or folders can't be read: a list without them is no full answer."""
    from memdesk.core.model import UNPARSED

    store = None if path is None else desk.store(path)
    lines = [
        str(MemdeskError(document.problem.message, path=cell(document.path)))
        for document in desk.workspace.documents.values()
        if document.problem is not None and document.problem.rule in UNPARSED and store in (None, document.store)
    ]
    lines += [
        str(MemdeskError(problem.message, path=cell(problem.path), remedy=problem.hint))
        for problem in desk.workspace.problems if problem.rule == "unreadable"
    ]
    for line in lines:
        say(f"memdesk: {line}")
    return 2 if lines else 0


def _unjudged(fault: StoreError | None) -> int:
    """2, and a line, where what people dismissed can't be read: then all of it is told again."""
    if fault is None:
        return 0
    say(f"memdesk: {fault} Until then nothing counts as dismissed.")
    return 2


def _known_role(desk: Desk, role: str) -> None:
    """Warns of a role that no file here has: a mistyped filter must not pass for an empty result."""
    known = sorted({document.place.role for document in desk.workspace.documents.values()})
    if role not in known:
        say(f"memdesk: warning: no file here has the role {role!r}. There are: {', '.join(known)}.")


def _count(args: Namespace, number: int, one: str, many: str, more: str = "") -> None:
    if not args.quiet:
        say(f"{number} {one if number == 1 else many}{more}")


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {
    "pack": packs.pack, "recall": recall, "guide": guide, "stores": stores, "entries": entries, "inbox": inbox,
    "conflicts": conflicts, "prune": prune, "history": history,
}
