"""What goes wrong around a command: a clear message, the right exit code, nothing lost."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from memdesk.core.clock import Clock, clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.support.commands import Here
from tests.support.faults import GROWING, WRITING, Failing, Killing, Tapped
from tests.support.stores import MEMORY, git, manifest, put, snapshot

INBOX = f"{MEMORY}/inbox.md"
FORTY = "Keep forty"
ANA = ("--yes", "--as", "Ana")
READERS = (
    ["pack", "--task=planning"], ["guide"], ["stores"], ["entries"], ["inbox"], ["history"], ["config"], ["doctor"],
    ["--check"], ["recall", "network"], ["conflicts"],
)
CONFLICT = b"<<<<<<< a\n=======\n>>>>>>> b\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def all_well(here: Here) -> None:
    """No command ends with a traceback; each says what it can't do by its code."""
    for words in READERS:
        found = here(*words)
        assert found.code in (0, 1, 2), words
        assert "Traceback" not in found.err, words


# Manifests


@pytest.mark.parametrize("data", [None, b"", b"# Nothing here\n", b"\xff\xfe# M\0", CONFLICT, b"\0" * 9, b"```\n"])
def test_a_manifest_that_is_none(here: Here, root: Path, data: bytes | None) -> None:
    path = root / MEMORY / "manifest.md"
    path.unlink() if data is None else path.write_bytes(data)
    before = snapshot(root)
    packed = here("pack", "--task", "planning")
    assert (packed.code, packed.out) == (2, "")
    assert f"{MEMORY}" in packed.err
    all_well(here)
    assert here("--check").code in (1, 2)
    assert here("add", "Site 7 floods").code in (0, 2)
    after = snapshot(root)
    assert {name: text for name, text in after.items() if name != INBOX} == {
        name: text for name, text in before.items() if name != INBOX
    }


def test_a_manifest_that_names_itself_out_of_the_store(here: Here, root: Path) -> None:
    for path in ("../../../etc/passwd.md", "/etc/passwd.md", "a\\b.md"):
        put(root, f"{MEMORY}/manifest.md", manifest(always=("brief.md", path)))
        found = here("pack", "--task", "planning")
        assert (found.code, found.out) == (2, ""), path
        assert f"{MEMORY}/manifest.md:" in found.err, path


# Files


def test_a_read_only_file_is_refused_by_name(here: Here, root: Path) -> None:
    os.chmod(root / INBOX, 0o444)
    before = snapshot(root)
    for words in (["add", "Site 7 floods"], ["reject", here.id(FORTY), *ANA]):
        found = here(*words)
        assert found.code in (1, 2), words
        assert INBOX in found.err, words
        assert here(*words, "--format", "json").json["refused"], words
    assert snapshot(root) == before
    assert here("inbox").code == 0


def test_a_file_that_is_deleted_under_the_command(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = here.id(FORTY)
    perform = Desk.perform

    def late(desk: Desk, *args: Any) -> Any:
        (root / INBOX).unlink()
        return perform(desk, *args)

    monkeypatch.setattr(Desk, "perform", late)
    found = here("reject", ident, *ANA)
    assert found.code == 1
    assert "Nothing was written" in found.err
    assert not (root / INBOX).exists()


def test_a_store_that_is_deleted_under_the_command(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    perform = Desk.perform

    def late(desk: Desk, *args: Any) -> Any:
        shutil.rmtree(root / MEMORY)
        return perform(desk, *args)

    monkeypatch.setattr(Desk, "perform", late)
    found = here("add", "Site 7 floods")
    assert found.code in (1, 2)
    assert "Traceback" not in found.err
    assert not (root / MEMORY).exists()


@pytest.mark.parametrize("target", ["../../../out.md", "/etc/hostname", "constraints.md", "nowhere.md"])
def test_links(here: Here, root: Path, target: str) -> None:
    put(root.parent, "out.md", "# Out\n\n- outside\n")
    link = root / MEMORY / "decisions.md"
    link.unlink()
    link.symlink_to(target)
    all_well(here)
    found = here("pack", "--task", "planning")
    if target == "constraints.md":
        assert found.code == 0
    else:
        assert found.code in (1, 2)
        assert "outside" not in found.out
        assert "decisions.md" in found.err
    put(root.parent, "out.md", "# Out\n\n- outside\n")
    there = here("promote", here.id(FORTY), "--to", "decisions", "--reason", "x", *ANA)
    assert there.code in (0, 1, 2)
    assert link.is_symlink()
    assert (root.parent / "out.md").read_text() == "# Out\n\n- outside\n"


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"x" * 50_000_000, PNG, "# Ünï\n\n- a\n".encode("utf-16")], ids=["50MB", "png", "utf16"])
def test_files_that_are_no_memory(here: Here, root: Path, data: bytes) -> None:
    path = put(root, INBOX, data)
    all_well(here)
    for words in (["inbox"], ["entries"], ["stores"], ["inbox", "--format", "json"], ["entries", "--format", "json"]):
        listed = here(*words)
        assert listed.code == 2, words  # an empty list would be an empty success
        assert f"memdesk: {INBOX}: It " in listed.err, words
    added = here("add", "Site 7 floods")
    assert added.code in (1, 2)
    assert INBOX in added.err
    assert path.stat().st_size == len(data)
    assert path.read_bytes()[:100] == data[:100]
    assert here("--check").code == (0 if len(data) > 8_000_000 else 1)  # too large is a warning
    assert here("pack", "--task", "maintenance").code == 1  # required there, and it can't be read


