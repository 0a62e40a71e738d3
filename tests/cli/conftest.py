"""A store in a repository, and a way to run commands on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.stores import custodian_store, git_repo

INBOX = (
    "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 3 times (from src/sync.py:4)\n- Keep forty sites in the cache\n"
    "- Cloud sync\n\n## Show the site's name\n\nStatus: candidate\n\nReports carry it.\n"
)


_made: list[Path] = []


@pytest.fixture
def root(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in a repository, committed; the folder's name has what breaks naive code. Made once, copied for each test."""
    if not _made:
        folder = tmp_path_factory.mktemp("made") / "store"
        custodian_store(folder, inbox=INBOX)
        _made.append(git_repo(folder))
    root = tmp_path / "a b # ü"
    shutil.copytree(_made[0], root)
    return root


@pytest.fixture
def here(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Commands on that store, on 2026-11-30."""
    return Here(root, capsys, monkeypatch)
