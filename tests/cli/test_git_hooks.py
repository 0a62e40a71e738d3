"""memdesk started by git: hooks with the variables that git gives them, each run by a real commit, checkout, push or rebase."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.commands import environment
from tests.support.stores import agent_memory_store, git, git_repo, put

pytestmark = pytest.mark.slow
ADA = "bot/memory/people/ada.md"
API = "bot/memory/decisions/api.md"
GOOD = "# Ada\n\n- [stated] Plans the spring counts (2026-02-01, from her letter)\n"
BARE = GOOD + "- Likes tea\n"
FOUND = f"{ADA}:4: error disk-provenance"
MEMDESK = f"{shlex.quote(sys.executable)} -m memdesk"


class Said(NamedTuple):
    """Whether git did it, and all that was said."""

    done: bool
    text: str


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store in a repository of one commit."""
    root = tmp_path / "a b # ü"
    agent_memory_store(root, "bot", **{"memory/archive/old.md": "- old\n"})
    return git_repo(root)


def hook(git_dir: Path, name: str, script: str) -> None:
    put(git_dir, f"hooks/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)


def run(folder: Path, *words: str, **more: str) -> Said:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, check=False, text=True, env={**environment(), **more}
    )
    return Said(done.returncode == 0, done.stdout + done.stderr)


CHECK = f"exec {MEMDESK} --check --staged"


@pytest.mark.parametrize(("name", "words"), [
    ("pre-commit", ("-a",)), ("pre-commit", ("--only", ADA)), ("pre-commit", ("--include", ADA)), ("pre-commit", ()),
    ("prepare-commit-msg", ("--only", ADA)), ("prepare-commit-msg", ()), ("commit-msg", ("--only", ADA)),
])  # fmt: skip
def test_what_a_commit_will_hold_is_what_is_checked(root: Path, name: str, words: tuple[str, ...]) -> None:
    hook(root / ".git", name, f"cd bot/memory && {CHECK}")
    put(root, ADA, BARE)
    if not words:
        git(root, "add", ADA)
        put(root, ADA, GOOD)
    committed, text = run(root, "commit", "-qm", "More", *words)
    assert (committed, FOUND in text) == (False, True)
    put(root, ADA, GOOD)
    put(root, API, "# API\n\n- Bare\n")  # not in this commit
    if not words:
        git(root, "add", ADA)
    committed, text = run(root, "commit", "-qm", "More", "--allow-empty", *(words if words != ("-a",) else ()))
    assert committed, text
    assert "change (staged)" in text


def test_an_index_and_a_folder_that_a_person_named_count(root: Path, tmp_path: Path) -> None:
    hook(root / ".git", "pre-commit", CHECK)
    index = str(tmp_path / "own-index")
    put(root, ADA, BARE)
    assert run(root, "read-tree", "HEAD", GIT_INDEX_FILE=index).done
    assert run(root, "add", ADA, GIT_INDEX_FILE=index).done
    assert FOUND in run(root, "commit", "-qm", "More", GIT_INDEX_FILE=index).text
    assert run(root, "commit", "-qm", "None", "--allow-empty").done
    git(root, "add", ADA)
    said = run(tmp_path, "commit", "-qm", "More", GIT_DIR=str(root / ".git"), GIT_WORK_TREE=str(root))
    assert (said.done, FOUND in said.text) == (False, True)


