"""Every hostile text in the files of a store of layout agent-memory: read, checked, recalled and planned for."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.plan import Request
from tests.hostile.inputs import INPUTS
from tests.support.stores import LINT, agent_memory_store, snapshot

PARTS = 8
PLACES = ("memory/2026-11-28.md", "memory/decisions/api.md", "MEMORY.md", "memory/archive/old.md", "memory-lint.json")
WORDS: dict[str, dict[str, str]] = {
    "promote": {"to": "project:plover", "tag": "observed"}, "strike": {"reason": "no"}, "reject": {"reason": "no"},
    "edit": {"text": "- [observed] other", "change": "wording"}, "archive": {},
}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_in_each_file(tmp_path: Path, part: int) -> None:
    """A file for each input, another for the next. What is wrong is said as an error of ours; nothing is written by looking."""
    planned = 0
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        root = tmp_path / str(number)
        place = PLACES[number % len(PLACES)]
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        agent_memory_store(root, **{"memory/2026-11-20.md": "# n\n\n- [inferred] One\n", place: data})
        before = snapshot(root)
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        report = desk.check("none")
        assert report.stores
        planned += _looked_at(desk)
        assert snapshot(root) == before
    assert planned > 20


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        ("(a+)+$", False), ("(a|a)*b", False), ("(?:x{0,900}){900}", True), ("(" * 5000, True), ("[" * 5000, True),
        ("a{99999999999}", True), ("\\\\1", True), ("(?<=a)b", True), ("a" * 100_000, True),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_pattern_of_the_settings_file_runs_away_with_nothing(tmp_path: Path, pattern: str, refused: bool) -> None:
    lint = LINT.replace("^memory/\\\\d{4}-\\\\d{2}-\\\\d{2}.*\\\\.md$", pattern)
    assert pattern in lint
    agent_memory_store(tmp_path, lint=lint, **{f"memory/{'a' * 200}.md": "- [inferred] x\n"})
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T04:02:51"), user_config=None)
    (store,) = desk.workspace.stores
    assert ((store.fault is not None), store.read_only is not None) == (refused, refused)
    assert (desk.check("none").exit_code == 2) is refused


def _looked_at(desk: Desk) -> int:
    """Recall, the boot load, and a plan of each verb for the first entries; how many plans there were."""
    planned = 0
    for act in (
        lambda: desk.recall("plover counts"), desk.conflicts, lambda: desk.pack(LoadRequest("boot")),
        lambda: [desk.gate(entry) for entry in desk.candidates()[:5]],
    ):
        with suppress(MemdeskError):  # any other error fails the test
            act()
    entries = list(desk.workspace.entries())
    for verb, words in WORDS.items():
        for entry in [entry for entry in entries if entry.candidate == (verb in ("promote", "reject"))][:2]:
            with suppress(MemdeskError):
                planned += bool(desk.plan(Request(verb, (entry.id,), words, {"whole": "yes"}, person=True)).steps)
    return planned
