"""Three tiers as they look: a correction, working state that is cleared, a no to promoting, and what boots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.tui.demo import copy_examples, first_commit
from tests.support.benches import bench, keys

SIZES = [(80, 24), pytest.param((120, 36), marks=pytest.mark.slow)]
CORRECTION = ("2", "tab", "j", "s", "delete", "delete", "delete", "=Each", "tab", "tab", "=Two managers sign by now.")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "night-notes"
    copy_examples(str(folder), ["tiers"])
    first_commit(str(folder), "2026-11-30T09:00:00Z")
    return folder


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "steps", [CORRECTION, ("C",), pytest.param(("p", "tab", "tab", "tab", "2"), marks=pytest.mark.slow)],
    ids=["correct", "clear", "no"],
)
def test_dialogs(root: Path, steps: tuple[str, ...], size: tuple[int, int], snap_compare: Any) -> None:
    assert snap_compare(bench(root), terminal_size=size, run_before=keys(*steps))


@pytest.mark.slow
def test_what_boots(root: Path, snap_compare: Any) -> None:
    assert snap_compare(bench(root, "context"), terminal_size=(120, 36), run_before=keys("tab", "j"))
