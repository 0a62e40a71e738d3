"""What agents read first: that it points at the store, and doesn't repeat it. And the cadence of prune sessions."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.core import config, workspace
from memdesk.core.checks import runner
from tests.support.checking import TODAY, findings, lines, ran, report
from tests.support.stores import custodian_store, put


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ({}, True),
        ({"AGENTS.md": "Be kind.\n"}, True),
        ({"AGENTS.md": "Load docs/memory/manifest.md first.\n"}, False),
        ({"CLAUDE.md": "@docs/memory/brief.md\n"}, False),
        ({"GEMINI.md": "see docs/memory\n"}, False),
        ({"AGENTS.md": "Be kind.\n", "CLAUDE.md": "see docs/memory/\n"}, False),
        ({"AGENTS.md": "Project memory ranks below the code.\n"}, False),
        ({"README.md": "see docs/memory\n"}, True),
    ],
)
def test_guide_missing(tmp_path: Path, files: dict[str, str], missing: bool) -> None:
    custodian_store(tmp_path)
    for path, text in files.items():
        put(tmp_path, path, text)
    assert [line[2] for line in lines(tmp_path, "guide-missing")] == (["warning"] if missing else [])


def test_guide_missing_names_what_it_looked_at(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "AGENTS.md", "Be kind.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    [finding] = findings(tmp_path, "guide-missing")
    assert finding.path == "AGENTS.md"
    assert finding.message.startswith("AGENTS.md neither names this store (docs/memory) nor says how its memory ranks,")
    assert ran(report(tmp_path), "guide-missing").checked == 1  # a link to the other is the same file


def test_an_entry_file_that_copies_memory(tmp_path: Path) -> None:
    line = "Counts are stored as CSV files, one for each site."
    custodian_store(tmp_path)
    put(tmp_path, "AGENTS.md", f"# Agents\n\nsee docs/memory\n\n* {line}\n")
    [finding] = findings(tmp_path, "entry-file")
    assert (finding.path, finding.line, finding.severity) == ("AGENTS.md", 5, "warning")
    assert "docs/memory/decisions.md" in finding.message


def test_short_lines_and_headings_of_the_manifest_are_no_copies(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "AGENTS.md", "# Agents\n\nsee docs/memory\n\n- Runs offline\n\n### Planning / architecture / refactoring\n")
    assert findings(tmp_path, "entry-file") == []


@pytest.mark.parametrize(("words", "over"), [(480, False), (520, True)])
def test_an_entry_file_with_too_much_memory_policy(tmp_path: Path, words: int, over: bool) -> None:
    custodian_store(tmp_path)
    put(
        tmp_path,
        "AGENTS.md",
        "# Agents\n\n" + "other " * 900 + "\n\n## Project memory\n\nsee docs/memory " + "word " * words + "\n\n## Style\n\nx\n",
    )
    found = findings(tmp_path, "entry-file")
    assert [finding.line for finding in found] == ([5] if over else [])
    if over:
        assert "500 are enough" in found[0].message


@pytest.mark.parametrize(
    ("last", "status"), [(None, "warn"), (date(2026, 4, 10), "pass"), (date(2026, 4, 9), "warn"), (date(2026, 5, 10), "pass")]
)
def test_prune_overdue(tmp_path: Path, last: date | None, status: str) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "memdesk.toml", "[prune]\nevery_days = 30\n")
    settings = config.load(str(tmp_path))
    opened = workspace.open_workspace(workspace.work_tree(str(tmp_path), settings), settings)
    found = runner.check(opened, None, only=["prune-overdue"], today=TODAY, settings=settings, last_session=last)
    assert ran(found, "prune-overdue").status == status
    assert [(finding.path, finding.line) for finding in found.findings] == ([("memdesk.toml", 2)] if status == "warn" else [])


def test_without_a_cadence_it_is_skipped(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    found = ran(report(tmp_path), "prune-overdue")
    assert (found.status, found.reason) == ("skip", "no cadence is set (prune.every_days)")
