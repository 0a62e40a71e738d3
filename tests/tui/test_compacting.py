"""Compacting at the workbench: the account beside the draft, entries left out and taken back in, edits, a command's draft, what
comes meanwhile; nothing is written before the exact diff is confirmed."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.compact_rows import Above, Told
from memdesk.tui.dialogs.compacting import Accept, Compacting
from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.dialogs.features import Features
from memdesk.tui.dialogs.reason import Reason
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.panes.inbox_rows import Heading
from tests.support.agents import agent, gone, numbers
from tests.support.benches import TERMINAL, TODAY, bench
from tests.support.pilots import inspected, play, press, screen_text, settle, toasts, type_
from tests.support.stores import FRAGMENTS, JONGGRANG, feature_memory, fragment, git_repo, jonggrang_store, put, snapshot

STORE, MEMORY = ".jonggrang", ".jonggrang/.output/features/counts/MEMORY.md"
FILES = {
    f"{FRAGMENTS}/counts/task-002-2026-05-09T08-00-00-000Z.md": fragment(
        facts="- A file has at most 400 rows\n- Site codes have four letters", open="- Who sends the file of Upper Moor?",
    ),
}
LATE = f"{STORE}/{FRAGMENTS}/counts/task-003-2026-11-30T08-59-00-000Z.md"
HEADER = "The header may stand in the second row"


def opened(root: Path, pane: str | None = None, **files: str | None) -> Workbench:
    jonggrang_store(root, **{**FILES, **files})
    git_repo(root)
    return bench(root, pane)


def with_agent(root: Path, body: str) -> Workbench:
    """The workbench where the repository names a command for drafts, with a home of the person's own."""
    jonggrang_store(root / "repo", **FILES)
    (root / "tools").mkdir()
    (root / "repo/tools").mkdir()
    agent(root / "repo/tools", f"os.chdir({str(root / 'tools')!r})\n" + body)
    put(root, "repo/memdesk.toml", '[agent]\ncommand = ["tools/draft", "--[bold]"]\n')
    git_repo(root / "repo")
    desk = Desk.open(str(root / "repo"), clock=Clock(TODAY), user_config=None)
    return Workbench(desk, environ={**TERMINAL, "XDG_STATE_HOME": str(root / "home"), "PATH": os.environ["PATH"]})


def told(app: Workbench) -> dict[str, tuple[str, str]]:
    """Title -> state and where, of each entry in the account."""
    screen = app.screen
    assert isinstance(screen, Compacting)
    return {row.item.title: (row.item.row.state, row.item.where) for row in screen.lines.rows if isinstance(row.item, Told)}


async def choose(pilot: Pilot[Any], words: str) -> None:
    lines = pilot.app.screen.lines  # type: ignore[attr-defined]
    assert lines.select(next(row.key for row in lines.rows if row.key and words in _text(row.item)))
    await settle(pilot)


def _text(item: Any) -> str:
    return str(item.row.entry.text if isinstance(item, Told) else item.text)


def button(app: Workbench) -> Button:
    return app.screen.query_one("#compact-yes", Button)


def editor(root: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = root / "ed.sh"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(path))


def test_the_inbox_groups_by_feature_and_task(tmp_path: Path) -> None:
    other = f"{FRAGMENTS}/maps/task-010-2026-05-09T08-00-00-000Z.md"
    app = opened(tmp_path, **{other: fragment(free="Maps differ.")})

    async def script(pilot: Pilot[Any]) -> None:
        pane: Any = app.pane
        headings = [(row.item.path, row.item.size) for row in pane.lines.rows if isinstance(row.item, Heading)]
        assert headings == [
            (".jonggrang · counts · task-001", 2), (".jonggrang · counts · task-002", 4),
            (".jonggrang · counts · Promotion Candidates", 1), (".jonggrang · maps · task-010", 1),
        ]
        assert " 29w  ·         A file has at most 400 rows" in screen_text(app)
        assert "p Compact" in screen_text(app), "promoting what a fragment says"
        assert "M Compact" not in screen_text(app), "it is said once"
        await press(pilot, *"jjjjjj")
        assert " p Promote" in screen_text(app)
        assert "M Compact" in screen_text(app), "fragments of its feature wait"

    play(app, script)


