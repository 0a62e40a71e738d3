"""From a request to its transaction: the plan is shown, somebody says yes, what came of it is reported (CLI.md, Actions)."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.plan import Drifted, Plan, Request
from memdesk.tui.cli.asking import ask, at_terminal, choose, confirm
from memdesk.tui.cli.output import diffs, json_result, masked, result, say, shown

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.plan import Receipt

# These state, supersede, reject, promote, forget or quiet a check: without a terminal they take a name (invariant 11).
NAMED = frozenset({"promote", "strike", "reject", "merge", "forget", "correct", "dismiss", "resolve", "compact"})
NO_DIALOG = ("renumber", "dismiss", "resolve")  # their words are their options
QUESTIONS = ("authority", "whole", "confirmed")  # what plans ask (core/actions.py)
GUARDED = frozenset({"forget"})  # starts on "no"
TRIES = 5  # how often --yes plans an undo anew when the files change under it


def act(desk: Desk, args: Namespace, request: Request) -> int:
    """Plans a request, and carries it out as far as somebody says yes. Raises MemdeskError."""
    person = at_terminal() or name_of(args) is not None
    request = _answered(desk, request._replace(person=person), _answers(args))
    return decide(desk, args, desk.plan(request))


def decide(desk: Desk, args: Namespace, plan: Plan) -> int:
    """Shows a plan or applies it, by what was said on the command line or at the terminal. Raises MemdeskError."""
    if args.dry_run:
        show(plan, args)
        return 0
    if not plan.steps:
        return _unchanged(plan, args)
    verb = plan.request.verb
    unnamed = verb in NAMED and name_of(args) is None and not at_terminal()
    if args.yes and not unnamed:
        return _done(_apply(desk, plan, name_of(args) or desk.who()), args)
    if args.yes or not at_terminal():
        words = "--yes and --as NAME" if unnamed else "--yes"
        reason = f"not confirmed: without a terminal, {verb} takes {words}"
        show(plan, args, refused=reason)
        say(f"memdesk: nothing was changed: {reason}.")
        return 1
    return _interactive(desk, args, plan)


def show(plan: Plan, args: Namespace, refused: str | None = None) -> None:
    """Prints a plan that is not applied: the exact diffs, then what would happen."""
    if args.format == "json":
        json_result(report(plan, applied=False, transaction=None, refused=refused))
        return
    diffs(plan.diffs())
    if not args.quiet:
        say(plan.label)
    for warning in plan.warnings:
        say(f"memdesk: warning: {warning}")
    for question in plan.questions:
        say(f"memdesk: asks: {question.text} {_how_to_answer(question.key, dict(question.choices))}")


def refused(error: MemdeskError, args: Namespace) -> int:
    """What an action could not do, as its JSON; the caller says it on stderr and returns the code."""
    edits = error.plan.diffs() if isinstance(error, Drifted) else []
    json_result(bare(applied=False, refused=str(error)) | {"edits": [{"path": path, "diff": diff} for path, diff in edits]})
    return error.exit_code


def report(plan: Plan, *, applied: bool, transaction: str | None, refused: str | None = None) -> dict[str, Any]:
    """`memdesk.action/1` of a plan. Diffs are exact; summary and warnings are for people."""
    return bare(applied=applied, refused=refused) | {
        "transaction": transaction, "ids": list(plan.new_ids),
        "edits": [{"path": path, "diff": diff} for path, diff in plan.diffs()],
        "summary": masked(plan.summary), "warnings": list(plan.warnings),
        "questions": [
            {"key": item.key, "text": item.text, "choices": [{"value": value, "label": label} for value, label in item.choices]}
            for item in plan.questions
        ],
    } | _besides(plan)


def bare(*, applied: bool, refused: str | None = None) -> dict[str, Any]:
    """`memdesk.action/1` of an action without a plan."""
    return {
        "schema": "memdesk.action/1", "applied": applied, "transaction": None, "ids": [], "edits": [], "refused": refused,
    }


def name_of(args: Namespace) -> str | None:
    """Who decides, where the command line or the environment says so."""
    return getattr(args, "who", None) or os.environ.get("MEMDESK_AS") or None


def _besides(plan: Plan) -> dict[str, Any]:
    """What the report of this verb has besides."""
    if "account" not in plan.details:
        return {}
    from memdesk.tui.report.compacting import rows

    return {"account": rows(plan.details["account"])}


def _apply(desk: Desk, plan: Plan, who: str) -> Receipt:
    """Planned under the lock and applied, whatever changed since (`--yes`)."""
    if plan.undoes is None:
        try:
            return desk.perform(plan.request, who)
        except Refused as error:
            raise _with_answers(error, plan) from None
    for _ in range(TRIES):
        try:
            return desk.commit(plan, who)
        except Drifted as error:
            plan = error.plan
    return desk.commit(plan, who)


def _with_answers(error: Refused, plan: Plan) -> Refused:
    """An open question, with the option that answers it."""
    for question in plan.questions:
        if error.field == question.key:
            return Refused(f"A question is open: {question.text}", field=question.key, remedy=_how_to_answer(
                question.key, dict(question.choices)))
    return error


def _how_to_answer(key: str, choices: Mapping[str, str]) -> str:
    return "Answer with --answer " + " or ".join(f"{key}={value}" for value in choices or ("VALUE",)) + "."


def _interactive(desk: Desk, args: Namespace, plan: Plan) -> int:
    """Shows, asks, commits; shows again when the files moved on meanwhile."""
    seen: object = None
    while True:
        if plan.hunks() != seen:
            diffs(plan.diffs(), on_stderr=True)
            for warning in plan.warnings:
                say(f"warning: {warning}")
            seen = plan.hunks()
        if plan.questions:
            answered = dict(plan.request.answers)
            for question in plan.questions:
                known = answered.get(question.key)
                answer = choose(question.text, question.choices) if question.choices else ask(question.text + " ")
                if answer is None or answer == known or answer == "no":
                    return declined(args)
                answered[question.key] = answer
            plan = desk.plan(plan.request._replace(answers=answered))
            continue
        if not confirm(f"{plan.label}?", default=plan.request.verb not in GUARDED):
            return declined(args)
        try:
            return _done(desk.commit(plan, name_of(args) or desk.who()), args)
        except Drifted as error:
            say(f"memdesk: {error}")
            plan, seen = error.plan, None


def _unchanged(plan: Plan, args: Namespace) -> int:
    """A plan that would change nothing is not asked about."""
    if args.format == "json":
        json_result(report(plan, applied=False, transaction=None))
    elif not args.quiet:
        say("There is nothing to change: all is so already.")
    return 0


def declined(args: Namespace) -> int:
    """A person said no."""
    say("Nothing was changed.")
    if args.format == "json":
        json_result(bare(applied=False, refused="not confirmed"))
    return 1


def _done(receipt: Receipt, args: Namespace) -> int:
    for warning in receipt.plan.warnings:
        say(f"memdesk: warning: {warning}")
    if args.format == "json":
        json_result(report(receipt.plan, applied=True, transaction=receipt.id))
        return 0
    if not args.quiet:
        say(masked(receipt.plan.summary) + (f" ({receipt.id})" if receipt.id else " (nothing had to be written)"))
    for ident in receipt.plan.new_ids:
        result(shown(ident))
    return 0


def _answered(desk: Desk, request: Request, answers: Mapping[str, str]) -> Request:
    """The request with its answers: those to questions of the plan, and those to what the verb's dialog asks, which are words
    of the request as its options are. Raises UsageError for one that nothing asks for: a "no" must not go unheard."""
    if not answers:
        return request
    asked = [ask for place in desk.destinations(request.ids) for ask in place.asks] if request.verb == "promote" else []
    if request.ids and request.verb not in ("promote", *NO_DIALOG):
        asked = list(desk.asks(request.verb, request.ids))
    fields = {ask.field: ask.choices for ask in asked}
    for key, value in answers.items():
        if key not in QUESTIONS and key not in fields:
            known = ", ".join([*fields, *QUESTIONS])
            raise UsageError(f"{request.verb} asks nothing that is called {key!r}.", remedy=f"Known: {known}.")
        if fields.get(key) and value not in fields[key]:
            raise UsageError(f"{value!r} is no answer to {key}.", remedy=f"Known: {', '.join(fields[key])}.")
    said = {key: value for key, value in answers.items() if key in fields and key not in request.words}
    return request._replace(answers=answers, words={**request.words, **said})


def _answers(args: Namespace) -> dict[str, str]:
    answers = {}
    for item in args.answer:
        key, separator, value = item.partition("=")
        if not separator:
            raise UsageError(f"--answer {item!r} is not KEY=VALUE.")
        answers[key] = value
    return answers
