"""`u` in the workbench, by the bytes: in the inbox, in History, of an undo, of that one's undo; and of a snooze."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.support.benches import act, bench
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, snapshot

INBOX = (
    b"\xef\xbb\xbf# Inbox\r\n\r\n## 2026-11-19\r\n\r\n- Alpha waits\r\n-  Beta waits  \r\n\r\n"
    b"## 2026-10-30\r\n\r\n- Gamma waits"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path, inbox=INBOX)
    return tmp_path


@pytest.mark.slow
def test_the_redo_chain_gives_back_the_bytes_each_time(root: Path) -> None:
    states = [snapshot(root / MEMORY)]
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        for words in ("over", "gone"):
            await press(pilot, "s")
            await type_(pilot, words)
            await press(pilot, "enter")
            states.append(snapshot(root / MEMORY))
        assert states[0] != states[1] != states[2]
        await press(pilot, "u")
        assert snapshot(root / MEMORY) == states[1]
        await press(pilot, "6")
        for turn in (2, 1, 2, 1):  # the newest is selected: an undo, its undo, and so on
            await press(pilot, "g", "u", "enter")
            assert snapshot(root / MEMORY) == states[turn], screen_text(app)
        chain = app.desk.history()
        assert [item.undoes for item in chain[:5]] == [item.id for item in chain[1:6]]
        await press(pilot, "1", "u")
        assert snapshot(root / MEMORY) == states[0]
        await settle(pilot)

    play(app, script)


@pytest.mark.slow
def test_an_older_one_is_undone_in_history_from_under_a_newer(root: Path) -> None:
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "over")
        await press(pilot, "enter", "s")
        await type_(pilot, "gone")
        await press(pilot, "enter", "6", "g", "j", "u", "enter")
        now = (root / MEMORY / "inbox.md").read_bytes()
        assert now == INBOX.replace(b"- Alpha waits", b"- ~~Alpha waits~~ struck 2026-11-30: gone")

    play(app, script)


@pytest.mark.slow
def test_a_snooze_is_taken_back_before_the_verdict_below_it(root: Path) -> None:
    before = snapshot(root / MEMORY)
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "s")
        await type_(pilot, "over")
        await press(pilot, "enter")
        after = snapshot(root / MEMORY)
        await press(pilot, "z", "enter")
        assert len(app.desk.snoozes()) == 1
        await press(pilot, "u")
        assert app.desk.snoozes() == []
        assert snapshot(root / MEMORY) == after
        await press(pilot, "u")
        assert snapshot(root / MEMORY) == before

    play(app, script)


@pytest.mark.slow
def test_what_cannot_be_undone_yet_says_what_to_undo_first(root: Path) -> None:
    older, newer = (act(root, "reject", text, {"reason": "so"}, hour) for text, hour in (("Alpha", 8), ("Beta", 9)))
    left = snapshot(root / MEMORY)
    app = bench(root, "history")

    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "j", "u")
        assert toasts(app)[-1].startswith("It cannot be undone: ")
        assert f"undo {newer} first" in toasts(app)[-1]
        assert snapshot(root / MEMORY) == left
        await press(pilot, "k", "u", "enter")
        app.pane.lines.select(older)
        await press(pilot, "u", "enter")
        assert (root / MEMORY / "inbox.md").read_bytes() == INBOX

    play(app, script)
