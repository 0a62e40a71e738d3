"""What packs gain and lose between two states of a real repository, against the packs of real checkouts of both."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings

from memdesk.core.against import Against, trunk
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import GitError, StoreError
from memdesk.core.git import discover
from memdesk.core.packdiff import Difference, compare
from tests.support.editing import EDITS, Edit, edited, example
from tests.support.pulls import BUDGET, base, commit, pull
from tests.support.stores import MEMORY, git, git_repo, put, snapshot

TODAY = clock("2026-11-30")


def desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=TODAY, user_config=None)


def by_name(made: Against) -> dict[str, Difference]:
    return {one.module or one.task: one for one in made.differences}


def told(one: Difference) -> dict[str, list[str]]:
    """What it says of entries and files, in a few words."""
    found = {name: [seen.heading for seen in getattr(one, name)] for name in _ENTRIES}
    found["moved"] = [f"{pair.before.path} > {pair.after.path}" for pair in one.moved]
    found["files"] = [f"+{path}" for path in one.files_added] + [f"-{path}" for path in one.files_removed]
    return {name: values for name, values in found.items() if values}


_ENTRIES = ("gained", "lost", "newly_omitted", "no_longer_omitted")
NEVER, SORT, STONE = "Never deletes a count.", "2026-04-01 - Sort by day", "Tombstone: One big table"


def test_a_pull_request_that_changes_memory_in_four_ways(tmp_path: Path) -> None:
    base(tmp_path)
    pull(tmp_path)
    made = desk(tmp_path).against("HEAD")
    assert {name: told(one) for name, one in by_name(made).items()} == {
        "planning": {"gained": [STONE, NEVER], "newly_omitted": [SORT]},
        "implementation": {"gained": [STONE], "lost": [NEVER], "newly_omitted": [SORT]},
        "artifact": {"gained": [NEVER]},
        "preferences": {"gained": [NEVER]},
        "history": {"newly_omitted": [SORT]},
        "maintenance": {
            "gained": [STONE], "newly_omitted": [SORT], "moved": [f"{MEMORY}/constraints.md > {MEMORY}/preferences.md"],
        },
        "general": {},
        "area:files": {"gained": ["One file for each site.", "CSV alone."], "files": [f"+{MEMORY}/areas/files.md"]},
        "area:storage": {"lost": ["One file for each site.", "CSV alone."], "files": [f"-{MEMORY}/areas/storage.md"]},
    }  # fmt: skip
    assert by_name(made)["history"].framing == (
        f"{MEMORY}/decisions.md: 1 omitted over the budget of {BUDGET - 10} tokens; before: nothing omitted",
    )
    assert by_name(made)["area:files"].notes == ("2 of its 2 entries were in area:storage, which is gone",)
    assert (made.failures, made.warnings, made.head) == ((), (), None)


def test_two_revisions_say_the_same_as_the_working_tree_did(tmp_path: Path) -> None:
    base(tmp_path)
    first = git(tmp_path, "rev-parse", "HEAD").strip()
    pull(tmp_path)
    here = desk(tmp_path).against("HEAD")
    second = commit(tmp_path)
    put(tmp_path, f"{MEMORY}/brief.md", "# Brief\n\nSomething else by now.\n")
    made = desk(tmp_path).against("HEAD~1", "HEAD")
    assert made.differences == here.differences
    assert (made.base, made.head, made.base_commit, made.head_commit) == ("HEAD~1", "HEAD", first, second)
    assert not by_name(desk(tmp_path).against("HEAD", "HEAD"))["general"].changed


def checkouts(root: Path, before: dict[str, bytes], after: dict[str, bytes]) -> tuple[Path, Path, Path]:
    """A repository with a commit for each state, the later one checked out, and a checkout of each beside it."""
    repo = git_repo(root / "repo")
    for state in (before, after):
        for file in snapshot(repo):
            (repo / file).unlink()
        for path, data in state.items():
            put(repo, path, data)
        commit(repo)
    for name, rev in (("before", "main~1"), ("after", "main")):
        git(repo, "worktree", "add", "-q", "--detach", str(root / name), rev)
    return repo, root / "before", root / "after"


@pytest.mark.slow
@settings(max_examples=25)
@given(edits=EDITS)
def test_it_is_what_checkouts_of_both_packed_apart_say(tmp_path_factory: pytest.TempPathFactory, edits: list[Edit]) -> None:
    files = example("custodian") | example("tiers") | example("records")
    both(tmp_path_factory.mktemp("both"), files, edited(files, edits))


def test_settings_are_those_of_each_side(tmp_path: Path) -> None:
    files = example("custodian") | example("tiers")
    before = {**files, "memdesk.toml": b'[stores]\nignore = ["packaging"]\n'}
    after = {**files, "memdesk.toml": b'[standing]\nmemory = "Read this first."\n[tiers]\nlog_days = 400\n'}
    made = both(tmp_path, before, after)
    assert [one.tokens_before for one in made.differences if one.store.startswith("packaging")] == [0]
    (began,) = by_name(made)["general"].framing  # what an agent reads first, so it is told with its words
    assert began.startswith("it begins with the line 'Read this first.'; before: 'Project memory: context, not instruction. ")
    assert [one.module or one.task for one in made.differences if one.store == MEMORY and not one.empty] == [
        "planning", "implementation", "artifact", "preferences", "history", "maintenance", "general",
    ]


@pytest.mark.parametrize("to", ["../preferences.md", pytest.param("../../../README.md", marks=pytest.mark.slow)])
def test_links_are_what_they_are_in_a_checkout(tmp_path: Path, to: str) -> None:
    files = example("custodian")
    repo, first, second = checkouts(tmp_path, files, files)
    linked = repo / MEMORY / "profiles" / "reviewer.md"
    linked.unlink()
    linked.symlink_to(to)
    commit(repo)
    git(second, "checkout", "-q", "--detach", "main")
    made = desk(repo).against("main~1", "main")
    packed = compare(desk(first).workspace, desk(second).workspace, today=TODAY.today(), names=("main~1", "main"))
    assert made.differences == tuple(packed)
    assert not by_name(made)["profile:reviewer"].empty
    assert len(made.failures) == (to != "../preferences.md")  # a link out of the store is no memory: that module fails alone


def both(root: Path, before: dict[str, bytes], after: dict[str, bytes]) -> Against:
    """The comparison of the last two commits, held against one of their checkouts, each with its own settings."""
    repo, first, second = checkouts(root, before, after)
    one, two = desk(first), desk(second)
    found = tuple(compare(
        one.workspace, two.workspace, today=TODAY.today(), names=("main~1", "main"),
        standing=(one.settings.standing, two.settings.standing),
    ))
    made = desk(repo).against("main~1", "main")
    assert made.differences == found
    here = desk(repo).against("main~1")
    assert [one._replace(failures=()) for one in here.differences] == [one._replace(failures=()) for one in found]
    return made


def test_nothing_is_written(tmp_path: Path) -> None:
    base(tmp_path)
    pull(tmp_path)
    git(tmp_path, "add", f"{MEMORY}/preferences.md")
    put(tmp_path, f"{MEMORY}/preferences.md", "# Preferences\n\n- Not staged.\n")

    def state() -> tuple[object, ...]:
        files = [path for path in tmp_path.rglob("*") if path.is_file() and "memdesk" not in path.parts]
        return snapshot(tmp_path), {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    before = state()
    desk(tmp_path).against("HEAD")
    desk(tmp_path).against("HEAD", "main")
    assert state() == before
    assert "MM docs/memory/preferences.md\n" in git(tmp_path, "status", "--porcelain")


def test_the_index_and_what_git_ignores_play_no_part(tmp_path: Path) -> None:
    """An agent reads the working tree: what is staged alone is no side of it, and an ignored file is."""
    base(tmp_path)
    put(tmp_path, ".gitignore", "changelog.md\n")
    commit(tmp_path)
    put(tmp_path, f"{MEMORY}/changelog.md", "# Changelog\n\n- 2026-05-01: Begun.\n")
    staged = put(tmp_path, f"{MEMORY}/preferences.md", "# Preferences\n\n- Staged alone.\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "show", "HEAD:docs/memory/preferences.md")
    staged.write_text(git(tmp_path, "show", "HEAD:docs/memory/preferences.md"))
    made = by_name(desk(tmp_path).against("HEAD"))
    assert made["preferences"].empty
    assert told(made["history"]) == {"gained": ["2026-05-01: Begun."], "files": [f"+{MEMORY}/changelog.md"]}


def test_a_base_that_has_gone_on_is_warned_of_with_the_merge_base(tmp_path: Path) -> None:
    base(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "topic")
    put(tmp_path, f"{MEMORY}/constraints.md", "# Constraints\n\n- Ours.\n")
    commit(tmp_path)
    assert desk(tmp_path).against("main").warnings == ()
    git(tmp_path, "checkout", "-q", "main")
    put(tmp_path, f"{MEMORY}/preferences.md", "# Preferences\n\n- Theirs.\n")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "topic")
    for made in (desk(tmp_path).against("main"), desk(tmp_path).against("main", "topic")):
        assert made.warnings == (
            "main has gone on since this left it: what was changed there meanwhile is listed as undone here.",
        )
        assert made.gone_on
        assert told(by_name(made)["preferences"])["gained"] == ["Short sentences."]
    alone = desk(tmp_path).against(trunk_of(tmp_path) or "")
    assert (alone.warnings, alone.gone_on) == ((), False)
    assert by_name(alone)["preferences"].empty
    git(tmp_path, "checkout", "-q", "--orphan", "other")
    commit(tmp_path)
    assert "no common commit" in desk(tmp_path).against("main").warnings[0]


def trunk_of(root: Path) -> str | None:
    found = discover(str(root))
    assert found is not None
    return trunk(found)


def test_the_trunk_is_where_the_work_left_the_default_branch(tmp_path: Path) -> None:
    base(tmp_path)
    begin = git(tmp_path, "rev-parse", "HEAD").strip()
    assert trunk_of(tmp_path) == begin
    git(tmp_path, "checkout", "-q", "-b", "topic")
    commit(tmp_path)
    assert trunk_of(tmp_path) == begin
    git(tmp_path, "branch", "-q", "-m", "main", "trunk")
    assert trunk_of(tmp_path) == begin
    git(tmp_path, "branch", "-q", "-m", "trunk", "devel")
    assert trunk_of(tmp_path) is None
    git(tmp_path, "update-ref", "refs/remotes/origin/devel", "devel")
    git(tmp_path, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/devel")
    assert trunk_of(tmp_path) == begin
    git(tmp_path, "checkout", "-q", "--detach")
    assert trunk_of(tmp_path) == begin
    assert trunk_of(git_repo(tmp_path / "empty", commit=False)) is None


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A repository for tests that only ask."""
    root = tmp_path_factory.mktemp("still")
    base(root)
    return desk(root)


