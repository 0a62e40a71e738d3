"""Who owns what: the check, the conflicts and a plan agree, whatever the subject is called and wherever the entry stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import conflicts
from memdesk.core.errors import Refused
from tests.core.layouts.custodian.complete.test_writes import CHANGES, Complete
from tests.support import protocol_stores as stores
from tests.support.protocol_stores import FORMS, STORAGE

OWNS = {"to": "constraints", "facet": "data-model", **CHANGES}


def second(subject: str, scope: str = "project") -> str:
    return stores.CONSTRAINTS + "\n" + stores.entry(
        "MC-CON-20260801-c0000009", "Paper first", "Constraint", "Counts are on paper first.", subject=subject,
        facet="Data-model", scope=scope,
    )


@pytest.mark.parametrize("subject", [STORAGE, STORAGE.lower(), "Counts on disk", "`storage`", "repo-path:src/count.py"])
def test_two_owners_clash_under_whatever_name_of_the_registry(tmp_path: Path, subject: str) -> None:
    bench = Complete(tmp_path, constraints=second(subject))
    (clash,) = [clash for clash in conflicts.find(bench.workspace) if clash.kind == "owner"]
    assert clash.about == "project / Storage / data-model"
    assert [(entry.path, entry.line) for entry in clash.entries] == [
        (bench.path("constraints.md"), 18), (bench.path("decisions.md"), 5),
    ]  # fmt: skip


@pytest.mark.parametrize(("subject", "scope"), [("Paper", "project"), (FORMS, "project"), (STORAGE, "area:storage")])
def test_another_subject_or_scope_is_another_owner(tmp_path: Path, subject: str, scope: str) -> None:
    found = conflicts.find(Complete(tmp_path, constraints=second(subject, scope)).workspace)
    assert [clash for clash in found if clash.kind == "owner"] == []


@pytest.mark.parametrize("name", ["inbox", "brief", "areas/storage.md"])
def test_what_the_check_would_call_a_clash_no_plan_makes(tmp_path: Path, name: str) -> None:
    stray = stores.entry(
        "MC-DEC-20260801-d0000009", "Stray", "Decision", "It stands in the wrong file.", subject=FORMS, facet="data-model",
        reason="So.",
    )
    bench = Complete(tmp_path, **{name: stores.files()[name if "/" in name else f"{name}.md"] + "\n" + stray})
    candidate = bench.candidate("constraint")
    with pytest.raises(Refused) as error:
        bench.plan("promote", [candidate], subject="Entry forms", **OWNS)
    assert "MC-DEC-20260801-d0000009 is the active owner of project / Entry forms / data-model" in error.value.message


@pytest.mark.parametrize("name", ["constraints.md", "areas/export.md", "decisions.md"])
def test_the_tombstone_of_what_is_rejected_owns_what_that_did(tmp_path: Path, name: str) -> None:
    bench = Complete(tmp_path)
    entry = bench.entries(name)[1 if name == "decisions.md" else -1]  # one that supersedes nothing
    bench.whole(bench.plan("reject", [entry], tombstone="yes", reason="It costs too much."))
    held = bench.entries(name if name.startswith("areas/") else "do-not-use.md")
    (stone,) = [one for one in held if one.fields.get("reason") == "It costs too much."]
    assert [stone.fields[key] for key in ("scope", "subject", "facet")] == [
        entry.fields[key] for key in ("scope", "subject", "facet")
    ]  # fmt: skip
