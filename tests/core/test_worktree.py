"""The working tree: what is listed, what is read, and that nothing outside is."""

from __future__ import annotations

import errno
import hashlib
import os
import socket
import stat
from pathlib import Path

import pytest

from memdesk.core import worktree
from memdesk.core.configkeys import IGNORE
from memdesk.core.errors import StoreError
from memdesk.core.tree import Item, Tree
from memdesk.core.worktree import LIMIT, WorkTree
from tests.support.stores import git, git_repo, put


def names_of(tree: WorkTree) -> list[str]:
    return list(tree.walk())


def test_it_is_a_tree(tmp_path: Path) -> None:
    tree: Tree = WorkTree(str(tmp_path))  # mypy checks the protocol here
    assert tree.walk() == []


def test_walk_lists_files_and_links_sorted_and_prunes_what_is_no_memory(tmp_path: Path) -> None:
    for path in (
        "b.md", "a/z.md", "a.md", "a/.memdesk-12-1", "node_modules/x/docs/memory/manifest.md", "tests/fixtures/m/manifest.md",
        ".git/config", ".memdesk/state/txn/1", ".memdesk/judgments.toml", "sub/.git/HEAD", "sub/docs/memory/manifest.md",
        "module/.git", "module/docs/x.md", "deep/er/fixtures.md",
    ):
        put(tmp_path, path, "x")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "folder").symlink_to("a")
    os.mkfifo(tmp_path / "pipe.md")
    tree = WorkTree(str(tmp_path), IGNORE)
    assert names_of(tree) == [".memdesk/judgments.toml", "a.md", "a/z.md", "b.md", "deep/er/fixtures.md", "folder", "link.md"]


def test_nested_repositories_are_other_workspaces(tmp_path: Path) -> None:
    root = git_repo(tmp_path / "main")
    put(root, "docs/a.md", "a")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "a")
    git(root, "worktree", "add", "-q", "trees/feature", "-b", "feature")
    git_repo(root / "vendored")
    assert (root / "trees/feature/.git").is_file()
    assert names_of(WorkTree(str(root))) == ["docs/a.md"]
    assert names_of(WorkTree(str(root / "trees/feature"))) == ["docs/a.md"]


def test_list_tells_kinds_by_name_and_hides_temporary_names(tmp_path: Path) -> None:
    put(tmp_path, "d/b.md", "b")
    put(tmp_path, "d/.memdesk-7-0", "x")
    (tmp_path / "d/sub").mkdir()
    (tmp_path / "d/a.md").symlink_to("b.md")
    os.mkfifo(tmp_path / "d/p")
    tree = WorkTree(str(tmp_path))
    assert tree.list("d") == [Item("a.md", "link"), Item("b.md", "file"), Item("p", "other"), Item("sub", "folder")]
    assert tree.list("none") == []
    assert tree.list("d/b.md") == []
    assert tree.list(".") == [Item("d", "folder")]
    assert [tree.kind(path) for path in ("d", "d/b.md", "d/a.md", "d/p", "x", ".")] == [
        "folder", "file", "link", "other", "none", "folder",
    ]


def test_listings_hold_for_one_instance_and_fresh_looks_again(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "a")
    tree = WorkTree(str(tmp_path), ("x/**",))
    assert names_of(tree) == ["a.md"]
    assert [item.name for item in tree.list(".")] == ["a.md"]
    put(tmp_path, "b.md", "b")
    put(tmp_path, "x/c.md", "c")
    assert names_of(tree) == ["a.md"]
    assert [item.name for item in tree.list(".")] == ["a.md"]
    assert names_of(tree.fresh()) == ["a.md", "b.md"]


