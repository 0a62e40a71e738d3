"""The real workbench in a pseudo-terminal, beside an empty Textual app in the same run (DESIGN.md, Speed).

First screen, key to paint, an outside edit, memory: on a small store and with 10,000 candidates; and keys while 10,000 entries
more are looked through for what to prune.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import alike
from tests.benchmarks.terminal import Terminal
from tests.support.stores import big_inbox, custodian_store, git_repo

ROOT = Path(__file__).resolve().parents[2]
RUNS = 5
CANDIDATES = 10_000
MIDDLE = 3_100  # a file of nearly 256 KB


def run(candidates: int = CANDIDATES, runs: int = RUNS) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        small, middle, big = Path(folder, "small"), Path(folder, "middle"), Path(folder, "big")
        for place in (small, middle, big):
            place.mkdir()
        custodian_store(small, inbox=_small_inbox())
        big_inbox(middle, MIDDLE)
        big_inbox(big, candidates)
        for place in (small, middle, big):
            git_repo(place)
        _warm(small, folder)
        empty: list[float] = []
        firsts: dict[str, list[tuple[float, float]]] = {"small": [], "big": []}
        for _ in range(runs):  # in turn, so that a busy machine is busy for all
            empty.append(first_empty(folder))
            firsts["small"].append(first(small, "small", folder))
            firsts["big"].append(first(big, "big", folder))
        base = min(empty)
        _line("empty app, first paint", base, "s")
        for name, found in firsts.items():
            paint, filled = min(each[0] for each in found), min(each[1] for each in found)
            _line(f"{name} store, first paint", paint, "s", paint / base)
            _line(f"{name} store, list on screen", filled, "s", filled / base)
        keys = keys_empty(folder)
        _line("empty app, key to paint p95", _p95(keys) * 1000, "ms")
        keys_of(small, "small", folder, _p95(keys))
        keys_of(big, f"{candidates} candidates", folder, _p95(keys))
        outside(small, "small", folder)
        outside(middle, "middle", folder)
        put_entries(big)
        scanning(big, folder, _p95(keys))


def first_empty(folder: str) -> float:
    """Seconds from the start of the process to the first paint of the empty app."""
    with _empty(folder) as terminal:
        return terminal.until(b"pressed:0;") - terminal.started


def first(place: Path, name: str, folder: str) -> tuple[float, float]:
    """Seconds to the frame, and to the list of candidates on screen."""
    with _memdesk(place, folder) as terminal:
        painted = terminal.until(b"memdesk") - terminal.started
        return painted, terminal.until(_first_words(name)) - terminal.started


def keys_empty(folder: str) -> list[float]:
    """Seconds from each key to its paint, in the empty app."""
    found = []
    with _empty(folder) as terminal:
        terminal.until(b"pressed:0;")
        terminal.settle()
        for _ in range(100):
            pressed = terminal.press("j")
            found.append(terminal.until(b";") - pressed)
            terminal.settle(0.03)
    return found


def keys_of(place: Path, name: str, folder: str, base: float) -> None:
    """Moves, pages, ends and a filter: from the key to the entry in the reading pane."""
    groups: dict[str, list[float]] = {"one line": [], "a page, an end": [], "a filter letter": []}
    with _memdesk(place, folder) as terminal:
        terminal.until(_first_words(name))
        terminal.settle(0.5)
        for keys, group, wanted in _script("10" if name == "small" else "999"):
            pressed = terminal.press(keys)
            groups[group].append(terminal.until(wanted) - pressed)
            terminal.settle(0.03)  # what was painted late is not taken for the answer to the next key
        terminal.press("\x1b")
        terminal.settle()
        every = [each for group in groups.values() for each in group]
        for group, found in groups.items():
            _line(f"{name}, {group}: p95 of {len(found)}", _p95(found) * 1000, "ms", _p95(found) / base)
        _line(f"{name}, all keys: median", statistics.median(every) * 1000, "ms")
        _line(f"{name}, all keys: p95", _p95(every) * 1000, "ms", _p95(every) / base)
        _line(f"{name}, memory", terminal.memory(), "MB")


def put_entries(place: Path) -> None:
    """Lifelike entries beside the candidates of a store."""
    for path, text in alike.files().items():
        if not path.endswith("/inbox.md"):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")


def scanning(place: Path, folder: str, base: float, rounds: int = 3) -> None:
    """Keys in the inbox while the Prune pane has all entries looked through, from when that begins to when it is done: its tab
    then says how many proposals there are."""
    found: list[float] = []
    lasted: list[float] = []
    for _ in range(rounds):
        with _memdesk(place, folder) as terminal:
            terminal.until(_first_words("big"))
            terminal.settle(1.5)
            terminal.press("4")
            terminal.until(b"Looking")
            begun = terminal.press("1")
            terminal.until(b"inbox.md:")
            seen = b""
            for number in range(2_000):
                if b"4 Prune " in seen.replace(b"4 Prune  ", b""):
                    break
                pressed = terminal.press("jk"[number // 8 % 2])
                found.append(terminal.until(b"inbox.md:") - pressed)
                terminal.settle(0.03)
                seen += terminal.seen
            lasted.append(time.perf_counter() - begun)
    _line("the scan for what to prune lasts", min(lasted), "s")
    _line(f"keys meanwhile, one line: p95 of {len(found)}", _p95(found) * 1000, "ms", _p95(found) / base)
    _line("keys meanwhile, one line: median", statistics.median(found) * 1000, "ms")


def outside(place: Path, name: str, folder: str) -> None:
    """From an edit by someone else to its paint, where the candidate that comes is the first of the list."""
    target = place / "docs/memory/inbox.md"
    found = []
    with _memdesk(place, folder) as terminal:
        terminal.until(_first_words(name))
        terminal.settle(1.5)
        for number in range(10):
            text = target.read_text(encoding="utf-8")
            word = f"Outside{number:02}"
            terminal.press("")
            beside = target.with_name(".inbox.tmp")
            first_bullet = text.index("- ", text.rindex("\n## "))  # the oldest section comes first on screen
            beside.write_text(f"{text[:first_bullet]}- {word} rings\n{text[first_bullet:]}", encoding="utf-8")
            start = time.perf_counter()
            os.replace(beside, target)
            found.append(terminal.until(word.encode()) - start)
            terminal.settle(0.6)
    size = f"{target.stat().st_size / 1024:.0f} KB"
    _line(f"an outside edit of {size} on screen: p95", _p95(found) * 1000, "ms")
    _line(f"an outside edit of {size} on screen: median", statistics.median(found) * 1000, "ms")


def _script(filtered: str) -> list[tuple[str, str, bytes]]:
    shown = b"inbox.md:"  # the line of facts in the reading pane
    steps = ([("j", "one line", shown)] * 8 + [("k", "one line", shown)] * 8) * 6
    steps += [("G", "a page, an end", shown), ("g", "a page, an end", shown)] * 5
    steps += [("\x1b[6~", "a page, an end", shown), ("\x1b[5~", "a page, an end", shown)] * 5
    steps += [("/", "a filter letter", b"Filter")]
    return steps + [(letter, "a filter letter", b" of ") for letter in filtered]  # each leaves fewer


def _small_inbox() -> str:
    lines = [f"- [observed] Site {number} counts {number} kinds of waders. (from src/site.py:{number})" for number in range(11)]
    return "# Inbox\n\n## 2026-11-20\n\n- Rings are read by two people.\n" + "\n".join(lines) + "\n"


def _first_words(name: str) -> bytes:
    return b"waders" if name == "small" else b"reports its counts"


def _memdesk(place: Path, folder: str) -> Terminal:
    return Terminal([sys.executable, "-m", "memdesk", str(place)], _environ(folder), folder)


def _empty(folder: str) -> Terminal:
    return Terminal([sys.executable, str(ROOT / "tests/benchmarks/empty_app.py")], _environ(folder), folder)


def _environ(folder: str) -> dict[str, str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GIT_", "MEMDESK_", "XDG_", "TEXTUAL", "PYTHONDONT"))
    }
    home = os.path.join(folder, "home")
    # Byte code in a folder of the run's own: installed programs have theirs too.
    return {
        **kept,
        "PYTHONPYCACHEPREFIX": os.path.join(folder, "bytecode"),
        "TERM": "xterm-256color",
        "HOME": home,
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def _warm(place: Path, folder: str) -> None:
    """Once each, so that byte code and disk caches are there for all."""
    first_empty(folder)
    first(place, "small", folder)


def _p95(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def _line(what: str, value: float, unit: str, ratio: float | None = None) -> None:
    beside = "" if ratio is None else f"  {ratio:5.2f} x empty"
    print(f"{what:<44} {value:9.3f} {unit:<3}{beside}", flush=True)


if __name__ == "__main__":
    run()
