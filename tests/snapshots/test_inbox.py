"""The Inbox and its dialogs as they look: empty, typical and overflowing, at 80×24 and 120×36, and narrower."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from memdesk.tui.demo import copy_examples
from memdesk.tui.dialogs.confirm import Confirm, Notice
from tests.support.pilots import press, settle, type_
from tests.support.stores import custodian_store, git_repo

SLOW = pytest.mark.slow
SIZES = [(80, 24), pytest.param((120, 36), marks=SLOW)]
TODAY = datetime(2026, 11, 30, 9, 0)
HOSTILE = "".join(
    f"- [observed] {words}\n"
    for words in (
        "x [/b] y [@click=app.exit]click[/] [[wikilink]]",
        "escape \x1b]0;title\x07 \x1b[2J \x9b31m and \u202eoverride",
        "日本語のメモは一文字が一トークンなので、予算をすぐに使い切る。日本語のメモは一文字が一トークン。",
        "👩\u200d🚀 family 👨\u200d👩\u200d👧\u200d👦 flags 🇫🇷 and ❤\ufe0f",
        "שלום עולם and مرحبا بالعالم",
        "a\ttab\tand a very long line " + "word " * 200,
        "unbroken" * 60,
    )
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "night-notes"
    folder.mkdir()
    return folder


def bench(root: Path, theme: str = "dark") -> Workbench:
    app = Workbench(Desk.open(str(root), clock=Clock(TODAY), user_config=None), environ={"TERM": "xterm-256color"})
    app.theme = theme
    return app


def demo(root: Path, theme: str = "dark") -> Workbench:
    copy_examples(str(root), ["custodian"])
    git_repo(root)
    return bench(root, theme)


def keys(*steps: str) -> Callable[[Pilot[Any]], Any]:
    """Keys to press before the picture is taken; words behind a `=`."""

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for step in steps:
            await (type_(pilot, step[1:]) if step.startswith("=") else press(pilot, step))
            for field in (*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)):
                field.cursor_blink = False
        await settle(pilot)

    return run


@pytest.mark.parametrize("size", SIZES)
def test_empty(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    custodian_store(root)
    assert snap_compare(bench(root), terminal_size=size, run_before=keys())


@pytest.mark.parametrize("size", [*SIZES, pytest.param((40, 16), marks=SLOW)])
def test_typical(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=size, run_before=keys("G", "k"))


@pytest.mark.parametrize("size", SIZES)
def test_overflowing(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    more = "".join(f"- [inferred] Candidate number {number} of many\n" for number in range(300))
    custodian_store(root, inbox=f"# Inbox\n\n## 2026-11-20\n\n{HOSTILE}\n## 2026-11-21\n\n{more}")
    assert snap_compare(bench(root), terminal_size=size, run_before=keys("j", "space", "space", "j", "j"))


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "high-contrast", "ansi-16", "no-colour"])
def test_themes(root: Path, theme: str, snap_compare: Any) -> None:
    assert snap_compare(demo(root, theme), terminal_size=(80, 24), run_before=keys("j", "space", "j"))


def test_filtered_to_nothing(root: Path, snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=(80, 24), run_before=keys("slash", "=zzz"))


@pytest.mark.parametrize("size", SIZES)
def test_promote(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=size, run_before=keys("p", "enter", "=because"))


@pytest.mark.slow
def test_promote_before_anything_is_typed(root: Path, snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=(80, 24), run_before=keys("p"))


def test_several_that_would_become_stated(root: Path, snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=(80, 24), run_before=keys("space", "space", "p", "3", "tab", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["r", "m", "e", "f", "z"])
def test_other_verdicts(root: Path, key: str, snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=(80, 24), run_before=keys("G", "k", key))


def test_a_diff_that_changed_is_marked(root: Path, snap_compare: Any) -> None:
    app = demo(root)

    async def run(pilot: Pilot[Any]) -> None:
        await keys("p", "2")(pilot)
        path = root / "docs/memory/constraints.md"
        path.write_text(path.read_text().rstrip("\n") + "\n- Another one came meanwhile")
        await press(pilot, "enter")

    assert snap_compare(app, terminal_size=(80, 24), run_before=run)


def test_help(root: Path, snap_compare: Any) -> None:
    assert snap_compare(demo(root), terminal_size=(80, 24), run_before=keys("question_mark"))


def test_a_notice_and_a_question(root: Path, snap_compare: Any) -> None:
    custodian_store(root)
    app = bench(root)

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        app.push_screen(Confirm("Forget it?", "3 units would go.\n[b]not bold[/b]", "Forget 3 units", start="cancel"))
        app.push_screen(
            Notice("Could not promote", "The file changed. x [/b] \x1b[2J", "docs/memory/inbox.md:7", "Read it again.")
        )
        await settle(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=run)
