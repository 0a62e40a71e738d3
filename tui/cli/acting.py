"""The commands that write: the words of each as a request; `deciding` shows, asks and applies."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.plan import Request
from memdesk.tui.cli import deciding
from memdesk.tui.cli.asking import ask, at_terminal, confirm
from memdesk.tui.cli.output import cell, headed, json_result, masked, result, row, say, shown

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.desk import Desk
    from memdesk.core.plan import Step


def run(command: str, desk: Desk, args: Namespace) -> int:
    """Runs one of these commands. Where JSON is asked for, what it could not do is there too, with the same exit code."""
    try:
        return COMMANDS[command](desk, args)
    except MemdeskError as error:
        if args.format == "json":
            deciding.refused(error, args)
        raise


_RECORD = ("context", "options", "consequences")  # the parts of a record that have words of their own


def add(desk: Desk, args: Namespace) -> int:
    """Adds a candidate at once: what agents call. Prints its id."""
    known = ("kind", "tag", "reason", "source", "area", "scope", "feature", "task_id", *_RECORD, "supersedes", "avoid")
    words = _words(args, *known) | _complete(args) | {"text": text_of(args.text)}
    request = Request("add", words=words, store=_store(desk, args))
    plan = desk.plan(request)  # what will be refused is refused here, and the lock is held for no import
    if args.dry_run:
        deciding.show(plan, args)
        return 0
    receipt = desk.perform(request, deciding.name_of(args) or "agent")
    if args.format == "json":
        json_result(deciding.report(receipt.plan, applied=True, transaction=receipt.id))
    else:
        for ident in receipt.plan.new_ids:
            result(shown(ident))
    for warning in receipt.plan.warnings:
        say("memdesk: " + warning.replace("An equal entry exists", "Added; an equal entry exists", 1))
    return 0


def promote(desk: Desk, args: Namespace) -> int:
    words = _words(
        args, "to", "title", "reason", "scope", "tag", "area", "source", "section", "observed", "when", "fixed", "owns",
        "when_read", *_RECORD, "supersedes", "status", "avoid", "description", "type", "tags", "owner", "review_by",
    ) | _complete(args)
    if args.text is not None:
        words["text"] = text_of(args.text)
        if not words["text"].strip():
            raise UsageError("--text holds no text.", remedy="Leave it out to promote the entry as it stands.")
    if args.signal:
        words["signals"] = "\n".join(args.signal)
    return deciding.act(desk, args, Request("promote", tuple(args.ids), words, store=args.store))


def strike(desk: Desk, args: Namespace) -> int:
    words = _words(args, "reason", "tag", "source", "title", *_RECORD) | _complete(args)
    if args.replacement is not None:
        words["with"] = text_of(args.replacement)
        if not words["with"].strip():
            raise UsageError("--with holds no text.", remedy="Leave it out to strike without a replacement.")
    return deciding.act(desk, args, Request("strike", tuple(args.ids), words, store=args.store))


def reject(desk: Desk, args: Namespace) -> int:
    words = _words(args, "reason", "scope", "title", "reconsider") | _complete(args)
    if args.tombstone:
        words["tombstone"] = "yes"
    return deciding.act(desk, args, Request("reject", tuple(args.ids), words, store=args.store))


def merge(desk: Desk, args: Namespace) -> int:
    """Works a candidate into an entry: the text given, or what the editor leaves of a draft of both."""
    words = {"into": args.into}
    if args.text is not None:
        words["text"] = text_of(args.text)
    elif not args.dry_run and not args.yes and at_terminal():
        from memdesk.core.actions import merged_text

        target, candidates = desk.workspace.find(args.into), [desk.workspace.find(ident) for ident in args.ids]
        words["text"] = _edited(desk, merged_text(target, candidates) + "\n")
    return deciding.act(desk, args, Request("merge", tuple(args.ids), words, store=args.store))


def edit(desk: Desk, args: Namespace) -> int:
    """Changes an entry's own text: the text given, or what the editor leaves of it."""
    entry = desk.workspace.find(args.ids[0])
    if args.text is not None:
        text = text_of(args.text)
    elif at_terminal():
        text = _edited(desk, entry.text + "\n")
    else:
        raise UsageError("Without a terminal there is no editor.", remedy="Give the new text with --text (or '-').")
    return deciding.act(desk, args, Request("edit", tuple(args.ids), {"text": text} | _words(args, "change"), store=args.store))


