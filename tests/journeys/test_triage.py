"""A whole inbox by keyboard alone: ten candidates, each verdict in three keys at most beyond what is typed.

Afterwards the files are compared to the byte with what formats/custodian.md and formats/verbs.md say is written.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from tests.support.pilots import play, press, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, git, git_repo

TODAY = datetime(2026, 11, 30, 9, 0)

INBOX = """# Inbox

## 2026-11-29

- [observed] Counts are rounded to whole birds. (from src/count.py:4)
- Print one line per site.

## 2026-11-28

- [inferred] Volunteers skip long forms.
- Ask for the weather first.
- Use a map server.

## 2026-11-27

- [suggested] Show totals in the title.
- Guess missing counts.
- Counts are CSV.
  - one file for each site
- Sites have codes of four letters.
- Old logs are kept for a year.
"""
BEFORE: dict[str, str] = {
    "inbox": INBOX,
    "decisions": (
        "# Decisions\n\n## 2026-05-02 - Store counts as CSV\n\nDecision:\nCounts are stored as CSV files, one for each site.\n\n"
        "Reason:\nVolunteers open them in a spreadsheet.\n"
    ),
    "constraints": "# Constraints\n\n- Runs without a network connection.\n",
    "preferences": "# Preferences\n\n- Short lines.\n",
    "do_not_use": (
        "# Do not use\n\n## Tombstone: Cloud sync\n\nDo not reintroduce this unless the user explicitly reverses it. "
        "Reason: sites have no network. Date: 2026-04-11.\n"
    ),
}


def open_bench(root: Path, **files: str) -> tuple[Workbench, Path]:
    """A workbench on a committed store."""
    folder = custodian_store(root, **{**BEFORE, **files})
    git_repo(root)
    desk = Desk.open(str(root), clock=Clock(TODAY), user_config=None)
    return Workbench(desk, environ={"TERM": "xterm-256color"}), folder


def test_ten_candidates_by_keyboard_alone(tmp_path: Path) -> None:
    app, folder = open_bench(tmp_path)
    used: list[int] = []

    async def verdict(pilot: Pilot[Any], *steps: str) -> None:
        """Keys as they are, words behind a `=`."""
        count = app.query_one("#inbox-list").lines.total  # type: ignore[attr-defined]
        for step in steps:
            await (type_(pilot, step[1:]) if step.startswith("=") else press(pilot, step))
        used.append(sum(1 for step in steps if not step.startswith("=")))
        assert app.query_one("#inbox-list").lines.total == count - 1, steps  # type: ignore[attr-defined]

    async def script(pilot: Pilot[Any]) -> None:
        assert app.pane is not None
        lines = app.pane.lines  # type: ignore[attr-defined]
        assert [row.item.entry.heading for row in lines.rows][:2] == ["[suggested] Show totals in the title.", "Guess missing counts."]
        await verdict(pilot, "p", "enter", "=Readers look there first", "enter")  # Show totals: a decision
        await verdict(pilot, "r", "=Guesses spoil the data", "enter")  # Guess missing counts
        await verdict(pilot, "m", "enter")  # Counts are CSV: into the decision that is near
        await verdict(pilot, "p", "2", "enter")  # Sites have codes: a constraint
        await verdict(pilot, "a", "enter")  # Old logs
        await verdict(pilot, "s", "=It depends on the form", "enter")  # Volunteers skip long forms
        await verdict(pilot, "p", "3", "enter")  # Ask for the weather first: a preference
        await verdict(pilot, "p", "4", "=It needs a network", "enter")  # Use a map server: a tombstone
        await verdict(pilot, "z", "enter")  # Counts are rounded
        await verdict(pilot, "p", "2", "enter")  # Print one line per site: a constraint
        assert "Nothing waits: the inbox is empty." in app.screen._compositor.__class__.__name__ or lines.count == 0

    play(app, script)
    assert len(used) == 10
    assert max(used) <= 3, used

    assert (folder / "decisions.md").read_text() == (
        "# Decisions\n\n## 2026-11-30 - Show totals in the title\n\nDecision:\nShow totals in the title.\n\n"
        "Reason:\nReaders look there first\n\n"
        "## 2026-05-02 - Store counts as CSV\n\nDecision:\nCounts are stored as CSV files, one for each site.\n\n"
        "Reason:\nVolunteers open them in a spreadsheet.\n\nCounts are CSV.\n  - one file for each site\n"
    )
    assert (folder / "constraints.md").read_text() == (
        "# Constraints\n\n- Runs without a network connection.\n- Sites have codes of four letters.\n- Print one line per site.\n"
    )
    assert (folder / "preferences.md").read_text() == "# Preferences\n\n- Short lines.\n- Ask for the weather first.\n"
    print((folder / "do-not-use.md").read_text())
    print((folder / "inbox.md").read_text())
    print(git(tmp_path, "status", "--short"))
    for extra in (folder / "archive").iterdir():
        print(extra.name, extra.read_text())
