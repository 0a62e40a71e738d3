"""The layout's line in the registry, for these tests alone, until its writing side is there: then this file goes."""

from __future__ import annotations

import pytest

from memdesk.core import layouts


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(layouts.LAYOUTS, "jonggrang", "memdesk.core.layouts.jonggrang")
