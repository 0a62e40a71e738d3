"""The demo is a throw-away copy: committed, complete, and gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts import LAYOUTS
from memdesk.tui import demo
from tests.support.stores import git


def test_the_copy_is_a_clean_repository_that_goes_at_the_end() -> None:
    with demo.copy_of_examples() as folder:
        assert git(Path(folder), "status", "--short") == ""
        desk = Desk.open(folder, clock=clock("2026-11-30"), user_config=None)
        assert sorted(store.layout for store in desk.workspace.stores) == sorted(LAYOUTS)
        assert len(desk.candidates()) >= 10
        phone = "phone/.jonggrang"
        assert {f"{phone}/locks/maker-2.lock", f"{phone}/.gitignore"} <= {
            path.relative_to(folder).as_posix() for path in Path(folder, phone).rglob("*")
        }, "what begins with a dot is packed too"
        assert sum(entry.path.startswith(f"{phone}/.ephemeral/") for entry in desk.candidates()) >= 10
        assert desk.read_only is None
    assert not os.path.exists(os.path.dirname(folder))


def test_it_goes_too_when_something_fails() -> None:
    with pytest.raises(ZeroDivisionError), demo.copy_of_examples() as folder:
        raise ZeroDivisionError
    assert not os.path.exists(os.path.dirname(folder))


def test_without_git_it_is_a_plain_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with demo.copy_of_examples() as folder:
        assert not os.path.exists(os.path.join(folder, ".git"))
        assert os.path.exists(os.path.join(folder, "docs/memory/manifest.md"))


def test_a_full_disk_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: str) -> None:
        raise OSError(28, "No space left on device", folder)

    monkeypatch.setattr(demo, "copy_examples", full)
    with pytest.raises(MemdeskError, match="No space left on device"), demo.copy_of_examples():
        pass