def test_links_inside_are_followed_and_links_out_are_refused(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside/secret.md", "secret")
    root = tmp_path / "root"
    put(root, "docs/real.md", "real")
    (root / "in.md").symlink_to("docs/real.md")
    (root / "chain.md").symlink_to("in.md")
    (root / "absolute.md").symlink_to(root / "docs/real.md")
    (root / "out.md").symlink_to("../outside/secret.md")
    (root / "out-folder").symlink_to(outside.parent)
    (root / "loop-a.md").symlink_to("loop-b.md")
    (root / "loop-b.md").symlink_to("loop-a.md")
    (root / "gone.md").symlink_to("docs/gone.md")
    put(root, ".git/config", "token")
    (root / "git.md").symlink_to(".git/config")
    tree = WorkTree(str(root))
    places = {
        "in.md": "docs/real.md", "chain.md": "docs/real.md", "absolute.md": "docs/real.md", "docs/real.md": "docs/real.md",
        "gone.md": "docs/gone.md", "new/x.md": "new/x.md",
    }
    assert {name: tree.resolve(name) for name in places} == places
    assert tree.read("chain.md") == b"real"
    out = ("out.md", "out-folder/secret.md", "loop-a.md", "git.md", "../outside/secret.md", str(outside))
    for path in (*out, "a\0b", "a\ud800b", "\ud800/b"):
        with pytest.raises(StoreError) as caught:
            tree.resolve(path)
        assert caught.value.path == path
        with pytest.raises(StoreError):
            tree.read(path)
        assert tree.size(path) == 0 or path == "git.md"
    assert tree.list("out-folder") == []
    assert tree.list("..") == []
    assert tree.kind("out-folder/secret.md") == "none"
    assert tree.kind("..") == "none"
    assert tree.kind("docs/..") == "none"
    with pytest.raises(StoreError, match="not there"):
        tree.read("gone.md")


def test_a_root_below_a_link_is_the_place_that_it_leads_to(tmp_path: Path) -> None:
    put(tmp_path, "real/a.md", "a")
    (tmp_path / "alias").symlink_to("real")
    tree = WorkTree(str(tmp_path / "alias"))
    assert tree.root == os.path.realpath(tmp_path / "real")
    assert tree.read("a.md") == b"a"


def test_only_regular_files_are_read_and_none_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    listening = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(tmp_path)  # a socket's path is short
    try:
        listening.bind("socket.md")
    finally:
        os.chdir(here)
        listening.close()
    tree = WorkTree(str(tmp_path))
    wrong = {"pipe.md": "no regular file", "folder.md": "a folder", "socket.md": "no regular file", "none.md": "not there"}
    for name, words in wrong.items():
        with pytest.raises(StoreError, match=words) as caught:
            tree.read(name)
        assert caught.value.path == name
        assert caught.value.remedy


def test_a_file_without_permission_is_named_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.md", "a")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(worktree.os, "open", refuse)
    with pytest.raises(StoreError, match=r"a\.md: cannot be opened: Permission denied\. Check its permissions\."):
        WorkTree(str(tmp_path)).read("a.md")


def test_folders_that_cannot_be_read_are_collected_and_the_rest_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "closed/a.md", "a")
    put(tmp_path, "open/b.md", "b")
    real = os.scandir

    def scandir(place: bytes) -> object:
        if place.endswith(b"closed"):
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(worktree.os, "scandir", scandir)
    tree = WorkTree(str(tmp_path))
    assert names_of(tree) == ["open/b.md"]
    assert tree.unreadable == [("closed", errno.EACCES)]


def test_a_file_above_the_limit_is_not_read_and_its_digest_is_still_right(tmp_path: Path) -> None:
    with open(tmp_path / "big.md", "wb") as file:
        file.truncate(LIMIT + 1)
    put(tmp_path, "just.md", b"x" * LIMIT)
    tree = WorkTree(str(tmp_path))
    with pytest.raises(StoreError, match="more than"):
        tree.read("big.md")
    assert tree.size("big.md") == LIMIT + 1
    assert tree.digest("big.md") == hashlib.sha256(b"\0" * (LIMIT + 1)).hexdigest()
    assert len(tree.read("just.md")) == LIMIT


