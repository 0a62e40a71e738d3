"""The rules over the change: provenance of what is added, history that stays, an archive that is frozen."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import config, workspace
from memdesk.core.checks import runner
from memdesk.core.gitdiff import Change, FileChange
from memdesk.core.model import Workspace
from tests.support.checking import TODAY, findings, lines, ran, report
from tests.support.stores import agent_memory_store, git, git_repo, put

DIFF_RULES = ("disk-provenance", "disk-history", "tape-frozen")
ADA = "memory/people/ada.md"
STRUCK = (
    "# Ada\n\n- ~~[stated] Plans the autumn counts~~ superseded 2026-02-01\n- [stated] Plans the spring counts (2026-02-01)\n"
)
ODD = ["a b.md", "q'\"uote.md", "ä-ö-日本.md", "tab\there.md", "line\nbreak.md", "-dash.md", "back\\slash.md", "w:x*.md"]


def store(root: Path, *, lint: bool = True, folder: str = ".", **files: str | bytes | None) -> Path:
    """A store in a repository with everything committed."""
    old = {"memory/archive/2025.md": "# 2025\n\n- old\n", ADA: STRUCK}
    given = {**old, **files}
    if lint:
        agent_memory_store(root, folder, **given)
    else:
        agent_memory_store(root, folder, lint=None, **given)
    return git_repo(root)


def add(root: Path, text: str, path: str = ADA) -> None:
    put(root, path, (root / path).read_text() + text)


def provenance(root: Path) -> list[tuple[int | None, str]]:
    return [(line, severity) for _, line, severity in lines(root, "disk-provenance", mode="worktree")]


def lost(root: Path, mode: str = "worktree") -> list[tuple[str, str]]:
    return [(finding.severity, finding.message) for finding in findings(root, "disk-history", mode=mode)]


def frozen(root: Path, mode: str = "worktree") -> list[tuple[str, str]]:
    return [(finding.path, finding.message) for finding in findings(root, "tape-frozen", mode=mode)]


# Provenance


@pytest.mark.parametrize("lint", [True, False])
def test_an_added_fact_needs_a_tag_or_a_strike(tmp_path: Path, lint: bool) -> None:
    store(tmp_path, lint=lint)
    add(tmp_path, "- bare\n- [observed] seen\n- ~~gone~~\n  1. nested, bare\n\nA paragraph.\n")
    assert provenance(tmp_path) == [(5, "error"), (8, "error")]
    rule = ran(report(tmp_path, mode="worktree"), "disk-provenance")
    assert (rule.checked, rule.summary) == (4, "4 added fact lines checked, 1 file: 2 errors")


def test_where_a_settings_file_is_its_tool_decides_and_markdown_warns(tmp_path: Path) -> None:
    store(tmp_path)
    add(tmp_path, "- in code `[stated]`\n- [link [stated]](x)\n- over\n  two lines [stated]\n\n```\n- example\n```\n\n- - -\n")
    found = findings(tmp_path, "disk-provenance", mode="worktree")
    assert [(one.line, one.severity) for one in found] == [(5, "warning"), (7, "error"), (11, "error"), (14, "error")]
    assert "only at the line with the marker" in found[1].hint
    assert "no list item" in found[2].hint
    assert "code or a comment" in found[0].hint


def test_without_one_markdown_decides(tmp_path: Path) -> None:
    store(tmp_path, lint=False)
    add(tmp_path, "- in code `[stated]`\n- over\n  two lines [stated]\n\n```\n- example\n```\n\n- - -\n")
    assert provenance(tmp_path) == [(5, "error")]


def test_taking_the_tag_off_a_wrapped_line_is_seen_by_markdown(tmp_path: Path) -> None:
    store(tmp_path, **{ADA: "# Ada\n\n- Plans\n  counts [stated]\n"})
    put(tmp_path, ADA, "# Ada\n\n- Plans\n  counts\n")
    assert provenance(tmp_path) == [(3, "warning")]


def test_only_durable_files_of_this_store_count(tmp_path: Path) -> None:
    store(tmp_path)
    for path in ("memory/context/x.md", "memory/2026-05-10.md", "memory/archive/new.md", "README.md", "memory/people/x.txt"):
        put(tmp_path, path, "- bare\n")
    assert provenance(tmp_path) == []
    put(tmp_path, "memory/people/sub/x.md", "- bare\n")
    assert provenance(tmp_path) == [(1, "error")]


def test_what_was_bare_before_is_none_of_the_changes(tmp_path: Path) -> None:
    store(tmp_path, **{ADA: "# Ada\n\n- bare\n"})
    assert provenance(tmp_path) == []
    put(tmp_path, ADA, "# Ada\n\nA line above.\n\n- bare\n")
    assert provenance(tmp_path) == []


@pytest.mark.parametrize("name", ODD)
def test_odd_names(tmp_path: Path, name: str) -> None:
    store(tmp_path)
    path = f"memory/people/{name}"
    rest = "- [stated] what makes it the same file under another name\n" * 5
    put(tmp_path, path, f"- bare\n- ~~x~~\n{rest}")
    for mode in ("worktree", "staged", "base"):
        if mode == "staged":
            git(tmp_path, "add", "-A")
        found = report(tmp_path, mode=mode, base="HEAD", only=["disk-provenance"]).findings
        assert [(one.path, one.line) for one in found] == [(path, 1)], mode
    git(tmp_path, "commit", "-qm", "Odd")
    put(tmp_path, path, f"- bare\n{rest}")
    assert len(lost(tmp_path)) == 1
    git(tmp_path, "mv", f"./{path}", f"./memory/people/moved {name}")
    assert [(one.path, one.line) for one in findings(tmp_path, "disk-provenance", mode="worktree")] == []
    assert len(lost(tmp_path)) == 1


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    store(tmp_path)
    path = os.fsencode(tmp_path) + b"/memory/people/\xff.md"
    with open(path, "wb") as stream:
        stream.write(b"- bare\n")
    [found] = findings(tmp_path, "disk-provenance", mode="worktree")
    assert os.fsencode(found.path) == b"memory/people/\xff.md"


# History


@pytest.mark.parametrize("lint", [True, False])
def test_a_struck_line_stays_or_moves_to_a_durable_or_archive_file(tmp_path: Path, lint: bool) -> None:
    store(tmp_path, lint=lint)
    struck = STRUCK.split("\n")[2]
    put(tmp_path, ADA, STRUCK.replace(struck + "\n", ""))
    [(severity, message)] = lost(tmp_path)
    assert (severity, "line 3 of memory/people/ada.md" in message) == ("error", True)
    put(tmp_path, "memory/context/scratch.md", f"{struck}\n")
    put(tmp_path, "README.md", f"{struck}\n")
    assert len(lost(tmp_path)) == 1
    put(tmp_path, "memory/projects/p.md", f"  {struck}  \n")  # outer white space aside
    assert lost(tmp_path) == []
    (tmp_path / "memory/projects/p.md").unlink()
    put(tmp_path, "memory/archive/ada.md", f"{struck}\n")
    assert lost(tmp_path) == []


def test_to_the_letter(tmp_path: Path) -> None:
    store(tmp_path)
    put(tmp_path, ADA, STRUCK.replace("superseded", "Superseded"))
    assert len(lost(tmp_path)) == 1


def test_two_lost_with_one_kept_are_reported(tmp_path: Path) -> None:
    store(tmp_path, **{ADA: "- ~~x~~\n\n# B\n\n- ~~x~~\n"})
    put(tmp_path, ADA, "# B\n")
    put(tmp_path, "memory/projects/p.md", "- ~~x~~\n")
    assert len(lost(tmp_path)) == 1
    assert ran(report(tmp_path, mode="worktree"), "disk-history").summary == "2 removed struck lines checked: 1 error"


@pytest.mark.parametrize("lint", [True, False])
def test_a_strike_over_several_lines_and_a_struck_paragraph_and_heading(tmp_path: Path, lint: bool) -> None:
    store(tmp_path, lint=lint, **{ADA: "# ~~Old~~\n\n~~para~~\n\n- ~~one\n  two~~ superseded\n- `~~code~~`\n"})
    put(tmp_path, ADA, "")
    found = lost(tmp_path)
    expected = ["error", "error", "warning", "warning", "error"] if lint else ["error"] * 4
    assert [severity for severity, _ in found] == expected
    assert ["code" in message for _, message in found].count(True) == (1 if lint else 0)


def test_a_deleted_and_a_renamed_file(tmp_path: Path) -> None:
    store(tmp_path)
    git(tmp_path, "mv", ADA, "memory/people/ada lovelace.md")
    assert lost(tmp_path) == []
    add(tmp_path, "- [stated] more\n", "memory/people/ada lovelace.md")
    assert lost(tmp_path) == []
    git(tmp_path, "mv", "memory/people/ada lovelace.md", "memory/archive/ada.md")
    assert lost(tmp_path) == []
    git(tmp_path, "rm", "-qf", "memory/archive/ada.md")
    assert len(lost(tmp_path)) == 1


@pytest.mark.parametrize("to", ["memory/context/ada.md", "docs/ada.md"])
def test_renamed_to_where_nothing_is_kept_it_is_lost(tmp_path: Path, to: str) -> None:
    store(tmp_path)
    (tmp_path / to).parent.mkdir(parents=True, exist_ok=True)
    git(tmp_path, "mv", ADA, to)
    assert len(lost(tmp_path, "staged")) == 1
    put(tmp_path, "memory/archive/x.md", STRUCK)
    git(tmp_path, "add", "-A")
    assert lost(tmp_path, "staged") == []


def test_a_note_that_becomes_durable_brings_its_lines_along(tmp_path: Path) -> None:
    note = "# Day\n\n- ~~[stated] Plans the autumn counts~~ superseded 2026-02-01\n" + "- filler\n" * 9
    store(tmp_path, **{"memory/context/day.md": note})
    put(tmp_path, ADA, STRUCK.replace(STRUCK.split("\n")[2] + "\n", ""))
    git(tmp_path, "mv", "memory/context/day.md", "memory/projects/day.md")
    assert lost(tmp_path, "worktree") == []


def test_lines_that_look_like_headers_of_a_diff_are_content(tmp_path: Path) -> None:
    text = "-- ~~a~~\n++ b\n--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n- ~~kept~~\n"
    store(tmp_path, **{ADA: text})
    put(tmp_path, ADA, "- [stated] new\n++ - bare\n-- x\n")
    assert [message.rpartition(": ")[2] for _, message in lost(tmp_path)] == ["'-- ~~a~~'.", "'- ~~kept~~'."]
    assert provenance(tmp_path) == []


POOL = [f"- ~~{word}~~" for word in ("one", "two", "three")]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("history")
    agent_memory_store(root)
    return workspace.open_workspace(workspace.work_tree(str(root), config.defaults()), config.defaults())


@given(before=st.lists(st.sampled_from(POOL), max_size=6), data=st.data())
def test_lost_is_what_is_nowhere_kept_as_often(opened: Workspace, before: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(before), max_size=6) if before else st.just([]))
    gone = FileChange("memory/people/ada.md", "deleted", None, (), tuple(enumerate(before, 1)))
    came = FileChange("memory/archive/a.md", "added", None, tuple(enumerate(kept, 1)))
    change = Change("base", "x", (gone, came))
    found = runner.check(opened, change, only=["disk-history"], today=TODAY, settings=config.defaults()).findings
    lost = Counter(finding.message.rpartition(": '")[2][:-2] for finding in found)
    assert set(lost) == set(Counter(before) - Counter(kept))


# The archive


def test_adding_and_moving_in_unchanged_is_fine(tmp_path: Path) -> None:
    store(tmp_path)
    put(tmp_path, "memory/archive/new.md", "- bare is fine here\n")
    put(tmp_path, "memory/archive/scan.pdf", b"\x00\x01")
    assert frozen(tmp_path) == []
    git(tmp_path, "mv", ADA, "memory/archive/ada.md")
    assert frozen(tmp_path, "staged") == []
    git(tmp_path, "mv", "memory/archive/2025.md", "memory/archive/older.md")
    assert frozen(tmp_path, "staged") == []
    assert ran(report(tmp_path, mode="worktree"), "tape-frozen").summary == "4 changed archive files checked"


@pytest.mark.parametrize("mode", ["worktree", "staged", "base"])
def test_editing_deleting_retyping_and_moving_out_are_not(tmp_path: Path, mode: str) -> None:
    names = ["edit", "drop", "link", "out", "in", "mode", "pdf"]
    filler = "- [stated] a fact that is long enough to be found again\n" * 5
    archived = {f"memory/archive/{name}.md": f"# {name}\n\n{filler}{name}\n" for name in names if name not in ("in", "pdf")}
    store(tmp_path, **archived, **{"memory/archive/scan.pdf": b"\x00\x01", "memory/people/in.md": f"# in\n\n{filler}"})
    archive = tmp_path / "memory/archive"
    add(tmp_path, "- more\n", "memory/archive/edit.md")
    (archive / "drop.md").unlink()
    (archive / "link.md").unlink()
    (archive / "link.md").symlink_to("edit.md")
    git(tmp_path, "mv", "memory/archive/out.md", "memory/projects/out.md")
    git(tmp_path, "mv", "memory/people/in.md", "memory/archive/in.md")
    add(tmp_path, "- edited on its way\n", "memory/archive/in.md")
    (archive / "mode.md").chmod(0o755)
    put(tmp_path, "memory/archive/scan.pdf", b"\x00\x02")
    if mode == "staged":
        git(tmp_path, "add", "-A")
    every = findings(tmp_path, "tape-frozen", mode=mode, base="HEAD")
    found = {one.path.rpartition("/")[2]: one.message for one in every}
    assert found == {
        "edit.md": "The change edits an archived file: 1 line added, 0 removed.",
        "drop.md": "The change deletes an archived file.",
        "link.md": "The change changes what an archived file is (a file, a link, a repository).",
        "out.md": "The change takes memory/archive/out.md out of the archive.",
        "in.md": "The change edits memory/people/in.md as it moves into or within the archive.",
        "mode.md": "The change changes the permissions of an archived file.",
        "scan.pdf": found["scan.pdf"],
    }
    assert "edits an archived file" in found["scan.pdf"]


def test_a_file_that_becomes_a_link_shifts_no_other_finding(tmp_path: Path) -> None:
    store(tmp_path, **{"memory/people/a.md": "- [stated] a\n", "memory/people/z.md": "- [stated] z\n"})
    (tmp_path / "memory/people/a.md").unlink()
    (tmp_path / "memory/people/a.md").symlink_to("z.md")
    add(tmp_path, "- bare\n", "memory/people/z.md")
    git(tmp_path, "add", "-A")
    for mode in ("worktree", "staged"):
        found = findings(tmp_path, "disk-provenance", mode=mode)
        assert [(one.path, one.line) for one in found] == [("memory/people/z.md", 2)]


# Where the change comes from


def test_in_a_subfolder_paths_are_the_stores(tmp_path: Path) -> None:
    store(tmp_path, folder="apps/my bot")
    add(tmp_path, "- bare\n", f"apps/my bot/{ADA}")
    put(tmp_path, ADA, "- bare, but of no store\n")
    put(tmp_path, "apps/my bot/memory/archive/2025.md", "gone\n")
    put(tmp_path, "memory/archive/2025.md", "- of no store\n")
    found = report(tmp_path, mode="worktree", only=DIFF_RULES).findings
    assert [(one.path, one.rule) for one in found] == [
        ("apps/my bot/memory/archive/2025.md", "tape-frozen"), (f"apps/my bot/{ADA}", "disk-provenance"),
    ]


def test_a_struck_line_may_not_move_to_another_store(tmp_path: Path) -> None:
    store(tmp_path)
    agent_memory_store(tmp_path, "other")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Two")
    put(tmp_path, ADA, "# Ada\n")
    put(tmp_path, "other/memory/people/bo.md", STRUCK)
    assert len(lost(tmp_path)) == 1


def test_before_the_first_commit_all_files_are_added(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"memory/people/bo.md": "- bare\n", "memory/archive/x.md": "- old\n"})
    git_repo(tmp_path, commit=False)
    for mode in ("worktree", "staged"):
        found = report(tmp_path, mode=mode, only=DIFF_RULES)
        assert [(one.path, one.line) for one in found.findings] == [("memory/people/bo.md", 1)], mode
        assert (ran(found, "disk-provenance").checked, ran(found, "tape-frozen").checked) == (3, 1)
        git(tmp_path, "add", "-A")


def test_without_git_and_without_a_diff_they_are_skipped_with_the_reason(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"memory/people/bo.md": "- bare\n"})
    for mode, reason in (("worktree", "this is no git repository"), ("none", "not asked for (--no-diff)")):
        found = report(tmp_path, mode=mode)
        assert [(ran(found, rule).status, ran(found, rule).reason) for rule in DIFF_RULES] == [("skip", reason)] * 3
        assert (ran(found, "ram-caps").status, found.exit_code) == ("pass", 0)


def test_an_unknown_base_fails_these_rules(tmp_path: Path) -> None:
    store(tmp_path)
    found = report(tmp_path, mode="base", base="no-such")
    assert [ran(found, rule).status for rule in DIFF_RULES] == ["fail"] * 3
    assert (found.exit_code, ran(found, "index-links").status) == (2, "pass")
    assert "no-such" in found.failures[0]


def test_a_shallow_clone_says_how_to_get_the_base(tmp_path: Path) -> None:
    full = store(tmp_path / "full")
    add(full, "- [stated] more\n")
    git(full, "commit", "-qam", "More")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{full}", "shallow")
    shallow = tmp_path / "shallow"
    found = report(shallow, mode="base", base="HEAD~1")
    assert (found.exit_code, ran(found, "disk-history").status) == (2, "fail")
    assert "fetch-depth: 0" in found.failures[0]
    add(shallow, "- bare\n")
    assert len(provenance(shallow)) == 1


def test_on_a_detached_head_in_a_linked_worktree_and_in_a_submodule(tmp_path: Path) -> None:
    main = store(tmp_path / "main")
    git(main, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    outer = git_repo(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(main), "sub")
    for root in (main, tmp_path / "linked", outer / "sub"):
        add(root, "- bare\n")
        assert [(one.path, one.line) for one in findings(root, "disk-provenance", mode="worktree")] == [(ADA, 5)]
    git(main, "checkout", "-q", "--detach")
    assert len(provenance(main)) == 1
    put(outer, "memory-lint.json", "{}")
    found = report(outer, mode="worktree", only=DIFF_RULES)  # the submodule is another repository
    assert (found.findings, found.exit_code) == ((), 0)


def test_a_broken_settings_file_judges_nothing(tmp_path: Path) -> None:
    store(tmp_path)
    put(tmp_path, "memory-lint.json", "{")
    add(tmp_path, "- bare\n")
    found = report(tmp_path, mode="worktree")
    assert (found.exit_code, ran(found, "disk-provenance").status) == (2, "skip")
    assert ran(found, "disk-provenance").reason == "memory-lint.json cannot be read"


@pytest.mark.slow
def test_a_diff_of_40_000_lines_is_checked_whole(tmp_path: Path) -> None:
    store(tmp_path)
    rows = [f"- [observed] row of the long list, number {number}" for number in range(40_000)]
    rows[39_998] = "- bare"
    put(tmp_path, "memory/projects/long.md", "\n".join(rows) + "\n")
    found = report(tmp_path, mode="worktree", only=["disk-provenance"])
    assert [(one.line, one.path) for one in found.findings] == [(39_999, "memory/projects/long.md")]
    assert ran(found, "disk-provenance").checked == 40_000
