"""Real file systems, in a mount namespace of a child: a full one, a read-only `.git`, a file that something is mounted on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.test_desk import CHANGELOG, INBOX
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, custodian_store, git_repo, snapshot

COMMON = """
import json, os, sys
from pathlib import Path
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.plan import Request

root = Path(sys.argv[1])
desk = lambda: Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
memory = lambda: {str(path): path.read_bytes() for path in sorted((root / "docs/memory").rglob("*")) if path.is_file()}
late, gulls, lamp = [entry.id for entry in desk().candidates()]
promote = Request("promote", (late,), {"to": "area:reports", "title": "Late sites", "reason": "Seen twice."}, person=True)
reject = Request("reject", (gulls,), {"reason": "They are not.", "tombstone": "yes", "title": "Double gulls"}, person=True)
strike = Request("strike", (lamp,), {"reason": "It is in the kit."}, person=True)
def attempt(request, opened=None):
    try:
        return "done " + str((opened or desk()).perform(request, "Ada").id)
    except MemdeskError as error:
        return f"{type(error).__name__}: {error}"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path / "repo", inbox=INBOX, changelog=CHANGELOG)
    return git_repo(tmp_path / "repo")


def mounted(root: Path, mounts: str, script: str, tmp_path: Path) -> list[str]:
    """Lines that `script` prints after `mounts` (shell, with $1 the root) in a mount namespace. Skips where there is none."""
    words = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    command = 'set -e; eval "$2"; exec "$3" -c "$4" "$1"'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = subprocess.run(
            [*words, "sh", "-c", f"echo begun; {command}", "sh", str(root), mounts, sys.executable, COMMON + script],
            capture_output=True, text=True, check=False, cwd=tmp_path, timeout=100, env=environment,
        )
    except FileNotFoundError:
        pytest.skip("there is no unshare here")
    if "begun" not in done.stdout or "mount:" in done.stderr:
        pytest.skip(f"no mounts of one's own here: {done.stderr.strip().splitlines()[-1:]}")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[1:]


def test_a_full_file_system(root: Path, tmp_path: Path) -> None:
    """Filled to the last byte, freed in steps: each attempt does all or nothing, until there is room."""
    script = """
root = root.parent / "small" / "repo"
filler = root.parent / "filler"
before = memory()
outcomes = []
def fill(leave):
    handle = os.open(filler, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(handle, b"x" * 4096):
            os.lseek(handle, 0, os.SEEK_END)
    except OSError:
        pass
    os.truncate(filler, max(0, os.stat(filler).st_size - leave * 4096))
    os.close(handle)
opened = desk()
for leave in range(0, 40):
    fill(leave)
    said = attempt(promote, opened)
    outcomes.append(said)
    if said.startswith("done"):
        break
    assert memory() == before, (leave, said)
    os.unlink(filler)
    assert desk().pending() == []
    assert not list((root / ".git/memdesk/txn").glob("*-*"))
os.unlink(filler)
assert memory() != before
assert len(desk().candidates()) == 2
print(len(outcomes)); print(*dict.fromkeys(said for said in outcomes), sep="\\n")
"""
    mounts = (
        'mkdir -p "$1/../small"; mount -t tmpfs -o size=2m,mode=755 none "$1/../small"; cp -a "$1" "$1/../small/repo"; '
        'rm -rf "$1/../small/repo/.git/hooks"'
    )
    count, *said = mounted(root, mounts, script, tmp_path)
    assert int(count) >= 4
    assert said[-1].startswith("done")
    assert all("Cannot be written: the disk is full. " in line for line in said[:-1])
    assert all("Free some space and try again." in line for line in said[:-1])
    assert all("as it was before" in line or "Nothing was written" in line for line in said[:-1])


