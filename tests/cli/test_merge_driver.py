"""The merge driver in real merges, rebases and cherry-picks, and `init --git` that sets it up."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from memdesk.core import gitsetup
from tests.support.branches import diverge, markers, repository, with_driver, wrong
from tests.support.commands import Here, environment, process
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, git, git_repo, put

BY_LINES = "git merge-file --marker-size=%L -L HEAD -L base -L theirs %A %O %B"
INBOX = "# Inbox\n\n## 2026-11-20\n\n- Alpha rests on the shore\n- Beta counts the reeds\n"
CONSTRAINTS = f"{MEMORY}/constraints.md"


def _git(root: Path, *words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, check=False, env={**os.environ, **(env or {})})


def _commit(root: Path, path: str, text: str, branch: str | None = None) -> None:
    if branch is not None:
        git(root, "checkout", "-q", branch)
    put(root, path, text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", f"{path} on {branch}")


def _both(root: Path, path: str, ours: str, theirs: str) -> None:
    """Two texts of one file on main and on side; main is checked out."""
    git(root, "branch", "side")
    _commit(root, path, theirs, "side")
    _commit(root, path, ours, "main")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """git starts memdesk itself, with what this process has around it."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    custodian_store(root, inbox=INBOX)
    git_repo(root, commit=False)
    with_driver(root)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    return root


# What two branches did goes together


HOW = {
    "merge": (["merge", "-q", "--no-edit", "side"],),
    "rebase": (["checkout", "-q", "side"], ["rebase", "-q", "main"]),
    "cherry-pick": (["cherry-pick", "--allow-empty", "side"],),
}


def _together(root: Path, seed: int, most: int) -> None:
    random = Random(seed)
    diverged = diverge(repository(root, random), random, most)
    for words in HOW[("merge", "rebase", "cherry-pick")[seed % 3]]:
        done = _git(root, *words)
        assert done.returncode == 0, (seed, done.stdout + done.stderr)
    assert wrong(root, diverged) == []


@pytest.mark.parametrize("seed", sampled(range(12), 3))
def test_two_branches_that_decided_on_different_entries_merge_without_a_marker(tmp_path: Path, seed: int) -> None:
    _together(tmp_path / "store", seed, 3)


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(20))
def test_two_hundred_pairs_of_branches_lose_no_entry_and_double_none(tmp_path: Path, tens: int) -> None:
    for seed in range(1000 + 10 * tens, 1010 + 10 * tens):
        _together(tmp_path / str(seed), seed, 5)


def test_without_the_driver_the_same_branches_are_a_conflict(repo: Path) -> None:
    """So that the tests above are about something."""
    git(repo, "config", "--remove-section", "merge.memdesk")
    ours, theirs = (INBOX.replace("- Alpha", f"- {side}\n- Alpha") for side in ("Ours", "Theirs"))
    _both(repo, f"{MEMORY}/inbox.md", ours, theirs)
    assert _git(repo, "merge", "--no-edit", "side").returncode == 1
    assert markers(repo) == [f"{MEMORY}/inbox.md"]


@pytest.mark.slow
def test_it_works_from_a_folder_below_in_a_linked_worktree_for_a_stash_and_a_revert(repo: Path) -> None:
    base = (repo / CONSTRAINTS).read_text()
    _both(repo, CONSTRAINTS, base + "- Ours\n", base + "- Theirs\n")
    git(repo, "worktree", "add", "-q", "../it's a tree", "main~1", "-b", "third")
    tree = repo.parent / "it's a tree"
    git(tree, "merge", "-q", "side")
    assert _git(tree / "docs", "merge", "--no-edit", "main").returncode == 0
    assert (tree / CONSTRAINTS).read_text() == base + "- Theirs\n- Ours\n"
    put(tree, CONSTRAINTS, base + "- Theirs\n- Ours\n- Stashed\n")
    git(tree, "stash", "-q")
    _commit(tree, CONSTRAINTS, base + "- Theirs\n- Ours\n- Later\n")
    assert _git(tree, "stash", "pop").returncode == 0
    assert (tree / CONSTRAINTS).read_text() == base + "- Theirs\n- Ours\n- Later\n- Stashed\n"
    git(tree, "commit", "-q", "-am", "Stashed")
    assert _git(tree, "revert", "--no-edit", "HEAD~1").returncode == 0
    assert (tree / CONSTRAINTS).read_text() == base + "- Theirs\n- Ours\n- Stashed\n"


