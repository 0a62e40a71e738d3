"""The hook for pre-commit (`.pre-commit-hooks.yaml`), run by pre-commit itself in real commits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.support.stores import MEMORY, git, git_repo, put

TOP = Path(__file__).parents[2]
DECISIONS = f"{MEMORY}/decisions.md"
MARKED = "# Decisions\n\n<<<<<<< HEAD\n- One\n=======\n- Other\n>>>>>>> side\n"

Commit = Callable[..., tuple[bool, str]]


@pytest.fixture
def commit(root: Path, tmp_path: Path, env: dict[str, str]) -> Commit:
    """Commits in a repository whose pre-commit runs memdesk; whether git did, and what was said. The hook's repository is a
    local one of just the file that names the hook."""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    shutil.copy(TOP / ".pre-commit-hooks.yaml", hooks)
    git_repo(hooks)
    config = {"repos": [{"repo": str(hooks), "rev": git(hooks, "rev-parse", "HEAD").strip(), "hooks": [{"id": "memdesk"}]}]}
    put(root, ".pre-commit-config.yaml", yaml.safe_dump(config))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Hooks")
    env = {**env, "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"), "PRE_COMMIT_COLOR": "never", "PIP_NO_INDEX": "1"}
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=root, env=env, check=True, capture_output=True)

    def run(*words: str) -> tuple[bool, str]:
        done = subprocess.run(
            ["git", "commit", "-qm", "More", *words], cwd=root, env=env, check=False, capture_output=True, text=True
        )
        return done.returncode == 0, done.stdout + done.stderr

    return run


@pytest.mark.slow
def test_what_is_staged_is_checked_and_nothing_else(root: Path, commit: Commit) -> None:
    good = (root / DECISIONS).read_text()
    put(root, DECISIONS, MARKED)
    git(root, "add", "-A")
    committed, said = commit()
    assert not committed
    assert f"{DECISIONS}:3: error conflict-marker" in said
    put(root, DECISIONS, good)  # mended, but not staged
    committed, said = commit()
    assert not committed
    assert f"{DECISIONS}:3: error conflict-marker" in said
    git(root, "add", "-A")
    put(root, f"{MEMORY}/inbox.md", "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 5 times\n")
    git(root, "add", "-A")
    put(root, DECISIONS, MARKED)  # broken, but not staged
    committed, said = commit()
    assert committed, said
    assert git(root, "show", f"HEAD:{DECISIONS}") == good
    assert (root / DECISIONS).read_text() == MARKED
    assert git(root, "diff", "--cached", "--name-only") == ""


@pytest.mark.slow
def test_all_single_paths_and_deletions(root: Path, commit: Commit) -> None:
    put(root, DECISIONS, MARKED)
    assert not commit("--all")[0]
    put(root, f"{MEMORY}/inbox.md", "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 5 times\n")
    assert commit("--only", f"{MEMORY}/inbox.md")[0]
    git(root, "checkout", "-q", "--", DECISIONS)
    git(root, "rm", "-q", f"{MEMORY}/brief.md")
    committed, said = commit()
    assert not committed
    assert f"{MEMORY}/brief.md" in said


def test_the_file_names_one_hook_that_downloads_nothing() -> None:
    (hook,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["entry"], hook["language"]) == ("memdesk", "memdesk --check --staged", "system")
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)


def test_pre_commit_takes_the_file_as_it_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(TOP / ".pre-commit-hooks.yaml")]
    done = subprocess.run(
        command, env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path)}, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
