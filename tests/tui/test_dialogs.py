"""Search, what loads this, the timeline with restoring, stage and commit, recovery, the editor, banners."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from memdesk.tui.dialogs.search import Search
from memdesk.tui.dialogs.timeline import Timeline
from memdesk.tui.panes.inbox import InboxPane
from tests.support.benches import bench, commit, demo, interrupted
from tests.support.merges import conflicting
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, git, snapshot


def editor(folder: Path, script: str) -> str:
    """An editor of the person's: a shell script that is given the file."""
    place = folder / "ed"
    place.write_text("#!/bin/sh\n" + script)
    place.chmod(0o755)
    return str(place)


# Search.


def search_of(app: Any) -> Search:
    assert isinstance(app.screen, Search)
    return app.screen


@pytest.mark.slow
def test_search_finds_in_every_role_and_opens_at_the_hit(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "ctrl+f")
        await type_(pilot, "session file")
        found = [row.item for row in search_of(app).lines.rows]
        assert found == app.desk.search("session file")
        assert len({entry.role for entry in found}) >= 3
        assert f"{len(found)} hits" in screen_text(app)
        await press(pilot, "enter")
        entry = search_of(app).entry
        assert entry is not None
        assert entry.text.split("\n")[0] in search_of(app).reading.plain
        await press(pilot, "w")
        assert f"What loads {entry.path}:{entry.line}" in screen_text(app)
        await press(pilot, "escape", "slash")
        await type_(pilot, " zzz")
        assert "No entry of any store holds all of these words." in screen_text(app)
        await press(pilot, "escape")
        assert type(app.screen).__name__ == "Screen"

    play(app, script)


@pytest.mark.slow
def test_a_candidate_found_is_opened_in_the_inbox(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "history")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "ctrl+f")
        await type_(pilot, "encrypting")
        await press(pilot, "enter", "enter")
        pane = app.pane
        assert isinstance(pane, InboxPane)
        await settle(pilot)
        assert pane.entry is not None
        assert "encrypting" in pane.entry.text

    play(app, script)


@pytest.mark.slow
def test_a_verdict_from_the_search_and_the_list_follows(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "ctrl+f")
        await type_(pilot, "third-party")
        await press(pilot, "enter")
        entry = search_of(app).entry
        assert entry is not None
        assert entry.role == "decisions"
        await press(pilot, "a")
        assert type(app.screen).__name__ == "Verdict"
        await press(pilot, "enter")
        assert entry.heading not in (folder / "decisions.md").read_text()
        assert any("No third-party packages" in path.read_text() for path in (folder / "archive").iterdir())
        assert "archive" in {row.item.role for row in search_of(app).lines.rows}

    play(app, script)


# Timeline.


@pytest.mark.slow
def test_a_version_is_brought_back_by_an_ordinary_edit(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    decisions = folder / "decisions.md"
    first = decisions.read_text()
    decisions.write_text(first.replace("Replace, never append", "Append, never replace"))
    commit(tmp_path, "Turn it around", "2026-11-02")
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "tab")
        lines = app.pane.ledger.lines  # type: ignore[union-attr]
        lines.select(next(row.key for row in lines.rows if "Append, never" in str(getattr(row.item, "entry", ""))))
        await settle(pilot)
        await press(pilot, "h")
        assert isinstance(app.screen, Timeline)
        text = screen_text(app)
        assert "2 versions" in text
        assert "2026-11-02" in text
        assert "Test Person" in text
        assert "Turn it around" in text
        await press(pilot, "r")
        assert toasts(app)[-1] == "That is the text as it is now."
        await press(pilot, "j", "r")
        assert type(app.screen).__name__ == "Verdict"
        await press(pilot, "ctrl+s")
        assert decisions.read_text() == first
        await press(pilot, "u")
        assert "Append, never replace" in decisions.read_text()

    play(app, script)


