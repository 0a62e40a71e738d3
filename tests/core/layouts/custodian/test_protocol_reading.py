"""Stores of protocol 0.6 to 0.8 as other tools leave them: read, packed, checked, and their owners compared."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.packing import pack
from memdesk.core.recall import recall
from tests.support import protocol_stores as stores
from tests.support.checking import findings, report
from tests.support.planning import Bench
from tests.support.protocol import faults, read
from tests.support.protocol_stores import DECISIONS, EXPORT, NETWORK, STORAGE, VERSIONS, WAITING, entry, protocol_store, seen
from tests.support.stores import MEMORY

FORMS = ("plain", "crlf", "spaced")
EVERY = [(version, form) for version in VERSIONS for form in FORMS]


class Reading(Bench):
    """A store of that protocol. `files`: version and form beside what `protocol_store` takes."""

    def make(self, files: dict[str, str]) -> None:
        protocol_store(self.root, **files)


# The validator itself


@pytest.mark.parametrize(("version", "form"), EVERY)
def test_the_fixtures_are_what_the_protocol_asks_for(tmp_path: Path, version: str, form: str) -> None:
    protocol_store(tmp_path, version, form=form)
    store = seen(tmp_path)
    assert faults(store) == []
    assert len(store.entries) == 20
    assert set(store.subjects) == {STORAGE, EXPORT, NETWORK, stores.FORMS}


BREAKS = [
    ("decisions", "Status: active\n", "", "it has no Status"),
    ("decisions", "Status: active\n", "Status: candidate\n", "Status is 'candidate'"),
    ("decisions", "Status: active\n", "Status: active\nStatus: active\n", "Status stands 2 times"),
    ("decisions", "Scope: project\n", "Scope: area:storage\n", "Scope is 'area:storage' in decisions.md"),
    ("decisions", "Scope: project\n", "Scope: everything\n", "Scope is 'everything'"),
    ("decisions", f"Subject: {NETWORK}", "Subject: Network", "its Subject is 'Network', which is no active one of subjects.md"),
    ("decisions", f"Subject: {NETWORK}\n", "", "its Subject is '', which is no active one of subjects.md"),
    ("decisions", "Facet: architecture", "Facet: colour", "Facet is 'colour'"),
    ("decisions", "Evidence:\n- doc:docs/architecture.md\n", "", "it has no Evidence"),
    ("decisions", "- doc:docs/architecture.md", "- doc:docs/elsewhere.md", "there is no docs/elsewhere.md"),
    ("decisions", "- doc:docs/architecture.md", "- doc: docs/architecture.md", "this is no evidence"),
    ("decisions", "- doc:docs/architecture.md", "- agent-observed", "agent-observed admits nothing but candidates"),
    ("decisions", "- doc:docs/architecture.md", "- user-confirmed\nsaid so", "its Evidence holds more than bullets"),
    ("decisions", "Decision:\nNothing is fetched", "Constraint:\nNothing is fetched", "it has no Decision"),
    ("decisions", "Reason:\nSites have no network.\n", "", "it has no Reason"),
    ("decisions", "MC-DEC-20260729-d0000003 \u2014", "MC-DEC-20260729-d0000003 -", "this is nearly the heading of an entry"),
    ("decisions", "MC-DEC-20260729-d0000003", "MC-DEC-20261329-d0000003", "its id has no date"),
    ("decisions", "MC-DEC-20260729-d0000003", "MC-CON-20260729-d0000003", "an entry CON does not stand in decisions.md"),
    ("decisions", "MC-DEC-20260729-d0000003", stores.NEW, "stands at decisions.md:5 too"),
    ("decisions", "## MC-DEC-20260729-d0000003", "## ~~MC-DEC-20260729-d0000003", "this is nearly the heading of an entry"),
    ("decisions", "Nothing is fetched", "Nothing is fetched:\nWhat: this", "there is no field What"),
    ("decisions", f"Superseded-By: {stores.NEW}\n", "", "it is superseded, and Superseded-By is ''"),
    ("decisions", f"Supersedes: {stores.OLD}\n", "", f"Superseded-By {stores.NEW}, whose Supersedes is ''"),
    ("decisions", f"Supersedes: {stores.OLD}", "Supersedes: MC-DEC-20260728-00000000", "which is nowhere"),
    ("decisions", f"Subject: {NETWORK}\nFacet: architecture", f"Subject: {STORAGE}\nFacet: data-model", "owns project /"),
    ("constraints", "Facet: behavior", "Facet: architecture", "owns project /"),
    ("inbox", "Candidate-Type: decision\n", "", "Candidate-Type is ''"),
    ("inbox", "Promotion-Requirement:\nAsk who draws the forms.\n", "", "it has no Promotion-Requirement"),
    ("inbox", "Provisional-Facet: behavior\n", "", "a provisional subject and facet go together"),
    ("inbox", "Statement:\nDates", "Decision:\nDates", "it has no Statement"),
    ("subjects", "Kind: feature", "Kind: thing", "Kind is 'thing'"),
    ("subjects", "- Online access", "- storage", "is called 'storage', and so is"),
    ("areas/storage", "Entry-Type: decision\n", "", "says its Entry-Type, not ''"),
    ("areas/storage", "Scope: area:storage", "Scope: project", "Scope is 'project' in areas/storage.md"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "fault"), BREAKS)
def test_the_validator_sees_what_is_wrong(tmp_path: Path, name: str, old: str, new: str, fault: str) -> None:
    text = stores.files()[f"{name}.md"]
    assert old in text
    protocol_store(tmp_path, **{name: text.replace(old, new, 1)})
    assert any(fault in found for found in faults(seen(tmp_path))), faults(seen(tmp_path))


def test_the_validator_takes_code_and_comments_for_text() -> None:
    text = (
        "# D\n\n```\n## MC-DEC-20260729-d0000003 \u2014 Shown\n```\n\n<!--\n## MC-DEC-20260729-d0000004 \u2014 Hidden\n-->\n\n"
        "## MC-DEC-20260729-d0000005 \u2014 Real\n\nStatus: active\n\nDecision:\n~~~\nStatus: none\n~~~\n"
    )
    (found,) = read("decisions.md", text.encode())
    assert (found.id, found.line) == ("MC-DEC-20260729-d0000005", 11)
    assert found.fields == (("Status", "active"), ("Decision", "~~~\nStatus: none\n~~~"))


# Reading


@pytest.mark.parametrize(("version", "form"), EVERY)
def test_each_entry_is_read_as_the_validator_reads_it(tmp_path: Path, version: str, form: str) -> None:
    bench = Reading(tmp_path, version=version, form=form)
    known = {(one.path, one.id): one for one in seen(tmp_path).entries}
    found = {
        (document.path.removeprefix(f"{MEMORY}/"), own.fields["id"]): own
        for document in bench.workspace.documents.values() for own in document.entries if "id" in own.fields
    }
    assert found.keys() == known.keys()
    for key, own in found.items():
        one = known[key]
        assert (own.line, own.fields["title"]) == (one.line, one.title.removeprefix("Tombstone: ")), key
        assert own.text.rstrip() == one.text.rstrip(), key
        said = {name: text for name, text in own.fields.items() if name not in ("id", "title", "for")}
        assert said == {name.casefold(): text for name, text in one.fields}, key
        assert own.candidate == (one.says("Status") == "candidate"), key
        assert own.struck == (one.says("Status") == "superseded"), key
        assert own.date == f"{one.id.split('-')[2][:4]}-{one.id.split('-')[2][4:6]}-{one.id.split('-')[2][6:]}", key


def test_the_kinds_and_tags_of_candidates(tmp_path: Path) -> None:
    found = {own.fields["id"]: own for own in Reading(tmp_path).entries("inbox.md")}
    assert {kind: found[ident].fields["for"] for kind, ident in WAITING.items()} == {
        **{kind: kind for kind in WAITING}, "area": "decision",
    }  # fmt: skip
    assert {kind: (found[ident].tag, found[ident].source) for kind, ident in WAITING.items()} == {
        "decision": ("observed", "src/count.py"), "constraint": (None, None), "preference": ("observed", None),
        "tombstone": (None, "tests/test_count.py"), "area": ("observed", None), "rule": ("observed", None),
        "profile": ("observed", None), "do-not-use": (None, None),
    }  # fmt: skip


# Checking, packing


@pytest.mark.parametrize(("version", "form"), EVERY)
def test_nothing_is_found_in_such_a_store(tmp_path: Path, version: str, form: str) -> None:
    protocol_store(tmp_path, version, form=form)
    found = report(tmp_path)
    assert [(one.rule, one.path, one.line, one.message) for one in found.findings] == []
    assert next(one.checked for one in found.rules if one.rule == "owner-clash") == 6


@pytest.mark.parametrize("version", VERSIONS)
def test_no_task_packs_the_registry(tmp_path: Path, version: str) -> None:
    bench = Reading(tmp_path, version=version)
    (store,) = bench.workspace.stores
    for task in layouts.get("custodian").tasks(store):
        all_modules = LoadRequest(task, ("storage", "export"), ("output",), ("release",), ("src/count.py",))
        for asked in (LoadRequest(task), all_modules):
            whole = pack(bench.workspace, store, asked)
            assert f"{MEMORY}/subjects.md" not in [file.path for file in whole.files]
            assert "Aliases" not in whole.text
            assert dict(whole.not_loaded)[f"{MEMORY}/subjects.md"] == "registry of subjects: no task loads it"


def test_no_task_packs_a_registry_that_the_manifest_names(tmp_path: Path) -> None:
    text = stores.manifest()
    for name in ("brief", "inbox"):
        text = text.replace(f"\n- {name}.md\n", f"\n- {name}.md\n- subjects.md\n")
    bench = Reading(tmp_path, manifest=text)
    (store,) = bench.workspace.stores
    for task in layouts.get("custodian").tasks(store):
        whole = pack(bench.workspace, store, LoadRequest(task, paths=(f"{MEMORY}/subjects.md",)))
        assert "Aliases" not in whole.text
        why = dict(whole.not_loaded)[f"{MEMORY}/subjects.md"]
        assert why == "registry of subjects: no task loads it, although the manifest names it"


@pytest.mark.parametrize("form", FORMS)
def test_areas_load_by_path_and_their_entries_whole(tmp_path: Path, form: str) -> None:
    bench = Reading(tmp_path, form=form)
    (store,) = bench.workspace.stores
    loaded: dict[str, set[str]] = {}
    for path in ("src/count.py", "src/export/table.py", "src/store/deep/a.py", "docs/architecture.md"):
        whole = pack(bench.workspace, store, LoadRequest("planning", paths=(path,)))
        loaded[path] = {file.path.rpartition("/")[2] for file in whole.files}
    always = {"brief.md", "constraints.md", "decisions.md", "do-not-use.md"}
    assert loaded == {
        "src/count.py": always | {"storage.md"}, "src/export/table.py": always | {"export.md"},
        "src/store/deep/a.py": always | {"storage.md"}, "docs/architecture.md": always,
    }
    text = pack(bench.workspace, store, LoadRequest("planning", paths=("src/count.py",))).text
    for one in seen(tmp_path).entries:
        if one.path in ("decisions.md", "constraints.md", "areas/storage.md"):
            assert " ".join(one.text.split()) in " ".join(text.split()), one.id


# Owners

SECOND = "MC-DEC-20260901-d0000009"


def second(*, scope: str = "project", subject: str = STORAGE, facet: str = "data-model", status: str = "active") -> str:
    more = (f"Superseded-By: {stores.NEW}",) if status == "superseded" else ()
    return "\n" + entry(SECOND, "Another", "Decision", "Counts are in a database.", subject=subject, facet=facet, scope=scope,
                        status=status, more=more, reason="It is quick.")  # fmt: skip


CLASHES = [  # what a second entry says, and whether it owns what the first one owns
    (second(), True), (second(facet="Data-Model"), True), (second(subject=STORAGE.lower()), True),
    (second(scope="Project"), True), (second(subject=f"`{STORAGE}`"), True),
    (second(status="superseded"), False), (second(facet="interface"), False),
    (second(subject=EXPORT), False), (second(scope="area:storage"), False), (second(scope=""), True),
]  # fmt: skip


MORE = (
    "Entry-Type: decision", "Exception-To: MC-DEC-20260729-d0000003", "Promoted-From: MC-INBOX-20260729-d0000003",
    "Provisional-Facet: behavior", "Kind: concept",
)  # fmt: skip


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("behind", ["Status: active", "Scope: project", f"Subject: {STORAGE}", "Facet: data-model"])
def test_a_field_between_others_hides_no_owner(tmp_path: Path, behind: str, more: str) -> None:
    protocol_store(tmp_path, decisions=DECISIONS + second().replace(behind, f"{behind}\n{more}"))
    assert [one.path for one in findings(tmp_path, "owner-clash")] == [f"{MEMORY}/decisions.md"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("text", "clash"), CLASHES)
def test_one_active_owner_for_scope_subject_and_facet(tmp_path: Path, version: str, text: str, clash: bool) -> None:
    protocol_store(tmp_path, version, decisions=DECISIONS + text)
    found = findings(tmp_path, "owner-clash")
    line = len(DECISIONS.split("\n")) + 1
    assert [(one.path, one.line, one.severity) for one in found] == [(f"{MEMORY}/decisions.md", line, "error")] * clash


def test_an_entry_of_another_file_owns_too(tmp_path: Path) -> None:
    text = entry("MC-CON-20260901-c0000009", "One file", "Constraint", "One file.", subject=STORAGE, facet="data-model")
    protocol_store(tmp_path, constraints=stores.CONSTRAINTS + "\n" + text)
    (found,) = findings(tmp_path, "owner-clash")
    assert found.path == f"{MEMORY}/decisions.md"
    assert found.message.startswith(f"{MEMORY}/constraints.md:18 is the active owner of project / ")
    assert found.message.endswith(" too: 'One file'.")


def test_a_tombstone_owns_too(tmp_path: Path) -> None:
    title, facet = "Tombstone: Sync by mail", "adoption-policy"
    text = entry("MC-DNU-20260901-e0000009", title, "Rejected", "No mail.", subject=NETWORK, facet=facet, reason="Slow.")
    protocol_store(tmp_path, do_not_use=stores.DO_NOT_USE + "\n" + text)
    (found,) = findings(tmp_path, "owner-clash")
    assert (found.path, found.line) == (f"{MEMORY}/do-not-use.md", 20)


def test_a_candidate_owns_nothing(tmp_path: Path) -> None:
    text = stores.candidate("MC-INBOX-20261120-1b000009", "One file", "decision", "x.").replace(
        "Scope: project\n", f"Scope: project\nSubject: {STORAGE}\nFacet: data-model\n"
    )
    protocol_store(tmp_path, inbox=stores.INBOX + "\n" + text)
    assert findings(tmp_path, "owner-clash") == []


def test_the_registry_is_no_evidence(tmp_path: Path) -> None:
    found = recall(Reading(tmp_path).workspace, "network storage export identity", today=date(2026, 11, 30))
    assert "decisions" in {source.entry.role for source in found.sources}
    named = [*(source.entry for source in found.sources), *found.binding, *(one.entry for one in found.left_out)]
    assert "subjects" not in {entry.role for entry in named}
