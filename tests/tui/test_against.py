"""The Context pane against main: what a branch adds to and takes from every task's pack, as a reviewer sees it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.messages import StoreChanged
from memdesk.tui.panes.against import Against
from memdesk.tui.panes.context import ContextPane
from memdesk.tui.widgets.finder import Finder
from tests.support import pulls
from tests.support.benches import bench
from tests.support.pilots import inspected, play, press, screen_text, settle, toasts, type_
from tests.support.reviewing import branch, edit
from tests.support.stores import MEMORY, custodian_store, git, git_repo, manifest, put, snapshot

SLOW = pytest.mark.slow


def pane_of(app: Any) -> ContextPane:
    assert isinstance(app.pane, ContextPane)
    return app.pane


def shown(app: Any) -> Against:
    found = pane_of(app).against
    assert found is not None
    return found


def lines(finder: Finder, width: int = 70) -> list[str]:
    """The list as it is drawn in so many cells."""
    return ["".join(piece.text for piece in finder.lines._draw(row.item, width)).rstrip() for row in finder.lines.shown]


async def choose(pilot: Pilot[Any], task: str) -> list[str]:
    """Select a task, or a module; its account as lines."""
    against = shown(pilot.app)
    row = next(row for row in against.tasks.lines.rows if getattr(row.item, "name", "") == task)
    assert against.tasks.lines.select(row.key)
    await settle(pilot)
    return [" ".join(line.split()) for line in lines(against.account)]


async def pick(pilot: Pilot[Any], words: str) -> str:
    """Go to the line of the account that holds words; what is shown of it."""
    against = shown(pilot.app)
    against.account.take_focus()
    row = next(row for row, line in zip(against.account.lines.shown, lines(against.account), strict=True) if words in line)
    assert against.account.lines.select(row.key)
    await settle(pilot)
    return against.reading.plain


def worked(root: Path) -> Path:
    """The pull request of `pulls` on a branch of its own, committed; the store's folder."""
    store = pulls.base(root)
    git(root, "checkout", "-q", "-b", "work")
    pulls.pull(root)
    pulls.commit(root)
    return store


def test_a_reviewer_sees_at_a_glance_which_tasks_change_and_by_how_much(tmp_path: Path) -> None:
    branch(tmp_path)
    app = bench(tmp_path, "context")
    before, status = snapshot(tmp_path), git(tmp_path, "status", "--porcelain=v2", "--branch")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        against = shown(app)
        base = git(tmp_path, "rev-parse", "main").strip()
        assert str(against.tasks.border_title) == f"Against main (merge base {base[:7]})"
        assert lines(against.tasks) == [
            "≠ planning        795 → 814    +2 ~3 →1 ✕1",
            "≠ implementation  733 → 740    +2 −1 ~3 ✕1",
            "≠ artifact        314 → 310    ~2 →1",
            "≠ preferences     168 → 180    +1",
            "≠ history         522 → 562    +1 ~1",
            "≠ maintenance     1405 → 1424  +2 ~3 →1 ✕1",
            "= general         106  the same",
            "Can be asked for  3 are the same",
            "≠ area:session    0 → 118      +3",
            "≠ area:storage    118 → 0      −3",
        ]
        assert str(against._why.render()) == "planning · 795 → 814 tokens (+19): 2 gained, 3 changed, 1 moved, 1 now omitted."
        assert (await choose(pilot, "planning"))[:10] == [
            "constraints.md",
            "~ Starts in under 150 ms with 10,000 notes (observed 202… changed 30",
            "~ Notes never leave the machine: no telemetry and no… changed 18→14",
            "decisions.md",
            "+ 2026-11-20 - Export as Markdown too gained 37",
            "~ 2026-10-19 - Export as plain text changed 72→75",
            "do-not-use.md",
            "+ Tombstone: Sync over mail gained 35",
            "✕ Tombstone: Curses interface now omitted 52",
            "preferences.md",
        ]
        await press(pilot, "v")
        assert pane_of(app).against is None
        assert pane_of(app).choices.has_focus_within
        assert "===== docs/memory/brief.md =====" in screen_text(app)

    play(app, script)
    assert snapshot(tmp_path) == before
    assert git(tmp_path, "status", "--porcelain=v2", "--branch") == status


