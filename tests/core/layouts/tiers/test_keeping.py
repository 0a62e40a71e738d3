"""Two versions of a file of this layout merged, and what a fact ranks as."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.layouts.tiers.detect import classify
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.model import Document, Store
from tests.support.branches import with_driver
from tests.support.checking import report
from tests.support.commands import environment
from tests.support.merging import merged
from tests.support.stores import TIERS, fact, git, git_repo, put, tiers_store

STORE = Store("tiers", "memory", "a test", Kept())
LOG = str(TIERS["log/2026-05-09.md"])
INDEX = str(TIERS["INDEX.md"])
CSV = "- [counts-as-csv](facts/counts-as-csv.md): Counts are stored as CSV files, one for each site\n"


def reader(name: str) -> Callable[[bytes], Document]:
    path = f"memory/{name}"
    place = classify(STORE, path)
    assert place is not None
    return lambda data: Document(path, STORE, place, data, layouts.get("tiers").entries)


def log(base: str, ours: str, theirs: str) -> str:
    return merged(reader("log/2026-05-09.md"), base, ours, theirs)


def index(base: str, ours: str, theirs: str) -> str:
    return merged(reader("INDEX.md"), base, ours, theirs)


def test_lines_that_both_sides_add_to_a_log_stay_ours_first() -> None:
    ours, theirs = "- 17:00 ours\n- 18:00 ours again\n", "- 17:30 theirs\n"
    assert log(LOG, LOG + ours, LOG + theirs) == LOG + ours + theirs
    assert log(LOG, LOG + theirs, LOG + ours) == LOG + theirs + ours


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_log_that_ends_in_another_way(end: str) -> None:
    base = LOG.rstrip("\n") + end
    found = log(base, LOG + "- ours\n", LOG + "\n- theirs\n")
    assert found.split() == (LOG + "- ours\n- theirs\n").split()
    assert found.startswith(LOG.rstrip("\n"))


def test_the_same_line_on_both_sides_and_one_that_was_there() -> None:
    again = "- 09:30 imported the counts of April\n"
    assert log(LOG, LOG + again, LOG + "- theirs\n") == LOG + again + "- theirs\n"
    assert log(LOG, LOG + "- both\n", LOG + "- both\n") == LOG + "- both\n"


def test_a_day_that_both_sides_began() -> None:
    head = "# 2026-05-09\n\n"
    assert log("", head + "- ours\n", head + "- theirs\n") == head + "- ours\n- theirs\n"  # git's base of what both added


def test_lines_with_more_below_them_and_under_headings() -> None:
    base = LOG + "\n## Later\n\n- 19:00 began\n  - with this\n"
    assert log(base, base + "- 20:00 ours\n  - and this\n", base + "- 20:30 theirs\n") == (
        base + "- 20:00 ours\n  - and this\n- 20:30 theirs\n"
    )


def test_lines_that_both_sides_add_to_the_index_stay() -> None:
    ours, theirs = "- [a](facts/a.md): A\n", "- [b](facts/b.md): B\n"
    assert index(INDEX, INDEX + ours, INDEX + theirs) == INDEX + ours + theirs
    assert index(INDEX, ours.join([INDEX[:24], INDEX[24:]]), INDEX.replace(CSV, CSV + theirs)).count("- [") == 5


def test_a_description_that_one_side_changes_where_the_other_adds() -> None:
    changed = CSV.replace("one for each site", "one for each year")
    theirs = INDEX.replace(CSV, CSV + "- [b](facts/b.md): B\n")
    assert index(INDEX, INDEX.replace(CSV, changed), theirs) == theirs.replace(CSV, changed)


def test_a_line_that_one_side_takes_out_and_one_that_the_other_changes() -> None:
    offline = "- [offline](facts/offline.md): Everything runs without a network connection\n"
    assert index(INDEX, INDEX.replace(offline, ""), INDEX + "- [b](facts/b.md): B\n") == INDEX.replace(offline, "") + (
        "- [b](facts/b.md): B\n"
    )
    both = index(INDEX, INDEX.replace("one for each site", "ours"), INDEX.replace("one for each site", "theirs"))
    assert "<<<<<<< ours" in both
    assert both.count("- [") == 5


def test_candidates_and_the_line_that_stands_for_none() -> None:
    empty = "# Inbox\n\nNo unprocessed memory candidates.\n"
    ours, theirs = "# Inbox\n\n## 2026-05-10\n\n- ours\n", "# Inbox\n\n## 2026-05-10\n\n- theirs\n"
    assert merged(reader("inbox.md"), empty, ours, theirs) == "# Inbox\n\n## 2026-05-10\n\n- ours\n- theirs\n"
    assert merged(reader("inbox.md"), ours, empty, ours + "- theirs\n") == "# Inbox\n\n## 2026-05-10\n\n- theirs\n"


@pytest.mark.slow
@pytest.mark.parametrize("how", [("merge", "-q", "--no-edit", "side"), ("rebase", "-q", "side"), ("cherry-pick", "side")])
def test_two_branches_in_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]) -> None:
    """Each promoted a fact, wrote to a log that was there and began that of the day; everything is there after it."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    tiers_store(tmp_path)
    git_repo(tmp_path, commit=False)
    with_driver(tmp_path)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    for branch in ("side", "main"):
        git(tmp_path, "checkout", "-q", *(["-b"] if branch == "side" else []), branch)
        put(tmp_path, f"memory/facts/{branch}.md", fact(f"What {branch} found"))
        put(tmp_path, "memory/INDEX.md", f"{INDEX}- [{branch}](facts/{branch}.md): What {branch} found\n")
        put(tmp_path, "memory/log/2026-05-10.md", f"{TIERS['log/2026-05-10.md']}- 11:00 {branch}\n")
        put(tmp_path, "memory/log/2026-05-11.md", f"# 2026-05-11\n\n- 09:00 {branch}\n")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", branch)
    git(tmp_path, *how)
    assert (tmp_path / "memory/INDEX.md").read_text().count(": What ") == 2
    for day in ("2026-05-10", "2026-05-11"):
        text = (tmp_path / f"memory/log/{day}.md").read_text()
        assert sorted(line[8:] for line in text.split("\n") if line.endswith(("main", "side"))) == ["main", "side"]
        assert text.count(f"# {day}") == 1
    found = report(tmp_path, mode="worktree", today=date(2026, 5, 11))
    assert [one.rule for one in found.findings] == ["guide-missing"]


def test_a_fact_is_merged_by_lines() -> None:
    base = fact("d", "One.\n\nTwo.\n\nThree.")
    ours, theirs = base.replace("One", "Eins"), base.replace("Three", "Drei")
    assert merged(reader("facts/x.md"), base, ours, theirs) == ours.replace("Three", "Drei")
    assert "<<<<<<< ours" in merged(reader("facts/x.md"), base, ours, base.replace("One", "Un"))


@pytest.mark.parametrize(
    ("kind", "rank"),
    [("decision", "decision"), ("Constraint", "constraint"), ("preference", "preference"), ("fact", "fact"), ("x", "fact")],
)
def test_a_fact_ranks_by_its_type(kind: str, rank: str) -> None:
    (entry,) = reader("facts/x.md")(fact("d", type=kind).encode()).entries
    assert layouts.get("tiers").rank(entry) == rank
    (line,) = reader("log/2026-05-09.md")(b"- x\n").entries
    assert layouts.get("tiers").rank(line) == "note"
