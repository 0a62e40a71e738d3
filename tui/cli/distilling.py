"""`memdesk compact FEATURE --distil`: what a command proposes for the project's memory. It is printed, and changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.compacting import distilling
from memdesk.core.errors import UsageError
from memdesk.tui.cli.compacting import by_command, store_of
from memdesk.tui.cli.output import cell, headed, json_result, masked, row, say

if TYPE_CHECKING:
    from argparse import Namespace

    from memdesk.core.compacting.distilling import Distilled, Drafted, Source
    from memdesk.core.desk import Desk


def distil(desk: Desk, args: Namespace) -> int:
    """Prints the proposals, each with its problems, and what the answer says besides. Raises MemdeskError."""
    if args.feature is None:
        raise UsageError("Of which feature?", remedy="`memdesk compact` lists them.")
    if args.text is not None or args.edit or args.leave or args.print:
        raise UsageError("--distil proposes lines and makes no memory.", remedy="Leave --text, --edit, --leave, --print out.")
    source = distilling.gather(desk.workspace, store_of(desk, args), args.feature)
    answer = by_command(desk, args, lambda: distilling.prompt(source))
    drafted = distilling.drafted(answer, source)
    if args.format == "json":
        json_result({
            "schema": "memdesk.lessons/1", "feature": source.feature, "store": source.store.path, "to": source.to.id,
            "proposals": [_json(one) for one in drafted.proposals],
            "besides": [{"line": one.line, "text": masked(one.text)} for one in drafted.passed],
        })
    else:
        _listed(drafted, source, args)
    return 0


def _json(one: Distilled) -> dict[str, object]:
    """`id`: the entry that it is promoted by, null for none; `entries`: all that it rests on."""
    return {
        "number": one.number, "section": one.section, "text": masked(one.text), "id": one.entry.id if one.entry else None,
        "entries": [entry.id for entry in one.rests], "line": one.line, "problems": list(one.problems),
    }


def _listed(drafted: Drafted, source: Source, args: Namespace) -> None:
    width = len(str(len(drafted.proposals)))
    for one in drafted.proposals:
        row(str(one.number).rjust(width), "can't be taken" if one.problems else "proposed", one.section, masked(one.text))
        for problem in one.problems:
            row(" " * width, f"! {masked(problem)}")
        for entry in one.rests:
            row(" " * width, f"from {entry.id}", headed(entry))
    for passed in drafted.passed:
        say(f"memdesk: line {passed.line} of the answer is no proposal: {cell(masked(passed.text))}")
    if not args.quiet:
        number = len(drafted.proposals)
        reviewed = " --answer reviewed=yes" if any(ask.field == "reviewed" for ask in source.to.asks) else ""
        say(f"{number} proposal{'' if number == 1 else 's'}; nothing was changed." + (
            f" To take one: memdesk promote ID --to {source.to.id} --section SECTION{reviewed} --text TEXT" if number else ""
        ))
