"""Three tiers by keyboard: an inbox is emptied, a fact corrected, the index made anew, working state cleared, and all of it
taken back. The files are compared to the byte with what formats/tiers.md and formats/verbs.md say is written."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from tests.support.pilots import play, press, screen_text, settle, type_
from tests.support.stores import fact, git_repo, snapshot, tiers_store

TODAY = datetime(2026, 5, 10, 14, 5)
INBOX = """# Inbox

## 2026-05-09

- [stated] Reports go to the county on Mondays (from her letter)
- [inferred] Herons come late this year
- [suggested] Draw maps by hand
"""
OLD, LOG = "memory/facts/site-names.md", "memory/log/2026-05-10.md"
FILES = {
    "inbox.md": INBOX, "working/report.md": "# Report\n\n- Draft it\n- Ask Ada for the map\n",
    "facts/weights.md": fact("Counts are weighed by the weather", name="weights", updated="2026-05-09"),
}
NEW = """---
name: reports-go-to-the-county-on-mondays
description: Reports go to the county on Mondays
updated: 2026-05-10
source: her letter
---

# Reports go to the county on Mondays

Reports go to the county on Mondays

Why: The county closes its books on Tuesdays
"""
CORRECTED = """---
name: site-names
description: Sites have codes of four letters
updated: 2026-05-10
---

# site-names

Codes of four letters, as in [the files](counts-as-csv.md).

Why: Two villages have one name
"""
LOGGED = """# 2026-05-10

- 10:00 began the report for the county
- 14:05 promoted fact reports-go-to-the-county-on-mondays: Reports go to the county on Mondays
- 14:05 Herons come late this year
- 14:05 rejected: [suggested] Draw maps by hand. Reason: Nobody can.
"""
CORRECTION = """- 14:05 corrected fact site-names. Reason: Two villages have one name. It was:
"""


@pytest.mark.slow
def test_a_day_with_three_tiers(tmp_path: Path) -> None:
    tiers_store(tmp_path, **FILES)
    git_repo(tmp_path)
    before = snapshot(tmp_path)
    states: list[dict[str, bytes]] = []
    app = Workbench(Desk.open(str(tmp_path), clock=Clock(TODAY), user_config=None), environ={"TERM": "xterm-256color"})

    def keep() -> None:
        states.append({path: data for path, data in snapshot(tmp_path).items() if not path.startswith(".memdesk")})

    async def select(pilot: Pilot[Any], text: str) -> None:
        lines = app.pane.lines  # type: ignore[union-attr]
        lines.select(next(row.key for row in lines.rows if row.key and text in row.item.entry.text))
        await settle(pilot)

    async def script(pilot: Pilot[Any]) -> None:
        await select(pilot, "Reports go")
        await press(pilot, "p", "tab", "tab")
        await type_(pilot, "The county closes its books on Tuesdays")
        await press(pilot, "tab", "1", "tab", "1", "ctrl+s")
        await select(pilot, "Herons")
        await press(pilot, "p", "tab", "tab", "tab", "2")
        assert "By your answer it won't guide anyone for long." in screen_text(app)
        await press(pilot, "ctrl+l", "ctrl+s")
        await select(pilot, "Draw maps")
        await press(pilot, "r")
        await type_(pilot, "Nobody can")
        await press(pilot, "ctrl+s")
        keep()
        await press(pilot, "I")
        assert "Reindex: 1 line added" in screen_text(app)
        await press(pilot, "enter")
        keep()
        await press(pilot, "ctrl+f")
        await type_(pilot, "nearest village")
        await press(pilot, "enter")
        await press(pilot, "s")
        app.screen.focused.load_text("Codes of four letters, as in [the files](counts-as-csv.md).")  # type: ignore[union-attr]
        await settle(pilot)
        await press(pilot, "tab", "end", "ctrl+u")
        await type_(pilot, "Sites have codes of four letters")
        await press(pilot, "tab")
        await type_(pilot, "Two villages have one name")
        assert "as it will be" in screen_text(app)
        await press(pilot, "ctrl+s", "escape")
        keep()
        await press(pilot, "C", "c", "tab", "enter")
        keep()
        await press(pilot, *["u"] * 6)
        keep()

    play(app, script)
    first, indexed, corrected, cleared, undone = states
    assert first["memory/facts/reports-go-to-the-county-on-mondays.md"].decode() == NEW
    assert first["memory/inbox.md"].decode() == "# Inbox\n\nNo unprocessed memory candidates.\n"
    assert first[LOG].decode() == LOGGED
    name = "reports-go-to-the-county-on-mondays"
    line = f"- [{name}](facts/{name}.md): Reports go to the county on Mondays\n"
    assert first["memory/INDEX.md"].decode() == before["memory/INDEX.md"].decode() + line
    weights = "- [weights](facts/weights.md): Counts are weighed by the weather\n"
    assert indexed["memory/INDEX.md"].decode() == first["memory/INDEX.md"].decode() + weights
    assert indexed[LOG].decode() == LOGGED + "- 14:05 Reindexed: 1 line added.\n"
    assert corrected[OLD].decode() == CORRECTED
    assert "[site-names](facts/site-names.md): Sites have codes of four letters\n" in corrected["memory/INDEX.md"].decode()
    assert corrected[LOG].startswith(indexed[LOG] + CORRECTION.encode())
    assert b"Maps differ in the names of the sites themselves." in corrected[LOG][len(indexed[LOG]) :], "the whole old text"
    assert "memory/working/report.md" not in cleared
    assert cleared[LOG] == corrected[LOG] + b"- 14:05 Cleared working/report.md (2 candidates).\n"
    log = undone.pop(LOG)
    assert log.startswith(cleared[LOG])
    assert log[len(cleared[LOG]) :].decode().count("- 14:05 Undone: ") == 6 == log[len(cleared[LOG]) :].count(b"\n")
    assert {**undone, LOG: before[LOG]} == before
