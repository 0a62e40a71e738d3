"""The caps of boot files and working files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.checking import findings, ran, report
from tests.support.stores import agent_memory_store, git_repo, put


def lint(**rom: object) -> str:
    return json.dumps({"tiers": {"rom": rom, "ram": {"dirs": ["memory/context"], "patterns": ["^memory/2"], "maxChars": 20}}})


def boot(root: Path, text: str | None, **caps: int) -> list[tuple[str, str, str]]:
    """(path, severity, message) with an index of that text under these caps; the index points nowhere."""
    total = caps.pop("total", None)
    settings = lint(files={"MEMORY.md": caps}, **({} if total is None else {"totalMaxChars": total}))
    agent_memory_store(root, lint=settings, standard=False, **{"MEMORY.md": text})
    return [(one.path, one.severity, one.message) for one in findings(root, "rom-caps")]


@pytest.mark.parametrize(
    ("text", "chars", "lines"),
    [("", 0, 0), ("a", 1, 1), ("a\n", 2, 1), ("a\nb", 3, 2), ("a\r\nb\r\n", 6, 2), ("\n", 1, 1), ("é", 1, 1), ("😀", 2, 1),
     ("\ufeffa\n", 3, 1), ("日本\n", 3, 1)],
)  # fmt: skip
def test_characters_are_utf_16_and_lines_an_editors(tmp_path: Path, text: str, chars: int, lines: int) -> None:
    assert boot(tmp_path, text, maxChars=max(chars, 1), maxLines=max(lines, 1), total=max(chars, 1)) == []
    if chars > 1:
        [(path, severity, message)] = boot(tmp_path, text, maxChars=chars - 1)
        assert (path, severity) == ("MEMORY.md", "error")
        assert message == f"{chars} of {chars - 1} characters: 1 over (set in memory-lint.json)."
    if lines > 1:
        [(_, _, message)] = boot(tmp_path, text, maxLines=lines - 1)
        assert message.startswith(f"{lines} of {lines - 1} lines: 1 over")


def test_all_together_and_what_was_counted(tmp_path: Path) -> None:
    settings = lint(files={"MEMORY.md": {}, "AGENTS.md": {"maxChars": 2}, "GONE.md": {}}, totalMaxChars=5)
    agent_memory_store(tmp_path, lint=settings, standard=False, **{"MEMORY.md": "abc\n", "AGENTS.md": "de\n"})
    found = report(tmp_path, only=["rom-caps"])
    assert [(one.path, one.severity, one.message) for one in found.findings] == [
        ("AGENTS.md", "error", "3 of 2 characters: 1 over (set in memory-lint.json)."),
        ("GONE.md", "warning", "This boot file is not there (or cannot be read), so no agent starts with it."),
        ("MEMORY.md", "error", "All boot files together have 7 of 5 characters: 2 over (set in memory-lint.json)."),
    ]
    assert ran(found, "rom-caps").summary == "2 boot files checked, 7 of 5 characters: 2 errors, 1 warning"


def test_without_a_settings_file_the_usual_caps_hold(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, lint=None, **{"MEMORY.md": "a\n" * 401})
    assert [one.message for one in findings(tmp_path, "rom-caps")] == ["401 of 400 lines: 1 over."]
    put(tmp_path, "MEMORY.md", "x" * 15_001)
    assert [one.message for one in findings(tmp_path, "rom-caps")] == ["15,001 of 15,000 characters: 1 over."]


def test_of_what_is_staged_the_index_is_measured(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, lint=lint(files={"MEMORY.md": {"maxChars": 4}}), standard=False, **{"MEMORY.md": "abc\n"})
    git_repo(tmp_path)
    put(tmp_path, "MEMORY.md", "abcdef\n")
    assert (len(findings(tmp_path, "rom-caps", mode="worktree")), len(findings(tmp_path, "rom-caps", mode="staged"))) == (1, 0)


def test_a_working_file_over_its_cap_is_an_error_where_the_change_touches_it(tmp_path: Path) -> None:
    long = "x" * 21
    files = {f"memory/{name}.md": long for name in ("context/old", "context/touched", "2026-01-02", "archive/a", "people/p")}
    agent_memory_store(tmp_path, lint=lint(), **files, **{"memory/context/small.md": "é" * 20, "memory/context/x.txt": long})
    git_repo(tmp_path)
    put(tmp_path, "memory/context/touched.md", "y" * 22)
    put(tmp_path, "memory/context/new.md", long)
    found = report(tmp_path, mode="worktree", only=["ram-caps"])
    assert [(one.path, one.severity) for one in found.findings] == [
        ("memory/2026-01-02.md", "warning"), ("memory/context/new.md", "error"), ("memory/context/old.md", "warning"),
        ("memory/context/touched.md", "error"),
    ]
    assert ran(found, "ram-caps").summary == "5 working files checked, 4 over cap: 2 errors, 2 warnings"
    assert found.findings[0].message == "21 of 20 characters: 1 over (set in memory-lint.json). This change doesn't touch it."
    for mode in ("none", "base"):  # nothing is known to be touched; git failing is not this rule's
        assert {one.severity for one in findings(tmp_path, "ram-caps", mode=mode, base="no-such")} == {"warning"}
