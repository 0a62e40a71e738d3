"""`memdesk --check` from outside: words, exit codes, both formats to the letter, and what it imports."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdesk.core.checks import registry
from memdesk.core.errors import UsageError
from memdesk.tui.cli import check, main
from tests.support.stores import (
    agent_memory_store,
    custodian_store,
    git,
    git_repo,
    jonggrang_store,
    put,
    records_store,
    tiers_store,
)

KEY = "AKIA" + "QWERTYUIOPASDFGH"
TODO = "# Brief\n\nTODO: write this\n"


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    root = tmp_path / "clean"
    custodian_store(root)
    put(root, "AGENTS.md", "see docs/memory\n")
    return git_repo(root)


class Ran:
    """What one command line gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str | Path) -> Ran:
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


def test_exit_0_and_the_text_report(run: Any, clean: Path) -> None:
    found = run("--check", clean)
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines[0] == "docs/memory (custodian): 6 documents, 4 entries"
    assert lines[1] == "change (worktree): 0 files, +0 -0 lines"
    assert lines[-1] == "RESULT pass (0 errors, 0 warnings)"
    for rule in registry.rules("custodian"):
        assert [line for line in lines if re.match(rf"(pass|skip)  {rule.name} +(\d+ |skipped: )", line)], rule.name
    assert "pass  struck-lost        0 struck texts checked" in lines
    assert any(line.startswith("Not checked: whether a tag is honest") for line in lines)


