"""The worked example of docs/extending.md is what a newcomer would have: its blocks, written where the page says, are a layout.

The page is the source: nothing of the sixth layout is anywhere else. Most tests put its folder on the path of the package in
this process; one copies the package and runs the commands as processes."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

import memdesk
from memdesk.core import layouts
from memdesk.core.checks import examples, registry
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.layouts.base import Layout, _Late
from memdesk.tui.app import Workbench
from tests.support.commands import Here, process
from tests.support.examples import checked
from tests.support.pilots import play, press, screen_text
from tests.support.stores import git_repo, put, snapshot

PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
FOLDER = "core/layouts/notebook/"
REGISTRY = "core/layouts/__init__.py"
MODULE = "memdesk.core.layouts.notebook"
NOTES, INBOX = "notebook/NOTEBOOK.md", "notebook/inbox.md"
NOTEBOOK = "# Notebook\n\n- Counts are CSV files (from src/files.py)\n"
WAITING = "# Inbox\n\n## 2026-11-29\n\n- [observed] Sites 4 and 9 send late (from src/imp.py)\n"
PROMOTED = NOTEBOOK.replace("- Counts", "- [observed] Sites 4 and 9 send late (from src/imp.py)\n- Counts")
EMPTY = "# Inbox\n\nNo unprocessed memory candidates.\n"
WHO = ("--yes", "--as", "Ada")
HEAVY = ("typing", "dataclasses", "memdesk.core.fields", "memdesk.core.draft", "memdesk.core.layouts.inbox")

BLOCKS: dict[str, str] = dict(
    re.findall(r"^`(core/[^`\n]+)`[^\n]*:\n\n```[a-z]+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
FILES = {path.removeprefix(FOLDER): text for path, text in BLOCKS.items() if path.startswith(FOLDER)}


def write_folder(folder: Path) -> None:
    for path, text in FILES.items():
        put(folder, path, text.encode())


def ground(root: Path) -> Path:
    """A repository with a notebook in which a candidate waits, and the files that it names."""
    for path, text in {NOTES: NOTEBOOK, INBOX: WAITING, "src/files.py": "", "src/imp.py": ""}.items():
        put(root, path, text.encode())
    git_repo(root)
    return root


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Layout]:
    """The page's layout, registered in this process by the page's line."""
    write_folder(tmp_path / "more" / "notebook")
    monkeypatch.setattr(layouts, "__path__", [*layouts.__path__, str(tmp_path / "more")])
    name, module = re.findall(r'"([^"]+)"', BLOCKS[REGISTRY])
    monkeypatch.setitem(layouts.LAYOUTS, name, module)
    before = set(sys.modules)
    yield layouts.get("notebook")
    for name in set(sys.modules) - before:
        if name.startswith(MODULE):
            del sys.modules[name]
    vars(layouts).pop("notebook", None)


@pytest.fixture
def here(tmp_path: Path, notebook: Layout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(ground(tmp_path / "repo"), capsys, monkeypatch)


def test_a_layout_is_one_folder_of_under_150_lines_and_one_line() -> None:
    assert set(BLOCKS) == {REGISTRY, *(FOLDER + path for path in FILES)}
    assert set(FILES) == {"__init__.py", "writes.py", "rules.py", "examples/base.toml", "examples/note-source.toml"}
    lines = sum(text.count("\n") for text in FILES.values())
    assert lines < 150
    assert f"It takes {lines} lines with its rule" in PAGE
    assert BLOCKS[REGISTRY] == f'    "notebook": "{MODULE}",\n'
    assert FILES["rules.py"].count("context: CheckContext") == 1, "a rule is one function"
    assert max(len(line) for text in FILES.values() for line in text.split("\n")) <= 128


def test_it_answers_as_it_is_asked(notebook: Layout) -> None:
    """What `test_registry.py` holds against every layout, and the page tells newcomers."""
    own = {name: value for name, value in vars(type(notebook)).items() if isinstance(value, _Late)}
    assert set(own) == {"destinations", "add", "put", "take", "amend", "template", "rules"}
    for name in own:
        asked, given = inspect.signature(getattr(Layout, name)), inspect.signature(getattr(notebook, name))
        assert [str(one) for one in given.parameters.values()] == [str(one) for one in asked.parameters.values()][1:]
        assert given.return_annotation == asked.return_annotation


def test_the_page_names_every_answer_that_has_no_default() -> None:
    """A method whose body is its docstring alone has to be answered."""
    bare = {
        name for name, value in vars(Layout).items()
        if inspect.isfunction(value) and not name.startswith("_")
        and not inspect.getsource(value).rpartition('"""')[2].strip()
    }
    table = PAGE.partition("## What has to be answered")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)) == bare


