"""The Prune pane as it looks: proposals, a set that is edited, what was decided, the end of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.benches import bench, keys
from tests.support.rotten import rotten

SLOW = pytest.mark.slow
SIZES = [(80, 24), pytest.param((120, 36), marks=SLOW)]
BEGUN = ("a", "enter", "r", "enter", "z", "enter")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "night-notes"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("size", SIZES)
def test_proposals(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    rotten(root)
    assert snap_compare(bench(root, "prune"), terminal_size=size, run_before=keys("j", "j", "j", "j"))


@SLOW
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("steps", [("G", "a", "j", "space"), (*BEGUN, "D", "G"), (*BEGUN, "E")], ids=["set", "decided", "end"])
def test_a_session(root: Path, steps: tuple[str, ...], size: tuple[int, int], snap_compare: Any) -> None:
    rotten(root)
    assert snap_compare(bench(root, "prune"), terminal_size=size, run_before=keys(*steps))


@SLOW
def test_several_together(root: Path, snap_compare: Any) -> None:
    rotten(root)
    assert snap_compare(bench(root, "prune"), terminal_size=(80, 24), run_before=keys("A"))


@SLOW
def test_without_colours(root: Path, snap_compare: Any) -> None:
    rotten(root)
    app = bench(root, "prune")
    app.theme = "no-colour"
    assert snap_compare(app, terminal_size=(120, 36), run_before=keys("space", "j"))
