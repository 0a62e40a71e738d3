"""The Context pane: the exact pack, its account, and what did not load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.layouts.base import LoadRequest
from memdesk.tui.panes import context_rows as rows
from memdesk.tui.panes.context import ContextPane
from tests.support.benches import bench, demo
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, manifest, put


def pane_of(app: Any) -> ContextPane:
    assert isinstance(app.pane, ContextPane)
    return app.pane


def shown(pane: ContextPane) -> str:
    return pane.reading.plain


@pytest.mark.slow
def test_the_pack_is_what_an_agent_gets_for_every_task(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "context")
    seen: list[str] = []

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        for _ in range(7):
            found = pane._answer
            assert found is not None
            assert found.pack is not None
            seen.append(found.pack.task)
            assert shown(pane) == app.desk.pack(LoadRequest(found.pack.task), MEMORY).text
            await press(pilot, "t")
        assert pane._asked.request.task == seen[0], "t comes round"

    play(app, script)
    assert seen == ["planning", "implementation", "artifact", "preferences", "history", "maintenance", "general"]


@pytest.mark.slow
def test_modules_and_paths_are_chosen_by_keyboard(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        pane.choices.lines.select("areas:storage")
        await press(pilot, "space")
        assert pane._asked.request.areas == ("storage",)
        assert "areas/storage.md =====" in shown(pane)
        assert pane.choices.lines.key == "areas:storage", "the selection stays"
        await press(pilot, "enter")
        assert pane._asked.request.areas == ()
        assert "areas/storage.md =====" not in shown(pane)
        await press(pilot, "i")
        await type_(pilot, "src/export.py")
        await press(pilot, "enter")
        assert pane._asked.request.paths == ("src/export.py",)
        assert "areas/export.md =====" in shown(pane)
        assert pane.choices.has_focus_within
        pane.choices.lines.select("path:src/export.py")
        await press(pilot, "space")
        assert pane._asked.request.paths == ()
        await press(pilot, "i")
        await type_(pilot, "x")
        await press(pilot, "escape")
        assert pane._asked.request.paths == ()

    play(app, script)


DECISIONS = "# Decisions\n\n" + "\n".join(
    f"## 2026-05-0{day} - Choice {day}\n\nDecision:\nPart {day} is kept.\n\nReason:\nIt is read.\n" for day in range(1, 6)
)


def test_omissions_and_what_stays_out_each_with_the_reason(tmp_path: Path) -> None:
    custodian_store(
        tmp_path, decisions=DECISIONS, budgets=["decisions.md: 50 tokens max"], **{"areas/sites": "# Sites\n\n- One.\n"}
    )
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        items = [row.item for row in pane.ledger.lines.rows]
        entries = [(item.entry.heading[-8:], item.omitted is not None) for item in items if isinstance(item, rows.EntryItem)]
        assert entries[:6] == [
            ("Plover is a command-line tool that plans bird counts."[-8:], False),
            ("Choice 1", False),
            ("Choice 2", False),
            ("Choice 3", True),
            ("Choice 4", True),
            ("Choice 5", True),
        ]
        found = pane._answer
        assert found is not None
        assert found.pack is not None
        assert {item.path: item.reason for item in items if isinstance(item, rows.LeftItem)} == dict(found.pack.not_loaded)
        assert any(item.path.endswith("areas/sites.md") for item in items if isinstance(item, rows.LeftItem))
        await press(pilot, "tab")
        third = next(item for item in items if isinstance(item, rows.EntryItem) and item.entry.heading.endswith("Choice 3"))
        pane.ledger.lines.select(third.entry.id)
        await settle(pilot)
        assert "omitted: it would not fit: " in str(pane._why.render())
        pane.ledger.lines.select(f"left:{MEMORY}/areas/sites.md")
        await settle(pilot)
        assert str(pane._why.render()).startswith("areas/sites.md · did not load: ")

    play(app, script)


@pytest.mark.slow
def test_an_entry_of_the_account_can_be_judged_opened_and_asked_about(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "s")
        assert toasts(app)[-1] == "Nothing is selected.", "the choices have the focus: no entry is meant"
        await press(pilot, "tab")
        pane.ledger.lines.select(
            next(row.key for row in pane.ledger.lines.rows if "2026-06-30" in str(getattr(row.item, "entry", "")))
        )
        await settle(pilot)
        await press(pilot, "w")
        assert "tasks load it." in screen_text(app)
        await press(pilot, "escape")
        await press(pilot, "s")
        assert type(app.screen).__name__ == "Verdict"
        assert "No third-party packages" in screen_text(app)
        await press(pilot, "escape")
        await press(pilot, "enter")
        assert pane.reading.has_focus
        top = shown(pane).split("\n")[pane.reading._origin[pane.reading.scroll_offset.y]]
        assert "No third-party packages" in top or pane.reading.scroll_offset.y == pane.reading.max_scroll_y

    play(app, script)


def test_copying_the_pack(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "P")
        assert app.clipboard == app.desk.pack(LoadRequest("planning"), MEMORY).text

    play(app, script)


def test_an_incomplete_pack_says_so(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=None)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "t")
        text = screen_text(app)
        assert "✕ incomplete" in text
        assert "missing required" in text
        assert "INCOMPLETE. This pack lacks:" in shown(pane_of(app))

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 36), (80, 24), (40, 12)])
def test_a_manifest_that_cannot_be_routed_shows_file_line_and_remedy_and_mending_it_helps(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    good = manifest()
    folder = custodian_store(tmp_path, manifest=good.replace("- `decisions.md`", "- `../outside.md`"))
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        found = pane._answer
        assert found is not None
        assert found.error is not None
        assert found.error.path == f"{MEMORY}/manifest.md"
        assert found.error.line is not None
        assert f"{MEMORY}/manifest.md:{found.error.line}" in shown(pane)
        assert found.error.message in shown(pane)
        assert found.error.remedy in shown(pane)
        assert pane.choices.lines.count > 7, "another task can still be chosen"
        put(tmp_path, f"{MEMORY}/manifest.md", good)
        await press(pilot, "ctrl+r")
        assert pane._answer is not None
        assert pane._answer.error is None
        assert "Store counts as CSV" in shown(pane)

    play(app, script, size)
    assert folder.exists()


@pytest.mark.slow
def test_without_a_store_it_says_what_to_do(tmp_path: Path) -> None:
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        assert "There is no store here." in screen_text(app)
        assert "memdesk init" in screen_text(app)
        for key in ("space", "t", "enter", "o", "y", "P", "w", "h"):
            await press(pilot, key)

    play(app, script)


@pytest.mark.slow
def test_filtered_to_nothing_and_back(tmp_path: Path) -> None:
    demo(tmp_path)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "tab", "slash")
        await type_(pilot, "zzzz")
        assert "No file or entry holds these words." in screen_text(app)
        await press(pilot, "escape")
        assert pane_of(app).ledger.lines.count > 10

    play(app, script)


def test_several_stores_are_chosen_like_tasks(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief="# Brief\n\nThe first.\n")
    custodian_store(tmp_path, folder="docs/other", brief="# Brief\n\nThe second.\n", **{"areas/sites": "# Sites\n\n- One.\n"})
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert "The first." in shown(pane)
        await press(pilot, "g", "j", "enter")
        assert pane._asked.store == "docs/other"
        assert "The second." in shown(pane)
        assert any(row.key == "areas:sites" for row in pane.choices.lines.rows)

    play(app, script)


@pytest.mark.slow
def test_a_text_that_looks_like_a_header_is_not_one(tmp_path: Path) -> None:
    custodian_store(tmp_path, brief=f"# Brief\n\n===== {MEMORY}/decisions.md =====\n\nNot the decisions.\n")
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "tab")
        pane.ledger.lines.select(f"file:{MEMORY}/decisions.md")
        await press(pilot, "enter")
        assert pane._answer is not None
        heads = [
            para
            for para in pane._answer.text
            if para.pieces and para.pieces[0].role == "heading" and "=====" in para.pieces[0].text
        ]
        assert len(heads) == sum(1 for file in pane._answer.pack.files if file.disposition == "loaded")  # type: ignore[union-attr]

    play(app, script)
