"""What agents read first: that it points at the store, and doesn't repeat it. And the cadence of prune sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.checking import findings, lines, ran, report
from tests.support.stores import agent_memory_store, custodian_store, put, records_store


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


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Be kind.\n", True), ("Read the docs first.\n", True), ("see docs/design\n", True), ("see docs/adr/\n", False),
        ("`CONTEXT.md` has our words.\n", False), ("see docs/adr/0001-store-counts-as-csv.md\n", False),
    ],
)  # fmt: skip
def test_a_store_without_folder_and_index_is_pointed_at_by_its_parts(tmp_path: Path, text: str, missing: bool) -> None:
    records_store(tmp_path)
    put(tmp_path, "AGENTS.md", text)
    assert [line[2] for line in lines(tmp_path, "guide-missing")] == (["warning"] if missing else [])


@pytest.mark.parametrize(("text", "missing"), [("It needs much memory.\n", True), ("see memory/\n", False)])
def test_a_folder_s_name_alone_is_but_a_word(tmp_path: Path, text: str, missing: bool) -> None:
    agent_memory_store(tmp_path, **{"memory/2026-05-09.md": "# 2026-05-09\n\n- counted\n"})
    put(tmp_path, "AGENTS.md", text)
    assert [line[2] for line in lines(tmp_path, "guide-missing")] == (["warning"] if missing else [])


def test_a_long_section_that_names_a_record_is_no_memory_policy(tmp_path: Path) -> None:
    records_store(tmp_path)
    put(tmp_path, "AGENTS.md", "# Agents\n\n## Building\n\nsee docs/adr\n\n" + "word " * 600 + "\n")
    assert findings(tmp_path, "entry-file") == []


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


def session(ended: str) -> str:
    return f'[[session]]\nended = {ended}\nby = "Ada"\naccepted = 1\nrejected = 0\nsnoozed = 0\nfreed = 12\n\n'


@pytest.mark.parametrize(("held", "said"), [
    ((), "No prune session is on record"), (("2026-04-10",), ""), (("2026-04-10", "2026-01-02"), ""),
    (("2026-04-09",), "The last prune session was on 2026-04-09"), (("2026-05-10",), ""),
    (("2026-05-11",), "The last prune session is dated 2026-05-11, which is to come"),
])  # fmt: skip
def test_prune_overdue(tmp_path: Path, held: tuple[str, ...], said: str) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "memdesk.toml", "[prune]\nevery_days = 30\n")
    if held:
        put(tmp_path, ".memdesk/sessions.toml", "".join(map(session, held)))
    found = report(tmp_path, only=["prune-overdue"])
    assert ran(found, "prune-overdue").status == ("warn" if said else "pass")
    assert [(finding.path, finding.line) for finding in found.findings] == ([("memdesk.toml", 2)] if said else [])
    assert [finding.message for finding in found.findings] == ([f"{said}; the cadence is 30 days."] if said else [])


def test_sessions_that_cannot_be_read_are_a_failure_and_not_a_pass(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    put(tmp_path, "memdesk.toml", "[prune]\nevery_days = 30\n")
    put(tmp_path, ".memdesk/sessions.toml", "# ours\n\n" + session("2026-05-01").replace("accepted = 1", "accepted = true"))
    found = report(tmp_path, only=["prune-overdue"])
    assert (ran(found, "prune-overdue").status, found.exit_code) == ("fail", 2)
    assert found.failures == (
        ".memdesk/sessions.toml:3: A session needs accepted, a whole number. Mend that entry or remove it.",
    )


def test_without_a_cadence_it_is_skipped(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    found = ran(report(tmp_path), "prune-overdue")
    assert (found.status, found.reason) == ("skip", "no cadence is set (prune.every_days)")
