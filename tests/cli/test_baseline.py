"""A baseline from outside: words, exit codes, what is said, and real branches that git merges."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from memdesk.core.checks import baseline
from memdesk.tui.cli import main
from tests.support.baselines import lines
from tests.support.stores import custodian_store, git, git_repo, put

NAME = "baseline.txt"
KEY = "AKIA" + "QWERTYUIOPASDFGH"
MAPS = "- Maps are in /home/ana/maps.\n"
REST = "- One.\n- Two.\n- Three.\n"


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Place:
    """Checks in a repository, from a folder of it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys = root, capsys

    def run(self, *words: str) -> Ran:
        code = main(["--check", *words])
        said = self.capsys.readouterr()
        return Ran(code, said.out, said.err)

    def commit(self, message: str) -> None:
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", message)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("begun") / "repo"
    custodian_store(root, brief="# Brief\n\nTODO: one\n", constraints=f"# C\n\n{MAPS}{REST}", preferences="# P\n\n- Short.\n")
    put(root, "AGENTS.md", "see docs/memory\n")
    return git_repo(root)


@pytest.fixture
def place(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Place:
    root = shutil.copytree(begun, tmp_path / "a b # ü")
    monkeypatch.chdir(root)
    return Place(root, capsys)


def test_it_is_written_and_says_so_and_then_known_findings_are_left_out(place: Place) -> None:
    made = place.run("--write-baseline", NAME)
    assert (made.code, made.err) == (0, "memdesk: baseline.txt: written: 3 findings (3 new, 0 gone).\n")
    assert "\nBaseline: 3 known findings are left out.\n" in made.out
    assert made.out.endswith("RESULT pass (0 errors, 0 warnings)\n")
    found = place.run("--baseline", NAME, "--format", "json")
    value = json.loads(found.out)
    assert (found.code, value["findings"], value["baselined"], value["baseline_gone"]) == (0, [], 3, 0)
    put(place.root, "docs/memory/brief.md", "# Brief\n\nTODO: two\n")
    found = place.run("--baseline", NAME)
    assert (found.code, "brief.md:3: error brief-scaffold" in found.out) == (1, True)
    assert "Baseline: 2 known findings are left out; 1 that it knows is gone, and can be taken out of it." in found.out
    assert "Baseline" not in place.run("--baseline", NAME, "--quiet").out
    assert json.loads(place.run("--format", "json").out)["baselined"] == 0


def test_it_is_named_from_the_current_folder(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.root / "docs")
    assert place.run("--write-baseline", NAME).code == 0
    assert [path.name for path in (place.root / "docs").iterdir() if path.is_file()] == [NAME]
    monkeypatch.chdir(place.root.parent)
    assert place.run("--root", str(place.root), "--baseline", str(place.root / "docs" / NAME)).code == 0
    outside = place.run("--root", str(place.root), "--baseline", NAME)
    assert (outside.code, outside.out) == (2, "")
    assert "is not in the workspace" in outside.err


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_a_broken_one_is_2_in_every_format_with_file_and_line(place: Place, form: str) -> None:
    put(place.root, NAME, "# memdesk baseline 1\n<<<<<<< HEAD\n")
    found = place.run("--baseline", NAME, "--format", form)
    assert found.code == 2
    assert "baseline.txt:2: git's conflict markers are in the baseline. Keep the lines of both sides" in found.err
    assert "brief-scaffold" in found.out


def test_a_secret_stays_an_error_and_is_nowhere_in_the_file(place: Place) -> None:
    put(place.root, "docs/memory/constraints.md", f"# C\n\n- {KEY} is in /home/ana/maps\n")
    made = place.run("--write-baseline", NAME)
    assert (made.code, "1 errors" in made.out) == (1, True)
    assert "memdesk: baseline.txt: findings that no baseline takes stay: secret.\n" in made.err
    assert KEY.encode() not in (place.root / NAME).read_bytes()


def test_the_check_writes_nothing_else(place: Place) -> None:
    before = {path: path.stat().st_mtime_ns for path in place.root.rglob("*") if ".git/" not in str(path) and path.is_file()}
    place.run("--write-baseline", NAME)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=place.root, capture_output=True, text=True, check=True)
    assert status.stdout == "?? baseline.txt\n"
    assert {path: path.stat().st_mtime_ns for path in before} == before


