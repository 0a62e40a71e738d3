"""What each verb writes in a store of protocol 0.6 to 0.8, to the byte, and what it refuses with which reason."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memdesk.core import across, config, layouts
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.model import Entry
from memdesk.core.plan import Plan
from memdesk.core.prune.scan import scan
from tests.support import protocol_stores as stores
from tests.support.planning import TODAY, Bench
from tests.support.protocol import faults
from tests.support.protocol_stores import FORMS, NETWORK, STORAGE, VERSIONS, WAITING, protocol_store, seen
from tests.support.stores import put

CHANGES = {"requirement": "yes", "evidence": "user-confirmed"}


class Complete(Bench):
    def make(self, files: dict[str, Any]) -> None:
        protocol_store(self.root, **files)

    def candidate(self, kind: str) -> Entry:
        return next(entry for entry in self.entries("inbox.md") if entry.fields.get("id") == WAITING[kind])

    def added(self, plan: Plan, name: str) -> str:
        """The lines that a plan puts into a file, by the diff."""
        (diff,) = [diff for path, diff in plan.diffs() if path == self.path(name)]
        return "\n".join(line[1:] for line in diff.split("\n") if line.startswith("+") and not line.startswith("+++")).strip()

    def whole(self, plan: Plan) -> None:
        """A plan applied leaves nothing that the protocol would object to."""
        self.apply(plan)
        assert faults(seen(self.root)) == []


def refused(bench: Bench, verb: str, entries: list[Entry], **words: str) -> Refused:
    with pytest.raises(Refused) as error:
        bench.plan(verb, entries, **words)
    return error.value


# Promoting

ENTRIES = [
    ("decision", "decisions", {"reason": "It changes what is seen.", "subject": "Entry forms", "facet": "Behavior"}, (
        "Status: active\nScope: project\n"
        f"Subject: {FORMS}\nFacet: behavior\nEvidence:\n- user-confirmed\n\nDecision:\n"
        "The form asks for the weather before the counts.\n\nReason:\nIt changes what is seen."
    )),
    ("constraint", "constraints", {"subject": STORAGE, "facet": "interface"}, (
        f"Status: active\nScope: project\nSubject: {STORAGE}\nFacet: interface\nEvidence:\n- user-confirmed\n\nConstraint:\n"
        "A site has a code of four letters."
    )),
    ("preference", "preferences", {}, (
        "Status: active\nScope: project\nEvidence:\n- user-confirmed\n\nPreference:\nDistances are in metres."
    )),
    ("rule", "rule:output", {}, (
        "Status: active\nScope: project\nEvidence:\n- user-confirmed\n\nRule:\nDates in output have a year."
    )),
    ("profile", "profile:release", {}, (
        "Status: active\nScope: project\nEvidence:\n- user-confirmed\n\nProfile:\nA release has two reviewers."
    )),
    ("area", "area:storage", {"reason": "Disks fail."}, (
        "Status: active\nEntry-Type: decision\nScope: area:storage\n"
        f"Subject: {STORAGE}\nFacet: behavior\nEvidence:\n- user-confirmed\n\nDecision:\nSaving is tried three times.\n\n"
        "Reason:\nDisks fail."
    )),
    ("tombstone", "do-not-use", {
        "reason": "It costs", "subject": "Network", "facet": "interface", "reconsider": "2027-05-01",
    }, (
        f"Status: active\nScope: project\nSubject: {NETWORK}\nFacet: interface\nEvidence:\n- user-confirmed\n\nRejected:\n"
        "Maps are not drawn by a server of our own.\n\nReason:\nIt costs. Reconsider: 2027-05-01"
    )),
]  # fmt: skip
FILES = {
    "decisions": "decisions.md", "constraints": "constraints.md", "preferences": "preferences.md",
    "do-not-use": "do-not-use.md",
    "rule:output": "rules/output.md", "profile:release": "profiles/release.md", "area:storage": "areas/storage.md",
}  # fmt: skip
TITLES = {
    "decision": "Forms ask for weather first", "constraint": "Codes of four letters", "preference": "Metric units",
    "rule": "Say the year", "profile": "Two reviewers", "area": "Retries are bounded", "tombstone": "Tombstone: No map server",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "to", "words", "body"), ENTRIES)
def test_each_place_gets_a_complete_entry(tmp_path: Path, kind: str, to: str, words: dict[str, str], body: str) -> None:
    bench = Complete(tmp_path)
    plan = bench.plan("promote", [bench.candidate(kind)], to=to, **CHANGES, **words)
    heading, _, rest = bench.added(plan, FILES[to]).partition("\n\n")
    assert heading.partition(" \u2014 ")[2] == TITLES[kind]
    assert rest == body
    assert b"promoted" not in bench.after(plan, "inbox.md")
    assert WAITING[kind].encode() not in bench.after(plan, "inbox.md")
    bench.whole(plan)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("form", ["crlf", "spaced"])
def test_in_any_hand_s_spacing_and_line_endings(tmp_path: Path, version: str, form: str) -> None:
    bench = Complete(tmp_path, version=version, form=form)
    words = {"reason": "It\nis.", "new_subject": "A new one", "facet": "workflow"}
    plan = bench.plan("promote", [bench.candidate("decision")], to="decisions", **CHANGES, **words)
    assert [warning for warning in plan.warnings if "registry" in warning] == ["The registry of subjects changes: A new one."]
    bench.whole(plan)
    if form == "crlf":
        for name in ("decisions.md", "subjects.md", "inbox.md"):
            assert b"\n" not in bench.document(name).data.replace(b"\r\n", b"")


def test_what_is_missing_is_named_at_once(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    error = refused(bench, "promote", [bench.candidate("constraint")], to="decisions", requirement="yes")
    assert error.field == "reason"
    assert "without reason, subject, facet and evidence" in error.message
    assert error.remedy == "Fill them in (--reason, --subject, --facet, --evidence)."


@pytest.mark.parametrize(("words", "field"), [
    ({}, "requirement"), ({"requirement": "no"}, "requirement"), ({"facet": "colour"}, "facet"), ({"status": "past"}, "status"),
    ({"scope": "area:storage"}, "scope"), ({"scope": "everything"}, "scope"), ({"evidence": "agent-observed"}, "evidence"),
    ({"subject": "MC-SUBJ-20200101-00000000"}, "subject"), ({"text": "So.\nSupersedes: it"}, "text"),
    ({"text": "So.\n\nReason:\nother"}, "text"),
])  # fmt: skip
def test_the_field_that_would_mend_it_is_named(tmp_path: Path, words: dict[str, str], field: str) -> None:
    bench = Complete(tmp_path)
    asked = {"reason": "It is.", "subject": "Entry forms", "facet": "behavior", "evidence": "user-confirmed"}
    asked |= {} if field == "requirement" else {"requirement": "yes"}
    assert refused(bench, "promote", [bench.candidate("decision")], to="decisions", **(asked | words)).field == field


def test_a_second_owner_is_refused_with_the_first_one_s_id_and_line_under_whatever_name(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    for subject in ("Storage", STORAGE, "counts on disk", "\u5b58\u50a8"):
        error = refused(
            bench, "promote", [bench.candidate("constraint")], to="constraints", subject=subject, facet="data-model", **CHANGES
        )
        assert (error.field, error.path, error.line) == ("facet", bench.path("decisions.md"), 5)
        assert f"{stores.NEW} is the active owner of project / Storage / data-model" in error.message
        assert bench.entries("decisions.md")[0].id in (error.remedy or "")
    words = {"to": "area:export", "kind": "constraint", "subject": "Storage", "facet": "data-model"}
    bench.whole(bench.plan("promote", [bench.candidate("constraint")], **CHANGES, **words))  # another scope is another owner


def test_two_new_entries_can_t_own_the_same_either(tmp_path: Path) -> None:
    same = {kind: stores.candidate(WAITING[kind], kind, "constraint", f"{kind}.") for kind in ("decision", "constraint")}
    bench = Complete(tmp_path, inbox="# Inbox\n\n" + "\n".join(same.values()))
    words = {"to": "constraints", "subject": "Storage", "facet": "security", **CHANGES}
    assert refused(bench, "promote", bench.entries("inbox.md"), **words).field == "facet"


def test_candidates_with_requirements_of_their_own_are_taken_up_one_by_one(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    both = [bench.candidate("decision"), bench.candidate("preference")]
    error = refused(bench, "promote", both, to="preferences", **CHANGES)
    assert error.field == "requirement"
    assert f"Ask who draws the forms. ({bench.path('inbox.md')}:5)" in error.message
    assert "one by one" in (error.remedy or "")
    desk = Desk.open(str(tmp_path), clock=Clock(datetime(2026, 11, 30)), user_config=None)
    assert [desk.singly(verb, [entry.id for entry in both]) for verb in ("promote", "merge", "reject")] == [True, True, False]
    assert not desk.singly("promote", [bench.candidate(kind).id for kind in ("preference", "rule")])
    bench.whole(bench.plan("promote", [bench.candidate("preference"), bench.candidate("rule")], to="preferences", **CHANGES))


def test_a_requirement_stands_before_a_place_in_another_store_too(tmp_path: Path) -> None:
    record = "# 1. First\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\ny\n"
    put(tmp_path, "docs/adr/0001-first.md", record)
    bench = Complete(tmp_path)
    entry = bench.candidate("decision")
    (ask,) = [goal.destination.asks[0] for goal in across.goals(bench.workspace, entry) if goal.destination.id == "adr"]
    assert (ask.field, ask.required, ask.label) == ("requirement", True, "Needed first: Ask who draws the forms. Is that done?")
    words = {"to": "adr", "context": "c", "consequences": "k", "options": "o"}
    words |= {"lasts": "yes", "surprises": "yes", "traded": "yes"}
    assert refused(bench, "promote", [entry], **words).field == "requirement"
    plan = bench.plan("promote", [entry], requirement="yes", **words)
    assert WAITING["decision"].encode() not in bench.after(plan, "inbox.md")


# Adding


def test_an_agent_adds_a_candidate_that_says_what_it_rests_on(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    plan = bench.plan("add", person=False, text="Saving is slow", tag="observed", kind="constraint", source="src/count.py:3")
    heading, _, rest = bench.added(plan, "inbox.md").partition("\n\n")
    assert heading.partition(" \u2014 ")[2] == "Saving is slow"
    assert rest == (
        "Status: candidate\nCandidate-Type: constraint\nScope: project\nEvidence:\n- agent-observed\n- repo:src/count.py\n\n"
        "Statement:\n[observed] Saving is slow (from src/count.py:3)\n\nPromotion-Requirement:\n"
        "A person confirms it, or a source of the project shows it."
    )
    bench.whole(plan)
    first = bench.entries("inbox.md")[0]
    assert (first.candidate, first.tag, first.source) == (True, "observed", "src/count.py")
    again = bench.plan("add", person=False, text="Saving is slow", tag="inferred")
    bench.whole(again)
    assert bench.entries("inbox.md")[0].tag == "inferred"


@pytest.mark.parametrize(("words", "field"), [
    ({"evidence": "user-confirmed"}, ("tag", "evidence")), ({"kind": "fact"}, ("kind",)), ({"scope": "all"}, ("scope",)),
    ({"subject": "Storage"}, ("facet",)), ({"subject": "Nothing yet", "facet": "security"}, ("subject",)),
    ({"evidence": "repo:nowhere"}, ("evidence",)),
])  # fmt: skip
def test_an_agent_neither_confirms_nor_registers(tmp_path: Path, words: dict[str, str], field: tuple[str, ...]) -> None:
    bench = Complete(tmp_path)
    with pytest.raises(Refused) as error:
        bench.plan("add", person=False, text="Saving is slow", **words)
    assert error.value.field in field


def test_a_source_that_is_no_file_stays_in_words(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    plan = bench.plan("add", text="Saving is slow", source="a call with Ana", area="storage")
    assert "Scope: area:storage" in bench.added(plan, "inbox.md")
    assert "Statement:\nSaving is slow (from a call with Ana)" in bench.added(plan, "inbox.md")
    bench.whole(plan)


# Superseding, rejecting, forgetting


@pytest.mark.parametrize("form", ["plain", "crlf", "spaced"])
def test_both_ends_of_a_supersession_say_so(tmp_path: Path, form: str) -> None:
    bench = Complete(tmp_path, form=form)
    old = bench.entries("decisions.md")[0]
    plan = bench.plan("strike", [old], with_="Counts are in SQLite.", reason="Faster.", evidence="pr:#4")
    new = bench.added(plan, "decisions.md").partition(" \u2014 ")[0].removeprefix("## ")
    assert f"Supersedes: {stores.NEW}" in bench.added(plan, "decisions.md").replace("\r", "")
    bench.whole(plan)
    first, second = bench.entries("decisions.md")[:2]
    assert (first.fields["id"], second.fields["superseded-by"], second.struck) == (new, new, True)
    assert len({tuple(one.fields[name] for name in ("scope", "subject", "facet")) for one in (first, second)}) == 1
    assert layouts.get("custodian").successors(first.document)[second.index] == first.index


@pytest.mark.parametrize(("words", "field"), [
    ({}, "with"), ({"with_": "x"}, "reason"),
    ({"with_": "x", "reason": "y", "evidence": "pr:#1", "facet": "security"}, "facet"),
    ({"with_": "x", "reason": "y", "evidence": "user-confirmed", "subject": "Export"}, "subject"),
])  # fmt: skip
def test_nothing_with_an_id_is_struck_by_itself_or_becomes_another(tmp_path: Path, words: dict[str, str], field: str) -> None:
    bench = Complete(tmp_path)
    assert refused(bench, "strike", [bench.entries("decisions.md")[0]], **words).field == field
    assert "Reject it" in (refused(bench, "strike", [bench.candidate("rule")], reason="x").remedy or "")
    superseded = bench.entries("decisions.md")[2]
    assert "struck already" in refused(bench, "strike", [superseded], with_="x", reason="y").message


def test_what_has_no_id_is_struck_as_before_and_gives_way_to_a_complete_entry(tmp_path: Path) -> None:
    bench = Complete(tmp_path, constraints="# Constraints\n\n- Old one.\n- Old two.\n")
    bench.whole(bench.plan("strike", bench.entries("constraints.md")[:1]))
    words = {"with_": "New two.", "evidence": "user-confirmed", "subject": "Storage", "facet": "security"}
    bench.whole(bench.plan("strike", bench.entries("constraints.md")[1:], **words))
    one, two, new = bench.entries("constraints.md")
    assert one.text == "- ~~Old one.~~ struck 2026-11-30"
    assert two.text == f"- ~~Old two.~~ superseded 2026-11-30 by {new.fields['id']}"
    assert layouts.get("custodian").successors(one.document) == {1: 2}


def test_a_rejected_candidate_leaves_a_tombstone_where_it_holds(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    words = {"tombstone": "yes", "reason": "Once is enough.", "evidence": "user-confirmed"}
    plan = bench.plan("reject", [bench.candidate("area")], **words)
    assert bench.names(plan) == ["areas/storage.md", "inbox.md", "changelog.md"]
    assert "Rejected:\nSaving is tried three times.\n\nReason:\nOnce is enough." in bench.added(plan, "areas/storage.md")
    bench.whole(plan)
    error = refused(bench, "reject", [bench.candidate("rule")], **words)
    assert (error.field, "without subject and facet" in error.message) == ("subject", True)


def test_an_entry_that_holds_no_more_is_rejected_into_the_archive(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    (constraint,) = bench.entries("constraints.md")
    layout = layouts.get("custodian")
    assert (layout.leaves(constraint), layout.leaves(bench.entries("do-not-use.md")[0])) == ("reject", "")
    plan = bench.plan("reject", [constraint], reason="There is a network now")
    assert bench.after(plan, "constraints.md") == b"# Constraints\n"
    bench.apply(plan)
    archived = bench.document("archive/constraints-2026-11-30.md").data.decode()
    assert archived.endswith(f"{constraint.text}\n\nRejected 2026-11-30: There is a network now\n")


def test_a_subject_stays_while_something_is_about_it(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    for verb in ("archive", "reject"):
        assert "stays in the registry" in refused(bench, verb, [bench.entries("subjects.md")[1]]).message
    error = refused(bench, "forget", [], topic="Online access", mode="hard")
    assert (error.path, NETWORK in error.message) == (bench.path("subjects.md"), True)
    plan = bench.plan("forget", topic="feature:forms", mode="hard")
    bench.whole(plan)
    assert FORMS not in bench.document("subjects.md").data.decode()


@pytest.mark.parametrize(("mode", "title"), [("soft", "metres"), ("hard", "Forgotten topic")])
def test_forgetting_leaves_a_tombstone_of_no_subject(tmp_path: Path, mode: str, title: str) -> None:
    bench = Complete(tmp_path)
    plan = bench.plan("forget", topic="metres", mode=mode)
    made = bench.added(plan, "do-not-use.md")
    assert made.startswith("## MC-TOMB-20261130-")
    assert made.partition("\n")[0].endswith(f" \u2014 Tombstone: {title}")
    assert ("metres" in made) == (mode == "soft")
    bench.whole(plan)


# Editing, merging

EDITS = [
    ("Status: active", "Status: superseded", "text"), (stores.NEW, "MC-DEC-20260801-00000000", "text"),
    ("Facet: data-model", "Facet: colour", "text"), (f"Subject: {STORAGE}", "Subject: Storage", "text"),
    (f"Subject: {STORAGE}\n", "", "text"), ("- user-confirmed", "- Ana", "text"), ("Decision:", "Statement:", "text"),
    ("Scope: project", "Scope: area:storage", "text"), ("Counts are", "Note: hm\nCounts are", "text"),
    ("Counts are", "Reason: hm\nCounts are", "text"), ("Counts are", "Constraint:\nhm\n\nCounts are", "text"),
    (f"Subject: {STORAGE}\nFacet: data-model", f"Subject: {NETWORK}\nFacet: architecture", "text"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "field"), EDITS)
def test_an_edit_leaves_an_entry_as_complete_as_it_was(tmp_path: Path, old: str, new: str, field: str) -> None:
    bench = Complete(tmp_path)
    entry = bench.entries("decisions.md")[0]
    assert old in entry.text
    assert refused(bench, "edit", [entry], text=entry.text.replace(old, new, 1)).field == field


def test_what_an_edit_may_change(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    entry = bench.entries("decisions.md")[0]
    text = entry.text.replace("One table", "A table").replace("Facet: data-model", "Facet: interface").replace("CSV", "TSV")
    plan = bench.plan("edit", [entry], text=text)
    assert bench.after(plan, "decisions.md").decode() == stores.DECISIONS.replace(entry.text, text)
    subject = bench.entries("subjects.md")[2]
    bench.plan("edit", [subject], text=subject.text.replace("Online access", "The net"))
    assert refused(bench, "edit", [subject], text=subject.text.replace("Online access", "Export")).field == "text"


def test_a_merge_works_a_statement_into_the_body_and_asks_first(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    into = bench.entries("decisions.md")[0]
    candidate = bench.candidate("decision")
    assert refused(bench, "merge", [candidate], into=into.id).field == "requirement"
    plan = bench.plan("merge", [candidate], into=into.id, requirement="yes")
    body = "Counts are kept as one CSV file for each site."
    merged = f"{body}\n\nThe form asks for the weather before the counts.\n\nReason:"
    assert bench.after(plan, "decisions.md").decode() == stores.DECISIONS.replace(f"{body}\n\nReason:", merged)
    bench.whole(plan)


def test_what_a_merged_candidate_rests_on_comes_with_it(tmp_path: Path) -> None:
    rests = ("agent-observed", "repo:src/count.py", "pr:#4", "test:tests/test_count.py")
    bench = Complete(tmp_path, inbox="# Inbox\n\n" + stores.candidate(WAITING["rule"], "Sums", "rule", "Sums.", evidence=rests))
    plan = bench.plan("merge", bench.entries("inbox.md"), into=bench.entries("decisions.md")[0].id, requirement="yes")
    bench.whole(plan)
    items = ["- user-confirmed", "- repo:src/count.py", "- pr:#4", "- test:tests/test_count.py"]
    assert bench.entries("decisions.md")[0].fields["evidence"].split("\n") == items
    gone = stores.candidate(WAITING["rule"], "Sums", "rule", "Sums.", evidence=("repo:src/gone.py",))
    other = Complete(tmp_path / "other", inbox="# Inbox\n\n" + gone)
    into = other.entries("decisions.md")[0].id
    assert refused(other, "merge", other.entries("inbox.md"), into=into, requirement="yes").field == "text"


def test_what_an_entry_says_already_is_not_taken_up_anew(tmp_path: Path) -> None:
    same = stores.candidate(WAITING["rule"], "Again", "constraint", "Counting works without a network connection.")
    bench = Complete(tmp_path, inbox="# Inbox\n\n" + same)
    (into,) = bench.entries("constraints.md")
    plan = bench.plan("merge", bench.entries("inbox.md"), into=into.id, text=into.text)
    assert bench.names(plan) == ["inbox.md", "changelog.md"]


# Pruning


def test_nothing_of_what_all_complete_entries_have_speaks_for_one_s_leaving(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    assert [one for one in scan(bench.workspace, config.defaults(), TODAY).proposals if one.kind == "task-specific"] == []
    text = stores.PREFERENCES.replace("Prefer lines", "Status: for now prefer lines")
    other = Complete(tmp_path / "other", preferences=text)
    (found,) = [one for one in scan(other.workspace, config.defaults(), TODAY).proposals if one.kind == "task-specific"]
    assert [entry.path for entry in found.entries] == [other.path("preferences.md")]


# Older protocols


def test_an_older_store_has_no_place_for_what_is_new(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- Use WAL\n")
    for name in ("subject", "facet", "evidence"):
        assert refused(bench, "promote", bench.entries("inbox.md"), to="constraints", **{name: "x"}).field == name
        assert refused(bench, "add", [], text="New", **{name: "x"}).field == name


def test_the_standing_text_for_agents_names_evidence_where_the_store_asks_for_it(tmp_path: Path) -> None:
    benches = Complete(tmp_path / "a"), Bench(tmp_path / "b")
    texts = [layouts.get("custodian").guide(bench.workspace.stores[0]) for bench in benches]
    assert ["--evidence" in text for text in texts] == [True, False]
    assert all("\n\n- `observed`" in text and "reopen it.\n- " in text and text.endswith("request.\n") for text in texts)
