"""Search over all entries, struck ones too."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakKeyDictionary

import pytest

from memdesk.core import config
from memdesk.core.search import search, terms
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.stores import custodian_store

CONSTRAINTS = (
    "# Constraints\n\n- The cache holds\n  forty sites.\n- Caches are cleared nightly.\n"
    "- ~~No CACHE at all~~ superseded 2026-01-02\n"
    "- Straße und Maß [x] 50% a.b\n"
)


@pytest.mark.parametrize(("query", "lines"), [
    ("cache", [3, 6, 5]),
    ("CACHE no", [6]),
    ("ache", [3, 5, 6]),
    ('"holds forty"', [3]),
    ('"forty  holds"', []),
    ("strasse", [7]),
    ("[x] 50%", [7]),
    ("a.b", [7]),
    ("axb", []),
    ("constraints.md cleared", [5]),
    ("", []),
    ('""', []),
    ("  ", []),
])  # fmt: skip
def test_whole_words_come_before_parts_of_words(tmp_path: Path, query: str, lines: list[int]) -> None:
    custodian_store(tmp_path, constraints=CONSTRAINTS)
    settings = config.defaults()
    workspace = open_workspace(work_tree(str(tmp_path), settings), settings)
    hits = search(workspace, query, WeakKeyDictionary())
    assert [entry.line for entry in hits if entry.role == "constraints"] == lines


def test_terms() -> None:
    assert terms('Say "Two  Words" x"y') == ["say", "two words", "x", "y"]
