"""git by its command: what changed (F29), where we are (F30), other states of the files, stage and commit (F28)."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdesk.core import git as git_module
from memdesk.core import process
from memdesk.core.errors import GitError, StoreError
from memdesk.core.git import Change, FileChange, Git, discover
from memdesk.core.gitcommit import commit, stage
from memdesk.core.gitversions import versions

NAMES = [
    "zoë.md", "old note.md", "tab\there.md", 'quo"te.md', "new\nline.md", "dir b/x.md", "-n.md", "back\\slash.md", ":(top)x.md",
]


def sh(root: Path, *words: str, env: dict[str, str] | None = None) -> str:
    whole = {**os.environ, **(env or {})}
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, env=whole, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def put(root: Path, path: str, text: str | bytes) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def commit_all(root: Path, message: str = "state") -> str:
    sh(root, "add", "-A")
    sh(root, "commit", "-q", "--allow-empty", "-m", message)
    return sh(root, "rev-parse", "HEAD")


def opened(root: Path) -> Git:
    git = discover(str(root))
    assert git is not None
    return git


def by_path(change: Change) -> dict[str, FileChange]:
    return {file.path: file for file in change.files}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The git processes that are started."""
    seen: list[list[str]] = []
    real = process.run

    def counted(words: list[str], environment: dict[str, str], **options: Any) -> process.Ended:
        seen.append(words)
        return real(words, environment, **options)

    monkeypatch.setattr(process, "run", counted)
    return seen


# What changed -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_f29_any_name_is_followed_through_every_kind_of_change(repo: Path, name: str) -> None:
    put(repo, name, "one\ntwo\n")
    git = opened(repo)
    assert by_path(git.changes())[name] == FileChange(name, "added", None, ((1, "one"), (2, "two")))
    base = commit_all(repo)
    put(repo, name, "one\n2\n")
    expected = FileChange(name, "modified", None, ((2, "2"),), ((2, "two"),))
    assert git.changes().files == (expected,)
    assert git.changes("base", base).files == (expected,)
    sh(repo, "add", "-A")
    assert git.changes("staged").files == (expected,)
    (repo / name).unlink()
    assert git.changes().files == (FileChange(name, "deleted", None, (), ((1, "one"), (2, "two"))),)


def test_f29_a_name_that_is_not_utf8_keeps_its_bytes(repo: Path) -> None:
    raw = b"caf\xe9.md"
    (repo / os.fsdecode(raw)).write_bytes(b"x\xff\n")
    change = opened(repo).changes()
    assert [os.fsencode(file.path) for file in change.files] == [raw]
    assert change.files[0].added == ((1, "x\udcff"),)


def test_f29_lines_that_look_like_a_diff_are_content(repo: Path) -> None:
    put(repo, "a.md", "-- old/a.md\n++ b\nkeep\n@@ -1 +1 @@\n")
    put(repo, "b.md", "b\n")
    commit_all(repo)
    put(repo, "a.md", "diff --git a/b.md b/b.md\nkeep\n--- a/b.md\n+++ b/b.md\n@@ -1 +9 @@\n\\ No newline\n")
    put(repo, "b.md", "c")
    found = by_path(opened(repo).changes())
    assert [text for _, text in found["a.md"].removed] == ["-- old/a.md", "++ b", "@@ -1 +1 @@"]
    assert [text for _, text in found["a.md"].added] == [
        "diff --git a/b.md b/b.md", "--- a/b.md", "+++ b/b.md", "@@ -1 +9 @@", "\\ No newline",
    ]
    assert found["b.md"] == FileChange("b.md", "modified", None, ((1, "c"),), ((1, "b"),))


def test_f29_a_move_with_an_edited_line_is_one_renamed_file(repo: Path) -> None:
    lines = [f"line {number}\n" for number in range(20)]
    put(repo, "docs/notes b/old.md", "".join(lines))
    commit_all(repo)
    sh(repo, "mv", "docs/notes b/old.md", "docs/näw \"x\".md")
    lines[3] = "edited\n"
    put(repo, "docs/näw \"x\".md", "".join(lines))
    change = opened(repo).changes()
    assert change.files == (
        FileChange('docs/näw "x".md', "renamed", "docs/notes b/old.md", ((4, "edited"),), ((4, "line 3"),)),
    )
    assert change.paths == {'docs/näw "x".md', "docs/notes b/old.md"}
    assert (change.added, change.removed) == (1, 1)