@pytest.mark.slow
def test_compact_is_offered_where_fragments_wait(tmp_path: Path) -> None:
    app = opened(tmp_path, **dict.fromkeys(name for name in (*FILES, *JONGGRANG) if FRAGMENTS in name))

    async def script(pilot: Pilot[Any]) -> None:
        pane: Any = app.pane
        assert pane.count == 1, "a Promotion Candidate"
        assert "M Compact" not in screen_text(app)
        await press(pilot, "M")
        assert toasts(app)[-1] == "No fragment waits: there is nothing to compact."
        (tmp_path / MEMORY).write_text(feature_memory())
        app.reread(None)
        await settle(pilot)
        assert "memdesk add TEXT --feature F" in screen_text(app)

    play(app, script)


def test_every_entry_says_where_it_goes_and_the_draft_follows_the_selection(tmp_path: Path) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        screen = app.screen
        assert isinstance(screen, Compacting)
        rows = told(app)
        assert len(rows) == 7, "two entries have one title"
        assert rows["Site codes have four letters"] == ("carried", "19 Facts")
        assert rows["A file has at most 400 rows"] == ("folded", "17 Facts"), "the later of the two"
        assert rows["2026-05-08 task-002: two files had no header"] == ("carried", "24 What Done & Why")
        titles = [row.item.words for row in screen.lines.rows if isinstance(row.item, Above)]
        assert titles == [
            "task-001 · 2026-05-07 10:15 · Read a file", "task-002 · 2026-05-08 16:40 · Read all files",
            "task-002 · 2026-05-09 08:00 · Read all files", "progress notes",
        ]
        text = screen_text(app)
        assert "✓ 7 carried · = 1 folded · ✕ 0 left out · made without a model" in text
        assert "Compact 3 fragments and 2 notes into .output/features/counts/MEMORY.md…" in text
        await choose(pilot, "Upper Moor")
        assert "▌ 33 - Who sends the file of Upper Moor? (from" in screen_text(app)
        assert "task-002 · Open Questions / What Next" in screen_text(app), "what it says in full stands below the list"

    before = snapshot(tmp_path)
    play(app, script)
    assert snapshot(tmp_path) == before


@pytest.mark.slow
def test_one_is_left_out_with_a_reason_and_taken_back_in(tmp_path: Path) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        await choose(pilot, HEADER)
        await press(pilot, "x", "enter")
        assert isinstance(app.screen, Reason), "without a reason nothing is left out"
        await type_(pilot, "It was mended")
        await press(pilot, "enter")
        assert told(app)[HEADER] == ("left out", "It was mended")
        assert HEADER not in app.screen.shown.text  # type: ignore[attr-defined]
        assert "✕ left out" in screen_text(app)
        await press(pilot, "i")
        assert told(app)[HEADER] == ("carried", "29 Lessons Learned")
        await press(pilot, "i")
        assert toasts(app)[-1] == "It is in the draft."
        await press(pilot, "x")
        await type_(pilot, "No")
        await press(pilot, "escape", "escape")

    before = snapshot(tmp_path)
    play(app, script)
    assert snapshot(tmp_path) == before, "whoever leaves has changed nothing"


