"""Every hostile text in the files of a store of fragments and memories, and what is planned for it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.plan import Request
from tests.hostile.inputs import INPUTS
from tests.support.stores import FRAGMENTS, jonggrang_store, snapshot

PARTS = 24
FEATURE = ".output/features/counts/MEMORY.md"
PLACES = (
    "MEMORY.md", FEATURE, f"{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md", ".output/features/counts/progress.txt",
    f"{FRAGMENTS}/new/task-9.md", ".ephemeral/memory/archive/counts/2026-05-09/task-001-2026-05-07T10-15-00-000Z.md",
)
FRAMES = (
    "{}", "---\nfeature_id: {}\ntags: [{}]\nupdated_at: {}\n---\n\n# {}\n\n## Facts\n\n{}\n\n## Promotion Candidates\n\n- {}\n",
    "## Lessons Learned\n\n- {} (from {})\n\n## {}\n\n- _(none yet)_\n", "- [observed] {} \u2192 promoted 2026-05-04\n",
)
WORDS = {
    "promote": {"to": "project-memory", "section": "Conventions", "reviewed": "yes"}, "reject": {"reason": "no"},
    "strike": {"with": "Other", "reason": "no"}, "edit": {"text": "- other"}, "merge": {"reviewed": "yes"},
}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_in_each_file(tmp_path: Path, part: int) -> None:
    """A file for each input, another for the next. What is wrong is said as an error of ours; nothing is written by looking."""
    planned = 0
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        root = tmp_path / str(number)
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        frame = FRAMES[number % len(FRAMES)].encode()
        jonggrang_store(root, **{PLACES[number % len(PLACES)]: frame.replace(b"{}", data)})
        before = snapshot(root)
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        assert desk.check("none").stores
        planned += _planned(desk)
        assert snapshot(root) == before
    assert planned > 20


def _planned(desk: Desk) -> int:
    """Plans of each verb for the first entries of each file; how many there were."""
    planned = 0
    entries = list(desk.workspace.entries())
    first = list({entry.path: entry for entry in reversed(entries)}.values())
    asked = [Request("clear", words={"paths": one.path}, person=True) for one in first if one.role == "archive"]
    for verb, words in WORDS.items():
        for entry in first:
            more = {"into": entries[-1].id} if verb == "merge" else {}
            asked.append(Request(verb, (entry.id,), {**words, **more}, person=True))
    for request in asked:
        with suppress(MemdeskError):  # any other error fails the test
            planned += bool(desk.plan(request).steps)
    return planned


@pytest.mark.parametrize("hostile", INPUTS[::6], ids=lambda one: one.name)
def test_what_is_added_is_one_candidate_or_refused(tmp_path: Path, hostile: object) -> None:
    """A text of an agent becomes one fragment with one entry, or none at all."""
    data = hostile.bytes(2_000) if hostile.sized else hostile.bytes()  # type: ignore[attr-defined]
    jonggrang_store(tmp_path)
    before = snapshot(tmp_path)
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T04:02:51"), user_config=None)
    words = {"text": data.decode("utf-8", "replace"), "feature": "counts", "task_id": "task-003"}
    try:
        receipt = desk.perform(Request("add", words=words), "agent")
    except MemdeskError:
        assert snapshot(tmp_path) == before
        return
    (path,) = set(snapshot(tmp_path)) - set(before)
    (entry,) = desk.workspace.documents[path].entries
    assert (entry.id, entry.candidate, receipt.plan.paths) == (receipt.plan.new_ids[0], True, [path])
