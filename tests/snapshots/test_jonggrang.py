"""Fragments and features as they look: the inbox by feature and task, a compaction, what stands in its way, and a promotion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.benches import bench, keys
from tests.support.stores import FRAGMENTS, fragment, git_repo, jonggrang_store

SECOND = fragment(
    facts="- A file has at most 400 rows\n- Site codes have four letters, and two villages share one",
    lessons="- \x1b[31mred [b]x[/b]\x1b[0m", open="- Who sends the file of Upper Moor?",
)
LEFT = ("M", "j", "x", "=It was mended", "enter")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "plover"
    jonggrang_store(folder, **{f"{FRAGMENTS}/counts/task-002-2026-05-09T08-00-00-000Z.md": SECOND})
    git_repo(folder)
    return folder


@pytest.mark.parametrize(
    ("steps", "size"),
    [
        ((), (120, 36)), (LEFT, (120, 36)), pytest.param(LEFT, (80, 24), marks=pytest.mark.slow),
        pytest.param((*"jjjjjjj", "p", "tab", "2", "tab", "2"), (120, 36), marks=pytest.mark.slow),
        pytest.param((*LEFT, *"GkkkX", "x", "=Not ours", "enter", "enter"), (80, 24), marks=pytest.mark.slow),
    ],
    ids=["inbox", "compact", "compact-narrow", "promote", "accept"],
)
def test_looks(root: Path, steps: tuple[str, ...], size: tuple[int, int], snap_compare: Any) -> None:
    assert snap_compare(bench(root), terminal_size=size, run_before=keys(*steps))
