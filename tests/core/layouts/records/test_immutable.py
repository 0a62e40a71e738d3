"""An accepted record stays: what changes in it is found against where the branch began, and nothing else is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memdesk.core.layouts.records import earlier, immutable
from memdesk.core.model import Store
from tests.support.checking import findings, lines, ran, report
from tests.support.stores import git, git_repo, put, record, records_store

RULE = "adr-immutable"
PATH = "docs/adr/0001-store-counts-as-csv.md"
NAME = "0001-store-counts-as-csv.md"
TEXT = record(1, "Store counts as CSV")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    records_store(tmp_path)
    return git_repo(tmp_path)


def commit(root: Path, *paths: str, message: str = "Work") -> None:
    git(root, "add", "-A", *paths)
    git(root, "commit", "-qm", message)


def found(root: Path, mode: str = "worktree", base: str | None = None) -> list[tuple[str, int | None, str]]:
    return lines(root, RULE, mode=mode, **({} if base is None else {"base": base}))


# What differs, text against text --------------------------------------------------------------------------------------


def differs(before: str | bytes, after: str | bytes, was: str = PATH, now: str = PATH) -> int | None:
    """The line of the first difference between two texts of a record."""
    store = Store("records", ".", "")
    from memdesk.core.layouts.records.kept import Kept

    store.settings = Kept(("docs/adr",))
    one, other = (
        earlier.record(store, path, text if isinstance(text, bytes) else text.encode())
        for path, text in ((was, before), (now, after))
    )
    place = immutable._difference(one, other, {} if was == now else {was: now})
    return None if place is None else place[0]


FORMS = {
    "section": "# 1. Use X\n\n## Status\n\nAccepted\n\n## Context\n\nOne reason stands.\n",
    "bullets": "# Use X\n\n* Status: accepted\n* Deciders: the team\n* Date: 2026-01-02\n\n## Context\n\nOne reason stands.\n",
    "front": "---\nstatus: accepted\ndate: 2026-01-02\ndeciders: the team\n---\n# Use X\n\n## Context\n\nOne reason stands.\n",
    "bold": "# Use X\n\n**Status:** Accepted\n**Date:** 2026-01-02\n\n## Context\n\nOne reason stands.\n",
    "heading": "# Use X\n\n## Status: Accepted\n\n## Context\n\nOne reason stands.\n",
}
SUPERSEDED = {
    "section": ("Accepted\n", "Superseded by [ADR-0002](0002-y.md), 2026-06-01\n"),
    "bullets": ("* Status: accepted\n", "* Status: superseded by [ADR-2](0002-y.md), 2026-06-01\n* Superseded by: ADR-0002\n"),
    "front": ("status: accepted\n", "status: superseded by ADR-0002\nsuperseded-by: ADR-0002\n"),
    "bold": ("**Status:** Accepted\n", "**Status:** Superseded by ADR-0002\n**Superseded by:** [ADR 0002](0002-y.md)\n"),
    "heading": ("## Status: Accepted\n", "## Status: Superseded by ADR-0002\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_status_date_and_relation_lines_may_change_in_every_form(form: str) -> None:
    text = FORMS[form]
    assert differs(text, text.replace(*SUPERSEDED[form])) is None
    assert differs(text, text.replace("2026-01-02", "2026-02-03")) is None


@pytest.mark.parametrize("form", FORMS)
def test_one_word_elsewhere_is_found_with_its_line(form: str) -> None:
    text = FORMS[form].replace(*SUPERSEDED[form])
    assert differs(FORMS[form], text.replace("reason", "excuse")) == text[: text.index("reason")].count("\n") + 1
    text = FORMS[form]
    assert differs(text, text.replace("Use X", "Use Y")) == text[: text.index("Use X")].count("\n") + 1


def test_what_says_who_decided_is_text() -> None:
    assert differs(FORMS["bullets"], FORMS["bullets"].replace("the team", "the boss")) == 4
    assert differs(FORMS["front"], FORMS["front"].replace("the team", "the boss")) == 4


def test_line_endings_bom_and_the_last_newline_are_no_text() -> None:
    raw = TEXT.encode()
    assert differs(raw, raw.replace(b"\n", b"\r\n")) is None
    assert differs(raw.replace(b"\n", b"\r\n"), raw) is None
    assert differs(raw, b"\xef\xbb\xbf" + raw) is None
    assert differs(raw, raw.rstrip(b"\n")) is None
    assert differs(raw, raw + b"\n\n") is None
    assert differs(raw, raw.replace(b"\n", b"\r\n").replace(b"spreadsheet", b"table")) == 11


def test_lines_that_come_and_go_are_found() -> None:
    assert differs(TEXT, TEXT + "\nMore.\n") == TEXT.count("\n") + 2
    assert differs(TEXT, TEXT[: TEXT.index("One file")]) is not None
    assert differs(TEXT, TEXT.replace("## Context\n", "## Context\n\nFirst of all.\n")) == 11
    assert differs(TEXT, "") is not None


def test_what_is_no_utf8_is_compared_to_the_byte() -> None:
    raw = TEXT.encode().replace(b"spreadsheet", b"spre\xe4dsheet")
    assert differs(raw, raw) is None
    assert differs(raw, raw.replace(b"\xe4", b"\xe5")) == 11


def test_a_new_number_in_the_title_and_in_links_is_no_change() -> None:
    moved = "docs/adr/0009-store-counts-as-csv.md"
    assert differs(TEXT, TEXT.replace("# 1. ", "# 9. "), PATH, moved) is None
    assert differs(TEXT, TEXT.replace("# 1. Store", "# 9. Keep"), PATH, moved) == 1
    link = TEXT + "\nAs [ADR-0001](0001-store-counts-as-csv.md) and ADR 1 say, 1 file.\n"
    fixed = link.replace("[ADR-0001](0001-", "[ADR-0009](0009-").replace("ADR 1", "ADR 9").replace("# 1.", "# 9.")
    assert differs(link, fixed, PATH, moved) is None
    assert differs(link, fixed.replace("1 file", "9 file"), PATH, moved) is not None
    assert differs(TEXT, TEXT.replace("# 1. ", "# 9. ")) == 1


# Against git ----------------------------------------------------------------------------------------------------------


def test_a_word_that_changes_is_found_with_its_line_words_and_remedy(root: Path) -> None:
    put(root, PATH, TEXT.replace("a spreadsheet", "a table"))
    [finding] = findings(root, RULE, mode="worktree")
    assert (finding.path, finding.line, finding.severity) == (PATH, 11, "error")
    assert "'Volunteers open the counts in a spreadsheet.' became 'Volunteers open the counts in a table.'" in finding.message
    assert "supersedes" in finding.hint
    assert ran(report(root, mode="worktree"), RULE).summary == "1 accepted record checked, against HEAD: 1 error"


def test_nothing_fires_on_a_rename_line_endings_a_status_or_a_draft(root: Path) -> None:
    put(root, PATH, TEXT.replace("Accepted", "Superseded by 0002").replace("\n", "\r\n"))
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon", "Proposed"))
    assert found(root) == []
    git(root, "checkout", "-q", ".")
    git(root, "mv", PATH, "docs/adr/0001-keep-counts-as-csv.md")
    assert found(root) == []
    assert ran(report(root, mode="worktree"), RULE).checked == 1
    assert found(root, "staged") == []


def test_a_deleted_record_is_found_and_one_that_left_the_folder(root: Path) -> None:
    (root / PATH).unlink()
    [finding] = findings(root, RULE, mode="worktree")
    assert (finding.path, finding.line, finding.message) == (PATH, None, "An accepted record is deleted.")
    put(root, "old/notes.md", TEXT)
    git(root, "add", "-A")
    assert [one.message for one in findings(root, RULE, mode="staged")] == [
        "An accepted record is no record any more: it went to old/notes.md."
    ]


@pytest.mark.slow
def test_a_record_moved_by_hand_is_known_again_and_its_change_found(root: Path) -> None:
    (root / PATH).unlink()
    put(root, "docs/adr/0001-keep-counts.md", TEXT.replace("a spreadsheet", "a table"))
    [finding] = findings(root, RULE, mode="worktree")
    assert (finding.path, finding.line) == ("docs/adr/0001-keep-counts.md", 11)
    assert f"(it was {PATH})" in finding.message


@pytest.mark.slow
def test_the_whole_folder_can_move(root: Path) -> None:
    git(root, "mv", "docs/adr", "docs/decisions")
    assert found(root) == []
    put(root, f"docs/decisions/{NAME}", TEXT.replace("a spreadsheet", "a table"))
    assert found(root) == [(NAME, 11, "error")]


def test_a_link_in_its_place_is_found(root: Path) -> None:
    (root / PATH).unlink()
    (root / PATH).symlink_to("../../other.txt")
    assert [one.message for one in findings(root, RULE, mode="worktree")] == ["An accepted record is no file any more."]
    put(root, "other.txt", "x\n")
    assert found(root) == [(NAME, 1, "error")]
    put(root, "other.txt", TEXT)
    assert found(root) == []


def test_staged_it_is_the_index_that_is_compared(root: Path) -> None:
    put(root, PATH, TEXT.replace("a spreadsheet", "a table"))
    assert found(root, "staged") == []
    git(root, "add", "-A")
    git(root, "checkout", "-q", "HEAD", "--", PATH)
    put(root, PATH, TEXT.replace("a spreadsheet", "a table"))
    git(root, "add", PATH)
    put(root, PATH, TEXT)
    assert found(root, "staged") == [(NAME, 11, "error")]
    assert found(root) == []


def test_a_record_that_is_new_on_the_branch_can_be_changed_and_accepted_ones_cannot(root: Path) -> None:
    git(root, "checkout", "-qb", "work")
    put(root, "docs/adr/0003-x.md", record(3, "Count birds twice"))
    commit(root)
    put(root, "docs/adr/0003-x.md", record(3, "Count birds three times"))
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon"))
    assert found(root) == []
    assert ran(report(root, mode="worktree"), RULE).summary == "1 accepted record checked, against the merge base with main"
    put(root, PATH, TEXT.replace("a spreadsheet", "a table"))
    commit(root)
    assert found(root) == [(NAME, 11, "error")]
    assert found(root, "staged") == [(NAME, 11, "error")]
    git(root, "checkout", "-q", "--detach")
    assert found(root) == [(NAME, 11, "error")]


def test_what_the_base_got_meanwhile_is_no_deed_of_the_branch(root: Path) -> None:
    git(root, "checkout", "-qb", "work")
    put(root, "docs/adr/0003-x.md", record(3, "Count birds twice"))
    commit(root)
    git(root, "checkout", "-q", "main")
    put(root, "docs/adr/0004-y.md", record(4, "Ring no birds"))
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at night"))
    commit(root)
    git(root, "checkout", "-q", "work")
    assert found(root, "base", "main") == []
    assert ran(report(root, mode="base", base="main"), RULE).checked == 1
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon"))
    assert found(root, "base", "main") == [("0002-sync-at-night.md", 1, "error")]
    git(root, "checkout", "-q", ".")
    git(root, "merge", "-q", "--no-edit", "main")
    assert found(root, "base", "main") == found(root) == []
    put(root, "docs/adr/0004-y.md", record(4, "Ring all birds"))
    assert found(root, "base", "main") == found(root) == [("0004-y.md", 1, "error")]


@pytest.mark.slow
def test_without_a_default_branch_it_is_head_and_says_so(root: Path) -> None:
    git(root, "branch", "-m", "elsewhere")
    put(root, "docs/adr/0003-x.md", record(3, "Count birds twice"))
    commit(root)
    put(root, "docs/adr/0003-x.md", record(3, "Count birds three times"))
    assert found(root) == [("0003-x.md", 1, "error")]
    assert "against HEAD (no default branch is known here)" in ran(report(root, mode="worktree"), RULE).summary


def test_without_git_it_is_skipped_with_the_reason(tmp_path: Path) -> None:
    records_store(tmp_path)
    rule = ran(report(tmp_path, mode="worktree"), RULE)
    assert (rule.status, rule.reason) == ("skip", "this is no git repository")


def test_before_the_first_commit_nothing_is_accepted_yet(tmp_path: Path) -> None:
    records_store(tmp_path)
    git_repo(tmp_path, commit=False)
    rule = ran(report(tmp_path, mode="worktree"), RULE)
    assert (rule.status, rule.checked) == ("pass", 0)


@pytest.mark.slow
def test_a_git_that_cannot_look_back_fails_the_check(root: Path) -> None:
    git(root, "checkout", "-qb", "work")
    put(root, "x", "x")
    commit(root)
    base = git(root, "rev-parse", "main").strip()
    (root / ".git/objects" / base[:2] / base[2:]).unlink()
    found = report(root, mode="worktree")
    rule = ran(found, RULE)
    assert (rule.status, found.exit_code) == ("fail", 2)


@pytest.mark.slow
def test_a_checkout_with_windows_line_endings_is_no_change(root: Path) -> None:
    git(root, "config", "core.autocrlf", "true")
    git(root, "rm", "-q", "--cached", "-r", ".")
    git(root, "reset", "-q", "--hard")
    assert b"\r\n" in (root / PATH).read_bytes()
    assert found(root) == []
    git(root, "checkout", "-qb", "work")
    put(root, "docs/adr/0003-x.md", record(3, "Count birds twice").replace("\n", "\r\n"))
    commit(root)
    assert found(root) == []
    put(root, PATH, (root / PATH).read_bytes().replace(b"a spreadsheet", b"a table"))
    assert found(root) == [(NAME, 11, "error")]


@pytest.mark.slow
def test_a_package_in_a_monorepo_has_its_own_records(tmp_path: Path) -> None:
    records_store(tmp_path)
    records_store(tmp_path, "packages/one", **{"package.json": "{}"})
    git_repo(tmp_path)
    put(tmp_path, f"packages/one/{PATH}", TEXT.replace("a spreadsheet", "a table"))
    [finding] = findings(tmp_path, RULE, mode="worktree")
    assert finding.path == f"packages/one/{PATH}"


@pytest.mark.slow
def test_a_shallow_clone_without_the_merge_base_could_not_look(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    git(root, "checkout", "-qb", "work")
    put(root, "docs/adr/0003-x.md", record(3, "Count birds twice"))
    commit(root)
    git(root, "checkout", "-q", "main")
    put(root, "docs/adr/0004-y.md", record(4, "Ring no birds"))
    commit(root)
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{root}", ".")
    git(clone, "checkout", "-q", "work")
    done = report(clone, mode="worktree")
    assert (done.exit_code, ran(done, RULE).status) == (2, "fail")
    said = "nothing checked: This clone is shallow, so it is not known here where this left origin/main."
    assert said in ran(done, RULE).summary
    put(clone, PATH, TEXT.replace("a spreadsheet", "a table"))
    git(clone, "fetch", "-q", "--unshallow", "origin")
    assert found(clone) == [(NAME, 11, "error")]


def test_a_clean_check_on_the_default_branch_asks_git_no_more_than_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    real = subprocess.Popen.__init__
    monkeypatch.setattr(subprocess.Popen, "__init__", lambda *args, **more: (started.append(args[1]), real(*args, **more))[1])
    report(root, mode="worktree")
    assert len(started) <= 1
