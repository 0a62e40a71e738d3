"""Each state of a repository gives what a plain checkout gives, or exit 2 with the command that mends it (docs/ci.md).

No pass because nothing was looked at: in the plain checkout the change since the base breaks a rule, so a pass is wrong.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.commands import Here, Ran
from tests.support.sampling import sampled
from tests.support.stores import agent_memory_store, git, git_repo, put

ADA = "bot/memory/people/ada.md"
API = "bot/memory/decisions/api.md"
GOOD = "# Ada\n\n- [stated] Plans the spring counts (2026-02-01, from her letter)\n"
BARE = GOOD + "- Likes tea\n"  # breaks disk-provenance where it is seen to be added
NEW = "bot/memory/projects/new.md"
SPARE = "# New\n\n- [observed] Fast (2026-10-30, from the load test)\n"
Commands = Callable[[Path], Here]
Made = Callable[[Path, Path], Path]  # (the origin, an empty folder's name) -> the root of a checkout in the state

_origin: list[Path] = []


@pytest.fixture
def origin(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of four commits: the newest on main breaks a rule, topic left before it. Made once, copied for each test."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "protocol.file.allow")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "always")
    if not _origin:
        root = tmp_path_factory.mktemp("git") / "origin"
        agent_memory_store(root, "bot", **{"memory/archive/old.md": "- old\n"})
        git_repo(root)
        git(root, "tag", "first")
        commit(root, NEW, SPARE)
        git(root, "branch", "topic")
        commit(root, ADA, BARE)
        git(root, "checkout", "-q", "topic")
        commit(root, "README.md", "# Plover\n")
        git(root, "checkout", "-q", "main")
        for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
            git(root, "config", key, "true")
        _origin.append(root)
    shutil.copytree(_origin[0], tmp_path / "origin")
    return tmp_path / "origin"


@pytest.fixture
def at(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Commands in a folder."""
    return lambda root: Here(root, capsys, monkeypatch)


def commit(root: Path, path: str = "", text: str = "") -> str:
    if path:
        put(root, path, text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "More")
    return git(root, "rev-parse", "HEAD").strip()


def clone(origin: Path, to: Path, *options: str) -> Path:
    git(origin.parent, "clone", "-q", *options, origin.as_uri(), str(to))
    return to


def answers(here: Here, base: str) -> list[tuple[int, object]]:
    """What a check and the packs say, as JSON."""
    ran = [here(*words, "--base", base, "--format", "json") for words in (("--check",), ("pack",))]
    return [(one.code, one.json) for one in ran]


def plain(origin: Path, at: Commands, base: str) -> list[tuple[int, object]]:
    """The answers in a clone with everything. The check's is 1: it looked, and found."""
    root = origin.parent / "plain"
    if not root.exists():
        clone(origin, root)
    said = answers(at(root), base)
    assert said[0][0] == 1
    return said


def loose(root: Path) -> Path:
    """The same repository with each object in a file of its own."""
    for pack in (root / ".git/objects/pack").glob("*.pack"):
        away = pack.rename(root.parent / "objects.pack")
        for rest in pack.parent.glob("*"):
            rest.unlink()
        with away.open("rb") as stream:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=root, stdin=stream, check=True)
        away.unlink()
    return root


def object_file(root: Path, rev: str) -> Path:
    name = git(root, "rev-parse", rev).strip()
    return root / ".git/objects" / name[:2] / name[2:]


# What a plain checkout says -------------------------------------------------------------------------------------------


