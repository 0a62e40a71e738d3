"""`memdesk pack --base`: what packs gain and lose, as text, as JSON, and as a comment for a pull request."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from memdesk.core.against import Against
from memdesk.core.packdiff import Difference, Pair, Seen
from memdesk.tui.report.packcomment import markdown
from tests.support.commands import Here
from tests.support.pulls import base, commit, pull
from tests.support.stores import MEMORY, custodian_store, git, git_repo, put, tiers_store

Commands = Callable[[Path], Here]


@pytest.fixture
def at(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Commands in a folder."""
    return lambda root: Here(root, capsys, monkeypatch)


@pytest.fixture
def pulled(tmp_path: Path, at: Commands) -> Here:
    """Commands where a pull request is in the working tree."""
    base(tmp_path)
    pull(tmp_path)
    return at(tmp_path)


TEXT = """\
HEAD -> the working tree

task            tokens            gained    lost  changed  moved  now omitted  no longer omitted
planning        108 -> 121 (+13)  2                               1
implementation  117 -> 118 (+1)   1         1                     1
artifact        20 -> 26 (+6)     1
preferences     20 -> 26 (+6)     1
history         66 -> 40 (-26)                                    1
maintenance     130 -> 137 (+7)   1                        1      1
general         14                the same
area:files      0 -> 13 (+13)     2
area:storage    13 -> 0 (-13)               2
"""


def test_text_has_the_tasks_first_and_each_change_once(pulled: Here) -> None:
    ran = pulled("pack", "--base", "HEAD")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(TEXT)
    lines = ran.out.removeprefix(TEXT).splitlines()
    assert lines[1:5] == [
        f"gained  {MEMORY}/do-not-use.md:3  Tombstone: One big table  33 tokens  (planning, implementation, maintenance)",
        f"gained  {MEMORY}/preferences.md:4  Never deletes a count.  6 tokens  (planning, artifact, preferences)",
        f"gained  {MEMORY}/areas/files.md:3  One file for each site.  7 tokens  (area:files)",
        f"gained  {MEMORY}/areas/files.md:4  CSV alone.  4 tokens  (area:files)",
    ]
    moved = f"{MEMORY}/constraints.md:4 -> {MEMORY}/preferences.md:4"
    assert f"moved  {moved}  Never deletes a count.  6 tokens  (maintenance)" in lines
    assert any(line.startswith(f"now omitted  {MEMORY}/decisions.md:11  2026-04-01 - Sort by day  26 tokens") for line in lines)
    assert f"no longer loads: {MEMORY}/areas/storage.md (there is no such file)  (area:storage)" in lines


def test_json_is_that_of_the_contract(pulled: Here) -> None:
    value = pulled("pack", "--base", "HEAD", "--format", "json").json
    assert (value["schema"], value["base"], value["head"], value["failures"]) == ("memdesk.packdiff/1", "HEAD", None, [])
    contract = {
        "task", "tokens_before", "tokens_after", "gained", "lost", "changed", "newly_omitted", "no_longer_omitted",
        "files_added", "files_removed",
    }  # fmt: skip
    assert all(contract <= task.keys() for task in value["tasks"])
    planning = value["tasks"][0]
    assert planning["gained"][0].items() >= {
        "path": f"{MEMORY}/do-not-use.md", "line": 3, "heading": "Tombstone: One big table", "tokens": 33,
    }.items()
    assert (planning["task"], planning["tokens_before"], planning["tokens_after"]) == ("planning", 108, 121)
    assert [one["module"] for one in value["modules"]] == ["area:files", "area:storage"]
    (moved,) = value["tasks"][5]["moved"]
    assert moved["before"]["path"] != moved["after"]["path"]
    assert [task["same"] for task in value["tasks"]] == [False] * 6 + [True]


def test_two_packs_of_checkouts_say_the_same_as_the_comparison(tmp_path: Path, at: Commands) -> None:
    base(tmp_path / "repo")
    pull(tmp_path / "repo")
    commit(tmp_path / "repo")
    for name, rev in (("before", "main~1"), ("after", "main")):
        git(tmp_path / "repo", "worktree", "add", "-q", "--detach", str(tmp_path / name), rev)
    value = at(tmp_path / "repo")("pack", "--base", "main~1", "--head", "main", "--format", "json").json
    for task in value["tasks"]:
        packs = [at(tmp_path / side)("pack", "--task", task["task"], "--format", "json").json for side in ("before", "after")]
        assert (packs[0]["text"] == packs[1]["text"]) == task["same"]
        assert [pack["tokens"] for pack in packs] == [task["tokens_before"], task["tokens_after"]]
        loaded = [{file["path"] for file in pack["files"] if file["disposition"] == "loaded"} for pack in packs]
        assert (set(task["files_added"]), set(task["files_removed"])) == (loaded[1] - loaded[0], loaded[0] - loaded[1])


