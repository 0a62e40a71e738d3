"""The Prune pane: what could go by kind, one in full beside the list, a scan that can be stopped, and verdicts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import StoreError
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.accepting import Accept
from memdesk.tui.panes.prune import PrunePane
from memdesk.tui.panes.prune_rows import Case, Head
from tests.support.benches import TERMINAL, TODAY, bench
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.rotten import CONSTRAINTS, rotten
from tests.support.stores import MEMORY, custodian_store, git_repo, snapshot

COPIES = ["Runs without a network connection.", "Old logs are kept for a year.", "Every count names its observer."]


def pane_of(app: Workbench) -> PrunePane:
    assert isinstance(app.pane, PrunePane)
    return app.pane


def listed(pane: PrunePane) -> list[str]:
    """The list in short: headings with their size, titles with their state."""
    return [
        f"{row.item.title} {row.item.size}" if isinstance(row.item, Head) else f"{row.item.state}: {row.item.title}"
        for row in pane.lines.rows
    ]


def title(pane: PrunePane) -> str:
    case = pane.case
    return case.title if isinstance(case, Case) else ""


def words(app: Workbench) -> str:
    """What is on screen as running text: frames aside, blanks as one."""
    return " ".join("".join(" " if char in "│╭╮╰╯─" else char for char in screen_text(app)).split())


class Counted(Desk):
    """A desk that counts its scans, and holds each until it is let go."""

    scans = 0
    held = False
    fault: Exception | None = None

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.begun, self.go = threading.Event(), threading.Event()

    def prune(self, progress: Any = None, stopped: Any = None) -> Any:
        self.scans += 1
        if self.fault is not None:
            raise self.fault
        if self.held:
            progress("near-duplicate", 1200, 10_000)
            self.begun.set()
            assert self.go.wait(30)
        return super().prune(progress, stopped)


def counted(root: Path, pane: str = "prune", **options: Any) -> tuple[Workbench, Counted]:
    desk = Counted.open(str(root), clock=Clock(TODAY), user_config=None)
    for name, value in options.items():
        setattr(desk, name, value)
    return Workbench(desk, pane, environ=TERMINAL), desk


def test_proposals_by_kind_and_one_in_full(tmp_path: Path) -> None:
    rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert listed(pane) == [
            "Said twice 3", *(f"exact: {copy}" for copy in COPIES), "Superseded, not struck 1", "exact: The public API is tRPC",
            "Struck, past their keep time 1", "exact: decisions.md: 2 struck entries", "Dead links 1",
            "exact: Store counts as CSV", "Candidates that were rejected before 1", "possible: Cloud sync",
            "Files over their budget 1", "possible: preferences.md: 48 of 30 tokens",
        ]
        assert pane.count == 8
        assert pane.lines.marks == (), "nothing is preselected"
        assert "[4 Prune 8]" in screen_text(app)
        assert "No session yet: the first verdict begins one · 8 left" in screen_text(app)
        shown = pane.reading.plain
        assert "→ Strike 1 copy: constraints.md 41 → 58 of 400 tokens" in shown
        assert f"· {MEMORY}/constraints.md:3: Runs without a network connection. says it first, and stays." in shown
        assert "+ - ~~Runs without a network connection.~~ struck 2026-11-30: Said twice in constraints.md" in shown
        assert pane.spot == (f"{MEMORY}/constraints.md", 6)
        await press(pilot, "x")
        assert pane.spot == (f"{MEMORY}/constraints.md", 3)
        await press(pilot, "y")
        assert app.clipboard == "- Runs without a network connection."

    play(app, script)


@pytest.mark.slow
def test_nothing_is_looked_for_before_the_pane_is_opened_nor_again_before_files_change(tmp_path: Path) -> None:
    folder = rotten(tmp_path)
    app, desk = counted(tmp_path, "inbox")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "5", "1", "ctrl+r")
        assert desk.scans == 0
        await press(pilot, "4")
        pane = pane_of(app)
        assert desk.scans == 1
        await press(pilot, "j", "j", "1", "4", "z", "enter", "u")
        assert desk.scans == 1
        assert title(pane) == COPIES[2], "where it was before it was snoozed"
        (folder / "constraints.md").write_text(CONSTRAINTS.replace("Every count", "Each count"))
        app.reread(None)
        await settle(pilot)
        assert desk.scans == 2
        assert listed(pane)[:2] == ["Said twice 2", f"exact: {COPIES[0]}"]
        assert listed(pane)[-2:] == ["Fell away 1", f"stale: {COPIES[2]}"]
        await press(pilot, "ctrl+r")
        assert desk.scans == 3, "who reads again wants it looked at again"
        assert "Fell away 1" not in listed(pane)

    play(app, script)


def test_a_scan_shows_how_far_it_is_and_escape_stops_it(tmp_path: Path) -> None:
    rotten(tmp_path)
    app, desk = counted(tmp_path, "inbox", held=True)

    async def script(pilot: Pilot[Any]) -> None:
        await pilot.press("4")
        while not desk.begun.is_set():
            await pilot.pause(0.01)
        await pilot.pause()
        pane = pane_of(app)
        assert "⋯ looking: Nearly the same  1200/10000 ▇▁▁▁▁▁▁▁▁▁▁▁ Esc stops" in screen_text(app)
        assert "Looking for what could go…" in screen_text(app)
        await pilot.press("1")
        assert app.current == "inbox", "no key waits for it"
        await pilot.press("4", "escape")
        assert "⋯ stopping…" in screen_text(app)
        desk.go.set()
        await settle(pilot)
        assert "! Stopped. ^r looks again." in screen_text(app)
        assert "Stopped before anything was found." in screen_text(app)
        desk.held = False
        await press(pilot, "ctrl+r")
        assert pane.count == 8
        assert "Stopped" not in screen_text(app)

    play(app, script)


@pytest.mark.slow
def test_a_second_look_that_is_stopped_keeps_what_was_found_before(tmp_path: Path) -> None:
    folder = rotten(tmp_path)
    app, desk = counted(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "j", "j", "j")
        desk.held = True
        desk.begun.clear()
        (folder / "constraints.md").write_text(CONSTRAINTS + "- One more.\n")
        app.reread(None)
        while not desk.begun.is_set():
            await pilot.pause(0.01)
        await pilot.pause()
        assert "8 open · looked at before the change" in screen_text(app)
        assert title(pane) == "The public API is tRPC"
        await pilot.press("escape")
        desk.go.set()
        await settle(pilot)
        assert pane.count == 8
        assert title(pane) == "The public API is tRPC"
        assert "looked at before the change" in screen_text(app)

    play(app, script)


def test_accepting_shows_the_consequence_first_and_goes_on_with_the_next(tmp_path: Path) -> None:
    folder = rotten(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "prune")
    log = f"{MEMORY}/changelog.md"

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "a")
        assert isinstance(app.screen, Accept)
        assert "constraints.md 41 → 58 of 400 tokens" in screen_text(app)
        assert "Strike in constraints.md · 41 → 58 of 400 tokens" in screen_text(app)
        await press(pilot, "escape")
        assert snapshot(tmp_path) == before
        await press(pilot, "a", "enter")
        assert (pane.count, title(pane)) == (7, COPIES[1])
        assert "✓ 1 accepted · 7 left" in screen_text(app)
        assert toasts(app)[-1].startswith('Struck "Runs without a network connection" in constraints.md')
        assert "~~Runs without" in (folder / "constraints.md").read_text()
        await press(pilot, "u")
        assert (pane.count, title(pane)) == (8, COPIES[0])
        after = snapshot(tmp_path)
        assert {path for path in after if after[path] != before.get(path)} == {log}

    play(app, script)


@pytest.mark.slow
def test_a_whole_exact_kind_goes_together_and_a_possible_one_never(tmp_path: Path) -> None:
    rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "slash")
        await type_(pilot, "year")
        await press(pilot, "enter", "A")
        assert "Accept · Old logs are kept for a year." in screen_text(app), "only what is shown"
        await press(pilot, "escape", "escape", "A")
        assert "Accept 3 together · Said twice" in screen_text(app)
        await press(pilot, "escape", "G", "A")
        assert toasts(app)[-1] == "Only exact kinds are accepted together: look at each of these by itself."
        await press(pilot, "space")
        assert pane.lines.marks == ()
        await press(pilot, "g", "space", "space")
        assert len(pane.lines.marks) == 2
        await press(pilot, "j", "space")
        assert toasts(app)[-1] == "Proposals of one kind are accepted together, not of several."
        await press(pilot, "r")
        assert toasts(app)[-1] == "It takes one proposal at a time: Escape unmarks."
        await press(pilot, "a")
        assert "Accept 2 together · Said twice" in screen_text(app)
        await press(pilot, "enter")
        assert pane.count == 6
        assert pane.lines.marks == ()
        await press(pilot, "u")
        assert pane.count == 8
        await press(pilot, "space", "escape")
        assert pane.lines.marks == ()

    play(app, script)


@pytest.mark.slow
def test_what_was_decided_is_shown_on_request_and_can_be_taken_back(tmp_path: Path) -> None:
    rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "r")
        await type_(pilot, "both lists are read alone")
        assert 'reason = "both lists are read alone"' in screen_text(app)
        await press(pilot, "enter", "z", "2", "enter")
        assert pane.count == 6
        await press(pilot, "D")
        assert toasts(app)[-1] == "Below the list: 2 decided."
        await press(pilot, "G")
        assert listed(pane)[-3:] == ["Decided 2", f"snoozed: {COPIES[1]}", f"rejected: {COPIES[0]}"]
        assert pane.reading.plain.startswith("✕ rejected · exact · Said twice")
        for key, why in (("a", "It was decided already."), ("r", "It was decided already.")):
            await press(pilot, key)
            assert toasts(app)[-1] == why
        await press(pilot, "k")
        assert "z snoozed · exact · Said twice · until 2026-12-07" in pane.reading.plain
        await press(pilot, "z")
        assert (pane.count, title(pane)) == (7, COPIES[1])
        await press(pilot, "u")
        assert (pane.count, title(pane)) == (8, COPIES[0])

    play(app, script)


@pytest.mark.slow
def test_entries_are_taken_in_and_out_of_a_set_and_the_meter_follows(tmp_path: Path) -> None:
    folder = rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "G", "a")
        assert "[x] goes  line 3" in screen_text(app)
        assert "Archive 2 entries to archive/preferences-2026-11-30.md" in words(app)
        assert "preferences.md 48 → 29 of 30 tokens" in screen_text(app)
        await press(pilot, "space", "j", "space")
        assert "preferences.md 48 → 26 of 30 tokens" in screen_text(app)
        assert "NEW" not in screen_text(app), "who asks for something else needs no warning"
        await press(pilot, "enter")
        assert (pane.count, title(pane)) == (7, "Cloud sync")

    play(app, script)
    kept = (folder / "preferences.md").read_text()
    assert "Dates are written" not in kept
    assert "Short answers" in kept
    assert "Tables rather" not in kept


@pytest.mark.slow
def test_what_no_longer_fits_is_shown_as_stale_and_why(tmp_path: Path) -> None:
    folder = rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "a")
        (folder / "changelog.md").write_text("# Changelog\n\n## 2026-11-30\n\n- Begun.\n")
        app.reread(None)
        await settle(pilot)
        assert "NEW" in screen_text(app)
        before = snapshot(tmp_path)
        await press(pilot, "enter")
        assert snapshot(tmp_path) == before, "Enter is disarmed until the person has looked"
        (folder / "constraints.md").write_text("# Constraints\n\n- Other.\n")
        app.reread(None)
        await settle(pilot)
        assert "It cannot be done" in screen_text(app)
        await press(pilot, "enter", "escape")
        assert "Fell away 3" in listed(pane)
        assert title(pane) == COPIES[0], "the selected one stays selected"
        assert "was changed, moved or taken out since." in pane.reading.plain
        await press(pilot, "a")
        assert "was changed, moved or taken out since." in toasts(app)[-1]

    play(app, script)


@pytest.mark.slow
def test_more_than_a_quarter_of_a_store_asks_once_more(tmp_path: Path) -> None:
    rotten(tmp_path, preferences=None, decisions="# Decisions\n")
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "A")
        assert "With this, the session takes 2 of the 7 live entries" in screen_text(app)
        assert "Answer the question first" in screen_text(app)
        before = snapshot(tmp_path)
        await press(pilot, "enter")
        assert snapshot(tmp_path) == before
        await press(pilot, "2")
        assert "Accept 3 proposals" in screen_text(app)
        await press(pilot, "enter")
        assert pane.count == 1

    play(app, script)


@pytest.mark.slow
def test_a_session_is_resumed_and_ended_with_a_report(tmp_path: Path) -> None:
    rotten(tmp_path)

    async def begin(pilot: Pilot[Any]) -> None:
        await press(pilot, "a", "enter", "z", "enter")

    play(bench(tmp_path, "prune"), begin)
    second = bench(tmp_path, "prune")

    async def end(pilot: Pilot[Any]) -> None:
        assert toasts(second)[0] == "Session of 2026-11-30 resumed, 2 verdicts given."
        assert "✓ 1 accepted · z 1 snoozed · 6 left" in screen_text(second)
        await press(pilot, "E")
        assert "# Prune session, 2026-11-30" in screen_text(second)
        await press(pilot, "y")
        assert second.clipboard.startswith("# Prune session, 2026-11-30\n\n- accepted: 1\n- rejected: 0\n- snoozed: 1\n")
        assert toasts(second)[-1].startswith("Copied the report, as Markdown")
        await press(pilot, "enter")
        assert "No session yet" in screen_text(second)
        assert not any(line.startswith(("Fell away", "Decided")) for line in listed(pane_of(second)))

    play(second, end)
    assert "Prune session: 1 accepted, 0 rejected, 1 snoozed" in (tmp_path / MEMORY / "changelog.md").read_text()


class Frozen(Counted):
    """A desk of a place that can't be written to."""

    @property
    def read_only(self) -> str | None:
        return "docs/memory cannot be written to (its permissions, or a read-only mount)."