def test_an_entry_changed_on_both_sides_is_a_conflict_around_it_alone(repo: Path) -> None:
    base = (repo / CONSTRAINTS).read_text()
    old = "- Runs without a network connection.\n"
    ours, theirs = "- Runs without any network.\n", "- Runs without a network connection or a disk.\n"
    _both(repo, CONSTRAINTS, base.replace(old, ours) + "- Ours\n", base.replace(old, theirs) + "- Theirs\n")
    assert _git(repo, "merge", "--no-edit", "side").returncode == 1
    assert (repo / CONSTRAINTS).read_text() == base.replace(
        old, f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> side\n"
    ) + "- Ours\n- Theirs\n"
    git(repo, "merge", "--abort")
    git(repo, "config", "merge.conflictStyle", "diff3")
    assert _git(repo, "rebase", "side").returncode == 1
    assert f"||||||| base\n{old}=======\n" in (repo / CONSTRAINTS).read_text()


@pytest.mark.slow
def test_a_criss_cross_merges_by_entry_though_it_has_two_bases(repo: Path) -> None:
    base = (repo / CONSTRAINTS).read_text()
    for name in ("one", "two"):
        git(repo, "branch", name)
    for name in ("one", "two"):
        _commit(repo, CONSTRAINTS, base + f"- From {name}\n", name)
    git(repo, "tag", "first", "one")
    for name, other in (("one", "two"), ("two", "first")):
        git(repo, "checkout", "-q", name)
        git(repo, "merge", "-q", "--no-edit", other)
        _commit(repo, CONSTRAINTS, (repo / CONSTRAINTS).read_text() + f"- Later on {name}\n", name)
    assert len(git(repo, "merge-base", "--all", "one", "two").split()) == 2
    git(repo, "checkout", "-q", "one")
    assert _git(repo, "merge", "--no-edit", "two").returncode == 0
    lines = (repo / CONSTRAINTS).read_text().removeprefix(base).split("\n")
    assert sorted(lines) == ["", "- From one", "- From two", "- Later on one", "- Later on two"]


def test_several_branches_that_touched_different_files_merge_at_once(repo: Path) -> None:
    """git merges an octopus by lines whatever its attributes say, and gives it up where one file has several versions."""
    for name in ("one", "two", "three"):
        git(repo, "branch", name)
    for name in ("one", "two", "three"):
        _commit(repo, f"{MEMORY}/areas/{name}.md", f"# Area: {name}\n", name)
    git(repo, "checkout", "-q", "main")
    assert _git(repo, "merge", "--no-edit", "one", "two", "three").returncode == 0
    assert sorted(path.name for path in (repo / MEMORY / "areas").iterdir()) == ["one.md", "three.md", "two.md"]


def test_a_folder_renamed_on_one_side_merges_by_entry(repo: Path) -> None:
    base = (repo / CONSTRAINTS).read_text()
    git(repo, "branch", "side")
    _commit(repo, CONSTRAINTS, base + "- Theirs\n", "side")
    git(repo, "checkout", "-q", "main")
    git(repo, "mv", MEMORY, "docs/mem")
    put(repo, ".gitattributes", "/docs/**/*.md merge=memdesk\n")
    _commit(repo, "docs/mem/constraints.md", base + "- Ours\n")
    git(repo, "branch", "renamed")
    assert _git(repo, "merge", "--no-edit", "side").returncode == 0
    assert (repo / "docs/mem/constraints.md").read_text() == base + "- Ours\n- Theirs\n"
    git(repo, "checkout", "-q", "side")
    _commit(repo, ".gitattributes", "/docs/**/*.md merge=memdesk\n")
    assert _git(repo, "merge", "--no-edit", "renamed").returncode == 0  # the folder is not in the working tree yet
    assert (repo / "docs/mem/constraints.md").read_text() == base + "- Theirs\n- Ours\n"


def test_the_layout_agent_memory_merges_by_entry_at_the_root(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"memory/2026-11-20.md": "# 2026-11-20\n\n- [observed] Alpha\n"})
    git_repo(tmp_path, commit=False)
    with_driver(tmp_path)
    assert (tmp_path / ".gitattributes").read_bytes().split(b"\n")[1:-2] == [
        b"/MEMORY.md merge=memdesk", b"/memory/**/*.md merge=memdesk",
    ]
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    note, index = "# 2026-11-20\n\n- [observed] Alpha\n", (tmp_path / "MEMORY.md").read_text()
    git(tmp_path, "branch", "side")
    for branch in ("side", "main"):
        row = f"- `memory/decisions/{branch}.md`: what {branch} chose; read before it\n"
        _commit(tmp_path, "MEMORY.md", index + row, branch)
        _commit(tmp_path, "memory/2026-11-20.md", note + f"- [observed] From {branch}\n")
    assert _git(tmp_path, "merge", "--no-edit", "side").returncode == 0
    assert (tmp_path / "memory/2026-11-20.md").read_text() == note + "- [observed] From main\n- [observed] From side\n"
    assert (tmp_path / "MEMORY.md").read_text().count("; read before it\n") == 2


