"""The Conflicts pane while all entries are compared: what is quick to know stands first, nothing older takes the place of what
is newer, and what was not compared is said."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.conflicts import differs
from memdesk.core.conflicts.differs import Differing
from memdesk.tui import breath
from memdesk.tui.app import Workbench
from memdesk.tui.panes.conflict_rows import Clash
from memdesk.tui.panes.conflicts import ConflictsPane
from tests.support.benches import bench
from tests.support.clashing import clashing
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, put

LINE = "- Gauges report {} times a day to the office.\n"
TWO = f"# Constraints\n\n{LINE.format(3)}{LINE.format(9)}"


def pane_of(app: Workbench) -> ConflictsPane:
    assert isinstance(app.pane, ConflictsPane)
    return app.pane


def kinds(app: Workbench) -> list[str]:
    return [row.item.conflict.kind for row in pane_of(app).lines.rows if isinstance(row.item, Clash)]


def held(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[Callable[[], bool]]]:
    """Holds each comparison up until the event is set, or it is called off; and how each asks whether it is."""
    go, asks = threading.Event(), []
    real = differs.differing

    def waiting(*words: Any, progress: Any = None, stopped: Any = None) -> Differing:
        asks.append(stopped)
        progress(1, 4)
        while not go.wait(0.01) and not stopped():
            continue
        return real(*words, progress=progress, stopped=stopped)

    monkeypatch.setattr(differs, "differing", waiting)
    return go, asks


@pytest.mark.slow
def test_it_is_listed_counted_shown_with_both_sides_and_dismissed(tmp_path: Path) -> None:
    folder = clashing(tmp_path, constraints=TWO)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert kinds(app) == ["title", "tombstone", "title", "differs"]
        assert pane.count == 4
        await press(pilot, "G")
        shown = pane.reading.plain
        assert "? possible · differs · nearly the same words, which differ in a number" in shown
        assert "= No side wins by its rank" in shown
        assert "- Gauges report 3 times a day to the office." in shown
        assert "- Gauges report 9 times a day to the office." in shown
        await press(pilot, "d")
        await type_(pilot, "Two offices.")
        await press(pilot, "enter")
        assert kinds(app) == ["title", "tombstone", "title"]
        assert "3 open · 1 dismissed" in str(pane.finder.border_title)
        await press(pilot, "D")
        assert kinds(app) == ["title", "tombstone", "title", "differs"]
        put(tmp_path, f"{MEMORY}/constraints.md", TWO.replace("9", "7"))
        await press(pilot, "ctrl+r")
        assert pane.count == 4, "another text: another conflict"

    play(app, script)
    assert folder.exists()


def test_the_list_stands_before_and_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clashing(tmp_path, constraints=TWO)
    go, _ = held(monkeypatch)
    monkeypatch.setattr("memdesk.tui.panes.conflict_alike.EVERY", 0.0)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: "comparing entries 25%" in screen_text(app))
        assert kinds(app) == ["title", "tombstone", "title"]
        await pilot.press("j")
        await until(pilot, lambda: "do-not-use.md:3 wins" in pane_of(app).reading.plain)
        go.set()
        await settle(pilot)
        assert kinds(app) == ["title", "tombstone", "title", "differs"]
        assert "tombstone" in pane_of(app).reading.plain, "the selection stays"
        assert "comparing" not in screen_text(app)

    unsettled(app, script)


async def until(pilot: Pilot[Any], what: Callable[[], bool]) -> None:
    """Goes on answering messages until it holds. Work that is held up never settles."""
    for _ in range(10_000):
        if what():
            return
        await pilot.pause()
    raise AssertionError(screen_text(pilot.app))


def unsettled(app: Workbench, script: Callable[[Pilot[Any]], Any]) -> None:
    """As `play`, without waiting for work that is held up."""
    import asyncio

    async def run() -> None:
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            await script(pilot)

    asyncio.run(run())


def test_an_older_comparison_is_called_off_and_its_result_goes_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clashing(tmp_path, constraints=TWO)
    go, asks = held(monkeypatch)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: bool(asks))
        put(tmp_path, f"{MEMORY}/constraints.md", "# Constraints\n\n- Gauges are read.\n")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(asks) == 2)
        assert asks[0]()
        go.set()
        await settle(pilot)
        assert kinds(app) == ["title", "tombstone", "title"]
        assert pane_of(app).count == 3

    unsettled(app, script)


def test_what_was_found_before_stays_as_far_as_its_texts_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "# Preferences\n\n- Answers are short and have {} examples.\n- Answers are short and have {} examples!\n"
    clashing(tmp_path, constraints=TWO, preferences=other.format(2, 5))
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        assert kinds(app).count("differs") == 2
        go, asks = held(monkeypatch)
        put(tmp_path, f"{MEMORY}/preferences.md", other.format(2, 6))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: bool(asks) and kinds(app).count("differs") == 1)
        go.set()
        await settle(pilot)
        assert kinds(app).count("differs") == 2

    play(app, script)


def test_what_was_not_compared_is_said(tmp_path: Path) -> None:
    clashing(tmp_path, constraints=f"# Constraints\n\n- {'long ' * 3_000}\n")
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        assert str(pane_of(app).finder.border_subtitle) == "! not all entries were compared"
        assert "Texts of more than 10,000 characters" in toasts(app)[-1]
        await press(pilot, "ctrl+r")
        assert sum("Texts of more" in words for words in toasts(app)) == 1

    play(app, script)


def test_work_holds_its_breath_and_hears_when_it_is_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept, stop = [0.0], [], [False]
    monkeypatch.setattr(breath, "perf_counter", lambda: now[0])
    monkeypatch.setattr(breath, "sleep", slept.append)
    asked = breath.breathing(lambda: stop[0])
    for step in range(100):
        assert asked() is False
        now[0] = step * breath.WORK / 4
    assert 15 <= len(slept) <= 25
    assert set(slept) == {breath.PAUSE}
    stop[0] = True
    assert asked() is True
