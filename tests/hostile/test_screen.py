"""The workbench on memory that means harm, in a terminal: every byte that it writes is inspected, every pane is walked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.hostile.inputs import INPUTS, Hostile
from tests.hostile.world import AUTHOR, MARKUP, WORDS, benign, world
from tests.support.benches import bench, interrupted
from tests.support.pilots import inspected, play, press, type_
from tests.support.stores import git
from tests.support.terminal import ESCAPE, Bench, Grid

FEW = INPUTS[::14]
DOWN, UP, PAGE = "\x1b[B", "\x1b[A", "\x1b[6~"
PASTED = "\x1b[200~x\x1b[31m\u202e\x9b2J[b] \x07\u200b\x1b]0;t\x1b[201~"
QUERIES = ("[bold]", '"[@click', "(from", "\\", "%s{}", PASTED)
VERDICTS = (("strike", "s"), ("reject", "r"), ("merge", "m"), ("snooze", "z"), ("edit", "e"), ("promote", "p"))
FRAME = "│╭╮╰╯"


class Walk:
    """Presses keys in a workbench, and looks at the whole screen after each."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.seen: set[str] = set()  # where the markup was read to the letter

    def __call__(self, where: str, *keys: str) -> None:
        for number, key in enumerate(keys):
            text = self.bench.press(key)
            self.look(f"{where}, key {number} {key!r}", text)
            if MARKUP in text:
                self.seen.add(where)

    def look(self, where: str, text: str) -> None:
        assert not self.bench.faults, (where, self.bench.faults[:3])
        assert text.startswith((" memdesk ", " " * 9, "╭─")), f"{where}:\n{text}"  # the header, or a dialog
        assert "Traceback" not in text, f"{where}:\n{text}"
        grid, old = self.bench.grid, self.bench.old
        moved = framed(grid) ^ framed(old)
        rows = sorted({y for _, y, _ in moved})
        assert not moved, "\n".join([where, *(f"{grid.lines[y]}\n{old.lines[y]}" for y in rows[:3])])


def framed(grid: Grid) -> set[tuple[int, int, str]]:
    """Where lines of a frame stand."""
    return {(x, y, cell) for y in range(grid.rows) for x in range(grid.columns) if (cell := grid.cell(x, y)) and cell in FRAME}


def walked(root: Path, size: tuple[int, int], rows: int, deep: int, *, full: bool = True) -> Bench:
    """Walks all panes: `rows` of each list, every `deep`-th read to its end; with `full` every dialog too. Returns the
    terminal of the program, which has ended."""
    with Bench(root, size=size) as terminal:
        walk = Walk(terminal)
        walk.look("first", terminal.until("memdesk", "? Help" if size[0] > 60 else "Help"))
        terminal.settle()
        if full:
            inbox(walk, rows, deep)
            searches(walk)
            context(walk, rows, deep)
            listed(walk, rows, deep)
            clashes(walk, rows, deep)
            prunes(walk, rows, deep)
            walk("frame", "1", "?", ESCAPE, "\x10", "[b]", ESCAPE, "\x14")
            decided(walk)
        else:
            glance(walk)
        terminal.press("q")
        assert terminal.end() == 0, terminal.grid.text
    assert not terminal.faults, terminal.faults[:3]
    if MARKUP in (root / "docs/memory/decisions.md").read_text():
        assert {"inbox", "conflicts", "history", "loads", "timeline", "promote", "edit"} <= walk.seen or size[0] < 80, walk.seen
    return terminal


def glance(walk: Walk) -> None:
    """What shows most with the fewest keys."""
    walk("inbox", "j", "G", "\r", ESCAPE)
    walk("timeline", "k", "h", "j", ESCAPE)
    walk("edit", "e", PASTED, ESCAPE, ESCAPE)
    walk("promote", "p", ESCAPE)
    walk("search", "\x06", PASTED, ESCAPE, "\x06", "bold", ESCAPE)
    walk("context", "2", "t", "\t", "G")
    walk("loads", "w", ESCAPE)
    walk("health", "5", "G")
    walk("history", "6", "j")
    walk("conflicts", "3", "j", "x", "\r", "G", ESCAPE)
    walk("dismiss", "G", "d", PASTED, ESCAPE, ESCAPE)
    walk("prune", "4", "j", "\r", "G", ESCAPE, "G", "a", PAGE, ESCAPE, "r", PASTED, ESCAPE, ESCAPE)
    walk("verdict", "1", "G", "r", "\x13")
    walk("commit", "c", "\x13")