# When it fails


def _as_git_would(root: Path, env: Mapping[str, str] | None = None) -> None:
    """The merge of main and side leaves just what it leaves without any driver, labels aside."""
    plain = _git(root, "-c", f"merge.memdesk.driver={BY_LINES}", "merge", "--no-edit", "side")
    wanted = {path: (root / path).read_bytes() for path in (CONSTRAINTS, f"{MEMORY}/inbox.md")}
    status = git(root, "status", "--porcelain")
    git(root, "merge", "--abort")
    done = _git(root, "merge", "--no-edit", "side", env=env)
    assert done.returncode == plain.returncode == 1, done.stderr
    assert git(root, "status", "--porcelain") == status
    for path, data in wanted.items():
        assert re.sub(rb"(>{7}) .*", rb"\1", (root / path).read_bytes()) == re.sub(rb"(>{7}) .*", rb"\1", data)
    git(root, "merge", "--abort")


def _clashing(root: Path) -> None:
    text = (root / CONSTRAINTS).read_text()
    _both(root, CONSTRAINTS, text + "- Ours\n", text + "- Theirs\n")


@pytest.mark.parametrize(
    "how", ["exit 1 without a word", "killed", "not there", "cannot be imported", "raises", "settings that are none"],
)
def test_a_driver_that_fails_leaves_what_git_would_have_left(repo: Path, tmp_path: Path, how: str) -> None:
    _clashing(repo)
    start = [sys.executable, "-m", "memdesk"]
    env: dict[str, str] = {}
    if how == "settings that are none":  # they stop nothing: the store is found without them
        put(repo, "memdesk.toml", "[stores.layout]\n\"docs/memory\" = \"none\"\n")
    elif how == "not there":
        start = [str(tmp_path / "gone" / "memdesk")]
    elif how == "killed":
        start = ["sh", "-c", "kill -9 $$", "memdesk"]
    elif how == "cannot be imported":
        put(tmp_path, "broken/memdesk/__init__.py", "raise SystemExit(3)\n")
        env["PYTHONPATH"] = str(tmp_path / "broken")
        start = [sys.executable, "-P", "-m", "memdesk"]
    elif how == "raises":
        code = "import memdesk.core.merging as m\ndef merge(*a): raise MemoryError\nm.merge = merge\n"
        put(tmp_path, "broken/sitecustomize.py", code)
        env["PYTHONPATH"] = str(tmp_path / "broken")
    else:
        start = ["sh", "-c", "exit 2", "memdesk"]
    git(repo, "config", "merge.memdesk.driver", gitsetup.command(start))
    _as_git_would(repo, env)


def test_a_driver_that_is_killed_while_it_writes_leaves_what_git_would_have_left(repo: Path, tmp_path: Path) -> None:
    _clashing(repo)
    put(tmp_path, "broken/sitecustomize.py", (
        "import os\n"
        "def replace(*names):\n    os.kill(os.getpid(), 9)\n"
        "os.replace = replace\n"
    ))
    git(repo, "config", "merge.memdesk.driver", gitsetup.command([sys.executable, "-m", "memdesk"]))
    _as_git_would(repo, {"PYTHONPATH": str(tmp_path / "broken")})


