"""memdesk as a process: locales, pipes, signals, closed streams, many at once, and what a command imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import shapes
from tests.support.commands import environment, process, without_rights
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, git, put

INBOX = f"{MEMORY}/inbox.md"
HEADLESS = (
    ["pack", "--task", "planning"], ["guide"], ["stores"], ["entries"], ["inbox"], ["history"], ["config"], ["doctor"],
    ["recall", "network"], ["conflicts"], ["recover"], ["add", "Site 7 floods"], ["undo"], ["--help"], ["--version"],
    ["pack", "--base", "HEAD"], ["nothing-of-the-kind"],
)
PROBE = """
import io, json, sys
from memdesk.tui.cli import main
sys.stdout = io.TextIOWrapper(io.BytesIO())
sys.stderr = io.TextIOWrapper(io.BytesIO())
before = set(sys.modules)
found = {}
for words in json.loads(sys.argv[1]):
    main(words)
    found[" ".join(words)] = sorted({name.split(".")[0] for name in sys.modules})
sys.__stdout__.write(json.dumps(found))
"""


def start(root: Path, *words: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "memdesk", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.PIPE, env=environment(), **more,  # type: ignore[call-overload]
    )


@pytest.mark.slow
def test_twenty_at_once_add_twenty(root: Path) -> None:
    before = (root / INBOX).read_text()
    running = [start(root, "add", f"Site {number} floods", "--tag", "observed") for number in range(20)]
    printed = []
    for each in running:
        out, err = each.communicate(timeout=60)
        waits = [line for line in err.splitlines() if line.startswith(b"memdesk: waiting for ")]
        assert (each.returncode, err.splitlines()) == (0, waits)  # who waits is told for whom, and nothing else
        printed += out.decode().splitlines()
    after = (root / INBOX).read_text()
    assert sorted(line for line in after.splitlines() if "floods" in line) == sorted(
        f"- [observed] Site {number} floods" for number in range(20)
    )
    assert [line for line in after.splitlines() if "floods" not in line and line != "## 2026-11-30"] != []
    assert after.endswith(before.partition("# Inbox\n\n")[2])
    listed = json.loads(process(root, "inbox", "--format", "json").stdout)
    assert shapes.faults(listed, shapes.INBOX) == []
    assert len(set(printed)) == 20
    assert set(printed) <= {item["id"] for item in listed["candidates"]}
    assert len(json.loads(process(root, "history", "--format", "json").stdout)["transactions"]) == 20


def test_no_headless_command_imports_a_user_interface(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(HEADLESS)], cwd=root, capture_output=True, check=False, env=environment()
    )
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert len(found) == len(HEADLESS)
    for words, modules in found.items():  # in one process: what any of them imported stays
        assert not {"textual", "rich", "watchfiles", "markdown_it", "pygments", "asyncio"}.intersection(modules), words
    reading = {name for words in HEADLESS[:7] for name in found[" ".join(words)]}
    assert not {"subprocess", "filelock"} & reading  # reading starts no git and takes no lock


@pytest.mark.parametrize("words", [["entries"], ["entries", "--format", "json"], ["pack", "--task", "planning"], ["check"]])
def test_a_broken_pipe_ends_quietly(root: Path, words: list[str]) -> None:
    put(root, INBOX, "# Inbox\n\n" + "".join(f"- Site {number} reports its counts late\n" for number in range(3000)))
    put(root, f"{MEMORY}/brief.md", "# B\n\n" + "word " * 30_000)
    put(root, f"{MEMORY}/constraints.md", "# C\n\n" + "".join(f"- /home/ana/{number}\n" for number in range(2000)))
    running = start(root, *words)
    assert running.stdout is not None
    running.stdout.read(10)
    running.stdout.close()
    err = running.stderr.read() if running.stderr else b""
    assert running.wait(timeout=60) in (0, 1)
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err
    assert b"Exception ignored" not in err


def test_a_pipe_that_was_closed_before_is_quiet_too(root: Path) -> None:
    for stream in ("stdout", "stderr"):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "memdesk", "inbox" if stream == "stdout" else "nothing"], cwd=root, check=False,
            env=environment(),
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer},  # type: ignore[call-overload]
        )
        os.close(writer)
        assert done.returncode == 0
        assert b"Traceback" not in (done.stderr or b"") + (done.stdout or b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_results_is_2(root: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memdesk", "inbox"], cwd=root, stdout=full, stderr=subprocess.PIPE, check=False,
            env=environment(),
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == "memdesk: standard output: No space left on device."
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", sampled([1, 0, 2], 3))
def test_closed_streams(root: Path, closed: int) -> None:
    done = process(root, "inbox", before=lambda: os.close(closed))
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert (b"Retry sync" in done.stdout) == (closed != 1)
    added = process(root, "add", "Site 7 floods", before=lambda: os.close(closed))
    assert added.returncode == 0
    assert "- Site 7 floods\n" in (root / INBOX).read_text()
    assert git(root, "status", "--porcelain").split() == ["M", INBOX]  # and no file took a stream's number


LOCALES: list[dict[str, str]] = [
    {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "POSIX", "LANG": "C"},
    {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1:strict", "LC_ALL": "C"},
]


@pytest.mark.parametrize("env", sampled(LOCALES, 3), ids=str)
def test_utf_8_whatever_the_locale(root: Path, env: dict[str, str]) -> None:
    added = process(root, "add", "Größe 日本 zählt", "--reason", "müßig", "--root", str(root), env=env)
    assert (added.returncode, added.stderr) == (0, b"")
    assert "- Größe 日本 zählt (reason: müßig)\n".encode() in (root / INBOX).read_bytes()
    assert process(root, "add", "-", stdin="Straße\n".encode(), env=env).returncode == 0
    listed = process(root, "entries", "--format", "json", "--grep", "größe", env=env)
    assert [item["heading"] for item in json.loads(listed.stdout)["entries"]] == ["Größe 日本 zählt (reason: müßig)"]
    assert "Straße".encode() in process(root, "inbox", env=env).stdout
    wrong = process(root, "pack", "--task", "Größe", env=env)
    assert wrong.returncode == 2
    assert "'Größe'".encode() in wrong.stderr


def test_ctrl_c_is_130_and_loses_nothing(root: Path) -> None:
    before = (root / INBOX).read_bytes()
    running = start(root, "add", "-")
    assert running.stdin is not None
    running.stdin.write(b"half a sen")
    running.stdin.flush()
    _until_reading(running.pid)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in err
    assert (root / INBOX).read_bytes() == before


def _until_reading(pid: int) -> None:
    """Waits until a process sleeps in a read of its standard input."""
    for _ in range(3000):
        with open(f"/proc/{pid}/syscall", encoding="ascii") as file:
            words = file.read().split()
        if words[:2] == ["0", "0x0"]:
            return
        os.sched_yield()
        signal.sigtimedwait([], 0.01)
    raise AssertionError("it never read")


def test_without_a_terminal_or_with_a_dumb_one_the_workbench_does_not_start(root: Path) -> None:
    for words in ([], ["--demo"], ["--pane", "health"], [str(root)]):
        done = process(root, *words)
        assert done.returncode == 2
        assert b"The workbench needs a terminal." in done.stderr
        assert b"memdesk --check" in done.stderr
        assert done.stdout == b""


def test_without_git(root: Path, tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    env = {"PATH": str(empty)}
    assert process(root, "add", "Site 7 floods", env=env).returncode == 0
    assert process(root, "pack", "--task", "planning", env=env).returncode == 0
    assert process(root, "archive", "--yes", _id(root, "CSV"), env=env).returncode == 0
    doctor = process(root, "doctor", env=env)
    assert doctor.returncode == 0
    assert b"the program git is not installed" in doctor.stdout
    check = process(root, "--check", "--format", "json", env=env)
    assert check.returncode == 2
    assert json.loads(check.stdout)["change"]["skipped"]


def _id(root: Path, text: str) -> str:
    value = json.loads(process(root, "entries", "--grep", text, "--format", "json").stdout)
    return str(value["entries"][0]["id"])


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_to(root: Path) -> None:
    before = (root / INBOX).read_bytes()
    ident = _id(root, "CSV")
    os.chmod(root, 0o555)
    os.chmod(root / MEMORY, 0o555)
    try:
        for words in (["inbox"], ["pack", "--task", "planning"], ["history"], ["config"]):
            assert process(root, *words, before=without_rights).returncode == 0, words
        snooze = ["snooze", _id(root, "forty"), "--until=2027-01-01", "--yes"]
        for words in (["add", "Site 7 floods"], ["archive", ident, "--yes"], snooze):
            done = process(root, *words, before=without_rights)
            assert done.returncode == 2, words
            assert b"cannot be written to (its permissions, or a read-only mount)" in done.stderr, words
            assert b"Traceback" not in done.stderr, words
        doctor = process(root, "doctor", before=without_rights).stdout
        assert b"writable      " in doctor
        assert b"cannot be written to" in doctor
    finally:
        os.chmod(root, 0o755)
        os.chmod(root / MEMORY, 0o755)
    assert (root / INBOX).read_bytes() == before


def test_a_file_that_cannot_be_read(root: Path) -> None:
    os.chmod(root / INBOX, 0)
    listed = process(root, "inbox", before=without_rights)
    assert (listed.returncode, listed.stdout) == (2, b"")
    assert f"memdesk: {INBOX}: It cannot be opened: Permission denied.".encode() in listed.stderr
    assert process(root, "add", "Site 7 floods", before=without_rights).returncode in (1, 2)
    assert process(root, "pack", "--task", "maintenance", before=without_rights).returncode == 1
    assert process(root, "--check", before=without_rights).returncode in (1, 2)