def _branch(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--single-branch")


def _enough_depth(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--depth", "2")


def _detached(origin: Path, to: Path) -> Path:
    git(clone(origin, to), "checkout", "-q", "--detach")
    return to


def _worktree(origin: Path, to: Path) -> Path:
    clone(origin, to.parent / "first", "-b", "topic")
    git(to.parent / "first", "worktree", "add", "-q", str(to), "main")
    return to


def _worktree_of_bare(origin: Path, to: Path) -> Path:
    clone(origin, to.parent / "bare.git", "--bare")
    git(to.parent / "bare.git", "worktree", "add", "-q", str(to), "main")
    return to


def _submodule(origin: Path, to: Path) -> Path:
    outer = to.parent / "outer"
    git_repo(outer)
    git(outer, "submodule", "add", "-q", origin.as_uri(), to.name)
    for number in range(3):  # commits that are not the submodule's own
        commit(outer, "notes.md", f"{number}\n")
    return outer / to.name


def _alternates(origin: Path, to: Path) -> Path:
    git(origin.parent, "clone", "-q", "--shared", str(origin), str(to))
    return to


def _packed(origin: Path, to: Path) -> Path:
    git(clone(origin, to), "gc", "-q")
    git(to, "commit-graph", "write", "--reachable")
    return to


def _below(origin: Path, to: Path) -> Path:
    return clone(origin, to) / "bot/memory"


def _sparse_around(origin: Path, to: Path) -> Path:
    for name in ("src/a.md", "lib/b.md"):
        put(origin, name, "x\n")
    git(origin, "checkout", "-q", "main~1")
    commit(origin, "src/a.md", "x\n")
    commit(origin, ADA, BARE)
    git(origin, "branch", "-qf", "main")
    git(origin, "checkout", "-q", "main")
    clone(origin, to)
    git(to, "sparse-checkout", "set", "--cone", "--sparse-index", "bot")
    assert not (to / "src").exists()
    return to


def _separate_git_dir(origin: Path, to: Path) -> Path:
    return clone(origin, to, f"--separate-git-dir={to.parent / 'elsewhere.git'}")


def _other_variables(origin: Path, to: Path) -> Path:
    return clone(origin, to)  # the test sets them


def _cherry_picking(origin: Path, to: Path) -> Path:
    clone(origin, to)
    git(to, "checkout", "-q", "-b", "other", "main~1")
    commit(to, ADA, GOOD + "- [stated] Likes rain (2026-02-01, from her letter)\n")
    git(to, "checkout", "-q", "-b", "here", "main")
    done = subprocess.run(["git", "cherry-pick", "other"], cwd=to, capture_output=True, check=False)
    assert done.returncode != 0
    put(to, ADA, BARE)  # as it was, but git is not done
    git(to, "add", "-A")
    return to


def _rebasing(origin: Path, to: Path) -> Path:
    clone(origin, to)
    git(to, "checkout", "-q", "-b", "here", "main")
    editor = {**os.environ, "GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/"}
    subprocess.run(["git", "rebase", "-q", "-i", "main~1"], cwd=to, env=editor, capture_output=True, check=True)
    assert (to / ".git/rebase-merge").exists()
    return to


def _partial(origin: Path, to: Path) -> Path:
    """Of a partial clone that has what it needs nothing is missed."""
    clone(origin, to, "--filter=blob:none")
    git(to, "diff", "main~1", "main")
    git(to, "archive", "-o", os.devnull, "main~1")
    return to


SAME: list[Made] = [
    _branch, _worktree, _submodule, _other_variables, _enough_depth, _sparse_around, _detached, _worktree_of_bare, _alternates,
    _packed, _below, _separate_git_dir, _cherry_picking, _rebasing, _partial,
]


@pytest.mark.parametrize("state", sampled(SAME, 8), ids=lambda made: made.__name__)
def test_the_answer_is_that_of_a_plain_checkout(
    tmp_path: Path, origin: Path, at: Commands, state: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = state(origin, tmp_path / "state")
    base = git(root, "rev-parse", "HEAD~1").strip()
    said = plain(origin, at, base)
    if state is _other_variables:  # as a hook of another repository has them
        other = git_repo(tmp_path / "other")
        git(other, "tag", base[:12])
        for name, value in {
            "GIT_DIR": ".git", "GIT_WORK_TREE": ".", "GIT_INDEX_FILE": ".git/index", "GIT_OBJECT_DIRECTORY": ".git/objects",
            "GIT_COMMON_DIR": ".git", "GIT_NAMESPACE": "x", "GIT_QUARANTINE_PATH": ".git/objects/x", "GIT_PREFIX": "bot/",
        }.items():
            monkeypatch.setenv(name, value.replace(".git", str(other / ".git")))
    if state is not _alternates:
        origin.rename(origin.parent / "gone")  # nothing is fetched
    assert answers(at(root), base) == said


def test_with_the_history_replaced_it_is_what_git_shows(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state")
    git(root, "replace", "main~1", "first")
    replaced, told = answers(at(root), "main~1"), answers(at(root), "first")
    assert [one["path"] for one in replaced[1][1]["tasks"][0]["gained"]] == [  # type: ignore[index]
        one["path"] for one in told[1][1]["tasks"][0]["gained"]  # type: ignore[index]
    ]
    assert (replaced[0][0], replaced[0][1]["change"]["files"]) == (1, 2)  # type: ignore[index]
    git(root, "config", "core.useReplaceRefs", "false")
    assert answers(at(root), "main~1")[0][1]["change"]["files"] == 1  # type: ignore[index]
    put(root, ".git/info/grafts", " ".join(git(root, "rev-parse", "main", "first").split()) + "\n")
    assert answers(at(root), "main~1")[0][1]["change"]["files"] == 2  # type: ignore[index]


@pytest.mark.slow
def test_a_store_in_a_submodule_is_none_of_the_repository_above(tmp_path: Path, origin: Path, at: Commands) -> None:
    outer = _submodule(origin, tmp_path / "sub").parent
    agent_memory_store(outer, "own")
    commit(outer)
    value = at(outer)("--check", "--base", "HEAD~1", "--format", "json").json
    assert [store["path"] for store in value["stores"] if store["path"].startswith("own")] == ["own"]
    assert value["change"]["files"] == 4


@pytest.mark.slow
def test_objects_by_sha256_are_read_like_the_others(tmp_path: Path, at: Commands) -> None:
    root = tmp_path / "repo"
    agent_memory_store(root, "bot")
    git(root.parent, "init", "-q", "-b", "main", "--object-format=sha256", str(root))
    commit(root)
    base = commit(root, ADA, BARE)
    assert len(base) == 64
    assert [code for code, _ in answers(at(root), "HEAD~1")] == [1, 0]
    put(root, NEW, "")
    git(root, "add", "-N", NEW)
    assert at(root)("--check", "--staged").code == 0
    assert at(root)("--check", "--base", "0" * 64).code == 2


# What is not here, and how it comes ---------------------------------------------------------------------------------------


class Missing(NamedTuple):
    """A state in which something is not here: the `base` that is asked for, and what the message `says`."""

    made: Made
    base: str
    says: str


def _shallow(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--depth", "1")


def _pull_request(origin: Path, to: Path) -> Path:
    """As a host's own checkout makes it: one commit, detached, with one ref that is no branch."""
    git(origin, "update-ref", "refs/pull/1/head", "main")
    git_repo(to, commit=False)
    git(to, "remote", "add", "origin", origin.as_uri())
    git(to, "fetch", "-q", "--no-tags", "--depth=1", "origin", "+refs/pull/1/head:refs/remotes/pull/1/head")
    git(to, "checkout", "-q", "--detach", "refs/remotes/pull/1/head")
    return to


def _no_tags(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--no-tags", "--single-branch")


def _blobless(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--filter=blob:none")


def _treeless(origin: Path, to: Path) -> Path:
    return clone(origin, to, "--filter=tree:0")


def _lost(rev: str) -> Made:
    def made(origin: Path, to: Path) -> Path:
        root = loose(clone(origin, to))
        object_file(root, rev).unlink()
        return root

    made.__name__ = f"lost {rev}"
    return made


def _damaged(origin: Path, to: Path) -> Path:
    root = loose(clone(origin, to))
    file = object_file(root, f"main~1:{ADA}")
    file.chmod(0o644)
    file.write_bytes(b"garbage")
    return root


def _corrupt_pack(origin: Path, to: Path) -> Path:
    git(clone(origin, to), "gc", "-q")
    (pack,) = (to / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    data = bytearray(pack.read_bytes())
    for at in range(200, len(data) - 20, 7):
        data[at] ^= 0xFF
    pack.write_bytes(data)
    return to


_ALL = "git fetch --unshallow --tags origin"
_REST = "git fetch --refetch --no-filter origin"
_PART = f"This clone is partial, and memdesk fetches nothing. Fetch the rest: {_REST}"
MISSING = [
    Missing(_shallow, "HEAD~1", _ALL), Missing(_blobless, "main~1", _PART),
    Missing(_lost(f"main~1:{ADA}"), "main~1", "is not in this repository. Fetch it again"),
    Missing(_shallow, "origin/main~1", _ALL), Missing(_shallow, "origin/topic", _ALL), Missing(_shallow, "first", _ALL),
    Missing(_shallow, "main~1^{commit}", _ALL), Missing(_pull_request, "HEAD~1", _ALL),
    Missing(_pull_request, "origin/topic", _ALL), Missing(_treeless, "main~1", _REST),
    Missing(_no_tags, "first", "git fetch --tags origin"),
    Missing(_no_tags, "origin/topic", "git fetch origin '+topic:refs/remotes/origin/topic'"),
    Missing(_lost("main~1:bot"), "main~1", "is not in this repository. Fetch it again"),
    Missing(_lost("main~1"), "main~1", "Its history is not whole here."), Missing(_damaged, "main~1", "is damaged"),
    Missing(_corrupt_pack, "main~1", "is damaged"),
]  # fmt: skip


def printed(said: str) -> str:
    """The command that a message names, to be run as it stands."""
    found = re.search(r"git (?:fetch --?[a-z]|fetch|sparse-checkout|config --|add)[^\n]*?(?= \(in CI|[.;](?: |$)|$)", said)
    assert found is not None, said
    return found[0]


def run(root: Path, command: str) -> None:
    done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize("case", sampled(MISSING, 8), ids=lambda case: f"{case.made.__name__} {case.base}")
def test_what_is_not_here_is_2_and_the_command_that_is_named_brings_it(
    tmp_path: Path, origin: Path, at: Commands, case: Missing
) -> None:
    root = case.made(origin, tmp_path / "state")
    said = plain(origin, at, case.base)
    away = origin.rename(origin.parent / "away")  # whatever would fetch from it fails
    objects = git(root, "count-objects", "-v") if case.made is not _corrupt_pack else ""
    for words in (("--check",), ("pack",), ("--check", "--changed-only")):
        ran = at(root)(*words, "--base", case.base)
        assert (ran.code, "RESULT pass" in ran.out) == (2, False)
        assert case.says in " ".join(ran.err.split())
    for form in ("json", "github", "sarif", "junit"):
        formed = at(root)("--check", "--base", case.base, "--format", form)
        assert (formed.code, '"result": "pass"' in formed.out) == (2, False)
        assert case.says.partition(" ")[0] in formed.out
    if objects:
        assert git(root, "count-objects", "-v") == objects
    away.rename(origin)
    if "damaged" in case.says:
        packs = list((root / ".git/objects/pack").glob("*"))
        for file in packs or [object_file(root, f"main~1:{ADA}")]:
            file.unlink()
    run(root, printed(" ".join(at(root)("pack", "--base", case.base).err.split())))
    assert answers(at(root), case.base) == said


def test_a_name_that_only_the_remote_has_is_told_with_it(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state")
    ran = at(root)("--check", "--base", "topic")
    assert (ran.code, "git does not know the revision 'topic'. Here it is origin/topic." in ran.err) == (2, True)
    assert at(root)("--check", "--base", "origin/topic").code == 1
    for base, says in (
        ("", "such as git merge-base, printed nothing. git log shows"), ("HEAD~9", "HEAD has 3 commits in its history"),
        ("0" * 40, f"git fetch origin {'0' * 40}"), ("HEAD:bot", "name another"), ("a\nb", "It is no name of one."),
        ("--all", "git does not know the revision '--all'"), ("origin/no", "git fetch origin '+no:refs/remotes/origin/no'"),
    ):
        ran = at(root)("pack", f"--base={base}")
        assert (ran.code, ran.out, says in ran.err) == (2, "", True), ran.err


def test_a_base_that_is_here_without_the_merge_base_is_compared_as_asked(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state", "--depth", "1", "--no-single-branch")
    whole, cut = plain(origin, at, "origin/topic"), answers(at(root), "origin/topic")
    said = [one[1].pop("warnings") for one in (whole[1], cut[1])]  # type: ignore[attr-defined]
    assert cut == whole
    assert "has gone on since this left it" in said[0][0]
    assert "not known here whether origin/topic has gone on" in said[1][0]
    run(root, printed(said[1][0]))
    assert answers(at(root), "origin/topic")[1][1]["warnings"] == said[0]  # type: ignore[index]


def test_prune_says_that_a_shallow_clone_knows_no_age(
    tmp_path: Path, at: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_memory_store(tmp_path / "origin", "bot", **{"memory/people/bob.md": "# Bob\n\n- [stated] Counts in the north\n"})
    put(tmp_path / "origin", "memdesk.toml", "[prune]\nuntouched_days = 90\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
    git_repo(tmp_path / "origin")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    commit(tmp_path / "origin", "README.md", "# Plover\n")
    whole, cut = (clone(tmp_path / "origin", tmp_path / name, *more) for name, more in (("whole", ()), ("cut", ("--depth=1",))))
    ran = at(whole)("prune")
    assert (ran.code, "prune.untouched_days" in ran.out) == (0, True)
    ran = at(cut)("prune")
    assert (ran.code, "prune.untouched_days" in ran.out, "was last changed" in ran.err) == (2, False, True)
    run(cut, printed(ran.err.strip().split("\n")[-1]))
    assert at(cut)("prune").out == at(whole)("prune").out


@pytest.mark.slow
def test_what_is_staged_but_not_here_is_2(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state", "--filter=blob:none", "--no-checkout")
    git(root, "reset", "-q")
    away = origin.rename(origin.parent / "away")
    for words in ((), ("--format", "json"), ("--format", "sarif")):
        ran = at(root)("--check", "--staged", *words)
        assert (ran.code, _PART in ran.err) == (2, True), ran.err
    away.rename(origin)
    run(root, printed(ran.err.strip()))
    git(root, "reset", "-q", "--soft", "HEAD~1")
    assert at(root)("--check", "--staged").code == 1


def test_before_the_first_commit_all_is_new_and_there_is_no_base(tmp_path: Path, at: Commands) -> None:
    agent_memory_store(tmp_path, "bot")
    put(tmp_path, ADA, BARE)
    git_repo(tmp_path, commit=False)
    here = at(tmp_path)
    assert here("--check").code == here("--check", "--changed-only").code == 1
    for base in ("HEAD", "HEAD~1"):
        ran = here("--check", "--base", base)
        assert (ran.code, "Nothing is committed here yet: commit first" in ran.err) == (2, True)
        assert here("pack", "--base", base).code == 2
    assert here("--check", "--staged").code == 2  # nothing is staged, so there is no store
    git(tmp_path, "add", "-A")
    assert here("--check", "--staged").code == 1


def test_a_head_that_is_not_here_is_no_repository_without_commits(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = loose(clone(origin, tmp_path / "state"))
    object_file(root, "HEAD").unlink()
    put(root, ADA, BARE + "- Likes rain\n")
    git(root, "add", ADA)
    for words in (("--check",), ("--check", "--staged"), ("pack", "--base", "HEAD"), ("--check", "--base", "HEAD")):
        ran = at(root)(*words)
        assert (ran.code, "git fetch --refetch --no-filter origin" in ran.err) == (2, True), (words, ran.err)
    run(root, "git fetch --refetch --no-filter origin")
    assert at(root)("--check", "--staged").code == 1


# A `.git` that is not what it should be -----------------------------------------------------------------------------------


def test_a_link_to_a_repository_that_is_gone_is_2_not_a_folder_without_git(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = _worktree(origin, tmp_path / "state")
    agent_memory_store(git_repo(tmp_path), "bot")  # another one above: none of its business
    commit(tmp_path)
    (tmp_path / "first").rename(tmp_path / "moved")
    for words in (("--check",), ("--check", "--staged"), ("--check", "--base", "HEAD~1"), ("pack", "--base", "HEAD~1")):
        ran = at(root)(*words)
        assert (ran.code, "git worktree repair" in ran.err) == (2, True), (words, ran.err)
    assert at(root)("--check", "--no-diff").code == 0
    git(tmp_path / "moved", "worktree", "repair", str(root))
    assert answers(at(root), "HEAD~1") == plain(origin, at, "HEAD~1")


def test_of_a_broken_repository_the_one_above_is_not_asked(tmp_path: Path, origin: Path, at: Commands) -> None:
    agent_memory_store(git_repo(tmp_path / "above"), "bot")
    commit(tmp_path / "above")
    root = clone(origin, tmp_path / "above/state")
    put(root, ADA, BARE + "- Likes rain\n")
    (root / ".git/objects").rename(root / ".git/objects.away")
    for words in (("--check",), ("--check", "--staged"), ("--check", "--base", "HEAD"), ("pack", "--base", "HEAD")):
        ran = at(root)(*words)
        assert (ran.code, "not a git repository" in ran.err) == (2, True), (words, ran.err)
    (root / ".git/objects.away").rename(root / ".git/objects")
    assert at(root)("--check").code == 1
    (root / ".git/HEAD").unlink()
    shutil.move(root, tmp_path / "alone")
    ran = at(tmp_path / "alone")("--check")
    assert (ran.code, "is no whole repository: it has no HEAD" in ran.err) == (2, True)


@pytest.mark.slow
def test_a_submodule_without_its_repository_names_the_command(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = _submodule(origin, tmp_path / "sub")
    outer = root.parent
    commit(outer)
    shutil.rmtree(outer / ".git/modules")
    ran = at(root)("--check")
    assert (ran.code, "git submodule update --init" in ran.err) == (2, True)


def test_a_bare_repository_is_told_to_be_one(tmp_path: Path, origin: Path, at: Commands) -> None:
    bare = clone(origin, tmp_path / "bare.git", "--bare")
    assert at(bare)("--check").code == 2
    ran = at(bare)("pack", "--base", "main~1", "--head", "main")
    assert (ran.code, ran.out, "Make one: git worktree add" in ran.err) == (2, "", True)


def test_without_git_what_needs_it_is_2(tmp_path: Path, origin: Path, at: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    root = clone(origin, tmp_path / "state")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    for words in (
        ("--check",), ("--check", "--staged"), ("--check", "--base", "HEAD"), ("pack", "--base", "HEAD"),
        ("init", "--git", "--yes"), ("init", "--hook", "--yes"),
    ):
        ran = at(root)(*words)
        assert (ran.code, "Install git." in ran.err) == (2, True), (words, ran.err)
    assert not (root / ".gitattributes").exists()
    assert at(root)("--check", "--no-diff").code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_owner_is_2_with_the_command_that_trusts_it(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state")
    said = plain(origin, at, "HEAD~1")
    for folder, _, _ in os.walk(root):
        os.chown(folder, 1234, 1234)
    for words in (
        ("--check",), ("--check", "--staged"), ("--check", "--base", "HEAD~1"), ("pack", "--base", "HEAD~1"),
        ("init", "--git", "--yes"), ("init", "--hook", "--yes"),
    ):
        ran = at(root)(*words)
        assert (ran.code, f"git config --global --add safe.directory {root}" in ran.err) == (2, True), (words, ran.err)
    assert not (root / ".gitattributes").exists()
    run(root, printed(" ".join(ran.err.split())))
    assert answers(at(root), "HEAD~1") == said


# What is staged, and what is on disk --------------------------------------------------------------------------------------


def staged(ran: Ran) -> tuple[int, dict[str, int]]:
    return ran.code, {store["path"]: store["documents"] for store in ran.json["stores"]}


def test_an_intention_to_add_is_not_staged(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state")
    here = at(root)
    before = staged(here("--check", "--staged", "--format", "json"))
    for path in ("bot/memory/people/intended.md", "bot/memory/people/empty.md"):
        put(root, path, "" if "empty" in path else "# Bob\n\n- Likes tea\n")
    git(root, "add", "-N", "bot/memory/people/intended.md")
    assert staged(here("--check", "--staged", "--format", "json")) == before
    git(root, "add", "bot/memory/people/empty.md")  # a file that is empty, and will be committed
    assert staged(here("--check", "--staged", "--format", "json"))[1] == {"bot": before[1]["bot"] + 1}
    assert here("--check").code == 1  # in the working tree it is there
    git(root, "add", "-A")
    assert here("--check", "--staged").code == 1


@pytest.mark.parametrize("way", ["edited", "deleted here", "deleted there"])
def test_what_git_could_not_merge_is_2_when_staged_and_read_from_the_disk_else(
    tmp_path: Path, origin: Path, at: Commands, way: str
) -> None:
    root = clone(origin, tmp_path / "state")
    git(root, "checkout", "-q", "-b", "other", "main~1")
    put(root, ADA, GOOD + "- [stated] Likes rain (2026-02-01, from her letter)\n")
    if way == "deleted here":
        (root / ADA).unlink()
    commit(root)
    if way == "deleted there":
        git(root, "checkout", "-q", "-B", "main", "main~1")
        (root / ADA).unlink()
        commit(root)
        git(root, "checkout", "-q", "other")
    done = subprocess.run(["git", "merge", "-q", "main"], cwd=root, capture_output=True, check=False)
    assert done.returncode != 0
    here = at(root)
    ran = here("--check", "--staged")
    assert (ran.code, f"{ADA}: git could not merge it" in ran.err) == (2, True)
    assert here("--check").code == (0 if way == "deleted there" else 1)
    put(root, ADA, BARE)
    run(root, printed(ran.err.strip()))
    assert here("--check", "--staged").code == 1


def test_what_a_sparse_checkout_leaves_out_is_2_not_deleted(tmp_path: Path, origin: Path, at: Commands) -> None:
    root = clone(origin, tmp_path / "state")
    said = plain(origin, at, "HEAD~1")
    git(root, "sparse-checkout", "set", "--cone", "bot/memory/projects")
    assert not (root / ADA).exists()
    here = at(root)
    for words in (("--check",), ("--check", "--no-diff"), ("--check", "--base", "HEAD~1"), ("pack", "--base", "HEAD~1")):
        ran = here(*words)
        assert ran.code == 2
        assert "A sparse checkout leaves memory out, which was not looked at:" in ran.err, (words, ran.err)
    assert here("pack", "--base", "HEAD~1", "--head", "HEAD").code == 0
    assert here("--check", "--staged").code == 0
    run(root, printed(ran.err))
    assert answers(here, "HEAD~1") == said
    git(root, "sparse-checkout", "set", "--no-cone", "/*", f"!/{ADA}")
    ran = here("--check")
    assert (ran.code, printed(ran.err)) == (2, "git sparse-checkout disable")
    git(root, "sparse-checkout", "set", "--cone", "nowhere")
    assert here("pack", "--base", "HEAD~1").code == here("--check").code == 2
    assert "leaves memory out" in here("pack", "--base", "HEAD~1").err


@pytest.mark.slow
def test_a_file_that_git_is_told_to_overlook_is_still_read(tmp_path: Path, origin: Path, at: Commands) -> None:
    for option in ("--assume-unchanged", "--skip-worktree"):
        root = clone(origin, tmp_path / option)
        git(root, "update-index", option, ADA)
        put(root, ADA, BARE + "\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n")
        ran = at(root)("--check")
        assert (ran.code, f"{ADA}:6: error conflict-marker" in ran.out) == (1, True)
