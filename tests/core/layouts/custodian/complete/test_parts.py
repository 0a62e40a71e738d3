"""The parts that a complete entry is made of: its id, its evidence, its subject, its body."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from memdesk.core.draft import Draft
from memdesk.core.errors import Refused
from memdesk.core.layouts.custodian.complete import evidence, ids, kinds, rendering, subjects
from memdesk.core.layouts.custodian.registry import registry
from memdesk.core.model import Store
from tests.support import protocol_stores as stores
from tests.support.planning import TODAY, Bench
from tests.support.protocol_stores import EXPORT, NETWORK, STORAGE, protocol_store


class Complete(Bench):
    """A store of protocol 0.8. `files`: as `protocol_store` takes them."""

    def make(self, files: dict[str, str]) -> None:
        protocol_store(self.root, **files)

    @property
    def store(self) -> Store:
        return self.workspace.stores[0]


# Ids


def test_an_id_says_what_when_and_whose_text_and_comes_again_for_the_same(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    made = [ids.fresh(Draft(bench.workspace), bench.store, "DEC", TODAY, text) for text in ("One.", "One.", "Two.")]
    assert made[0] == made[1] != made[2]
    assert all(re.fullmatch(r"MC-DEC-20261130-[0-9a-f]{8}", ident) for ident in made)
    assert ids.fresh(Draft(bench.workspace), bench.store, "DEC", date(2026, 12, 1), "One.")[-8:] != made[0][-8:]


def test_no_id_is_one_that_stands_anywhere_in_the_store_or_in_the_draft(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    first = ids.fresh(Draft(bench.workspace), bench.store, "CON", TODAY, "One.")
    for place in ("changelog", "archive/decisions-2026-01-01", "areas/storage"):
        other = Complete(tmp_path / place, **{place: f"# Old\n\n- It was {first.upper()}.\n"})
        assert ids.fresh(Draft(other.workspace), other.store, "CON", TODAY, "One.") != first, place
    draft = Draft(bench.workspace)
    draft.insert(bench.document("constraints.md"), 0, f"## {first} \u2014 One", loose=True)
    assert ids.fresh(draft, bench.store, "CON", TODAY, "One.") != first


def test_a_plan_is_bound_to_every_file_that_could_hold_its_id(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    draft = Draft(bench.workspace)
    ids.fresh(draft, bench.store, "DEC", TODAY, "One.")
    assert draft.reads.keys() == {document.path for document in bench.workspace.documents_of(bench.store)}


# Evidence


@pytest.mark.parametrize(("item", "written"), [
    ("user-confirmed", "user-confirmed"), ("User-Confirmed", "user-confirmed"), ("- `repo:src/count.py`", "repo:src/count.py"),
    ("doc: docs/architecture.md", "doc:docs/architecture.md"), ("repo:src/count.py@1a2b", "repo:src/count.py@1a2b"),
    ("repo:src", "repo:src"), ("issue:#12", "issue:#12"), ("issue 12", "issue:#12"), ("PR #4", "pr:#4"), ("pr:4", "pr:#4"),
])  # fmt: skip
def test_evidence_is_written_as_the_protocol_has_it(tmp_path: Path, item: str, written: str) -> None:
    bench = Complete(tmp_path)
    assert evidence.checked(bench.workspace.tree, bench.store, evidence.given(item)) == [written]


@pytest.mark.parametrize(("item", "why"), [
    ("agent-observed", "lets a candidate wait"), ("Conversation-Unconfirmed", "lets a candidate wait"),
    ("legacy-unverified", "is no evidence"), ("Ana said so", "is no evidence"), ("#12", "is no evidence"),
    ("repo:src/nowhere.py", "no such file"), ("repo:src/count.py:12", "Leave the line out"), ("repo:../x.py", "empty part"),
    ("doc:/etc/hosts", "absolute"), ("doc:docs\\architecture.md", "backslash"), ("repo:", "is no evidence"),
])  # fmt: skip
def test_what_is_no_evidence_is_refused_for_that_field(tmp_path: Path, item: str, why: str) -> None:
    bench = Complete(tmp_path)
    with pytest.raises(Refused, match=re.escape(why)) as refused:
        evidence.checked(bench.workspace.tree, bench.store, evidence.given(item))
    assert refused.value.field == "evidence"


def test_evidence_of_a_package_is_named_from_its_root_or_the_workspace_s(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    store = Store("custodian", "pkg/docs/memory", "", bench.store.settings, None)
    (tmp_path / "pkg/src").mkdir(parents=True)
    (tmp_path / "pkg/src/a.py").write_text("")
    tree = bench.read().tree
    for path in ("src/a.py", "pkg/src/a.py", "src/count.py"):
        assert evidence.checked(tree, store, [f"repo:{path}"]) == [f"repo:{path}"]


# Subjects


@pytest.mark.parametrize(("name", "found"), [
    (STORAGE, STORAGE), (STORAGE.lower(), STORAGE), ("storage", STORAGE), (" COUNTS  on disk ", STORAGE),
    ("\u5b58\u50a8", STORAGE), ("repo-path:src/count.py", STORAGE), ("Online access", NETWORK), ("area:export", EXPORT),
])  # fmt: skip
def test_a_subject_is_found_by_each_of_its_names(tmp_path: Path, name: str, found: str) -> None:
    bench = Complete(tmp_path)
    draft = Draft(bench.workspace)
    assert subjects.reference(draft, bench.store, name, evidence=["user-confirmed"], today=TODAY) == found
    assert draft.works == {}


def test_of_a_subject_that_was_merged_the_other_one_is_meant(tmp_path: Path) -> None:
    text = stores.SUBJECTS.replace("Status: active\nKind: area", f"Status: merged\nMerged-Into: {STORAGE}\nKind: area")
    bench = Complete(tmp_path, subjects=text)
    assert subjects.reference(Draft(bench.workspace), bench.store, "Export", evidence=[], today=TODAY) == STORAGE
    assert registry(bench.workspace, bench.store).choices() == ("Entry forms", "Network", "Storage")


def test_a_registry_that_merges_in_a_circle_ends(tmp_path: Path) -> None:
    text = stores.SUBJECTS.replace("Status: active\nKind: area", f"Status: merged\nMerged-Into: {STORAGE}\nKind: area")
    text = text.replace("Status: active\nKind: repo-path", f"Status: merged\nMerged-Into: {EXPORT}\nKind: repo-path")
    bench = Complete(tmp_path, subjects=text)
    with pytest.raises(Refused, match="active no more"):
        subjects.reference(Draft(bench.workspace), bench.store, "Export", evidence=[], today=TODAY)


def test_a_name_of_two_subjects_is_asked_about_and_an_unknown_id_is_no_new_subject(tmp_path: Path) -> None:
    bench = Complete(tmp_path, subjects=stores.SUBJECTS.replace("- Online access", "- Storage"))
    for name, why in (("Storage", "Several subjects"), ("MC-SUBJ-20260101-00000000", "There is no subject")):
        with pytest.raises(Refused, match=why) as refused:
            subjects.reference(Draft(bench.workspace), bench.store, name, evidence=[], today=TODAY)
        assert refused.value.field == "subject"


def test_one_draft_registers_a_new_subject_once(tmp_path: Path) -> None:
    bench = Complete(tmp_path)
    draft = Draft(bench.workspace)
    made = {
        subjects.reference(draft, bench.store, name, evidence=["user-confirmed"], today=TODAY, new=True)
        for name in ("Site codes", " site  Codes")
    }
    assert len(made) == 1
    assert [len(work.made) for work in draft.works.values()] == [1]


# Bodies


@pytest.mark.parametrize("text", [
    "Plain words.", "Two\nlines", "A\n\n- list\n- of two\n  - and one below", "Note: a label\nof no field", "# A heading?\nno",
    "https://example.org/x holds", "```\nStatus: shown\n- a\n```\n\nafter", "* starred\n* twice",
])  # fmt: skip
def test_no_line_of_a_body_stands_where_the_protocol_s_own_do_and_its_words_come_back(text: str) -> None:
    made = rendering.body(text)
    rows = made.split("\n")
    own = re.compile(r"[A-Za-z][A-Za-z-]*:|[-*+#]+[ \t]")
    assert not [row for row, seen in zip(rows, rendering.shown(rows), strict=True) if seen and own.match(row)]
    assert rendering.unmoved(made.strip()) == text.strip()


def test_an_area_s_entry_says_what_it_is_from_the_third_schema_on(tmp_path: Path) -> None:
    assert [kinds.typed(Complete(tmp_path / version, version=version).store) for version in stores.VERSIONS] == [
        False, False, True,
    ]  # fmt: skip