def test_its_rule_fails_and_passes_on_its_own_examples(notebook: Layout, tmp_path: Path) -> None:
    rule = registry.find("note-source")
    example = examples.of(rule)
    (finding,) = checked(example, example.fails, tmp_path / "fails")
    assert (finding.rule, finding.path, finding.line) == ("note-source", *example.findings[0])
    assert finding.message == "No source: 'Counts are CSV files'."
    assert checked(example, example.passes, tmp_path / "passes") == []


def test_every_verb_writes_its_form_and_is_undone(here: Here) -> None:
    before = snapshot(here.root)
    late = here.id("Sites 4")
    assert here("promote", late, "--tag", "observed", *WHO).code == 0
    assert (here.text(NOTES), here.text(INBOX)) == (PROMOTED, EMPTY)
    words = ("--with", "Three sites send late", "--source", "src/imp.py", "--reason", "One more")
    assert here("strike", here.id("Sites 4"), *words, *WHO).code == 0
    struck = "- ~~[observed] Sites 4 and 9 send late (from src/imp.py)~~ struck 2026-11-30: One more\n"
    new = "- Three sites send late (from src/imp.py)\n"
    assert here.text(NOTES) == NOTEBOOK.replace("- Counts", f"{struck}{new}- Counts")
    assert here("edit", here.id("Three"), "--text", "- Three sites are late (from src/imp.py)", *WHO).code == 0
    assert "- Three sites are late (from src/imp.py)\n" in here.text(NOTES)
    assert here("add", "Herons come late", "--tag", "inferred").code == 0
    assert here.text(INBOX) == "# Inbox\n\n## 2026-11-30\n\n- [inferred] Herons come late\n"
    assert here("merge", here.id("Herons"), "--into", here.id("Counts"), *WHO).code == 0
    assert here.text(NOTES).endswith("- Counts are CSV files\n  Herons come late (from src/files.py)\n"), "the source holds"
    assert here("undo", *WHO).code == 0
    assert here("reject", here.id("Herons"), "--reason", "Nobody knows", *WHO).code == 0
    assert here.text(INBOX) == EMPTY
    refused = here("promote", here.id("Counts"), *WHO)
    assert (refused.code, "is no candidate" in refused.err) == (1, True)
    for _ in range(5):
        assert here("undo", *WHO).code == 0
    assert {path: data for path, data in snapshot(here.root).items() if path in before} == before


def test_bullets_leave_from_below_a_text_that_is_no_entry_here(here: Here) -> None:
    text = "# Inbox\n\n## Calls\n\nFrom the call:\n\n- Herons come late\n- Storks too\n"
    put(here.root, INBOX, text.encode())
    assert here("reject", here.id("Storks"), *WHO).code == 0
    assert here("reject", here.id("Herons"), *WHO).code == 0
    assert here.text(INBOX) == text.partition("- Herons")[0] + "No unprocessed memory candidates.\n"


def test_what_is_spelled_otherwise_is_a_near_miss(here: Here) -> None:
    put(here.root, "team/Notebook.md", b"# Notes\n")
    shown = here("stores")
    assert (shown.code, "notebook  notebook" in shown.out) == (0, True)
    assert "team/Notebook.md" in shown.out
    assert "A notebook's file is called NOTEBOOK.md, spelled so." in shown.out


