"""recover, config and doctor."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.tui.cli.asking import at_terminal, choose, confirm
from memdesk.tui.cli.output import cell, json_result, masked, row, say

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.transaction import Pending, Recovered


def recover(desk: Desk, args: Namespace) -> int:
    """Finishes or takes back what was interrupted, after saying which. Exit 3 where a person has to look."""
    waiting = desk.pending()
    for pending in waiting:
        for line in _said(pending):
            say(line)
    if not waiting:
        desk.recover()  # what never came to be a transaction is tidied away
        return _recovered(desk, [], args)
    if not args.yes and not at_terminal():
        say("memdesk: nothing was changed: without a terminal, recover takes --yes.")
        return 3 if any(pending.question for pending in waiting) else 1
    if not args.yes and not confirm("Recover?", default=True):
        say("Nothing was changed.")
        return 1
    done = desk.recover(lambda pending: _decide(pending, args.choose))
    code = _recovered(desk, done, args)
    return 3 if any(item.person for item in done) or desk.pending() else code


def _said(pending: Pending) -> list[str]:
    """What was interrupted, the state of each of its files, and what recovery does about it."""
    lines = [f"Interrupted: {pending.id}  {masked(pending.summary)}".rstrip()]
    lines += [f"  {_STATES.get(state, state)}  {cell(path)}" for path, state in pending.states]
    states = {state for _, state in pending.states}
    if pending.question:
        lines.append(f"  {pending.question}")
    elif "foreign" in states:
        lines.append("  Only files that still hold what memdesk wrote go back; every text is kept in the history.")
    elif "after" not in states:
        lines.append("  It had not begun: it is discarded, and the files stay as they are.")
    else:
        lines.append("  All of it was written: it is closed." if "before" not in states else "  It is completed.")
    return lines


def _decide(pending: Pending, chosen: str | None) -> str:
    """A person's answer to the question of one; "later" where nobody gives one."""
    if chosen is not None:
        if chosen not in pending.choices:
            say(f"memdesk: {pending.id} can't be settled by {chosen!r}; there is: {', '.join(pending.choices) or 'nothing'}.")
        return chosen if chosen in pending.choices else "later"
    if at_terminal():
        return choose(pending.question, tuple((name, _CHOICES.get(name, name)) for name in pending.choices)) or "later"
    say(f"memdesk: {pending.id} is left as it is: say --choose {' or '.join(pending.choices)}.")
    return "later"


def _recovered(desk: Desk, done: list[Recovered], args: Namespace) -> int:
    """What became of it, and which texts of others the history keeps: of this recovery, or of any time."""
    from memdesk.tui.report import listings

    kept = desk.kept()
    if args.format == "json":
        json_result({"schema": "memdesk.recover/1", "recovered": [
            item._asdict() | {"summary": masked(item.summary)} for item in done],
            "kept": [listings.kept(desk, item) for item in kept]})
        return 0
    for item in done:
        row(item.id, item.outcome, item.message)
    if not done and not args.quiet:
        say("Nothing was interrupted.")
    for text in kept:
        row(listings.kept_line(desk, text))
    return 0


_STATES = {"before": "not written", "after": "written    ", "foreign": "foreign    "}
_CHOICES = {
    "complete": "complete: write the rest of it", "restore": "restore: bring back what was there before it",
    "keep": "keep: leave all files as they are, and close it", "later": "later: leave it for now",
}


def config(desk: Desk, args: Namespace) -> int:
    """Prints the effective settings, each with where it comes from."""
    rows = [(key, _masked(value), desk.settings.origin(key)) for key, value in desk.settings.items()]
    if args.format == "json":
        json_result({"schema": "memdesk.config/1", "settings": [
            {"key": key, "value": value, "origin": origin} for key, value, origin in rows]})
        return 0
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        row(key.ljust(width), _toml(value), f"# {origin}")
    return 0


def doctor(desk: Desk, args: Namespace) -> int:
    """Prints what memdesk sees of its surroundings."""
    rows = list(_facts(desk))
    if args.format == "json":
        json_result({"schema": "memdesk.doctor/1", "facts": [{"name": name, "value": value} for name, value in rows]})
        return 0
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        row(name.ljust(width), value)
    return 0