def test_one_task_with_its_modules(pulled: Here) -> None:
    value = pulled("pack", "--task", "planning", "--area", "files", "--base", "HEAD", "--format", "json").json
    assert [task["task"] for task in value["tasks"]] == ["planning"]
    assert "CSV alone." in [one["heading"] for one in value["tasks"][0]["gained"]]
    gone = pulled("pack", "--task", "planning", "--area", "storage", "--base", "HEAD")
    assert gone.code == 1
    assert "the pack is incomplete  (planning)" in gone.out


def test_an_incomplete_pack_after_is_1_and_one_before_is_none(tmp_path: Path, at: Commands) -> None:
    store = base(tmp_path)
    (store / "constraints.md").unlink()
    assert at(tmp_path)("pack", "--base", "HEAD").code == 1
    commit(tmp_path)
    put(store, "constraints.md", "# Constraints\n\n- Back.\n")
    assert at(tmp_path)("pack", "--base", "HEAD").code == 0


def test_a_side_that_cannot_be_routed_is_2_and_the_rest_is_told(pulled: Here) -> None:
    manifest = pulled.root / MEMORY / "manifest.md"
    manifest.write_text(manifest.read_text().replace("### Preferences", "### Liking"))
    for form in ("text", "json", "markdown"):
        ran = pulled("pack", "--base", "HEAD", "--format", form)
        assert ran.code == 2
        assert f"memdesk: the working tree: {MEMORY}/manifest.md:1: There is no section `### Preferences`" in ran.err
        assert "Tombstone: One big table" in ran.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--base", "nowhere"], "git does not know the revision 'nowhere'. Fetch it first"),
        (["--base", "HEAD", "--head", "origin/x"], "git remote add"),
        (["--head", "HEAD"], "--head goes with --base."),
        (["--base", "HEAD", "--names-only"], "--names-only and --base don't go together."),
        (["--base", "HEAD", "--explain"], "--explain and --base don't go together."),
        (["--base", "HEAD", "--why", f"{MEMORY}/brief.md"], "--base doesn't go with --why."),
        (["--base", "HEAD", "--area", "files"], "--area goes with --task."),
        (["--base", "HEAD", "--task", "plan"], "Unknown task 'plan'"),
        (["--base", "HEAD", "--store", "x"], "no store at 'x'"),
        (["--base"], "expected one argument"),
    ],
)
def test_what_cannot_be_asked_is_2(pulled: Here, words: list[str], says: str) -> None:
    ran = pulled("pack", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_place_without_a_store_or_a_repository_is_2(tmp_path: Path, at: Commands) -> None:
    git_repo(tmp_path / "empty")
    ran = at(tmp_path / "empty")("pack", "--base", "HEAD")
    assert (ran.code, ran.out) == (2, "")
    assert "There is no store here, before or after." in ran.err
    custodian_store(tmp_path / "plain")
    assert "not in a git repository" in at(tmp_path / "plain")("pack", "--base", "HEAD").err


def test_a_base_that_is_no_ancestor_warns_with_the_merge_base(tmp_path: Path, at: Commands) -> None:
    base(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "topic")
    commit(tmp_path)
    git(tmp_path, "branch", "-q", "-f", "main", git(tmp_path, "commit-tree", "main^{tree}", "-p", "main", "-m", "On").strip())
    ran = at(tmp_path)("pack", "--base", "main", "--format", "json")
    assert ran.code == 0
    assert "--base $(git merge-base main HEAD)" in ran.err
    assert ran.json["warnings"]


def test_several_stores_are_told_apart_and_one_can_be_named(tmp_path: Path, at: Commands) -> None:
    base(tmp_path)
    tiers_store(tmp_path, "notes")
    ran = at(tmp_path)("pack", "--base", "HEAD")
    assert "\nnotes:\n" in ran.out
    assert f"\n{MEMORY}: the same (7 tasks, 1 module)\n" in ran.out
    value = at(tmp_path)("pack", "--base", "HEAD", "--store", "notes", "--format", "json").json
    assert [(task["store"], task["task"]) for task in value["tasks"]] == [("notes", "boot")]
    assert value["tasks"][0]["gained"]
    assert at(tmp_path)("pack", "--base", "HEAD", "--task", "planning").code == 0
    assert "| store | task |" in at(tmp_path)("pack", "--base", "HEAD", "--format", "markdown").out


HOSTILE = (
    "# Constraints\n\n- Ask @octocat and @org/team about #123, GH-7, owner/repo#9 <script>alert(1)</script> | a | b |\n"
    "- `` ` `` </details> **bold** [x](http://evil.example) ![i](http://evil.example/i.png) https://evil.example\n"
    "- Never \u202e\u2066hidden\u200b <!-- comment -->\n"
    "- Old wording that stays nearly the same here.\n\n  ```\n  ````\n  </details>\n  ```\n"
)


def test_memory_text_is_inert_in_a_comment(tmp_path: Path, at: Commands) -> None:
    before = HOSTILE.replace("Old wording", "The wording")
    custodian_store(tmp_path, constraints=before)
    git_repo(tmp_path)
    put(tmp_path, f"{MEMORY}/constraints.md", HOSTILE.replace("owner", "an owner"))
    put(tmp_path, f"{MEMORY}/do-not-use.md", "# Do not use\n\n" + HOSTILE.partition("\n\n")[2].replace("nearly", "all but"))
    out = at(tmp_path)("pack", "--base", "HEAD", "--format", "markdown").out
    assert "\u202e" not in out
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(out)
    flat = [child for token in tokens for child in (token.children or [token])]
    assert all(token.type not in ("link_open", "image", "strong_open", "em_open") or token.content for token in flat)
    texts = "".join(token.content for token in flat if token.type in ("text", "html_inline", "html_block"))
    for word in ("octocat", "#123", "GH-7", "evil", "<script", "<!--", "alert"):
        assert word not in re.sub(r"<code>[^<]*</code>", "", texts)
    assert out.count("<details>") == out.replace("\n  </details>", "").count("\n</details>")
    rows = [line for line in out.split("\n") if line.startswith("| ")]
    assert {row.replace("\\|", "").count(" | ") for row in rows} == {7}


NAMES = (
    "![i](x:y) [x](https:evil.example)", "**b** _i_ ~~s~~ <b>t</b> <!--", "www.evil.example a@evil.example", "a|b",
    "\\|\\", "`|``", "`a", "a \\", "&amp; &#64;evil $x$", "@octocat #123 GH-7 | [evil](x:y) *i*",
)


def test_names_of_stores_and_modules_are_inert_in_a_comment_too() -> None:
    """A table and a summary hold them as they are, and Markdown finds nothing in them: no link, image, emphasis or HTML."""
    made = Against(NAMES[0], None, "0" * 40, None, tuple(
        Difference(f"{name}/x", "", f"area:{name}", 0, 9, (Seen(f"{name}/x.md", 1, name, 9, "- x", "x#1"),)) for name in NAMES
    ), (NAMES[1],), (NAMES[0],))
    out = markdown(made)
    tokens = MarkdownIt("gfm-like", {"html": True}).parse(out)
    flat = [child for token in tokens for child in (token.children or [token])]
    assert not {token.type for token in flat} & {"link_open", "image", "em_open", "s_open"}
    assert sum(token.type == "strong_open" for token in flat) == 2  # our own: what was not packed, and a note
    assert {token.content for token in flat if token.type == "html_inline"} <= {"<code>", "</code>"}
    rows = [row.children or [] for row in tokens if row.type == "inline" and row.level == 4][9:]
    assert len(rows) == 9 * len(NAMES)
    shown = ["".join(part.content for part in row if part.type != "html_inline") for row in rows]
    assert shown[::9] == [f"{name}/x" for name in NAMES]
    assert shown[1::9] == [f"area:{name}" for name in NAMES]
    summaries = re.findall("<summary>.*</summary>", out)
    assert summaries == [f"<summary>gained (1) in <code>{escape(name)}/x</code></summary>" for name in NAMES]


@pytest.mark.parametrize(("number", "length"), [(2000, 30), (40, 9000), (400, 300)])
def test_a_comment_fits_whatever_changes_and_says_what_it_left_out(number: int, length: int) -> None:
    def seen(at: int, word: str) -> Seen:
        return Seen(f"docs/{'x' * length}/{at}.md", 1, word * 40, 9, f"{word} {at}\n" * length, f"x#{at}")

    whole = tuple(
        Difference(
            f"{'s' * length}{at % 7}", "" if at % 2 else f"task{at}", f"area:{'m' * length}{at}" if at % 2 else "", 0, 9,
            (seen(at, "new"),), (seen(at, "old"),), (Pair(seen(at, "one"), seen(at, "two")),),
            files_added=(f"docs/{at}.md",), notes=("n" * length,), failures=(f"{at}: " + "f" * length,),
        )
        for at in range(number)
    )
    made = Against("main", None, "0" * 40, None, whole, tuple(one.failures[0] for one in whole), ("w" * length,))
    out = markdown(made)
    assert 9_000 < len(out) < 60_000
    assert re.search(r"Left out, so that this fits into a comment: \d+ changes", out)
    assert re.search(r"\d+ lines? left out\.", out) or number == 40
    assert out.count("<details>") == out.count("</details>")


def test_secrets_are_masked_in_lists_and_comments_and_exact_in_lines_with_a_warning(tmp_path: Path, at: Commands) -> None:
    secret = "ghp_" + "a1B2" * 9
    said = "# Constraints\n\n- {} for the token {} that the service expects in its header.\n"
    custodian_store(tmp_path, constraints=said.format("Ask", secret))
    git_repo(tmp_path)
    put(tmp_path, f"{MEMORY}/constraints.md", said.format("Look", secret) + f"- New: {secret}.\n")
    ran = at(tmp_path)("pack", "--base", "HEAD")
    assert f"    │ +- Look for the token {secret}" in ran.out
    assert ran.out.count(secret) == 2
    assert f"{MEMORY}/constraints.md holds what looks like a secret" in ran.err
    for form in ("json", "markdown"):
        other = at(tmp_path)("pack", "--base", "HEAD", "--format", form)
        assert secret not in other.out
        assert "New: ***" in other.out
