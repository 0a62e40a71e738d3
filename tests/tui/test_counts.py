"""One of a thing is no plural."""

from __future__ import annotations

import pytest

from memdesk.tui.report.check import count


@pytest.mark.parametrize(("number", "said"), [(0, "0 entries"), (1, "1 entry"), (2, "2 entries"), (21, "21 entries")])
def test_a_number_with_its_noun(number: int, said: str) -> None:
    assert count(number, "entry", "entries") == said
