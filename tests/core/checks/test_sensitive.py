"""The rules `secret` and `example-value`: how grave a value is depends on what the file is for, and no finding repeats it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import layouts
from tests.support.checking import lines, report
from tests.support.stores import agent_memory_store, custodian_store, put, records_store
from tests.support.values_corpus import Case
from tests.support.values_unseen import MISSED, UNSEEN

MAIL = "kim.lee" + "@" + "corp.dev"
KEY = "AKIA" + "QWERTYUIOPASDFGH"


def test_in_a_glossary_a_record_or_a_design_record_an_example_value_is_an_error(tmp_path: Path) -> None:
    records_store(tmp_path)
    for path in ("CONTEXT.md", "docs/adr/0001-store-counts-as-csv.md", "docs/design/sync.md", "docs/design/terms.md"):
        file = tmp_path / path
        before = file.read_text() if file.exists() else "# Sync\n\nStatus: in progress\n"
        put(tmp_path, path, f"{before}\nAsk {MAIL} first.\n")
    found = {name: severity for name, _, severity in lines(tmp_path, "example-value")}
    assert found["CONTEXT.md"] == found["0001-store-counts-as-csv.md"] == found["sync.md"] == "error"
    assert found["terms.md"] == "warning"
    assert report(tmp_path, only=["example-value"]).exit_code == 1


def test_in_other_memory_it_is_a_warning_and_strict_makes_it_an_error(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=f"# C\n\n- Ask {MAIL} first\n")
    fact = f"# Ada\n\n- [stated] {MAIL} (2026-02-01, x)\n"
    agent_memory_store(tmp_path / "other", **{"memory/people/ada.md": fact})
    loose = report(tmp_path, only=["example-value"])
    assert [finding.severity for finding in loose.findings] == ["warning", "warning"]
    assert loose.exit_code == 0
    assert report(tmp_path, only=["example-value"], strict=True).exit_code == 1


def test_a_secret_is_an_error_everywhere(tmp_path: Path) -> None:
    custodian_store(tmp_path / "one", inbox=f"# Inbox\n\n- token {KEY}\n")
    records_store(tmp_path / "two", **{"CONTEXT.md": f"# Words\n\n**Count**: {KEY}\n"})
    assert [severity for _, _, severity in lines(tmp_path, "secret")] == ["error", "error"]


def test_what_speaks_in_general_is_a_role_of_its_layout() -> None:
    for name in layouts.names():
        layout = layouts.get(name)
        assert layout.general <= set(layout.ranks), name
    assert layouts.get("records").general == {"glossary", "record", "design"}


FOUND = [case for case in UNSEEN if case.rule and case.name not in MISSED]


@pytest.mark.parametrize("case", FOUND[::4], ids=lambda case: case.name)
def test_no_finding_of_any_rule_repeats_a_value(tmp_path: Path, case: Case) -> None:
    text = f"- {case.text}\n- {case.text}\n"  # twice: a rule that names the text has something to say
    custodian_store(tmp_path, constraints=f"# C\n\n{text}", preferences=f"# P\n\n## {case.text}\n\n## {case.text}\n")
    said = str(report(tmp_path).findings)
    assert case.value not in said
