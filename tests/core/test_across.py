"""Promotion from one store's inbox to a place in another, of another layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import across
from memdesk.core.errors import Refused, UsageError
from memdesk.core.model import Entry
from memdesk.core.opposing import opposed
from tests.support.planning import Bench
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, put, record, records_store

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


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("brief.md", f"../../{MEMORY}/brief.md"), ("brief.md#part", f"../../{MEMORY}/brief.md"),
        ("../../MEMORY.md", "../../MEMORY.md"), ("gone.md", ""), ("https://example.com/x.md", ""), ("#part", ""),
        ("/brief.md", ""), ("../../../out.md", ""),
    ],
)
def test_a_link_that_leads_nowhere_from_the_new_place_is_told(tmp_path: Path, link: str, told: str) -> None:
    bench = Mixed(tmp_path)
    put(tmp_path, f"{MEMORY}/inbox.md", f"# Inbox\n\n- [observed] See [it]({link})\n")
    bench.read()
    plan = bench.plan("promote", [bench.bullet], to="project:plover", tag="observed")
    plain = link.partition("#")[0]
    words = f"Its link to {plain} leads nowhere from memory/projects/plover.md: there it is {told}."
    assert [warning for warning in plan.warnings if "link" in warning] == ([words] if told and told != link else [])
    assert f"[it]({link})".encode() in bench.after(plan, "memory/projects/plover.md"), "the text is as it was"


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


class Whole(Mixed):
    """With a store of records at the root besides."""

    def make(self, files: dict[str, str]) -> None:
        super().make(files)
        records_store(self.root, **{"docs/adr/0003-old.md": record(3, "Counts in one table", "Superseded by ADR-0001")})

    @property
    def proposal(self) -> Entry:
        return self.first("docs/adr/0002-sync-at-night.md")


def test_stores_at_one_path_are_named_by_their_layout_too(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    workspace = bench.workspace
    names = [workspace.store_name(store) for store in workspace.stores]
    assert names == [".:agent-memory", ".:records", MEMORY]
    assert [workspace.stores_named(name) for name in names] == [[store] for store in workspace.stores]
    assert workspace.stores_named(".") == workspace.stores[:2]
    assert workspace.stores_named("records") == [workspace.stores[1]]
    assert workspace.stores_named("docs") == []


def test_a_candidate_becomes_a_record_a_design_note_or_a_term(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    plan = bench.plan("promote", [bench.bullet], to="adr", reason="Old phones lose them.", options="- No limit: uploads hang.")
    assert plan.paths == ["docs/adr/0004-uploads-stop-at-5-mb.md", f"{MEMORY}/inbox.md", CHANGELOG]
    made = plan.steps[0].after or b""
    assert made.startswith(b"# 4. Uploads stop at 5 MB\n\nDate: 2026-11-30\n\n## Status\n\n")
    assert b"## Context\n\nOld phones lose them.\n" in made
    plan = bench.plan("promote", [bench.line], to="design:relay")
    assert plan.paths == ["docs/design/relay.md", NOTE]
    assert b"The relay restarts at 02:10\n" in (plan.steps[-2].after or b"")
    assert bench.after(plan, NOTE).decode().endswith(" → docs/design/relay.md\n")
    plan = bench.plan("promote", [bench.line], to="term", title="Relay", text="What passes uploads on at night.")
    assert plan.paths == ["CONTEXT.md", NOTE]
    assert b"**Relay**:\nWhat passes uploads on at night.\n" in bench.after(plan, "CONTEXT.md")


def test_a_proposal_that_names_its_own_store_is_accepted_like_one_that_does_not(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    assert bench.plan("promote", [bench.proposal], to="adr@.:records").steps == (
        bench.plan("promote", [bench.proposal], to="adr").steps
    )


def test_a_proposed_record_that_is_none_becomes_a_decision_or_a_fact(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    plan = bench.plan("promote", [bench.proposal], to="decisions", reason="It is easily changed.")
    assert plan.paths == [f"{MEMORY}/decisions.md", "docs/adr/0002-sync-at-night.md", CHANGELOG]
    assert b"Decision:\nSync at night.\n\nReason:\nIt is easily changed.\n" in bench.after(plan, f"{MEMORY}/decisions.md")
    before = bench.document("docs/adr/0002-sync-at-night.md").data
    assert bench.after(plan, "docs/adr/0002-sync-at-night.md") == before.replace(
        b"\nProposed\n", b"\nRejected, 2026-11-30: its text is in docs/memory/decisions.md\n"
    )
    plan = bench.plan("promote", [bench.proposal], to="project:plover", tag="stated")
    assert bench.after(plan, "memory/projects/plover.md").endswith(b"- [stated] Sync at night. (2026-11-30)\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"to": "do-not-use", "title": "Store counts as CSV", "reason": "No."}, "has its title"),
        ({"to": "do-not-use", "title": "ADR-0001", "reason": "No."}, "is named in its title"),
        ({"to": "constraints", "text": "Counts go into one table, see ADR-0003."}, "ADR-0003"),
    ],
)
def test_what_an_accepted_record_opposes_is_refused_and_says_the_way_on(
    tmp_path: Path, words: dict[str, str], reason: str
) -> None:
    bench = Whole(tmp_path)
    with pytest.raises(Refused, match="An accepted record says otherwise") as caught:
        bench.plan("promote", [bench.bullet], **words)
    assert reason in caught.value.message
    assert "docs/adr/0001-store-counts-as-csv.md:1" in caught.value.message
    assert "supersede it by a new record first" in caught.value.remedy


def test_a_candidate_that_would_be_opposed_is_known_before_it_is_promoted(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    lines = "- One table, see ADR-0003\n- Fine, as ADR-0001 says\n- ~~As in ADR-0003~~ struck\n"
    put(tmp_path, f"{MEMORY}/inbox.md", f"# Inbox\n\n{lines}")
    put(tmp_path, NOTE, "# 2026-11-29\n\n- [observed] One table (2026-11-20, from docs/adr/0003-old.md)\n")
    bench.read()
    waiting = bench.workspace.candidates()
    found = opposed(bench.workspace, waiting)
    assert [entry.heading for entry in waiting if entry.id in found] == [
        "One table, see ADR-0003", "One table"
    ]
    assert {*found.values()} == {"it names ADR-0003 as its ground, which is superseded by ADR-0001"}


def test_what_contradicts_something_lower_is_a_warning(tmp_path: Path) -> None:
    bench = Whole(tmp_path)
    plan = bench.plan("promote", [bench.bullet], to="adr", title="Cloud sync", reason="So.", options="- None: no.")
    assert [warning for warning in plan.warnings if "do-not-use.md" in warning]
    assert plan.steps


def test_a_new_candidate_goes_to_the_memory_of_a_repository_and_a_draft_to_its_records(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"inbox.md": INBOX})
    bench = Bench(tmp_path)
    records_store(tmp_path)
    bench.read()
    assert bench.plan("add", text="The scale drifts").paths == [f"{MEMORY}/inbox.md"]
    assert bench.plan("add", text="The scale drifts", kind="constraint").paths == [f"{MEMORY}/inbox.md"]
    assert bench.plan("add", text="Weigh twice", kind="adr").paths == ["docs/adr/0003-weigh-twice.md"]
    assert bench.plan("add", text="Scale: what weighs", kind="term").paths == ["docs/design/terms.md"]
    agent_memory_store(tmp_path)
    bench.read()
    with pytest.raises(UsageError, match="Which store") as caught:
        bench.plan("add", text="The scale drifts")
    assert caught.value.remedy == f"Stores: .:agent-memory, .:records, {MEMORY} (--store PATH)."
