"""Each verb on a real store, every operation failing once: a clear message, nothing changed, and the next action works."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.plan import Request
from memdesk.core.transaction.problems import WriteFailed
from tests.crash.test_desk import CHANGELOG, INBOX, _requests, desk
from tests.support.faults import READING, WRITING, Failing, Tapped, reading_fails
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, custodian_store, git_repo, snapshot

ALL = (*WRITING, *READING)
ERRORS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EMFILE, errno.EXDEV, errno.EINTR)
SAID = {
    errno.ENOSPC: "the disk is full", errno.EACCES: "no permission to write here", errno.EROFS: "mounted read-only",
    errno.EIO: "the disk reports an error", errno.EMFILE: "too many files are open", errno.EXDEV: "another file system",
    errno.EINTR: "a signal came between",
}
VERBS = ("promote", "reject", "strike")
SAMPLE = (0, 2, 4, 11, 23, 38, 47, 59, 71, 83, 97)  # some of each phase: looking, locking, preparing, writing, closing


class Stage:
    """A store as it is after its first action, and copies of it to try things on."""

    def __init__(self, folder: Path) -> None:
        self.made = folder / "made"
        custodian_store(self.made, inbox=INBOX, changelog=CHANGELOG)
        git_repo(self.made)
        self.requests = _requests(self.made)
        with desk(self.made).transactions.lock("test"):
            pass  # the state folder is there
        self.before = snapshot(self.made)
        self.root = folder / "copy"

    def copy(self) -> Path:
        if self.root.exists():
            shutil.rmtree(self.root)
        shutil.copytree(self.made, self.root)
        return self.root


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("stage"))


def fails_once(stage: Stage, verb: str, number: int, at: int) -> bool:
    """One attempt with the operation `at` failing. False where there are fewer operations."""
    root = stage.copy()
    tap = Failing(at, number, ALL)
    opened = desk(root, files=Tapped(tap))
    try:
        opened.perform(stage.requests[verb], "Ada")
        error: MemdeskError | None = None
    except MemdeskError as caught:
        error = caught
    if tap.failed is None:
        return False
    fresh = desk(root)
    assert fresh.pending() == [], tap.failed
    if error is None:  # it had another way, or failed after the mark
        assert len(fresh.history()) == 1, tap.failed
        assert len(fresh.candidates()) == 2
    else:
        assert snapshot(root) == stage.before, (tap.failed, error)
        assert fresh.history() == [], tap.failed
        said = str(error)
        if isinstance(error, WriteFailed):
            assert SAID[number] in said, (tap.failed, said)
            assert error.path, tap.failed
            assert "as it was before" in said or "Nothing was written" in said
        else:
            assert "Nothing was written" in said, (tap.failed, said)
            assert str(root) in said
    _works(opened, stage.requests["add"])
    return True


def _works(opened: Desk, request: Request) -> None:
    """The same desk goes on as if nothing had been."""
    opened.perform(request, "agent")
    assert any("A new one" in entry.heading for entry in opened.candidates())
    assert not [path for path in snapshot(Path(opened.root)) if ".memdesk-" in path]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("number", sampled(ERRORS, 3), ids=errno.errorcode.get)
def test_a_sample_of_operations_fails(stage: Stage, verb: str, number: int) -> None:
    shift = ERRORS.index(number) + 3 * VERBS.index(verb)
    for at in SAMPLE[shift % 5 :: 5]:
        assert fails_once(stage, verb, number, at + shift)


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_each_operation_fails(stage: Stage, verb: str, number: int) -> None:
    at = 0
    while fails_once(stage, verb, number, at):
        at += 1
    assert at > 90


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_stays_so_is_told_each_time(stage: Stage, number: int) -> None:
    root = stage.copy()
    opened = desk(root, files=Tapped(Failing(0, number, ("write", "mkdir", "link"), lasting=True)))
    for verb in VERBS:
        with pytest.raises(WriteFailed, match=SAID[number]):
            opened.perform(stage.requests[verb], "Ada")
        assert snapshot(root) == stage.before
    assert desk(root).pending() == []


def test_a_signal_in_a_call_of_the_c_library_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python begins interrupted calls anew; what goes through ctypes does so here."""
    import ctypes

    from memdesk.core.transaction import files

    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "other").write_bytes(b"2")
    files._libc.clear()
    try:
        files.REAL.exchange(str(tmp_path / "one"), str(tmp_path / "other"))
    except files.Unsupported:
        pytest.skip("this file system exchanges no names")
    real = files._libc[1]
    interrupted = 3

    def call(*arguments: object) -> int:
        nonlocal interrupted
        if interrupted:
            interrupted -= 1
            ctypes.set_errno(errno.EINTR)
            return -1
        return int(real(*arguments))

    monkeypatch.setattr(files, "_libc", [ctypes, call])
    files.REAL.exchange(str(tmp_path / "one"), str(tmp_path / "other"))
    assert interrupted == 0
    assert (tmp_path / "one").read_bytes() == b"1"
    files.REAL.rename_new(str(tmp_path / "one"), str(tmp_path / "new"))
    assert (tmp_path / "new").read_bytes() == b"1"


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("calls", [("open",), ("scandir",), ("read",)], ids=str)
def test_what_cannot_be_read_is_named_and_comes_back(
    stage: Stage, number: int, calls: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading goes past the door of the transactions: a file or folder that fails there is not taken for gone."""
    monkeypatch.setattr("memdesk.core.workspace.RACY", -(10**18))  # what is as it was when it was looked at is not read again
    root = stage.copy()
    opened = desk(root)
    name = MEMORY if calls == ("scandir",) else f"{MEMORY}/inbox.md"
    os.utime(root / name)  # so that it is looked at at all
    with reading_fails(number, lambda path: path.endswith(name), calls) as refused:
        assert opened.refresh()
        assert opened.candidates() == []
        (error, *_) = opened.workspace.unreadable()
        assert error.path == name
        for verb in VERBS:
            with pytest.raises(MemdeskError, match=f"{name}: .* cannot be (opened|read): .* Nothing was written") as caught:
                opened.perform(stage.requests[verb], "Ada")
            assert caught.value.path == name
            with pytest.raises(MemdeskError, match=f"{name}: .* cannot be"):
                opened.plan(stage.requests[verb])
        with pytest.raises(MemdeskError, match=f"{name}: (It|The folder) cannot be"):
            opened.perform(stage.requests["add"], "agent")
    assert refused
    assert snapshot(root) == stage.before
    assert opened.refresh()
    assert opened.workspace.unreadable() == []
    assert len(opened.candidates()) == 3
    opened.perform(stage.requests["promote"], "Ada")