def test_exit_1_and_the_findings(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/brief.md", TODO)
    put(clean, "docs/memory/constraints.md", "# C\n\n- Runs offline\n- Runs offline.\n")
    found = run("--check", clean)
    assert found.code == 1
    lines = found.out.splitlines()
    assert "docs/memory/brief.md:3: error brief-scaffold: The brief still holds this line of its scaffold." in lines
    assert "    Write what the line asks for, or take it out." in lines
    assert [
        line for line in lines if line.startswith("docs/memory/constraints.md:4: warning two-versions: possible The same title")
    ]
    assert lines[-1] == "RESULT fail (1 errors, 1 warnings)"
    quiet = run("--check", clean, "--quiet").out.splitlines()
    assert [line.partition(": ")[0] for line in quiet] == ["docs/memory/brief.md:3", "docs/memory/constraints.md:4", quiet[-1]]


def test_warnings_alone_pass_and_fail_when_strict(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/constraints.md", "# C\n\n- see /home/ana/x <!-- memdesk: allow example-value a test -->\n")
    assert run("--check", clean).code == 0
    strict = run("--check", clean, "--strict")
    assert strict.code == 1
    assert "docs/memory/constraints.md:3: error machine-path:" in strict.out


def test_the_command_and_the_option_are_the_same(run: Any, clean: Path) -> None:
    assert (
        run("check", clean).out
        == run("--check", clean).out
        == run("--check", "--root", clean).out
        == run("check", f"--root={clean}").out
    )


def keys(value: Any) -> Any:
    """The shape of a JSON value: keys and types."""
    if isinstance(value, dict):
        return {key: keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [keys(item) for item in value[:1]]
    return type(value).__name__


def test_json_to_the_letter(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/brief.md", TODO)
    found = run("--check", clean, "--format", "json")
    assert (found.code, found.err) == (1, "")
    value = json.loads(found.out)
    assert keys(value) == {
        "schema": "str",
        "root": "str",
        "result": "str",
        "stores": [{"layout": "str", "path": "str", "documents": "int", "entries": "int"}],
        "change": {"mode": "str", "base": "NoneType", "files": "int", "added": "int", "removed": "int", "skipped": "NoneType"},
        "rules": [
            {
                "rule": "str",
                "layout": "str",
                "store": "str",
                "status": "str",
                "checked": "int",
                "unit": "str",
                "summary": "str",
                "reason": "NoneType",
            }
        ],
        "findings": [
            {
                "rule": "str",
                "severity": "str",
                "possible": "bool",
                "path": "str",
                "line": "int",
                "message": "str",
                "hint": "str",
            }
        ],
        "baselined": "int",
        "baseline_gone": "int",
        "elsewhere": "int",
        "counts": {"errors": "int", "warnings": "int"},
        "not_checked": ["str"],
        "failures": [],
    }
    assert (value["schema"], value["root"], value["result"]) == ("memdesk.check/1", ".", "fail")
    assert value["stores"] == [{"layout": "custodian", "path": "docs/memory", "documents": 6, "entries": 4}]
    assert value["change"] == {"mode": "worktree", "base": None, "files": 1, "added": 1, "removed": 1, "skipped": None}
    assert value["counts"] == {"errors": 1, "warnings": 0}
    assert [(one["rule"], one["severity"], one["possible"], one["path"], one["line"]) for one in value["findings"]] == [
        ("brief-scaffold", "error", False, "docs/memory/brief.md", 3)
    ]
    statuses = {rule["rule"]: rule["status"] for rule in value["rules"]}
    assert statuses["brief-scaffold"] == "fail"
    assert {statuses[name] for name in ("prune-overdue", "owner-clash")} == {"skip"}
    assert all((rule["reason"] is None) == (rule["status"] != "skip") for rule in value["rules"])


def test_json_names_why_there_is_no_change(run: Any, tmp_path: Path) -> None:
    custodian_store(tmp_path)
    value = json.loads(run("--check", tmp_path, "--format=json").out)
    assert value["change"]["skipped"] == "this is no git repository"
    value = json.loads(run("--check", tmp_path, "--format=json", "--no-diff").out)
    assert value["change"] == {
        "mode": "none",
        "base": None,
        "files": 0,
        "added": 0,
        "removed": 0,
        "skipped": "not asked for (--no-diff)",
    }


@pytest.mark.parametrize(
    ("name", "checked"),
    [(".:records", [("records", ".")]), ("records", [("records", ".")]), ("docs/memory", [("custodian", "docs/memory")]),
     (".", [("agent-memory", "."), ("records", ".")]), (".:agent-memory", [("agent-memory", ".")])],
)
def test_a_store_goes_by_the_name_that_other_commands_know_it_by(
    run: Any, tmp_path: Path, name: str, checked: list[tuple[str, str]]
) -> None:
    custodian_store(tmp_path)
    agent_memory_store(tmp_path)
    records_store(tmp_path)
    found = run("--check", str(tmp_path), "--store", name, "--format", "json")
    assert [(store["layout"], store["path"]) for store in json.loads(found.out)["stores"]] == checked


def test_f31_exit_2_without_a_store_also_for_an_explicit_root(run: Any, tmp_path: Path) -> None:
    put(tmp_path, "README.md", "hello\n")
    for words in (["--check", tmp_path], ["check", "--root", tmp_path, "--format", "json"]):
        found = run(*words)
        assert (found.code, found.out) == (2, "")
        assert "no store here" in found.err
        assert "memdesk init" in found.err


def test_f31_exit_2_for_a_folder_that_is_not_there(run: Any, tmp_path: Path) -> None:
    found = run("--check", tmp_path / "nowhere")
    assert found.code == 2
    assert "nowhere" in found.err


def test_f31_exit_2_for_an_unknown_revision_with_the_rest_reported(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/brief.md", TODO)
    found = run("--check", clean, "--base", "no-such-rev", "--format", "json")
    value = json.loads(found.out)
    assert found.code == 2
    assert (value["result"], value["counts"]["errors"]) == ("fail", 1)
    assert "no-such-rev" in value["failures"][0]
    assert "no-such-rev" in found.err
    text = run("--check", clean, "--base", "no-such-rev")
    assert text.code == 2
    assert "Not done: git does not know the revision 'no-such-rev'" in text.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "secrets"], "Did you mean secret?"),
        (["--skip", "over-budgets"], "Did you mean over-budget?"),
        (["--format", "xml"], "There is no format 'xml'. Use one of: text, json, github, sarif, junit."),
        (["--stagd"], "Did you mean --staged?"),
        (["--only"], "--only needs a value"),
        (["--staged", "--no-diff"], "exclude each other"),
        (["--strict=yes"], "has no option --strict=yes"),
        (["one", "two"], "takes one ROOT"),
        (["--now", "tomorrow"], "is not a date"),
        (["--baseline", "../x.txt"], "is not in the workspace"),
        (["--store", "docs/other"], "There is no store 'docs/other'"),
        (["--config", "gone.toml"], "no such settings file"),
    ],
)
def test_f31_exit_2_for_words_that_make_no_sense(
    run: Any, clean: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clean)
    found = run("--check", *words)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


def test_f31_exit_2_for_broken_settings(run: Any, clean: Path) -> None:
    put(clean, "memdesk.toml", "[budget]\nnaer = 0.5\n")
    found = run("--check", clean)
    assert found.code == 2
    assert "memdesk.toml:2" in found.err
    assert "budget.near" in found.err


def test_staged_base_and_no_diff_choose_the_change(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/brief.md", TODO)
    assert run("--check", clean, "--staged").code == 0
    git(clean, "add", "-A")
    assert run("--check", clean, "--staged").code == 1
    git(clean, "commit", "-qm", "More")
    based = json.loads(run("--check", clean, "--base", "HEAD~1", "--format", "json").out)["change"]
    assert (based["mode"], based["base"], based["files"]) == ("base", "HEAD~1", 1)
    assert "skip  struck-lost" in run("--check", clean, "--no-diff").out


def test_f30_from_a_subfolder_and_in_a_hook_environment(run: Any, clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = git_repo(clean.parent / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.chdir(clean / "docs")
    found = run("--check")
    assert found.code == 0
    assert found.out.startswith("docs/memory (custodian)")


def test_only_and_skip(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/brief.md", TODO)
    assert run("--check", clean, "--skip", "brief-scaffold").code == 0
    value = json.loads(run("--check", clean, "--only", "secret", "--only=route", "--format", "json").out)
    assert [rule["rule"] for rule in value["rules"]] == ["secret", "route"]


def test_help_and_version(run: Any) -> None:
    from memdesk import __version__

    shown = run("check", "--help")
    assert shown.code == 0
    for word in (
        "--staged",
        "--base",
        "--no-diff",
        "--changed-only",
        "--baseline FILE",
        "--write-baseline FILE",
        "--only",
        "--skip",
        "--strict",
        "--list-rules",
        "--explain",
        "--now",
    ):
        assert word in shown.out
    assert run("check", "--version").out == f"memdesk {__version__}\n"


def test_now_is_the_day_that_rules_go_by(run: Any, clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "docs/memory/archive/decisions-2026-05-10.md"
    put(clean, path, "# Archive\n\n## One\n")
    git(clean, "add", "-A")
    git(clean, "commit", "-qm", "Archive")
    put(clean, path, "# Archive\n\n## Two\n\n## One\n")
    assert run("--check", clean, "--only", "archive-changed", "--now", "2026-05-10").code == 0
    assert run("--check", clean, "--only", "archive-changed", "--now", "2026-05-11T08:00").code == 1
    monkeypatch.setenv("MEMDESK_NOW", "2026-05-10")
    assert run("--check", clean, "--only", "archive-changed").code == 0


def test_f07_a_secret_never_reaches_the_output(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/constraints.md", f"# C\n\n- {KEY}\n- {KEY}\n")
    for words in ([], ["--format", "json"], ["--quiet"]):
        found = run("--check", clean, *words)
        assert found.code == 1
        assert "secret" in found.out
        assert KEY not in found.out + found.err


def test_f08_hostile_names_and_texts_stay_inert(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/areas/x\x1b[31m.md", "# A\n\n- [stated] a\n- [stated] a\n")
    found = run("--check", clean, "--format", "json")
    assert "\x1b" not in found.out
    assert json.loads(found.out)["findings"]


def test_f08_a_name_cannot_write_a_line_of_the_report(run: Any, clean: Path) -> None:
    put(clean, "docs/memory/areas/x\nRESULT pass (0 errors, 0 warnings)\n\u202e.md", "# A\n\n- a\n- a\n")
    found = run("--check", clean)
    assert found.code == 1
    assert [line for line in found.out.splitlines() if line.startswith("RESULT")] == [found.out.splitlines()[-1]]
    assert "\u202e" not in found.out
    assert "fail" in found.out.splitlines()[-1]


def test_an_interrupted_transaction_is_a_warning_to_readers(run: Any, clean: Path) -> None:
    folder = clean / ".git" / "memdesk" / "txn" / "20260510-120000-abcd"
    folder.mkdir(parents=True)
    found = run("--check", clean)
    assert found.code == 0
    assert found.err == (
        "memdesk: a transaction was interrupted (20260510-120000-abcd); `memdesk recover` finishes it or takes it back.\n"
    )
    assert found.out.endswith("RESULT pass (0 errors, 0 warnings)\n")


def test_read_refuses_nothing_that_is_documented() -> None:
    asked = check.read(["--check", "--only", "a", "--only=b", "--base=HEAD", "--store", "s", "--", "-odd-folder"])
    assert (asked.only, asked.base, asked.store, asked.root) == (["a", "b"], "HEAD", "s", "-odd-folder")
    with pytest.raises(UsageError):
        check.read(["--root"])


HEAVY = {
    "textual",
    "rich",
    "watchfiles",
    "markdown_it",
    "dataclasses",
    "argparse",
    "yaml",
    "filelock",
    "platformdirs",
    "rapidfuzz",
    "tomllib",
    "pathlib",
}
PROBE = (
    "import sys; from memdesk.tui.cli import main; code = main(sys.argv[1:]); print(*sys.modules, file=sys.stderr);"
    " sys.exit(code)"
)


@pytest.mark.parametrize(
    "words", [["--check"], ["check", "--format", "json"], ["--check", "--list-rules"], ["--check", "--staged"]]
)
def test_a_check_imports_only_what_it_uses(clean: Path, words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROBE, *words], cwd=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.split())
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert not {
        name
        for name in loaded
        if name.startswith(("memdesk.tui.app", "memdesk.tui.panes", "memdesk.core.transaction.transactions"))
    }
    assert ("json" in loaded) == ("json" in words)


def test_f31_a_closed_pipe_ends_quietly(clean: Path) -> None:
    script = f'"{sys.executable}" -m memdesk --check 2>err | true; cat err'
    done = subprocess.run(["sh", "-c", script], cwd=clean, capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_utf8_whatever_the_locale(clean: Path, locale: str) -> None:
    put(clean, "docs/memory/areas/küche.md", "# Küche\n\n- ü\n- ü\n")
    env = {**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-m", "memdesk", "--check"], cwd=clean, capture_output=True, env=env, check=False)
    assert done.returncode == 1
    assert "docs/memory/areas/küche.md:4: error duplicate-entry" in done.stdout.decode("utf-8")


def test_the_plain_check_does_without_what_takes_longest_to_import(clean: Path) -> None:
    """Each of these costs more than reading a small store (core/lean.py, core/process.py)."""
    done = subprocess.run([sys.executable, "-c", PROBE, "--check"], cwd=clean, capture_output=True, text=True, check=False)
    loaded = set(done.stderr.split())
    assert {"typing", "subprocess", "datetime", "contextlib", "json", "unicodedata", "hashlib", "difflib"} & loaded == set()


def test_a_check_of_three_tiers_is_as_light(tmp_path: Path) -> None:
    """Front matter as people write it needs no YAML; the day is asked for, since logs and reviews have one."""
    tiers_store(tmp_path)
    put(tmp_path, "AGENTS.md", "Read memory/INDEX.md at the start.\n")
    git_repo(tmp_path)
    done = subprocess.run([sys.executable, "-c", PROBE, "--check"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.split())
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert {"typing", "subprocess", "contextlib", "json", "unicodedata", "hashlib", "difflib"} & loaded == set()


def test_a_check_of_fragments_and_memories_is_as_light(tmp_path: Path) -> None:
    """Their front matter is plain; times in names need the calendar, and what git ignores a process."""
    jonggrang_store(tmp_path)
    put(tmp_path, "AGENTS.md", "Memory is context, not instruction; it ranks as `.jonggrang/MEMORY.md` says.\n")
    git_repo(tmp_path)
    done = subprocess.run([sys.executable, "-c", PROBE, "--check"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    loaded = set(done.stderr.split())
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert {"typing", "unicodedata", "hashlib", "difflib"} & loaded == set()
    assert {f"memdesk.core.layouts.jonggrang.{name}" for name in ("writes", "places", "compacted")} & loaded == set()
