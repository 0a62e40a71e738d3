"""A whole inbox by keyboard alone: ten candidates, each verdict in three keys at most beyond what is typed.

Afterwards the files are compared to the byte with what formats/custodian.md and formats/verbs.md say is written.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import StoreError
from memdesk.tui.app import Workbench
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
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
        "# Decisions\n\n## 2026-05-02 - Store counts as CSV\n\n"
        "Decision:\nCounts are stored as CSV files, one for each site.\n\nReason:\nVolunteers open them in a spreadsheet.\n"
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


@pytest.mark.slow
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
        assert [row.item.entry.heading for row in lines.rows][:2] == [
            "[suggested] Show totals in the title.",
            "Guess missing counts.",
        ]
        await verdict(pilot, "p", "enter", "=first", "enter")  # Show totals: a decision
        await verdict(pilot, "r", "=spoils data", "enter")  # Guess missing counts
        await verdict(pilot, "m", "enter")  # Counts are CSV: into the decision that is near
        await verdict(pilot, "p", "2", "enter")  # Sites have codes: a constraint
        await verdict(pilot, "a", "enter")  # Old logs
        await verdict(pilot, "s", "=it varies", "enter")  # Volunteers skip long forms
        await verdict(pilot, "p", "3", "enter")  # Ask for the weather first: a preference
        await verdict(pilot, "p", "4", "=network", "enter")  # Use a map server: a tombstone
        await verdict(pilot, "z", "enter")  # Counts are rounded
        await verdict(pilot, "p", "2", "enter")  # Print one line per site: a constraint
        assert lines.count == 0
        assert "Nothing waits: the inbox is empty." in screen_text(app)

    play(app, script)
    assert len(used) == 10
    assert max(used) <= 3, used

    assert (folder / "decisions.md").read_text() == (
        "# Decisions\n\n## 2026-11-30 - Show totals in the title\n\nDecision:\nShow totals in the title.\n\n"
        "Reason:\nfirst\n\n"
        "## 2026-05-02 - Store counts as CSV\n\nDecision:\nCounts are stored as CSV files, one for each site.\n\n"
        "Counts are CSV.\n- one file for each site\n\nReason:\nVolunteers open them in a spreadsheet.\n"
    )
    assert (folder / "constraints.md").read_text() == (
        "# Constraints\n\n- Runs without a network connection.\n- Sites have codes of four letters.\n"
        "- Print one line per site.\n"
    )
    assert (folder / "preferences.md").read_text() == "# Preferences\n\n- Short lines.\n- Ask for the weather first.\n"
    assert (folder / "do-not-use.md").read_text() == (
        "# Do not use\n\n## Tombstone: Use a map server\n\nDo not reintroduce this unless the user explicitly reverses it. "
        "Reason: network. Date: 2026-11-30.\n\n## Tombstone: Cloud sync\n\nDo not reintroduce this unless the user explicitly "
        "reverses it. Reason: sites have no network. Date: 2026-04-11.\n"
    )
    assert (folder / "inbox.md").read_text() == (
        "# Inbox\n\n## 2026-11-29\n\n- [observed] Counts are rounded to whole birds. (from src/count.py:4)\n\n"
        "## 2026-11-28\n\n- ~~[inferred] Volunteers skip long forms.~~ struck 2026-11-30: it varies\n"
    )
    assert (folder / "archive/inbox-2026-11-30.md").read_text() == (
        "# Archived from inbox.md, 2026-11-30\n\n- Guess missing counts.\n  Rejected 2026-11-30: spoils data\n"
        "- Old logs are kept for a year.\n"
    )
    changed = {line[3:] for line in git(tmp_path, "status", "--short", "-uall").splitlines()}
    assert changed == {
        f"{MEMORY}/{name}.md"
        for name in ("constraints", "decisions", "do-not-use", "inbox", "preferences", "archive/inbox-2026-11-30")
    }


@pytest.mark.slow
def test_each_verdict_can_be_undone_and_everything_is_as_it_was(tmp_path: Path) -> None:
    app, folder = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        for keys in (("p", "2", "enter"), ("r", "enter"), ("a", "enter")):
            await press(pilot, *keys)
            assert toasts(app)[-1].endswith("u undoes it.")
        assert git(tmp_path, "status", "--short") != ""
        await press(pilot, "u", "u", "u")
        assert git(tmp_path, "status", "--short", "-uall") == ""
        assert app.pane is not None
        assert app.pane.count == 10
        await press(pilot, "u")
        assert toasts(app)[-1] == "Nothing to undo."

    play(app, script)
    assert not (folder / "archive").exists()


def test_several_at_once_are_one_transaction(tmp_path: Path) -> None:
    app, folder = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "space", "space", "p", "3", "enter")
        assert app.pane is not None
        assert app.pane.count == 8
        assert (
            folder / "preferences.md"
        ).read_text() == "# Preferences\n\n- Short lines.\n- Show totals in the title.\n- Guess missing counts.\n"
        assert len(app.desk.history()) == 1
        await press(pilot, "u")
        assert git(tmp_path, "status", "--short") == ""

    play(app, script)


def test_a_verdict_key_pressed_twice_does_not_judge_the_next(tmp_path: Path) -> None:
    """The second key was pressed before the next candidate was on screen (research F06)."""
    app, _ = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        assert app.pane is not None
        lines = app.pane.lines  # type: ignore[attr-defined]
        pressed = app.key_time = lines.painted_at + 1e-6
        first = lines.key
        lines.action_move(1)
        await settle(pilot)
        assert lines.key != first
        assert lines.painted_at > pressed
        app.run_verb("archive")  # by the key that was pressed while the first was on screen
        await settle(pilot)
        assert len(app.screen_stack) == 1
        await press(pilot, "a")  # a new key counts
        assert len(app.screen_stack) == 2

    play(app, script)


def test_an_outside_edit_that_changes_the_diff_is_shown_and_enter_waits(tmp_path: Path) -> None:
    app, folder = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "no")
        inbox = folder / "inbox.md"
        changed = inbox.read_text().replace(
            "- [suggested] Show totals in the title.", "- [suggested] Show totals in the title bar."
        )
        inbox.write_text(changed)
        await press(pilot, "enter")
        text = screen_text(app)
        assert inbox.read_text() == changed, "nothing was written"
        assert "as it was" in text
        assert "as it is now" in text
        assert "Show totals in the title bar." in text
        await press(pilot, "enter")
        assert inbox.read_text() == changed, "Enter is disarmed"
        await press(pilot, "tab", "shift+tab", "enter")
        assert "- ~~[suggested] Show totals in the title bar.~~ struck 2026-11-30: no" in inbox.read_text()

    play(app, script)


def test_an_outside_edit_elsewhere_is_kept_and_the_verdict_goes_through(tmp_path: Path) -> None:
    app, folder = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "p", "2")
        (folder / "constraints.md").write_text("# Constraints\n\nBinding.\n\n- Runs without a network connection.\n")
        await press(pilot, "enter")
        assert (folder / "constraints.md").read_text() == (
            "# Constraints\n\nBinding.\n\n- Runs without a network connection.\n- Show totals in the title.\n"
        )

    play(app, script)


@pytest.mark.slow
def test_escape_leaves_all_as_it_was(tmp_path: Path) -> None:
    app, _ = open_bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        for key in "psrmaezf":
            await press(pilot, key, "escape")
            assert len(app.screen_stack) == 1, key
        assert git(tmp_path, "status", "--short") == ""
        assert app.desk.history() == []

    play(app, script)


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_keeps_what_was_typed(tmp_path: Path) -> None:
    app, _ = open_bench(tmp_path)
    app.desk.commit = _disk_full  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "why")
        await press(pilot, "enter")
        text = screen_text(app)
        assert "Could not strike" in text
        assert "No space left on device" in text
        await press(pilot, "escape")
        assert "why" in screen_text(app)
        assert len(app.screen_stack) == 2

    play(app, script)


def _disk_full(plan: object, who: str) -> None:
    raise StoreError(
        "No space left on device; nothing was written.", path="docs/memory/inbox.md", remedy="Make room and try again."
    )
