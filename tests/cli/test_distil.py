"""memdesk compact FEATURE --distil: a command's proposals for the project's memory, and how one is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_compact import own
from tests.support.agents import agent
from tests.support.commands import Here
from tests.support.stores import feature_memory, git_repo, jonggrang_store, put, snapshot

FEATURE, PROJECT = ".jonggrang/.output/features/counts/MEMORY.md", ".jonggrang/MEMORY.md"
HEADER = "Read the header by name, never by place"

# A program that reads the prompt as it is documented: it proposes each entry of Lessons Learned, and more that can't be taken.
LESSONS = r"""
import re
prompt = sys.stdin.read()
mark = re.search(r"<<<([0-9a-f]{16}) NAME>>>", prompt)[1]
blocks = dict(re.findall(rf"<<<{mark} (.*)>>>\n([\s\S]*?)\n<<<end {mark}>>>", prompt))
first = blocks["sections"].split("\n")[0]
print(f"Sure!\n\n## {first}\n")
for name, text in blocks.items():
    if name.endswith("of Lessons Learned"):
        print(f"- In every import: {text} (from: {name.split()[1]})")
print("- Dates are written as 2026-05-02, in every file (from: 1)")
print("- See [it](.jonggrang/.ephemeral/memory/x.md) (from: 2)")
print("- [bold red]x[/] <b> (from: 2)\n\n## Rules\n\n- Be good (from: 1)")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    jonggrang_store(tmp_path / "a b")
    return git_repo(tmp_path / "a b")


def test_proposals_are_printed_and_one_is_promoted_by_the_ordinary_verb(here: Here, root: Path, tmp_path: Path) -> None:
    own(LESSONS, tmp_path)
    before = snapshot(root)
    ran = here("compact", "counts", "--distil")
    assert (ran.code, snapshot(root)) == (0, before)
    rows = ran.out.splitlines()
    assert rows[0] == f"1  proposed  Conventions  In every import: {HEADER}"
    assert [line for line in rows if "!" in line] == [
        "   ! It is there already, in line 11.",
        "   ! It links to what stays on this machine, and goes: name the task and the date in words.",
        "   ! The project's memory has no section 'Rules'. There is Conventions, Known Pitfalls.",
    ]
    assert "4  proposed  Conventions  [bold red]x[/] <b>" in rows
    assert ran.err.splitlines() == [
        f"Drafting: {tmp_path}/draft", "memdesk: line 1 of the answer is no proposal: Sure!",
        "5 proposals; nothing was changed. To take one: memdesk promote ID --to project-memory --section SECTION "
        "--answer reviewed=yes --text TEXT",
    ]
    told = here("compact", "counts", "--distil", "--format", "json").json
    assert (told["schema"], told["feature"], told["to"]) == ("memdesk.lessons/1", "counts", "project-memory")
    assert told["besides"] == [{"line": 1, "text": "Sure!"}]
    one = told["proposals"][0]
    assert (one["entries"], one["problems"]) == ([one["id"]], [])
    to = ("--to", told["to"], "--section", one["section"])
    words = ("promote", one["id"], *to, "--text", one["text"], "--yes", "--as", "Ada")
    ran = here(*words)
    assert (ran.code, "review" in ran.err, snapshot(root)) == (1, True, before)
    assert here(*words, "--answer", "reviewed=yes").code == 0
    assert f"- In every import: {HEADER} (from [counts]({FEATURE}), " in here.text(PROJECT)
    assert "In every import" not in here.text(FEATURE)
    assert here("undo", "--yes").code == 0
    assert snapshot(root) == before


@pytest.mark.parametrize(
    ("body", "limits", "said"),
    [
        ("sys.stdout.buffer.write(b'\\xff')", {}, "not UTF-8"), ("sys.exit(3)", {}, "exit code 3"),
        pytest.param("hang()", {"timeout_s": 1}, "did not end within 1 s", marks=pytest.mark.slow),
    ],
)
def test_a_command_that_fails_changes_nothing(
    here: Here, root: Path, tmp_path: Path, body: str, limits: dict[str, int], said: str
) -> None:
    own(body, tmp_path, **limits)
    before = snapshot(root)
    ran = here("compact", "counts", "--distil")
    assert (ran.code, ran.out, snapshot(root)) == (1, "", before)
    assert said in ran.err


def test_a_command_of_the_repository_does_not_run_unasked(here: Here, root: Path) -> None:
    agent(root, "say('ran')")
    put(root, "memdesk.toml", '[agent]\ncommand = ["./draft"]\n')
    ran = here("compact", "counts", "--distil", "--yes", "--as", "Ada")
    assert (ran.code, (root / "ran").exists()) == (1, False)
    assert "that you have not approved (./draft). Nothing was run." in ran.err
    assert "Drafting" not in ran.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--distil",), 2, "Of which feature?"), (("maps", "--distil"), 2, "no feature 'maps'"),
        (("counts", "--distil"), 2, "name no command"), (("counts", "--distil", "--print"), 2, "makes no memory"),
    ],
)
def test_what_is_no_use(here: Here, words: tuple[str, ...], code: int, said: str) -> None:
    ran = here("compact", *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_a_feature_without_lessons_asks_no_command(here: Here, root: Path, tmp_path: Path) -> None:
    own("say('ran')", tmp_path)
    put(root, FEATURE, feature_memory())
    ran = here("compact", "counts", "--distil")
    assert (ran.code, "nothing in the feature's memory" in ran.err, (root / "ran").exists()) == (1, True, False)


def test_a_text_to_promote_may_come_on_standard_input_and_must_say_something(here: Here) -> None:
    ident = next(
        one["id"] for one in here("inbox", "--format", "json").json["candidates"] if one["path"] == FEATURE
    )
    words = ("promote", ident, "--to", "project-memory", "--section", "Conventions", "--answer", "reviewed=yes", "--text")
    ran = here(*words, " ")
    assert (ran.code, "holds no text" in ran.err) == (2, True)
    assert here(*words, "-", "--yes", "--as", "Ada", stdin=b"By name\n").code == 0
    assert "- By name (from [counts](" in here.text(PROJECT)
    assert f"- {HEADER} \u2192 promoted " in here.text(FEATURE)
