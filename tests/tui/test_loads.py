"""What loads this: every task with its reason and the line to change, whole at any width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.routing import Why
from memdesk.tui.dialogs.loads import Answer, Loads, loads_lines
from memdesk.tui.widgets.reading import Reading
from tests.support.benches import bench
from tests.support.pilots import play, press, screen_text, settle, toasts
from tests.support.stores import MEMORY, custodian_store, git_repo, manifest

LONG = "# Decisions\n\n" + "".join(f"## Choice {number}\n\n{'word ' * 90}\n\n" for number in range(12))


def told(app: Any) -> str:
    assert isinstance(app.screen, Loads)
    return app.screen.query_one(Reading).plain


def test_what_is_said_of_one_task_is_not_said_again() -> None:
    found = [
        Why("planning", False, "it is so", "a.md:1 (below `x` add `y`)"), Why("history", True, "task history"),
        Why("general", False, "it is so", "a.md:1 (below `x` add `y`)"),
        Why("forget", False, "it is so", "a.md:9 (below `x` add `y`)"),
    ]
    lines = ["".join(piece.text for piece in para.pieces) for para in loads_lines(Answer(None, found, None))]
    assert lines == [
        "1 of 4 tasks loads it.", "",
        "✕ planning  stays out  it is so", "                       → a.md:1 (below `x` add `y`)",
        "✓ history   loads      task history", "✕ general   stays out  as for planning",
        "✕ forget    stays out  as for planning", "                       → a.md:9 (below `x` add `y`)",
    ]


@pytest.mark.parametrize("size", [(80, 24), pytest.param((160, 50), marks=pytest.mark.slow)])
def test_an_entry_over_budget_with_the_line_that_stops_it(tmp_path: Path, size: tuple[int, int]) -> None:
    custodian_store(tmp_path, decisions=LONG)
    app = bench(tmp_path, "context")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "tab")
        pane: Any = app.pane
        entry = next(one for one in app.desk.workspace.entries() if one.heading == "Choice 9")
        assert pane.ledger.lines.select(entry.id)
        await settle(pilot)
        await press(pilot, "w")
        assert f"What loads {MEMORY}/decisions.md:{entry.line}" in screen_text(app)
        words = told(app)
        assert words.startswith("Choice 9\n0 of 7 tasks load it.\n")
        number = manifest().rstrip("\n").count("\n") + 1
        assert (
            "✕ planning        stays out  omitted from the pack: it comes after “Choice 8” (line 35), the first that would not "
            "fit: 754 + 94 of 800 tokens"
        ) in words
        assert f"→ {MEMORY}/manifest.md:{number} (below `## Context budget` add `- decisions.md: 942 tokens max`)" in words
        assert "✕ implementation  stays out  as for planning" in words
        await press(pilot, "escape")
        assert type(app.screen).__name__ == "Screen"

    play(app, script, size)


def test_the_table_is_copied_and_made_again_when_the_manifest_changes(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- One.\n")
    copied: list[str] = []
    app = bench(tmp_path)
    app.copy_to_clipboard = copied.append  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "w")
        assert "1 of 7 tasks loads it." in told(app)
        await press(pilot, "y")
        assert copied[0].startswith(f"### What loads {MEMORY}/inbox.md:3 “One.”\n\n1 of 7 tasks loads it.\n\n| task |")
        await press(pilot, "o")
        assert toasts(app)[-1] == "There is no line to change."
        path = tmp_path / MEMORY / "manifest.md"
        path.write_text(path.read_text().replace("- `inbox.md`\n", ""))
        app.reread(None, lambda differs: None)
        await settle(pilot)
        assert "0 of 7 tasks load it." in told(app)
        assert "(below “-\u00a0`do-not-use.md`” add “-\u00a0`inbox.md`”)" in told(app)

    play(app, script)


@pytest.mark.slow
def test_from_the_history_of_an_entry(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- One.\n")
    git_repo(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "h", "w")
        assert told(app).startswith("One.\n1 of 7 tasks loads it.")
        await press(pilot, "escape")
        assert "History of One." in screen_text(app)

    play(app, script)
