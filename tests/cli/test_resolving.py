"""`memdesk resolve`, and marked files in the list of conflicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.linemerge import merge_lines
from memdesk.core.merging import Merged
from tests.support.commands import Here, Terminal
from tests.support.merges import conflicting
from tests.support.stores import MEMORY, git, put

DECISIONS = f"{MEMORY}/decisions.md"


def decisions(first: str, second: str = "By site.") -> str:
    return "# Decisions\n" + "".join(
        f"\n## 2026-05-0{day} - {title}\n\nDecision:\n{text}\n\nScope:\nproject\n"
        for day, (title, text) in enumerate((("Format", first), ("Names", second)), 1)
    )


BASE, OURS, THEIRS = decisions("CSV."), decisions("Parquet.", "By year."), decisions("SQLite.", "By day.")


@pytest.fixture
def marked(root: Path) -> Path:
    """The root of a store with two decisions that both sides changed."""
    parts = merge_lines(BASE.encode(), OURS.encode(), THEIRS.encode())
    put(root, DECISIONS, Merged(tuple(parts)).text("HEAD", "topic", "base"))
    return root


def test_one_side_is_taken_for_all_that_nothing_else_answers(here: Here, marked: Path) -> None:
    done = here("resolve", DECISIONS, "--take", "theirs", "--part", "2=ours", "--yes", "--as", "Ada")
    assert (done.code, here.text(DECISIONS)) == (0, decisions("SQLite.", "By year."))
    assert "Resolved 2 conflicts in decisions.md." in done.err
    assert [line.rpartition("#")[0] for line in done.out.splitlines()] == [DECISIONS] * 2  # the ids of what was chosen
    (item,) = here("history", "--format", "json").json["transactions"]
    assert (item["verb"], item["by"], item["undoable"]) == ("resolve", "Ada", True)
    assert here("undo", "--yes").code == 0
    assert "<<<<<<< HEAD" in here.text(DECISIONS)


def test_without_a_terminal_it_takes_a_name(here: Here, marked: Path) -> None:
    before = here.text(DECISIONS)
    done = here("resolve", DECISIONS, "--take", "ours", "--yes")
    assert (done.code, here.text(DECISIONS)) == (1, before)
    assert "--yes and --as NAME" in done.err
    assert "-<<<<<<< HEAD" in done.out  # the plan all the same
    assert here("resolve", DECISIONS, "--take", "ours", "--dry-run").code == 0
    assert here.text(DECISIONS) == before


def test_what_is_not_answered_is_named(here: Here, marked: Path) -> None:
    done = here("resolve", DECISIONS, "--part", "1=both", "--yes", "--as", "Ada")
    assert done.code == 1
    assert "1 of 2 conflict is not decided: 2 (line " in done.err
    assert "2026-05-02 - Names" in done.err


def test_a_text_of_ones_own(here: Here, marked: Path) -> None:
    text = "## 2026-05-01 - Format\n\nDecision:\nWhatever fits.\n\nScope:\nproject"
    done = here("resolve", DECISIONS, "--take", "theirs", "--text", f"1={text}", "--yes", "--as", "Ada", "--format", "json")
    assert (done.code, done.json["applied"]) == (0, True)
    assert here.text(DECISIONS) == decisions("Whatever fits.", "By day.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--part", "1"), 2, "is not N=SIDE"),
        (("--part", "x=ours"), 2, "is not N=SIDE"),
        (("--part", "1=mine"), 2, "there is no side 'mine'"),
        (("--text", "just words"), 2, "is not N=TEXT"),
        (("--part", "7=ours", "--take", "ours"), 2, "There is no conflict 7"),
        (("--take", "mine"), 2, "mine"),
    ],
)
def test_options_that_say_nothing_are_named(here: Here, marked: Path, words: tuple[str, ...], code: int, said: str) -> None:
    done = here("resolve", DECISIONS, *words, "--yes", "--as", "Ada")
    assert (done.code, said in done.err) == (code, True), done.err


def test_a_path_from_here_will_do(here: Here, marked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memdesk.tui.cli import main

    monkeypatch.chdir(marked / MEMORY)
    assert main(["resolve", "decisions.md", "--take", "ours", "--yes", "--as", "Ada"]) == 0
    assert here.text(DECISIONS) == OURS


def test_what_has_no_markers_is_refused(here: Here) -> None:
    done = here("resolve", DECISIONS, "--take", "ours")
    assert (done.code, "holds no conflict markers" in done.err) == (1, True)
    done = here("resolve", "README.md", "--take", "ours", "--format", "json")
    assert (done.code, "no memory file" in done.json["refused"]) == (1, True)


@pytest.mark.slow
def test_staging_is_asked_for(here: Here, root: Path) -> None:
    git(root, "checkout", "-q", "main")
    put(root, DECISIONS, BASE)
    conflicting(root, {DECISIONS: (OURS, THEIRS)})
    assert here("resolve", DECISIONS, "--take", "ours", "--yes", "--as", "Ada").code == 0
    assert git(root, "status", "--porcelain").startswith(f"UU {DECISIONS}")
    assert here("undo", "--yes").code == 0
    done = here("resolve", DECISIONS, "--take", "theirs", "--stage", "--yes", "--as", "Ada")
    assert (done.code, f"Staged {DECISIONS}." in done.err) == (0, True)
    assert git(root, "status", "--porcelain") == f"M  {DECISIONS}\n"


def test_marked_files_are_among_the_conflicts(here: Here, marked: Path) -> None:
    put(marked, f"{MEMORY}/brief.md", "# Brief\n\ntext\n>>>>>>> topic\n")
    found = here("conflicts", "--format", "json").json["marked"]
    lines = here.text(DECISIONS).split("\n")
    assert found[0] == {
        "path": f"{MEMORY}/brief.md", "line": 4, "heading": "", "number": 0,
        "problem": "This is the end of a merge conflict whose beginning is gone.",
    }
    assert [(row["path"], lines[row["line"] - 1], row["heading"], row["number"]) for row in found[1:]] == [
        (DECISIONS, "## 2026-05-01 - Format", "2026-05-01 - Format", 1),
        (DECISIONS, "## 2026-05-02 - Names", "2026-05-02 - Names", 2),
    ]
    text = here("conflicts").out
    assert "git's conflict markers, entry by entry (memdesk resolve PATH):" in text
    assert f"  {DECISIONS}:{found[1]['line']}  1  2026-05-01 - Format\n" in text
    assert f"  {MEMORY}/brief.md:4  broken: This is the end" in text
    assert "## Git conflicts\n\n- " in here("conflicts", "--format", "markdown").out


def test_without_markers_nothing_is_said_of_them(here: Here) -> None:
    assert here("conflicts", "--format", "json").json["marked"] == []
    assert "marker" not in here("conflicts").out + here("conflicts", "--format", "markdown").out


def test_values_are_masked_in_the_list(here: Here, root: Path) -> None:
    token = "ghp_1234567890abcdefghijklmnopqrstuvwxyz"
    long = "The token of the upload script that counts send their results with"  # the cut goes through the value
    first, second = (f"- {long} {token}, {word}\n" for word in "AB")
    put(root, f"{MEMORY}/constraints.md", f"# Constraints\n\n<<<<<<< a\n{first}=======\n{second}>>>>>>> b\n")
    ours, theirs = (f"## Use {token}\n\nDecision:\n{word}.\n" for word in "AB")
    put(root, DECISIONS, f"# Decisions\n\n<<<<<<< a\n{ours}=======\n{theirs}>>>>>>> b\n")
    for form in ("text", "json", "markdown"):
        listed = here("conflicts", "--format", form).out
        assert "counts send" in listed
        assert token[:8] not in listed
    for path in (f"{MEMORY}/constraints.md", DECISIONS):
        refused = here("resolve", path, "--yes", "--as", "Ada")
        assert refused.code == 1
        assert "not decided" in refused.err
        assert token[:8] not in refused.out + refused.err


@pytest.mark.slow
def test_at_a_terminal_each_is_asked(here: Here, marked: Path) -> None:
    terminal = Terminal(marked, "resolve", DECISIONS)
    shown = terminal.until("> ")
    assert f"{DECISIONS}:3  2026-05-01 - Format  (1 of 2)" in shown
    assert "ours (HEAD):" in shown
    assert "  │ Parquet." in shown
    terminal.type("2\n")
    assert "(2 of 2)" in terminal.until("> ")
    terminal.type("ours\n")
    assert "Resolve 2 conflicts in decisions.md" in terminal.until("[Y/n] ")
    terminal.type("\n")
    assert "Stage it" in terminal.until("[y/N] ")
    terminal.type("\n")
    assert terminal.end() == 0
    assert here.text(DECISIONS) == decisions("SQLite.", "By year.")
    assert git(marked, "status", "--porcelain") == f" M {DECISIONS}\n"


@pytest.mark.slow
def test_no_answer_changes_nothing(here: Here, marked: Path) -> None:
    before = here.text(DECISIONS)
    terminal = Terminal(marked, "resolve", DECISIONS)
    terminal.until("> ")
    terminal.type("\x04")
    assert terminal.end() == 1
    assert "Nothing was changed." in terminal.text
    assert here.text(DECISIONS) == before
