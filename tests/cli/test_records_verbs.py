"""The verbs on a store of records, from the command line: exit codes, JSON, and an undo that restores every byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.shapes import ACTION, faults
from tests.support.stores import GLOSSARY, agent_memory_store, custodian_store, git_repo, record, records_store, snapshot

FIRST, SECOND = "docs/adr/0001-store-counts-as-csv.md", "docs/adr/0002-sync-at-night.md"
WAITS = "docs/design/terms.md"
WHO = ("--yes", "--as", "Ada")


@pytest.fixture
def records(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Commands on a store of this layout, committed."""
    records_store(tmp_path / "repo")
    return Here(git_repo(tmp_path / "repo"), capsys, monkeypatch)


def test_add_needs_no_person_and_makes_what_the_inbox_lists(records: Here) -> None:
    found = records("add", "--kind", "adr", "Send counts by radio", "--reason", "No network", "--options", "- Letters")
    assert found.code == 0
    assert found.id in records.ids("inbox")
    assert records.text("docs/adr/0003-send-counts-by-radio.md").count("\n## ") == 5
    word = records("add", "--kind", "term", "Plot: a part of a site", "--avoid", "patch")
    assert word.code == 0
    assert word.id in records.ids("inbox")
    assert records.text(WAITS).endswith("- **Plot**: a part of a site\n  _Avoid_: patch\n")
    for kind in ("constraint", "fact"):
        refused = records("add", "--kind", kind, "Send counts by radio", "--format", "json")
        assert refused.code == 1
        assert "keeps no" in refused.json["refused"]


@pytest.mark.parametrize("key", ["lasts", "surprises", "traded", "lasting"])
def test_an_answer_that_says_no_stops_the_promotion(records: Here, key: str) -> None:
    before = snapshot(records.root)
    found = records("promote", records.id("Sync"), "--answer", f"{key}=no", *WHO)
    assert (found.code, snapshot(records.root)) == (1, before)
    assert "By your answer" in found.err
    assert records("promote", records.id("Sync"), "--answer", f"{key}=yes", *WHO).code == 0


@pytest.mark.parametrize(("answer", "said"), [("trade=no", "traded"), ("traded=nope", "yes, no, unsure")])
def test_an_answer_that_nothing_asks_for_is_refused(records: Here, answer: str, said: str) -> None:
    before = snapshot(records.root)
    found = records("promote", records.id("Sync"), "--answer", answer, *WHO)
    assert (found.code, snapshot(records.root)) == (2, before)
    assert said in found.err


VERBS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "promote": (("--supersedes", "1"), {FIRST, SECOND}),
    "promote to a design note": (("--to", "design:night"), {SECOND, "docs/design/night.md"}),
    "promote to a term": (("--to", "term", "--title", "Night"), {SECOND, "CONTEXT.md"}),
    "reject": (("--reason", "They sleep"), {SECOND}),
    "strike": (("--reason", "They sleep"), {SECOND}),
    "edit": (("--text", record(2, "Sync at noon", "Proposed")), {SECOND}),
}


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_asks_says_and_is_undone_to_the_byte(records: Here, name: str) -> None:
    words, paths = VERBS[name]
    verb = name.split()[0]
    before = snapshot(records.root)
    asked = records(verb, SECOND + records.id("Sync")[len(SECOND) :], *words)
    assert (asked.code, snapshot(records.root)) == (1, before)
    dry = records(verb, records.id("Sync"), *words, "--dry-run", "--format", "json")
    assert (dry.code, dry.json["applied"], snapshot(records.root)) == (0, False, before)
    done = records(verb, records.id("Sync"), *words, *WHO, "--format", "json")
    assert (done.code, faults(done.json, ACTION)) == (0, [])
    assert {edit["path"] for edit in done.json["edits"]} == paths
    assert records("check").code == 0
    assert records("undo", "--yes").code == 0
    assert snapshot(records.root) == before


