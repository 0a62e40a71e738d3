"""Three tiers at the workbench: a correction with old and new beside each other, working state file by file, the index anew,
the keys that a no leads to, and log lines that are taken up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from memdesk.core.config import WORKSPACE_FILE
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.clearing import Clearing
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.dialogs.timeline import Timeline
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.dialogs.which import Which
from memdesk.tui.widgets.diffview import DiffView
from tests.support.benches import bench, commit
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import fact, git_repo, snapshot, tiers_store

FACT, INDEX, LOG = "memory/facts/offline.md", "memory/INDEX.md", "memory/log/2026-11-30.md"
WORKING = {
    "working/a.md": "# A\n\n- [inferred] Herons come late\n- Ask Ada\n", "working/b.md": "# B\n\nA plan.\n",
    "working/c.md": "# C\n\n- Send it\n",
}


def opened(root: Path, pane: str | None = None, **files: str | None) -> Workbench:
    tiers_store(root, **files)
    git_repo(root)
    return bench(root, pane)


async def to_fact(pilot: Pilot[Any], app: Any, text: str = "offline") -> None:
    """Selects a line of the account in the Context pane."""
    await press(pilot, "tab")
    lines = app.pane.ledger.lines
    lines.select(next(row.key for row in lines.rows if text in getattr(getattr(row.item, "entry", None), "text", "")))
    await settle(pilot)


def footer(app: Any) -> dict[str, str]:
    return {key.ident: key.label for key in app.query_one("Footer").keys}


def test_strike_on_the_index_line_of_a_fact_corrects_the_fact(tmp_path: Path) -> None:
    app = opened(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await to_fact(pilot, app)
        assert footer(app)["strike"] == "Correct"
        await press(pilot, "s")
        assert isinstance(app.screen, Verdict)
        text = screen_text(app)
        assert "Correct · offline" in text
        assert "Nothing would change yet." in text
        area = app.screen.focused
        assert area.text == "Everything runs without a network connection."  # type: ignore[union-attr]
        area.load_text("Everything but the report runs without a network connection.")  # type: ignore[union-attr]
        await settle(pilot)
        await press(pilot, "tab", "tab")
        await type_(pilot, "The county asks for it online")
        text = screen_text(app)
        assert "as it is " in text
        assert "as it will be" in text
        assert "Correct facts/offline.md" in text
        await press(pilot, "ctrl+s")
        assert toasts(app)[-1].startswith('Corrected "offline" in facts/offline.md')

    play(app, script)
    assert "Everything but the report runs" in (tmp_path / FACT).read_text()
    assert "Why: The county asks for it online" in (tmp_path / FACT).read_text()
    log = (tmp_path / LOG).read_text()
    assert log.startswith("# 2026-11-30\n\n- 09:00 corrected fact offline")
    assert "Sites have none." in log, "what it said is kept, its reason too"


@pytest.mark.slow
@pytest.mark.parametrize(("size", "beside"), [((120, 36), True), ((80, 24), False)])
def test_old_and_new_stand_beside_each_other_where_there_is_room(tmp_path: Path, size: tuple[int, int], beside: bool) -> None:
    app = opened(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await to_fact(pilot, app)
        await press(pilot, "s", "tab", "end")
        await type_(pilot, ", ever")
        view = app.screen.query_one(DiffView)
        assert view.beside is beside
        rows = screen_text(app).split("\n")
        both = [row for row in rows if "Sites have none." in row]
        assert (len(both) == 1 and both[0].count("Sites have none.") == 2) is beside
        assert (f"─ {FACT}  +2 −2" in screen_text(app)) is not beside, "the exact diff stands in their place"
        assert f"─ {INDEX}  +1 −1" in view.plain

    play(app, script, size)


@pytest.mark.slow
def test_an_old_text_of_a_fact_comes_back_as_a_correction(tmp_path: Path) -> None:
    app = opened(tmp_path, "context")
    first = (tmp_path / FACT).read_text()
    (tmp_path / FACT).write_text(fact("Everything but the map runs offline", name="offline", updated="2026-11-02"))
    commit(tmp_path, "The map came", "2026-11-02")
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await to_fact(pilot, app)
        await press(pilot, "h")
        assert isinstance(app.screen, Timeline)
        assert "2 versions" in screen_text(app)
        await press(pilot, "j", "r")
        assert isinstance(app.screen, Verdict)
        assert "Correct · offline" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert (tmp_path / FACT).read_text() == first
        assert "corrected fact offline" in (tmp_path / LOG).read_text()
        await press(pilot, "u")
        assert "Everything but the map" in (tmp_path / FACT).read_text()

    play(app, script)
    log = (tmp_path / LOG).read_text()
    assert log.count("\n- ") == 2, "the undo adds a line"


def test_working_files_are_gone_through_one_by_one_and_the_focus_is_on_cancel(tmp_path: Path) -> None:
    app = opened(tmp_path, **WORKING)
    before = snapshot(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "C")
        assert isinstance(app.screen, Clearing)
        text = screen_text(app)
        assert "Clear working state · 1 of 3 · working/a.md" in text
        assert "Ask Ada" in text
        assert "2 candidates · p promotes the selected one first" in text
        assert isinstance(app.focused, Button)
        assert app.focused.id == "clearing-no"
        await press(pilot, "enter")
        assert len(app.screen_stack) == 1
        assert snapshot(tmp_path) == before, "Enter on it leaves all"
        await press(pilot, "C", "c")
        assert "2 of 3 · working/b.md" in screen_text(app)
        assert app.focused.id == "clearing-no"
        await press(pilot, "n", "c")
        assert isinstance(app.screen, Planned)
        text = screen_text(app)
        assert "Clear · 2 working files" in text
        assert "memory/working/a.md  +0 −4  deleted" in text
        assert app.focused.id == "planned-no"
        assert snapshot(tmp_path) == before
        await press(pilot, "tab", "enter")
        assert not (tmp_path / "memory/working/a.md").exists()
        assert (tmp_path / "memory/working/b.md").exists()
        await press(pilot, "u")

    play(app, script)
    after = {path: data for path, data in snapshot(tmp_path).items() if not path.startswith(".memdesk")}
    log = after.pop(LOG).decode()
    assert after == before
    said = [line[:16] for line in log.split("\n") if line.startswith("- ")]
    assert said == ["- 09:00 Cleared ", "- 09:00 Cleared ", "- 09:00 Undone: "]


@pytest.mark.slow
def test_a_candidate_of_a_working_file_is_promoted_before_it_is_cleared(tmp_path: Path) -> None:
    app = opened(tmp_path, **WORKING)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "C", "p")
        assert isinstance(app.screen, Verdict)
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, Clearing)
        assert app.screen.lines.border_title == "1 candidate · p promotes the selected one first"
        assert "Herons" not in app.screen.reading.plain
        await press(pilot, "c", "n", "n", "tab", "enter")
        await press(pilot, "C", "n", "n")
        assert toasts(app)[-1] == "Every working file stays."

    play(app, script)
    assert "Herons come late" in (tmp_path / "memory/facts/herons-come-late.md").read_text()
    assert sorted(path.name for path in (tmp_path / "memory/working").iterdir()) == ["b.md", "c.md"]


def test_where_no_store_has_it_neither_is_offered(tmp_path: Path) -> None:
    from tests.support.benches import demo

    demo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "C")
        assert toasts(app)[-1] == "No store here has working state."
        await press(pilot, "I")
        assert toasts(app)[-1] == "No store here has an index of facts."

    play(app, script)


@pytest.mark.slow
def test_of_several_stores_one_is_named_and_its_index_made_anew(tmp_path: Path) -> None:
    for name in ("a", "b"):
        tiers_store(tmp_path, f"{name}/memory", **{"facts/new.md": fact("New things last", name="new"), "inbox.md": None})
    git_repo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "I")
        assert isinstance(app.screen, Which)
        text = screen_text(app)
        assert "Reindex: in which store?" in text
        assert "a/memory" in text
        await press(pilot, "j", "enter")
        assert "Reindex · b/memory" in screen_text(app)
        assert "1 line added" in screen_text(app)
        await press(pilot, "enter")
        await press(pilot, "C", "escape")

    play(app, script)
    line = "- [new](facts/new.md): New things last\n"
    assert (tmp_path / "b" / INDEX).read_text().endswith(line)
    assert line not in (tmp_path / "a" / INDEX).read_text()
    assert not (tmp_path / WORKSPACE_FILE).exists()


@pytest.mark.parametrize("key", ["ctrl+l", pytest.param("ctrl+r", marks=pytest.mark.slow)])
def test_a_no_leads_to_the_log_or_out(tmp_path: Path, key: str) -> None:
    app = opened(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p")
        text = screen_text(app)
        assert "Still guiding a capable colleague six months on?" in text
        assert "Would someone need it?" in text
        await press(pilot, "ctrl+l", "tab", "tab", "tab", "2")
        text = screen_text(app)
        assert "By your answer it won't guide anyone for long." in text
        assert "^l  puts it in today's log instead" in text.replace("^l    ", "^l  ")
        await press(pilot, key)
        if key == "ctrl+r":
            assert "Reject · " in screen_text(app)
            await press(pilot, "ctrl+s")
        else:
            assert "Promote to log/2026-11-30.md" in screen_text(app)
            await press(pilot, "ctrl+s")

    play(app, script)
    log = (tmp_path / LOG).read_text()
    text = "Sites 4 and 9 send their counts two days late"
    if key == "ctrl+r":
        assert f"rejected: [observed] {text} (from the import). Reason: It won't guide anyone for long." in log
    else:
        assert f"- 09:00 {text}" in log
    assert text not in (tmp_path / "memory/inbox.md").read_text()
    assert not list((tmp_path / "memory/facts").glob("sites-4*"))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["context", "search"])
def test_a_log_line_is_taken_up_from_where_it_is_selected(tmp_path: Path, place: str) -> None:
    line = "# 2026-11-29\n\n- 09:10 the relay holds four days of counts\n"
    app = opened(tmp_path, "context", **{"log/2026-11-29.md": line})

    async def script(pilot: Pilot[Any]) -> None:
        if place == "context":
            await to_fact(pilot, app)
            assert "promote" not in footer(app)
            await press(pilot, "p")
            assert toasts(app)[-1] == "It waits for nothing: only a candidate is promoted."
            await press(pilot, "shift+tab")
            await to_fact(pilot, app, "relay")
            assert footer(app)["promote"] == "Promote"
        else:
            await press(pilot, "ctrl+f")
            await type_(pilot, "relay four days")
            await press(pilot, "enter")
        await press(pilot, "p")
        assert isinstance(app.screen, Verdict)
        await press(pilot, "ctrl+s")
        assert toasts(app)[-1].startswith("Promoted ")

    play(app, script)
    assert (tmp_path / "memory/log/2026-11-29.md").read_text() == line
    (made,) = (tmp_path / "memory/facts").glob("the-relay*")
    assert "the relay holds four days of counts" in made.read_text()
    assert f"](facts/{made.name})" in (tmp_path / INDEX).read_text()
