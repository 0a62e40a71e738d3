"""The Context pane's evidence view: the recall as the command prints it, with each key, off the UI's thread."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.desk import Desk
from memdesk.core.recall import Recall
from memdesk.core.scoping import Within
from memdesk.tui.panes.context import ContextPane
from memdesk.tui.panes.evidence import found
from memdesk.tui.report import recall as report
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, jonggrang_store, put

HOSTILE = "# Constraints\n\n- kestrel \x1b]0;title\x07 [@click=app.exit]x[/] \u202e [$var]\n"


def pane_of(app: Any) -> ContextPane:
    assert isinstance(app.pane, ContextPane)
    return app.pane


@pytest.mark.slow
@pytest.mark.parametrize("size", [(160, 50), (80, 24), (40, 12)])
def test_it_shows_the_text_of_the_command_and_escape_leads_back(tmp_path: Path, size: tuple[int, int]) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        assert pane.evidence.query_line.has_focus
        assert "Ask in a few words" in screen_text(app)
        await type_(pilot, "csv spreadsheet")
        assert pane.evidence.reading.plain == report.text(app.desk.recall("csv spreadsheet"))
        assert "1 source" in str(pane.evidence.border_title)
        await press(pilot, "enter")
        assert pane.evidence.reading.has_focus
        await press(pilot, "escape")
        assert pane.evidence.query_line.has_focus
        await press(pilot, "escape")
        assert pane.choices.has_focus_within
        assert not pane.evidence.display
        await press(pilot, "r")
        assert pane.evidence.query_line.value == "csv spreadsheet", "the question stays"

    play(app, script, size)


@pytest.mark.slow
def test_a_store_without_tasks_shows_what_boots_and_what_a_recall_returns(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert pane._asked.request.task == "boot"
        assert "MEMORY.md =====" in pane.reading.plain
        assert "Touched paths" not in screen_text(app)
        await press(pilot, "i")
        assert toasts(app)[-1].startswith("Touched paths change nothing here")
        await press(pilot, "r")
        await type_(pilot, "current public api")
        shown = pane.evidence.reading.plain
        assert shown.index("~~REST") < shown.index("~~GraphQL") < shown.index("**tRPC")
        assert "[stated] · 2026-08-19 · current · from the architecture review" in shown

    play(app, script)


def test_an_older_query_s_answer_never_comes_after_a_newer_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "context")
    held, going = threading.Event(), threading.Event()
    recall = Desk.recall

    def slow(desk: Desk, query: str, **words: Any) -> Recall:
        if query == "csv":
            going.set()
            held.wait(20)
        return recall(desk, query, **words)

    monkeypatch.setattr(Desk, "recall", slow)

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        pane.evidence.query_line.value = "csv"
        await pilot.pause()
        while not going.is_set():
            await pilot.pause()
        pane.evidence.query_line.value = "network"
        await pilot.pause()
        held.set()
        await settle(pilot)
        assert pane.evidence.found.query == "network"
        assert "Runs without a network connection." in pane.evidence.reading.plain

    play(app, script)


@pytest.mark.slow
def test_words_that_ask_nothing_and_words_that_find_nothing(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        await type_(pilot, "the")
        assert "has no word to look for" in pane.evidence.reading.plain
        await type_(pilot, " zebra")
        assert "Nothing in memory holds a word of this query (zebra)." in pane.evidence.reading.plain
        pane.evidence.query_line.value = ""
        await settle(pilot)
        assert "Ask in a few words" in pane.evidence.reading.plain

    play(app, script)


def test_hostile_texts_are_shown_and_do_nothing(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=HOSTILE)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "r")
        await type_(pilot, "kestrel")
        shown = screen_text(app)
        assert "␛]0;title␇ [@click=app.exit]x[/] ‹U+202E› [$var]" in " ".join(shown.split())
        assert "\x1b" not in shown

    play(app, script, (160, 50))


@pytest.mark.slow
def test_it_is_asked_again_when_files_change_and_can_be_copied(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        await type_(pilot, "kestrel")
        put(tmp_path, f"{MEMORY}/constraints.md", "# Constraints\n\n- The kestrel nests.\n")
        await press(pilot, "ctrl+r")
        assert "- The kestrel nests." in pane.evidence.reading.plain
        await press(pilot, "enter", "P")
        assert app.clipboard == report.text(app.desk.recall("kestrel"))
        assert any("the recall, 1 source" in toast for toast in toasts(app))  # the watch may tell of the file only now
        await press(pilot, "slash")
        assert pane.evidence.query_line.has_focus

    play(app, script)


@pytest.mark.slow
def test_without_a_store_it_answers_that_there_is_none(tmp_path: Path) -> None:
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "r")
        await type_(pilot, "kestrel")
        assert "There is no store here." in pane_of(app).evidence.reading.plain

    play(app, script)


@pytest.mark.slow
def test_where_memory_is_kept_by_feature_words_of_the_query_say_from_within_which(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        assert "feature:auth task:task-001 phase:work" in screen_text(app)
        await type_(pilot, "feature:count")
        assert "There is no feature 'count'." in pane.evidence.reading.plain
        assert "Did you mean counts?" in pane.evidence.reading.plain
        await type_(pilot, "s task:task-001 phase:work rows")
        within = Within("counts", "task-001", "work")
        assert pane.evidence.reading.plain == report.text(app.desk.recall("rows", within=within))
        assert "Asked from feature counts, task task-001, phase work" in pane.evidence.reading.plain

    play(app, script)


def test_without_features_such_words_are_words(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    made = found(bench(tmp_path, "context").desk, "feature:counts")
    assert made.text == report.text(bench(tmp_path, "context").desk.recall("feature:counts"))
    assert "Counts are stored as CSV" in made.text
