"""Opening a workspace: the root, the documents and what is wrong with them, and refreshing without losing anything."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memdesk.core import config, workspace, worktree
from memdesk.core.errors import StoreError, UsageError
from memdesk.core.model import Workspace
from memdesk.core.workspace import find_root, open_workspace, refresh, work_tree
from tests.support.stores import MEMORY, big_store, custodian_store, git, git_repo, manifest, put


def opened(root: Path) -> Workspace:
    settings = config.load(str(root))
    return open_workspace(work_tree(str(root), settings), settings)


def problem_of(space: Workspace, name: str) -> tuple[str, int | None] | None:
    found = space.documents[f"{MEMORY}/{name}"].problem
    return None if found is None else (found.rule, found.line)


# The root


def test_f09_memory_belongs_to_the_checkout_in_front_of_you(tmp_path: Path) -> None:
    main = git_repo(tmp_path / "my main #1")
    custodian_store(main, decisions="# Decisions\n\n## 2026-01-01 - Main\n\nDecision:\nMain.\n\nReason:\nMain.\n")
    put(main, "src/deep/x.py", "")
    git(main, "add", "-A")
    git(main, "commit", "-q", "-m", "Store")
    linked = tmp_path / "linked tree"
    git(main, "worktree", "add", "-q", str(linked), "-b", "feature")
    put(linked, f"{MEMORY}/decisions.md", "# Decisions\n\n## 2026-01-02 - Feature\n\nDecision:\nF.\n\nReason:\nF.\n")
    for start in (linked, linked / "src/deep", linked / "docs/memory", linked / "src/deep/x.py"):
        assert find_root(str(start)) == str(linked)
    for start in (main, main / "src/deep"):
        assert find_root(str(start)) == str(main)
    here, there = opened(main), opened(linked)
    assert [entry.heading for entry in here.entries() if entry.role == "decisions"] == ["2026-01-01 - Main"]
    assert [entry.heading for entry in there.entries() if entry.role == "decisions"] == ["2026-01-02 - Feature"]


def test_f09_a_submodule_is_a_root_of_its_own(tmp_path: Path) -> None:
    module = git_repo(tmp_path / "module")
    custodian_store(module)
    git(module, "add", "-A")
    git(module, "commit", "-q", "-m", "Store")
    main = git_repo(tmp_path / "main")
    custodian_store(main)
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module), "libs/module")
    assert (main / "libs/module/.git").is_file()
    assert find_root(str(main / "libs/module/docs")) == str(main / "libs/module")
    assert find_root(str(main / "libs")) == str(main)
    assert [store.path for store in opened(main).stores] == [MEMORY]
    assert [store.path for store in opened(main / "libs/module").stores] == [MEMORY]


def test_f09_a_worktree_of_a_bare_repository_is_a_root(tmp_path: Path) -> None:
    source = git_repo(tmp_path / "source")
    custodian_store(source)
    git(source, "add", "-A")
    git(source, "commit", "-q", "-m", "Store")
    git(tmp_path, "clone", "-q", "--bare", "source", "project/.bare")
    put(tmp_path, "project/.git", "gitdir: ./.bare\n")
    git(tmp_path / "project/.bare", "worktree", "add", "-q", str(tmp_path / "project/main"), "main")
    assert find_root(str(tmp_path / "project/main/docs/memory")) == str(tmp_path / "project/main")
    assert [store.path for store in opened(tmp_path / "project/main").stores] == [MEMORY]


def test_f30_every_subfolder_and_git_variable_gives_the_same_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = git_repo(tmp_path / "with space #2 50%")
    other = git_repo(tmp_path / "other")
    custodian_store(root)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    starts = [".", "docs", "docs/memory", ".git", ".git/hooks"]
    assert {find_root(str(root / start)) for start in starts} == {str(root)}
    monkeypatch.chdir(root / "docs")
    assert find_root(".") == find_root("") == str(root)
    assert find_root("memory") == str(root)
    (tmp_path / "alias").symlink_to(root / "docs/memory")
    assert find_root(str(tmp_path / "alias")) == str(root)


@pytest.mark.parametrize(
    "mark", ["memdesk.toml", ".memdesk/judgments.toml", "pyproject.toml", "docs/memory/manifest.md", "docs/brain/manifest.md"]
)
def test_f30_without_git_the_root_is_where_the_settings_or_the_store_are(tmp_path: Path, mark: str) -> None:
    root = tmp_path / "project"
    if mark.endswith("manifest.md"):
        custodian_store(root, str(Path(mark).parent))
    else:
        put(root, mark, "[tool.memdesk]\n" if mark == "pyproject.toml" else "")
    put(root, "src/deep/x.py", "")
    put(root, "docs/memory/areas/x.md", "")
    for start in (".", "src/deep", "docs", "docs/memory", "docs/memory/areas"):
        assert find_root(str(root / start)) == str(root), start


def test_without_anything_the_root_is_where_one_stands(tmp_path: Path) -> None:
    put(tmp_path, "a/b/pyproject.toml", "[project]\nname = 'memdesk'\n")
    put(tmp_path, "a/docs/x.md", "")
    assert find_root(str(tmp_path / "a/b")) == str(tmp_path / "a/b")
    with pytest.raises(UsageError, match="no such folder"):
        find_root(str(tmp_path / "none"))


def test_the_nearest_workspace_wins_without_git(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    custodian_store(tmp_path / "inner")
    assert find_root(str(tmp_path / "inner/docs/memory")) == str(tmp_path / "inner")
    assert find_root(str(tmp_path / "docs")) == str(tmp_path)


# Documents


def test_a_valid_store_opens_with_its_documents_and_nothing_to_report(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/storage": "# Storage\n\n- Counts are kept for ten years.\n"})
    put(tmp_path, f"{MEMORY}/notes.txt", "no memory")
    space = opened(tmp_path)
    assert [(store.layout, store.path, store.read_only) for store in space.stores] == [("custodian", MEMORY, None)]
    names = ["areas/storage", "brief", "constraints", "decisions", "do-not-use", "inbox", "manifest"]
    assert list(space.documents) == [f"{MEMORY}/{name}.md" for name in names]
    assert space.problems == []
    assert space.near_misses == []
    assert all(document.problem is None and document.aliases == () for document in space.documents.values())
    assert {document.store for document in space.documents.values()} == set(space.stores)


def test_no_store_is_an_empty_workspace_and_no_error(tmp_path: Path) -> None:
    put(tmp_path, "README.md", "# Hello\n")
    space = opened(tmp_path)
    assert (space.stores, dict(space.documents), space.problems) == ([], {}, [])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("# Brief\n".encode("utf-16"), ("encoding", 1)),
        (bytes(range(256)), ("encoding", 1)),
        (b"\x7fELF\x02\x01\x01\x00\x00", ("encoding", 1)),
        (b"# Brief\n\nZo\xeb\n", ("encoding", 3)),
        (b"a\rb\n", ("encoding", 1)),
        (b"# B\n\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n", ("conflict-marker", 3)),
        (b"", None),
        (b"\n", None),
        ("# Zoë 鳥\r\n".encode(), None),
    ],
)
def test_what_is_wrong_with_a_file_is_known_and_the_rest_still_opens(
    tmp_path: Path, data: bytes, expected: tuple[str, int] | None
) -> None:
    custodian_store(tmp_path, brief=data)
    space = opened(tmp_path)
    assert problem_of(space, "brief.md") == expected
    document = space.documents[f"{MEMORY}/brief.md"]
    assert document.data == data  # shown, whatever it is
    if expected and expected[0] == "encoding":
        assert document.entries == []
    others = space.documents[f"{MEMORY}/decisions.md"].entries
    assert [entry.heading for entry in others] == ["2026-05-02 - Store counts as CSV"]


def test_a_file_of_50_mb_is_reported_and_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    with open(tmp_path / MEMORY / "brief.md", "wb") as file:
        file.truncate(50_000_000)
    read: list[int] = []
    real = os.read

    def counted(handle: int, size: int) -> bytes:
        data = real(handle, size)
        read.append(len(data))
        return data

    monkeypatch.setattr(worktree.os, "read", counted)
    space = opened(tmp_path)
    monkeypatch.undo()
    document = space.documents[f"{MEMORY}/brief.md"]
    assert document.problem is not None
    assert document.problem.rule == "file-size"
    assert "50 MB" in document.problem.message
    assert (document.data, document.entries) == (b"", [])
    assert sum(read) < 100_000


def test_links_inside_are_one_document_under_its_real_name(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/one": "# One\n\n- a\n"})
    (tmp_path / MEMORY / "areas/two.md").symlink_to("one.md")
    space = opened(tmp_path)
    assert f"{MEMORY}/areas/two.md" not in space.documents
    document = space.documents[f"{MEMORY}/areas/one.md"]
    assert document.aliases == (f"{MEMORY}/areas/two.md",)
    assert [(found.rule, found.path) for found in space.problems] == [("name-clash", f"{MEMORY}/areas/one.md")]
    assert "areas/two.md" in space.problems[0].message


def test_a_link_to_a_file_that_is_no_memory_is_a_document_under_its_own_name(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=None)
    put(tmp_path, "ABOUT.md", "# About\n")
    (tmp_path / MEMORY / "brief.md").symlink_to("../../ABOUT.md")
    space = opened(tmp_path)
    document = space.documents[f"{MEMORY}/brief.md"]
    assert (document.data, document.aliases, document.problem) == (b"# About\n", ("ABOUT.md",), None)
    assert space.problems == []


def test_hard_links_are_one_document(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/one": "# One\n\n- a\n"})
    os.link(tmp_path / MEMORY / "areas/one.md", tmp_path / MEMORY / "areas/two.md")
    space = opened(tmp_path)
    assert space.documents[f"{MEMORY}/areas/one.md"].aliases == (f"{MEMORY}/areas/two.md",)
    assert f"{MEMORY}/areas/two.md" not in space.documents
    assert [found.rule for found in space.problems] == ["name-clash"]


def test_links_that_lead_out_loop_or_dangle_are_documents_with_their_problem(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside.md", "secret")
    root = tmp_path / "root"
    custodian_store(root, brief=None, constraints=None, decisions=None, inbox=None, do_not_use=None)
    put(root, ".git/config", "[remote]\nurl = https://token@example.com\n")
    folder = root / MEMORY
    (folder / "brief.md").symlink_to(outside)
    (folder / "constraints.md").symlink_to("constraints.md")
    (folder / "decisions.md").symlink_to("gone.md")
    (folder / "do-not-use.md").symlink_to("../../.git/config")
    put(folder, "shared.md", "x\n")
    put(folder, "inbox.md", "shared.md")  # what git writes where it cannot make links
    space = opened(root)
    expected = {
        "brief.md": ("link-outside", None), "constraints.md": ("link-outside", None), "decisions.md": ("unreadable", None),
        "do-not-use.md": ("link-outside", None), "inbox.md": ("link-outside", 1),
    }
    assert {name: problem_of(space, name) for name in expected} == expected
    assert b"secret" not in b"".join(document.data for document in space.documents.values())
    assert b"token" not in b"".join(document.data for document in space.documents.values())


def test_names_that_differ_only_in_case_or_form_are_reported(tmp_path: Path) -> None:
    files = {"areas/Storage": "# A\n", "areas/storage": "# B\n", "areas/zoe\u0308": "# C\n", "areas/zo\u00eb": "# D\n"}
    custodian_store(tmp_path, **files)
    clashes = [found for found in opened(tmp_path).problems if found.rule == "name-clash"]
    assert [(found.path, found.severity) for found in clashes] == [
        (f"{MEMORY}/areas/storage.md", "warning"), (f"{MEMORY}/areas/zo\u00eb.md", "warning"),
    ]
    assert f"{MEMORY}/areas/Storage.md" in clashes[0].message


def test_a_file_that_cannot_be_opened_is_a_document_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    real = os.open

    def refuse(path: bytes, *rest: int) -> int:
        if path.endswith(b"brief.md"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(worktree.os, "open", refuse)
    space = opened(tmp_path)
    document = space.documents[f"{MEMORY}/brief.md"]
    assert document.problem is not None
    assert document.problem == ("unreadable", None, "It cannot be opened: Permission denied.")
    assert len(space.documents) == 6


def test_folders_and_pipes_in_the_place_of_files_are_no_documents(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=None, inbox=None)
    (tmp_path / MEMORY / "brief.md").mkdir()
    os.mkfifo(tmp_path / MEMORY / "inbox.md")
    space = opened(tmp_path)
    assert not {f"{MEMORY}/brief.md", f"{MEMORY}/inbox.md"} & set(space.documents)
    assert len(space.stores) == 1


def test_a_file_that_goes_away_while_the_store_is_read_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    settings = config.defaults()
    tree = work_tree(str(tmp_path), settings)
    tree.walk()
    (tmp_path / MEMORY / "brief.md").unlink()
    space = open_workspace(tree, settings)
    assert f"{MEMORY}/brief.md" not in space.documents
    real = tree.fresh()
    original = worktree.WorkTree.read

    def vanish(self: worktree.WorkTree, path: str) -> bytes:
        if path.endswith("constraints.md"):
            (tmp_path / path).unlink(missing_ok=True)  # between the look at its size and the reading
        return original(self, path)

    monkeypatch.setattr(worktree.WorkTree, "read", vanish)
    space = open_workspace(real, settings)
    assert f"{MEMORY}/constraints.md" not in space.documents
    assert f"{MEMORY}/decisions.md" in space.documents


def test_a_folder_that_cannot_be_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path, **{"areas/a": "# A\n"})
    real = os.scandir

    def refuse(place: bytes) -> object:
        if place.endswith(b"areas"):
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(worktree.os, "scandir", refuse)
    space = opened(tmp_path)
    assert [tuple(found)[:3] for found in space.problems] == [("unreadable", "error", f"{MEMORY}/areas")]


def test_the_state_folder_is_no_memory_wherever_the_settings_put_it(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "memdesk.toml", '[state]\ndir = "docs/memory/archive/state"\n')
    put(tmp_path, f"{MEMORY}/archive/state/history/1.md", "x")
    put(tmp_path, f"{MEMORY}/.memdesk-9-0", "x")
    put(tmp_path, f"{MEMORY}/archive/old.md", "x")
    found = [path for path in opened(tmp_path).documents if "archive" in path or ".memdesk" in path]
    assert found == [f"{MEMORY}/archive/old.md"]


def test_400_files_open_without_parsing_any_but_the_manifest_and_one_is_read_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memdesk.core import markdown

    big_store(tmp_path)
    parsed: list[int] = []
    read: list[str] = []
    walked: list[str] = []
    parse, reading, walk = markdown.parse, worktree.WorkTree.read, worktree.WorkTree.walk
    monkeypatch.setattr(markdown, "parse", lambda data: parsed.append(len(data)) or parse(data))
    monkeypatch.setattr(worktree.WorkTree, "read", lambda self, path: read.append(path) or reading(self, path))
    monkeypatch.setattr(worktree.WorkTree, "walk", lambda self: walked.append(self.root) or walk(self))
    space = opened(tmp_path)
    assert len(space.documents) == 400
    assert len(parsed) <= 1
    read.clear()
    walked.clear()
    put(tmp_path, f"{MEMORY}/brief.md", "# Brief\n\nNew.\n")
    assert refresh(space, [f"{MEMORY}/brief.md"]) is not space
    assert (read, walked) == ([f"{MEMORY}/brief.md"], [])


def test_a_workspace_opens_over_gits_index_and_a_revision_too(tmp_path: Path) -> None:
    from memdesk.core.git import discover

    root = git_repo(tmp_path / "repo")
    custodian_store(root, brief="# Brief\n\nCommitted.\n")
    (root / MEMORY / "preferences.md").symlink_to("brief.md")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Store")
    put(root, f"{MEMORY}/brief.md", "# Brief\n\nStaged.\n")
    git(root, "add", "-A")
    put(root, f"{MEMORY}/brief.md", b"\xff\xfe disk")
    found = discover(str(root))
    assert found is not None
    for tree, words in ((found.index_tree(), b"Staged."), (found.revision_tree("HEAD"), b"Committed.")):
        space = open_workspace(tree, config.defaults())
        document = space.documents[f"{MEMORY}/brief.md"]
        assert words in document.data
        assert document.problem is None
        assert document.aliases == (f"{MEMORY}/preferences.md",)
        assert refresh(space) is not None


# Refreshing


def aged(root: Path) -> None:
    """Set every file's times back, so that its stamp can be relied on (as after some seconds)."""
    before = time.time() - 3_600
    for path in root.rglob("*"):
        os.utime(path, (before, before), follow_symlinks=False)


