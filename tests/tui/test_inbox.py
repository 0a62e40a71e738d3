"""The Inbox pane: order, filter, flags, snoozed ones, copying, and that a reading from outside moves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from memdesk.tui.panes.inbox import InboxPane, current_text
from memdesk.tui.panes.inbox_rows import age
from tests.support.benches import bench
from tests.support.fake_desk import FakeDesk
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import custodian_store, record, records_store

TEXTS = ["Retry three times", "Never write outside $HOME", "JSON grows\n  - ~~old line~~\n  - new line", "Use [x] [/b]"]


def open_bench(texts: Sequence[str] = TEXTS, **options: Any) -> tuple[Workbench, FakeDesk]:
    desk = FakeDesk(texts, **options)
    return Workbench(desk, environ={}), desk  # type: ignore[arg-type]


def inbox(app: Workbench) -> InboxPane:
    assert isinstance(app.pane, InboxPane)
    return app.pane


@pytest.mark.parametrize(
    ("day", "shown"),
    [("2026-11-30", "0d"), ("2026-11-28", "2d"), ("2026-08-23", "99d"), ("2026-08-22", "14w"), ("2024-01-01", "2y"),
     ("2026-12-24", "soon"), (None, ""), ("not a date", "")],
)
def test_age(day: str | None, shown: str) -> None:
    assert age(day, date(2026, 11, 30)) == shown


def test_oldest_first_or_newest_first_and_the_selection_stays() -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        headings = [row.item.entry.heading for row in pane.lines.rows]
        assert headings[0] == "Use [x] [/b]"
        await press(pilot, "j")
        key = pane.lines.key
        await press(pilot, "v")
        assert [row.item.entry.heading for row in pane.lines.rows] == headings[::-1]
        assert pane.lines.key == key

    play(app, script)


@pytest.mark.slow
def test_filter_finds_in_the_whole_text_and_escape_shows_all() -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        await press(pilot, "slash")
        await type_(pilot, "new line")
        assert pane.lines.count == 1
        assert "1 of 4 waiting" in screen_text(app)
        await press(pilot, "enter", "escape")
        assert pane.lines.count == 4
        assert pane.lines.has_focus
        await press(pilot, "slash")
        await type_(pilot, "zzz")
        assert "No candidate holds these words." in screen_text(app)
        await press(pilot, "escape")
        assert pane.lines.count == 4

    play(app, script)


def test_flags_and_what_is_near() -> None:
    app, _ = open_bench(near={"Use [x] [/b]": "tombstone", "Retry three times": "possible"})

    async def script(pilot: Pilot[Any]) -> None:
        lines = screen_text(app).split("\n")
        assert any("Use [x] [/b]" in line and "⚑" in line for line in lines)
        assert any("Retry three times" in line and "≈2" in line for line in lines)
        text = screen_text(app)
        assert "─ near ─" in text
        assert "⚑ tombstone" in text

    play(app, script)


def test_what_should_not_be_kept_is_flagged_and_masked_in_the_list() -> None:
    address = "ops@" + "night-mail.dev"
    app, _ = open_bench([f"Ask {address} for the key", "Retry three times"])

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        rows = ["".join(piece.text for piece in pane.draw(row.item, 70)) for row in pane.lines.rows]
        (flagged,) = [row for row in rows if "◈" in row]
        assert "Ask *** for the key" in flagged
        assert not any(address in row for row in rows)
        await press(pilot, "j")
        assert "◈ holds example value" in screen_text(app)

    play(app, script)


def test_what_would_be_in_conflict_if_it_held_is_flagged_with_the_reason(tmp_path: Path) -> None:
    old = record(2, "Counts in one table", "Superseded by ADR-0001")
    records_store(tmp_path, **{"docs/adr/0002-sync-at-night.md": None, "docs/adr/0002-one-table.md": old})
    custodian_store(tmp_path, **{"inbox.md": "# Inbox\n\n- One table holds all, as in ADR-0002\n- Weigh twice\n"})
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        rows = ["".join(piece.text for piece in pane.draw(row.item, 70)) for row in pane.lines.rows]
        assert [row.rstrip()[-1] == "✕" for row in rows if "0d" in row or "One" in row or "Weigh" in row] == [True, False]
        await press(pilot, "j", "k")
        assert "✕ conflict if it held: it names ADR-0002" in screen_text(app)

    play(app, script)


@pytest.mark.slow
def test_snoozed_ones_go_come_back_and_are_woken() -> None:
    app, desk = open_bench()

    def snooze(ids: list[str], until: date) -> None:
        desk.asleep.update(dict.fromkeys(ids, until))

    def unsnooze(ids: list[str]) -> None:
        for ident in ids:
            del desk.asleep[ident]

    desk.snooze, desk.unsnooze = snooze, unsnooze  # type: ignore[attr-defined]

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        key = pane.lines.key
        await press(pilot, "z", "1", "enter")
        assert desk.asleep == {key: date(2026, 12, 1)}
        assert pane.count == 3
        assert toasts(app)[-1].startswith("Snoozed until 2026-12-01")
        await press(pilot, "Z")
        assert pane.count == 4
        assert "zZ" in screen_text(app)
        pane.lines.select(key)
        await settle(pilot)
        await press(pilot, "z")
        assert desk.asleep == {}

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "day"), [("2027-01-02", date(2027, 1, 2)), ("2026-11-30", None), ("2026-13-01", None), ("soon", None)]
)
def test_a_typed_date_must_come(typed: str, day: date | None) -> None:
    from memdesk.tui.dialogs.snooze import Snooze

    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "z", "tab")
        await type_(pilot, typed)
        assert isinstance(app.screen, Snooze)
        assert app.screen.until() == day
        if day is None:
            await press(pilot, "enter")
            assert isinstance(app.screen, Snooze), "a date that is none closes nothing"

    play(app, script)


def test_copying_leaves_struck_lines_out_or_takes_them_along() -> None:
    app, desk = open_bench()
    copied: list[str] = []
    app.copy_to_clipboard = copied.append  # type: ignore[method-assign]

    async def script(pilot: Pilot[Any]) -> None:
        inbox(app).lines.select(desk.entries_[2].id if desk.entries_ else desk.inbox.entries[2].id)
        await settle(pilot)
        await press(pilot, "y", "Y")
        assert copied == ["- JSON grows\n  - new line", "- JSON grows\n  - ~~old line~~\n  - new line"]
        assert "Copied “JSON grows”" in toasts(app)[0]

    play(app, script)


def test_current_text_keeps_what_is_struck_only_in_part() -> None:
    desk = FakeDesk(["keep ~~this~~ word\n  - ~~gone~~ struck 2026-11-30"])
    assert current_text(desk.inbox.entries[0]) == "- keep ~~this~~ word"


def test_in_a_narrow_terminal_enter_reads_and_escape_goes_back() -> None:
    app, _ = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        assert "docs/memory/inbox.md:" not in screen_text(app)
        await press(pilot, "enter")
        assert "docs/memory/inbox.md:" in screen_text(app)
        await press(pilot, "escape")
        assert inbox(app).lines.has_focus
        assert "docs/memory/inbox.md:" not in screen_text(app)

    play(app, script, (40, 16))


def test_an_error_of_reading_is_words_in_place_of_the_list() -> None:
    from memdesk.core.errors import StoreError

    app, desk = open_bench()

    def broken(snoozed: bool = False) -> Any:
        raise StoreError("There is no manifest.", path="docs/memory/manifest.md", remedy="Restore it.")

    async def script(pilot: Pilot[Any]) -> None:
        desk.candidates = broken  # type: ignore[method-assign]
        app.refresh_panes()
        await settle(pilot)
        text = screen_text(app)
        assert "There is no manifest." in text
        assert "Restore it." in text

    play(app, script)


@pytest.mark.parametrize(
    "data", [b"# Inbox\n\n- a \xff b\n", b"# Inbox\n\n- a\0b\n", "# Inbox\n\n- a\n".encode("utf-16"), b"# Inbox\r\r- a\r"]
)
def test_an_inbox_that_cannot_be_read_is_not_called_empty(tmp_path: Path, data: bytes) -> None:
    custodian_store(tmp_path, inbox=data)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        shown = screen_text(app)
        assert "docs/memory/inbox.md cannot be read" in shown
        assert "0 waiting · 1 unread" in shown
        assert "the inbox is empty" not in shown

    play(app, script)


def test_an_inbox_that_cannot_be_read_shows_beside_one_that_can(tmp_path: Path) -> None:
    custodian_store(tmp_path, inbox="# Inbox\n\n- one\n")
    custodian_store(tmp_path, "sub/docs/memory", inbox=b"# Inbox\n\n- a \xff b\n")
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        assert "1 waiting · 1 unread" in screen_text(app)

    play(app, script)


def test_candidates_that_are_a_file_each_stand_under_their_folder(tmp_path: Path) -> None:
    records_store(tmp_path, **{"docs/adr/0003-c.md": record(3, "Weigh twice", "Draft")})
    custodian_store(tmp_path, **{"inbox.md": "# Inbox\n\n- Count at noon\n"})
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        pane = inbox(app)
        rows = ["".join(piece.text for piece in pane.draw(row.item, 70)) for row in pane.lines.rows]
        at = next(index for index, row in enumerate(rows) if row.strip() == "docs/adr · 2")
        assert ["Weigh twice" in rows[at + 1], "Sync at night" in rows[at + 2]] == [True, True]
        assert not any("docs/adr/" in row for row in rows)

    play(app, script)
