"""A store in a repository, and this memdesk by its name on the PATH, as a machine of CI has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.commands import environment
from tests.support.stores import custodian_store, git_repo, put

INBOX = "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 3 times\n"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with a `memdesk` in it."""
    folder = tmp_path / "tools"
    put(folder, "memdesk", f'#!/bin/sh\nexec {sys.executable} -m memdesk "$@"\n').chmod(0o755)
    return folder


@pytest.fixture
def env(tools: Path) -> dict[str, str]:
    """What programs are started with."""
    return {**environment(), "PATH": f"{tools}:{os.environ['PATH']}"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store in a repository, committed on branch main."""
    root = tmp_path / "work"
    custodian_store(root, inbox=INBOX)
    put(root, "AGENTS.md", "Project memory is in docs/memory: `memdesk guide` says how to use it.\n")
    return git_repo(root)