def test_without_git_an_entry_has_no_history_to_show(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- One.\n")
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "h")
        assert toasts(app)[-1] == "There is no git repository here."
        await press(pilot, "c")
        assert toasts(app)[-1] == "There is no git repository here."

    play(app, script)


# Stage and commit.


@pytest.mark.slow
def test_a_commit_holds_just_the_files_of_the_session(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    (tmp_path / "src/app.py").write_text("changed = True\n")
    (folder / "brief.md").write_text("# Brief\n\nChanged by someone else.\n")
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "c")
        assert "Nothing to commit" in toasts(app)[-1]
        await press(pilot, "s")
        await type_(pilot, "Not now")
        await press(pilot, "enter")
        await press(pilot, "c")
        text = screen_text(app)
        assert "Stage and commit · 2 files on main" in text
        assert "Struck" in text
        await press(pilot, "enter")
        assert toasts(app)[-1].startswith("Committed as ")
        await press(pilot, "c")
        assert "Nothing to commit" in toasts(app)[-1]

    play(app, script)
    assert sorted(git(tmp_path, "show", "--name-only", "--format=", "HEAD").split()) == [
        f"{MEMORY}/changelog.md",
        f"{MEMORY}/inbox.md",
    ]
    assert git(tmp_path, "log", "-1", "--format=%s").startswith("Struck ")
    assert sorted(git(tmp_path, "diff", "--name-only").split()) == [f"{MEMORY}/brief.md", "src/app.py"]


@pytest.mark.slow
def test_in_the_middle_of_a_merge_files_are_staged_and_nothing_is_committed(tmp_path: Path) -> None:
    demo(tmp_path)
    conflicting(tmp_path, {"other.txt": ("ours\n", "theirs\n")})
    app = bench(tmp_path)
    head = git(tmp_path, "rev-parse", "HEAD")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "Not now")
        await press(pilot, "enter", "c")
        text = screen_text(app)
        assert "Stage · 2 files on main · a merge is under way" in text
        assert "git merge --continue" in text
        assert not app.screen.query("#commit-yes")
        await press(pilot, "ctrl+s")
        assert toasts(app)[-1] == "End it yourself: git merge --continue."
        await press(pilot, "enter")
        assert "nothing is committed" in toasts(app)[-1]

    play(app, script)
    assert git(tmp_path, "rev-parse", "HEAD") == head
    assert f"M  {MEMORY}/inbox.md" in git(tmp_path, "status", "--porcelain")


@pytest.mark.slow
def test_the_message_can_be_edited_and_staging_alone_commits_nothing(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "Not now")
        await press(pilot, "enter", "c")
        app.screen.query_one("#commit-stage", Button).press()
        await settle(pilot)
        assert "nothing is committed" in toasts(app)[-1]
        assert sorted(git(tmp_path, "diff", "--cached", "--name-only").split()) == [
            f"{MEMORY}/changelog.md",
            f"{MEMORY}/inbox.md",
        ]
        await press(pilot, "c")
        app.screen._message.text = "  "  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s")
        assert toasts(app)[-1] == "A commit needs a message."
        app.screen._message.text = "My own words"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s")

    play(app, script)
    assert git(tmp_path, "log", "-1", "--format=%s").strip() == "My own words"


@pytest.mark.slow
def test_a_hook_that_refuses_keeps_the_dialog_and_says_its_words(tmp_path: Path) -> None:
    demo(tmp_path)
    hook = tmp_path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'the hook [/b] says no' >&2\nexit 1\n")
    hook.chmod(0o755)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "Not now")
        await press(pilot, "enter", "c", "enter")
        assert "the hook [/b] says no" in screen_text(app)
        await press(pilot, "escape")
        assert type(app.screen).__name__ == "Commit"

    play(app, script)
    assert git(tmp_path, "log", "--format=%s").strip() == "Begin"


# Interrupted, read-only.