@pytest.mark.slow
def test_accepting_shows_the_exact_diff_and_one_undo_takes_all_of_it_back(tmp_path: Path) -> None:
    app = opened(tmp_path)
    before = snapshot(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p")
        assert isinstance(app.screen, Compacting), "what a fragment says is promoted by compacting"
        drafted = app.screen.shown.text  # type: ignore[union-attr]
        await press(pilot, "enter")
        assert isinstance(app.screen, Accept)
        assert "Compact counts: 7 carried, 1 folded; 3 fragments archived" in screen_text(app)
        assert "+ - Site codes have four letters (from task-002, 2026-05-09)" in screen_text(app)
        assert snapshot(tmp_path) == before
        await press(pilot, "enter")
        assert toasts(app)[-1].startswith("Compacted counts: 7 carried, 1 folded; 3 fragments archived.")
        assert (tmp_path / MEMORY).read_text() == drafted, "what was looked at is what was written"
        assert sorted(path.name for path in (tmp_path / STORE / FRAGMENTS).rglob("*.md")) == []
        assert len(list((tmp_path / STORE / ".ephemeral/memory/archive/counts").rglob("*.md"))) == 3
        await press(pilot, "u")

    play(app, script)
    assert {path: data for path, data in snapshot(tmp_path).items() if ".memdesk/" not in path} == before


@pytest.mark.slow
def test_an_edit_is_accounted_for_and_problems_stand_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(tmp_path)
    before = snapshot(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        editor(tmp_path, f"sed -i -e 's/{HEADER}.*/The header may stand anywhere/' -e '/^## Context/d' \"$1\"", monkeypatch)
        await press(pilot, "e")
        screen: Any = app.screen
        assert told(app)[HEADER] == ("left out", "no reason yet")
        assert "edited by you" in screen_text(app)
        assert str(button(app).label) == "2 problems first (n goes to the next)"
        assert button(app).disabled
        await press(pilot, "enter")
        assert isinstance(app.screen, Compacting)
        assert "The section 'Context' is missing." in screen.draft.plain
        await press(pilot, "G", "n", "n")
        assert screen.lines.item.title == HEADER, "the problem is about this one"
        await press(pilot, "x")
        await type_(pilot, "Reworded")
        await press(pilot, "enter")
        assert str(button(app).label) == "1 problem first (n goes to the next)"
        editor(tmp_path, "sed -i 's/^## Facts/## Context\\n\\n_(none yet)_\\n\\n## Facts/' \"$1\"", monkeypatch)
        await press(pilot, "e")
        assert not button(app).disabled
        await choose(pilot, "Site codes")
        await press(pilot, "x")
        await type_(pilot, "Told twice")
        await press(pilot, "enter")
        assert "Site codes" not in screen.shown.text, "it goes out of a text that a person wrote, too"
        assert "The header may stand anywhere" in screen.shown.text
        await press(pilot, "i")
        assert told(app)["Site codes have four letters"][0] == "carried"
        assert "The header may stand anywhere" in screen.shown.text, "and the rest stays as it was written"
        await press(pilot, "escape", "M")
        assert "The header may stand anywhere" in app.screen.shown.text, "kept while the workbench is open"  # type: ignore[attr-defined]
        await press(pilot, "enter", "enter")

    play(app, script)
    after = (tmp_path / MEMORY).read_text()
    assert "- The header may stand anywhere\n" in after
    assert "Reworded" in (tmp_path / ".memdesk/judgments.toml").read_text()
    assert before[MEMORY].decode() not in after


@pytest.mark.slow
def test_a_fragment_that_comes_meanwhile_is_said_and_not_archived_unread(tmp_path: Path) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        put(tmp_path, LATE, fragment(lessons="- Upper Moor sends it on Mondays"))
        app.reread(None)
        await settle(pilot)
        text = screen_text(app)
        assert "+ 1 fragment came: not in this draft; t takes it in" in text
        assert "+ new       Upper Moor sends it" in text
        await press(pilot, "enter", "enter")
        assert (tmp_path / LATE).exists(), "it was not in what was accepted"
        assert "Mondays" not in (tmp_path / MEMORY).read_text()
        await press(pilot, "M", "enter", "enter")
        assert not (tmp_path / LATE).exists()
        assert "- Upper Moor sends it on Mondays (from task-003, 2026-11-30)" in (tmp_path / MEMORY).read_text()

    play(app, script)


@pytest.mark.slow
def test_a_filter_takes_the_keys_that_are_typed_into_it_and_reasons_stay(tmp_path: Path) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M", "j", "x")
        await type_(pilot, "It was mended")
        await press(pilot, "enter", "slash")
        await type_(pilot, "exit mended")
        assert "Nothing holds these words" in screen_text(app)
        await press(pilot, "escape")
        screen: Any = app.screen
        assert isinstance(screen, Compacting), "Escape closes the filter first"
        assert screen.lines.count == 8
        await press(pilot, "escape")
        put(tmp_path, LATE, fragment(lessons="- Upper Moor sends it on Mondays"))
        app.reread(None)
        await settle(pilot)
        await press(pilot, "M")
        assert told(app)[HEADER] == ("left out", "It was mended")
        assert told(app)["Upper Moor sends it on Mondays"][0] == "carried", "opened anew, it is of all that is there"
        await press(pilot, "space", "space", "x")
        assert "Leave out 2 entries: why?" in screen_text(app)

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("edited", [False, True], ids=["draft", "edited"])
def test_what_came_is_taken_in_and_what_was_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edited: bool
) -> None:
    app = opened(tmp_path)
    editor(tmp_path, "sed -i 's/^- Each site/- By the way, each site/' \"$1\"; echo '- Mine' >> \"$1\"", monkeypatch)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        if edited:
            await press(pilot, "e")
            await choose(pilot, "Each site sends")
            await press(pilot, "x")
            await type_(pilot, "Reworded")
            await press(pilot, "enter")
        put(tmp_path, LATE, fragment(lessons="- Upper Moor sends it on Mondays"))
        memory = (tmp_path / MEMORY).read_text()
        put(tmp_path, MEMORY, memory.replace("## Facts\n", "## Facts\n\n- Ada said so\n"))
        app.reread(None)
        await settle(pilot)
        screen: Any = app.screen
        assert button(app).disabled is edited, "a text that was made from another memory cannot be accepted as it is"
        await press(pilot, "t")
        assert told(app)["Upper Moor sends it on Mondays"][0] == "carried"
        assert ("- Mine" in screen.shown.text) is edited
        if edited:
            assert told(app)["Ada said so"] == ("left out", "no reason yet"), "what the memory got meanwhile is not dropped"
        else:
            assert "- Ada said so" in screen.shown.text
        assert button(app).disabled is edited

    play(app, script)


@pytest.mark.slow
def test_a_command_of_the_repository_is_shown_exactly_and_runs_only_after_a_yes(tmp_path: Path) -> None:
    app = with_agent(tmp_path, "say('ran', ' '.join(sys.argv[1:]))\nsys.exit('no [/] idea')")
    before = snapshot(tmp_path / "repo")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M", "d")
        assert isinstance(app.screen, Confirm)
        text = inspected(app, "approval")
        assert "tools/draft '--[bold]'" in text
        assert "memdesk.toml:2 names a command" in text
        await press(pilot, "enter")
        assert toasts(app)[-1] == "Nothing was run."
        assert not (tmp_path / "tools/ran").exists()
        drafted = app.screen.shown  # type: ignore[attr-defined]
        await press(pilot, "d", "left", "enter")
        assert (tmp_path / "tools/ran").read_text() == "--[bold]"
        text = inspected(app, "failure")
        assert "ended with exit code 1" in text
        assert "no [/] idea" in text
        assert "made without a model" in text
        assert app.screen.shown.text == drafted.text  # type: ignore[attr-defined]
        os.unlink(tmp_path / "tools/ran")
        await press(pilot, "d")
        assert (tmp_path / "tools/ran").exists(), "asked once for one exact text; a failure can be tried again"

    play(app, script)
    assert {path: data for path, data in snapshot(tmp_path / "repo").items() if ".memdesk/" not in path} == before


@pytest.mark.slow
def test_a_draft_by_the_command_is_checked_like_any_other(tmp_path: Path) -> None:
    body = """
text = sys.stdin.read()
memory = text.split(" memory>>>\\n")[1].split("\\n<<<end")[0]
print("```markdown\\n" + memory.replace("## Facts", "## Facts\\n\\n- Site codes have four letters") + "\\n```")
"""
    app = with_agent(tmp_path, body)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M", "d", "left", "enter")
        assert "drafted by the command" in screen_text(app)
        assert told(app)["Site codes have four letters"][0] == "carried"
        assert told(app)[HEADER] == ("left out", "no reason yet"), "a lesson that the command dropped"
        assert button(app).disabled
        await press(pilot, "m", "left", "enter")
        assert "made without a model" in screen_text(app)
        assert not button(app).disabled

    play(app, script)


@pytest.mark.slow
def test_escape_calls_a_command_off_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    app = with_agent(tmp_path, "say('up')\nhang()")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M", "d", "left")
        await pilot.press("enter")
        screen: Any = app.screen
        while not (tmp_path / "tools/up").exists() or not isinstance(app.screen, Compacting):
            await pilot.pause()
        screen = app.screen
        assert "of at most 120: tools/draft '--[bold]' drafts. Esc calls it off." in screen_text(app)
        assert screen.query_one("#compact-yes", Button).disabled
        await pilot.press("e")
        assert toasts(app)[-1] == "A draft is being made; Esc calls it off."
        await press(pilot, "escape")
        assert app.screen is screen, "the first Escape is for the command"
        assert "The draft was called off; the command was ended." in screen_text(app)
        assert all(gone(number) for number in numbers(tmp_path / "tools"))
        await press(pilot, "escape")
        assert app.screen is not screen

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(160, 50), (80, 24), (40, 20)])
def test_hostile_fragments_are_inert_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6A7b8"
    evil = f"- \x1b[31mred\x1b[0m \u202edrow [@click=app.quit]x[/] token {token}\n" + "- [b]x[/b] \u9ce5\n" * 3
    app = opened(tmp_path, **{next(iter(FILES)): fragment(facts=evil)})

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        for _ in range(5):
            assert "Compact · counts" in inspected(app, str(size))
            await press(pilot, "j")
        screen: Any = app.screen
        shown = "".join(piece.text for row in screen.lines.rows for piece in screen.lines._draw(row.item, 300))
        assert "a1B2c3D4e5" not in shown, "a secret is masked in the list"
        assert button(app).disabled, "and can't be written"
        await press(pilot, "n")
        assert screen.lines.item.row.entry.text.startswith("- \x1b[31m"), "the entry that stands in the way"

    play(app, script, size)


