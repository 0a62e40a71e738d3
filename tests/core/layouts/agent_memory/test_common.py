"""The rules that every layout gets, on this one's tiers: what they report here, and what is none of theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.checks import registry
from tests.support.checking import findings, lines, report
from tests.support.stores import agent_memory_store, git_repo, put

COPIED = "Plans the spring counts, and asks every site before she does (2026-02-01)"


def test_rules_of_its_own_stand_for_common_ones() -> None:
    names = [rule.name for rule in registry.rules("agent-memory")]
    assert {"struck-lost", "archive-changed", "over-cap"}.isdisjoint(names)
    assert names[-10:] == [
        "rom-caps", "ram-caps", "disk-provenance", "disk-history", "tape-frozen", "index-links", "index-missing", "index-fact",
        "figure-undated", "stated-proposal",
    ]  # fmt: skip


def test_the_standard_store_has_nothing_to_report_but_a_missing_guide(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    git_repo(tmp_path)
    found = report(tmp_path, mode="worktree", strict=True)
    assert [one.rule for one in found.findings] == ["guide-missing"]


def test_notes_may_say_again_what_happened_again_and_what_was_promoted(tmp_path: Path) -> None:
    fact = "- [observed] The sync of site 4 fails on Mondays\n"
    agent_memory_store(tmp_path, **{
        "memory/2026-05-01.md": f"# Day\n\n## Morning\n\n{fact}\n## Evening\n\n{fact}",
        "memory/2026-05-02.md": f"# Day\n\n{fact}", "memory/context/sync.md": fact,
        "memory/projects/plover.md": f"# Plover\n\n{fact}", "AGENTS.md": fact * 2,
        "memory/archive/x.md": fact * 2,
    })  # fmt: skip
    assert lines(tmp_path, "duplicate-entry") == []
    put(tmp_path, "memory/projects/plover.md", f"# Plover\n\n{fact}{fact}")
    assert lines(tmp_path, "duplicate-entry") == [("plover.md", 4, "error")]
    put(tmp_path, "memory/projects/plover.md", f"# Plover\n\n{fact}")
    put(tmp_path, "memory/people/ada.md", f"# Ada\n\n{fact}")
    assert [severity for _, _, severity in lines(tmp_path, "duplicate-entry")] == ["warning"]


def test_versions_that_all_stand_are_an_error(tmp_path: Path) -> None:
    text = "# API\n\n**REST, chosen 2026-01-14** [stated]\n\n**GraphQL, chosen 2026-04-22** [stated]\n"
    agent_memory_store(tmp_path, **{"memory/decisions/api.md": text})
    assert [severity for _, _, severity in lines(tmp_path, "two-versions")] == ["error"]


@pytest.mark.parametrize(
    ("folder", "files", "missing"),
    [
        (".", {}, True), (".", {"AGENTS.md": "Be kind.\n"}, True), (".", {"AGENTS.md": "Read MEMORY.md first.\n"}, False),
        (".", {"CLAUDE.md": "Project memory ranks below the code.\n"}, False),
        ("bot", {"AGENTS.md": "Read MEMORY.md first.\n"}, True), ("bot", {"AGENTS.md": "see bot/\n"}, False),
        ("bot", {"bot/AGENTS.md": "Read MEMORY.md first.\n"}, False), ("bot", {"bot/AGENTS.md": "Be kind.\n"}, True),
        ("bot", {"bot/README.md": "Read MEMORY.md first.\n"}, True),
    ],
)
def test_guide_missing(tmp_path: Path, folder: str, files: dict[str, str], missing: bool) -> None:
    agent_memory_store(tmp_path, folder)
    for path, text in files.items():
        put(tmp_path, path, text)
    assert [severity for _, _, severity in lines(tmp_path, "guide-missing")] == (["warning"] if missing else [])


def test_an_instruction_file_copies_what_durable_files_say_not_itself(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"AGENTS.md": f"# Agents\n\nRead MEMORY.md.\n\n- {COPIED}\n"})
    assert findings(tmp_path, "entry-file") == []
    put(tmp_path, "memory/people/ada.md", f"# Ada\n\n- {COPIED}\n")
    assert lines(tmp_path, "entry-file") == [("AGENTS.md", 5, "warning")]


def test_near_its_cap_is_a_warning(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"memory/context/x.md": "x" * 24_000})
    assert [one.message for one in findings(tmp_path, "near-budget")] == ["24000 of 30000 chars, 80 %."]