def test_a_hook_of_one_repository_that_asks_about_another_gets_the_other_s_index(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    agent_memory_store(other, "bot")
    git_repo(other)
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    put(other, ADA, BARE)
    git(other, "add", ADA)
    put(other, "README.md", "# Not staged\n")
    hook(root / ".git", "pre-commit", f"{CHECK} --root {shlex.quote(str(other))}")
    put(root, API, "# API\n")
    put(tmp_path / "tree", API, "# API\n")
    for folder in (root, tmp_path / "tree"):
        for words in (("--only", API), ("-a",)):
            said = run(folder, "commit", "-qm", "More", *words)
            assert (said.done, FOUND in said.text) == (False, True), said.text
    git(other, "reset", "-q", "--hard")
    assert run(root, "commit", "-qm", "More", "-a").done


def test_in_a_submodule_and_from_the_one_above(root: Path, tmp_path: Path) -> None:
    outer = git_repo(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "sub")
    git(outer, "commit", "-qm", "Sub")
    sub, git_dir = outer / "sub", outer / ".git/modules/sub"
    hook(git_dir, "pre-commit", CHECK)
    put(sub, ADA, BARE)
    assert FOUND in run(sub, "commit", "-qam", "More").text
    hook(outer / ".git", "pre-commit", f"cd sub && {CHECK}")
    git(sub, "add", ADA)
    said = run(outer, "commit", "-qm", "Above", "--allow-empty")
    assert (said.done, FOUND in said.text) == (False, True)


def test_after_a_checkout_and_before_a_push_the_base_is_the_one_that_git_names(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "up.git")
    git(root, "remote", "add", "up", str(tmp_path / "up.git"))
    git(root, "checkout", "-q", "-b", "work")
    put(root, ADA, BARE)
    git(root, "commit", "-qam", "More")
    git(root, "push", "-q", "up", "main:work")
    hook(root / ".git", "post-checkout", f'exec {MEMDESK} --check --base "$1"')
    both = f'{MEMDESK} pack --base "$theirs" && {MEMDESK} --check --base "$theirs"'
    hook(root / ".git", "pre-push", f"read -r a b c theirs; {both}")
    said = run(root, "push", "up", "work")
    assert (said.done, FOUND in said.text) == (False, True)
    assert "gained" in said.text
    assert run(root, "checkout", "-q", "main").done
    said = run(root, "checkout", "-q", "work")
    assert (said.done, FOUND in said.text) == (False, True)  # git tells how the hook ended
    linked = run(root, "worktree", "add", "--detach", str(tmp_path / "tree"), "main")
    assert "git does not know the revision '0000000000" in linked.text  # there is none before it


def test_what_is_being_pushed_can_be_looked_at_before_it_is_taken(root: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(root), str(clone))
    git(root, "config", "receive.denyCurrentBranch", "updateInstead")
    git(root, "config", "receive.unpackLimit", "1")
    asked = f'read -r old new ref; cd .. && {MEMDESK} pack --base "$old" --head "$new"; {MEMDESK} --check; exit 1'
    hook(root / ".git", "pre-receive", asked)
    put(clone, ADA, GOOD + "- [stated] Likes rain (2026-02-01, from her letter)\n")
    put(clone, "bot/MEMORY.md", (clone / "bot/MEMORY.md").read_text() + "\n## More\n\n- Rain comes in spring\n")
    git(clone, "commit", "-qam", "More")
    said = run(clone, "push", "origin", "main")
    assert not said.done
    assert "bot/MEMORY.md:" in said.text
    assert "RESULT pass" in said.text
    assert "does not know" not in said.text
    assert git(root, "rev-list", "--count", "main").strip() == "1"


def test_a_rebase_stops_at_the_commit_that_breaks_a_rule(root: Path) -> None:
    for text in (GOOD + "- [stated] Likes rain (2026-02-01, from her letter)\n", BARE, GOOD):
        put(root, ADA, text)
        git(root, "commit", "-qam", "More")
    said = run(root, "rebase", "-q", "--exec", f"{MEMDESK} --check --base HEAD~1", "HEAD~3")
    assert (said.done, FOUND in said.text) == (False, True)
    assert "error disk-history" not in said.text
    assert git(root, "show", "-s", "--format=%T").strip() == git(root, "rev-parse", "main~1^{tree}").strip()
    assert "RESULT pass" in said.text


def test_a_merge_is_checked_by_what_it_brings(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "side")
    put(root, ADA, BARE)
    git(root, "commit", "-qam", "Side")
    git(root, "checkout", "-q", "main")
    git(root, "commit", "-qm", "Main", "--allow-empty")
    hook(root / ".git", "pre-merge-commit", CHECK)
    said = run(root, "merge", "-q", "--no-edit", "side")
    assert (said.done, FOUND in said.text) == (False, True)
    assert os.path.exists(root / ".git/MERGE_HEAD")
    hook(root / ".git", "pre-commit", CHECK)
    assert FOUND in run(root, "commit", "-q", "--no-edit").text
    put(root, ADA, GOOD)
    assert run(root, "commit", "-qa", "--no-edit").done
