"""What `config` and `doctor` say of the command that drafts; no command of a workspace runs by reading."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from tests.support.agents import agent
from tests.support.commands import Here
from tests.support.stores import put


def fact(here: Here) -> str:
    return {item["name"]: item["value"] for item in here("doctor", "--format", "json").json["facts"]}["drafts"]


def test_doctor_says_whether_it_may_run(here: Here, root: Path) -> None:
    assert fact(here) == "without a command (agent.command is unset)"
    (root / "tools").mkdir()
    agent(root / "tools", "say('ran')")
    put(root, "memdesk.toml", '[agent]\ncommand = ["tools/draft", "a b"]\n')
    assert fact(here) == "tools/draft 'a b' (memdesk.toml:2), not approved: it does not run before you approve it"
    drafter = Desk.open(str(root), clock=clock("2026-11-30")).drafter(os.environ)
    asked = drafter.asked()
    assert asked is not None
    drafter.approve(asked, "2026-11-30T00:00:00Z")
    assert fact(here) == "tools/draft 'a b' (memdesk.toml:2), approved"
    (root / "tools/draft").write_text("#!/bin/sh\ntouch ran\n")
    assert "not approved" in fact(here)
    config = put(Path(os.environ["XDG_CONFIG_HOME"]), "memdesk/config.toml", '[agent]\ncommand = ["mine", "-p"]\n')
    assert fact(here) == f"mine -p ({config}:2)"


@pytest.mark.parametrize("file", ["memdesk.toml", "pyproject.toml"])
def test_reading_runs_no_command_that_a_clone_brings(here: Here, root: Path, file: str) -> None:
    agent(root, "say('ran')")
    section = "[agent]" if file == "memdesk.toml" else "[tool.memdesk.agent]"
    put(root, file, f'{section}\ncommand = ["./draft", "x\\u001b[31m\\ny"]\n')
    for words in (["inbox"], ["--check"], ["doctor"], ["config"], ["add", "Sites report late"], ["pack", "--task", "planning"]):
        done = here(*words)
        assert done.code == 0, (words, done.err)
    assert not (root / "ran").exists()
    line = next(line for line in here("config").out.splitlines() if line.startswith("agent.command"))
    assert line.endswith(f'["./draft", "x\\u001b[31m\\ny"]  # {file}:2')


def test_a_key_in_a_command_is_not_shown(here: Here, root: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    put(root, "memdesk.toml", f'[agent]\ncommand = ["draft", "--key={key}"]\n')
    for words in (["config"], ["doctor"], ["config", "--format", "json"], ["doctor", "--format", "json"]):
        done = here(*words)
        assert "--key=***" in done.out
        assert key not in done.out + done.err
