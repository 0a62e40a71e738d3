"""What a person words by hand in a store of protocol 0.6 to 0.8 stays whole: nothing comes twice, nobody owns twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.errors import Refused
from memdesk.core.model import Entry
from tests.support import protocol_stores as stores
from tests.support.checking import findings
from tests.support.planning import Bench
from tests.support.protocol import faults
from tests.support.protocol_stores import STORAGE, WAITING, protocol_store, seen


class Writing(Bench):
    """A store of protocol 0.8; `files`: version and form beside what `protocol_store` takes."""

    def make(self, files: dict[str, str]) -> None:
        protocol_store(self.root, **files)

    def known(self, ident: str) -> Entry:
        """The entry with that id."""
        (found,) = [entry for entry in self.workspace.entries() if entry.fields.get("id") == ident]
        return found


FENCED = "Counts are in a file:\n\n```\nStatus: none\nReason: none\n```"


@pytest.mark.parametrize(
    "more",
    [
        "Status: active", "Status: none", "Reason: none", "Reason: Volunteers open them in a spreadsheet.", "Scope: project",
        "Evidence:\n- user-confirmed", "Superseded-By: MC-DEC-20260101-00000000", "Color: red",
    ],
)  # fmt: skip
def test_no_field_comes_twice_though_code_shows_one(tmp_path: Path, more: str) -> None:
    text = stores.DECISIONS.replace("Counts are kept as one CSV file for each site.", FENCED)
    bench = Writing(tmp_path, decisions=text)
    entry = bench.known(stores.NEW)
    for place in (f"{entry.text}\n\n{more}", entry.text.replace("Scope: project", f"Scope: project\n{more}", 1)):
        with pytest.raises(Refused) as told:
            bench.plan("edit", [entry], text=place)
        assert told.value.field == "text"
    bench.apply(bench.plan("edit", [entry], text=entry.text.replace("a file:", "one file:")))
    assert faults(seen(tmp_path)) == []


def test_a_subject_has_no_text_of_its_own(tmp_path: Path) -> None:
    bench = Writing(tmp_path)
    subject = bench.known(STORAGE)
    with pytest.raises(Refused, match="no text of its own"):
        bench.plan("merge", [bench.known(WAITING["rule"])], into=subject.id, requirement="yes")
    with pytest.raises(Refused, match="no text of its own"):
        bench.plan("edit", [subject], text=subject.text.replace("Evidence:", "More.\n\nEvidence:"))
    bench.apply(bench.plan("edit", [subject], text=subject.text + "\n- Files"))
    assert faults(seen(tmp_path)) == []


@pytest.mark.parametrize(("kind", "to"), [("rule", "rule:output"), ("profile", "profile:release")])
def test_rules_and_profiles_own_nothing(tmp_path: Path, kind: str, to: str) -> None:
    bench = Writing(tmp_path)
    said = {"subject": STORAGE, "facet": "data-model", "evidence": "user-confirmed", "requirement": "yes"}
    bench.apply(bench.plan("promote", [bench.known(WAITING[kind])], to=to, **said))
    assert faults(seen(tmp_path)) == []
    assert findings(tmp_path, "owner-clash") == []
