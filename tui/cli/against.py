"""`memdesk pack --base REV`: what packs gain and lose, for a reviewer and for a comment on a pull request."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import StoreError, UsageError
from memdesk.tui.cli.output import json_result, readable, result, say, warn_of_values

if TYPE_CHECKING:
    from memdesk.core.against import Against
    from memdesk.core.desk import Desk
    from memdesk.core.layouts.values import LoadRequest


def run(desk: Desk, args: Namespace, request: LoadRequest, answering: Callable[[Desk, Namespace], str | None]) -> int:
    """Prints the differences of every task, or of the one request; 1 where a pack lacks something after, 2 where one can't be
    made on either side. `answering`: the store that answers a task, where nobody says which."""
    from memdesk.tui.report import packdiff as report

    if args.base is None:
        raise UsageError("--head goes with --base.", remedy="Name what to compare with: --base REV.")
    stray = next((name for name in ("explain", "names_only") if getattr(args, name)), None)
    if stray is not None:
        raise UsageError(f"--{stray.replace('_', '-')} and --base don't go together.", remedy="Leave one of them out.")
    asked = next((name for name in ("area", "rule", "profile", "path") if getattr(args, name)), None)
    if asked is not None and not request.task:
        raise UsageError(f"--{asked} goes with --task.", remedy="Name the task, or leave it out: then modules are listed too.")
    store = args.store
    if request.task and desk.workspace.stores:
        store = answering(desk, args)
    made = desk.against(args.base, args.head, request=request if request.task else None, store=store)
    if not made.differences:
        raise StoreError("There is no store here, before or after.", remedy="Make one with 'memdesk init'.")
    if args.format == "json":
        json_result(report.as_json(made))
    elif args.format == "markdown":
        result(report.markdown(made))
    else:
        readable(report.text(made))
        _warn(made)
    for line in (*made.failures, *(f"warning: {warning}" for warning in report.warnings(made))):
        say(f"memdesk: {line}")
    if made.failures:
        return 2
    return 1 if any(one.incomplete for one in made.differences) else 0


def _warn(made: Against) -> None:
    """Of values in the lines of changed entries, which are printed as they are."""
    pairs = {pair for one in made.differences for pair in one.changed}
    texts: dict[str, list[str]] = {}
    for pair in sorted(pairs):
        texts.setdefault(pair.after.path, []).append(f"{pair.before.text}\n{pair.after.text}")
    for path, several in texts.items():
        warn_of_values(path, "\n".join(several))
