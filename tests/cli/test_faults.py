"""A disk that fails under a command: the code and the JSON that CLI.md promises, the store as before, and a second try."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from tests.cli.test_errors import FORTY, half_done, with_files
from tests.support.commands import Here, environment, process, without_rights
from tests.support.faults import READING, WRITING, Failing, reading_fails
from tests.support.shapes import ACTION, faults
from tests.support.stores import MEMORY, git, snapshot

VANISHED = "import os, sys; os.rmdir(os.getcwd()); from memdesk.tui.cli import main; sys.exit(main(sys.argv[1:]))"
ALL = (*WRITING, *READING)
ANA = ("--yes", "--as", "Ana")
ERRORS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EMFILE, errno.EXDEV, errno.EINTR)
COMMANDS = {
    "promote": ("--to", "area:sites", "--reason", "many", *ANA),
    "strike": ("--reason", "old", *ANA),
    "reject": ("--reason", "no", "--tombstone", *ANA),
}


@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_an_action_that_fails_says_so_in_words_and_json(
    here: Here, root: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    verb = list(COMMANDS)[ERRORS.index(number) % 3]
    words = (verb, here.id(FORTY), *COMMANDS[verb])
    before = snapshot(root)
    for form in ("json", "text"):
        with monkeypatch.context() as patch:
            tap = Failing(2, number, ("write", "exchange", "rename"))
            with_files(patch, tap)
            found = here(*words, "--format", form)
        assert tap.failed, form
        assert found.code == 2, found.err
        assert snapshot(root) == before
        assert "Traceback" not in found.err
        assert found.err.startswith("memdesk: ")
        assert "Cannot be written: " in found.err
        assert "The store is as it was before." in found.err
        assert here("history", "--format", "json").json["transactions"] == []
        if form == "json":
            assert faults(found.json, ACTION) == []
            assert (found.json["applied"], found.json["transaction"], found.json["edits"]) == (False, None, [])
            assert found.json["refused"] in found.err
        else:
            assert found.out == ""
    assert here("recover", "--yes").err.endswith("Nothing was interrupted.\n")
    assert here(*words).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_each_operation_fails_under_a_command(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Each error under one of the commands; all of both is in tests/crash, below the command line."""
    verb = list(COMMANDS)[ERRORS.index(number) % 3]
    ident = here.id(FORTY)
    assert here("add", "Another").code == 0  # the state folder is there
    kept = root.parent / "kept"
    shutil.copytree(root, kept)
    before = snapshot(root)
    at = 0
    while True:
        with monkeypatch.context() as patch:
            tap = Failing(at, number, ALL)
            with_files(patch, tap)
            found = here(verb, ident, *COMMANDS[verb], "--format", "json")
        if tap.failed is None:
            break
        at += 1
        assert found.code in (0, 2), (tap.failed, found.err)
        assert "Traceback" not in found.err
        assert faults(found.json, ACTION) == [], tap.failed
        assert found.json["applied"] is (found.code == 0)
        if found.code == 2:
            assert snapshot(root) == before, tap.failed
        shutil.rmtree(root)
        shutil.copytree(kept, root)
    assert at > 60


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_what_is_personal_fails_like_an_action(
    here: Here, root: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    ident = here.id(FORTY)
    words = ("snooze", ident, "--until", "2026-12-24", "--yes", "--format", "json")
    with monkeypatch.context() as patch:
        with_files(patch, Failing(0, number, ("write",), lasting=True))
        found = here(*words)
    assert found.code == 2
    assert faults(found.json, ACTION) == []
    assert found.json["applied"] is False
    assert "snoozes.json: Cannot be written: " in found.json["refused"]
    assert "Nothing was changed." in found.json["refused"]
    assert snoozed(root) == []
    assert here(*words).code == 0
    assert snoozed(root) == [ident]


def snoozed(root: Path) -> list[str]:
    return [item.id for item in Desk.open(str(root), clock=clock("2026-11-30"), user_config=None).snoozes()]


def test_a_snooze_that_cannot_be_read_is_not_written_over(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = here.ids("inbox")
    until = ("--until", "2026-12-24", "--yes")
    assert here("snooze", first, *until).code == 0
    with monkeypatch.context() as patch:
        def tap(name: str, arguments: tuple[object, ...]) -> None:
            if name == "read" and str(arguments[0]).endswith("snoozes.json"):
                raise OSError(errno.EIO, os.strerror(errno.EIO), arguments[0])

        with_files(patch, tap)
        found = here("snooze", second, *until)
        assert found.code == 2
        assert "snoozes.json" in found.err
    assert snoozed(root) == [first]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("calls", [("open",), ("read",), ("scandir",)], ids=str)
def test_a_file_that_cannot_be_read_makes_no_list_shorter_in_silence(
    here: Here, root: Path, number: int, calls: tuple[str, ...]
) -> None:
    name = MEMORY if calls == ("scandir",) else f"{MEMORY}/inbox.md"
    ident = here.id(FORTY)
    with reading_fails(number, lambda path: path.endswith(name), calls):
        for words in (["inbox"], ["entries"], ["inbox", "--format", "json"]):
            found = here(*words)
            assert found.code == 2, words
            assert f"{name}: " in found.err, found.err
            assert "cannot be" in found.err
        checked = here("--check", "--no-diff")
        assert checked.code in (1, 2)
        assert name in checked.out + checked.err
        acted = here("strike", ident, "--reason", "x", *ANA, "--format", "json")
        assert acted.code == 2, acted.err
        assert name in acted.json["refused"]
        assert "Nothing was written." in acted.json["refused"]
    assert here("strike", ident, "--reason", "x", *ANA).code == 0


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
def test_a_history_that_cannot_be_read(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    assert here("add", "Site 7 floods").code == 0
    before = snapshot(root)

    def tap(name: str, arguments: tuple[object, ...]) -> None:
        if name == "list" and str(arguments[0]).endswith("memdesk/history"):
            raise OSError(number, os.strerror(number), arguments[0])

    with monkeypatch.context() as patch:
        with_files(patch, tap)
        for words in (["history"], ["undo", "--yes"], ["add", "Another"]):
            found = here(*words)
            assert found.code == 2, words
            assert ".git/memdesk/history: Cannot be " in found.err, found.err
        assert here("inbox").code == 0
        assert here("--check").code in (0, 1)
    assert snapshot(root) == before
    assert here("undo", "--yes").code == 0


def test_settings_that_cannot_be_read(here: Here, root: Path) -> None:
    (root / "memdesk.toml").write_text("[budget]\nnear = 0.9\n")
    with reading_fails(errno.EIO, lambda path: path.endswith("memdesk.toml"), ("read",)):
        for words in (["inbox"], ["add", "x y"], ["--check"]):
            found = here(*words)
            assert found.code == 2
            assert "memdesk.toml: cannot be read: Input/output error. Check the disk." in found.err, found.err
    assert here("inbox").code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["inbox"], ["--check"],
        *(pytest.param(words, marks=pytest.mark.slow) for words in (["add", "x y"], ["config"], ["recover"], ["history"])),
    ],
    ids=str,
)
def test_the_folder_that_one_is_in_is_gone(root: Path, words: list[str]) -> None:
    gone = root.parent / "gone"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        gone.mkdir()
        return subprocess.run(
            [sys.executable, "-c", VANISHED, *words], cwd=gone, capture_output=True, text=True, check=False,
            env={**environment(), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )

    done = run(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("memdesk: The folder that you are in is not there any more. Change to another (cd)")
    elsewhere = run(*words, "--root", str(root))
    assert elsewhere.returncode in (0, 1), elsewhere.stderr
    assert "not there any more" not in elsewhere.stderr


@pytest.mark.slow
def test_permissions_bind_who_is_not_root(here: Here, root: Path) -> None:
    """In a process of its own, without root's rights: a file nobody may read, a folder nobody may write to."""
    ident = here.id(FORTY)
    (root / MEMORY / "decisions.md").chmod(0)
    found = process(root, "promote", ident, "--to", "decisions", "--reason", "r", *ANA, before=without_rights)
    assert found.returncode in (1, 2)
    assert b"decisions.md" in found.stderr
    assert b"cannot be opened: Permission denied" in found.stderr
    (root / MEMORY / "decisions.md").chmod(0o644)
    (root / ".git").chmod(0o555)
    try:
        found = process(root, "promote", ident, "--to", "decisions", "--reason", "r", *ANA, before=without_rights)
        assert found.returncode == 2
        assert b"/.git cannot be written to" in found.stderr
        assert process(root, "inbox", before=without_rights).returncode == 0
    finally:
        (root / ".git").chmod(0o755)
    assert here("promote", ident, "--to", "decisions", "--reason", "r", *ANA).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["complete", "restore", "keep", "later"])
def test_a_branch_switch_between_crash_and_restart(here: Here, root: Path, choice: str) -> None:
    """Each answer does what it says, on another branch than the one that the action began on."""
    git(root, "branch", "-q", "other")
    git(root, "commit", "-q", "--allow-empty", "-m", "On main")
    half_done(here, root)
    half = snapshot(root)
    git(root, "checkout", "-q", "other")  # git takes the half-written files along
    assert snapshot(root) == half
    asked = here("recover", "--yes")
    assert asked.code == 3
    assert "since then git's HEAD moved from" in asked.err
    assert snapshot(root) == half
    assert here("add", "Site 7 floods").code == 3
    assert snapshot(root) == half
    done = here("recover", "--yes", "--choose", choice, "--format", "json")
    (item,) = done.json["recovered"]
    area = root / MEMORY / "areas" / "sites.md"
    if choice == "complete":
        assert (done.code, item["outcome"]) == (0, "completed")
        assert FORTY in area.read_text()
        assert FORTY not in here.text(f"{MEMORY}/inbox.md")
    elif choice == "restore":
        assert (done.code, item["outcome"]) == (0, "restored")
        assert git(root, "status", "--short") == ""
    elif choice == "keep":
        assert (done.code, item["outcome"]) == (3, "kept")
        assert snapshot(root) == half
    else:
        assert (done.code, item["outcome"]) == (3, "left")
        assert snapshot(root) == half
        assert here("add", "Site 7 floods").code == 3
        return
    assert here("recover").code == 0
    assert here("add", "Site 7 floods").code == 0
