"""The disk fails under the workbench: the error is shown, what was typed is kept, a second try works, and panes come back."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.snooze import Snooze
from memdesk.tui.dialogs.verdict import Verdict
from tests.crash.test_desk import CHANGELOG, INBOX
from tests.support.benches import bench
from tests.support.faults import Tapped, reading_fails
from tests.support.pilots import play, press, screen_text, toasts, type_
from tests.support.stores import MEMORY, custodian_store, git, git_repo, snapshot

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EMFILE, errno.EXDEV, errno.EINTR)


class Trouble:
    """A tap that fails what `matches` says, while it is on."""

    def __init__(self, number: int, matches: Callable[[str, str], bool]) -> None:
        self.on = True
        self.met = 0
        self._number, self._matches = number, matches

    def __call__(self, name: str, arguments: tuple[object, ...]) -> None:
        if self.on and arguments and self._matches(name, str(arguments[0])):
            self.met += 1
            raise OSError(self._number, os.strerror(self._number), arguments[0])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path, inbox=INBOX, changelog=CHANGELOG)
    return git_repo(tmp_path)


def opened(root: Path, tap: Trouble) -> Workbench:
    return bench(root, files=Tapped(tap))


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [errno.ENOSPC, *(pytest.param(number, marks=pytest.mark.slow) for number in ERRORS[1:])],
)
def test_a_commit_that_fails_keeps_the_words_and_is_tried_again(root: Path, number: int) -> None:
    before = snapshot(root)
    trouble = Trouble(number, lambda name, path: name == "write" and path.endswith("journal"))
    app = opened(root, trouble)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "It is over")
        await press(pilot, "enter")
        text = screen_text(app)
        assert trouble.met == 1
        assert "Could not strike" in text
        assert "Cannot be written" in text
        assert snapshot(root) == before
        await press(pilot, "escape")
        assert isinstance(app.screen, Verdict)
        assert "It is over" in screen_text(app)
        trouble.on = False
        await press(pilot, "enter")
        assert len(app.screen_stack) == 1
        assert snapshot(root) != before
        assert app.desk.history()[0].verb == "strike"

    play(app, script)


@pytest.mark.slow
def test_a_snooze_that_fails_comes_back_with_its_date(root: Path) -> None:
    trouble = Trouble(errno.ENOSPC, lambda name, path: name == "write" and "snoozes" in path)
    app = opened(root, trouble)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "z", "tab")
        await type_(pilot, "2027-01-31")
        await press(pilot, "enter")
        text = screen_text(app)
        assert "Could not snooze it" in text
        assert "the disk is full" in text
        assert "fault of memdesk" not in text
        await press(pilot, "escape")
        assert isinstance(app.screen, Snooze)
        assert app.screen.query_one(Input).value == "2027-01-31"
        trouble.on = False
        app.screen.query_one(Input).focus()
        await press(pilot, "enter")
        assert [str(item.until) for item in app.desk.snoozes()] == ["2027-01-31"]

    play(app, script)


@pytest.mark.slow
def test_an_undo_that_fails_is_still_the_next_one(root: Path) -> None:
    trouble = Trouble(errno.EROFS, lambda name, path: name in ("write", "exchange"))
    trouble.on = False
    app = opened(root, trouble)

    async def script(pilot: Pilot[Any]) -> None:
        before = snapshot(root)
        for _ in range(2):
            await press(pilot, "s")
            await type_(pilot, "over")
            await press(pilot, "enter")
        middle = app.desk.history()
        assert len(middle) == 2
        trouble.on = True
        await press(pilot, "u")
        assert "mounted read-only" in screen_text(app)
        await press(pilot, "escape")
        trouble.on = False
        await press(pilot, "u")
        assert app.desk.history()[0].undoes == middle[0].id
        await press(pilot, "u")
        assert app.desk.history()[0].undoes == middle[1].id
        changelog = f"{MEMORY}/changelog.md"
        now = snapshot(root)
        assert {**now, changelog: b""} == {**before, changelog: b""}

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "calls"),
    [
        (errno.EACCES, ("open",)), (errno.EMFILE, ("scandir",)),
        *(pytest.param(number, calls, marks=pytest.mark.slow) for number, calls in (
            (errno.EIO, ("read",)), (errno.EMFILE, ("open",)), (errno.EACCES, ("scandir",)), (errno.EIO, ("scandir",)))),
    ],
)
def test_a_refresh_that_cannot_read_says_so_and_recovers(root: Path, number: int, calls: tuple[str, ...]) -> None:
    app = bench(root)
    name = MEMORY if calls == ("scandir",) else f"{MEMORY}/inbox.md"

    async def script(pilot: Pilot[Any]) -> None:
        assert "Gulls" in screen_text(app)
        with reading_fails(number, lambda path: path.endswith(name), calls):
            await press(pilot, "ctrl+r")
            text = screen_text(app)
            assert "Not read (^r tries again)" in text
            assert os.strerror(number) in text
            assert "is empty" not in text
            assert "init makes one" not in text
            for key in "25671":
                await press(pilot, key)
                assert len(app.screen_stack) == 1, key
                assert "fault of memdesk" not in screen_text(app)
        await press(pilot, "ctrl+r")
        text = screen_text(app)
        assert "Not read" not in text
        assert "Gulls" in text

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.EACCES, pytest.param(errno.EIO, marks=pytest.mark.slow)])
def test_a_history_that_cannot_be_read_is_a_line_and_no_dialog(root: Path, number: int) -> None:
    trouble = Trouble(number, lambda name, path: name == "list" and path.endswith("memdesk/history"))
    trouble.on = False
    app = opened(root, trouble)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "over")
        await press(pilot, "enter")
        trouble.on = True
        await press(pilot, "ctrl+r")
        text = screen_text(app)
        assert len(app.screen_stack) == 1
        assert "The history cannot be read: .git/memdesk/history: Cannot be read: " in text
        assert "Sites report late" in text or "Gulls" in text  # the inbox is there
        await press(pilot, "6")
        assert "Cannot be read" in screen_text(app)
        await press(pilot, "1")
        trouble.on = False
        await press(pilot, "ctrl+r")
        assert "cannot be read" not in screen_text(app)

    play(app, script)


@pytest.mark.slow
def test_the_repository_goes_away_while_the_workbench_runs(root: Path, tmp_path: Path) -> None:
    away = tmp_path.parent / f"{tmp_path.name}-away"
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "over")
        shutil.move(root, away)
        await press(pilot, "enter")
        assert "not there any more" in screen_text(app)
        await press(pilot, "escape")
        assert "over" in screen_text(app)
        await press(pilot, "escape", "ctrl+r")
        assert "Read-only: " in screen_text(app)
        assert not root.exists()
        for key in "25671":
            await press(pilot, key)
            assert len(app.screen_stack) == 1, key
        shutil.move(away, root)
        await press(pilot, "ctrl+r")
        assert "Read-only" not in screen_text(app)
        assert "Gulls" in screen_text(app)
        await press(pilot, "s")
        await type_(pilot, "over")
        await press(pilot, "enter")
        assert len(app.desk.history()) == 1

    play(app, script)


def test_a_fifo_in_a_files_place_holds_nobody(root: Path) -> None:
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        inbox = root / MEMORY / "inbox.md"
        text = inbox.read_bytes()
        await press(pilot, "s")
        await type_(pilot, "over")
        inbox.unlink()
        os.mkfifo(inbox)
        await press(pilot, "enter")
        assert "It is no longer there. Nothing was written" in screen_text(app)
        assert "over" in screen_text(app)
        inbox.unlink()
        inbox.write_bytes(text)
        await press(pilot, "escape")
        while len(app.screen_stack) > 1:
            await press(pilot, "escape")
        await press(pilot, "ctrl+r")
        assert "Gulls" in screen_text(app)

    play(app, script)


@pytest.mark.parametrize(
    ("key", "outcome"),
    [
        ("1", "completed"), pytest.param("2", "restored", marks=pytest.mark.slow),
        pytest.param("3", "kept", marks=pytest.mark.slow), pytest.param("4", "left", marks=pytest.mark.slow),
    ],
)
def test_a_branch_switch_before_the_recovery_dialog(root: Path, key: str, outcome: str) -> None:
    """Another branch since the crash: the dialog asks, and each answer does what it says."""
    git(root, "branch", "-q", "other")
    git(root, "commit", "-q", "--allow-empty", "-m", "On main")
    whole = snapshot(root)
    _interrupt(root)
    half = snapshot(root)
    git(root, "checkout", "-q", "other")
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "R")
        text = screen_text(app)
        assert "HEAD moved" in text
        assert "Answer the question first" in text
        await press(pilot, key, "enter")
        now = snapshot(root)
        if outcome == "completed":
            assert now not in (half, whole)
            assert b"Sites report late" not in now[f"{MEMORY}/inbox.md"]
            assert b"Sites report late" in now[f"{MEMORY}/changelog.md"]
        else:
            assert now == (whole if outcome == "restored" else half)
        assert bool(app.desk.pending()) is (outcome == "left")
        await press(pilot, "escape")
        assert ("Interrupted" in screen_text(app)) is (outcome == "left")
        assert outcome != "restored" or toasts(app) == [] or "restored" in " ".join(toasts(app))

    play(app, script)


def _interrupt(root: Path) -> None:
    """A reject in a process that is killed when one of its two files is in place."""
    import signal

    from memdesk.core.plan import Request
    from tests.crash.test_desk import desk

    placed = 0

    def tap(name: str, arguments: tuple[object, ...]) -> None:
        nonlocal placed
        if name == "exchange" and str(arguments[1]).endswith(".md"):
            placed += 1
            if placed == 2:
                os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            opened = desk(root, files=Tapped(tap))
            opened.perform(Request("reject", (opened.candidates()[0].id,), {"reason": "no"}, person=True), "Ada")
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