def inbox(walk: Walk, rows: int, deep: int) -> None:
    for row in range(rows):
        walk("inbox", "j", *(("\r", "G", ESCAPE) if row % deep == 0 else ()))
    walk("inbox", "G", "\r", "G", ESCAPE)
    walk("filter", "/", MARKUP[:4], PASTED, ESCAPE, ESCAPE, "G")
    walk("loads", "w", PAGE, ESCAPE)
    walk("timeline", "k", "h", "j", PAGE, "\t", "G", ESCAPE, "j")
    for verb, key in VERDICTS:
        walk(verb, key, PAGE, PASTED, "\t", ESCAPE, ESCAPE)
    walk("forget", "f", "bold", "\t", PAGE, ESCAPE, ESCAPE)
    for _ in range(rows // deep):
        walk("promote", *"kkk", "p", DOWN, PAGE, ESCAPE, ESCAPE)


def searches(walk: Walk) -> None:
    for query in QUERIES:
        walk("search", "\x06", query, "\r", "j", "\r", "G", ESCAPE, ESCAPE, ESCAPE)


def context(walk: Walk, rows: int, deep: int) -> None:
    walk("context", "2", "\t", "G", "\t", "g", "t", "t", "i", PASTED, "\r", ESCAPE)
    for row in range(min(rows, 60)):
        walk("context", "j", *((" ", "\r", "G", ESCAPE) if row % deep == 0 else ()))
    walk("context", "w", ESCAPE, "/", "[b", ESCAPE, ESCAPE)


def listed(walk: Walk, rows: int, deep: int) -> None:
    for pane, key in (("health", "5"), ("history", "6")):
        walk(pane, key)
        for row in range(min(rows, 4 if pane == "history" else 60)):
            walk(pane, "j", *(("\r", "G", ESCAPE) if row % deep == 0 else ()))
        walk(pane, "w", ESCAPE, "/", "b]", PASTED, ESCAPE, ESCAPE)


def clashes(walk: Walk, rows: int, deep: int) -> None:
    """Conflicts, with every way to settle them, and what git could not merge."""
    walk("conflicts", "3")
    for row in range(min(rows, 60)):
        walk("conflicts", "j", *(("x", "\r", "G", ESCAPE) if row % deep == 0 else ()))
    for way in "fsmbed":
        walk(f"settle {way}", way, PAGE, PASTED, ESCAPE, ESCAPE)
    walk("conflicts", "D", "/", "b]", PASTED, ESCAPE, ESCAPE, "g", "h", PAGE, ESCAPE, "w", ESCAPE)
    walk("markers", "3", "g", ">", "b", "<", "r", PAGE, ESCAPE, ESCAPE)


def prunes(walk: Walk, rows: int, deep: int) -> None:
    """Proposals, the dialog of every verdict, and the report, of which nothing is confirmed."""
    walk("prune", "4")
    for row in range(min(rows, 60)):
        walk("prune", "j", *(("x", "\r", "G", ESCAPE) if row % deep == 0 else ()))
    for key in "aAz":
        walk(f"prune {key}", "g", key, PAGE, " ", ESCAPE, ESCAPE)
    walk("prune G", "G", "a", PAGE, " ", ESCAPE, "r", PASTED, "\t", PAGE, ESCAPE, ESCAPE)
    walk("prune D", "D", "G", "\r", "G", ESCAPE, "/", "b]", PASTED, ESCAPE, ESCAPE, "h", PAGE, ESCAPE, "w", ESCAPE)
    walk("prune r", "g", "r", "[b]", "\r", "E", PAGE, ESCAPE, "u")


def decided(walk: Walk) -> None:
    """A verdict and its toast, taken back, given again, and committed with the branch's name on the button."""
    walk("verdict", "1", "g", "G", "r", "\x13", "u", "G", "r", "\x13")
    walk("commit", "c", PAGE, "\x13")
    walk("history", "6", "g", "\r", "G", ESCAPE)


def names_of(inputs: Iterable[Hostile]) -> set[str]:
    return {hostile.where for hostile in inputs}


@pytest.mark.slow
def test_every_pane_on_hostile_memory(tmp_path: Path) -> None:
    """One of each dozen of the inputs; all of them, in four sizes, is the slow test below."""
    assert names_of(FEW) >= {"candidate", "inbox", "area", "route", "name", "link"}
    root = world(tmp_path, FEW)
    walked(root, (120, 36), 1, 1, full=False)
    assert not list(root.rglob("owned"))
    assert git(root, "log", "-1", "--format=%s").startswith("Rejected ")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rows"), [((120, 36), 200), ((80, 24), 40), ((160, 50), 40), ((40, 12), 40)], ids=str)
def test_every_pane_on_all_hostile_memory(tmp_path: Path, size: tuple[int, int], rows: int) -> None:
    """All inputs in one store. Each candidate is selected at one size, each eighth read to its end."""
    root = world(tmp_path, INPUTS)
    walked(root, size, rows, 8)
    assert not list(tmp_path.rglob("owned"))


@pytest.mark.slow
def test_keys_cost_about_what_they_cost_on_memory_that_means_no_harm(tmp_path: Path) -> None:
    size = (120, 36)
    hostile, plain = walked(world(tmp_path, INPUTS), size, 20, 8), walked(benign(tmp_path, 190, 200), size, 20, 8)
    spent, usual = (sum(seconds for _, seconds in terminal.took) for terminal in (hostile, plain))
    assert spent < 4 * usual, (spent, usual)
    keys, longest = max(hostile.took, key=lambda each: each[1])
    assert longest < 4 * max(seconds for _, seconds in plain.took) + 0.5, (keys, longest)


@pytest.mark.slow
@pytest.mark.parametrize("name", [hostile.name for hostile in INPUTS if hostile.where == "candidate" and hostile.sized][::8])
def test_a_flood_of_full_size_is_read_and_decided(tmp_path: Path, name: str) -> None:
    (flood,) = (hostile for hostile in INPUTS if hostile.name == name)
    root = world(tmp_path, [flood], flood.full)
    with Bench(root, size=(100, 30)) as terminal:
        walk = Walk(terminal)
        terminal.until("Help")
        terminal.settle()
        walk(name, "g", "\r", "G", "g", ESCAPE, "p", PAGE, ESCAPE, ESCAPE, "/", "x", ESCAPE, ESCAPE)
        terminal.press("q")
        assert terminal.end() == 0
    assert max(seconds for _, seconds in terminal.took) < 15


@pytest.mark.slow
def test_what_was_interrupted_is_named_inert(tmp_path: Path) -> None:
    root = world(tmp_path, FEW[:3])
    interrupted(root, "fourth", WORDS, AUTHOR)
    with Bench(root) as terminal:
        walk = Walk(terminal)
        walk.look("banner", terminal.until("Interrupted", "recovers it"))
        terminal.settle()
        walk("recover", "R", "\t", PAGE, ESCAPE, "R", "\r")
        assert "Recovered" in terminal.grid.text
        terminal.press("q")
        assert terminal.end() == 0
    assert not terminal.faults


@pytest.mark.slow
def test_a_copy_is_the_one_thing_that_reaches_the_clipboard(tmp_path: Path) -> None:
    """OSC 52 of our own: nothing in it but base64, whatever the text; bytes that are no UTF-8 do not end the program."""
    root = world(tmp_path, FEW[:3])
    path = root / "docs/memory/inbox.md"
    path.write_bytes(path.read_bytes() + b"- six \x1b]52;c;AA==\x07\n")
    with Bench(root) as terminal:
        terminal.until("Help")
        terminal.press("G")
        for key in "yY":
            before = len(terminal.raw)
            terminal.press(key)
            found = re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", terminal.raw[before:])
            assert len(found) == 1
        assert len(terminal.faults) == 2
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=str)
def test_nothing_that_came_from_memory_can_be_clicked(tmp_path: Path, size: tuple[int, int]) -> None:
    app = bench(world(tmp_path, FEW))
    steps: Sequence[tuple[str, Sequence[str]]] = [
        ("inbox", ["j", "j", "G", "enter", "end", "escape"]), ("loads", ["w", "escape"]),
        ("timeline", ["k", "h", "j", "escape"]),
        *((verb, [verb, "pagedown", "escape", "escape"]) for verb in "psrmezf"),
        ("context", ["2", "j", "space", "t", "enter", "end", "escape"]), ("health", ["5", "j", "j", "enter", "escape"]),
        ("history", ["6", "j", "enter", "end", "escape"]),
        ("conflicts", ["3", "j", "x", "enter", "end", "escape"]), ("dismiss", ["d", "escape", "escape"]),
        ("prune", ["4", "j", "x", "enter", "end", "escape", "a", "escape", "r", "escape", "D", "E", "escape", "D"]),
        ("help", ["question_mark", "escape"]),
        ("palette", ["ctrl+p", "escape"]),
    ]

    async def script(pilot: Pilot[Any]) -> None:
        for where, keys in steps:
            for key in keys:
                await press(pilot, key)
                inspected(app, f"{where}, {key}")
        await press(pilot, "ctrl+f")
        await type_(pilot, "bold")
        inspected(app, "search")
        assert app.return_code is None

    play(app, script, size)
