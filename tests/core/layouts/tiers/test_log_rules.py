"""The log only grows at its end: over the working tree, the index, a base and a branch, against real git."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.checks.runner import RuleReport
from tests.support.checking import findings, ran, report
from tests.support.sampling import sampled
from tests.support.stores import TIERS, git, git_repo, put, tiers_store

LOG = "memory/log/2026-05-09.md"
TEXT = str(TIERS["log/2026-05-09.md"])
HEAD, FIRST, SECOND = TEXT.partition("- ")[0], "- 09:30 imported the counts of April\n", "- 16:05 two sites were late again\n"
RULE = "log-append-only"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    tiers_store(tmp_path)
    return git_repo(tmp_path)


def told(root: Path, mode: str = "worktree", base: str | None = None) -> list[tuple[str, int | None, str]]:
    """(path, line, message) of each finding; all are errors."""
    found = findings(root, RULE, mode=mode, base=base)
    assert {one.severity for one in found} <= {"error"}
    return [(one.path, one.line, one.message) for one in found]


def ruled(root: Path) -> RuleReport:
    return ran(report(root, mode="worktree", only=[RULE]), RULE)


# What is fine


@pytest.mark.parametrize(
    "text",
    [
        TEXT + "- 17:00 more\n", TEXT + "\n\n- 17:00 more\n\n", TEXT.rstrip("\n"), TEXT + "\n\n", TEXT + "- more",
        TEXT + FIRST + SECOND, TEXT + SECOND, TEXT + HEAD + TEXT, TEXT + "- \u00fcber\n", TEXT.replace("\n", "\r\n"),
    ],
)
def test_lines_at_the_end(store: Path, text: str) -> None:
    put(store, LOG, text)
    assert told(store) == []
    git(store, "add", "-A")
    assert told(store, "staged") == []
    assert ruled(store).summary == "2 log files checked, against HEAD"


def test_lines_behind_one_without_a_line_ending(store: Path) -> None:
    put(store, LOG, TEXT.rstrip("\n"))
    git(store, "commit", "-q", "-a", "-m", "without")
    put(store, LOG, TEXT + "- more")
    assert told(store) == []
    put(store, LOG, TEXT.rstrip("\n") + " and more\n")
    assert told(store) == [(LOG, 4, f"A line of the log changed: {SECOND.strip()!r} became {SECOND.strip() + ' and more'!r}.")]


def test_a_new_log_and_other_files(store: Path) -> None:
    put(store, "memory/log/2026-05-08.md", "- late, and fine\n")
    put(store, "memory/inbox.md", "# Inbox\n")
    put(store, "memory/working/plan.md", "- x\n")
    git(store, "rm", "-q", "memory/facts/offline.md")
    assert told(store) == []


@pytest.mark.parametrize("to", ["memory/archive/2026-05-09.md", "memory/archive/log/2026-05-09.md"])
@pytest.mark.parametrize("mode", ["worktree", "staged"])
def test_an_old_log_that_is_archived_as_it_is(store: Path, to: str, mode: str) -> None:
    put(store, to, TEXT)
    (store / LOG).unlink()
    if mode == "staged":
        git(store, "add", "-A")
    assert told(store, mode) == []
    assert findings(store, "archive-changed", mode=mode) == []


def test_permissions_alone(store: Path) -> None:
    (store / LOG).chmod(0o755)
    assert told(store) == []


# What is not


@pytest.mark.parametrize(
    ("text", "line", "message"),
    sampled([
        (HEAD + FIRST.replace("April", "May") + SECOND, 3, f"A line of the log changed: {FIRST.strip()!r} became"),
        (HEAD + FIRST, 3, f"A line of the log went: {SECOND.strip()!r}."),
        (HEAD + SECOND, 3, f"A line of the log went: {FIRST.strip()!r}."),
        (HEAD + SECOND + FIRST, 3, "A line came in above others of the log"),
        (HEAD + "- 08:00 first\n" + FIRST + SECOND, 3, "A line came in above others of the log: '- 08:00 first'."),
        (HEAD + FIRST + "- 12:00 between\n" + SECOND, 4, "A line came in above others of the log: '- 12:00 between'."),
        ("- 08:00 on top\n" + TEXT, 1, "A line came in above others of the log: '- 08:00 on top'."),
        (HEAD + FIRST + "\n" + SECOND, 4, "A line came in above others of the log"),
        (HEAD + FIRST + "  - nested\n" + SECOND, 4, "A line came in above others of the log: '- nested'."),
        ("\ufeff" + TEXT, 1, "A line of the log changed"),
        ("", 1, "A line of the log went: '# 2026-05-09'."), (TEXT.replace("late", "l\u00e4te"), 4, "A line of the log changed"),
        (HEAD + FIRST + SECOND.rstrip("\n") + "  \n", 4, "A line of the log changed"),
    ], 3, rows=True),
)
def test_any_other_change(store: Path, text: str, line: int, message: str) -> None:
    put(store, LOG, text)
    (found,) = told(store)
    assert found[:2] == (LOG, line)
    assert found[2].startswith(message)
    git(store, "add", "-A")
    assert told(store, "staged") == [found]
    assert told(store, "base", "HEAD") == [found]


def test_one_that_is_deleted(store: Path) -> None:
    (store / LOG).unlink()
    assert told(store) == [(LOG, None, "A log file is deleted.")]


def test_one_that_is_renamed(store: Path) -> None:
    put(store, "memory/log/2026-05-08.md", TEXT)
    (store / LOG).unlink()
    git(store, "add", "-A")
    message = "A log file is renamed to log/2026-05-08.md (it was log/2026-05-09.md)."
    assert told(store) == [("memory/log/2026-05-08.md", None, message)]


@pytest.mark.parametrize("text", [TEXT + "- more\n", TEXT.replace("April", "May")])
def test_one_that_is_archived_and_changed(store: Path, text: str) -> None:
    put(store, "memory/archive/2026-05-09.md", text)
    (store / LOG).unlink()
    git(store, "add", "-A")
    (found,) = told(store)
    assert found[2] == "A log file is archived as archive/2026-05-09.md, and changed (it was log/2026-05-09.md)."


def test_one_that_is_archived_under_another_name(store: Path) -> None:
    put(store, "memory/archive/may.md", TEXT)
    (store / LOG).unlink()
    git(store, "add", "-A")
    assert len(told(store)) == 1


def test_one_that_becomes_a_link(store: Path) -> None:
    (store / LOG).unlink()
    (store / LOG).symlink_to("2026-05-10.md")
    assert told(store) == [(LOG, None, "A log file is no file any more.")]


# Branches


def branch(store: Path) -> None:
    git(store, "switch", "-q", "-c", "feature")


def commit(store: Path, text: str) -> None:
    put(store, LOG, text)
    git(store, "commit", "-q", "-a", "-m", "log")


def test_what_a_branch_changed_in_its_commits(store: Path) -> None:
    branch(store)
    commit(store, TEXT.replace("April", "May"))
    (found,) = told(store)
    assert found[:2] == (LOG, 3)
    assert "against the merge base with main" in ruled(store).summary
    assert told(store, "base", "main") == [found]


def test_what_the_base_added_meanwhile_is_no_deed_of_a_branch(store: Path) -> None:
    branch(store)
    commit(store, TEXT + "- 17:00 ours\n")
    git(store, "switch", "-q", "main")
    commit(store, TEXT + "- 17:30 theirs\n")
    git(store, "switch", "-q", "feature")
    assert told(store, "base", "main") == []
    assert told(store) == []


def test_a_line_of_the_branchs_own_is_kept_too(store: Path) -> None:
    branch(store)
    commit(store, TEXT + "- 17:00 ours\n")
    put(store, LOG, TEXT + "- 17:00 ours, edited\n")
    assert [found[:2] for found in told(store)] == [(LOG, 5)]
    assert told(store, "base", "main") == []


def test_without_a_change_to_look_at(store: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    found = ran(report(store, only=[RULE]), RULE)
    assert (found.status, found.reason) == ("skip", "not asked for (--no-diff)")
    other = tmp_path_factory.mktemp("plain")
    tiers_store(other)
    found = ran(report(other, mode="worktree", only=[RULE]), RULE)
    assert (found.status, found.reason) == ("skip", "this is no git repository")


def test_a_base_that_git_does_not_know(store: Path) -> None:
    found = report(store, mode="base", base="nowhere", only=[RULE])
    assert (ran(found, RULE).status, found.exit_code) == ("fail", 2)


def test_folders_of_other_names(tmp_path: Path) -> None:
    put(tmp_path, "memdesk.toml", '[tiers]\nlog = "memory/journal"\narchive = "memory/old"\n')
    tiers_store(tmp_path, **{"journal/2026-05-09.md": TEXT, "journal/2026-05-10.md": TEXT})
    git_repo(tmp_path)
    put(tmp_path, "memory/old/2026-05-09.md", TEXT)
    (tmp_path / "memory/journal/2026-05-09.md").unlink()
    put(tmp_path, "memory/journal/2026-05-10.md", FIRST)
    put(tmp_path, LOG, "no log any more\n")
    assert [found[0] for found in told(tmp_path)] == ["memory/journal/2026-05-10.md"]


# Names


def test_names(tmp_path: Path) -> None:
    names = ("2026-05-10", "2026-05-11", "2027-01-01", "2026-02-30", "may", "2026-05-10-2", "2026/2026-05-09", "README")
    tiers_store(tmp_path, **{f"log/{name}.md": "- x\n" for name in names})
    assert {one.path[11:-3]: one.message for one in findings(tmp_path, "log-name")} == {
        "2026-02-30": "The name of this log file is no date.", "may": "The name of this log file is no date.",
        "2026-05-10-2": "The name of this log file is no date.",
        "2026-05-11": "The date of this log file is still to come: 2026-05-11.",
        "2027-01-01": "The date of this log file is still to come: 2027-01-01.",
    }
    assert ran(report(tmp_path), "log-name").checked == 8