def test_a_digest_speaks_of_the_bytes_that_were_read_first(tmp_path: Path) -> None:
    """A plan made from old bytes must never carry the digest of new ones (invariant 6)."""
    put(tmp_path, "a.md", "old")
    put(tmp_path, "b.md", "b")
    tree = WorkTree(str(tmp_path))
    assert tree.read("a.md") == b"old"
    put(tmp_path, "a.md", "new")
    assert tree.read("a.md") == b"new"
    assert tree.digest("a.md") == hashlib.sha256(b"old").hexdigest()
    assert tree.fresh().digest("a.md") == hashlib.sha256(b"new").hexdigest()
    assert tree.fresh(forget=["b.md"]).digest("a.md") == hashlib.sha256(b"old").hexdigest()
    assert tree.fresh(forget=["a.md"]).digest("a.md") == hashlib.sha256(b"new").hexdigest()


def test_digests_of_absences_folders_and_links(tmp_path: Path) -> None:
    put(tmp_path, "d/b.md", "b")
    put(tmp_path, "d/a.md", "a")
    (tmp_path / "link.md").symlink_to("d/a.md")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    tree = WorkTree(str(tmp_path))
    assert tree.digest("none.md") is None
    assert tree.digest("d") == hashlib.sha256(b"a.md\0b.md").hexdigest()
    assert tree.digest("link.md") == hashlib.sha256(b"a").hexdigest()
    with pytest.raises(StoreError, match="link to nothing"):
        tree.digest("gone.md")


def test_names_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/zo\xeb.md", "wb") as file:
        file.write(b"data")
    put(tmp_path, "鳥 #1\n.md", "bird")
    tree = WorkTree(str(tmp_path))
    assert names_of(tree) == ["zo\udceb.md", "鳥 #1\n.md"]
    assert tree.read("zo\udceb.md") == b"data"
    assert tree.read("鳥 #1\n.md") == b"bird"
    assert tree.resolve("zo\udceb.md") == "zo\udceb.md"


def test_mode_and_stamp_are_those_of_the_file_behind_a_link(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "a").chmod(0o640)
    (tmp_path / "link.md").symlink_to("a.md")
    tree = WorkTree(str(tmp_path))
    assert tree.mode("a.md") == tree.mode("link.md") == 0o640
    assert tree.mode("none.md") is None
    assert tree.stamp("a.md") == tree.stamp("link.md")
    assert tree.stamp("none.md") is None
    status = os.stat(tmp_path / "a.md")
    stamp = tree.stamp("a.md")
    assert stamp is not None
    assert (stamp.inode, stamp.size, stamp.links) == (status.st_ino, 1, 1)
    assert stat.S_ISREG(status.st_mode)


def test_a_folder_with_too_many_files_is_an_error_and_not_an_empty_answer(tmp_path: Path) -> None:
    for number in range(11):
        put(tmp_path, f"d/{number}.md", "x")
    with pytest.raises(StoreError, match="more than 10 files"):
        WorkTree(str(tmp_path), most_files=10).walk()


def test_a_folder_that_nobody_made_a_workspace_is_not_searched_without_end(tmp_path: Path) -> None:
    for number in range(8):
        put(tmp_path, f"d{number}/x.md", "x")
    assert len(WorkTree(str(tmp_path), most_entries=16).fresh().walk()) == 8
    with pytest.raises(StoreError, match="is no repository, and has more than 15 files and folders") as caught:
        WorkTree(str(tmp_path), most_entries=15).fresh().walk()
    assert "--root DIR" in caught.value.remedy


def test_a_tree_too_deep_for_the_system_is_walked_as_far_as_it_goes_and_reported(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    name = "d" * 40
    for _ in range(120):  # a path of 4,900 bytes: longer than the system takes at once
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    put(tmp_path, "a.md", "a")
    tree = WorkTree(str(tmp_path))
    assert names_of(tree) == ["a.md"]
    assert [number for _, number in tree.unreadable] == [errno.ENAMETOOLONG]


def test_a_folder_that_vanishes_during_the_walk_is_nothing_to_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a/x.md", "x")
    put(tmp_path, "b/y.md", "y")
    real = os.scandir

    def scandir(place: bytes) -> object:
        if place.endswith(b"/a"):
            raise FileNotFoundError(2, "No such file")
        return real(place)

    monkeypatch.setattr(worktree.os, "scandir", scandir)
    tree = WorkTree(str(tmp_path))
    assert names_of(tree) == ["b/y.md"]
    assert tree.unreadable == []
