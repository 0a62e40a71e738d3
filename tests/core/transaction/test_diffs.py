"""The history's diffs are exact: applied to the bytes before they give the bytes after, whatever these are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from time import process_time

import pytest

from tests.support.faults import Killing, Tapped
from tests.support.ground import PROMOTE, Edit, Room, gone, new
from tests.support.stores import git

LONG = b"".join(b"- line %d\n" % number for number in range(20_000))
KINDS: dict[str, tuple[bytes | None, bytes | None]] = {
    "edited": (b"- a\n- b\n- c\n", b"- a\n- B\n- c\n"),
    "created": (None, b"# New\n\n- a\n"),
    "deleted": (b"# Old\n\n- a\n", None),
    "crlf": (b"- a\r\n- b\r\n", b"- a\r\n- c\r\n"),
    "only endings": (b"- a\r\n- b\r\n", b"- a\n- b\r\n"),
    "bom": (b"\xef\xbb\xbf# T\n", b"# T\n"),
    "final newline gone": (b"- a\n- b\n", b"- a\n- b"),
    "final newline came": (b"- a\n- b", b"- a\n- b\n- c"),
    "not utf-8": (b"- caf\xe9\n- b\n", b"- caf\xe9\n- \xff\xfe\n"),
    "nul": (b"- a\0b\n", b"- a\0c\n"),
    "controls": (b"- a\x1b[31m\x0c\n- b\x85\xe2\x80\xa8c\n", b"- a\x1b[0m\x0c\n- b\x85\xe2\x80\xa8d\n"),
    "lone cr": (b"a\rb\rc\n", b"a\rB\rc\n"),
    "long": (LONG, LONG.replace(b"- line 7\n", b"").replace(b"- line 15000\n", b"- changed\n") + b"- more\n"),
    "all of a long one": (LONG, LONG.replace(b"- line", b"* row")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_diff_gives_the_bytes_after_from_those_before(tmp_path: Path, kind: str) -> None:
    before, after = KINDS[kind]
    room = Room(tmp_path, {"inbox.md": b"# Inbox\n"} | ({} if before is None else {"it.md": before}))
    edit: Edit = gone if after is None else new(after)
    ident = room.apply({"it.md": edit})
    started = process_time()
    ((path, diff),) = room.open().diffs(ident)
    assert process_time() - started < 5, "however long it is"
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    if before is not None:
        (other / path).write_bytes(before)
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"], cwd=other, input=diff.encode("utf-8", "surrogateescape"),
        capture_output=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    assert ((other / path).read_bytes() if (other / path).exists() else None) == after


def test_an_empty_file_that_came_or_went_is_not_taken_for_a_purged_one(tmp_path: Path) -> None:
    room = Room(tmp_path)
    came = room.apply({"areas/new.md": new(b"")})
    went = room.apply({"areas/new.md": gone})
    assert room.open().diffs(came) == [("areas/new.md", "--- /dev/null\n+++ b/areas/new.md\n")]
    assert room.open().diffs(went) == [("areas/new.md", "--- a/areas/new.md\n+++ /dev/null\n")]


def test_one_that_was_undone_its_undo_and_one_that_was_recovered_keep_theirs(tmp_path: Path) -> None:
    room = Room(tmp_path)
    ident = room.apply(PROMOTE)
    told = room.open().diffs(ident)
    assert [path for path, _ in told] == list(PROMOTE)
    room.open().apply(lambda: room.open().undo_plan(ident), None, "Ada")
    assert room.open().diffs(ident) == told
    back = room.open().history()[0].id
    mirrored = [("-" + line[1:] if line[0] == "+" else "+" + line[1:]) for _, diff in told for line in _changes(diff)]
    assert sorted(line for _, diff in room.open().diffs(back) for line in _changes(diff)) == sorted(mirrored)
    for at in range(16, 60):
        child = os.fork()
        if child == 0:
            try:
                room.open(Tapped(Killing(at))).apply(lambda: room.plan(PROMOTE), None, "Ada")  # type: ignore[arg-type]
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        recovered = room.open().recover()[0]
        if recovered.outcome == "completed":
            break
    assert [_changes(diff) for _, diff in room.open().diffs(recovered.id)] == [_changes(diff) for _, diff in told]


def _changes(diff: str) -> list[str]:
    return [line for line in diff.split("\n")[2:] if line[:1] in ("+", "-")]