def test_superseding_an_accepted_record(records: Here) -> None:
    before = snapshot(records.root)
    first = next(entry["id"] for entry in records("entries", "--format", "json").json["entries"] if entry["path"] == FIRST)
    refused = records("strike", first, "--reason", "A law", *WHO)
    assert (refused.code, "--with" in refused.err) == (1, True)
    done = records(
        "strike", first, "--with", "Counts are XML", "--reason", "A law", "--options", "- CSV", *WHO, "--format", "json"
    )
    assert done.code == 0
    assert [edit["path"] for edit in done.json["edits"]] == ["docs/adr/0003-counts-are-xml.md", FIRST]
    assert records("check", "--only", "adr-supersession", "--only", "adr-immutable", "--only", "adr-why").code == 0
    entries = {entry["path"]: entry for entry in records("entries", "--format", "json").json["entries"]}
    assert (entries[FIRST]["status"], entries[FIRST]["struck"]) == ("superseded", True)
    assert entries[FIRST]["relations"] == [{"kind": "superseded-by", "target": "3"}]
    assert records("undo", "--yes").code == 0
    assert snapshot(records.root) == before


def test_what_records_never_do(records: Here) -> None:
    for verb, words in (("archive", (records.id("Sync"),)), ("forget", ("CSV", "--mode", "purge"))):
        found = records(verb, *words, *WHO)
        assert (found.code, f"There is no {verb}" in found.err) == (1, True)
    found = records("edit", next(
        entry["id"] for entry in records("entries", "--format", "json").json["entries"] if entry["path"] == FIRST
    ), "--text", record(1, "Store counts as CSV", context="Other."), *WHO)
    assert (found.code, "memdesk strike" in found.err) == (1, True)


def test_an_example_value_is_refused_and_not_repeated(records: Here) -> None:
    before = snapshot(records.root)
    for words in (
        ("add", "--kind", "adr", "Ask jo.brand@brandmail.io"), ("add", "--kind", "term", "Desk: jo.brand@brandmail.io"),
        ("reject", records.id("Sync"), "--reason", "jo.brand@brandmail.io", *WHO),
    ):
        found = records(*words)
        assert (found.code, "example value" in found.err, "brandmail" in found.err) == (1, True, False)
    assert snapshot(records.root) == before


@pytest.mark.parametrize("others", [("custodian",), ("agent-memory",), ("custodian", "agent-memory")])
def test_beside_other_stores_a_candidate_goes_where_its_kind_belongs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...]
) -> None:
    records_store(tmp_path)
    for other in others:
        (custodian_store if other == "custodian" else agent_memory_store)(tmp_path)
    here = Here(tmp_path, capsys, monkeypatch)
    assert here("add", "--kind", "adr", "Send counts by radio").id.startswith("docs/adr/0003-")
    assert here("add", "--kind", "term", "Plot: a part of a site").id.startswith(WAITS)
    plain = here("add", "Gulls are counted twice")
    assert (plain.code, "Which store?" in plain.err) == ((0, False) if len(others) == 1 else (2, True))


def test_init_never_overwrites_and_gives_no_number_away_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(tmp_path, capsys, monkeypatch)
    assert here("init", "records", "--yes", "--agents").code == 0
    assert sorted(snapshot(tmp_path)) == [
        path for path in sorted(snapshot(tmp_path)) if path.startswith(".memdesk") or path in
        ("AGENTS.md", "CONTEXT.md", "docs/adr/0001-record-decisions.md")
    ]
    assert "Date: 2026-11-30" in here.text("docs/adr/0001-record-decisions.md")
    check = here("check", "--strict")
    assert (check.code, "0 errors, 0 warnings" in check.out) == (0, True)
    assert "ranking" in here.text("AGENTS.md").lower()
    assert here("init", "records", "--yes").code == 1


def test_init_beside_records_makes_the_glossary_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records_store(tmp_path, standard=False, **{"doc/adr/001-x.md": record(1, "X")})
    here = Here(tmp_path, capsys, monkeypatch)
    assert here("init", "records", "--yes").code == 0
    assert {path for path in snapshot(tmp_path) if not path.startswith(".memdesk")} == {"doc/adr/001-x.md", "CONTEXT.md"}
    assert GLOSSARY not in here.text("CONTEXT.md")


def test_agents_are_pointed_at_a_store_at_the_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Rules\n\nBe brief.\n")
    here = Here(tmp_path, capsys, monkeypatch)
    assert here("init", "records", "--yes", "--agents").code == 0
    text = here.text("AGENTS.md")
    assert text.startswith("# Rules\n\nBe brief.\n\n# Words and decisions of this repository\n")
    assert here("init", "records", "--yes", "--agents").code == 1
    assert here.text("AGENTS.md") == text
