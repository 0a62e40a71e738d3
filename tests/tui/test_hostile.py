"""F34: text from memory, names, git and errors in every pane and dialog: shown to the letter, inert, and no action of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from tests.support.benches import bench
from tests.support.pilots import inspected, play, press, screen_text, settle, type_
from tests.support.stores import custodian_store, fact, git_repo, manifest, tiers_store

TRAP = "[stated] x [/b] [@click=app.quit]go[/] [link=f:x]y[/link] [[w]] a[/ $var [/tmp/x] \x1b]0;t\x07\x1b[2J\x9b31m\u202e"
SHOWN = "[stated]"


@pytest.fixture
def hostile(tmp_path: Path) -> Workbench:
    root = tmp_path / "x [b] [stated] repo"
    root.mkdir()
    files: dict[str, str | bytes | None] = {
        "inbox": f"# Inbox\n\n- {TRAP}\n- second {TRAP}\n",
        "decisions": (
            f"# Decisions\n\n## 2026-05-02 - {TRAP}\n\nDecision:\n{TRAP}\n\nReason:\n{TRAP}\n"
            f"\n## 2026-05-01 - {TRAP}\n\nDecision:\nNot {TRAP}\n\nReason:\n{TRAP}\n"
        ),
        "constraints": f"# Constraints\n\n- {TRAP}\n- {TRAP}\n",
        "do-not-use": f"# Do not use\n\n## Tombstone: {TRAP}\n\nReason: {TRAP} Date: 2026-04-11.\n",
    }
    files["manifest"] = manifest(areas=["- `areas/a.md`: " + TRAP])
    files["areas/a"] = f"# A {TRAP}\n\n- {TRAP}\n"
    custodian_store(root, **files)
    git_repo(root)
    return bench(root)


@pytest.mark.parametrize("size", [(120, 36), *(pytest.param(size, marks=pytest.mark.slow) for size in ((80, 24), (40, 12)))])
def test_f34_every_pane_shows_it_inert(hostile: Workbench, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[Any]) -> None:
        for key in "12356":
            await press(pilot, key)
            text = inspected(hostile, f"pane {key}")
            if key in "123" and size[0] > 40:
                assert SHOWN in text, f"pane {key}"
            await press(pilot, "j", "enter", "escape")
            inspected(hostile, f"pane {key}, read")
        assert hostile.return_code is None

    play(hostile, script, size)


DIALOGS = ("p", "s", "r", "m", "e", "z", "f", "question_mark", "ctrl+p", "ctrl+f", "w", "h", "c", "a")


@pytest.mark.slow
def test_f34_every_dialog_shows_it_inert(hostile: Workbench) -> None:
    async def script(pilot: Pilot[Any]) -> None:
        for key in DIALOGS:
            await press(pilot, key)
            assert len(hostile.screen_stack) > (key != "c"), key  # without an action of this session a toast says so
            inspected(hostile, key)
            if key in ("ctrl+f", "ctrl+p"):
                await type_(pilot, "stated")
                inspected(hostile, f"{key}, typed")
            while len(hostile.screen_stack) > 1:
                await press(pilot, "escape")
        assert hostile.return_code is None

    play(hostile, script)


@pytest.mark.slow
def test_f34_a_click_on_it_does_nothing_but_select(hostile: Workbench) -> None:
    async def script(pilot: Pilot[Any]) -> None:
        text = screen_text(hostile).split("\n")
        for y, line in enumerate(text):
            for trap in ("[@click", "[link"):
                if trap in line:
                    await pilot.click(offset=(line.index(trap) + 3, y))
        await settle(pilot)
        assert hostile.return_code is None
        assert len(hostile.screen_stack) == 1

    play(hostile, script)


@pytest.mark.slow
def test_f34_a_refusal_and_a_toast_take_it_literally(hostile: Workbench) -> None:
    async def script(pilot: Pilot[Any]) -> None:
        await press(pilot, "r", "enter")
        await type_(pilot, "no")
        await press(pilot, "enter")
        assert SHOWN in inspected(hostile, "after the verdict")

    play(hostile, script)


@pytest.mark.slow
def test_f34_the_dialogs_of_three_tiers_show_it_inert(tmp_path: Path) -> None:
    root, markup = tmp_path / "x [b] [stated] repo", TRAP.partition("\x1b")[0]
    tiers_store(root, **{
        "INDEX.md": f"# Index\n\n- [x](facts/x.md): {TRAP}\n", "log/2026-11-30.md": f"# Log\n\n- 08:00 {TRAP}\n",
        "facts/x.md": fact("Something", f"{markup}\n\n- {markup}\n", name="x", why=markup),
        "working/x [b].md": f"# W {TRAP}\n\n- {TRAP}\n", "inbox.md": f"# Inbox\n\n- {TRAP}\n",
    })
    git_repo(root)
    app = bench(root)

    async def script(pilot: Pilot[Any]) -> None:
        opening = (
            ("p",), ("r",), ("C",), ("C", "c"), ("I",), ("2", "tab", "j", "s"), ("2", "tab", "j", "h"), ("2", "tab", "G", "p"),
        )
        for keys in opening:
            await press(pilot, *keys)
            inspected(app, str(keys))
            if keys[-1] == "s":
                app.screen.focused.load_text("Other")  # type: ignore[union-attr]
                await settle(pilot)
                assert SHOWN in inspected(app, "corrected")
            while len(app.screen_stack) > 1:
                await press(pilot, "escape")
        assert app.return_code is None

    play(app, script)
