"""The real operations, where a file system or a C library lacks one."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memdesk.core.transaction import files as module
from memdesk.core.transaction.files import REAL, RealFiles, Unsupported


@pytest.fixture(params=["renameat2", "without"])
def files(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> RealFiles:
    """With and without the call: a C library that has no `renameat2`."""
    if request.param == "without":
        import ctypes

        monkeypatch.setattr(module, "_libc", [ctypes, None])
    return RealFiles()


def test_a_new_name_is_never_taken_from_another(files: RealFiles, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    with pytest.raises(FileExistsError):
        files.rename_new(str(tmp_path / "a"), str(tmp_path / "b"))
    (tmp_path / "loose").symlink_to("nothing")
    with pytest.raises(FileExistsError):
        files.rename_new(str(tmp_path / "a"), str(tmp_path / "loose"))
    files.rename_new(str(tmp_path / "a"), str(tmp_path / "c"))
    assert sorted(os.listdir(tmp_path)) == ["b", "c", "loose"]
    assert (tmp_path / "c").read_bytes() == b"a"
    assert (tmp_path / "c").stat().st_nlink == 1
    (tmp_path / "folder").mkdir()
    files.rename_new(str(tmp_path / "folder"), str(tmp_path / "moved"))
    assert (tmp_path / "moved").is_dir()


def test_without_links_there_is_still_a_look_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    def refuse(*_words: object, **_named: object) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(module, "_libc", [ctypes, None])
    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    with pytest.raises(FileExistsError):
        REAL.rename_new(str(tmp_path / "a"), str(tmp_path / "b"))
    REAL.rename_new(str(tmp_path / "a"), str(tmp_path / "c"))
    assert (tmp_path / "c").read_bytes() == b"a"


def test_names_are_exchanged_or_it_is_said_that_they_cannot_be(files: RealFiles, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    try:
        files.exchange(str(tmp_path / "a"), str(tmp_path / "b"))
    except Unsupported:
        assert module._libc[1] is None
        assert (tmp_path / "a").read_bytes() == b"a"
    else:
        assert (tmp_path / "a").read_bytes() == b"b"
        assert (tmp_path / "b").read_bytes() == b"a"


def test_errors_carry_their_number_and_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        REAL.exchange(str(tmp_path / "none"), str(tmp_path / "none2"))
    assert caught.value.filename == str(tmp_path / "none")


def test_a_fifo_does_not_hold_a_reader(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError, match="not a regular file"):
        REAL.read(str(tmp_path / "fifo"))
    (tmp_path / "link").symlink_to("fifo")
    with pytest.raises(OSError, match=r".") as caught:
        REAL.read(str(tmp_path / "link"))
    assert caught.value.errno == errno.ELOOP


def test_a_write_makes_a_file_and_never_changes_one(tmp_path: Path) -> None:
    REAL.write(str(tmp_path / "a"), b"x" * 3_000_000)
    assert (tmp_path / "a").stat().st_size == 3_000_000
    with pytest.raises(FileExistsError):
        REAL.write(str(tmp_path / "a"), b"y")
    (tmp_path / "link").symlink_to("elsewhere")
    with pytest.raises(FileExistsError):
        REAL.write(str(tmp_path / "link"), b"y")


def test_syncs_are_made_unless_a_test_suite_says_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    (tmp_path / "a").write_bytes(b"a")
    REAL.fsync(str(tmp_path / "a"))
    assert synced == []
    monkeypatch.delenv("MEMDESK_FSYNC")
    REAL.fsync(str(tmp_path / "a"))
    REAL.fsync_dir(str(tmp_path))
    assert len(synced) == 2


def test_mount_points_are_unescaped() -> None:
    assert module._unescape("/a\\040b\\134c") == "/a b\\c"