def test_a_file_that_is_no_memory_is_merged_as_git_does(repo: Path) -> None:
    put(repo, ".gitattributes", "*.txt merge=memdesk\n")
    put(repo, "a.txt", "a\nb\nc\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "Text")
    _both(repo, "a.txt", "A\nb\nc\n", "a\nb\nC\n")
    assert _git(repo, "merge", "--no-edit", "side").returncode == 0
    assert (repo / "a.txt").read_text() == "A\nb\nC\n"


@pytest.mark.parametrize("folder", ["docs/guide.md", "README.md"])
def test_a_page_beside_a_store_is_merged_as_git_does(repo: Path, folder: str) -> None:
    """Patterns may name more than memory: what is none is no list of entries."""
    put(repo, ".gitattributes", "*.md merge=memdesk\n")
    _commit(repo, folder, "# Guide\n\n- One\n")
    _both(repo, folder, "# Guide\n\n- One\n- Ours\n", "# Guide\n\n- One\n- Theirs\n")
    assert _git(repo, "merge", "--no-edit", "side").returncode == 1
    assert markers(repo) == [folder]


def test_settings_that_cannot_be_read_do_not_stop_it(repo: Path) -> None:
    _clashing(repo)
    put(repo, "memdesk.toml", "<<<<<<< HEAD\n[stores]\n")
    assert _git(repo, "merge", "--no-edit", "side").returncode == 0


def test_a_store_whose_own_settings_cannot_be_read_is_merged_as_git_does(tmp_path: Path) -> None:
    note = "memory/2026-11-20.md"
    agent_memory_store(tmp_path, lint="{broken", **{note: "# N\n\n- [observed] Alpha\n"})
    git_repo(tmp_path, commit=False)
    with_driver(tmp_path)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    _both(tmp_path, note, "# N\n\n- [observed] Alpha\n- Ours\n", "# N\n\n- [observed] Alpha\n- Theirs\n")
    assert _git(tmp_path, "merge", "--no-edit", "side").returncode == 1
    assert markers(tmp_path) == [note]


def test_the_driver_alone_writes_markers_of_the_size_asked_for_and_1(here: Here, root: Path) -> None:
    lines = {"O": "Runs offline", "A": "Runs far off", "B": "Runs offline too"}
    texts = {name: f"# Constraints\n\n- {line}\n" for name, line in lines.items()}
    for name, text in texts.items():
        put(root, name, text)
    found = here("merge-driver", "O", "A", "B", CONSTRAINTS, "9", now=None)
    assert (found.code, found.out, found.err) == (1, "", "")
    assert here.text("A").startswith("# Constraints\n\n<<<<<<<<< HEAD\n- Runs far off\n=========\n- Runs offline too\n")
    assert here("merge-driver", "O", "A", "missing", CONSTRAINTS, "7", now=None).code == 1
    put(root, "A", texts["O"])
    put(root, "-x", texts["B"])
    assert here("merge-driver", "O", "A", "-x", "--help", "7", now=None).code == 0
    assert here.text("A") == texts["B"]


def test_the_driver_starts_without_the_workbench_and_asks_for_no_lock(root: Path) -> None:
    for name in "OAB":
        put(root, name, f"# Constraints\n\n- {name}\n")
    code = (
        "import sys; from memdesk.tui.cli import main; code = main(['merge-driver', 'O', 'A', 'B', "
        f"'{CONSTRAINTS}', '7']); print(code, sorted(n for n in ('textual', 'argparse', 'filelock', 'memdesk.core.desk') "
        "if n in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True)
    assert done.stdout == b"0 []\n"
    assert not (root / ".git/memdesk").exists()


# Setting it up


def test_init_git_sets_up_attributes_and_driver_once(here: Here, root: Path) -> None:
    put(root, ".gitattributes", "*.sh text eol=lf\n*.png binary")
    assert here("init", "--git").code == 1
    assert _git(root, "config", "merge.memdesk.driver").stdout == b""
    dry = here("init", "--git", "--dry-run")
    assert (dry.code, "+/docs/memory/**/*.md merge=memdesk" in dry.out) == (0, True)
    assert "merge.memdesk.driver" in dry.err
    done = here("init", "--git", "--yes")
    assert done.code == 0
    assert "Every other clone needs 'memdesk init --git' once" in done.err
    assert "git config --remove-section merge.memdesk" in done.err
    wanted = (
        "*.sh text eol=lf\n*.png binary\n\n# memdesk: memory files merge by entry (memdesk init --git)\n"
        "/docs/memory/**/*.md merge=memdesk\n# memdesk: end\n"
    )
    assert here.text(".gitattributes") == wanted
    assert git(root, "config", "merge.memdesk.driver") == gitsetup.command(gitsetup.program()) + "\n"
    again = here("init", "--git", "--yes")
    assert (again.code, again.err) == (0, "There is nothing to change: git merges memory files by entry here already.\n")
    assert here.text(".gitattributes") == wanted
    assert here("undo", "--yes").code == 0
    assert here.text(".gitattributes") == "*.sh text eol=lf\n*.png binary"


def test_what_is_no_text_to_git_is_left_as_ours_without_markers(repo: Path) -> None:
    _both(repo, CONSTRAINTS, "# Constraints\n\n- Runs offline\n- Ours\n", "# Constraints\n\n- Runs offline\0\n")
    assert _git(repo, "merge", "side").returncode == 1
    assert (repo / CONSTRAINTS).read_bytes() == b"# Constraints\n\n- Runs offline\n- Ours\n"
    assert b"UU" in _git(repo, "status", "--porcelain").stdout


def test_attributes_that_come_before_ours_are_told(here: Here, root: Path) -> None:
    """Those of a folder below, and of the clone itself: neither init nor doctor claims a merge by entry that git won't make."""
    put(root, "docs/.gitattributes", "inbox.md merge=union\n")
    done = here("init", "--git", "--yes")
    assert done.code == 0
    assert f"warning: git's attributes say 'merge: union' of {MEMORY}/inbox.md: not merged by entry." in done.err
    again = here("init", "--git", "--yes")
    assert again.code == 0
    assert "nothing to change" not in again.err
    assert f"'merge: union' of {MEMORY}/inbox.md" in again.err
    assert f"; but git's attributes say 'merge: union' of {MEMORY}/inbox.md: not merged by entry" in here("doctor").out
    (root / "docs/.gitattributes").unlink()
    assert "not merged by entry" not in here("doctor").out
    put(root, ".git/info/attributes", "*.md -merge\n")
    assert "'merge: unset'" in here("doctor").out
    (root / ".git/info/attributes").unlink()
    (root / ".gitattributes").unlink()  # a branch from before
    assert "git's attributes say nothing of" in here("doctor").out


@pytest.mark.slow
def test_init_git_in_another_clone_sets_up_what_is_missing_there(here: Here, root: Path, tmp_path: Path) -> None:
    here("init", "--git", "--yes")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Attributes")
    git(tmp_path, "clone", "-q", str(root), "clone")
    clone = tmp_path / "clone"
    assert process(clone, "init", "--git", "--dry-run").returncode == 0
    assert process(clone, "init", "--git").returncode == 1
    assert _git(clone, "config", "merge.memdesk.driver").stdout == b""
    assert process(clone, "init", "--git", "--yes").returncode == 0
    assert b"merge-driver %O %A %B %P %L" in _git(clone, "config", "merge.memdesk.driver").stdout
    assert git(clone, "status", "--porcelain") == ""
    git(clone, "worktree", "add", "-q", "../tree")
    assert b"nothing to change" in process(tmp_path / "tree", "init", "--git").stderr
    assert b"by entry: " in process(tmp_path / "tree", "doctor").stdout


@pytest.mark.parametrize(
    ("layout", "names"),
    sampled([
        ("custodian", [b"/docs/memory/**/*.md"]), ("agent-memory", [b"/MEMORY.md", b"/memory/**/*.md"]),
        ("records", [b"/CONTEXT.md", b"/docs/adr/**/*.md"]),
    ], 3, rows=True),
)
def test_init_makes_a_store_and_sets_git_up_in_one_go(tmp_path: Path, layout: str, names: list[bytes]) -> None:
    root = git_repo(tmp_path / "new")
    dry = process(root, "init", layout, "--git", "--dry-run")
    assert (dry.returncode, git(root, "status", "--porcelain")) == (0, "")
    done = process(root, "init", layout, "--git", "--yes", "--format", "json")
    assert json.loads(done.stdout)["applied"] is True
    block = (root / ".gitattributes").read_bytes().split(b"\n")[1:-2]
    assert block == [name + b" merge=memdesk" for name in names]
    assert b"merge-driver" in _git(root, "config", "merge.memdesk.driver").stdout
    again = process(root, "init", "--git", "--format", "json")
    assert (again.returncode, json.loads(again.stdout)["edits"]) == (0, [])


def test_init_git_is_refused_without_git_and_without_a_store(tmp_path: Path) -> None:
    custodian_store(tmp_path / "plain")
    done = process(tmp_path / "plain", "init", "--git", "--yes")
    assert (done.returncode, b"git init" in done.stderr) == (2, True)
    done = process(tmp_path / "plain", "init", "custodian", "--path", "docs/more", "--git", "--yes")
    assert (done.returncode, (tmp_path / "plain/docs/more").exists()) == (2, False)
    done = process(git_repo(tmp_path / "empty"), "init", "--git", "--yes")
    assert (done.returncode, b"There is no store here." in done.stderr) == (1, True)


def test_a_program_in_an_odd_place_is_called_as_it_is(repo: Path, tmp_path: Path) -> None:
    program = tmp_path / "it's 100% $HOME \"x\"" / "memdesk"
    put(program.parent, "memdesk", f'#!/bin/sh\nexec {sys.executable} -m memdesk "$@"\n').chmod(0o755)
    git(repo, "config", "merge.memdesk.driver", gitsetup.command([str(program)]).rpartition("; s=$?")[0].split("; s=")[0])
    _clashing(repo)
    assert _git(repo, "merge", "--no-edit", "side").returncode == 0