def test_where_nothing_can_be_written_every_verdict_says_why(tmp_path: Path) -> None:
    rotten(tmp_path)
    app = Workbench(Frozen.open(str(tmp_path), clock=Clock(TODAY), user_config=None), "prune", environ=TERMINAL)

    async def script(pilot: Pilot[Any]) -> None:
        assert pane_of(app).count == 8
        assert "! Read-only: docs/memory cannot be written to" in screen_text(app)
        for key in "arzAE":
            await press(pilot, key)
            assert toasts(app)[-1].startswith("docs/memory cannot be written to"), key

    play(app, script)


def _none(root: Path) -> None:
    git_repo(root)


def _clean(root: Path) -> None:
    custodian_store(root)
    git_repo(root)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_none, "There is no store here."), (_clean, "✓ Nothing to prune."),
    ],
)
def test_where_there_is_nothing_it_says_what_to_do_next(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    make(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        assert words in screen_text(app)
        await press(pilot, "a", "r", "A", "enter", "x", "o", "y")
        assert len(app.screen_stack) == 1

    play(app, script)


@pytest.mark.slow
def test_all_decided_names_the_end(tmp_path: Path) -> None:
    rotten(tmp_path, decisions="# Decisions\n", preferences=None, inbox=None)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "r", "enter", "r", "enter")
        assert "✓ All is decided." in screen_text(app)
        assert "E ends the session with its report, D shows what was decided." in words(app)

    play(app, script)


@pytest.mark.slow
def test_a_scan_that_fails_says_so_and_can_be_made_again(tmp_path: Path) -> None:
    rotten(tmp_path)
    app, desk = counted(tmp_path, fault=StoreError("cannot be read.", path="x [/b].md", line=3, remedy="Mend it."))

    async def script(pilot: Pilot[Any]) -> None:
        assert "The stores could not be looked through." in screen_text(app)
        assert "x [/b].md:3" in screen_text(app)
        desk.fault = None
        await press(pilot, "ctrl+r")
        assert pane_of(app).count == 8

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 8)])
def test_in_little_room_one_is_read_at_a_time(tmp_path: Path, size: tuple[int, int]) -> None:
    rotten(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "j", "enter")
        assert pane.reading.has_focus
        if size[0] >= 40:
            assert "Strike 1 copy" in screen_text(app)
        await press(pilot, "G", "escape")
        assert pane.lines.has_focus
        for keys in (("a", "escape"), ("r", "escape"), ("z", "escape"), ("E", "escape"), ("G", "a", "space", "escape")):
            await press(pilot, *keys)
        assert len(app.screen_stack) == 1

    play(app, script, size)


