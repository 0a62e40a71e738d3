"""How an entry ends whose successor is there already: both ends say so, without a new text; what has none is rejected. A
conflict and a prune propose just what can be carried out."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import config, conflicts, settling
from memdesk.core.prune.scan import scan
from tests.core.layouts.custodian.complete.test_writes import Complete, refused
from tests.support import protocol_stores as stores
from tests.support.planning import TODAY
from tests.support.protocol_stores import NEW, OLD, STORAGE

BOTH_STAND = stores.DECISIONS.replace(f"Status: superseded\nSuperseded-By: {NEW}", "Status: active")
SAME = "MC-CON-20260801-c0000009"


def constraints(*more: str, subject: str = STORAGE) -> str:
    kept = [
        stores.entry(f"MC-CON-2026080{number}-c000000{number}", f"Number {number}", "Constraint", f"Rule {number}.",
                     subject=subject, facet="workflow", after=(more if number == 2 else ()))
        for number in (1, 2)
    ]  # fmt: skip
    return stores.CONSTRAINTS + "\n" + "\n".join(kept)


@pytest.mark.parametrize("form", ["plain", "crlf", "spaced"])
def test_an_entry_that_another_supersedes_by_name_is_struck_without_a_new_text(tmp_path: Path, form: str) -> None:
    bench = Complete(tmp_path, form=form, decisions=BOTH_STAND)
    plan = bench.plan("strike", [bench.entries("decisions.md")[2]], reason="It grew.")
    assert bench.added(plan, "decisions.md").replace("\r", "").split("\n") == [
        "Status: superseded" + ("  " if form == "spaced" else ""), f"Superseded-By: {NEW}",
    ]  # fmt: skip
    bench.whole(plan)
    assert bench.entries("decisions.md")[2].struck


def test_of_two_owners_the_one_that_is_struck_gives_way_to_the_other(tmp_path: Path) -> None:
    bench = Complete(tmp_path, constraints=constraints())
    plan = bench.plan("strike", [bench.entries("constraints.md")[1]])
    assert bench.added(plan, "constraints.md") == (
        "Status: superseded\nSuperseded-By: MC-CON-20260802-c0000002\nSupersedes: MC-CON-20260801-c0000001"
    )
    bench.whole(plan)
    assert [clash for clash in conflicts.find(bench.workspace) if clash.kind == "owner"] == []


def test_without_a_changelog_the_reason_stays_with_what_is_struck(tmp_path: Path) -> None:
    bench = Complete(tmp_path, decisions=BOTH_STAND, changelog=None)
    bench.whole(bench.plan("strike", [bench.entries("decisions.md")[2]], reason="It grew."))
    assert bench.entries("decisions.md")[2].text.endswith("It was simple.\n\nSuperseded 2026-11-30: It grew.")


@pytest.mark.parametrize(("name", "index", "files"), [
    ("decisions.md", 0, {"decisions": BOTH_STAND}),  # the other is what it supersedes itself
    ("constraints.md", 1, {"constraints": constraints(f"Supersedes: {SAME}")}),  # the other supersedes a third
    ("constraints.md", 1, {"constraints": constraints(subject="Elsewhere").replace("Elsewhere", "Nowhere", 1)}),
    ("do-not-use.md", 0, {}),
])  # fmt: skip
def test_nothing_gives_way_to_what_can_t_have_come_after_it(
    tmp_path: Path, name: str, index: int, files: dict[str, str]
) -> None:
    bench = Complete(tmp_path, **files)
    error = refused(bench, "strike", [bench.entries(name)[index]], reason="x")
    assert error.field == "with"
    assert ("reject it" in (error.remedy or "")) == (name != "do-not-use.md")  # a tombstone can't be


def test_two_that_would_give_way_to_one_are_struck_one_by_one(tmp_path: Path) -> None:
    three = constraints() + "\n" + stores.entry(
        "MC-CON-20260803-c0000003", "Number 3", "Constraint", "Rule 3.", subject=STORAGE, facet="workflow",
    )
    bench = Complete(tmp_path, constraints=three)
    assert refused(bench, "strike", bench.entries("constraints.md")[1:3]).field == "with"


@pytest.mark.parametrize(("files", "verbs"), [
    ({"constraints": constraints()}, ["strike", "strike"]),
    ({"constraints": constraints(f"Supersedes: {SAME}")}, ["strike", "reject"]),
    ({"constraints": stores.CONSTRAINTS + "\n" + stores.entry(
        SAME, "Paper", "Constraint", "On paper.", subject=STORAGE, facet="data-model")}, ["reject", "reject"]),
])  # fmt: skip
def test_a_conflict_is_settled_by_what_can_be_carried_out(tmp_path: Path, files: dict[str, str], verbs: list[str]) -> None:
    bench = Complete(tmp_path, **files)
    (clash,) = [clash for clash in conflicts.find(bench.workspace) if clash.kind == "owner"]
    ways = [way for way in settling.choices(bench.workspace, clash) if way.key in ("follow", "supersede") and way.possible]
    assert sorted(way.verb for way in ways) == sorted(verbs)
    for way in ways:
        plan = bench.plan(way.verb, [bench.workspace.find(ident) for ident in way.ids], **way.words)
        archived = any(path.startswith(bench.path("archive/")) for path in plan.paths)
        assert archived == ("to the archive" in way.consequence) == (way.verb == "reject")


@pytest.mark.parametrize(("files", "verb"), [
    ({"decisions": BOTH_STAND}, "strike"),
    ({"decisions": BOTH_STAND.replace("Facet: data-model", "Facet: lifecycle", 1)}, "reject"),
])  # fmt: skip
def test_a_prune_proposes_what_can_be_carried_out(tmp_path: Path, files: dict[str, str], verb: str) -> None:
    bench = Complete(tmp_path, **files)
    found = [one for one in scan(bench.workspace, config.defaults(), TODAY).proposals if one.kind == "superseded"]
    (proposal,) = found
    assert (proposal.request.verb, [entry.fields["id"] for entry in proposal.entries[: proposal.changes]]) == (verb, [OLD])
    bench.apply(bench.plan(verb, list(proposal.entries[: proposal.changes]), **proposal.request.words))
    assert OLD not in [entry.fields.get("id") for entry in bench.entries("decisions.md") if not entry.struck]


# Forgetting one end of a relation


def test_what_still_names_a_forgotten_entry_is_said_and_can_be_mended(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    plan = bench.plan("forget", topic="one CSV file")
    assert f"decisions.md:37 says superseded by {NEW}, which goes: edit it then." in plan.warnings
    bench.apply(plan)
    left = bench.entries("decisions.md")[1]
    again = left.text.replace(f"Superseded-By: {NEW}\n", "")
    assert refused(bench, "edit", [left], text=again).field == "text"  # superseded by nothing is no status
    bench.whole(bench.plan("edit", [left], text=again.replace("Status: superseded", "Status: active")))
    assert not bench.entries("decisions.md")[1].struck


def test_a_relation_to_what_is_there_stays_and_one_to_what_is_gone_may_go(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    new = bench.entries("decisions.md")[0]
    text = new.text.replace(f"Supersedes: {OLD}\n", "")
    assert refused(bench, "edit", [new], text=text).field == "text"
    plan = bench.plan("forget", topic="All counts are in one file")
    assert f"decisions.md:5 says supersedes {OLD}, which goes: edit it then." in plan.warnings
    bench.apply(plan)
    bench.whole(bench.plan("edit", [bench.entries("decisions.md")[0]], text=text))


def test_what_came_to_own_it_since_keeps_a_forgotten_one_s_predecessor_out(tmp_path: Path) -> None:
    bench = Complete(tmp_path, constraints=stores.CONSTRAINTS + "\n" + stores.entry(
        SAME, "Paper", "Constraint", "On paper.", subject=STORAGE, facet="data-model",
    ))  # fmt: skip
    bench.apply(bench.plan("forget", topic="one CSV file"))
    left = bench.entries("decisions.md")[1]
    text = left.text.replace(f"Superseded-By: {NEW}\n", "").replace("Status: superseded", "Status: active")
    assert f"{SAME} is the active owner" in refused(bench, "edit", [left], text=text).message


def test_what_a_tombstone_takes_the_place_of_is_said_to_go_too(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    new = bench.entries("decisions.md")[0]
    plan = bench.plan("reject", [new], tombstone="yes", reason="It costs.")
    assert f"decisions.md:37 says superseded by {NEW}, which goes: edit it then." in plan.warnings
    assert [warning for warning in bench.plan("reject", [new], reason="It costs.").warnings if "which goes" in warning] == []


def test_what_goes_with_all_that_names_it_leaves_nothing_to_say(tmp_path: Path) -> None:
    plan = Complete(tmp_path).plan("forget", topic="One table", mode="purge")
    assert [warning for warning in plan.warnings if "which goes" in warning] == []
