"""The Health pane: findings as files change, budgets with their course over git's history."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui import messages
from memdesk.tui.panes import health_rows as rows
from memdesk.tui.panes.health import HealthPane
from memdesk.tui.widgets.spark import spark
from tests.support.benches import bench, commit, demo
from tests.support.pilots import play, press, screen_text, settle, type_
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, git_repo, put


def pane_of(app: Any) -> HealthPane:
    assert isinstance(app.pane, HealthPane)
    return app.pane


def findings(pane: HealthPane) -> list[tuple[str, str, int | None]]:
    return [
        (row.item.finding.rule, row.item.finding.path.rsplit("/", 1)[-1], row.item.finding.line)
        for row in pane.lines.rows
        if isinstance(row.item, rows.FindingItem)
    ]


def test_findings_are_those_of_the_check_and_follow_the_files(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    git_repo(tmp_path)
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert findings(pane) == [("guide-missing", "AGENTS.md", None)]
        assert pane.count == 1
        put(tmp_path, f"{MEMORY}/brief.md", "# Brief\n\nPlover.\n\n<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n")
        await press(pilot, "ctrl+r")
        report = app.desk.check()
        assert findings(pane)
        assert sorted(findings(pane)) == sorted((f.rule, f.path.rsplit("/", 1)[-1], f.line) for f in report.findings)
        assert next(row.item for row in pane.lines.rows if isinstance(row.item, rows.FindingItem)).finding.severity == "error"
        assert pane.count == len(report.findings)
        assert f"5 Health {pane.count}" in screen_text(app)

    play(app, script)


def test_a_finding_jumps_to_its_line(tmp_path: Path) -> None:
    put(tmp_path, "ed.sh", f'#!/bin/sh\necho "$@" > {tmp_path}/opened\n')
    os.chmod(tmp_path / "ed.sh", 0o755)
    custodian_store(tmp_path, brief="# Brief\n\nOne.\n\n<<<<<<< HEAD\nA.\n=======\nB.\n>>>>>>> x\n")
    app = bench(tmp_path, "health")
    opened: list[tuple[str, int]] = []

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        pane.lines.select(next(row.key for row in pane.lines.rows if row.key.startswith("finding:conflict-marker")))
        await settle(pilot)
        line = pane.lines.item.finding.line
        assert pane.spot == (f"{MEMORY}/brief.md", line)
        assert f"{line} <<<<<<< HEAD" in pane.reading.plain
        await press(pilot, "enter")
        assert pane.reading.has_focus
        await press(pilot, "escape")
        app._open_path = lambda event: opened.append((event.path, event.line))
        await press(pilot, "y")
        assert app.clipboard.startswith(f"{MEMORY}/brief.md:{line}: error conflict-marker: ")

    play(app, script)
    assert messages.OpenPath("x", 3).line == 3


def test_the_course_of_a_budget_over_the_commits(tmp_path: Path) -> None:
    folder = custodian_store(tmp_path)
    git_repo(tmp_path)
    for number, size in enumerate((40, 80, 20)):
        (folder / "constraints.md").write_text("# Constraints\n\n- " + "word " * size + "\n")
        commit(tmp_path, f"Size {size}", f"2026-11-0{number + 2}")
    (folder / "constraints.md").write_text("# Constraints\n\n- " + "word " * 60 + "\n")
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        path = f"{MEMORY}/constraints.md"
        used = [use.used for use in pane._courses[path, "tokens"]]
        assert used[1:] == [43, 83, 23, 63]
        pane.lines.select(f"budget:{path}:tokens")
        await settle(pilot)
        text = pane.reading.plain
        assert "its course · 5 versions" in text
        assert "not committed" in text
        assert "2026-11-03" in text
        assert "+40" in text
        assert "-60" in text
        assert pane._progress == ""

    play(app, script)


def test_each_cap_of_a_document_has_its_own_meter_and_course(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    git_repo(tmp_path)
    index = tmp_path / "MEMORY.md"
    index.write_text(index.read_text() + "\n## Context\n")
    commit(tmp_path, "A heading", "2026-11-03")
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        size = len(index.read_text())
        assert [use.used for use in pane._courses["MEMORY.md", "chars"]] == [size - 12, size]
        lines = index.read_text().count("\n")
        assert [use.used for use in pane._courses["MEMORY.md", "lines"]] == [lines - 2, lines]
        shown = screen_text(app)
        assert "MEMORY chars" in shown
        assert "MEMORY lines" in shown
        pane.lines.select("budget:MEMORY.md:lines")
        await settle(pilot)
        assert f"{lines} of 400 lines" in pane.reading.plain
        assert "its course · 2 versions" in pane.reading.plain
        pane.lines.select("budget:.:chars")
        await settle(pilot)
        assert "of 60000 chars" in pane.reading.plain
        assert "not read yet" not in pane.reading.plain
        assert pane.spot is None, "a whole store is no file to open"

    play(app, script)


@pytest.mark.slow
def test_reading_the_history_can_be_stopped_and_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "health")
    read: list[str] = []
    courses = app.desk.courses

    def stopping(path: str, limit: int = 100) -> Any:
        read.append(path)
        if len(read) == 2:
            app.call_from_thread(pane_of(app).stop_reading)
        return courses(path, limit)

    monkeypatch.setattr(app.desk, "courses", stopping)

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert len(read) == 2
        assert "history stopped" in screen_text(app)
        assert len(pane._courses) >= 1, "what was read stays"
        await press(pilot, "ctrl+r")
        app.refresh_panes()
        await settle(pilot)
        assert len(pane._courses) == 10

    play(app, script)


def test_without_git_the_check_runs_and_courses_are_left_out(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        pane.lines.select(f"budget:{MEMORY}/brief.md:tokens")
        await settle(pilot)
        assert "Its course over git's history is not read yet." in pane.reading.plain
        assert any(isinstance(row.item, rows.RuleItem) and row.item.report.status == "skip" for row in pane.lines.rows)

    play(app, script)


def test_no_store_and_filtered_to_nothing(tmp_path: Path) -> None:
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        assert "There is no store here to check." in screen_text(app)
        custodian_store(tmp_path)
        await press(pilot, "ctrl+r")
        await press(pilot, "slash")
        await type_(pilot, "zzzz")
        assert "No finding, budget or rule holds these words." in screen_text(app)

    play(app, script, (80, 24))


def test_a_check_that_fails_says_so_and_the_workbench_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "health")

    def broken(*arguments: Any, **named: Any) -> Any:
        raise ValueError("a rule fell over")

    monkeypatch.setattr(app.desk, "check", broken)

    async def script(pilot: Pilot[Any]) -> None:
        assert "The check could not be made." in screen_text(app)
        assert "a rule fell over" in screen_text(app)
        monkeypatch.undo()
        app.refresh_panes()
        await settle(pilot)
        assert "1 warning" in screen_text(app)

    play(app, script)


def test_a_secret_is_masked_in_the_lines_around_a_finding(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    custodian_store(tmp_path, constraints=f"# Constraints\n\n- Use the token {secret} for the feed.\n")
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        key = next(row.key for row in pane.lines.rows if row.key.startswith("finding:secret"))
        pane.lines.select(key)
        await settle(pilot)
        assert "Use the token" in pane.reading.plain
        assert secret not in pane.reading.plain
        assert secret not in screen_text(app)

    play(app, script)


def test_what_is_not_checked_is_said(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "health")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        said = [row.item.words for row in pane.lines.rows if isinstance(row.item, rows.Unchecked)]
        assert said == list(app.desk.check().not_checked)
        assert len(said) >= 5

    play(app, script)


@pytest.mark.parametrize(
    ("values", "cells", "cap", "bars"),
    [
        ([], 8, None, ""),
        ([5], 0, None, ""),
        ([0], 8, 10, "▁"),
        ([10], 8, 10, "█"),
        ([99], 8, 10, "█"),
        ([0, 5, 10], 8, 10, "▁▄█"),
        ([1, 2, 9, 2], 2, 9, "▂█"),
        ([0, 0], 8, None, "▁▁"),
    ],
)
def test_bars(values: list[int], cells: int, cap: int | None, bars: str) -> None:
    assert spark(values, cells, cap) == bars