@pytest.mark.slow
def test_where_several_features_wait_one_is_asked_for(tmp_path: Path) -> None:
    maps = {f"{FRAGMENTS}/maps/task-010-2026-05-09T08-00-00-000Z.md": fragment(free="Maps differ.")}
    app = opened(tmp_path, "context", **maps)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        assert isinstance(app.screen, Features)
        assert "maps" in screen_text(app)
        await press(pilot, "j", "enter")
        assert isinstance(app.screen, Compacting)
        assert "feature_id: maps" in app.screen.draft.plain, "a memory that is not there yet"
        await press(pilot, "enter")
        assert "new file" in screen_text(app)

    play(app, script)


@pytest.mark.slow
def test_a_memory_that_cannot_be_edited_says_why(tmp_path: Path) -> None:
    app = opened(tmp_path, **{".output/features/counts/MEMORY.md": "---\nfeature_id: [\n---\n\n# Counts\n"})

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        text = screen_text(app)
        assert "It cannot be done" in text
        assert MEMORY in text
        assert "Mend the memory's front matter first." in text
        await press(pilot, "x", "i", "e", "d", "m", "t", "n", "enter", "escape")
        assert not isinstance(app.screen, Compacting)

    play(app, script)


@pytest.mark.slow
def test_claims_of_stated_are_asked_about_and_a_lock_is_told(tmp_path: Path) -> None:
    files = {next(iter(FILES)): fragment(facts="- [stated] Codes have four letters\n- [stated] Reports go out on Mondays")}
    app = opened(tmp_path, **files)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M", "enter")
        assert "2 entries would become `stated` at once. Were they approved?" in screen_text(app)
        assert app.screen.query_one("#planned-yes", Button).disabled
        await press(pilot, "1")
        assert not app.screen.query_one("#planned-yes", Button).disabled
        await press(pilot, "ctrl+s")
        assert toasts(app)[-1].startswith("Compacted counts")

    play(app, script)