def archive(desk: Desk, args: Namespace) -> int:
    return deciding.act(desk, args, Request("archive", tuple(args.ids), store=args.store))


def renumber(desk: Desk, args: Namespace) -> int:
    return deciding.act(desk, args, Request("renumber", tuple(args.ids), _words(args, "to"), store=args.store))


def correct(desk: Desk, args: Namespace) -> int:
    """Overwrites a fact in place: by the text given, or by what the editor leaves of the one that it states."""
    words = _words(args, "reason", "description", "source")
    if args.replacement is not None:
        words["with"] = text_of(args.replacement)
    elif not args.description and not args.yes and not args.dry_run and at_terminal():
        asked = {ask.field: ask for ask in desk.asks("correct", tuple(args.ids))}
        words["with"] = _edited(desk, asked["with"].default + "\n")
    return deciding.act(desk, args, Request("correct", tuple(args.ids), words, store=args.store))


def reindex(desk: Desk, args: Namespace) -> int:
    return deciding.act(desk, args, Request("reindex", store=_store(desk, args)))


def clear(desk: Desk, args: Namespace) -> int:
    """Takes working files out; where none is named, lists those that there are, with what each holds."""
    if args.paths:
        return deciding.act(desk, args, Request("clear", words={"paths": "\n".join(args.paths)}, store=_store(desk, args)))
    from memdesk.core.clearing import working

    stores = desk.workspace.stores if args.store is None else [desk.store(args.store)]
    files = [one for store in stores for one in working(desk.workspace, store)]
    if args.format == "json":
        json_result({"schema": "memdesk.working/1", "files": [
            {
                "path": one.document.path, "store": one.document.store.path, "entries": one.entries,
                "candidates": one.candidates, "tokens": one.tokens,
            }
            for one in files
        ]})
        return 0
    for one in files:
        row(one.document.path, one.holds, f"{one.tokens} tokens")
    if not args.quiet:
        say(f"{len(files)} working {'file' if len(files) == 1 else 'files'}; memdesk clear PATH... takes them out.")
    return 0


def forget(desk: Desk, args: Namespace) -> int:
    words = {"topic": args.topic, "mode": args.mode}
    return deciding.act(desk, args, Request("forget", words=words, store=_store(desk, args)))


def init(desk: Desk, args: Namespace) -> int:
    """Makes a store, and offers the standing text for AGENTS.md. With `--git`, `--hook` and no layout: these alone."""
    from memdesk.tui.cli import drivers, hooking

    alone = args.layout is None and args.path is None and not args.agents
    if args.hook:
        hooking.check(desk)  # whatever stands in its way is said before anything is written
        if alone and not args.git:
            return hooking.set_up(desk, args)
    if args.git:
        if args.layout is None and args.path is None:
            code = drivers.set_up(desk, args)
            return hooking.configure(desk, args) if args.hook and code == 0 else code
        drivers.check(desk)
    words = {"layout": args.layout or "custodian"} | _words(args, "path") | ({"git": "yes"} if args.git else {})
    asking = at_terminal() and not args.yes and not args.dry_run
    made = _to_make(desk, Request("init", words=dict(words), store=args.store))
    if asking and not args.agents:
        for step in made:
            say(f"  {cell(step.path)}")
    if args.agents or (asking and confirm("Also put the standing text for agents into AGENTS.md?", default=True)):
        words["agents"] = "yes"
    code = deciding.act(desk, args, Request("init", words=words, store=args.store))
    unfinished = [step.path.rpartition("/")[2] for step in made if b"\nTODO" in (step.after or b"")]
    if code == 0 and unfinished and not args.dry_run and not args.quiet:
        say(f"Now fill in {', '.join(unfinished)} (its TODO lines fail the check until then).")
    if code == 0 and "agents" not in words and not args.quiet:
        say("Agents find the store by a line in AGENTS.md: 'memdesk init --agents' adds it, 'memdesk guide' prints it.")
    if code == 0 and args.git:
        drivers.configure(desk, args)
    return hooking.configure(desk, args) if code == 0 and args.hook else code


