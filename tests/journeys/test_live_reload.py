"""Someone else edits the files while a list has the focus, a form holds typed words, or a confirmation is up (F26)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.events import AppFocus
from textual.pilot import Pilot
from textual.widgets import Input

from memdesk.tui import live
from memdesk.tui.messages import StoreChanged
from memdesk.tui.panes.inbox import InboxPane
from memdesk.tui.widgets.form import ManyLines
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, git, git_repo, snapshot

INBOX = "# Inbox\n\n## 2026-11-20\n\n" + "".join(f"- [observed] Site {number} counts waders.\n" for number in range(20))
CHOSEN = "Site 7 counts waders."


def rewritten(inbox: Path) -> None:
    inbox.write_text(inbox.read_text().replace("- [observed] Site 3", "- [observed] A new one.\n- [observed] Site 3"))


def renamed_over(inbox: Path) -> None:
    beside = inbox.with_name(".inbox.swp")
    beside.write_text(inbox.read_text().replace("- [observed] Site 3", "- [observed] A new one.\n- [observed] Site 3"))
    os.replace(beside, inbox)


def same_size_same_time(inbox: Path) -> None:
    status = inbox.stat()
    inbox.write_text(inbox.read_text().replace("Site 3 counts waders", "Site 3 counts grouse"))
    os.utime(inbox, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert inbox.stat().st_size == status.st_size


def deleted(inbox: Path) -> None:
    inbox.unlink()


def replaced_by_a_folder(inbox: Path) -> None:
    inbox.unlink()
    inbox.mkdir()


def other_branch(inbox: Path) -> None:
    git(inbox.parents[2], "checkout", "-q", "other")


KEEPING = [
    rewritten, other_branch, pytest.param(renamed_over, marks=pytest.mark.slow),
    pytest.param(same_size_same_time, marks=pytest.mark.slow),
]
TAKING = [deleted, replaced_by_a_folder]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDITOR", "true")
    folder = custodian_store(tmp_path, inbox=INBOX)
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "other")
    (folder / "inbox.md").write_text(INBOX.replace("- [observed] Site 3 counts waders.\n", ""))
    git(tmp_path, "commit", "-q", "-am", "Without site 3")
    git(tmp_path, "checkout", "-q", "main")
    return folder


async def edit(pilot: Pilot[Any], store: Path, change: Callable[[Path], None]) -> None:
    """The change, and what the watcher would tell of it."""
    change(store / "inbox.md")
    pilot.app.post_message(StoreChanged(frozenset({f"{MEMORY}/inbox.md"})))
    await settle(pilot)


def inbox_of(app: Any) -> InboxPane:
    pane = app.pane
    assert isinstance(pane, InboxPane)
    return pane


async def choose(pilot: Pilot[Any], words: str = CHOSEN) -> None:
    pane = inbox_of(pilot.app)
    pane.lines.select(next(row.key for row in pane.lines.rows if words in row.item.entry.text))
    await settle(pilot)


@pytest.mark.parametrize("change", KEEPING, ids=lambda each: each.__name__)
def test_a_focused_list_keeps_selection_marks_filter_and_scroll(
    store: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox_of(app)
        await choose(pilot)
        await press(pilot, "space", "k")
        await settle(pilot)
        assert pane.lines.marks
        top = pane.lines.scroll_offset.y
        before = pane.lines.total
        await edit(pilot, store, change)
        assert pane.entry is not None
        assert pane.entry.text.endswith(CHOSEN)
        assert len(pane.lines.marks) == 1
        assert pane.lines.scroll_offset.y == top
        assert pane.lines.has_focus
        assert pane.lines.total == before + {"rewritten": 1, "renamed_over": 1, "other_branch": -1}.get(change.__name__, 0)
        assert type(app.screen).__name__ == "Screen", "no dialog for a change outside"

    play(app, script, (80, 24))


@pytest.mark.slow
@pytest.mark.parametrize("change", TAKING, ids=lambda each: each.__name__)
def test_a_file_that_goes_under_a_focused_list(store: Path, tmp_path: Path, change: Callable[[Path], None]) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await choose(pilot)
        await edit(pilot, store, change)
        assert inbox_of(app).lines.total == 0
        assert "Nothing waits" in screen_text(app) or "✕" in screen_text(app)
        for key in ("p", "s", "e", "o", "enter", "w", "y"):
            await press(pilot, key)
        assert app.is_running

    play(app, script, (80, 24))


@pytest.mark.slow
@pytest.mark.parametrize("change", [*KEEPING, *TAKING], ids=lambda each: each.__name__)
def test_typed_words_stay_and_nothing_is_written_by_itself(store: Path, tmp_path: Path, change: Callable[[Path], None]) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await choose(pilot)
        await press(pilot, "p", "1")
        await type_(pilot, "Counts are kept")
        await edit(pilot, store, change)
        assert type(app.screen).__name__ == "Verdict"
        typed = [field.value for field in app.screen.query(Input)] + [field.text for field in app.screen.query(ManyLines)]
        assert "Counts are kept" in typed
        now = snapshot(store)
        await press(pilot, "enter")
        if change in TAKING:
            assert snapshot(store) == now
            assert type(app.screen).__name__ in ("Verdict", "Notice")
        else:
            assert "Counts are kept" in (store / "decisions.md").read_text()
            assert CHOSEN not in (store / "inbox.md").read_text()
            others = [line for line in now["inbox.md"].decode().split("\n") if CHOSEN not in line]
            assert (store / "inbox.md").read_text().split("\n") == others, "the other's edit is kept to the byte"

    play(app, script)


@pytest.mark.slow
def test_the_candidate_itself_changes_under_a_ready_confirmation(store: Path, tmp_path: Path) -> None:
    app = bench(tmp_path)

    def own(inbox: Path) -> None:
        inbox.write_text(inbox.read_text().replace(CHOSEN, "Site 7 counts waders and rails."))

    async def script(pilot: Pilot[Any]) -> None:
        await choose(pilot)
        await press(pilot, "p", "2")
        assert type(app.screen).__name__ == "Verdict"
        await edit(pilot, store, own)
        now = snapshot(store)
        text = screen_text(app)
        assert "as it was" in text
        assert "as it is now" in text
        await press(pilot, "enter")
        assert snapshot(store) == now, "Enter is disarmed until another key was pressed"
        await press(pilot, "down", "up", "enter")
        assert "waders and rails" in (store / "constraints.md").read_text()

    play(app, script)


def test_a_burst_makes_one_notice(store: Path, tmp_path: Path) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        for number, name in enumerate(("brief.md", "constraints.md", "decisions.md", "do-not-use.md", "inbox.md")):
            path = store / name
            path.write_text(path.read_text() + f"\n- Another line {number}.\n")
            app.post_message(StoreChanged(frozenset({f"{MEMORY}/{name}"})))
        await settle(pilot)
        await pilot.pause(live.QUIET + 0.1)
        told = [words for words in toasts(app) if words.startswith("Changed outside")]
        assert told == ["Changed outside: brief.md, constraints.md, decisions.md and 2 more."]

    play(app, script)


@pytest.mark.slow
def test_our_own_writing_is_no_change_outside(store: Path, tmp_path: Path) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await choose(pilot)
        await press(pilot, "p", "2", "enter")
        app.post_message(StoreChanged(frozenset({f"{MEMORY}/inbox.md", f"{MEMORY}/constraints.md"})))
        await settle(pilot)
        await pilot.pause(live.QUIET + 0.1)
        assert not [words for words in toasts(app) if words.startswith("Changed outside")]

    play(app, script)


def test_settings_that_break_leave_the_old_reading_under_a_banner(store: Path, tmp_path: Path) -> None:
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        (tmp_path / "memdesk.toml").write_text("[budget]\nnear = 'much'\n")
        app.post_message(StoreChanged(frozenset({"memdesk.toml"})))
        await settle(pilot)
        text = screen_text(app)
        assert "What is shown is older than the files." in text
        assert "memdesk.toml:2" in text
        assert inbox_of(app).lines.total == 20
        (tmp_path / "memdesk.toml").unlink()
        app.post_message(StoreChanged(frozenset({"memdesk.toml"})))
        await settle(pilot)
        assert "older than the files" not in screen_text(app)

    play(app, script)


def test_coming_back_to_the_terminal_looks_at_the_files(store: Path, tmp_path: Path) -> None:
    """Correctness never hangs on events: nothing told of this change."""
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        rewritten(store / "inbox.md")
        app.post_message(AppFocus())
        await settle(pilot)
        assert inbox_of(app).lines.total == 21

    play(app, script)


def test_changes_appear_by_themselves(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the system's own events; once, end to end."""
    monkeypatch.setattr(live, "LATER", 0.01)
    app = bench(tmp_path, watch=True)

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox_of(app)
        limit = time.monotonic() + 10
        round_ = 0
        while pane.lines.total == 20 and time.monotonic() < limit:  # a change before the watch stands is told of by nobody
            round_ += 1
            inbox = store / "inbox.md"
            inbox.write_text(INBOX.replace("- [observed] Site 3", f"- [observed] New {round_}.\n- [observed] Site 3"))
            for _ in range(20):
                await pilot.pause(0.02)
        assert pane.lines.total == 21
        await settle(pilot)

    play(app, script)