def test_f29_before_the_first_commit_every_file_counts_as_added(repo: Path) -> None:
    put(repo, "staged.md", "s\n")
    sh(repo, "add", "-A")
    put(repo, "loose.md", "l\n\nm")
    put(repo, "gone.md", "g\n")
    sh(repo, "add", "gone.md")
    (repo / "gone.md").unlink()
    git = opened(repo)
    assert git.head is None
    assert git.branch == "main"
    found = by_path(git.changes())
    assert {path: file.status for path, file in found.items()} == {"staged.md": "added", "loose.md": "added"}
    assert found["loose.md"].added == ((1, "l"), (2, ""), (3, "m"))
    assert {file.path for file in git.changes("staged").files} == {"staged.md", "gone.md"}


def test_f29_an_unknown_revision_is_an_error_with_the_fetch_hint(repo: Path, tmp_path: Path) -> None:
    put(repo, "a.md", "1\n")
    commit_all(repo)
    put(repo, "a.md", "2\n")
    commit_all(repo)
    clone = tmp_path / "clone"
    sh(tmp_path, "clone", "-q", "--depth", "1", repo.as_uri(), str(clone))
    git = opened(clone)
    for rev in ("origin/release", "HEAD~1", "0" * 40, "", "--all", "a\nb", "HEAD:a.md"):
        with pytest.raises(GitError) as caught:
            git.changes("base", rev)
        assert caught.value.exit_code == 2
        assert "git fetch" in str(caught.value)
    with pytest.raises(GitError, match="git fetch --unshallow --tags origin"):
        git.verify("origin/release")
    assert git.changes("base", "origin/main").files == ()


def test_f29_the_staged_change_is_read_from_the_index_not_from_the_disk(repo: Path) -> None:
    put(repo, "a.md", "one\n")
    commit_all(repo)
    put(repo, "a.md", "one\nstaged\n")
    sh(repo, "add", "a.md")
    put(repo, "a.md", "one\nstaged\nonly on disk\n")
    put(repo, "loose.md", "x\n")
    git = opened(repo)
    assert git.changes("staged").files == (FileChange("a.md", "modified", None, ((2, "staged"),)),)
    tree = git.index_tree()
    assert tree.read("a.md") == b"one\nstaged\n"
    assert tree.kind("loose.md") == "none"
    assert [text for _, text in by_path(git.changes())["a.md"].added] == ["staged", "only on disk"]


