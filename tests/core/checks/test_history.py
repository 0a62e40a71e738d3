"""The change: struck texts move between durable places and never vanish; archived files stay as they are."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.checking import TODAY, findings, ran, report
from tests.support.stores import custodian_store, git, git_repo, put

STRUCK = "# Constraints\n\n- Runs offline\n- ~~Runs on Python 2~~ superseded 2026-01-02\n"
FOLDER = "docs/memory"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(
        tmp_path,
        constraints=STRUCK,
        decisions="# Decisions\n\n## ~~2026-01-01 - Use XML~~\n\nDecision:\nXML.\n\nReason:\nIt was there.\n",
        **{"archive/decisions-2026-01-01": "# Archive\n\n## 2025-01-01 - Old\n\nDecision:\nx\n"},
    )
    return git_repo(tmp_path)


def lost(root: Path, mode: str = "worktree", base: str | None = None) -> list[str]:
    return [finding.message for finding in findings(root, "struck-lost", mode=mode, base=base)]


def test_nothing_changed_nothing_lost(root: Path) -> None:
    found = report(root, mode="worktree")
    assert [(ran(found, rule).status, ran(found, rule).checked) for rule in ("struck-lost", "archive-changed")] == [
        ("pass", 0)
    ] * 2
    assert found.change == ("worktree", None, 0, 0, 0, None)


def test_a_struck_line_taken_out_is_an_error_with_its_old_line(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.rpartition("- ~~")[0])
    [finding] = findings(root, "struck-lost", mode="worktree")
    assert (finding.path, finding.line, finding.severity) == (f"{FOLDER}/constraints.md", None, "error")
    assert "line 4 before it" in finding.message
    assert "Runs on Python 2" in finding.message


def test_a_struck_heading_counts_too_and_a_deleted_file(root: Path) -> None:
    (root / FOLDER / "decisions.md").unlink()
    assert ["2026-01-01 - Use XML" in message for message in lost(root)] == [True]


def test_unstriking_loses_the_strike(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.replace("~~", ""))
    assert len(lost(root)) == 1


def test_moved_to_the_archive_it_is_not_lost(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.rpartition("- ~~")[0])
    put(root, f"{FOLDER}/archive/constraints-2026-05-10.md", "# Archive\n\n- ~~Runs on Python 2~~ superseded 2026-01-02\n")
    assert lost(root) == []


def test_moved_to_a_place_that_keeps_nothing_it_is_lost(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.rpartition("- ~~")[0])
    put(root, f"{FOLDER}/inbox.md", "# Inbox\n\n## 2026-05-10\n\n- ~~Runs on Python 2~~ superseded 2026-01-02\n")
    put(root, "notes.md", "- ~~Runs on Python 2~~ superseded 2026-01-02\n")
    assert len(lost(root)) == 1


def test_two_equal_ones_taken_out_and_one_put_back_is_one_lost(root: Path) -> None:
    twice = STRUCK + "\ntext\n\n- ~~Runs on Python 2~~ superseded 2026-01-02\n"
    put(root, f"{FOLDER}/constraints.md", twice)
    git(root, "commit", "-qam", "Twice")
    put(
        root,
        f"{FOLDER}/constraints.md",
        STRUCK.rpartition("- ~~")[0] + "- Something else\n- ~~Runs on  Python 2~~ struck 2026-03-03\n",
    )
    assert len(lost(root)) == 1


def test_over_several_lines_and_with_a_remark_added(root: Path) -> None:
    long = "# Constraints\n\n- ~~Runs on Python 2\n  and on nothing else~~ superseded 2026-01-02\n"
    put(root, f"{FOLDER}/constraints.md", long)
    git(root, "commit", "-qam", "Long")
    put(root, f"{FOLDER}/constraints.md", long.replace("2026-01-02\n", "2026-01-02, see decisions\n"))
    assert lost(root) == []
    put(root, f"{FOLDER}/constraints.md", "# Constraints\n")
    assert ["Runs on Python 2 and on nothing else" in message for message in lost(root)] == [True]


def test_four_tildes_are_no_strike(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK + "\n~~~~\ncode\n~~~~\n")
    git(root, "commit", "-qam", "Code")
    put(root, f"{FOLDER}/constraints.md", STRUCK)
    assert lost(root) == []


def test_a_renamed_file_takes_its_struck_lines_along(root: Path) -> None:
    put(root, f"{FOLDER}/areas/a.md", "# A\n\nFor a.\n\n- ~~one~~ superseded 2026-01-01\n- two\n- three\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Area")
    git(root, "mv", f"{FOLDER}/areas/a.md", f"{FOLDER}/areas/ä b.md")
    assert lost(root) == []
    assert lost(root, mode="staged") == []


def test_staged_looks_at_the_index_alone(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.rpartition("- ~~")[0])
    assert lost(root, mode="staged") == []
    git(root, "add", "-A")
    assert len(lost(root, mode="staged")) == 1
    put(root, f"{FOLDER}/constraints.md", STRUCK)
    assert len(lost(root, mode="staged")) == 1
    assert lost(root) == []


def test_base_looks_at_all_since_a_revision(root: Path) -> None:
    put(root, f"{FOLDER}/constraints.md", STRUCK.rpartition("- ~~")[0])
    git(root, "commit", "-qam", "Lose it")
    assert lost(root) == []
    assert len(lost(root, mode="base", base="HEAD~1")) == 1


def test_before_the_first_commit_everything_is_added(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=STRUCK)
    git_repo(tmp_path, commit=False)
    found = report(tmp_path, mode="worktree")
    assert ran(found, "struck-lost").status == "pass"
    assert found.change.files >= 6
    assert found.change.skipped is None


@pytest.mark.parametrize("deed", ["edit", "delete", "rename", "link"])
def test_an_archived_file_stays(root: Path, deed: str) -> None:
    path = root / FOLDER / "archive/decisions-2026-01-01.md"
    if deed == "edit":
        path.write_text(path.read_text() + "\nmore\n")
    elif deed == "delete":
        path.unlink()
    elif deed == "rename":
        git(root, "mv", str(path), str(path.with_name("other.md")))
    else:
        path.unlink()
        path.symlink_to("../decisions.md")
    [finding] = findings(root, "archive-changed", mode="worktree")
    assert finding.severity == "error"
    assert "archive" in finding.path
    words = {"edit": "edits", "delete": "deletes", "rename": "renames", "link": "link"}[deed]
    assert words in finding.message


def test_a_new_archive_file_and_todays_own_are_fine(root: Path) -> None:
    path = f"{FOLDER}/archive/decisions-{TODAY}.md"
    put(root, path, "# Archive\n\n## One\n\ntext\n")
    assert findings(root, "archive-changed", mode="worktree") == []
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Archive")
    put(root, path, "# Archive\n\n## Two\n\ntext\n\n## One\n\ntext\n")
    assert findings(root, "archive-changed", mode="worktree") == []
    assert len(findings(root, "archive-changed", mode="worktree", today=date(2026, 5, 11))) == 1
    put(root, path, "# Archive\n\n## Two\n\ntext\n")
    assert len(findings(root, "archive-changed", mode="worktree")) == 1


def test_without_git_these_rules_are_skipped_with_the_reason(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    found = report(tmp_path, mode="worktree")
    for rule in ("struck-lost", "archive-changed"):
        assert (ran(found, rule).status, ran(found, rule).reason) == ("skip", "this is no git repository")
    assert found.exit_code == 0


def test_an_allowance_in_the_file_lets_a_struck_text_go(root: Path) -> None:
    kept = STRUCK.rpartition("- ~~")[0].replace(
        "# Constraints\n", "# Constraints\n\n<!-- memdesk: allow struck-lost asked for by law -->\n"
    )
    put(root, f"{FOLDER}/constraints.md", kept)
    assert lost(root) == []
