"""recover, config and doctor."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.core.errors import Interrupted
from memdesk.tui.cli.asking import at_terminal, choose, confirm
from memdesk.tui.cli.output import json_result, result, say, shown

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.transaction import Pending


def recover(desk: Desk, args: Namespace) -> int:
    """Finishes or rolls back what was interrupted, after saying which. Exit 3 where a person has to look."""
    waiting = desk.pending()
    if args.format != "json":
        for pending in waiting:
            say(f"Interrupted: {pending.id}: {pending.summary}")
    if not waiting:
        if args.format == "json":
            json_result({"schema": "memdesk.recover/1", "recovered": []})
        elif not args.quiet:
            say("Nothing was interrupted.")
        return 0
    if not args.yes and not (at_terminal() and confirm("Recover?", default=True)):
        if not at_terminal():
            say("memdesk: nothing was changed. Without a terminal, say --yes.")
        return 1

    def decide(pending: Pending) -> str:
        if args.choose:
            return str(args.choose)
        if at_terminal():
            answer = choose(
                f"{pending.id} was begun at another commit than HEAD.",
                (("complete", "write what it was going to write"), ("restore", "restore what was there before")),
            )
            if answer is not None:
                return answer
        raise Interrupted(
            f"{pending.id} was begun at another commit than HEAD.", remedy="Say --choose complete, or --choose restore."
        )

    done = desk.recover(decide)
    if args.format == "json":
        json_result({"schema": "memdesk.recover/1", "recovered": [item._asdict() for item in done]})
    else:
        for item in done:
            result(f"{item.id}: {item.outcome}: {item.message}")
    return 3 if desk.pending() else 0


def config(desk: Desk, args: Namespace) -> int:
    """Prints the effective settings, each with where it comes from."""
    rows = [(key, value, desk.settings.origin(key)) for key, value in desk.settings.items()]
    if args.format == "json":
        json_result({"schema": "memdesk.config/1", "settings": [
            {"key": key, "value": value, "origin": origin} for key, value, origin in rows]})
        return 0
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        result(f"{key.ljust(width)}  {_toml(value)}  # {origin}")
    return 0


def doctor(desk: Desk, args: Namespace) -> int:
    """Prints what memdesk sees of its surroundings."""
    rows = list(_facts(desk))
    if args.format == "json":
        json_result({"schema": "memdesk.doctor/1", "facts": [{"name": name, "value": value} for name, value in rows]})
        return 0
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        result(f"{name.ljust(width)}  {shown(value)}")
    return 0


def _facts(desk: Desk) -> list[tuple[str, str]]:
    from memdesk import __version__
    from memdesk.core.transaction.lock import holder

    state = desk.transactions.ground.state
    held = holder(state)
    pending = ", ".join(item.id for item in desk.pending())
    return [
        ("memdesk", __version__),
        ("python", sys.version.split()[0]),
        ("workspace", desk.root),
        ("stores", ", ".join(f"{store.path} ({store.layout})" for store in desk.workspace.stores) or "none"),
        ("writable", desk.read_only or "yes"),
        ("state folder", state),
        ("lock", str(held) if held else "free"),
        ("interrupted", pending or "nothing"),
        ("git", _git(desk)),
        ("watching", _watching()),
        ("terminal", _terminal()),
        ("clipboard", _clipboard()),
        ("editor", os.environ.get("VISUAL") or os.environ.get("EDITOR") or "none ($VISUAL and $EDITOR are unset)"),
    ]


def _git(desk: Desk) -> str:
    if desk.git is None:
        return "not a git repository"
    return f"branch {desk.git.branch or '(detached)'}, HEAD {(desk.git.head or 'unborn')[:12]}"


def _watching() -> str:
    try:
        with open("/proc/sys/fs/inotify/max_user_watches", encoding="ascii") as file:
            return f"inotify, {file.read().strip()} watches at most"
    except OSError:
        return "the limit of watches can't be read here"


def _terminal() -> str:
    if not sys.stdout.isatty():
        return "none (standard output is no terminal)"
    size = os.get_terminal_size()
    colour = "NO_COLOR" if os.environ.get("NO_COLOR") else os.environ.get("COLORTERM") or "colours by TERM"
    return f"{os.environ.get('TERM', 'TERM unset')}, {size.columns}x{size.lines}, {colour}"


def _clipboard() -> str:
    import shutil

    tools = [name for name in ("wl-copy", "xclip", "xsel", "pbcopy") if shutil.which(name)]
    return f"OSC 52{', ' + ', '.join(tools) if tools else ''}"


def _toml(value: object) -> str:
    import json

    return "(unset)" if value is None else json.dumps(value, ensure_ascii=False, default=list)


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {"recover": recover, "config": config, "doctor": doctor}
