"""One program, run to its end, with and without input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memdesk.core import git, process
from tests.support.stores import git_repo, put

ENV = dict(os.environ)


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("data", [b"", b"in"])
def test_output_errors_and_code(data: bytes) -> None:
    code = "import sys, os; sys.stdout.write('o' + sys.stdin.read()); sys.stderr.write('e' + os.environ['X']); sys.exit(3)"
    assert process.run(python(code), {**ENV, "X": "1"}, data=data) == (3, b"o" + data, b"e1")


@pytest.mark.parametrize("data", [b"", b"in"])
def test_a_program_that_is_killed_has_its_signal_as_code(data: bytes) -> None:
    assert process.run(python("import os; os.kill(os.getpid(), 9)"), ENV, data=data).returncode == -9


def test_more_output_than_a_pipe_holds_on_both_streams() -> None:
    code = "import sys; sys.stderr.write('e' * 300000); sys.stdout.write('o' * 300000)"
    done = process.run(python(code), ENV)
    assert (len(done.stdout), len(done.stderr)) == (300_000, 300_000)


@pytest.mark.parametrize("data", [b"", b"in"])
def test_a_program_that_does_not_end_is_ended(data: bytes) -> None:
    before = open_files()
    with pytest.raises(TimeoutError):
        process.run(python("import time; time.sleep(60)"), ENV, data=data, timeout=0.05)
    assert open_files() == before


@pytest.mark.parametrize("data", [b"", b"in"])
def test_a_program_that_is_not_there(data: bytes) -> None:
    before = open_files()
    with pytest.raises(FileNotFoundError):
        process.run(["memdesk-no-such-program"], ENV, data=data)
    assert open_files() == before


def test_nothing_stays_open_and_no_child_is_left() -> None:
    before = open_files()
    process.run(python("pass"), ENV)
    started = process.Started(python("import time; time.sleep(60)"), ENV)
    started.stop()
    assert open_files() == before
    with pytest.raises(ProcessLookupError):
        os.kill(started._child, 0)


def test_git_that_was_begun_gives_the_same_change(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "1\n")
    git_repo(tmp_path)
    put(tmp_path, "a.md", "2\n")
    put(tmp_path, "new.md", "1\n")
    plain = git.discover(str(tmp_path))
    begun = git.discover(str(tmp_path))
    assert plain is not None
    assert begun is not None
    begun.begin()
    begun.begin()
    assert begun.changes() == plain.changes()
    begun.begin()
    begun.drop()
    begun.drop()
    assert len(begun.changes().files) == 2


@pytest.mark.parametrize("folder", ["archive", "memory/archive", "memory/frozen"])
def test_a_change_takes_in_what_else_is_asked_for_and_no_more(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}/plan.pdf", "1\n")
    put(tmp_path, "src/archive/old.py", "1\n")
    git_repo(tmp_path)
    for path in (f"{folder}/plan.pdf", f"{folder}/new.pdf", "src/archive/old.py", "src/archive/new.py", "a.md", "a.py"):
        put(tmp_path, path, "2\n")
    asked = ("*.md", f":(literal){folder}")
    plain, begun = git.discover(str(tmp_path)), git.discover(str(tmp_path))
    assert plain is not None
    assert begun is not None
    begun.begin()
    change = begun.changes("worktree", None, asked)
    begun.drop()
    assert change == plain.changes("worktree", None, asked)
    assert change.paths == {f"{folder}/plan.pdf", f"{folder}/new.pdf", "a.md"}
    begun.begin()
    assert begun.changes().paths == {"a.md"}
