"""Which command drafts for a workspace, whether it may run, and what comes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.agent import DraftFailed
from memdesk.core.drafter import Drafter, Unapproved
from memdesk.core.transaction.files import REAL
from tests.support.agents import agent
from tests.support.stores import put

AT = "2026-11-30T04:02:51Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "r"
    (root / "tools").mkdir(parents=True)
    agent(root / "tools", "say('ran')\nprint(sys.stdin.read() + os.environ.get('API_KEY', '-'))")
    put(root, "memdesk.toml", '[agent]\ncommand = ["tools/draft"]\n')
    return root


def drafter(root: Path, user: str = "") -> Drafter:
    file = put(root.parent, "user.toml", user)
    settings = config.load(str(root), None, str(file))
    return Drafter(str(root), settings, {**os.environ, "API_KEY": "k"}, REAL)


def test_a_repositorys_command_does_not_run_unasked(root: Path) -> None:
    with pytest.raises(Unapproved) as caught:
        drafter(root).draft("prompt")
    assert caught.value.exit_code == 1
    assert caught.value.message == "memdesk.toml:2 names a command for drafts that you have not approved (tools/draft)."
    assert caught.value.asked.exact == "tools/draft"
    assert not (root / "ran").exists()


def test_it_runs_once_it_was_approved_with_less_of_the_environment_and_is_asked_for_again_when_it_changes(root: Path) -> None:
    mine = drafter(root)
    asked = mine.asked()
    assert asked is not None
    mine.approve(asked, AT)
    assert drafter(root).asked() is None
    assert drafter(root).draft("prompt ") == "prompt -\n"
    assert (root / "ran").exists()
    (root / "tools/draft").write_text((root / "tools/draft").read_text() + "# more\n")
    with pytest.raises(Unapproved):
        drafter(root).draft("prompt")
    again = drafter(root).asked()
    assert again is not None
    drafter(root).approve(again, AT)
    drafter(root).forget()
    with pytest.raises(Unapproved):
        drafter(root).draft("prompt")


def test_what_changed_while_a_person_was_asked_was_not_approved(root: Path) -> None:
    mine = drafter(root)
    asked = mine.asked()
    assert asked is not None
    (root / "tools/draft").write_text((root / "tools/draft").read_text() + "# more\n")
    mine.approve(asked, AT)
    with pytest.raises(Unapproved):
        mine.draft("prompt")


def test_the_users_own_command_needs_no_approval_and_sees_the_environment(root: Path, tmp_path: Path) -> None:
    agent(tmp_path, "print('mine', os.environ['API_KEY'], os.getcwd())", "own")
    mine = drafter(root, f'[agent]\ncommand = ["{tmp_path}/own"]\n')
    assert mine.asked() is None
    assert mine.draft("prompt") == f"mine k {root}\n"
    assert not (root / "ran").exists()


def test_the_users_limits_hold_for_a_repositorys_command(root: Path) -> None:
    mine = drafter(root, "[agent]\nmax_bytes = 3\n")
    asked = mine.asked()
    assert asked is not None
    mine.approve(asked, AT)
    with pytest.raises(DraftFailed, match="more than 3 bytes"):
        mine.draft("prompt")


def test_without_a_command_nothing_runs(root: Path) -> None:
    put(root, "memdesk.toml", "")
    assert drafter(root).command is None
    assert drafter(root).asked() is None
    with pytest.raises(DraftFailed, match="name no command"):
        drafter(root).draft("prompt")
