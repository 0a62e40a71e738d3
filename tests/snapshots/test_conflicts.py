"""The Conflicts pane as it looks: sides beside and below each other, git's conflicts, dismissed ones, none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.benches import bench, keys
from tests.support.clashing import clashing, unmerged
from tests.support.stores import custodian_store

LARGE = pytest.param((120, 36), marks=pytest.mark.slow)
SIZES = [(80, 24), LARGE]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "night-notes"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("size", SIZES)
def test_sides(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    clashing(root)
    assert snap_compare(bench(root, "conflicts"), terminal_size=size, run_before=keys("j"))


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["no-colour", "ansi-16"])
def test_what_differs_without_colours(root: Path, theme: str, snap_compare: Any) -> None:
    clashing(root)
    app = bench(root, "conflicts")
    app.theme = theme
    assert snap_compare(app, terminal_size=(120, 36), run_before=keys())


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("make", "steps"),
    [
        (unmerged, ("j", "greater_than_sign", "b", "enter")),
        (clashing, ("G", "d", "=one for letters", "enter", "D", "G")),
        (custodian_store, ()),
    ],
    ids=["markers", "dismissed", "empty"],
)
def test_others(
    root: Path, make: Callable[[Path], object], steps: tuple[str, ...], size: tuple[int, int], snap_compare: Any
) -> None:
    make(root)
    assert snap_compare(bench(root, "conflicts"), terminal_size=size, run_before=keys(*steps))