def test_nothing_changed_is_the_same_workspace(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    assert refresh(space) is space
    assert refresh(space, [f"{MEMORY}/brief.md", "README.md", "src/none.py"]) is space
    put(tmp_path, f"{MEMORY}/brief.md", (tmp_path / MEMORY / "brief.md").read_bytes())  # touched, the same
    assert refresh(space) is space


@pytest.mark.parametrize("told", [True, False])
def test_a_changed_file_is_read_again_and_the_others_are_shared(tmp_path: Path, told: bool) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    entries = space.documents[f"{MEMORY}/decisions.md"].entries
    path = f"{MEMORY}/constraints.md"
    put(tmp_path, path, "# Constraints\n\n- One.\n- Two.\n")
    new = refresh(space, [path] if told else None)
    assert new is not space
    assert [entry.heading for entry in new.documents[path].entries] == ["One.", "Two."]
    assert [entry.heading for entry in space.documents[path].entries] == ["Runs without a network connection."]
    assert {name for name in new.documents if new.documents[name] is not space.documents[name]} == {path}
    assert new.documents[f"{MEMORY}/decisions.md"].entries is entries
    assert new.documents[path].store is new.stores[0] is space.stores[0]
    assert refresh(new) is new


def test_a_change_of_the_same_size_and_time_is_still_seen(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- aaaa\n")
    space = opened(tmp_path)
    path = tmp_path / MEMORY / "inbox.md"
    times = os.stat(path)
    path.write_bytes(b"# Inbox\n\n- bbbb\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    new = refresh(space)
    assert new.documents[f"{MEMORY}/inbox.md"].data == b"# Inbox\n\n- bbbb\n"


def test_digests_of_a_refreshed_tree_speak_of_what_the_documents_hold(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    old = space.tree.digest(f"{MEMORY}/manifest.md")
    put(tmp_path, f"{MEMORY}/inbox.md", "# Inbox\n\n- new\n")
    put(tmp_path, f"{MEMORY}/manifest.md", manifest(areas=["x"]))  # unnoticed: nobody said that it changed
    new = refresh(space, [f"{MEMORY}/inbox.md"])
    assert new.tree.digest(f"{MEMORY}/inbox.md") != space.tree.digest(f"{MEMORY}/inbox.md")
    assert new.tree.digest(f"{MEMORY}/manifest.md") == old  # a plan made now would be refused, as it should be
    newer = refresh(new, [f"{MEMORY}/manifest.md"])
    assert newer.tree.digest(f"{MEMORY}/manifest.md") != old


@pytest.mark.parametrize("told", [True, False])
def test_new_and_vanished_files_are_noticed_and_the_others_are_shared(tmp_path: Path, told: bool) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    put(tmp_path, f"{MEMORY}/areas/new.md", "# New\n")
    (tmp_path / MEMORY / "brief.md").unlink()
    new = refresh(space, [f"{MEMORY}/areas/new.md", f"{MEMORY}/brief.md"] if told else None)
    assert set(new.documents) - set(space.documents) == {f"{MEMORY}/areas/new.md"}
    assert set(space.documents) - set(new.documents) == {f"{MEMORY}/brief.md"}
    assert new.stores[0] is space.stores[0]
    assert new.documents[f"{MEMORY}/inbox.md"] is space.documents[f"{MEMORY}/inbox.md"]


def test_a_folder_that_moves_away_or_comes_is_noticed_by_its_own_name(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/a": "# A\n"})
    space = opened(tmp_path)
    (tmp_path / MEMORY / "areas").rename(tmp_path / "moved")
    gone = refresh(space, [f"{MEMORY}/areas"])
    assert f"{MEMORY}/areas/a.md" not in gone.documents
    (tmp_path / "moved").rename(tmp_path / MEMORY / "areas")
    assert f"{MEMORY}/areas/a.md" in refresh(gone, [f"{MEMORY}/areas"]).documents


def test_a_changed_manifest_opens_the_stores_anew_and_keeps_what_was_parsed(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/a": "# A\n\n- one\n"})
    space = opened(tmp_path)
    page = space.documents[f"{MEMORY}/areas/a.md"].page
    put(tmp_path, f"{MEMORY}/manifest.md", manifest(areas=["a"], budgets=["areas/*.md: 77 tokens max per file"]))
    new = refresh(space, [f"{MEMORY}/manifest.md"])
    document = new.documents[f"{MEMORY}/areas/a.md"]
    assert new.stores[0] is not space.stores[0]
    assert document.store is new.stores[0]
    assert document.place.cap is not None
    assert document.place.cap.limit == 77
    assert document.page is page
    assert [entry.document for entry in document.entries] == [document]


def test_a_store_that_appears_or_vanishes_is_noticed(tmp_path: Path) -> None:
    put(tmp_path, "README.md", "x")
    space = opened(tmp_path)
    custodian_store(tmp_path)
    new = refresh(space)
    assert [store.path for store in new.stores] == [MEMORY]
    (tmp_path / MEMORY / "manifest.md").unlink()
    gone = refresh(new, [f"{MEMORY}/manifest.md"])
    assert gone.stores == []
    assert [miss.path for miss in gone.near_misses] == [MEMORY]


def test_a_link_that_leads_elsewhere_now_is_noticed(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=None)
    put(tmp_path, "one.md", "one\n")
    put(tmp_path, "two.md", "two\n")
    link = tmp_path / MEMORY / "brief.md"
    link.symlink_to("../../one.md")
    space = opened(tmp_path)
    link.unlink()
    link.symlink_to("../../two.md")
    new = refresh(space, [f"{MEMORY}/brief.md"])
    assert (new.documents[f"{MEMORY}/brief.md"].data, new.documents[f"{MEMORY}/brief.md"].aliases) == (b"two\n", ("two.md",))
    put(tmp_path, "two.md", "2\n")  # a change under the other name
    assert refresh(new, ["two.md"]).documents[f"{MEMORY}/brief.md"].data == b"2\n"


def test_a_file_that_loses_or_gains_a_problem_is_noticed(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    path = f"{MEMORY}/brief.md"
    good = (tmp_path / path).read_bytes()
    put(tmp_path, path, b"\xff\xfe#")
    bad = refresh(space, [path])
    assert problem_of(bad, "brief.md") == ("encoding", 1)
    put(tmp_path, path, good)
    assert problem_of(refresh(bad, [path]), "brief.md") is None


def test_old_files_are_compared_without_reading_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    aged(tmp_path)
    monkeypatch.setattr(workspace, "RACY", 0)  # the inode's own time cannot be set back
    space = opened(tmp_path)
    read: list[str] = []
    real = worktree.WorkTree.read

    def counted(self: worktree.WorkTree, path: str) -> bytes:
        read.append(path)
        return real(self, path)

    monkeypatch.setattr(worktree.WorkTree, "read", counted)
    assert refresh(space) is space
    assert [path for path in read if not path.endswith("manifest.md")] == []


def test_new_settings_open_the_workspace_anew(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    space = opened(tmp_path)
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"docs/memory" = "none"\n')
    new = refresh(space, ["memdesk.toml"], config.load(str(tmp_path)))
    assert new.stores == []
    assert refresh(new, settings=config.load(str(tmp_path))) is new


def test_a_configured_store_that_is_none_is_an_error_of_the_settings(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "memdesk.toml", '\n[stores.layout]\n"docs/gone" = "custodian"\n')
    with pytest.raises(StoreError, match="there is no such folder") as caught:
        opened(tmp_path)
    assert (caught.value.path, caught.value.line) == ("memdesk.toml", 3)


@pytest.mark.parametrize("mark", [".git/HEAD", "memdesk.toml", ".memdesk/judgments.toml", f"{MEMORY}/manifest.md"])
def test_only_what_is_no_workspace_yet_is_searched_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    monkeypatch.setattr("memdesk.core.workspace.MOST_ENTRIES", 5)
    for number in range(9):
        put(tmp_path, f"notes/{number}.md", "x")
    with pytest.raises(StoreError, match="is no repository"):
        work_tree(str(tmp_path), config.defaults()).walk()
    put(tmp_path, mark, "")
    assert len(work_tree(str(tmp_path), config.defaults()).walk()) >= 9
