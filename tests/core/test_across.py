"""Promotion from one store's inbox to a place in another, of another layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import across
from memdesk.core.errors import Refused
from memdesk.core.model import Entry
from tests.support.planning import Bench
from tests.support.stores import MEMORY, agent_memory_store, custodian_store

NOTE = "memory/2026-11-29.md"
CHANGELOG = f"{MEMORY}/changelog.md"
INBOX = "# Inbox\n\n## 2026-11-20\n\n- [observed] Uploads stop at 5 MB (from src/up.py)\n- Keep the second\n"
LINES = "# 2026-11-29\n\n- [inferred] The relay restarts at 02:10 (2026-11-29, from the log)\n"


class Mixed(Bench):
    """A custodian store in docs/memory beside one of agent-memory at the root."""

    folder = "."

    def make(self, files: dict[str, str]) -> None:
        custodian_store(self.root, **{"inbox.md": INBOX, "changelog.md": "# Changelog\n"})
        agent_memory_store(self.root, **{NOTE: LINES})

    def first(self, path: str) -> Entry:
        return next(entry for entry in self.workspace.documents[path].entries if entry.candidate)

    @property
    def bullet(self) -> Entry:
        return self.first(f"{MEMORY}/inbox.md")

    @property
    def line(self) -> Entry:
        return self.first(NOTE)

def test_places_of_other_stores_come_after_those_of_its_own_and_name_their_store(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    found = [(goal.destination.id, goal.destination.label) for goal in across.goals(bench.workspace, bench.bullet)]
    own = [ident for ident, label in found if "·" not in label]
    assert own == ["decisions", "constraints", "preferences", "do-not-use", "area:", "rule:", "profile:"]
    assert found[7:9] == [
        ("person:ada", "memory/people/ada.md · . (agent-memory)"), ("person:", "a new person … · . (agent-memory)"),
    ]
    assert [goal.destination.id for goal in across.goals(bench.workspace, bench.line)][-7:] == own


def test_a_candidate_becomes_a_fact_of_another_store_and_leaves_its_inbox(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    plan = bench.plan("promote", [bench.bullet], to="project:plover", tag="observed")
    assert plan.summary == 'Promoted "Uploads stop at 5 MB" from inbox.md to memory/projects/plover.md.'
    assert plan.label == "Promote to memory/projects/plover.md · inbox 2 → 1"
    assert plan.paths == ["memory/projects/plover.md", f"{MEMORY}/inbox.md", CHANGELOG]
    assert bench.after(plan, "memory/projects/plover.md").endswith(
        b"from the load test)\n- [observed] Uploads stop at 5 MB (2026-11-30, from src/up.py)\n"
    )
    assert bench.after(plan, f"{MEMORY}/inbox.md") == b"# Inbox\n\n## 2026-11-20\n\n- Keep the second\n"
    assert bench.after(plan, CHANGELOG).endswith(
        b'- Promoted "Uploads stop at 5 MB" from inbox.md to memory/projects/plover.md.\n'
    )


def test_a_line_of_a_note_becomes_a_decision_and_points_there(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    plan = bench.plan("promote", [bench.line], to="decisions", reason="It did so twice.")
    assert bench.after(plan, NOTE) == LINES.rstrip("\n").encode() + " → docs/memory/decisions.md\n".encode()
    decided = bench.after(plan, f"{MEMORY}/decisions.md")
    assert b"Decision:\nThe relay restarts at 02:10\n\nReason:\nIt did so twice.\n" in decided
    assert 'Promoted "The relay restarts at 02:10" from memory/2026-11-29.md' in bench.after(plan, CHANGELOG).decode()


def test_how_sure_its_own_store_was_of_a_line_does_not_go_with_it(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    plan = bench.plan("promote", [bench.line], to="constraints")
    assert bench.after(plan, f"{MEMORY}/constraints.md").endswith(b"- The relay restarts at 02:10 (from the log)\n")
    with pytest.raises(Refused, match="Every fact carries one tag") as caught:
        bench.plan("promote", [bench.bullet], to="project:plover")
    assert caught.value.field == "tag"


def test_an_inferred_lesson_does_not_come_past_the_gate_by_way_of_another_inbox(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    with pytest.raises(Refused, match="shows itself in this store's own notes") as caught:
        bench.plan("promote", [bench.bullet], to="project:plover", tag="inferred")
    assert caught.value.field == "tag"


def test_a_destination_that_several_other_stores_have_is_said_with_its_store(tmp_path: Path) -> None:
    custodian_store(tmp_path, folder="app/docs/memory", **{"inbox.md": "# Inbox\n\nNo unprocessed memory candidates.\n"})
    bench = Mixed(tmp_path)
    ids = [goal.destination.id for goal in across.goals(bench.workspace, bench.line)]
    assert {"decisions@app/docs/memory", f"decisions@{MEMORY}"} <= {*ids}
    assert "decisions" not in ids
    with pytest.raises(Refused, match="Several stores have 'decisions'") as caught:
        bench.plan("promote", [bench.line], to="decisions", reason="So.")
    assert f"decisions@app/docs/memory, decisions@{MEMORY}" in caught.value.remedy
    plan = bench.plan("promote", [bench.line], to="decisions@app/docs/memory", reason="So.")
    assert plan.paths == ["app/docs/memory/decisions.md", NOTE]
    assert " → app/docs/memory/decisions.md" in bench.after(plan, NOTE).decode()
    # Of its own store a candidate's place needs no name, and another's may be named.
    plan = bench.plan("promote", [bench.bullet], to="decisions", reason="So.")
    assert plan.paths[0] == f"{MEMORY}/decisions.md"
    plan = bench.plan("promote", [bench.bullet], to="decisions@app/docs/memory", reason="So.")
    assert plan.paths[0] == "app/docs/memory/decisions.md"


def test_an_unknown_destination_is_refused_with_those_of_all_stores(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    with pytest.raises(Refused) as caught:
        bench.plan("promote", [bench.line], to="nowhere")
    assert caught.value.field == "to"
    assert caught.value.remedy == (
        "Known: person:NAME, project:NAME, decision:NAME, standing:FILE. In other stores: area:NAME, constraints, decisions, "
        "do-not-use, preferences, profile:NAME, rule:NAME."
    )
    with pytest.raises(Refused) as caught:
        bench.plan("promote", [bench.line])
    assert {"person:ada", "constraints"} <= {*caught.value.remedy.removeprefix("Destinations: ").rstrip(".").split(", ")}


def test_a_store_that_cannot_be_written_is_no_destination(tmp_path: Path) -> None:
    bench = Mixed(tmp_path)
    bench.workspace.stores[1].read_only = "a newer protocol"
    assert bench.workspace.stores[1].layout == "custodian"
    assert all("custodian" not in goal.destination.label for goal in across.goals(bench.workspace, bench.line))
    with pytest.raises(Refused, match="There is no destination 'decisions'"):
        bench.plan("promote", [bench.line], to="decisions", reason="So.")


def test_what_is_moved_leaves_a_workspace_that_passes_its_check(tmp_path: Path) -> None:
    from datetime import date

    from memdesk.core import config
    from memdesk.core.checks import runner
    from memdesk.core.gitdiff import Change

    bench = Mixed(tmp_path)
    bench.apply(bench.plan("promote", [bench.line], to="decisions", reason="It did so twice."))
    bench.apply(bench.plan("promote", [bench.bullet], to="project:plover", tag="observed"))
    report = runner.check(bench.workspace, Change("none", None), today=date(2026, 11, 30), settings=config.defaults())
    assert [finding for finding in report.findings if finding.severity == "error"] == []
