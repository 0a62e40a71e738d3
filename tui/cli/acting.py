"""The commands that write: a request, its plan, a person's yes, a transaction."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.plan import Drifted, Plan, Request
from memdesk.tui.cli.asking import ask, at_terminal, choose, confirm
from memdesk.tui.cli.output import json_result, masked, result, say, shown

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.desk import Desk
    from memdesk.core.plan import Receipt

# These state, supersede, reject, promote or forget: without a terminal they take a name (invariant 11).
NAMED = frozenset({"promote", "strike", "reject", "merge", "forget"})
GUARDED = frozenset({"forget"})  # starts on "no"


def add(desk: Desk, args: Namespace) -> int:
    """Adds a candidate at once: what agents call. Prints its id."""
    words = _words(args, "kind", "tag", "reason", "source", "area") | {"text": _text(args.text)}
    request = Request("add", words=words, store=args.store)
    if args.dry_run:
        return _show(desk.plan(request), args)
    try:
        receipt = desk.perform(request, _name(args) or "agent")
    except Refused as error:
        return _refused(error, args)
    if args.format == "json":
        json_result(_report(receipt.plan, applied=True, transaction=receipt.id))
    else:
        for ident in receipt.plan.new_ids:
            result(shown(ident))
    for warning in receipt.plan.warnings:
        say(f"memdesk: {warning}")
    return 0


def promote(desk: Desk, args: Namespace) -> int:
    return _act(desk, args, Request("promote", tuple(args.ids), _words(
        args, "to", "title", "reason", "scope", "tag", "area", "source"), store=args.store))


def strike(desk: Desk, args: Namespace) -> int:
    words = _words(args, "reason", "tag", "source", "title")
    if args.replacement is not None:
        words["with"] = args.replacement
    return _act(desk, args, Request("strike", tuple(args.ids), words, store=args.store))


def reject(desk: Desk, args: Namespace) -> int:
    words = _words(args, "reason", "scope", "title", "reconsider")
    if args.tombstone:
        words["tombstone"] = "yes"
    return _act(desk, args, Request("reject", tuple(args.ids), words, store=args.store))


def merge(desk: Desk, args: Namespace) -> int:
    """Works a candidate into an entry: the text given, or what the editor leaves of a draft of both."""
    words = {"into": args.into}
    if args.text is not None:
        words["text"] = _text(args.text)
    elif not args.dry_run and at_terminal():
        target, candidate = desk.workspace.find(args.into), desk.workspace.find(args.ids[0])
        words["text"] = _edited(desk, f"{target.text}\n\n{candidate.text}\n")
    return _act(desk, args, Request("merge", tuple(args.ids), words, store=args.store))


def edit(desk: Desk, args: Namespace) -> int:
    """Changes an entry's own text: the text given, or what the editor leaves of it."""
    entry = desk.workspace.find(args.ids[0])
    if args.text is not None:
        text = _text(args.text)
    elif at_terminal():
        text = _edited(desk, entry.text + "\n")
    else:
        raise UsageError("Without a terminal there is no editor.", remedy="Give the new text with --text (or '-').")
    return _act(desk, args, Request("edit", tuple(args.ids), {"text": text}, store=args.store))


def archive(desk: Desk, args: Namespace) -> int:
    return _act(desk, args, Request("archive", tuple(args.ids), store=args.store))


def forget(desk: Desk, args: Namespace) -> int:
    words = {"topic": args.topic, "mode": args.mode} | _words(args, "reason")
    return _act(desk, args, Request("forget", words=words, store=args.store))


def init(desk: Desk, args: Namespace) -> int:
    words = {"layout": args.layout or "custodian"} | _words(args, "path")
    if args.agents:
        words["agents"] = "yes"
    return _act(desk, args, Request("init", words=words, store=args.store))


def snooze(desk: Desk, args: Namespace) -> int:
    """Puts candidates aside: personal state, nothing on disk changes."""
    until = _date(args.until)
    entries = [desk.workspace.find(ident) for ident in args.ids]
    lines = [f"Snooze until {until}: {shown(entry.path)}:{entry.line}  {masked(entry.heading)}" for entry in entries]

    def report(applied: bool, refused: str | None = None) -> int:
        if args.format == "json":
            json_result(_bare(applied=applied, refused=refused))
        return 0 if applied or args.dry_run else 1

    for line in lines if args.format != "json" else []:
        result(line)
    if args.dry_run:
        return report(False)
    if not args.yes and not (at_terminal() and confirm("Snooze?", default=True)):
        if not at_terminal():
            say("memdesk: nothing was changed. Without a terminal, say --yes.")
        return report(False, "not confirmed")
    desk.snooze([entry.id for entry in entries], until)
    return report(True)


def undo(desk: Desk, args: Namespace) -> int:
    """Takes a transaction back by its inverse."""
    try:
        plan = desk.undo(args.id)
    except Refused as error:
        return _refused(error, args)
    return _decide(desk, args, plan)


def _act(desk: Desk, args: Namespace, request: Request) -> int:
    """Plans, and carries it out as far as somebody says yes."""
    person = at_terminal() or bool(_name(args))
    request = request._replace(person=person, answers=_answers(args))
    try:
        return _decide(desk, args, desk.plan(request))
    except Refused as error:
        return _refused(error, args)


