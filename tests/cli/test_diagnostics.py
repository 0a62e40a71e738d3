"""Each diagnostic of any command is one line, in which what runs a step of CI finds no command, whatever the names hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.tui.cli.arguments import COMMANDS
from tests.support.commands import Here, process
from tests.support.hosts import steps_log
from tests.support.stores import MEMORY, custodian_store, put

EVIL = "x\n::error::owned\n  ::warning file=a::owned\n##[error]owned ##vso[task.complete]owned\r\n::stop-commands::owned"
WORDS = (
    ("-C", EVIL), ("--store", EVIL), ("--format", EVIL), ("--as", EVIL, EVIL), ("--now", EVIL), (EVIL,), (EVIL, EVIL),
    (f"--{EVIL}",), ("--yes", "--quiet", EVIL), (),
)
ACTS = (
    ("pack", "--task", EVIL), ("pack", "--task", "planning", "--area", EVIL), ("pack", "--why", EVIL),
    ("add", "some text", "--kind", EVIL), ("add", f"- {EVIL}"), ("recall", "counts", "--feature", EVIL),
    ("entries", "--role", EVIL), ("check", "--rule", EVIL), ("check", "--baseline", EVIL),
    ("check", "--base", EVIL), ("history", "--show", EVIL),
    ("resolve", f"{EVIL}/docs/memory/constraints.md"), ("init", EVIL), ("promote", "inbox:1", "--to", EVIL),
    ("pack", "--base", EVIL),
)  # fmt: skip


def store(root: Path, name: str) -> None:
    """Stores below a folder of that name: one that can't be routed, one that can't be read, one with a file in conflict."""
    custodian_store(root / name, manifest="# Manifest\n", inbox=f"# Inbox\n\n- {name}\n")
    put(root, f"{name}/memory-lint.json", "{")
    put(root, f"{name}/docs/memory/preferences.md", b"# P\n\xff\n")
    put(root, f"{name}/docs/memory/constraints.md", "# C\n\n<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n")
    put(root, f"{MEMORY}/areas/{name}.md", b"# A\n\xff\n")


def told(here: Here, words: tuple[str, ...]) -> int:
    """How many lines a command says on stderr; none is one of a runner's commands."""
    ran = here(*words)
    assert "Traceback" not in ran.err
    commands, lines = steps_log(ran.err)
    assert commands == []
    assert not any(line.lstrip().startswith("::") or "##[" in line or "##vso[" in line for line in lines), lines
    return len(lines) if ran.err else 0


def plain(text: str) -> str:
    return text.replace("\r\n", " ").replace("\n", " ")


@pytest.mark.parametrize("command", ["", "check", *COMMANDS])
def test_words_that_are_wrong_are_told_on_one_line(here: Here, command: str) -> None:
    for words in WORDS if command else WORDS[:5]:
        first = (command, "--dry-run") if command == "add" else (command,)
        line = (*first, *words) if command else (*words, "--pane", EVIL)
        assert told(here, line) == told(here, tuple(map(plain, line))), line


def test_what_is_found_in_stores_is_told_a_line_each(here: Here, root: Path, tmp_path: Path) -> None:
    counts = []
    for name in (EVIL, plain(EVIL)):
        folder = tmp_path / f"{len(counts)}"
        folder.mkdir()
        custodian_store(folder)
        store(folder, name)
        here.root = folder
        lines = [(command,) for command in ("check", *COMMANDS)] + [
            tuple(word.replace(EVIL, name) for word in words) for words in ACTS
        ]
        counts.append({(line[0], number): told(here, line) for number, line in enumerate(lines)})
    assert counts[0] == counts[1]
    assert sum(counts[0].values()) > 40


def test_a_name_that_is_no_rule_is_wrapped_and_no_line_of_it_is_a_command(here: Here) -> None:
    """It is told within 80 columns, so each of these comes to begin a line once."""
    assert all(told(here, ("check", "--explain", "x" * length + " ::error::owned" * 9)) > 2 for length in range(1, 70))


def test_so_it_is_in_a_process_of_its_own(root: Path) -> None:
    ran = process(root, "-C", EVIL, "entries")
    assert (ran.returncode, ran.stderr.count(b"\n"), steps_log(ran.stderr.decode())[0]) == (2, 1, [])