def test_a_folder_and_a_pipe_in_a_file_s_place(here: Here, root: Path) -> None:
    for name in ("inbox.md", "decisions.md"):
        (root / MEMORY / name).unlink()
    (root / MEMORY / "decisions.md").mkdir()
    os.mkfifo(root / MEMORY / "inbox.md")
    all_well(here)
    assert here("pack", "--task", "planning").code == 1
    assert here("add", "Site 7 floods").code in (1, 2)


# The disk


def with_files(monkeypatch: pytest.MonkeyPatch, tap: Any) -> None:
    """Every desk that is opened from now on writes through a tap."""
    opened = Desk.open.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(Desk, "open", classmethod(lambda cls, start, **more: opened(cls, start, files=Tapped(tap), **more)))


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "mounted read-only"), (errno.EIO, "the disk reports an error")],
)
@pytest.mark.parametrize("at", [0, 3, 7])
def test_a_full_or_failing_disk(
    here: Here, root: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str, at: int
) -> None:
    before = snapshot(root)
    ident = here.id(FORTY)
    with_files(monkeypatch, Failing(at, number, GROWING, lasting=True))
    for form in ("text", "json"):
        found = here("promote", ident, "--to", "area:sites", "--reason", "many", *ANA, "--format", form)
        assert found.code in (2, 3), found.err
        assert said in found.err
        assert "Traceback" not in found.err
    monkeypatch.undo()
    here("recover", "--yes")
    assert snapshot(root) == before
    assert here("promote", ident, "--to", "area:sites", "--reason", "many", *ANA).code == 0


# Interrupted transactions


def interrupted(here: Here, root: Path, tap: Any) -> None:
    """A promote of three files in a process that a tap may kill."""
    ident = here.id(FORTY)
    child = os.fork()
    if child == 0:  # pragma: no cover - the child
        try:
            desk = Desk.open(str(root), clock=today(), user_config=None, files=Tapped(tap))
            desk.perform(Request("promote", (ident,), {"to": "area:sites", "reason": "many"}, person=True), "Ana")
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def half_done(here: Here, root: Path) -> None:
    """A transaction that was killed when one of its three files was in place."""
    placed = 0

    def tap(name: str, arguments: tuple[object, ...]) -> None:
        nonlocal placed
        if name in ("exchange", "rename_new") and str(arguments[1]).endswith(".md"):
            placed += 1
            if placed == 2:
                os.kill(os.getpid(), signal.SIGKILL)

    interrupted(here, root, tap)
    (pending,) = Desk.open(str(root), clock=today(), user_config=None).pending()
    assert sorted(state for _, state in pending.states) == ["after", "before", "before"]


def today() -> Clock:
    return clock("2026-11-30")


@pytest.mark.slow
def test_readers_warn_and_recover_says_what_it_does(here: Here, root: Path) -> None:
    half_done(here, root)
    for words in (["inbox"], ["pack", "--task", "planning"], ["stores"], ["entries", "--quiet"]):
        found = here(*words)
        assert found.code == 0, words
        assert "a transaction was interrupted" in found.err, words
        assert "memdesk recover" in found.err, words
    told = here("recover")
    assert told.code == 1
    assert "Interrupted: " in told.err
    assert "It is completed." in told.err
    assert "without a terminal, recover takes --yes" in told.err
    done = here("recover", "--yes", "--format", "json")
    assert done.code == 0
    (item,) = done.json["recovered"]
    assert item["outcome"] == "completed"
    assert FORTY in here.text(f"{MEMORY}/areas/sites.md")
    assert "interrupted" not in here("inbox").err
    assert here("undo", "--yes").code == 0


def test_a_writer_recovers_first(here: Here, root: Path) -> None:
    half_done(here, root)
    added = here("add", "Site 7 floods")
    assert added.code == 0
    assert FORTY in here.text(f"{MEMORY}/areas/sites.md")
    assert "Site 7 floods" in here.text(INBOX)


@pytest.mark.slow
def test_where_a_person_must_settle_it_is_3(here: Here, root: Path) -> None:
    half_done(here, root)
    git(root, "commit", "-q", "--allow-empty", "-m", "Another HEAD")
    before = snapshot(root)
    for words in (["add", "Site 7 floods"], ["recover"], ["recover", "--yes"], ["recover", "--yes", "--format", "json"]):
        found = here(*words)
        assert found.code == 3, words
        assert snapshot(root) == before, words
    assert here("add", "Site 7 floods", "--format", "json").json["refused"]
    assert "--choose complete or restore" in here("recover", "--yes").err
    assert here("inbox").code == 0
    assert here("recover", "--yes", "--choose", "later").code == 3
    done = here("recover", "--yes", "--choose", "restore")
    assert done.code == 0
    assert FORTY in here.text(INBOX)
    assert not (root / MEMORY / "areas").exists()


def test_a_foreign_text_among_them_is_kept_and_3(here: Here, root: Path) -> None:
    half_done(here, root)
    put(root, INBOX, "# Inbox\n\n- somebody else's\n")
    found = here("recover", "--yes")
    assert found.code == 3
    assert "somebody else" in here.text(INBOX)
    assert here("recover").code == 0
    assert here("add", "Site 7 floods").code == 0


@pytest.mark.slow
def test_killed_anywhere_nothing_is_lost(here: Here, root: Path) -> None:
    before = snapshot(root)
    after: dict[str, bytes] = {}
    for at in range(0, len(WRITING) * 4, 4):
        interrupted(here, root, Killing(at))
        assert here("recover", "--yes").code == 0
        now = snapshot(root)
        if now != before:
            after = after or now
            assert now == after
            assert here("undo", "--yes").code == 0
            assert snapshot(root) == before
