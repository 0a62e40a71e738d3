"""memdesk compact: the draft and its account, an edited text, a command's draft, and what each refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.agents import agent
from tests.support.commands import Here, Terminal
from tests.support.shapes import ACTION, faults
from tests.support.stores import FRAGMENTS, custodian_store, git_repo, jonggrang_store, put, snapshot

MEMORY = ".jonggrang/.output/features/counts/MEMORY.md"
ROWS = "A file has at most 400 rows"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    jonggrang_store(tmp_path / "a b")
    return git_repo(tmp_path / "a b")


def test_without_a_feature_they_are_listed(here: Here, root: Path) -> None:
    put(root, f".jonggrang/{FRAGMENTS}/maps/task-001-2026-05-07T10-15-00Z.md", "- One\n")
    ran = here("compact")
    assert (ran.code, ran.out) == (0, "counts  2 fragments  5 entries wait\nmaps  1 fragment  1 entries wait\n")
    assert [one["feature"] for one in here("compact", "--format", "json").json["features"]] == ["counts", "maps"]
    ran = here("compact", "nope", "--yes", "--as", "Ada")
    assert (ran.code, ran.err) == (2, "memdesk: There is no feature 'nope'. Known: counts, maps.\n")


def test_a_store_of_another_layout_has_none(tmp_path: Path, here: Here, root: Path) -> None:
    custodian_store(root / "other")
    ran = here("compact", "x", "--root", "other", "--store", "other/docs/memory")
    assert (ran.code, "keeps memory by feature" in ran.err) == (2, True)


def test_the_account_and_the_diff_are_shown_and_nothing_is_changed(here: Here, root: Path) -> None:
    before = snapshot(root)
    ran = here("compact", "counts")
    assert ran.code == 1
    assert ran.out.startswith(
        f"1  carried   {FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md:3  (line 17)  {ROWS}\n"
    )
    assert f"\n+- {ROWS} (from task-001, 2026-05-07)\n" in ran.out
    assert ran.err.splitlines() == [
        "Compact counts: 5 carried; 2 fragments archived",
        "memdesk: nothing was changed: not confirmed: without a terminal, compact takes --yes and --as NAME.",
    ]
    assert here("compact", "counts", "--yes").code == 1  # a name is needed too
    assert here("compact", "counts", "--dry-run").code == 0
    assert snapshot(root) == before


def test_it_is_applied_and_undone(here: Here, root: Path) -> None:
    before = snapshot(root)
    ran = here("compact", "counts", "--yes", "--as", "Ada", "--leave", "1=not any more", "--leave", "4-5=of no use")
    assert ran.code == 0
    assert ran.out.count("left out") == 3
    assert ROWS not in here.text(MEMORY)
    assert here.text(".memdesk/judgments.toml").count('by = "Ada"') == 2
    assert here("history", "--format", "json").json["transactions"][0]["summary"] == (
        "Compacted counts: 2 carried, 3 left out; 2 fragments archived."
    )
    ran = here("compact", "counts", "--yes", "--as", "Ada")
    assert (ran.code, "nothing to change" in ran.err) == (0, True)
    assert here("undo", "--yes").code == 0
    assert snapshot(root) == before


def test_json_has_the_account(here: Here) -> None:
    ran = here("compact", "counts", "--format", "json", "--yes", "--as", "Ada", "--leave", "1=no")
    assert faults(ran.json, ACTION) == []
    assert ran.json["applied"] is True
    assert [(row["number"], row["state"], row["reason"]) for row in ran.json["account"]] == [
        (1, "left out", "no"), *((number, "carried", None) for number in range(2, 6)),
    ]
    assert ran.json["account"][1] | {"id": "", "draft_line": 0} == {
        "number": 2, "id": "", "path": f".jonggrang/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md", "line": 7,
        "heading": "The header may stand in the second row", "section": "Lessons Learned", "task": "task-001",
        "state": "carried", "draft_line": 0, "twin": None, "reason": None,
    }


@pytest.mark.parametrize("source", ["file", "-"])
def test_an_edited_text(here: Here, root: Path, tmp_path: Path, source: str) -> None:
    draft = here("compact", "counts", "--print").out
    assert draft.startswith("---\nfeature_id: counts\n")
    text = draft.replace(f"- {ROWS} (", "- Files are short (")
    put(tmp_path, "draft.md", text)
    words = ("compact", "counts", "--yes", "--as", "Ada", "--text", "-" if source == "-" else str(tmp_path / "draft.md"))
    before = snapshot(root)
    ran = here(*words, stdin=text.encode())
    assert ran.code == 1
    assert f"is left out without a word: \u201c{ROWS}\u201d" in ran.err
    assert "(without a word)" in ran.out
    assert snapshot(root) == before
    assert here(*words, "--leave", "rest=reworded", stdin=text.encode()).code == 0
    assert here.text(MEMORY) == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--leave", "9=x"), "there is no entry '9'"), (("--leave", "1"), "is not N=REASON"),
        (("--leave", "1="), "is not N=REASON"),
        (("--text", "/nowhere/x"), "No such file"), (("--text", "-", "--draft", "command"), "needs no draft"),
        (("--edit",), "there is no editor"), (("--draft", "command"), "name no command for drafts"),
        (("--draft", "model"), "invalid choice"),
    ],
)
def test_what_is_no_use_is_a_usage_error(here: Here, words: tuple[str, ...], said: str) -> None:
    ran = here("compact", "counts", *words, "--yes", "--as", "Ada")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def own(body: str, tmp_path: Path, **more: int) -> None:
    """The user's own settings name a command that does what `body` says."""
    words = agent(tmp_path, body)
    rows = [f'command = ["{words[0]}"]', *(f"{key} = {value}" for key, value in more.items())]
    put(Path(os.environ["XDG_CONFIG_HOME"]), "memdesk/config.toml", "[agent]\n" + "\n".join(rows) + "\n")