SHEETS = "- Sheets are in /mnt/c/sheets.\n"
BRANCHES = {
    "each adds one": ({"preferences.md": f"# P\n\n- Short.\n{SHEETS}"}, {"inbox.md": f"# Inbox\n\n## 2026-05-01\n\n{SHEETS}"}),
    "each mends one": ({"brief.md": "# Brief\n\nIt counts.\n"}, {"constraints.md": f"# C\n\n- Maps are kept.\n{REST}"}),
    "one adds, one mends": ({"brief.md": "# Brief\n\nIt counts.\n"}, {"preferences.md": f"# P\n\n- Short.\n{SHEETS}"}),
    "both add the same": ({"preferences.md": f"# P\n\n- Short.\n{SHEETS}"}, {"preferences.md": f"# P\n\n- Short.\n{SHEETS}"}),
    "both in one file": (
        {"constraints.md": f"# C\n\n{SHEETS}{MAPS}{REST}"},
        {"constraints.md": f"# C\n\n{MAPS}{REST}- Logs are in /mnt/d/logs.\n"},
    ),
}


@pytest.mark.parametrize(("ours", "theirs"), BRANCHES.values(), ids=BRANCHES.keys())
def test_branches_merge_by_git_alone(place: Place, ours: dict[str, str], theirs: dict[str, str]) -> None:
    place.run("--write-baseline", NAME)
    place.commit("Baseline")
    git(place.root, "switch", "-qc", "theirs")
    _work(place, theirs)
    git(place.root, "switch", "-q", "main")
    _work(place, ours)
    git(place.root, "merge", "-q", "--no-edit", "theirs")
    found = json.loads(place.run("--baseline", NAME, "--format", "json").out)
    assert (found["findings"], found["baseline_gone"]) == ([], 0)
    merged = (place.root / NAME).read_bytes()
    assert merged == baseline.render(lines(place.root, NAME))
    place.run("--write-baseline", NAME)
    assert (place.root / NAME).read_bytes() == merged


def test_where_two_lines_meet_git_asks_and_the_lines_of_both_are_the_answer(place: Place) -> None:
    def known(end: str) -> baseline.Known:
        return baseline.Known("5c" + end * 62, "near-budget", "docs/memory", f"docs/memory/{end}.md")

    put(place.root, NAME, baseline.render([]))
    place.commit("Empty")
    git(place.root, "switch", "-qc", "theirs")
    put(place.root, NAME, baseline.render([known("1")]))
    place.commit("One")
    git(place.root, "switch", "-q", "main")
    put(place.root, NAME, baseline.render([known("2")]))
    place.commit("Other")
    done = subprocess.run(["git", "merge", "theirs"], cwd=place.root, capture_output=True, check=False)
    assert done.returncode == 1
    text = (place.root / NAME).read_text()
    line = text.split("\n").index("<<<<<<< HEAD") + 1
    for word in ("--baseline", "--write-baseline"):
        found = place.run(word, NAME)
        assert (found.code, f"baseline.txt:{line}: git's conflict markers" in found.err) == (2, True)
    assert (place.root / NAME).read_text() == text
    kept = "".join(row for row in text.splitlines(keepends=True) if not row.startswith(("<<<", "===", ">>>")))
    put(place.root, NAME, kept)
    assert (set(lines(place.root, NAME)), place.run("--baseline", NAME).code) == ({known("1"), known("2")}, 1)


def _work(place: Place, files: dict[str, str]) -> None:
    """What somebody does on a branch, the baseline written anew."""
    for name, text in files.items():
        put(place.root, f"docs/memory/{name}", text)
    place.run("--write-baseline", NAME)
    place.commit("Work")