@pytest.mark.slow
def test_values_are_masked_in_the_list_and_the_report(tmp_path: Path) -> None:
    secret = "AKIAIOSFODNN7EXAMPLQ"
    rotten(tmp_path, constraints=f"# Constraints\n\n- The key is {secret}.\n- The key is {secret}.\n", inbox=None)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        assert title(pane_of(app)) == "The key is ***."
        await press(pilot, "r", "enter", "E")
        assert secret not in screen_text(app)
        await press(pilot, "y")
        assert secret not in app.clipboard

    play(app, script)


@pytest.mark.slow
def test_an_entry_that_has_to_stay_says_why(tmp_path: Path) -> None:
    area = (
        "# Nets\n\n## Constraints\n\n- Nets are never left open at night.\n\n"
        "## Notes\n\n- Poles stand at the dike.\n- Ropes hang.\n"
    )
    custodian_store(tmp_path, budgets=["areas/*.md: 20 tokens max per file, if present"], **{"areas/nets": area})
    git_repo(tmp_path)
    app = bench(tmp_path, "prune")

    async def script(pilot: Pilot[Any]) -> None:
        assert title(pane_of(app)).startswith("areas/nets.md: ")
        await press(pilot, "a", "g")
        assert " –  stays line 5" in screen_text(app)
        await press(pilot, "space")
        assert toasts(app)[-1].startswith("It stays: ")

    play(app, script)
