"""What each kind of entry ranks as, and who wins where several disagree."""

from __future__ import annotations

from pathlib import Path

from memdesk.core import ranking
from tests.support.planning import Bench, MemoryBench


def test_what_is_inferred_or_awaits_review_is_a_soft_note_wherever_it_stands(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{
        "memory/decisions/x.md": "- [stated] a\n- [inferred] b\n- [suggested] c\n", "memory/2026-11-20.md": "- [stated] d\n",
    })
    assert [ranking.kind(entry) for entry in bench.entries("memory/decisions/x.md")] == ["decision", "note", "note"]
    assert [ranking.kind(entry) for entry in bench.entries("memory/2026-11-20.md")] == ["note"]


def test_an_instruction_file_is_no_constraint_of_memory(tmp_path: Path) -> None:
    """It loads at every start and stands above memory: naming its lines as binding would bury those that a search missed."""
    bench = MemoryBench(tmp_path, **{"AGENTS.md": "# For agents\n\n- Be brief about the API.\n"})
    (line,) = bench.entries("AGENTS.md")
    assert ranking.kind(line) not in ranking.BINDING


def test_constraints_over_tombstones_over_decisions(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    (constraint,), (stone,), (decision,) = (bench.entries(name) for name in ("constraints.md", "do-not-use.md", "decisions.md"))
    assert ranking.winners([decision, constraint]) == [False, True]
    assert ranking.winners([stone, decision]) == [True, False]
    assert ranking.winners([stone, constraint]) == [False, True]
    assert ranking.winners([decision, decision]) == [False, False]
    assert ranking.winners([decision, stone, constraint]) == [False, False, True]
