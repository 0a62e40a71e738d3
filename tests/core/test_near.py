"""What is near a candidate: equal texts, tombstones, possible repetitions; nothing quadratic."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from weakref import WeakKeyDictionary

import pytest

from memdesk.core import config
from memdesk.core.model import Entry, Workspace
from memdesk.core.near import Near
from memdesk.core.words import words
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.stores import big_inbox, custodian_store

DECISIONS = (
    "# Decisions\n\n"
    "## 2026-05-02 - Store counts as CSV\n\nDecision:\nCounts are stored as CSV files.\n\nReason:\nVolunteers open them.\n\n"
    "## ~~2026-04-01 - Keep counts in XML~~\n\nSuperseded: 2026-05-02 by \"Store counts as CSV\"\n\n"
    "Decision:\nCounts are kept as XML documents.\n\nReason:\nNone.\n"
)
TOMBSTONES = (
    "# Do not use\n\n## Tombstone: SQLite for session persistence\n\n"
    "Do not reintroduce this unless the user explicitly reverses it. Reason: locks on network shares. Date: 2026-04-11.\n"
)


def read(root: Path) -> Workspace:
    settings = config.defaults()
    return open_workspace(work_tree(str(root), settings), settings)


def found(root: Path, text: str) -> list[tuple[str, str]]:
    """(kind, heading) of what is near the candidate that holds `text`."""
    workspace = read(root)
    entry = candidate(workspace, text)
    return [(match.kind, match.entry.heading) for match in Near(workspace, WeakKeyDictionary()).near(entry)]


def candidate(workspace: Workspace, text: str) -> Entry:
    return next(entry for entry in workspace.candidates() if text in entry.text)


@pytest.mark.parametrize(("bullet", "expected"), [
    ("- [observed] Runs without  a network\n  connection. (from a.py:3)", [("equal", "Runs without a network connection.")]),
    ("- counts are stored as csv files.", [("equal", "2026-05-02 - Store counts as CSV")]),
    ("- [inferred] Use SQLite to persist sessions", [("tombstone", "Tombstone: SQLite for session persistence")]),
    ("- SQLite for session persistence", [("tombstone", "Tombstone: SQLite for session persistence")]),
    ("- [inferred] The CSV files of counts are opened daily", [("possible", "2026-05-02 - Store counts as CSV")]),
    ("- [inferred] Counts are kept as XML documents.", []),
    ("- [inferred] The network is the thing", []),
    ("- A wholly different matter, about birds", []),
    ("- 记忆", []),
])  # fmt: skip
def test_each_kind_of_nearness(tmp_path: Path, bullet: str, expected: list[tuple[str, str]]) -> None:
    inbox = f"# Inbox\n\n## 2026-06-01\n\n{bullet}\n"
    custodian_store(tmp_path, decisions=DECISIONS, do_not_use=TOMBSTONES, inbox=inbox)
    assert [kind for kind, _ in found(tmp_path, bullet.split("\n")[0][2:])] == [kind for kind, _ in expected]
    for (_, got), (_, wanted) in zip(found(tmp_path, bullet.split("\n")[0][2:]), expected, strict=True):
        assert wanted in got or got in wanted


def test_an_equal_candidate_is_found_and_never_oneself(tmp_path: Path) -> None:
    inbox = "# Inbox\n\n## 2026-06-02\n\n- Retry sync 3 times\n\n## 2026-06-01\n\n- [observed] retry sync 3 times\n"
    custodian_store(tmp_path, inbox=inbox)
    workspace = read(tmp_path)
    near = Near(workspace, WeakKeyDictionary())
    first, second = workspace.candidates()
    assert [(match.kind, match.entry.line) for match in near.near(first)] == [("equal", second.line)]
    assert [(match.kind, match.entry.line) for match in near.near(second)] == [("equal", first.line)]


def test_at_most_ten_and_the_closest_first(tmp_path: Path) -> None:
    lines = "".join(f"- Backups of the harbour register run nightly at {hour} hours\n" for hour in range(10, 35))
    custodian_store(
        tmp_path, constraints="# Constraints\n\n" + lines + "- Backups of the harbour register run weekly\n",
        inbox="# Inbox\n\n- Backups of the harbour register run weekly\n",
    )
    workspace = read(tmp_path)
    matches = Near(workspace, WeakKeyDictionary()).near(workspace.candidates()[0])
    assert [match.kind for match in matches] == ["equal"] + ["possible"] * 9
    assert [match.score for match in matches[1:]] == sorted((match.score for match in matches[1:]), reverse=True)


def test_words_are_kept_for_documents_that_did_not_change(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- Runs without a network connection.\n")
    workspace = read(tmp_path)
    kept: WeakKeyDictionary[object, object] = WeakKeyDictionary()
    Near(workspace, kept)  # type: ignore[arg-type]
    before = dict(kept)
    Near(workspace, kept)  # type: ignore[arg-type]
    assert len(before) >= 4
    assert all(kept[document] is own for document, own in before.items())


def test_words_of_scripts_that_do_not_part_them() -> None:
    assert words("缓存记忆 Cache-Größe und the CACHES") == {"缓存", "存记", "记忆", "cache", "grösse", "und"}
    assert words("class status C++ x") == {"class", "statu"} | words("status") - {"statu"}
    assert words("") == frozenset()


@pytest.mark.slow
def test_ten_thousand_candidates_are_not_compared_with_each_other(tmp_path: Path) -> None:
    big_inbox(tmp_path)
    workspace = read(tmp_path)
    candidates = workspace.candidates()
    assert len(candidates) == 10_000
    near = Near(workspace, WeakKeyDictionary())
    start = perf_counter()
    for entry in candidates[:2000]:
        near.near(entry)
    assert perf_counter() - start < 4