# A program that reads the prompt as it is documented, and gives back the memory with every entry in Facts.
GOOD = r"""
import re, sys
prompt = sys.stdin.read()
mark = re.search(r"<<<([0-9a-f]{16}) NAME>>>", prompt)[1]
blocks = re.findall(rf"<<<{mark} (.*)>>>\n([\s\S]*?)\n<<<end {mark}>>>", prompt)
memory = dict(blocks)["memory"]
stamp = re.search(r"updated_at is (\S+)\.", prompt)[1]
lines = ["- " + text.replace("\n", "\n  ") + " " + name[name.index("("):] for name, text in blocks if name.startswith("entry")]
memory = memory.replace("## Facts\n", "## Facts\n\n" + "\n".join(lines), 1)
"""
PRINT = 'print("```markdown\\n" + memory + "\\n```")\n'


def test_a_command_drafts(here: Here, tmp_path: Path) -> None:
    own(GOOD + PRINT, tmp_path)
    ran = here("compact", "counts", "--draft", "command", "--yes", "--as", "Ada")
    assert (ran.code, ran.err.splitlines()[0]) == (0, f"Drafting: {tmp_path}/draft")
    text = here.text(MEMORY)
    assert text.startswith("---\nfeature_id: counts\n")
    assert f"- {ROWS} (from task-001, 2026-05-07)\n" in text
    assert here("compact", "counts").err.startswith("There is nothing")


BAD = {
    "exits": ('print("x")\nsys.stderr.write("no key")\nsys.exit(3)', "exit code 3"),
    "hangs": ("hang()", "did not end within"),
    "floods": ("while True:\n    print('x' * 9999)", "printed more than"),
    "no text": ("sys.stdout.buffer.write(b'a\\xff')", "what is not UTF-8"),
    "nothing": ("pass", "printed nothing"),
    "drops": (f'print(memory.replace("- {ROWS}", "- Else"))', "is left out without a word"),
    "drops what was there": ('print(memory.replace("- Each site sends one file\\n", ""))', "is left out without a word"),
    "other feature": ('print(memory.replace("feature_id: counts", "feature_id: other"))', "The feature_id is 'other'"),
    "links": ('print(memory + "\\n[a](.jonggrang/.ephemeral/memory/x.md)")', "links to what stays on this machine"),
    "loses a section": ('print(memory.replace("## Context", "## Else"))', "The section 'Context' is missing"),
    "steers": ('print(memory + "\\n\\x1b[2J")', "U+001B"),
    "no front matter": ('print("# Hello")', "The memory has no front matter"),
}


@pytest.mark.parametrize("how", [pytest.param(how, marks=[pytest.mark.slow] * (how == "hangs")) for how in BAD])
def test_a_draft_that_is_none_changes_nothing(here: Here, root: Path, tmp_path: Path, how: str) -> None:
    body, said = BAD[how]
    limits = {"timeout_s": 1, "max_bytes": 20_000} if how in ("hangs", "floods") else {}
    own(GOOD + body + "\n", tmp_path, **limits)
    before = snapshot(root)
    ran = here("compact", "counts", "--draft", "command", "--yes", "--as", "Ada")
    assert ran.code == 1
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert snapshot(root) == before


def test_markup_in_a_draft_is_text(here: Here, tmp_path: Path) -> None:
    own(GOOD + 'print(memory.rstrip() + "\\n- [bold red]x[/] [@click=app.quit]y[/]")\n', tmp_path)
    assert here("compact", "counts", "--draft", "command", "--yes", "--as", "Ada").code == 0
    assert here.text(MEMORY).endswith("- [bold red]x[/] [@click=app.quit]y[/]\n")


def shipped(root: Path, tmp_path: Path) -> None:
    words = agent(tmp_path, GOOD + "say('ran')\n" + PRINT)
    put(root, "memdesk.toml", f'[agent]\ncommand = ["{words[0]}"]\n')


def test_a_command_of_the_repository_does_not_run_unasked(here: Here, root: Path, tmp_path: Path) -> None:
    shipped(root, tmp_path)
    before = snapshot(root)
    ran = here("compact", "counts", "--draft", "command", "--yes", "--as", "Ada")
    assert ran.code == 1
    assert "that you have not approved" in ran.err
    assert snapshot(root) == before


@pytest.mark.slow
def test_at_a_terminal_it_is_asked_about_once(root: Path, tmp_path: Path) -> None:
    shipped(root, tmp_path)
    terminal = Terminal(root, "--now", "2026-11-30", "compact", "counts", "--draft", "command")
    assert f"  {tmp_path}/draft" in terminal.until("[y/N] ")
    terminal.type("n\n")
    assert terminal.end() == 1
    terminal = Terminal(root, "--now", "2026-11-30", "compact", "counts", "--draft", "command")
    terminal.until("[y/N] ")
    terminal.type("y\n")
    shown = terminal.until("[Y/n] ")
    assert "1  carried" in shown
    terminal.type("n\n")
    assert terminal.end() == 1
    terminal = Terminal(root, "--now", "2026-11-30", "compact", "counts", "--draft", "command")
    assert "[y/N]" not in terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert f"- {ROWS} (from task-001" in (root / MEMORY).read_text()
