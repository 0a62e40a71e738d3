"""What each verb writes in a store of records, to the byte (docs/records.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.core.errors import Refused
from tests.support.planning import RecordsBench
from tests.support.stores import GLOSSARY, custodian_store, put, record

FIRST, SECOND = "docs/adr/0001-store-counts-as-csv.md", "docs/adr/0002-sync-at-night.md"
OLD = record(1, "Store counts as CSV")
LINK = "[ADR-0001](0001-store-counts-as-csv.md)"


def refused(bench: RecordsBench, *arguments: Any, **words: Any) -> Refused:
    with pytest.raises(Refused) as error:
        bench.plan(*arguments, **words)
    assert error.value.remedy, error.value
    return error.value


# add


def test_a_drafted_record_has_all_parts_and_waits(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan(
        "add", text="Counts are sent by radio.", kind="adr", reason="Sites have no network.", source="docs/x.md:3",
        tag="observed",
    )
    name = "docs/adr/0003-counts-are-sent-by-radio.md"
    assert plan.paths == [name]
    assert plan.steps[0].after == (
        b"# 3. Counts are sent by radio\n\nDate: 2026-11-30\n\n## Status\n\nProposed\n\n## Context\n\n"
        b"Sites have no network.\n\nSource: docs/x.md:3 (observed)\n\n## Considered options\n\n## Decision\n\n"
        b"Counts are sent by radio.\n\n## Consequences\n"
    )
    assert plan.reads["docs/adr"] is not None
    bench.apply(plan)
    (entry,) = bench.entries(name)
    assert (entry.candidate, entry.status, entry.number) == (True, "proposed", 3)
    assert plan.new_ids == (entry.id,)


def test_a_whole_record_can_be_given(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    text = "# Count by ear\n\n## Context\n\nFog.\n\n## Considered Options\n\n- By eye\n\n## Decision\n\nBy ear.\n"
    after = bench.plan("add", text=text, kind="adr").steps[0].after or b""
    assert after.startswith(b"# 3. Count by ear\n\nDate: 2026-11-30\n\n## Status\n\nProposed\n\n## Context\n\nFog.\n")
    assert b"- By eye\n\n## Decision\n\nBy ear.\n" in after
    for status in ("Accepted", "Proposed\n\nAmends ADR-0001", "Proposed\n\nSupersedes ADR-0009"):
        assert refused(bench, "add", text=f"{text}\n## Status\n\n{status}\n").field in ("text", "supersedes")
    after = bench.plan("add", text=f"{text}\n## Status\n\nDraft\n\nSupersedes ADR-0001\n").steps[0].after or b""
    assert f"## Status\n\nProposed\n\nSupersedes {LINK}\n\n## Context".encode() in after


@pytest.mark.parametrize("kind", ["constraint", "preference", "tombstone", "fact"])
def test_a_kind_that_records_have_not_is_refused(tmp_path: Path, kind: str) -> None:
    assert refused(RecordsBench(tmp_path), "add", text="Use radio", kind=kind).field == "kind"


def test_without_a_kind_a_record_is_proposed(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    bench.apply(bench.plan("add", text="Use radio"))
    assert bench.entry("0003").candidate


def test_a_folder_is_made_for_the_first_record(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, standard=False, **{"CONTEXT.md": GLOSSARY})
    plan = bench.plan("add", text="Use radio", kind="adr")
    assert [step.path for step in plan.steps] == ["docs", "docs/adr", "docs/adr/0001-use-radio.md"]


FORMS = {
    "front": (
        "---\nstatus: accepted\ndate: 2026-05-02\n---\n\n# CSV\n\n## Context and Problem Statement\n\nWhy?\n\n"
        "## Considered Options\n\n* XML\n\n## Decision Outcome\n\nCSV.\n",
        "---\nstatus: proposed\ndate: 2026-11-30\n---\n\n# Use radio\n\n## Context and Problem Statement\n\n"
        "## Considered Options\n\n## Decision Outcome\n\nUse radio\n\n## Consequences\n",
    ),
    "bullet": (
        "# ADR-0004: CSV\n\n- Status: Accepted\n- Date: 2026-05-02\n\n## Context\n\nWhy?\n\n## Decision\n\nCSV.\n",
        "# ADR-0005: Use radio\n\n- Status: Proposed\n- Date: 2026-11-30\n\n## Context\n\n## Considered Options\n\n"
        "## Decision\n\nUse radio\n\n## Consequences\n",
    ),
    "bold": (
        "# ADR 4 \u2014 CSV\n\n**Status:** Accepted \u2014 2026-05-02\n\n## Context\n\nWhy?\n\n## Decision\n\nCSV.\n",
        "# ADR 5 \u2014 Use radio\n\n**Status:** Proposed \u2014 2026-11-30\n\n## Context\n\n## Considered options\n\n"
        "## Decision\n\nUse radio\n\n## Consequences\n",
    ),
    "undated": (
        "# 4. CSV\n\n## Status\n\naccepted\n\n## Context\n\nWhy?\n\n## Alternatives\n\nXML\n\n## Decision\n\nCSV.\n",
        "# 5. Use radio\n\n## Status\n\nproposed, 2026-11-30\n\n## Context\n\n## Alternatives\n\n## Decision\n\nUse radio\n\n"
        "## Consequences\n",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_new_record_has_the_form_of_its_folder(tmp_path: Path, name: str) -> None:
    has, gets = FORMS[name]
    bench = RecordsBench(tmp_path, standard=False, **{"doc/adr/00004-csv.md": has, "doc/adr/0000-template.md": "# Title\n"})
    plan = bench.plan("add", text="Use radio", kind="adr")
    assert plan.paths == ["doc/adr/00005-use-radio.md"]
    assert (plan.steps[-1].after or b"").decode() == gets
    assert bench.apply(plan).documents["doc/adr/00005-use-radio.md"].entries[0].candidate


def test_a_status_inside_a_text_is_none(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    bench.apply(bench.plan("add", text="Use radio\n\n**Status:** accepted", kind="adr"))
    assert bench.entry("0003").candidate
    assert refused(bench, "add", text="Use radio\n\n## Status\n\nAccepted", kind="adr").field == "text"


# promote


def test_accepting_changes_status_and_date_alone(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan("promote", [bench.entry("0002")], to="adr")
    before = bench.document(SECOND).data
    assert bench.after(plan, SECOND) == before.replace(b"2026-06-01", b"2026-11-30").replace(b"Proposed", b"Accepted")
    assert plan.paths == [SECOND]
    assert plan.summary == f'Accepted "Sync at night" in {SECOND}.'
    assert plan.label == f"Accept {SECOND}", "a record is one candidate: there is nothing to count"


def test_what_it_supersedes_is_superseded_in_the_same_plan(tmp_path: Path) -> None:
    new = record(2, "Sync at night", "Proposed", more=f"Supersedes {LINK}", date="2026-11-30")
    bench = RecordsBench(tmp_path, **{SECOND: new})
    plan = bench.plan("promote", [bench.entry("0002")], to="adr")
    assert bench.after(plan, SECOND).decode() == new.replace("Proposed", "Accepted")
    assert bench.after(plan, FIRST).decode() == OLD.replace(
        "Accepted", "Superseded by [ADR-0002](0002-sync-at-night.md), 2026-11-30"
    )
    again = bench.apply(plan)
    assert [entry.status for entry in again.entries() if entry.role == "record"] == ["superseded", "accepted"]
    assert refused(bench, "promote", [bench.entry("0002")], to="adr").message.endswith("is no candidate.")


def test_more_to_supersede_is_named_when_it_is_accepted(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan("promote", [bench.entry("0002")], to="adr", supersedes="ADR-1")
    assert f"Accepted\n\nSupersedes {LINK}\n\n## Context".encode() in bench.after(plan, SECOND)
    assert b"Superseded by [ADR-0002](0002-sync-at-night.md), 2026-11-30" in bench.after(plan, FIRST)
    for wrong in ("9", "two", "2"):
        assert refused(bench, "promote", [bench.entry("0002")], to="adr", supersedes=wrong).field == "supersedes"


@pytest.mark.parametrize(
    ("old", "words"),
    [
        (OLD.replace("Accepted", "Superseded by [ADR-0009](0009-x.md), 2026-06-01"), "which says that '9' did"),
        (OLD.replace("## Status\n\nAccepted\n\n", ""), "It has no status"),
        (OLD.replace("Accepted", "Whatever"), "can't be read"),
    ],
)
def test_what_cannot_be_superseded_stops_the_acceptance(tmp_path: Path, old: str, words: str) -> None:
    bench = RecordsBench(tmp_path, **{FIRST: old})
    error = refused(bench, "promote", [bench.entry("0002")], to="adr", supersedes="1")
    assert words in error.message
    assert error.path == FIRST
    assert ("records.statuses" in error.remedy) is (words == "can't be read")


def test_a_draft_that_names_nothing_known_is_refused(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, **{SECOND: record(2, "Sync at night", "Draft", more="Supersedes ADR-0077")})
    assert "'77'" in refused(bench, "promote", [bench.entry("0002")], to="adr").message


def test_what_a_draft_lacks_is_asked_for_and_filled_in(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    bench.apply(bench.plan("add", text="Use radio", kind="adr"))
    draft = bench.entry("0003")
    asked = {ask.field: ask.required for ask in _asks(bench, "adr")}
    assert {field: asked.get(field) for field in ("context", "options", "consequences")} == {
        "context": True, "options": False, "consequences": False
    }
    assert refused(bench, "promote", [draft], to="adr").field == "context"
    plan = bench.plan("promote", [draft], to="adr", context="No network.", options="- Letters", consequences="A mast.")
    assert bench.after(plan, draft.path).decode() == (
        "# 3. Use radio\n\nDate: 2026-11-30\n\n## Status\n\nAccepted\n\n## Context\n\nNo network.\n\n"
        "## Considered options\n\n- Letters\n\n## Decision\n\nUse radio\n\n## Consequences\n\nA mast.\n"
    )


def _asks(bench: RecordsBench, to: str) -> list[Any]:
    from memdesk.core.layouts.records import LAYOUT

    store = bench.workspace.stores[0]
    entry = next(entry for entry in reversed(list(bench.workspace.entries())) if entry.candidate and entry.role == "record")
    return [ask for place in LAYOUT.destinations(bench.workspace, store, entry) if place.id == to for ask in place.asks]


def test_what_a_draft_has_is_not_given_again(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    for part in ("context", "options", "consequences"):
        assert refused(bench, "promote", [bench.entry("0002")], to="adr", **{part: "Other."}).field == part


def test_what_is_said_beside_stands_behind_the_status(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan("promote", [bench.entry("0002")], to="adr", reason="The meeting\nagreed")
    assert b"\nAccepted: The meeting agreed\n" in bench.after(plan, SECOND)


@pytest.mark.parametrize(("verb", "words"), [("reject", {}), ("promote", {"to": "adr"})])
def test_a_reason_is_no_relation(tmp_path: Path, verb: str, words: dict[str, str]) -> None:
    bench = RecordsBench(tmp_path)
    assert refused(bench, verb, [bench.entry("0002")], reason="superseded by ADR-0001", **words).field == "reason"
    assert bench.plan(verb, [bench.entry("0002")], reason="ADR-0001 decides it", **words).steps


@pytest.mark.parametrize(("second", "third"), [("ADR-0001", "ADR-0001"), ("ADR-0003", ""), ("", "ADR-0002")])
def test_records_that_are_about_each_other_go_one_by_one(tmp_path: Path, second: str, third: str) -> None:
    more = {number: f"Supersedes {name}" if name else "" for number, name in ((2, second), (3, third))}
    bench = RecordsBench(tmp_path, **{
        SECOND: record(2, "Sync at night", "Proposed", more=more[2]),
        "docs/adr/0003-b.md": record(3, "B", "Proposed", more=more[3]),
    })
    both = [bench.entry("0002"), bench.entry("0003")]
    for entries in (both, both[::-1]):
        assert "one by one" in refused(bench, "promote", entries, to="adr").remedy
    assert bench.plan("promote", [both[0]], to="adr").steps


def test_what_says_so_already_stays_as_it_is(tmp_path: Path) -> None:
    old = OLD.replace("Accepted", "Superseded by [2. Sync at night](0002-sync-at-night.md)")
    bench = RecordsBench(tmp_path, **{FIRST: old, SECOND: record(2, "Sync at night", "Proposed", more=f"Supersedes {LINK}")})
    assert bench.plan("promote", [bench.entry("0002")], to="adr").paths == [SECOND]


def test_a_record_that_names_no_option_is_remarked_on(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, **{SECOND: record(2, "Sync at night", "Proposed", options="")})
    plan = bench.plan("promote", [bench.entry("0002")], to="adr")
    assert [warning for warning in plan.warnings if "no considered option" in warning]
    assert not bench.plan("promote", [bench.entry("0002")], to="adr", options="- At noon").warnings


def test_a_deprecated_record_can_be_superseded(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, **{FIRST: OLD.replace("Accepted", "Deprecated")})
    plan = bench.plan("strike", [bench.entry("0001")], with_="Use XML", reason="A law.")
    assert b"Superseded by [ADR-0003](0003-use-xml.md), 2026-11-30" in bench.after(plan, FIRST)


def test_links_lead_from_one_folder_of_records_to_another(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, standard=False, **{
        ".adr-dir": "choices\n", "choices/0008-y.md": record(8, "Y", "Proposed"), "doc/adr/0011-a (b).md": record(11, "Z"),
    })
    old = bench.entry("0011")
    plan = bench.plan("strike", [old], with_="Use W", reason="It is new.")
    assert plan.paths == ["choices/0012-use-w.md", old.path]
    assert b"Superseded by [ADR-0012](../../choices/0012-use-w.md), 2026-11-30" in bench.after(plan, old.path)
    assert b"Supersedes [ADR-0011](../doc/adr/0011-a%20%28b%29.md)" in (plan.steps[0].after or b"")
    plan = bench.plan("promote", [bench.entry("0008")], to="adr", supersedes="11")
    assert b"Superseded by [ADR-0008](../../choices/0008-y.md), 2026-11-30" in bench.after(plan, old.path)
    bench.apply(plan)
    assert bench.entry("0008").relations == (("supersedes", "11"),)
    assert bench.entry("0011").relations == (("superseded-by", "8"),)


def test_records_may_stand_at_the_root(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, standard=False, **{".adr-dir": ".\n", "0007-x.md": record(7, "X", "Proposed")})
    plan = bench.plan("promote", [bench.entry("0007")], to="adr")
    assert plan.label == "Accept 0007-x.md"
    assert bench.plan("add", text="Use W").paths == ["0008-use-w.md"]


def test_several_drafts_are_accepted_or_rejected_at_once(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, **{"docs/adr/0003-b.md": record(3, "B", "Draft")})
    both = [bench.entry("0002"), bench.entry("0003")]
    for plan in (bench.plan("promote", both, to="adr"), bench.plan("reject", both, reason="no")):
        assert plan.paths == [SECOND, "docs/adr/0003-b.md"]


@pytest.mark.parametrize("field", ["lasts", "surprises", "traded"])
def test_a_test_that_fails_offers_another_place(tmp_path: Path, field: str) -> None:
    bench = RecordsBench(tmp_path)
    assert field in {ask.field for ask in _asks(bench, "adr")}
    error = refused(bench, "promote", [bench.entry("0002")], to="adr", **{field: "no"})
    assert error.field == field
    assert "design:NAME" in error.remedy
    assert refused(bench, "promote", [bench.entry("0002")], to="adr", **{field: "unsure"}).field == field
    assert bench.plan("promote", [bench.entry("0002")], to="adr", **{field: "yes"}).steps


def test_accepting_does_not_rewrite(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    assert refused(bench, "promote", [bench.entry("0002")], to="adr", text="Other").field == "text"


def test_a_choice_that_fails_goes_to_a_design_note(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path, **{"docs/design/radio.md": "# Radio\n\n**Status:** draft\n"})
    made = bench.plan("promote", [bench.entry("0002")], to="design:night")
    assert (made.steps[-2].after or b"").startswith(
        b"# Sync at night\n\n**Status:** draft\n\n**Date:** 2026-11-30\n\nSync at night."
    )
    assert b"\nRejected, 2026-11-30: its text is in docs/design/night.md\n" in bench.after(made, SECOND)
    more = bench.plan("promote", [bench.entry("0002")], to="design:radio")
    assert bench.after(more, "docs/design/radio.md").startswith(
        b"# Radio\n\n**Status:** draft\n\n## Sync at night\n\nSync at night.\n"
    )


def test_a_candidate_of_another_store_becomes_a_record(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n## 2026-11-28\n\n- Counts go by radio. (reason: no network)\n- Second\n")
    bench = RecordsBench(tmp_path)
    first, second = (entry for entry in bench.workspace.candidates() if entry.role == "inbox")
    plan = bench.plan("promote", [first], to="adr", options="- Letters", supersedes="1")
    made = "docs/adr/0003-counts-go-by-radio.md"
    assert made in plan.paths
    assert plan.summary == f'Promoted "Counts go by radio" from inbox.md to {made}.'
    assert plan.label.startswith(f"Promote to {made} · ")
    text = bench.apply(plan).documents[made].data
    head = f"# 3. Counts go by radio\n\nDate: 2026-11-30\n\n## Status\n\nAccepted\n\nSupersedes {LINK}\n"
    assert text.startswith(head.encode())
    assert b"## Context\n\nno network\n" in text
    assert bench.entry("0001").status == "superseded"
    (second,) = (entry for entry in bench.workspace.candidates() if entry.role == "inbox")
    assert refused(bench, "promote", [second], to="adr").field == "reason"
    plan = bench.plan("promote", [second], to="adr", status="proposed")
    assert bench.apply(plan).documents["docs/adr/0004-second.md"].entries[0].candidate


# reject, strike, edit, merge


@pytest.mark.parametrize("verb", ["reject", "strike"])
def test_a_rejected_draft_keeps_its_date_and_reason(tmp_path: Path, verb: str) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan(verb, [bench.entry("0002")], reason="Volunteers\nsleep")
    before = bench.document(SECOND).data
    assert bench.after(plan, SECOND) == before.replace(b"Proposed", b"Rejected, 2026-11-30: Volunteers sleep")
    assert not [entry for entry in bench.apply(plan).candidates() if entry.role == "record"]


def test_an_accepted_record_is_not_rejected(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    assert "memdesk strike" in refused(bench, "reject", [bench.entry("0001")], reason="no").remedy


def test_a_tombstone_goes_to_the_store_that_keeps_them(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    words = {"reason": "It wakes them", "tombstone": "yes", "reconsider": "2027-05-01"}
    assert refused(bench, "reject", [bench.entry("0002")], **words).field == "tombstone"
    custodian_store(tmp_path)
    bench.read()
    plan = bench.plan("reject", [bench.entry("0002")], **words)
    stone = bench.after(plan, "docs/memory/do-not-use.md")
    assert b"## Tombstone: Sync at night\n" in stone
    assert b"Reason: It wakes them. Date: 2026-11-30.\n" in stone
    assert b"Reconsider: 2027-05-01\n" in stone
    assert b"Rejected, 2026-11-30: It wakes them" in bench.after(plan, SECOND)


def test_a_new_record_supersedes_an_accepted_one(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    old = bench.entry("0001")
    plan = bench.plan("strike", [old], with_="Counts are stored as XML.", reason="A law.", options="- CSV\n- XML")
    name = "docs/adr/0003-counts-are-stored-as-xml.md"
    assert plan.paths == [name, FIRST]
    assert plan.steps[0].after == (
        f"# 3. Counts are stored as XML\n\nDate: 2026-11-30\n\n## Status\n\nAccepted\n\nSupersedes {LINK}\n\n"
        "## Context\n\nA law.\n\n## Considered options\n\n- CSV\n- XML\n\n## Decision\n\nCounts are stored as XML.\n\n"
        "## Consequences\n"
    ).encode()
    assert bench.after(plan, FIRST).decode() == OLD.replace(
        "Accepted", "Superseded by [ADR-0003](0003-counts-are-stored-as-xml.md), 2026-11-30"
    )
    bench.apply(plan)
    assert "is superseded already" in refused(bench, "strike", [bench.entry("0001")], with_="x", reason="y").message


@pytest.mark.parametrize(("words", "field"), [({}, "with"), ({"reason": "x"}, "with"), ({"with_": "Use XML"}, "reason")])
def test_an_accepted_record_ends_only_by_another_with_its_why(tmp_path: Path, words: dict[str, str], field: str) -> None:
    bench = RecordsBench(tmp_path)
    assert refused(bench, "strike", [bench.entry("0001")], **words).field == field


def test_of_a_decided_record_an_edit_changes_the_status_lines_alone(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    old = bench.entry("0001")
    for text in (old.text.replace("spreadsheet", "editor"), old.text.replace("# 1.", "# 01."), old.text + "\n\nMore."):
        error = refused(bench, "edit", [old], text=text)
        assert (error.field, error.path) == ("text", FIRST)
        assert "memdesk strike" in error.remedy
    plan = bench.plan("edit", [old], text=old.text.replace("Accepted", "Deprecated\n\nAmended by ADR-0002"))
    assert bench.after(plan, FIRST).decode() == OLD.replace("Accepted", "Deprecated\n\nAmended by ADR-0002")


def test_a_draft_is_edited_freely_and_decided_by_no_edit(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    draft = bench.entry("0002")
    plan = bench.plan("edit", [draft], text=draft.text.replace("at night", "at noon"))
    assert bench.after(plan, SECOND) == draft.document.data.replace(b"at night", b"at noon")
    assert "promote" in refused(bench, "edit", [draft], text=draft.text.replace("Proposed", "Accepted")).remedy


def test_a_record_without_status_can_be_given_one(tmp_path: Path) -> None:
    bare = OLD.replace("## Status\n\nAccepted\n\n", "")
    bench = RecordsBench(tmp_path, **{FIRST: bare})
    plan = bench.plan("edit", [bench.entry("0001")], text=OLD.strip())
    assert bench.after(plan, FIRST).decode() == OLD


def test_a_decided_record_takes_nothing_in_and_a_draft_does(tmp_path: Path) -> None:
    other = record(3, "Sync at noon", "Proposed")
    bench = RecordsBench(tmp_path, **{"docs/adr/0003-sync-at-noon.md": other})
    first, draft, noon = (bench.entry(name) for name in ("0001", "0002", "0003"))
    assert refused(bench, "merge", [noon], into=first.id).field == "into"
    plan = bench.plan("merge", [noon], into=draft.id, text=draft.text.replace("at night.", "at night, or at noon."))
    assert b"Sync at night, or at noon." in bench.after(plan, SECOND)
    assert b"\nRejected, 2026-11-30: merged into docs/adr/0002-sync-at-night.md\n" in bench.after(plan, noon.path)


@pytest.mark.parametrize("verb", ["archive", "forget"])
def test_records_are_not_archived_or_forgotten(tmp_path: Path, verb: str) -> None:
    bench = RecordsBench(tmp_path)
    error = refused(bench, verb, [bench.entry("0001")], topic="CSV")
    assert str(error).startswith(f"There is no {verb} in a store of this layout: glossary and decision records. There is add, ")


# what must not be written


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("add", {"text": "Mail jo.brand@brandmail.io first", "kind": "adr"}),
        ("add", {"text": "Desk: jo.brand@brandmail.io", "kind": "term"}),
        ("promote", {"to": "adr", "supersedes": "1", "options": "- jo.brand@brandmail.io"}),
        ("reject", {"reason": "jo.brand@brandmail.io says no"}),
        ("strike", {"reason": "jo.brand@brandmail.io says no"}),
        ("edit", {"text": "# 2. Sync\n\n## Status\n\nProposed\n\nAsk jo.brand@brandmail.io.\n"}),
    ],
)
def test_an_example_value_stops_every_verb(tmp_path: Path, verb: str, words: dict[str, str]) -> None:
    bench = RecordsBench(tmp_path, **{SECOND: record(2, "Sync at night", "Proposed", options="")})
    entries = [] if verb == "add" else [bench.entry("0002")]
    error = refused(bench, verb, entries, **words)
    assert "example value" in error.message
    assert "brandmail" not in str(error)


def test_a_draft_that_holds_one_is_not_accepted(tmp_path: Path) -> None:
    text = record(2, "Sync at night", "Proposed", context="Ask jo.brand@brandmail.io.")
    bench = RecordsBench(tmp_path, **{SECOND: text})
    assert "example value" in refused(bench, "promote", [bench.entry("0002")], to="adr").message
    put(tmp_path, SECOND, text.replace("io.", "io. <!-- memdesk: allow example-value a public desk -->"))
    bench.read()
    assert bench.plan("promote", [bench.entry("0002")], to="adr").steps