def _to_make(desk: Desk, request: Request) -> list[Step]:
    """The files that a new store would have; none where nothing is left to make."""
    try:
        return [step for step in desk.plan(request).steps if step.kind == "create"]
    except Refused:
        return []


def dismiss(desk: Desk, args: Namespace) -> int:
    """Judges a conflict for good, with a reason (`conflicts --dismiss`); at a terminal the reason is asked for."""
    from memdesk.core.conflicts import named

    clash = named(desk.conflicts(args.store, alike=True), args.dismiss)
    words = {"reason": args.reason or ""}
    if not words["reason"].strip() and at_terminal() and not args.yes and not args.dry_run:
        say(f"{clash.id}: {cell(masked(clash.reason))}")
        words["reason"] = ask("Why can both stand? ") or ""
    who = deciding.name_of(args)
    if who is not None:
        words["by"] = who
    return deciding.act(desk, args, Request("dismiss", (clash.id,), words))


def snooze(desk: Desk, args: Namespace) -> int:
    """Puts candidates aside: personal state, nothing on disk changes."""
    until = _date(args.until)
    entries = [desk.workspace.find(ident) for ident in args.ids]
    if args.format != "json":
        for entry in entries:
            row(f"Snooze until {until}:", f"{entry.path}:{entry.line}", headed(entry))
    refused = None
    if not args.dry_run and not args.yes:
        if not at_terminal():
            refused = "not confirmed: without a terminal, snooze takes --yes"
            say(f"memdesk: nothing was changed: {refused}.")
        elif not confirm("Snooze?", default=True):
            refused = "not confirmed"
            say("Nothing was changed.")
    applied = not args.dry_run and refused is None
    if applied:
        desk.snooze([entry.id for entry in entries], until)
    if args.format == "json":
        json_result(deciding.bare(applied=applied, refused=refused))
    return 0 if refused is None else 1


def undo(desk: Desk, args: Namespace) -> int:
    """Takes a transaction back by its inverse."""
    return deciding.decide(desk, args, desk.undo(args.id))


def resolve(desk: Desk, args: Namespace) -> int:
    """Takes git's conflict markers in a memory file apart."""
    from memdesk.tui.cli import resolving

    return resolving.resolve(desk, args)


def compact(desk: Desk, args: Namespace) -> int:
    """Makes a feature's memory of its fragments and notes."""
    from memdesk.tui.cli import compacting

    return compacting.compact(desk, args)


def _words(args: Namespace, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := getattr(args, name, None)) is not None}


def _complete(args: Namespace) -> dict[str, str]:
    """What an entry of protocol 0.6 and later has besides."""
    return _words(args, "subject", "facet") | ({"evidence": "\n".join(args.evidence)} if args.evidence else {})


def _store(desk: Desk, args: Namespace) -> str | None:
    """The store's name in the workspace, for the verbs without ids. Raises UsageError, with what was looked at."""
    if args.store is None and desk.workspace.stores:
        return None
    return desk.workspace.store_name(desk.store(args.store))


def text_of(value: str) -> str:
    """TEXT itself, or all of standard input for "-". Raises UsageError for input that is not UTF-8."""
    if value != "-":
        return value
    if at_terminal():
        say("Type the text, then end it with Ctrl-D.")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"Standard input is not UTF-8 (byte {error.start}).", remedy="Convert it first.") from None


def _date(value: str) -> date:
    from datetime import date

    try:
        if len(value) != 10:
            raise ValueError
        return date.fromisoformat(value)
    except ValueError:
        raise UsageError(f"--until {value!r} is not a date.", remedy="Write YYYY-MM-DD.") from None


def _edited(desk: Desk, draft: str) -> str:
    """What a person's editor leaves of a draft. Raises MemdeskError where it can't be started or fails."""
    from memdesk.tui.editing import edit_text

    text = edit_text(draft, desk.settings)
    return draft if text is None else text


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {
    "add": add, "promote": promote, "strike": strike, "reject": reject, "merge": merge, "edit": edit, "snooze": snooze,
    "archive": archive, "renumber": renumber, "forget": forget, "undo": undo, "init": init, "dismiss": dismiss,
    "resolve": resolve, "correct": correct, "reindex": reindex, "clear": clear, "compact": compact,
}