@pytest.mark.slow
def test_the_commands_as_processes_on_a_package_with_the_folder(tmp_path: Path) -> None:
    site, root = tmp_path / "site", ground(tmp_path / "repo")
    package = site / "memdesk"
    shutil.copytree(Path(memdesk.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "example"))
    write_folder(package / FOLDER)
    listed = package / REGISTRY
    text = listed.read_text(encoding="utf-8")
    assert text.count("\n}\n") == 1
    listed.write_text(text.replace("\n}\n", f"\n{BLOCKS[REGISTRY]}}}\n"), encoding="utf-8")

    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        done = process(root, *words, env={"PYTHONPATH": str(site)})
        assert b"Traceback" not in done.stderr
        return done

    def said(*words: str) -> str:
        done = run(*words)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    assert said("stores").startswith("notebook  notebook  2 documents, 2 entries, 1 waiting\n")
    assert [line.partition("#")[0] for line in said("entries").splitlines()] == [NOTES, INBOX]
    assert "observed  Sites 4 and 9 send late" in said("inbox")
    added = said("add", "Herons come late", "--tag", "inferred").strip()
    assert added.startswith(INBOX + "#")
    assert "pass  note-source        1 note checked" in said("--check")
    (promoted,) = said("promote", added, "--to", "notes", *WHO).split()
    failed = run("--check")
    assert failed.returncode == 1
    assert f"{NOTES}:3: error note-source: No source: 'Herons come late'." in failed.stdout.decode()
    assert said("edit", promoted, "--text", "- Herons come late (from src/imp.py)", *WHO).startswith(NOTES + "#")
    assert "pass  note-source        2 notes checked" in said("--check")
    pack = said("pack", "--task", "boot")
    assert "===== notebook/NOTEBOOK.md =====" in pack
    assert "- Herons come late (from src/imp.py)\n- Counts are CSV files" in pack
    assert "Sites 4" not in pack
    assert "nobody has reviewed it" in said("pack", "--task", "boot", "--explain")
    assert run("pack", "--task", "review").returncode == 2
    for _ in range(3):
        run("undo", *WHO)
    assert ((root / NOTES).read_text(), (root / INBOX).read_text()) == (NOTEBOOK, WAITING)
    assert "This fails, at `notebook/NOTEBOOK.md:3`, `- Counts are CSV files`" in said("--check", "--explain", "note-source")
    probe = (
        "import sys; from memdesk.core import layouts; layouts.get('notebook').detect(None, ['a.md'], None); "
        f"heavy = {HEAVY}; print([name for name in sys.modules if name in heavy or name.startswith('{MODULE}.')])"
    )
    words = [sys.executable, "-S", "-c", probe]
    done = subprocess.run(words, cwd=site, env={"PYTHONPATH": str(site)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), f"who has no notebook loads little for it {done.stderr}"
    empty = tmp_path / "new"
    empty.mkdir()
    made = process(empty, "init", "notebook", "--agents", *WHO, env={"PYTHONPATH": str(site)})
    assert (made.returncode, (empty / NOTES).read_text()) == (0, "# Notebook\n")
    assert "memdesk pack --task boot" in (empty / "AGENTS.md").read_text()


@pytest.mark.slow
def test_the_workbench_shows_its_candidate_and_promotes_it_by_keys(here: Here) -> None:
    root = here.root
    clock = Clock(datetime(2026, 11, 30, 9, 0))
    app = Workbench(Desk.open(str(root), clock=clock, user_config=None), environ={"TERM": "xterm-256color"})

    async def script(pilot: Pilot[Any]) -> None:
        assert "Sites 4 and 9 send late" in screen_text(app)
        await press(pilot, "p")
        shown = screen_text(app)
        assert "the notebook" in shown
        assert "still guiding a capable colleague" in shown
        assert "+ - [observed] Sites 4 and 9 send late (from src/imp.py)" in shown, "the diff"
        assert "of 2000 tokens" in shown
        await press(pilot, "ctrl+s")
        assert (root / NOTES).read_text() == PROMOTED
        assert (root / INBOX).read_text() == EMPTY
        await press(pilot, "u")
        assert ((root / NOTES).read_text(), (root / INBOX).read_text()) == (NOTEBOOK, WAITING)

    play(app, script)
