"""Where a branch began: the default branch and the merge base by what is in the repository, and what changed since."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memdesk.core import fork
from memdesk.core.errors import GitError
from memdesk.core.git import Git, discover
from tests.support.stores import git, git_repo, put

RECORDS = ("*.md",)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    put(tmp_path, "a.md", "one\n")
    return git_repo(tmp_path)


def opened(root: Path) -> Git:
    found = discover(str(root))
    assert found is not None
    return found


def commit(root: Path, path: str, text: str) -> str:
    put(root, path, text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"Change {path}")
    return git(root, "rev-parse", "HEAD").strip()


def since(root: Path, mode: str = "worktree", base: str | None = None) -> tuple[dict[str, str], str, str]:
    """(path -> status, what it compares with, why)."""
    repository = opened(root)
    found = fork.fork(repository, repository.changes(mode, base), RECORDS)
    return {file.path: file.status for file in found.change.files}, found.since, found.note


def test_on_the_default_branch_it_is_the_change_against_head(repo: Path) -> None:
    commit(repo, "b.md", "two\n")
    put(repo, "c.md", "three\n")
    assert since(repo) == ({"c.md": "added"}, "HEAD", "")


def test_on_a_branch_it_is_all_since_it_left_untracked_files_too(repo: Path) -> None:
    git(repo, "checkout", "-qb", "work")
    commit(repo, "b.md", "two\n")
    git(repo, "checkout", "-q", "main")
    commit(repo, "main.md", "meanwhile\n")
    git(repo, "checkout", "-q", "work")
    put(repo, "c.md", "three\n")
    assert since(repo) == ({"b.md": "added", "c.md": "added"}, "the merge base with main", "")
    git(repo, "merge", "-q", "--no-edit", "main")
    assert since(repo)[0] == {"b.md": "added", "c.md": "added"}


@pytest.mark.slow
def test_staged_it_is_the_index_that_counts(repo: Path) -> None:
    git(repo, "checkout", "-qb", "work")
    commit(repo, "b.md", "two\n")
    put(repo, "a.md", "staged\n")
    git(repo, "add", "a.md")
    put(repo, "a.md", "later\n")
    put(repo, "c.md", "three\n")
    repository = opened(repo)
    found = fork.fork(repository, repository.changes("staged"), RECORDS).change
    assert {file.path: [text for _, text in file.added] for file in found.files} == {"a.md": ["staged"], "b.md": ["two"]}


def test_with_a_base_what_it_got_meanwhile_is_no_deed_of_the_branch(repo: Path) -> None:
    git(repo, "checkout", "-qb", "work")
    commit(repo, "b.md", "two\n")
    git(repo, "checkout", "-q", "main")
    commit(repo, "main.md", "meanwhile\n")
    git(repo, "checkout", "-q", "work")
    assert opened(repo).changes("base", "main").paths == {"b.md", "main.md"}
    assert since(repo, "base", "main") == ({"b.md": "added"}, "the merge base with main", "")


def test_a_base_that_the_branch_has_whole_is_asked_once(repo: Path) -> None:
    git(repo, "checkout", "-qb", "work")
    commit(repo, "b.md", "two\n")
    assert since(repo, "base", "main") == ({"b.md": "added"}, "main", "")


@pytest.mark.slow
def test_origins_head_counts_before_the_local_branches(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    git(repo, "branch", "-m", "trunk")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", str(repo), ".")
    git(clone, "branch", "main")
    assert fork.default_branch(opened(clone)) == ("origin/trunk", git(clone, "rev-parse", "HEAD").strip())
    git(clone, "pack-refs", "--all")
    assert fork.default_branch(opened(clone)) == ("origin/trunk", git(clone, "rev-parse", "HEAD").strip())


@pytest.mark.parametrize(("refs", "expected"), [
    (["refs/remotes/origin/main", "refs/heads/main"], "origin/main"),
    (["refs/remotes/origin/master", "refs/heads/main"], "origin/master"),
    (["refs/heads/main", "refs/heads/master"], "main"),
    (["refs/heads/master"], "master"),
    ([], None),
])  # fmt: skip
def test_without_origins_head_the_usual_names(repo: Path, refs: list[str], expected: str | None) -> None:
    git(repo, "checkout", "-q", "--detach")
    git(repo, "branch", "-qD", "main")
    for ref in refs:
        git(repo, "update-ref", ref, "HEAD")
    found = fork.default_branch(opened(repo))
    assert (found and found.name) == expected


def test_an_origin_head_that_leads_nowhere_is_passed_over(repo: Path) -> None:
    git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    found = fork.default_branch(opened(repo))
    assert found is not None
    assert found.name == "main"


def test_without_a_default_branch_it_is_head_and_says_so(repo: Path) -> None:
    git(repo, "branch", "-m", "elsewhere")
    put(repo, "c.md", "three\n")
    assert since(repo) == ({"c.md": "added"}, "HEAD", "no default branch is known here")


@pytest.mark.slow
def test_a_detached_head_has_its_merge_base_too(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    commit(repo, "b.md", "two\n")
    assert since(repo) == ({"b.md": "added"}, "the merge base with main", "")


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    git_repo(tmp_path, commit=False)
    put(tmp_path, "a.md", "one\n")
    assert since(tmp_path) == ({"a.md": "added"}, "HEAD", "")
    assert fork.Beside(opened(tmp_path))(".") == ()


@pytest.mark.slow
def test_without_the_merge_base_nothing_is_guessed_in_a_shallow_clone(
    repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(repo, "checkout", "-qb", "work")
    commit(repo, "b.md", "two\n")
    git(repo, "checkout", "-q", "main")
    commit(repo, "c.md", "three\n")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo}", ".")
    git(clone, "checkout", "-q", "work")
    put(clone, "d.md", "four\n")
    for mode, base in (("worktree", None), ("staged", None), ("base", "origin/main")):
        with pytest.raises(GitError, match=r"where this left origin/main\. Fetch the rest: git fetch --unshallow"):
            since(clone, mode, base)
    git(clone, "fetch", "-q", "--unshallow", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
    assert since(clone) == ({"b.md": "added", "d.md": "added"}, "the merge base with origin/main", "")
    assert since(clone, "base", "origin/main") == ({"b.md": "added", "d.md": "added"}, "the merge base with origin/main", "")


@pytest.mark.slow
def test_an_older_merge_base_than_the_one_beyond_the_cut_is_none(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "checkout", "-qb", "side")
    commit(repo, "side.md", "beside\n")
    git(repo, "checkout", "-q", "main")
    left = commit(repo, "main1.md", "one\n")
    git(repo, "branch", "work")
    for number in (2, 3):
        commit(repo, f"main{number}.md", "more\n")
    git(repo, "merge", "-q", "--no-edit", "side")
    git(repo, "checkout", "-q", "work")
    commit(repo, "work.md", "new\n")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth", "3", "--no-single-branch", f"file://{repo}", ".")
    git(clone, "remote", "set-head", "origin", "main")
    assert git(clone, "merge-base", "HEAD", "origin/main").strip() == first  # by the longer way it is another
    with pytest.raises(GitError, match="shallow"):
        since(clone)
    assert fork.merge_base(opened(clone), git(clone, "rev-parse", "HEAD").strip(), "HEAD~1") == left  # nothing is newer
    git(clone, "fetch", "-q", "--deepen=1", "origin")
    assert git(clone, "merge-base", "HEAD", "origin/main").strip() == left
    assert since(clone) == ({"work.md": "added"}, "the merge base with origin/main", "")


def test_the_names_on_the_default_branch(repo: Path) -> None:
    commit(repo, "docs/adr/0001-a.md", "x\n")
    git(repo, "checkout", "-qb", "work")
    commit(repo, "docs/adr/0002-b.md", "x\n")
    git(repo, "checkout", "-q", "main")
    commit(repo, "docs/adr/0002-ü c.md", "x\n")
    git(repo, "checkout", "-q", "work")
    beside = fork.Beside(opened(repo))
    assert beside("docs/adr") == ("0001-a.md", "0002-ü c.md")
    assert beside(".") == ("a.md", "docs")
    assert beside("none/such") == ()
    assert fork.Beside(opened(repo / "docs"))("adr") == ("0001-a.md", "0002-ü c.md")
    git(repo, "checkout", "-q", "main")
    assert beside("docs/adr") == ()
    commit(repo, "docs/adr/0003-d.md", "x\n")
    git(repo, "checkout", "-q", "work")
    assert beside("docs/adr") == ("0001-a.md", "0002-ü c.md", "0003-d.md")


def test_refs_kept_as_tables_are_asked_of_git(tmp_path: Path) -> None:
    made = subprocess.run(["git", "init", "-q", "-b", "main", "--ref-format=reftable"], cwd=tmp_path, capture_output=True)
    if made.returncode:
        pytest.skip("this git keeps no refs as tables")
    put(tmp_path, "a.md", "one\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Begin")
    git(tmp_path, "checkout", "-qb", "work")
    commit(tmp_path, "b.md", "two\n")
    assert since(tmp_path) == ({"b.md": "added"}, "the merge base with main", "")
