"""What leaves memdesk on memory that means harm: names given to git and to the editor, settings that a clone brings, and
what the plain commands write to a terminal."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.config import load
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.gitversions import versions
from memdesk.core.plan import Request
from memdesk.tui.editing import edit_text, open_at
from tests.hostile.inputs import ESCAPES, INPUTS, INVISIBLE, NAMES, SMALL, Hostile
from tests.hostile.stores import place, together
from tests.hostile.world import BRANCH, world
from tests.support.benches import bench
from tests.support.commands import Here, Terminal
from tests.support.pilots import play, press, toasts
from tests.support.stores import MEMORY, custodian_store, git, git_repo, put
from tests.support.terminal import Bench, faults, read

CONFIGS = tuple(hostile for hostile in INPUTS if hostile.kind == "config")
READING = (
    ["inbox"], ["entries"], ["entries", "--struck"], ["stores"], ["--check"], ["--check", "--staged"], ["history"],
    ["pack", "--task", "maintenance"], ["pack", "--task", "planning", "--explain"],
    ["pack", "--task", "[bold]\x1b]0;x\x07\u202e"], ["entries", "--grep", "[@click"], ["doctor"], ["config"],
    ["pack", "--task", "maintenance", "--format", "json"], ["pack", "--task", "maintenance", "--format", "markdown"],
    ["entries", "--format", "json"], ["--check", "--format", "markdown"], ["history", "--format", "json"],
)


def recorder(folder: Path, name: str = "ed") -> tuple[str, Path]:
    """An editor that writes down what it is given, each word ended by NUL; and where."""
    script, log = folder / name, folder / f"{name}.log"
    script.write_text(f"#!/bin/sh\nfor word do printf '%s\\0' \"$word\" >> '{log}'; done\nprintf '\\n\\0' >> '{log}'\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script), log


def calls(log: Path) -> list[list[bytes]]:
    """The words of each call."""
    found: list[list[bytes]] = [[]]
    for word in log.read_bytes().split(b"\0")[:-1]:
        if word == b"\n":
            found.append([])
        else:
            found[-1].append(word)
    return found[:-1]


def desk_of(root: Path) -> Desk:
    return Desk.open(str(root), clock=Clock(datetime(2026, 11, 30, 9, 0)), user_config=None)


# The editor.


def test_the_editor_gets_each_name_as_one_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "-r $(touch owned) `touch owned`\n\udcff 'q"
    root.mkdir()
    together(root, NAMES)
    editor, log = recorder(tmp_path)
    monkeypatch.setenv("EDITOR", f"'{editor}' --wait")
    monkeypatch.chdir(root)
    desk = desk_of(root)
    paths = [path for path in desk.workspace.documents if "/areas/" in path]
    assert len(paths) > 25
    for path in paths:
        open_at(os.path.join(desk.root, path), 3, desk.settings)
    assert calls(log) == [[b"--wait", os.fsencode(os.path.join(desk.root, path))] for path in paths]
    assert all(os.path.isabs(call[-1]) for call in calls(log))
    assert not list(tmp_path.rglob("owned"))


def test_the_editor_gets_a_text_in_a_file_and_never_as_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor, log = recorder(tmp_path)
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    texts = [hostile.bytes(SMALL).decode("utf-8", "surrogateescape") for hostile in (*ESCAPES, *INVISIBLE)]
    for text in (*texts, "$(touch owned)", "-c !touch owned", "`touch owned`\n+:!sh"):
        assert edit_text(text, load(str(tmp_path))) is None
    given = calls(log)
    assert len(given) == len(texts) + 3
    assert all(len(call) == 1 and call[0].startswith(os.fsencode(tmp_path / "memdesk-")) for call in given)
    assert not list(tmp_path.rglob("owned"))


@pytest.mark.slow
def test_o_in_the_workbench_opens_the_file_and_comes_back(tmp_path: Path) -> None:
    root = world(tmp_path, NAMES)
    editor, log = recorder(tmp_path)
    with Bench(root, env={"EDITOR": editor}) as terminal:
        terminal.until("Help")
        terminal.press("5")
        for number in range(12):
            terminal.press("j")
            terminal.press("o")
            terminal.back(number + 2)
        terminal.press("q")
        assert terminal.end() == 0
    assert not terminal.faults, terminal.faults[:3]
    known = {os.fsencode(os.path.join(os.path.realpath(root), path)) for path in desk_of(root).workspace.documents}
    given = calls(log)
    assert len(given) == 12
    assert all(len(call) == 1 and call[0].startswith(os.fsencode(os.path.realpath(root))) for call in given)
    assert len({call[0] for call in given} & known) > 5


# Getting rid of it.


@pytest.mark.parametrize(
    "hostile", [ESCAPES[5], *(pytest.param(each, marks=pytest.mark.slow) for each in (*ESCAPES[::5], *INVISIBLE[::3]))],
    ids=lambda hostile: hostile.name,
)
def test_what_should_never_have_been_written_is_rejected_in_two_keys(tmp_path: Path, hostile: Hostile) -> None:
    """What is proposed from it as a tombstone's title is refused in one, and stands in no reject's way without one."""
    place(tmp_path, hostile)
    app = bench(tmp_path)
    before = len(app.desk.candidates())

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "j", "r", "ctrl+s")
        assert "Rejected" in toasts(app)[-1]

    play(app, script)
    assert before == 3
    assert [entry.text for entry in desk_of(tmp_path).candidates()] == ["- Site 7 floods", "- Site 9 reports late"]
    (archive,) = (tmp_path / MEMORY / "archive").iterdir()
    assert hostile.bytes() in archive.read_bytes()


# Git.


def test_git_takes_just_the_files_with_such_names(tmp_path: Path) -> None:
    root = tmp_path / "-r $(touch owned)"
    root.mkdir()
    together(root, [hostile for hostile in NAMES if hostile.data != "\u00e9.md".encode()])  # a clash with its decomposed twin
    git(root, "init", "-q", "-b", BRANCH)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    put(root, "other.md", "mine\n")
    put(root, f"{MEMORY}/brief.md", "# Brief\n\nmine\n")
    desk = desk_of(root)
    entries = [
        next(entry for entry in document.entries if "Counts are kept" in entry.text)
        for path, document in desk.workspace.documents.items()
        if "/areas/" in path and any("Counts are kept" in entry.text for entry in document.entries)
    ]
    assert len(entries) > 20
    for ident in [entry.id for entry in entries]:
        desk.perform(Request("strike", (ident,), {"reason": "no"}, person=True), "Ada")
    touched = set(desk.touched())
    assert {entry.path for entry in entries} <= touched
    desk.commit_git("Struck $(touch owned) \x1b]0;x\x07\n\n-m --amend\n")
    done = git(root, "show", "--format=", "--name-only", "-z", "HEAD")
    assert set(done.rstrip("\0").split("\0")) == touched
    assert git(root, "log", "--format=%s").splitlines()[-1] == "Begin"
    assert "other.md" in git(root, "status", "--porcelain")
    assert "brief.md" in git(root, "status", "--porcelain")
    assert not list(tmp_path.rglob("owned"))


# What a clone brings.


@pytest.mark.parametrize("hostile", CONFIGS, ids=lambda hostile: hostile.name)
def test_no_setting_of_a_clone_names_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile: Hostile) -> None:
    place(tmp_path, hostile)
    editor, log = recorder(tmp_path)
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.chdir(tmp_path)
    with suppress(MemdeskError):  # what is refused as a whole names no command either
        open_at(str(tmp_path / MEMORY / "inbox.md"), 1, desk_of(tmp_path).settings)
        assert calls(log) == [[os.fsencode(tmp_path / MEMORY / "inbox.md")]]
    assert not list(tmp_path.rglob("owned"))


@pytest.mark.parametrize("file", ["memdesk.toml", "pyproject.toml"])
@pytest.mark.parametrize("key", ["editor", "agent", "theme", "keymap"])
def test_what_is_the_persons_own_is_refused_in_a_workspace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: str, key: str
) -> None:
    """Not obeyed and not passed over: the message names the file and the section."""
    root = tmp_path / "r"
    custodian_store(root)
    here = Here(root, capsys, monkeypatch)
    editor, log = recorder(tmp_path)
    monkeypatch.setenv("EDITOR", editor)
    section = f"[{key}]" if file == "memdesk.toml" else f"[tool.memdesk.{key}]"
    put(root, file, f"{section}\n{'command' if key in ('editor', 'agent') else 'name'} = \"touch owned\"\n")
    for words in (["inbox"], ["entries"], ["edit", "x#1"], ["--check"], ["pack", "--task", "planning"]):
        found = here(*words)
        assert found.code == 2
        assert file in found.err
        assert key in found.err
    assert not log.exists()
    assert not list(root.rglob("owned"))


def test_no_command_of_the_repositorys_own_git_settings_runs_when_it_is_read(tmp_path: Path) -> None:
    """An unpacked archive can bring `.git/config`, which no clone can: reading runs none of what it names."""
    root = tmp_path / "r"
    root.mkdir()
    together(root, NAMES[:4])
    git_repo(root)
    put(root, ".gitattributes", "*.md diff=evil\n")
    for name, value in {
        **dict.fromkeys(
            ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.alternateRefsCommand",
             "diff.external", "diff.evil.command", "pager.log", "sequence.editor", "interactive.diffFilter", "gpg.program"),
            "touch owned",
        ),
        "diff.evil.textconv": "touch owned;cat", "alias.status": "!touch owned",
    }.items():
        git(root, "config", name, value)
    put(root, f"{MEMORY}/decisions.md", "# Decisions\n\n## 2026-05-02 - Other\n\nDecision:\na\n\nReason:\nb\n")
    desk = desk_of(root)
    for mode in ("worktree", "staged"):
        assert desk.check(mode=mode).findings is not None
    entry = next(entry for entry in desk.workspace.entries() if entry.path.endswith("decisions.md"))
    assert desk.git is not None
    assert len(versions(desk.git, entry.path)) == 1
    assert desk.git.user() == "Test Person"
    assert not list(tmp_path.rglob("owned"))


# Plain commands at a terminal.


@pytest.mark.parametrize(
    "words",
    [words if number % 8 == 0 else pytest.param(words, marks=pytest.mark.slow) for number, words in enumerate(READING)],
    ids=lambda words: ascii(" ".join(words)),
)
def test_a_reading_command_writes_lines_of_text_alone(tmp_path: Path, words: list[str]) -> None:
    root = world(tmp_path, INPUTS)
    terminal = Terminal(root, *words)
    assert terminal.end() in (0, 1, 2)
    assert "Traceback" not in terminal.text
    assert terminal.shown
    assert faults(read(terminal.shown.decode()), workbench=False) == []
