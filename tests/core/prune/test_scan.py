"""The scan as a whole: its order, what a person rejected, what was not compared, progress, and how it is called off."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.core import config, layouts
from memdesk.core.judgments import Judgment
from memdesk.core.prune.drawn import draw
from memdesk.core.prune.proposal import KINDS
from memdesk.core.prune.scan import scan
from memdesk.core.workspace import open_workspace, work_tree
from memdesk.tui.demo import copy_examples
from tests.support.proposing import TODAY, scanned
from tests.support.sources import HOME, decision, memory, over
from tests.support.stores import manifest

ROTTEN = memory(
    decisions=decision("A") + decision("A") + decision("B", "See [x](x.md)."),
    constraints="- Runs offline.\n- Runs offline.\n- ~~Old.~~ struck 2020-01-01\n", preferences="# P\n\n- WIP: one of two\n",
)


def test_by_kind_then_by_path_and_line() -> None:
    found = scanned(over(ROTTEN)).proposals
    assert [(one.kind, one.entries[0].path.rpartition("/")[2], one.entries[0].line) for one in found] == [
        ("duplicate", "constraints.md", 4), ("duplicate", "decisions.md", 11), ("struck", "constraints.md", 5),
        ("dead-link", "decisions.md", 19), ("task-specific", "preferences.md", 3),
    ]
    assert [one.id for one in found] == [one.id for one in scanned(over(ROTTEN)).proposals]


def test_what_was_rejected_is_left_out_and_counted_until_its_text_changes() -> None:
    first, *rest = scanned(over(ROTTEN)).proposals
    judged = [Judgment("refused", first.subject, first.digests, "", "Ada", "2026-11-01")]
    found = scanned(over(ROTTEN), judgments=judged)
    assert ([one.id for one in found.proposals], found.judged) == ([one.id for one in rest], 1)
    changed = {**ROTTEN, f"{HOME}/constraints.md": ROTTEN[f"{HOME}/constraints.md"].replace("offline", "alone")}
    assert (len(scanned(over(changed), judgments=judged).proposals), scanned(over(changed), judgments=judged).judged) == (5, 0)
    other = [judged[0]._replace(kind="proposal:struck"), judged[0]._replace(verdict="dismissed")]
    assert len(scanned(over(ROTTEN), judgments=other).proposals) == 5


def test_what_cannot_be_written_to_is_said_and_nothing_is_proposed_there() -> None:
    newer = {path.replace(HOME, "new/docs/memory"): text for path, text in ROTTEN.items()}
    newer["new/docs/memory/manifest.md"] = manifest(version="0.9")
    in_merge = {**ROTTEN, f"{HOME}/constraints.md": "<<<<<<< ours\n- A.\n=======\n- B.\n>>>>>>> theirs\n"}
    found = scanned(over(newer, in_merge))
    assert {one.entries[0].path for one in found.proposals} == {f"{HOME}/decisions.md", f"{HOME}/preferences.md"}
    marked, newer_store = found.not_compared[:2]
    assert marked == f"{HOME}/constraints.md: It holds a merge conflict that is not resolved; nothing is proposed in it."
    assert newer_store.startswith("new/docs/memory: nothing is proposed in this store. The store follows protocol 0.9")


def test_of_one_store_only_what_is_in_it() -> None:
    workspace = over(ROTTEN, {path.replace(HOME, "pkg/docs/memory"): text for path, text in ROTTEN.items()})
    own = [store for store in workspace.stores if store.path == HOME]
    found = scan(workspace, config.defaults(), TODAY, stores=own)
    assert {one.store.path for one in found.proposals} == {HOME}
    assert len(scanned(workspace).proposals) == 2 * len(found.proposals)


def test_progress_is_told_document_by_document_and_a_scan_that_is_called_off_says_so() -> None:
    told: list[tuple[str, int, int]] = []
    workspace = over(ROTTEN)
    scan(workspace, config.defaults(), TODAY, progress=lambda *step: told.append(step))
    assert {what for what, _, _ in told} >= {KINDS["duplicate"], KINDS["dead-link"], KINDS["near-duplicate"]}
    assert all(0 <= done <= total for _, done, total in told)
    assert sum(what == KINDS["duplicate"] for what, _, _ in told) == len(workspace.documents) + 1
    counts = set()
    for most in range(0, len(told) + 10, 5):
        left = iter(range(most))
        found = scan(workspace, config.defaults(), TODAY, stopped=lambda left=left: next(left, None) is None)  # type: ignore[misc]
        if "The scan was called off: what is listed is not all." in found.not_compared:
            counts.add(len(found.proposals))
    assert counts >= {0, 2, 4}, "what was found until then is given"


@pytest.mark.parametrize("name", layouts.names())
def test_what_is_proposed_for_an_example_store_can_be_carried_out(name: str, tmp_path: Path) -> None:
    copy_examples(str(tmp_path), [name])
    settings = config.defaults()
    for today in (date(2026, 11, 30), date(2031, 1, 1)):  # some years on, all that can have rotted has
        workspace = open_workspace(work_tree(str(tmp_path), settings), settings)
        assert workspace.stores
        found = scan(workspace, settings, today, touched=lambda path: date(2026, 11, 1))
        refused = [(one.kind, one.title, draw(workspace, one, today, "09:00").refused) for one in found.proposals]
        assert [one for one in refused if one[2]] == []