def _decide(desk: Desk, args: Namespace, plan: Plan) -> int:
    verb = plan.request.verb
    if args.dry_run:
        return _show(plan, args)
    if args.yes:
        if verb in NAMED and not plan.undoes and not _name(args) and not at_terminal():
            _show(plan, args, refused="no name: say --as NAME")
            say(f"memdesk: nothing was changed. Without a terminal, {verb} takes --as NAME beside --yes.")
            return 1
        who = _name(args) or desk.who()
        receipt = desk.commit(plan, who) if plan.undoes else desk.perform(plan.request, who)
        return _done(receipt, args)
    if not at_terminal():
        _show(plan, args, refused="not confirmed")
        name = " and --as NAME" if verb in NAMED else ""
        say(f"memdesk: nothing was changed. Without a terminal, say --yes{name}.")
        return 1
    return _interactive(desk, args, plan)


def _interactive(desk: Desk, args: Namespace, plan: Plan) -> int:
    """Shows, asks, commits; shows again when the files moved on meanwhile."""
    while True:
        for _, diff in plan.diffs():
            say(diff)
        for warning in plan.warnings:
            say(f"warning: {warning}")
        answers = dict(plan.request.answers)
        for question in plan.questions:
            answer = choose(question.text, question.choices) if question.choices else ask(question.text + " ")
            if answer is None:
                say("Nothing was changed.")
                return 1
            answers[question.key] = answer
        if answers != dict(plan.request.answers):
            plan = desk.plan(plan.request._replace(answers=answers))
            continue
        if not confirm(f"{plan.label}?", default=plan.request.verb not in GUARDED):
            say("Nothing was changed.")
            return 1
        try:
            return _done(desk.commit(plan, _name(args) or desk.who()), args)
        except Drifted as error:
            say(f"memdesk: {error}")
            plan = error.plan


def _done(receipt: Receipt, args: Namespace) -> int:
    if args.format == "json":
        json_result(_report(receipt.plan, applied=True, transaction=receipt.id))
        return 0
    if not args.quiet:
        for warning in receipt.plan.warnings:
            say(f"memdesk: warning: {warning}")
        say(masked(receipt.plan.summary) + (f" ({receipt.id})" if receipt.id else " (nothing to write)"))
    for ident in receipt.plan.new_ids:
        result(shown(ident))
    return 0


def _show(plan: Plan, args: Namespace, refused: str | None = None) -> int:
    """Prints a plan that is not applied: the exact diffs, then what would happen."""
    if args.format == "json":
        json_result(_report(plan, applied=False, transaction=None, refused=refused))
    else:
        for _, diff in plan.diffs():
            result(diff)
        if not args.quiet:
            say(plan.label)
            for line in (*plan.warnings, *(question.text for question in plan.questions)):
                say(f"memdesk: {line}")
    return 0


def _refused(error: Refused, args: Namespace) -> int:
    """A refused action: on stderr, and in the JSON where that is asked for. Raised on for plain text."""
    if args.format == "json":
        edits = [{"path": path, "diff": diff} for path, diff in error.plan.diffs()] if isinstance(error, Drifted) else []
        json_result(_bare(applied=False, refused=str(error)) | {"edits": edits})
        return error.exit_code
    raise error


def _report(plan: Plan, *, applied: bool, transaction: str | None, refused: str | None = None) -> dict[str, Any]:
    edits = [{"path": path, "diff": diff} for path, diff in plan.diffs()]
    return _bare(applied=applied, refused=refused) | {
        "transaction": transaction, "ids": list(plan.new_ids), "edits": edits, "summary": plan.summary,
        "warnings": list(plan.warnings), "questions": [{"key": item.key, "text": item.text} for item in plan.questions],
    }


def _bare(*, applied: bool, refused: str | None) -> dict[str, Any]:
    return {
        "schema": "memdesk.action/1", "applied": applied, "transaction": None, "ids": [], "edits": [], "refused": refused,
    }


def _words(args: Namespace, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := getattr(args, name, None)) is not None}


def _answers(args: Namespace) -> dict[str, str]:
    answers = {}
    for item in args.answer:
        key, separator, value = item.partition("=")
        if not separator:
            raise UsageError(f"--answer {item!r} is not KEY=VALUE.")
        answers[key] = value
    return answers


def _name(args: Namespace) -> str | None:
    return getattr(args, "who", None) or os.environ.get("MEMDESK_AS") or None


def _text(value: str) -> str:
    """TEXT itself, or all of standard input for "-". Raises UsageError for input that is not UTF-8."""
    if value != "-":
        return value
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"Standard input is not UTF-8 (byte {error.start}).", remedy="Convert it first.") from None


def _date(value: str) -> date:
    from datetime import date

    try:
        return date.fromisoformat(value)
    except ValueError:
        raise UsageError(f"--until {value!r} is not a date.", remedy="Write YYYY-MM-DD.") from None


def _edited(desk: Desk, draft: str) -> str:
    """What a person's editor leaves of a draft. Raises MemdeskError where it can't be started or fails."""
    from memdesk.tui.editing import edit_text

    text = edit_text(draft, desk.settings)
    if text is None:
        raise MemdeskError("The editor left the text as it was.", remedy="Nothing was changed.")
    return text


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {
    "add": add, "promote": promote, "strike": strike, "reject": reject, "merge": merge, "edit": edit, "snooze": snooze,
    "archive": archive, "forget": forget, "undo": undo, "init": init,
}