def _facts(desk: Desk) -> list[tuple[str, str]]:
    from memdesk import __version__

    state = desk.transactions.ground.state
    pending = ", ".join(item.id for item in desk.pending())
    return [
        ("memdesk", __version__),
        ("python", sys.version.split()[0]),
        ("workspace", desk.root),
        ("stores", ", ".join(f"{store.path} ({store.layout})" for store in desk.workspace.stores) or "none"),
        ("writable", desk.read_only or "yes"),
        ("state folder", state),
        ("lock", _lock(state)),
        ("interrupted", pending or "nothing"),
        ("git", _git(desk)),
        ("merging", _merging(desk)),
        ("hook", _hook(desk)),
        ("watching", _watching()),
        ("terminal", _terminal()),
        ("clipboard", _clipboard()),
        ("editor", _editor(desk)),
        ("drafts", _drafts(desk)),
    ]


def _lock(state: str) -> str:
    """Who holds the lock. What the holder wrote down outlives a kill: only the lock itself tells."""
    from memdesk.core.transaction.lock import holder, is_held

    return f"held by {holder(state) or 'somebody who left no name'}" if is_held(state) else "free"


def _editor(desk: Desk) -> str:
    chosen = {f"${name}": os.environ.get(name) for name in ("VISUAL", "EDITOR")}
    for origin, value in {"editor.command": desk.settings.editor.command, **chosen}.items():
        if value and value.strip():
            return f"{value} ({origin})"
    return "vi ($VISUAL and $EDITOR are unset)"


def _drafts(desk: Desk) -> str:
    """The command that drafts, and whether it may run."""
    drafter = desk.drafter(os.environ)
    command = drafter.command
    if command is None:
        return "without a command (agent.command is unset)"
    said = f"{command.shown} ({command.origin})"
    if command.own:
        return said
    return f"{said}, approved" if drafter.asked() is None else f"{said}, not approved: it does not run before you approve it"


def _git(desk: Desk) -> str:
    import shutil

    program = "" if shutil.which("git") else "; the program git is not installed"
    if desk.git is None:
        return f"not a git repository{program}"
    return f"branch {desk.git.branch or '(detached)'}, HEAD {(desk.git.head or 'unborn')[:12]}{program}"


def _merging(desk: Desk) -> str:
    """How git merges memory files in this clone."""
    from memdesk.core import gitsetup
    from memdesk.core.errors import GitError

    if desk.git is None:
        return "not a git repository"
    try:
        driver = gitsetup.configured(desk.git)
        others = gitsetup.elsewise(desk.git, desk.workspace) if driver is not None else []
    except GitError as error:
        return str(error)
    if driver is None:
        return "by lines ('memdesk init --git' sets up merging by entry)"
    return f"by entry: {driver}" + (f"; but {gitsetup.others_said(others)}" if others else "")


def _hook(desk: Desk) -> str:
    """Whether a commit in this clone is checked first."""
    from memdesk.core import hooks
    from memdesk.core.errors import GitError, Refused

    if desk.git is None:
        return "not a git repository"
    try:
        hook = hooks.look(desk.git, ())
    except (GitError, Refused) as error:
        return str(error)
    made = hook.runs or (hook.before is not None and os.access(hook.path, os.X_OK))
    return f"{hook.shown} runs memdesk" if made else "none ('memdesk init --hook' makes it)"


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


def _masked(value: object) -> object:
    """A value of a setting without what looks secret: a command may hold a key."""
    if isinstance(value, tuple):
        return tuple(masked(item) if isinstance(item, str) else item for item in value)
    return masked(value) if isinstance(value, str) else value


def _toml(value: object) -> str:
    import json

    return "(unset)" if value is None else json.dumps(value, ensure_ascii=False, default=list)


COMMANDS: dict[str, Callable[[Desk, Namespace], int]] = {"recover": recover, "config": config, "doctor": doctor}
