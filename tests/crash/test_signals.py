"""What would end memdesk in the middle of a commit waits for its end: the command line, and the workbench in a terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from tests.support.commands import environment
from tests.support.held import Gate
from tests.support.stores import MEMORY, custodian_store, snapshot
from tests.support.terminal import Bench

SEEN = "Gulls are counted twice"
INBOX = f"# Inbox\n\n- {SEEN}\n- Terns are not\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    custodian_store(root, inbox=INBOX)
    return root


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    """Holds a promote between its two files."""
    with Gate(tmp_path / "gate") as gate:
        yield gate


def open_desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def written(root: Path) -> tuple[bool, bool]:
    """Whether the candidate stands in its new file, and whether it left the inbox."""
    texts = [(root / MEMORY / name).read_text() for name in ("constraints.md", "inbox.md")]
    return SEEN in texts[0], SEEN not in texts[1]


def whole(root: Path) -> None:
    """The promote is done in all of its files, and nothing is left of it but its history."""
    assert written(root) == (True, True)
    desk = open_desk(root)
    assert desk.pending() == []
    assert set(os.listdir(Path(desk.state) / "txn")) == {"generation"}
    assert [item.verb for item in desk.history()] == ["promote"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)]
)
def test_a_command_ends_its_commit_first(root: Path, gate: Gate, number: signal.Signals, code: int) -> None:
    ident = open_desk(root).candidates()[0].id
    command = subprocess.Popen(
        [sys.executable, "-m", "memdesk", "promote", ident, "--to", "constraints", "--yes", "--as", "Ada"], cwd=root,
        env={**environment(), **gate.env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    gate.wait()
    assert sorted(written(root)) == [False, True]
    os.kill(command.pid, number)
    os.kill(command.pid, number)  # whoever is impatient sends another
    gate.open()
    _, told = command.communicate(timeout=60)
    assert command.returncode == code, told
    assert b"Traceback" not in told
    whole(root)


def promoting(root: Path, gate: Gate) -> Bench:
    """A workbench that is in the middle of a promote."""
    terminal = Bench(root, env=gate.env)
    terminal.until("memdesk", SEEN)
    terminal.settle()
    for key in ("p", "2", "\r"):
        terminal.press(key)
    gate.wait()
    assert sorted(written(root)) == [False, True]
    return terminal


def as_found(terminal: Bench) -> None:
    """The terminal is as a program finds it: no alternate screen, a cursor, lines and echo."""
    raw = bytes(terminal.raw)
    assert raw.rindex(b"\x1b[?1049l") > raw.rindex(b"\x1b[?1049h")
    assert raw.rindex(b"\x1b[?25h") > raw.rindex(b"\x1b[?25l")
    for mode in (b"?1000", b"?1003", b"?2004"):
        assert raw.rindex(b"\x1b[" + mode + b"l") > raw.rindex(b"\x1b[" + mode + b"h")
    master, slave = pty.openpty()
    try:
        assert termios.tcgetattr(terminal._fd) == termios.tcgetattr(slave)
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in ((signal.SIGTERM, 143), (signal.SIGHUP, 129), (None, 0))),
    ], ids=str,
)
def test_the_workbench_ends_its_commit_first(root: Path, gate: Gate, number: int | None, code: int) -> None:
    """A signal, or Ctrl-Q (None), while the dialog waits for its commit."""
    with promoting(root, gate) as terminal:
        if number is None:
            terminal.press("\x11")
        else:
            os.kill(terminal.pid, number)
            terminal.settle()
        assert os.waitpid(terminal.pid, os.WNOHANG) == (0, 0), "it is gone in mid-commit"
        assert sorted(written(root)) == [False, True]
        gate.open()
        assert terminal.end() == code, terminal.grid.text
        as_found(terminal)
    whole(root)


@pytest.mark.slow
def test_q_ends_the_commit_first(root: Path, tmp_path: Path) -> None:
    """In mid-undo, which has no dialog that would take the key for itself."""
    before = snapshot(root)
    with Gate(tmp_path / "gate", at=4) as gate, Bench(root, env=gate.env) as terminal:
        terminal.until("memdesk", SEEN)
        terminal.settle()
        for key in ("p", "2", "\r", "u"):
            terminal.press(key)
        gate.wait()
        assert sorted(written(root)) == [False, True]
        terminal.press("q")
        assert os.waitpid(terminal.pid, os.WNOHANG) == (0, 0), "it is gone in mid-commit"
        assert sorted(written(root)) == [False, True]
        gate.open()
        assert terminal.end() == 0
        as_found(terminal)
    assert {path: data for path, data in snapshot(root).items() if path.startswith("docs/")} == before
    assert open_desk(root).pending() == []


@pytest.mark.slow
def test_a_terminal_that_goes_away_cuts_no_commit_off(root: Path, gate: Gate) -> None:
    terminal = promoting(root, gate)
    os.close(terminal._fd)
    assert os.waitpid(terminal.pid, os.WNOHANG) == (0, 0), "it is gone in mid-commit"
    assert sorted(written(root)) == [False, True]
    gate.open()
    assert os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]) == 129
    whole(root)


@pytest.mark.slow
def test_ctrl_c_in_the_editor_is_the_editors_own(root: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nkill -INT $PPID\n")
    editor.chmod(0o755)
    with Bench(root, env={"VISUAL": str(editor)}) as terminal:
        terminal.until("memdesk", SEEN)
        terminal.settle()
        terminal.press("o")
        while bytes(terminal.raw).count(b"\x1b[?1049h") < 2:  # it gives the terminal to the editor, and takes it back
            assert terminal._read(60.0), terminal.grid.text
        terminal.settle()
        assert os.waitpid(terminal.pid, os.WNOHANG) == (0, 0)
        terminal.press("q")
        assert terminal.end() == 0
        as_found(terminal)