def test_an_interrupted_transaction_has_a_banner_and_is_recovered_from_it(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    interrupted(tmp_path)
    app = bench(tmp_path)
    assert app.desk.pending()

    async def script(pilot: Pilot[Any]) -> None:
        text = screen_text(app)
        assert "✕ Interrupted (R recovers it): Rejected" in text
        await press(pilot, "R")
        text = screen_text(app)
        assert "as it was going to be" in text
        assert "it is completed" in text
        await press(pilot, "enter")
        assert toasts(app)[-1].startswith("Recovered.")
        assert "Interrupted" not in screen_text(app)
        assert app.desk.pending() == []

    play(app, script)
    assert "encrypting" not in (folder / "inbox.md").read_text()
    assert "Rejected" in (folder / "changelog.md").read_text()


@pytest.mark.slow
def test_recovery_can_be_left_for_later(tmp_path: Path) -> None:
    demo(tmp_path)
    interrupted(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "R", "escape")
        assert snapshot(tmp_path) == before
        assert "Interrupted" in screen_text(app)

    play(app, script, (80, 24))


def test_another_head_makes_recovery_ask(tmp_path: Path) -> None:
    folder = demo(tmp_path)
    before = (folder / "changelog.md").read_text(), (folder / "inbox.md").read_text()
    interrupted(tmp_path)
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "Elsewhere"], cwd=tmp_path, check=True)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "R")
        assert "Answer the question first" in screen_text(app)
        await press(pilot, "2", "enter")
        assert app.desk.pending() == []

    play(app, script)
    assert ((folder / "changelog.md").read_text(), (folder / "inbox.md").read_text()) == before


def test_nothing_to_recover_is_said(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "R")
        assert toasts(app)[-1] == "Nothing was interrupted."

    play(app, script)


@pytest.mark.slow
def test_a_store_of_a_newer_protocol_is_read_only_with_the_reason(tmp_path: Path) -> None:
    folder = custodian_store(tmp_path, version="0.9", inbox="# Inbox\n\n- One.\n")
    before = snapshot(folder)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        assert "! Read-only: The store follows protocol 0.9" in screen_text(app)
        for key in ("p", "s", "r", "e", "a"):
            await press(pilot, key)
            assert type(app.screen).__name__ == "Screen", key
            assert "protocol" in toasts(app)[-1]
        for pane in ("2", "5", "6"):
            await press(pilot, pane)
        assert app.current == "history"

    play(app, script)
    assert snapshot(folder) == before


# The editor, panes to come.


def test_the_editor_opens_the_file_at_the_line_and_what_it_wrote_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "it is [b] here"
    root.mkdir()
    folder = demo(root)
    place = editor(tmp_path, f'echo "$@" > {tmp_path}/args; echo "- A new one." >> "$2"')
    monkeypatch.setenv("VISUAL", f"{place} --wait")
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        pane = app.pane
        assert isinstance(pane, InboxPane)
        before = pane.lines.total
        await press(pilot, "o")
        assert (tmp_path / "args").read_text().startswith("--wait ")
        assert str(folder / "inbox.md") in (tmp_path / "args").read_text()
        assert pane.lines.total == before + 1

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "words"), [("/no/such/editor", "can't be started"), ("false", "ended with 1")])
def test_an_editor_that_fails_is_said_and_the_workbench_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, words: str
) -> None:
    demo(tmp_path)
    monkeypatch.setenv("VISUAL", command)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "o")
        assert words in screen_text(app)
        await press(pilot, "escape", "j")
        assert app.is_running

    play(app, script)


@pytest.mark.slow
def test_the_text_of_an_edit_in_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = demo(tmp_path)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "sed -i 's/encrypting/sealing/' \"$1\""))
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        pane = app.pane
        assert isinstance(pane, InboxPane)
        pane.return_to(next(row.key for row in pane.lines.rows if "encrypting" in row.item.entry.text))
        await settle(pilot)
        await press(pilot, "e", "ctrl+o")
        assert "sealing" in screen_text(app)
        await press(pilot, "ctrl+s")

    before = (folder / "inbox.md").read_text()
    play(app, script)
    assert (folder / "inbox.md").read_text() == before.replace("encrypting", "sealing")