def test_a_read_only_git_folder(root: Path, tmp_path: Path) -> None:
    """State cannot be written: the refusal names it and the remedy; reading, check and pack go on."""
    script = """
from datetime import date
from memdesk.core.layouts.base import LoadRequest
before = memory()
opened = desk()
print(opened.read_only)
for request in (promote, reject, strike, Request("add", (), {"text": "x y", "tag": "observed"})):
    print(attempt(request, opened))
try:
    opened.snooze([late], date(2026, 12, 24))
except MemdeskError as error:
    print(f"{type(error).__name__}: {error}")
assert memory() == before
assert len(opened.candidates()) == 3 and opened.check().rules and opened.pack(LoadRequest("planning")).text
assert (opened.history(), opened.pending(), opened.snoozes(), opened.recover()) == ([], [], [], [])
print(opened.commit_message() == "" or True)
from memdesk.tui.cli import main
os.chdir(root)
readers = (["inbox", "--quiet"], ["pack", "--task", "planning", "--names-only"], ["history"], ["stores"])
codes = [main(words) for words in readers]
print("codes", codes, main(["add", "x y"]), main(["promote", late, "--to", "decisions", "--reason", "r", "--yes", "--as", "A"]))
"""
    lines = mounted(root, 'mount --bind "$1/.git" "$1/.git"; mount -o remount,bind,ro "$1/.git"', script, tmp_path)
    why = lines[0]
    assert why.startswith(f"{root}/.git cannot be written to (its permissions, or a read-only mount).")
    assert "set state.dir to a folder of the workspace" in why
    assert lines[1:6] == [f"ReadOnly: {why} Nothing was written."] * 5
    assert lines[-1].startswith("codes [0, 0, 0, 0] 2 2"), lines[-1]


def test_a_setting_takes_the_state_elsewhere(root: Path, tmp_path: Path) -> None:
    """The remedy that the refusal names works."""
    (root / "memdesk.toml").write_text('[state]\ndir = ".memdesk/state"\n')
    script = 'print(attempt(promote)); print(len(desk().history()), desk().state)'
    done, state = mounted(root, 'mount --bind "$1/.git" "$1/.git"; mount -o remount,bind,ro "$1/.git"', script, tmp_path)
    assert done.startswith("done")
    assert state == f"1 {root}/.memdesk/state"


def test_a_read_only_checkout(root: Path, tmp_path: Path) -> None:
    script = 'print(desk().read_only); print(attempt(promote)); print(len(desk().candidates()), desk().check().rules != ())'
    why, said, rest = mounted(root, 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"', script, tmp_path)
    assert why == f"{root} cannot be written to (its permissions, or a read-only mount)."
    assert said == f"ReadOnly: {why} Nothing was written."
    assert rest == "3 True"


@pytest.mark.parametrize("name", sampled(["inbox.md", "manifest.md", "changelog.md"], 3))
def test_a_file_that_something_is_mounted_on(root: Path, tmp_path: Path, name: str) -> None:
    script = "before = memory(); print(attempt(promote)); assert memory() == before; print(attempt(promote)[:7])"
    mounts = f'cp "$1/{MEMORY}/{name}" "$1/../behind.md"; mount --bind "$1/../behind.md" "$1/{MEMORY}/{name}"'
    before = snapshot(root)
    said, again = mounted(root, mounts, script, tmp_path)
    assert said == (
        f"Refused: {MEMORY}/{name}: Something is mounted on this very file. Edit the file behind the mount instead."
    )
    assert again == "Refused"
    assert snapshot(root) == before


def test_a_store_on_a_file_system_of_its_own(root: Path, tmp_path: Path) -> None:
    """Texts go beside their targets: names cannot move between file systems."""
    mounts = (
        f'cp -a "$1/{MEMORY}" "$1/../copy"; mount -t tmpfs none "$1/{MEMORY}"; cp -a "$1/../copy/." "$1/{MEMORY}/"'
    )
    script = """
for request in (promote, reject, strike):
    print(attempt(request))
print(sorted(name for name in os.listdir(root / "docs/memory") if name.startswith(".")))
opened = desk()
opened.commit(opened.undo(), "Ada")
print(len(opened.candidates()))
"""
    *done, left, count = mounted(root, mounts, script, tmp_path)
    assert [line[:5] for line in done] == ["done "] * 3
    assert left == "[]"
    assert count == "1"
