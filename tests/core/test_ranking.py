"""What each kind of entry ranks as, and who wins where several disagree."""

from __future__ import annotations

from pathlib import Path

from memdesk.core import ranking
from memdesk.core.conflicts import find
from memdesk.core.model import Entry
from tests.support.planning import Bench, MemoryBench
from tests.support.sources import GLOSSARY, RECORDS, decision, memory, over


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
    assert _wins(decision, constraint) == [False, True]
    assert _wins(stone, decision) == [True, False]
    assert _wins(stone, constraint) == [False, True]
    assert _wins(decision, decision) == [False, False]
    assert _wins(decision, stone, constraint) == [False, False, True]


def _wins(*sides: Entry) -> list[bool]:
    return [each.wins for each in ranking.weigh(sides)]


def test_a_record_ranks_as_one_only_while_it_stands() -> None:
    texts = {
        **RECORDS, "CONTEXT.md": GLOSSARY, **{
            f"docs/design/{status}.md": f"# A\n\n**Status:** {status}\n\nA plan.\n" for status in ("draft", "implemented")
        },
    }
    kinds = {path: ranking.kind(document.entries[0]) for path, document in over(texts).documents.items()}
    assert [kinds[path] for path in sorted(RECORDS)] == ["closed", "record", "closed", "closed", "note"]
    others = ("CONTEXT.md", "docs/design/draft.md", "docs/design/implemented.md")
    assert [kinds[path] for path in others] == ["term", "design", "note"]


def test_why_each_side_weighs_what_it_does() -> None:
    texts = {**RECORDS, **memory(do_not_use="## Tombstone: Keep counts in SQLite\n\nReason: no. Date: 2026-01-01.\n")}
    (clash,) = find(over(texts))
    assert [weight.why for weight in clash.weights()] == [
        "tombstone: rank 3, below accepted record: rank 2", "accepted record: rank 2, above tombstone: rank 3",
    ]
    twice = memory(decisions=decision("Colours") + decision("Colours", "Other."))
    (clash,) = find(over(twice))
    said = "decision: rank 3, as the rest: of one rank none wins, a person must settle it"
    assert [(weight.wins, weight.why) for weight in clash.weights()] == [(False, said), (False, said)]
    rejected = memory(constraints="- So it is (see ADR-0003).\n")
    (clash,) = find(over(RECORDS, rejected))
    assert [(weight.wins, weight.why) for weight in clash.weights()] == [
        (True, "it says itself that it is rejected"), (False, "constraint: rank 3, on a ground that is rejected"),
    ]
