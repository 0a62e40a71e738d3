"""Workbenches over real stores: the example store, one with a past, one that cannot be routed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from memdesk.tui.app import Workbench
from memdesk.tui.demo import copy_examples
from tests.support.faults import WRITING, Tapped
from tests.support.pilots import press, settle, type_
from tests.support.stores import MEMORY, git, git_repo

TODAY = datetime(2026, 11, 30, 9, 0)
TERMINAL: Mapping[str, str] = {"TERM": "xterm-256color"}


def bench(root: Path, pane: str | None = None, *, watch: bool = False, files: Any = None) -> Workbench:
    """The workbench on a workspace, opening at a pane."""
    desk = Desk.open(str(root), clock=Clock(TODAY), user_config=None, files=files)
    return Workbench(desk, pane, environ=TERMINAL, watch=watch)


def demo(root: Path) -> Path:
    """The example store of one layout in a repository; returns the store's folder."""
    copy_examples(str(root), ["custodian"])
    git_repo(root)
    return root / MEMORY


def commit(root: Path, message: str, day: str = "2026-11-01") -> None:
    """Commit all of it, at a fixed time."""
    git(root, "add", "-A")
    subprocess.run(
        ["git", "commit", "-q", "-m", message],
        cwd=root,
        check=True,
        env={**_environ(), "GIT_AUTHOR_DATE": f"{day}T08:00:00Z", "GIT_COMMITTER_DATE": f"{day}T08:00:00Z"},
    )


def act(root: Path, verb: str, contains: str, words: Mapping[str, str] | None = None, hour: int = 8) -> str:
    """An action of before on the entry that holds a text; returns the transaction's id."""
    desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 29, hour, 0)), user_config=None)
    entry = next(entry for entry in desk.workspace.entries() if contains in entry.text and not entry.struck)
    receipt = desk.perform(Request(verb, (entry.id,), dict(words or {}), person=True), "Ada")
    assert receipt.id is not None
    return receipt.id


def undo(root: Path, ident: str) -> None:
    """Take an action of before back."""
    desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 29, 20, 0)), user_config=None)
    desk.commit(desk.undo(ident), "Ada")


class _Stop(BaseException):
    pass


def interrupted(root: Path, text: str = "encrypting", reason: str = "no", who: str = "Ada") -> None:
    """A reject that is cut off between its two files, as a power cut would: nothing after that operation happens."""
    count = {"exchange": 0, "dead": 0}

    def tap(name: str, arguments: tuple[object, ...]) -> None:
        del arguments
        if count["dead"] and name in WRITING:
            raise _Stop
        if name in ("exchange", "rename_new"):
            count["exchange"] += 1
            if count["exchange"] == 2:
                count["dead"] = 1
                raise _Stop

    child = os.fork()
    if not child:
        try:
            desk = Desk.open(str(root), clock=Clock(TODAY), user_config=None, files=Tapped(tap))
            entry = next(entry for entry in desk.candidates() if text in entry.text)
            desk.perform(Request("reject", (entry.id,), {"reason": reason}, person=True), who)
        except BaseException:  # noqa: BLE001 - a child that dies says nothing
            os._exit(9)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def keys(*steps: str) -> Callable[[Pilot[Any]], Any]:
    """Keys to press before a picture is taken; words behind a `=`. Cursors do not blink in pictures."""

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for step in steps:
            await (type_(pilot, step[1:]) if step.startswith("=") else press(pilot, step))
            for field in (*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)):
                field.cursor_blink = False
        await settle(pilot)

    return run


def _environ() -> dict[str, str]:
    return dict(os.environ)
