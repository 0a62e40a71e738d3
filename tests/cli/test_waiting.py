"""Commands that wait for another memdesk say for whom, give up by Ctrl-C, and read without waiting; what is kept is listed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core.transaction import lock
from tests.support.commands import Here, Terminal, environment
from tests.support.holders import held, let_go
from tests.support.stores import MEMORY, snapshot

INBOX = f"{MEMORY}/inbox.md"


def _memdesk(root: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "memdesk", *words], cwd=root, env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )


def test_a_command_says_for_whom_it_waits_and_goes_on_when_that_one_is_gone(root: Path) -> None:
    with held(str(root), "promote") as holder:
        child = _memdesk(root, "add", "Site 9 floods")
        assert child.stderr is not None
        line = child.stderr.readline().decode()
        assert line.startswith(f"memdesk: waiting for process {holder} on ")
        assert line.endswith("(promote, since 2026-11-30T04:02:51Z); Ctrl-C gives up, and nothing is written.\n")
        let_go(holder)
        out, err = child.communicate()
        assert (child.returncode, err) == (0, b"")
        assert out.startswith(INBOX.encode() + b"#")


def test_ctrl_c_ends_the_wait_with_130_and_nothing_is_written(root: Path) -> None:
    before = snapshot(root)
    with held(str(root)) as holder:
        child = _memdesk(root, "add", "Site 9 floods")
        assert child.stderr is not None
        child.stderr.readline()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
        assert (child.returncode, out, err) == (130, b"", b"")
        os.kill(holder, 0)  # the holder goes on
    assert snapshot(root) == before
    assert os.listdir(root / ".git" / "memdesk" / "history") == []


def test_ctrl_c_at_a_terminal(root: Path) -> None:
    with held(str(root)):
        terminal = Terminal(root, "strike", "--reason", "no", f"{MEMORY}/constraints.md#" + _constraint(root))
        terminal.until("[Y/n]")
        terminal.type("y\n")
        terminal.until("waiting for process")
        terminal.type("\x03")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.text
    assert "~~" not in (root / MEMORY / "constraints.md").read_text()


def _constraint(root: Path) -> str:
    from memdesk.core.clock import clock
    from memdesk.core.desk import Desk

    desk = Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)
    return next(entry.id for entry in desk.workspace.entries() if entry.path.endswith("constraints.md")).rpartition("#")[2]


def test_quiet_says_nothing_and_a_script_waits_only_so_long(
    here: Here, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdesk.core.desk.PATIENT", 0.3)
    before = snapshot(root)
    with held(str(root), "edit") as holder:
        loud = here("add", "Site 9 floods", "--format", "json")
        assert loud.code == 2
        assert f"Another memdesk is writing: process {holder} on " in loud.json["refused"]
        assert [line[:28] for line in loud.err.splitlines()] == ["memdesk: waiting for process", "memdesk: Another memdesk is "]
        quiet = here("--quiet", "add", "Site 9 floods")
        assert quiet.code == 2
        assert "waiting" not in quiet.err.replace("Waited", "")
    assert snapshot(root) == before


def test_readers_do_not_wait_for_a_writer(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command that reads, while another process holds the lock: none even tries to have it."""

    def never(*_arguments: object, **_named: object) -> None:
        raise AssertionError("a reader asked for the lock")

    with held(str(root)):
        monkeypatch.setattr(lock, "locked", never)
        for words in (
            ["--check"], ["pack", "--task", "planning"], ["stores"], ["entries"], ["inbox"], ["history"], ["guide"], ["config"],
            ["recover"], ["add", "Site 9", "--dry-run"], ["undo", "--dry-run"],
        ):
            ran = here(*words)
            assert ran.code in ((1,) if words[0] == "undo" else (0,)), (words, ran)
            assert "waiting" not in ran.err, words


class TestKept:
    LATE = b"# Inbox\n\n- Saved late by an editor\n"

    @pytest.fixture
    def late(self, here: Here, root: Path) -> str:
        """The id of an action across which an editor held the inbox open, to save afterwards."""
        handle = os.open(root / INBOX, os.O_WRONLY)
        added = here("add", "Site 9 floods", "--format", "json").json
        os.pwrite(handle, self.LATE, 0)
        os.ftruncate(handle, len(self.LATE))
        os.utime(handle, (1_796_011_371, 1_796_011_371))
        os.close(handle)
        return str(added["transaction"])

    def test_recover_says_what_when_where_and_how_to_let_go_of_it(self, here: Here, root: Path, late: str) -> None:
        told = here("recover")
        assert told.code == 0
        assert told.err == "Nothing was interrupted.\n"
        (line,) = told.out.splitlines()
        file = root / ".git" / "memdesk" / "history" / late / "s0"
        assert line.startswith(f"Kept: {INBOX}  Someone saved this at 2026-11-30T04:02:51Z ")
        for words in (f"({len(self.LATE)} bytes)", f"lies in {file};", f"memdesk history --show {late} ", f"--forget {late} "):
            assert words in line
        assert file.read_bytes() == self.LATE
        value = here("recover", "--format", "json").json
        assert value == {
            "schema": "memdesk.recover/1", "recovered": [], "kept": [{
                "transaction": late, "path": INBOX, "at": "2026-11-30T04:02:51Z", "bytes": len(self.LATE),
                "file": f".git/memdesk/history/{late}/s0",
            }],
        }

    def test_history_lists_it_and_show_has_the_text(self, here: Here, late: str) -> None:
        assert here("history").out.rstrip("\n").endswith(f"(keeps someone else's {INBOX})")
        (listed,) = here("history", "--format", "json").json["transactions"]
        assert set(listed) == {"id", "at", "by", "verb", "summary", "paths", "undoable", "reason", "kept"}
        assert [item["path"] for item in listed["kept"]] == [INBOX]
        shown = here("history", "--show", late)
        assert f"Kept: {INBOX}" in shown.out
        assert "+- Saved late by an editor" in shown.out
        (kept,) = here("history", "--show", late, "--format", "json").json["kept"]
        assert kept["path"] == INBOX
        assert "+- Saved late by an editor" in kept["diff"]

    def test_a_person_lets_go_of_it(self, here: Here, root: Path, late: str) -> None:
        assert here("history", "--forget", late, "--yes").code == 0
        assert here("recover").out == ""
        assert _files_with(root, b"Saved late") == []

    def test_forgetting_at_a_terminal_names_it_first(self, root: Path, late: str) -> None:
        terminal = Terminal(root, "history", "--forget", late)
        terminal.until(f"The text that someone else saved late to {INBOX} goes too.")
        terminal.type("n\n")
        assert terminal.end() == 1
        assert (root / ".git" / "memdesk" / "history" / late / "s0").read_bytes() == self.LATE

    def test_a_purge_by_its_words_clears_it(self, here: Here, root: Path, late: str) -> None:
        here("add", "Saved late: another")
        done = here("forget", "saved late", "--mode", "purge", "--yes", "--as", "Ada")
        assert done.code == 0, done.err
        assert here("recover").out == ""
        assert _files_with(root, b"aved late") == []


def _files_with(root: Path, words: bytes) -> list[Path]:
    """The files of the state folder that hold them."""
    return [path for path in (root / ".git" / "memdesk").rglob("*") if path.is_file() and words in path.read_bytes()]