@SLOW
def test_each_line_says_what_became_of_an_entry_for_this_task(tmp_path: Path) -> None:
    worked(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        # Implementation doesn't load preferences: what moved there is lost. Maintenance loads both.
        assert "− Never deletes a count. lost 6" in await choose(pilot, "implementation")
        lost = await pick(pilot, "lost")
        assert f"− lost · {MEMORY}/constraints.md:4 in main" in lost
        assert f"The same text is here at {MEMORY}/preferences.md:4." in lost
        assert "→ Never deletes a count. moved 6" in await choose(pilot, "maintenance")
        assert f"→ moved · {MEMORY}/constraints.md:4 → {MEMORY}/preferences.md:4" in await pick(pilot, "moved")
        assert "+ Tombstone: One big table gained 33" in await choose(pilot, "planning")
        whole = await pick(pilot, "One big table")
        assert pulls.STONE.strip() in whole
        # Ten tokens fewer: what no longer fits names the unit before it that fills the budget, and the budget.
        assert "✕ 2026-04-01 - Sort by day now omitted 26" in await choose(pilot, "history")
        omitted = await pick(pilot, "Sort by day")
        assert f"it would not fit: 26 + 26 of {pulls.BUDGET - 10} tokens." in omitted
        assert "## 2026-04-01 - Sort by day" in omitted
        # The renamed area: gone under one name, new under the other, each with the other's name.
        assert [line for line in await choose(pilot, "area:storage") if "note" in line] == [
            "· note · 2 of its 2 entries are in area:files now, which is new"
        ]
        gained = await choose(pilot, "area:files")
        assert gained[:3] == ["areas/files.md loads now", "+ One file for each site. gained 7", "+ CSV alone. gained 4"]
        against = shown(app)
        against.take_focus()
        await settle(pilot)
        assert await choose(pilot, "general") == ["areas/files.md is new, and stays out", "areas/storage.md is gone"]
        assert "An agent reads the same for it as at main." in against.reading.plain

    play(app, script, (160, 50))


@SLOW
@pytest.mark.parametrize("size", [(160, 50), (80, 24), (40, 12)])
def test_a_changed_entry_stands_whole_before_and_after_with_the_words_that_differ_marked(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    branch(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        text = await pick(pilot, "Notes never")
        reading = shown(app).reading
        assert f"~ changed · {MEMORY}/constraints.md:10 → 9" in text
        assert "- Notes never leave the machine: no telemetry, no crash reports, no update check." in text
        assert "- Notes never leave the machine: no telemetry and no crash reports." in text
        marked = [piece.text for para in reading._paras for piece in para.pieces if "differs" in piece.role]
        assert marked == [",", ", no update check", "and"]
        assert reading.beside == (size[0] >= 100)
        await press(pilot, "enter")
        assert "Notes never leave the" in inspected(app, f"{size}"), "in a narrow terminal alone on the screen"
        await press(pilot, "escape")
        assert shown(app).account.has_focus_within

    play(app, script, size)


def test_a_revision_that_git_does_not_know_stays_typed_beside_what_it_says(tmp_path: Path) -> None:
    worked(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "b")
        against = shown(app)
        before = lines(against.tasks)
        assert len(before) == 10, "compared with main meanwhile"
        await type_(pilot, "mian")
        await press(pilot, "enter")
        assert str(against._why.render()).startswith("git does not know the revision 'mian'. Did you mean main?")
        assert " mian " in screen_text(app)
        assert against._base.value == "mian"
        assert against._base.has_focus
        assert lines(against.tasks) == before
        await press(pilot, *["backspace"] * 4)
        await type_(pilot, "HEAD")
        await press(pilot, "enter")
        assert not against._base.display
        head = git(tmp_path, "rev-parse", "HEAD")[:7]
        assert str(against.tasks.border_title) == f"Against HEAD ({head})"
        assert {line.split()[0] for line in lines(against.tasks)[:7]} == {"="}
        assert "b compares with another revision, such as HEAD~1 or a tag." in against.reading.plain
        await press(pilot, "b", "x", "escape")
        assert str(against.tasks.border_title) == f"Against HEAD ({head})", "Escape leaves it"
        assert against.tasks.has_focus_within

    play(app, script)


@SLOW
def test_a_branch_that_went_on_is_said_and_where_it_was_left_can_be_asked_for(tmp_path: Path) -> None:
    store = worked(tmp_path)
    git(tmp_path, "checkout", "-q", "main")
    edit(store / "constraints.md", "- Runs", "- Asks before it deletes.\n- Runs")
    pulls.commit(tmp_path)
    git(tmp_path, "checkout", "-q", "work")
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        own = lines(shown(app).tasks)
        assert "! " not in shown(app).reading.plain
        assert "− Asks before it deletes. lost 6" not in await choose(pilot, "implementation")
        await press(pilot, "b")
        await type_(pilot, "main")
        await press(pilot, "enter")
        assert "main has gone on since this left it" in shown(app).reading.plain
        assert "main... compares with where this left it." in shown(app).reading.plain
        assert "--base" not in shown(app).reading.plain
        assert "− Asks before it deletes. lost 6" in await choose(pilot, "implementation")
        await press(pilot, "b", "end")
        await type_(pilot, "...")
        await press(pilot, "enter")
        assert lines(shown(app).tasks) == own

    play(app, script)


def _no_git(root: Path) -> None:
    custodian_store(root)


def _no_commit(root: Path) -> None:
    custodian_store(root)
    git_repo(root, commit=False)


def _no_main(root: Path) -> None:
    custodian_store(root)
    git_repo(root)
    git(root, "branch", "-m", "topic")


def _unrelated(root: Path) -> None:
    custodian_store(root)
    git_repo(root)
    git(root, "checkout", "-q", "--orphan", "new")
    git(root, "commit", "-q", "-m", "Anew")


def _no_store(root: Path) -> None:
    put(root, "README.md", "# Nothing\n")
    git_repo(root)


def _shallow(root: Path) -> None:
    """A clone of one branch's newest commit beside main's newest: what came before both is not here."""
    origin = root.parent / "origin"
    worked(origin)
    git(origin, "checkout", "-q", "main")
    put(origin, "README.md", "# Plover\n")
    pulls.commit(origin)
    git(root.parent, "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "work", f"file://{origin}", str(root))


NOTHING = [
    (_no_git, ["There is no git repository here: there is nothing to compare with.", "git init makes one."]),
    (_no_commit, ["Nothing is committed here yet: there is nothing to compare with.", "git add -A, then git commit."]),
    (_no_main, ["No main branch is known here", "git remote set-head origin --auto", "b names a branch, a tag or a commit"]),
    (_unrelated, ["main and this have no common commit here.", "b names a branch, a tag or a commit"]),
    (_no_store, ["There is no store here, nor was one at main.", "memdesk init makes one"]),
    (_shallow, ["This clone is shallow, so it is not known here where this left origin/main.", "git fetch --unshallow"]),
]


@SLOW
@pytest.mark.parametrize(("made", "words"), NOTHING, ids=[made.__name__.strip("_") for made, _ in NOTHING])
def test_where_there_is_nothing_to_compare_with_it_says_what_to_do(tmp_path: Path, made: Any, words: Sequence[str]) -> None:
    root = tmp_path / "here"
    made(root)
    app = bench(root, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        said = " ".join(str(shown(app).tasks._state.render()).split())
        for part in words:
            assert part in said
        for key in ("t", "enter", "space", "o", "y", "Y", "P", "w", "h", "i", "tab", "j", "slash", "escape", "n"):
            await press(pilot, key)
            inspected(app, key)
        assert app.is_running

    play(app, script, (80, 24))


@SLOW
def test_what_the_shallow_clone_does_have_can_be_compared_with_by_its_name(tmp_path: Path) -> None:
    root = tmp_path / "here"
    _shallow(root)
    app = bench(root, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v", "b")
        await type_(pilot, "origin/main")
        await press(pilot, "enter")
        assert lines(shown(app).tasks)[0].startswith("≠ planning        108 → 121")
        assert "it is not known here whether origin/main has gone on since this left it" in shown(app).reading.plain

    play(app, script)


@SLOW
def test_a_base_that_cannot_be_routed_is_named_and_the_rest_is_shown(tmp_path: Path) -> None:
    bad = manifest().replace("- `decisions.md`", "- `../outside.md`", 1)
    custodian_store(tmp_path, manifest=bad)
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "mend")
    put(tmp_path, f"{MEMORY}/manifest.md", manifest())
    pulls.commit(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        assert lines(shown(app).tasks)[0] == "✕ planning        no pack"
        assert (await choose(pilot, "planning"))[0].startswith(f"✕ no pack · main: {MEMORY}/manifest.md:")
        assert "outside.md" in await pick(pilot, "no pack")

    play(app, script)


@SLOW
def test_edits_and_commits_from_outside_show_by_themselves_and_the_selection_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdesk.tui.panes.against.POLL", 3600.0)
    store = worked(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        against = shown(app)
        await choose(pilot, "planning")
        await pick(pilot, "Sort by day")
        key = against.account.lines.key
        stone = "## Tombstone: Faxes\n\nReason: none has one.\n\n## Tombstone: Cloud"
        edit(store / "do-not-use.md", "## Tombstone: Cloud", stone)
        app.post_message(StoreChanged(frozenset({f"{MEMORY}/do-not-use.md"})))
        await settle(pilot)
        assert lines(against.tasks)[0].startswith("≠ planning        108 → 132  +3 ✕1")
        assert against.account.lines.key == key
        assert against.account.has_focus_within
        # The work is merged: from now on main is where it is, and but for the new tombstone nothing differs.
        git(tmp_path, "branch", "-f", "main", "HEAD")
        against._look()
        await settle(pilot)
        assert lines(against.tasks)[0].startswith("≠ planning        121 → 132  +1")
        pulls.commit(tmp_path)
        git(tmp_path, "branch", "-f", "main", "HEAD")
        against._look()
        await settle(pilot)
        assert lines(against.tasks)[0] == "= planning        132  the same"
        assert str(against.account._state.render()) == "= The same as at main."
        # Behind the pack nothing is compared; coming back does.
        await press(pilot, "v")
        edit(store / "do-not-use.md", "Faxes", "Fax machines")
        app.post_message(StoreChanged(frozenset({f"{MEMORY}/do-not-use.md"})))
        await settle(pilot)
        assert "Fax machines" in pane_of(app).reading.plain
        await press(pilot, "v")
        assert "≠ planning" in lines(against.tasks)[0]
        edit(store / "do-not-use.md", "Fax machines", "Telegrams")
        app.post_message(StoreChanged(frozenset({f"{MEMORY}/do-not-use.md"})))
        await settle(pilot)
        await press(pilot, "v")
        assert "Telegrams" in pane_of(app).reading.plain, "the pack caught up"

    play(app, script)


@SLOW
def test_a_base_that_goes_away_is_said_once_and_one_that_comes_back_is_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdesk.tui.panes.against.POLL", 3600.0)
    worked(tmp_path)
    git(tmp_path, "branch", "release", "main")
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "b")
        await type_(pilot, "release")
        await press(pilot, "enter")
        against, turns = shown(app), []
        whole = lines(against.tasks)
        git(tmp_path, "branch", "-D", "release")
        for _ in range(3):
            against._look()
            await settle(pilot)
            turns.append(against.looks._turn)
        assert len(set(turns)) == 1, "it is not compared again and again"
        assert "git does not know the revision 'release'." in str(against.tasks._state.render())
        assert lines(against.account) == []
        git(tmp_path, "branch", "release", "main")
        against._look()
        await settle(pilot)
        assert lines(against.tasks) == whole

    play(app, script)


@SLOW
def test_it_says_that_it_compares_and_escape_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked(tmp_path)
    tools, gate = tmp_path / "tools", tmp_path / "gate"
    tools.mkdir()
    os.mkfifo(gate)
    real = next(f"{folder}/git" for folder in os.environ["PATH"].split(":") if os.access(f"{folder}/git", os.X_OK))
    (tools / "git").write_text(f'#!/bin/sh\n[ -e {tmp_path}/hold ] && read go < {gate}\nexec {real} "$@"\n')
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    app = bench(tmp_path, "context")

    async def until(pilot: Pilot[Any], words: str) -> None:
        while words not in screen_text(app):
            await pilot.pause()
            await asyncio.sleep(0)

    async def script(pilot: Pilot[Any]) -> None:
        (tmp_path / "hold").touch()
        await pilot.press("v")
        await until(pilot, "⋯ comparing · Esc stops")
        assert "Comparing the packs…" in screen_text(app)
        assert pane_of(app).has_class("-against")
        await pilot.press("escape")
        await until(pilot, "Stopped before anything was compared.")
        assert "^r compares again." in screen_text(app)
        (tmp_path / "hold").unlink()
        gate.write_text("go\n")
        await settle(pilot)
        assert shown(app).found is None, "what was called off goes nowhere"
        await press(pilot, "ctrl+r")
        assert lines(shown(app).tasks)[0].startswith("≠ planning")
        await press(pilot, "escape")
        assert pane_of(app).against is None, "nothing is under way: Escape goes back to the pack"

    play(app, script)


@SLOW
def test_open_copy_and_verdicts_are_about_the_working_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = worked(tmp_path)
    edit(store / "constraints.md", "- Runs without a network connection.\n", "")
    put(tmp_path, "ed.sh", f'#!/bin/sh\necho "$@" > {tmp_path}/opened\n')
    os.chmod(tmp_path / "ed.sh", 0o755)
    monkeypatch.setenv("EDITOR", str(tmp_path / "ed.sh"))
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        await choose(pilot, "implementation")
        assert "It is only in main." in await pick(pilot, "Runs without")
        await press(pilot, "o")
        assert toasts(app)[-1] == f"It is only in main: {MEMORY}/constraints.md:3 is not what it was here."
        assert not (tmp_path / "opened").exists()
        await press(pilot, "w")
        assert toasts(app)[-1].startswith("It is only in main")
        await press(pilot, "y")
        assert app.clipboard == "- Runs without a network connection."
        await press(pilot, "s")
        assert toasts(app)[-1] == "Nothing is selected.", "what is gone can't be struck"
        await pick(pilot, "Never deletes")
        await press(pilot, "o")
        assert f"{MEMORY}/preferences.md" in (tmp_path / "opened").read_text(), "there the same text is now"
        await pick(pilot, "One big table")
        await press(pilot, "o")
        assert f"{MEMORY}/do-not-use.md" in (tmp_path / "opened").read_text()
        await press(pilot, "y")
        assert app.clipboard == pulls.STONE.strip()
        await press(pilot, "w")
        assert f"What loads {MEMORY}/do-not-use.md:3" in screen_text(app)
        await press(pilot, "escape", "s")
        assert type(app.screen).__name__ == "Verdict"
        await press(pilot, "escape", "P")
        title = "### Memory: what every task's pack gains and loses"
        assert app.clipboard.startswith(f"{title}\n\n`the merge base with main` (")

    play(app, script)


@SLOW
def test_the_lists_are_filtered_and_t_goes_to_the_next_task_that_differs(tmp_path: Path) -> None:
    worked(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "t", "v")
        against = shown(app)
        name = against.tasks.lines.item.name
        assert name == "implementation", "the task whose pack was shown"
        seen = []
        for _ in range(8):
            await press(pilot, "t")
            seen.append(against.tasks.lines.item.name)
        assert seen == [
            "artifact", "preferences", "history", "maintenance", "area:files", "area:storage", "planning", "implementation",
        ]
        await press(pilot, "slash")
        await type_(pilot, "lost")
        assert [line.split()[1] for line in lines(against.tasks) if "≠" in line] == ["implementation", "area:storage"]
        assert "areas/storage.md" not in "".join(lines(against.account)[:1])
        await press(pilot, "enter", "n")
        assert against.tasks.lines.item.name == "area:storage"
        await press(pilot, "escape", "tab", "slash")
        await type_(pilot, "zzzz")
        assert "No file or entry holds these words." in screen_text(app)
        await press(pilot, "escape", "escape")
        assert pane_of(app).against is None

    play(app, script)


HOSTILE = "- A \x1b]0;title\x07 [@click=app.exit]click[/] \u202e API_KEY=sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c\n"


@SLOW
@pytest.mark.parametrize(("theme", "size"), [("dark", (120, 36)), ("no-colour", (80, 24)), ("ansi-16", (40, 12))])
def test_memory_text_is_harmless_secrets_are_masked_in_lists_and_no_hue_stands_alone(
    tmp_path: Path, theme: str, size: tuple[int, int]
) -> None:
    store = custodian_store(tmp_path, constraints=f"# Constraints\n\n{HOSTILE}- Kept.\n")
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "x-b]y")
    put(store, "constraints.md", f"# Constraints\n\n- Kept.\n- New, and also hostile:{HOSTILE[1:]}")
    app = bench(tmp_path, "context")
    app.theme = theme

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "v")
        assert "sk-live-4f9a" not in inspected(app, "tasks").split("What changes")[0]
        await choose(pilot, "implementation")
        listed = "\n".join(lines(shown(app).account))
        assert "sk-live-4f9a" not in listed
        assert " changed " in listed
        for key in ("tab", "j", "j", "j", "enter", "G", "escape", "v"):
            await press(pilot, key)
            inspected(app, key)

    play(app, script, size)
