"""The README's pictures are what the workbench looks like now, to the byte."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "screenshots"
_spec = importlib.util.spec_from_file_location("make_screenshots", FOLDER / "make.py")
assert _spec is not None
assert _spec.loader is not None
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)


@pytest.mark.slow  # they stand beside the snapshots; .ci/run compares them
@pytest.mark.parametrize("name", make.PICTURES)
def test_a_picture_is_current(name: str) -> None:
    current = asyncio.run(make.take(name)) == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert current, "make them anew, and look at them: python screenshots/make.py"


def test_each_is_shown_in_the_readme() -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert {f"{name}.svg" for name in make.PICTURES} == {path.name for path in FOLDER.glob("*.svg")}
    assert all(f"screenshots/{name}.svg" in readme for name in make.PICTURES)