@pytest.mark.parametrize("rev", ["nowhere", "", "-x", "--output=x", "HEAD:docs", "main..main", "HEAD\n", "a\0b"])
def test_an_unknown_revision_is_refused(still: Desk, rev: str) -> None:
    with pytest.raises(GitError, match="does not know the revision"):
        still.against(rev)
    with pytest.raises(GitError, match="does not know the revision"):
        still.against("HEAD", rev)


def test_without_a_repository_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    (tmp_path / "memdesk.toml").touch()
    with pytest.raises(GitError, match="not in a git repository"):
        desk(tmp_path).against("HEAD")


def test_settings_of_a_side_that_cannot_be_read_name_that_side(tmp_path: Path) -> None:
    base(tmp_path)
    put(tmp_path, "memdesk.toml", "[stores]\nignoer = []\n")
    commit(tmp_path)
    os.unlink(tmp_path / "memdesk.toml")
    with pytest.raises(StoreError) as caught:
        desk(tmp_path).against("main")
    assert str(caught.value).startswith("memdesk.toml (in main):2: ")


def test_what_a_partial_clone_lacks_is_said_and_not_fetched(tmp_path: Path) -> None:
    base(tmp_path / "from")
    put(tmp_path / "from", f"{MEMORY}/brief.md", "# Brief\n\nNewer.\n")
    commit(tmp_path / "from")
    git(tmp_path / "from", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{tmp_path}/from", "clone")
    there = git(tmp_path / "clone", "count-objects", "-v")
    with pytest.raises(GitError, match="not in this repository"):
        desk(tmp_path / "clone").against("main~1")
    assert git(tmp_path / "clone", "count-objects", "-v") == there
    assert desk(tmp_path / "clone").against("main").differences[0].empty
