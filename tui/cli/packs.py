"""The command `pack`: what a task would load, why a place loads or doesn't, and what packs gain and lose."""

from __future__ import annotations

import contextlib
from argparse import Namespace
from typing import TYPE_CHECKING

from memdesk.core.errors import StoreError, UsageError
from memdesk.tui.cli.output import json_result, result, row, say, warn_of_values

if TYPE_CHECKING:
    from memdesk.core.desk import Desk


def pack(desk: Desk, args: Namespace) -> int:
    """Prints what a task would load; exit 1 where it is incomplete."""
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.tui.report import pack as report

    if args.why is not None:
        return _why(desk, args)
    request = LoadRequest(args.task or "", tuple(args.area), tuple(args.rule), tuple(args.profile), tuple(args.path))
    if args.base is not None or args.head is not None:
        from memdesk.tui.cli import against

        return against.run(desk, args, request, _answering)
    if not args.task:
        raise UsageError("pack needs --task T.", remedy=_known_tasks(desk, args.store))
    made = desk.pack(request, _answering(desk, args))
    if args.format == "json":
        from memdesk.core.routing import left_out

        json_result(report.as_json(made, left_out(desk.workspace, made)))
    elif args.names_only:
        for path in report.names(made):
            row(path)
    elif args.explain:
        for line in report.explain(made):
            row(line)
    else:
        result(report.markdown(made) if args.format == "markdown" else made.text)
    for line in report.complaints(made):
        say(f"memdesk: {line}")
    if not args.names_only or args.format == "json":
        for file in made.files:
            warn_of_values(file.path, file.text)
    return 0 if made.status == "complete" else 1


def _why(desk: Desk, args: Namespace) -> int:
    """For each task of the store that owns a file (or the one that is named): whether it, or the unit at a line, loads, and why
    or why not. 2 where a task's route can't be made at all."""
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.routing import document_of, entry_at, why
    from memdesk.tui.report import why as report

    stray = next((name for name in ("explain", "names_only", "base", "head") if getattr(args, name)), None)
    if stray is not None:
        raise UsageError(f"--{stray.replace('_', '-')} doesn't go with --why.", remedy="Leave one of them out.")
    path, line = _place(desk, args.why)
    document = document_of(desk.workspace, path)
    if args.store is not None and document is not None and document.store is not desk.store(args.store):
        raise UsageError(f"{path} belongs to another store than {args.store}.", remedy=f"It is of {document.store.path}.")
    request = LoadRequest(args.task or "", tuple(args.area), tuple(args.rule), tuple(args.profile), tuple(args.path))
    found = why(desk.workspace, path, line, desk.clock.today(), request, desk.settings)
    entry = None if document is None or line is None else entry_at(document, line)
    if args.format == "json":
        json_result(report.as_json(path, line, document, entry, found))
    elif args.format == "markdown":
        result(report.markdown(path, line, entry, found))
    else:
        for cells in report.rows(found):
            row(*cells)
        if not args.quiet:
            say(report.summary(path, line, entry, found))
    return 2 if any(each.failed for each in found) else 0


def _place(desk: Desk, text: str) -> tuple[str, int | None]:
    """PATH[:LINE], from the workspace's root. A path that is there wins over a line number at its end."""
    path, colon, number = text.rpartition(":")
    if colon and number.isascii() and number.isdecimal() and text not in desk.workspace.documents:
        if int(number) < 1:
            raise UsageError(f"--why {text!r}: lines count from 1.")
        return path, int(number)
    return text, None


def _answering(desk: Desk, args: Namespace) -> str | None:
    """The name of the one store that knows the task, where nobody said which. Raises UsageError, with the list, for several."""
    from memdesk.core import layouts

    if args.store is not None or len(desk.workspace.stores) < 2:
        return desk.workspace.store_name(desk.store(args.store))
    task = args.task.strip().casefold()
    known = {desk.workspace.store_name(store): layouts.get(store.layout).tasks(store) for store in desk.workspace.stores}
    able = [name for name, tasks in known.items() if task in tasks] or [name for name in known if task == "boot"]
    if not able:
        names = ", ".join(dict.fromkeys(name for tasks in known.values() for name in tasks))
        raise UsageError(f"No store here knows a task {args.task!r}.", remedy=f"Known: {names}.")
    return able[0] if len(able) == 1 else desk.store(None).path  # which raises, with the list


def _known_tasks(desk: Desk, store: str | None) -> str:
    from memdesk.core import layouts

    with contextlib.suppress(UsageError, StoreError):
        chosen = desk.store(store)
        return "Known: " + ", ".join(dict.fromkeys((*layouts.get(chosen.layout).tasks(chosen), "boot"))) + "."
    return ""