def test_f29_modes_links_and_submodules_shift_nothing(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    sh(other, "init", "-q", "-b", "main")
    put(other, "inner.md", "inner\n")
    first = commit_all(other)
    for path in ("a.md", "b.md", "c.md", "d.md"):
        put(repo, path, f"text of {path}\n")
    sh(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub.md")
    commit_all(repo)
    os.chmod(repo / "a.md", 0o755)
    (repo / "b.md").unlink()
    (repo / "b.md").symlink_to("c.md")
    put(repo, "c.md", "changed\n")
    put(repo / "sub.md", "inner.md", "moved on\n")
    second = commit_all(repo / "sub.md")
    put(repo / "sub.md", "loose.md", "never ours\n")
    assert first != second
    found = by_path(opened(repo).changes())
    assert {path: file.status for path, file in found.items()} == {
        "a.md": "mode", "b.md": "retyped", "c.md": "modified", "sub.md": "submodule",
    }
    assert found["b.md"].removed == ((1, "text of b.md"),)
    assert found["b.md"].added == ((1, "c.md"),)
    assert found["c.md"].added == ((1, "changed"),)
    assert found["sub.md"].added == ()


def test_f29_attributes_and_settings_that_hide_a_diff_do_not_hide_it(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(repo, "a.md", "one\n")
    put(repo, "z.md", "z\n")
    put(repo, ".gitattributes", "a.md -diff\nz.md diff=evil\n")
    commit_all(repo)
    for key, value in {
        "diff.noprefix": "true", "diff.external": "touch ran", "diff.evil.textconv": "touch ran;true", "color.ui": "always",
        "diff.evil.command": "touch ran", "diff.mnemonicPrefix": "true", "diff.orderFile": "order", "core.pager": "touch ran",
        "diff.interHunkContext": "9", "diff.context": "9", "core.fsmonitor": "touch ran", "core.quotePath": "true",
        "status.relativePaths": "false", "diff.wsErrorHighlight": "all", "diff.colorMoved": "zebra", "diff.renames": "false",
        "status.showUntrackedFiles": "no", "diff.suppressBlankEmpty": "true", "diff.ignoreSubmodules": "all",
    }.items():
        sh(repo, "config", key, value)
    put(repo, "order", "z.md\n")
    put(repo, "a.md", "one\ntwo \n")
    put(repo, "z.md", "y\n")
    put(repo, "ü.md", "u\n")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "touch ran")
    found = by_path(opened(repo).changes())
    assert found["a.md"].added == ((2, "two "),)
    assert found["z.md"].removed == ((1, "z"),)
    assert found["ü.md"].added == ((1, "u"),)
    assert not (repo / "ran").exists()


def test_f29_a_conflict_is_listed(repo: Path) -> None:
    put(repo, "a.md", "base\n")
    put(repo, "z.md", "z\n")
    commit_all(repo)
    sh(repo, "checkout", "-q", "-b", "side")
    put(repo, "a.md", "side\n")
    commit_all(repo)
    sh(repo, "checkout", "-q", "main")
    put(repo, "a.md", "main\n")
    commit_all(repo)
    subprocess.run(["git", "merge", "-q", "side"], cwd=repo, capture_output=True, check=False)
    put(repo, "z.md", "zz\n")
    git = opened(repo)
    assert git.changes("staged").files == (FileChange("a.md", "unmerged"),)
    found = by_path(git.changes())
    assert [text for _, text in found["a.md"].added] == ["<<<<<<< HEAD", "=======", "side", ">>>>>>> side"]
    assert found["z.md"].added == ((1, "zz"),)
    assert git.index_tree().read("a.md") == b"main\n"


def test_ignored_files_other_types_and_nested_repositories_are_no_change(repo: Path) -> None:
    put(repo, ".gitignore", "ignored.md\n")
    commit_all(repo)
    put(repo, "ignored.md", "x\n")
    put(repo, "source.py", "x\n")
    put(repo, "nested/a.md", "x\n")
    sh(repo / "nested", "init", "-q")
    assert opened(repo).changes().files == ()


def test_untracked_files_without_text_count_no_lines(repo: Path) -> None:
    commit_all(repo)
    put(repo, "binary.md", b"a\n\0b\n")
    (repo / "link.md").symlink_to("/etc/passwd")
    put(repo, "crlf.md", b"a\r\nb\r\n")
    found = by_path(opened(repo).changes())
    assert found["binary.md"] == FileChange("binary.md", "added")
    assert found["link.md"] == FileChange("link.md", "added")
    assert found["crlf.md"].added == ((1, "a"), (2, "b"))


def test_a_root_below_the_top_of_the_checkout_sees_its_own_paths(repo: Path) -> None:
    put(repo, "pkg ü/a.md", "one\n")
    put(repo, "top.md", "t\n")
    commit_all(repo)
    put(repo, "pkg ü/a.md", "two\n")
    put(repo, "pkg ü/deep/new.md", "n\n")
    put(repo, "top.md", "changed\n")
    sh(repo, "mv", "top.md", "pkg ü/moved.md")
    git = opened(repo / "pkg ü")
    assert {file.path for file in git.changes().files} == {"a.md", "deep/new.md", "moved.md"}
    assert git.show("HEAD", "a.md") == b"one\n"
    assert git.revision_tree("HEAD").walk() == ["a.md"]
    assert git.index_tree().walk() == ["a.md", "moved.md"]
    assert stage(git, ["a.md", "deep/new.md"]) == ["a.md", "deep/new.md"]
    assert "pkg ü/deep/new.md" in sh(repo, "-c", "core.quotePath=false", "diff", "--cached", "--name-only")


def test_a_clean_check_starts_git_once(repo: Path, calls: list[list[str]]) -> None:
    put(repo, "a.md", "1\n")
    commit_all(repo)
    put(repo, "new.md", "1\n")
    git = opened(repo)
    assert (git.branch, len(git.head or "")) == ("main", 40)
    calls.clear()
    assert len(git.changes().files) == 1
    assert len(calls) == 1
    put(repo, "a.md", "2\n")
    calls.clear()
    assert len(git.changes().files) == 2
    assert len(calls) == 2
    calls.clear()
    assert git.changes("none") == Change("none", skipped="not asked for (--no-diff)")
    assert calls == []


def test_reading_takes_no_lock_and_leaves_the_index_alone(repo: Path) -> None:
    put(repo, "a.md", "1\n")
    commit_all(repo)
    os.utime(repo / "a.md", (1, 1))  # git status would refresh the index now
    index = repo / ".git/index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    (repo / ".git/index.lock").touch()
    assert opened(repo).changes().files == ()
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_git_that_is_missing_or_fails_is_an_error_never_an_empty_change(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = opened(repo)
    commit_all(repo)
    (repo / ".git/index").write_bytes(b"garbage")
    with pytest.raises(GitError, match="git status failed"):
        git.changes()
    monkeypatch.setenv("PATH", str(repo))
    with pytest.raises(GitError, match="not installed"):
        git.changes()


# Where we are -------------------------------------------------------------------------------------------------------


def test_f30_a_linked_worktree_is_its_own_checkout(repo: Path, tmp_path: Path) -> None:
    put(repo, "a.md", "main\n")
    first = commit_all(repo)
    wt = tmp_path / "wt # 1"
    sh(repo, "worktree", "add", "-q", "-b", "feature", str(wt))
    put(wt, "src/deep/b.md", "b\n")
    second = commit_all(wt)
    git = opened(wt / "src/deep")
    assert git.toplevel == str(wt)
    assert git.git_dir == sh(wt, "rev-parse", "--absolute-git-dir")
    assert git.common_dir == str(repo / ".git")
    assert (git.branch, git.head) == ("feature", second)
    assert (opened(repo).branch, opened(repo).head) == ("main", first)
    assert opened(wt).revision_tree("main").walk() == ["a.md"]


def test_f30_a_bare_repository_with_worktrees_and_a_submodule(repo: Path, tmp_path: Path) -> None:
    put(repo, "a.md", "main\n")
    head = commit_all(repo)
    bare = tmp_path / "bare.git"
    sh(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    sh(bare, "worktree", "add", "-q", str(tmp_path / "wt"), "main")
    git = opened(tmp_path / "wt")
    assert (git.toplevel, git.head) == (str(tmp_path / "wt"), head)
    assert discover(str(bare)) is None
    sh(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(bare), "libs/sub")
    inner = opened(repo / "libs/sub")
    assert (inner.toplevel, inner.head) == (str(repo / "libs/sub"), head)


def test_f30_variables_of_a_hook_do_not_send_us_elsewhere(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(repo, "a.md", "1\n")
    commit_all(repo)
    other = tmp_path / "other"
    other.mkdir()
    sh(other, "init", "-q")
    put(repo, "a.md", "2\n")
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(key, str(other / ".git"))
    monkeypatch.setenv("GIT_PREFIX", "docs/")
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "nowhere"))
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    git = opened(repo)
    assert git.changes().files == (FileChange("a.md", "modified", None, ((1, "2"),), ((1, "1"),)),)


def test_f30_in_a_commit_hook_the_index_is_that_of_the_commit(repo: Path) -> None:
    put(repo, "docs/a.md", "1\n")
    put(repo, "b.md", "1\n")
    commit_all(repo)
    put(repo, "docs/a.md", "2\n")
    put(repo, "b.md", "2\n")
    sh(repo, "add", "b.md")
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(
        f"#!{sys.executable}\nimport os\nos.chdir('docs')\nfrom memdesk.core.git import discover\n"
        "git = discover('..')\nprint([f.path for f in git.changes('staged').files], git.index_tree().read('docs/a.md'))\n"
    )
    hook.chmod(0o755)
    done = subprocess.run(["git", "commit", "-q", "-m", "x", "docs/a.md"], cwd=repo, capture_output=True, text=True, check=True)
    assert "['docs/a.md'] b'2\\n'" in done.stdout + done.stderr


def test_f30_outside_git_there_is_none(tmp_path: Path) -> None:
    assert discover(str(tmp_path)) is None
    (tmp_path / ".git").mkdir()
    assert discover(str(tmp_path)) is None
    (tmp_path / ".git").rmdir()
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert discover(str(tmp_path)) is None


def test_head_is_found_packed_detached_and_behind_symbolic_refs(repo: Path) -> None:
    put(repo, "a.md", "1\n")
    head = commit_all(repo)
    git = opened(repo)
    sh(repo, "branch", "other/main")
    sh(repo, "pack-refs", "--all")
    assert not (repo / ".git/refs/heads/main").exists()
    assert git.head == head
    sh(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    sh(repo, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert (git.branch, git.head) == ("alias", head)
    sh(repo, "checkout", "-q", "--detach")
    assert (git.branch, git.head) == (None, head)


# Other states of the files ------------------------------------------------------------------------------------------


def test_a_revision_is_a_tree(repo: Path) -> None:
    put(repo, "docs/a.md", "a\n")
    put(repo, "docs/run.md", "run\n")
    put(repo, "vendor/v.md", "v\n")
    put(repo, ".memdesk-1-0", "temporary\n")
    os.chmod(repo / "docs/run.md", 0o755)
    (repo / "link.md").symlink_to("docs/a.md")
    (repo / "memory").symlink_to("docs")
    (repo / "out.md").symlink_to("../../etc/passwd")
    (repo / "loop.md").symlink_to("loop.md")
    commit_all(repo)
    put(repo, "docs/a.md", "later\n")
    tree = opened(repo).revision_tree("HEAD", ["vendor/**"])
    assert tree.walk() == ["docs/a.md", "docs/run.md", "link.md", "loop.md", "memory", "out.md"]
    assert [tuple(item) for item in tree.list(".")] == [
        ("docs", "folder"), ("link.md", "link"), ("loop.md", "link"), ("memory", "link"), ("out.md", "link"),
        ("vendor", "folder"),
    ]
    assert [item.name for item in tree.list("memory")] == ["a.md", "run.md"]
    assert tree.list("nowhere") == tree.list("docs/a.md") == tree.list("out.md") == []
    assert tree.read("link.md") == tree.read("memory/a.md") == b"a\n"
    assert tree.resolve("memory/a.md") == "docs/a.md"
    assert [tree.kind(path) for path in ("link.md", "docs", "memory/a.md", "x")] == ["link", "folder", "file", "none"]
    assert [tree.mode(path) for path in ("docs/run.md", "link.md", "x")] == [0o755, 0o644, None]
    assert tree.size("docs/run.md") == 4
    assert tree.digest("link.md") == "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
    assert tree.digest("x") is None
    assert tree.digest("docs") != tree.digest("vendor")
    for path in ("out.md", "loop.md", "x.md", "docs"):
        with pytest.raises(StoreError, match=path):
            tree.read(path)
    tree.close()
    assert tree.read("vendor/v.md") == b"v\n"
    tree.close()


def test_a_tree_reads_all_its_files_through_one_process(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        put(repo, f"n{number}.md", f"text {number}\n" * number)
    commit_all(repo)
    started: list[object] = []
    real = subprocess.Popen.__init__

    def counted(self: object, *words: object, **options: object) -> None:
        started.append(words)
        real(self, *words, **options)  # type: ignore[arg-type]

    tree = opened(repo).revision_tree("HEAD")
    monkeypatch.setattr(subprocess.Popen, "__init__", counted)
    assert [tree.read(f"n{number}.md") for number in range(30)] == [f"text {n}\n".encode() * n for n in range(30)]
    assert len(started) == 1
    tree.close()


def test_show_one_file_of_a_revision(repo: Path) -> None:
    put(repo, "a*.md", "star\n")
    put(repo, "ab.md", "ab\n")
    commit_all(repo)
    git = opened(repo)
    assert git.show("HEAD", "a*.md") == b"star\n"
    assert git.show("HEAD", "none.md") is None
    with pytest.raises(GitError, match="does not know"):
        git.show("nope", "a.md")


def test_versions_follow_a_file_through_its_renames(repo: Path) -> None:
    body = "".join(f"line {n}\n" for n in range(20))
    put(repo, "old name.md", body)
    sh(repo, "add", "-A")
    day = {"GIT_AUTHOR_DATE": "2026-01-02T23:30:00-0500", "GIT_AUTHOR_NAME": "Zoë\u202e X"}
    sh(repo, "commit", "-q", "-m", "first", env=day)
    put(repo, "b.md", "unrelated\n")
    commit_all(repo, "other")
    sh(repo, "mv", "old name.md", "new\nname.md")
    put(repo, "new\nname.md", body + "more\n")
    commit_all(repo, "moved\n\nbody")
    git = opened(repo)
    found = versions(git, "new\nname.md")
    assert [(one.subject, one.path, one.data) for one in found] == [
        ("moved", "new\nname.md", (body + "more\n").encode()), ("first", "old name.md", body.encode()),
    ]
    assert (found[1].date, found[1].author) == ("2026-01-02", "Zoë\u202e X")
    assert len(versions(git, "new\nname.md", limit=1)) == 1
    assert versions(git, "nowhere.md") == []
    (repo / "b.md").unlink()
    commit_all(repo, "gone")
    assert [one.data for one in versions(git, "b.md")] == [None, b"unrelated\n"]


def test_before_the_first_commit_a_file_has_no_versions(repo: Path) -> None:
    assert versions(opened(repo), "a.md") == []


# Stage and commit ---------------------------------------------------------------------------------------------------


def test_a_commit_holds_just_the_given_files(repo: Path) -> None:
    for path in ("docs/a b.md", "docs/gone.md", "*.md", "other.md"):
        put(repo, path, "1\n")
    commit_all(repo)
    for path in ("docs/a b.md", "*.md", "other.md", "new.md"):
        put(repo, path, "2\n")
    (repo / "docs/gone.md").unlink()
    sh(repo, "add", "other.md")
    git = opened(repo)
    paths = ["docs/a b.md", "docs/gone.md", "*.md", "never was.md"]
    assert stage(git, paths) == stage(git, paths) == ["*.md", "docs/a b.md", "docs/gone.md"]
    assert stage(git, []) == []
    short = commit(git, paths, "Promote \"x\"\n\n# not a comment\n- it's kept: ü\n")
    assert sh(repo, "rev-parse", "HEAD").startswith(short)
    assert len(short) == 9
    assert sh(repo, "show", "--format=%B", "--name-only", "HEAD").splitlines() == [
        'Promote "x"', "", "# not a comment", "- it's kept: ü", "", "", "*.md", "docs/a b.md", "docs/gone.md",
    ]
    assert sh(repo, "status", "--porcelain") == "M  other.md\n?? new.md"
    with pytest.raises(GitError, match="nothing to commit"):
        commit(git, paths, "again")
    with pytest.raises(GitError, match="needs a message"):
        commit(git, ["new.md"], " \n")


def test_the_first_commit_can_be_made(repo: Path) -> None:
    put(repo, "a.md", "1\n")
    put(repo, "b.md", "1\n")
    git = opened(repo)
    commit(git, ["a.md"], "first")
    assert sh(repo, "ls-tree", "--name-only", "HEAD") == "a.md"


def test_hooks_run_and_their_refusal_is_told(repo: Path) -> None:
    put(repo, "a.md", "1\n")
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho 'no memory on Fridays' >&2\nexit 1\n")
    hook.chmod(0o755)
    git = opened(repo)
    with pytest.raises(GitError, match="no memory on Fridays"):
        commit(git, ["a.md"], "first")
    assert git.head is None
    assert sh(repo, "diff", "--cached", "--name-only") == "a.md"


def test_f28_the_index_lock_of_another_git_is_respected_and_kept(repo: Path) -> None:
    put(repo, "a.md", "1\n")
    lock = repo / ".git/index.lock"
    lock.write_text("")
    git = opened(repo)
    for action in (lambda: stage(git, ["a.md"]), lambda: commit(git, ["a.md"], "x")):
        with pytest.raises(GitError) as caught:
            action()
        assert str(lock) in str(caught.value)
        assert "memdesk never does" in str(caught.value)
    assert lock.exists()


def test_the_name_of_the_person(repo: Path) -> None:
    git = opened(repo)
    assert git.user() == "Test Person"
    sh(repo, "config", "user.name", "Zoë")
    assert git.user() == "Zoë"


def test_the_largest_untracked_file_is_not_read(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module, "LARGEST", 3)
    put(repo, "a.md", "12345\n")
    assert opened(repo).changes().files == (FileChange("a.md", "added"),)
    assert stat.S_ISREG((repo / "a.md").stat().st_mode)


def test_what_a_partial_clone_lacks_is_not_fetched(tmp_path: Path, repo: Path) -> None:
    put(repo, "a.md", "# A\n")
    commit_all(repo)
    sh(repo, "config", "uploadpack.allowFilter", "true")
    sh(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{repo}", "partial")
    partial = tmp_path / "partial"
    git = opened(partial)
    before = sh(partial, "count-objects", "-v")
    tree = git.revision_tree("HEAD")
    assert "a.md" in tree.walk()
    with pytest.raises(GitError, match="not in this repository"):
        tree.read("a.md")
    with pytest.raises(GitError):
        git.show("HEAD", "a.md")
    tree.close()
    assert sh(partial, "count-objects", "-v") == before
    assert sh(partial, "show", "HEAD:a.md") == "# A"  # git itself would have fetched it