@pytest.mark.slow
def test_candidates_of_a_feature_are_promoted_one_after_the_other(tmp_path: Path) -> None:
    memory = feature_memory(promotion="- Read the header by name\n- Ask Ada for the map\n- Count at dawn")
    app = opened(tmp_path, **{".output/features/counts/MEMORY.md": memory})

    async def script(pilot: Pilot[Any]) -> None:
        lines = app.pane.lines  # type: ignore[union-attr]
        for words in ("Read the header by name", "Ask Ada", "Count at dawn"):
            lines.select(next(row.key for row in lines.rows if row.key and words in row.item.entry.text))
            lines.toggle_mark()
        await settle(pilot)
        await press(pilot, "p")
        assert isinstance(app.screen, Verdict)
        text = screen_text(app)
        assert "Promote · Read the header by name" in text
        assert text.count("choose one") == 2, "neither section nor review is chosen beforehand"
        await press(pilot, "tab", "2", "tab", "2", "ctrl+s")
        assert "Promote · Ask Ada for the map" in screen_text(app)
        await press(pilot, "escape")
        assert not isinstance(app.screen, Verdict), "whoever leaves one leaves the rest"

    play(app, script)
    text = (tmp_path / STORE / "MEMORY.md").read_text()
    assert "## Known Pitfalls\n\n- The export of the county adds an empty last line\n- Read the header by name" in text
    assert "Ask Ada" not in text


@pytest.mark.slow
def test_a_store_that_cannot_be_written_offers_no_compaction(tmp_path: Path) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        app.read_only = "It is on a read-only disk."
        await press(pilot, "M")
        assert toasts(app)[-1] == "It is on a read-only disk."

    play(app, script)


def rejected(root: Path, words: str) -> None:
    """An entry of a fragment that somebody rejected before."""
    desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 29, 8, 0)), user_config=None)
    entry = next(entry for entry in desk.candidates() if words in entry.text)
    desk.perform(Request("reject", (entry.id,), {"reason": "Nobody saw it"}, person=True), "Ada")


@pytest.mark.slow
def test_what_was_rejected_in_its_fragment_is_left_out_for_that_reason(tmp_path: Path) -> None:
    opened(tmp_path)
    rejected(tmp_path, HEADER)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "M")
        state, why = told(app)[HEADER]
        assert state == "left out"
        assert "Nobody saw it" in why
        assert not button(app).disabled
        await choose(pilot, HEADER)
        await press(pilot, "i")
        assert "rejected in its fragment" in toasts(app)[-1]

    play(app, script)
