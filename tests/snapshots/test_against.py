"""The Context pane against main as it looks: at a glance, one change in full, a revision that isn't known, no main branch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.benches import bench, demo, keys
from tests.support.reviewing import branch
from tests.support.stores import git

SLOW = pytest.mark.slow
LOW, HIGH = (80, 24), (120, 36)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "night-notes"
    folder.mkdir()
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_DATE", "2026-10-30T08:00:00Z")
    return folder


@pytest.mark.parametrize("size", [LOW, pytest.param(HIGH, marks=SLOW)])
def test_the_tasks_of_a_branch(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    branch(root)
    assert snap_compare(bench(root, "context"), terminal_size=size, run_before=keys("v", "t"))


@SLOW
@pytest.mark.parametrize(
    ("size", "theme"), [(HIGH, "dark"), (LOW, "no-colour")], ids=["beside each other", "below each other"]
)
def test_a_changed_entry(root: Path, size: tuple[int, int], theme: str, snap_compare: Any) -> None:
    branch(root)
    app = bench(root, "context")
    app.theme = theme
    assert snap_compare(app, terminal_size=size, run_before=keys("v", "tab", "j"))


@SLOW
def test_a_revision_that_is_not_known(root: Path, snap_compare: Any) -> None:
    branch(root)
    assert snap_compare(bench(root, "context"), terminal_size=LOW, run_before=keys("b", "=mian", "enter"))


@SLOW
def test_no_main_branch(root: Path, snap_compare: Any) -> None:
    demo(root)
    git(root, "branch", "-m", "topic")
    assert snap_compare(bench(root, "context"), terminal_size=LOW, run_before=keys("v"))
