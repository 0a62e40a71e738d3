"""40 features with 50 fragments each: `memdesk inbox` and a recall in processes of their own, and the real workbench's first
screen and list, beside the least Textual app and a bare interpreter in the same run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.benchmarks.workbench import _environ, _line, _memdesk, first_empty
from tests.support.stores import FRAGMENTS, feature_memory, fragment, git_repo, jonggrang_store

FEATURES, EACH, TASKS = 40, 50, 5
FIRST = b"part-0"  # what the list begins with
RUNS = 5
COMMANDS = {
    "a bare interpreter": ("-c", "pass"),
    "memdesk inbox": ("-m", "memdesk", "inbox"),
    "recall from within a feature": ("-m", "memdesk", "recall", "rows of site 7", "--feature", "part-07", "--phase", "work"),
}


def made(root: Path, features: int = FEATURES, each: int = EACH) -> Path:
    """A store of that many features, each with a memory, notes, tasks and fragments of four entries; the same each time."""
    files: dict[str, str | bytes | None] = {".gitignore": "/.ephemeral/\n/locks/\n"}
    for number in range(features):
        feature = f"part-{number:02}"
        home = f".output/features/{feature}"
        files[f"{home}/MEMORY.md"] = feature_memory(
            feature, context=f"Part {number} counts waders at night.",
            facts="\n".join(f"- Site {site} of part {number} sends one file" for site in range(20)),
            promotion=f"- Part {number} reads the header by name",
        )
        files[f"{home}/progress.txt"] = "".join(f"- 2026-11-{1 + day:02} task-001: day {day}\n" for day in range(20))
        tasks = ", ".join(f'{{"id": "task-{task:03}", "title": "Task {task}"}}' for task in range(1, TASKS + 1))
        files[f"{home}/jonggrang-tasks.json"] = f'{{"tasks": [{tasks}]}}\n'
        for one in range(each):
            at = datetime(2026, 11, 29, tzinfo=UTC) - timedelta(minutes=7 * (number * each + one))
            name = f"task-{1 + one % TASKS:03}-{at:%Y-%m-%dT%H-%M-%S}-{one:03}Z.md"
            files[f"{FRAGMENTS}/{feature}/{name}"] = fragment(
                facts=f"- Site {one} of part {number} counts {one} kinds of waders\n- Its file has {one * 7} rows",
                lessons=f"- Read the file of site {one} twice: the first reading of part {number} may be cut off",
                open=f"- Who sends the file of site {one} when part {number} is closed?",
            )
    return jonggrang_store(root, standard=False, **files)


def run(runs: int = RUNS) -> dict[str, float]:
    """Prints the seconds, the best of several runs, and returns them."""
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        store = Path(folder, "store")
        store.mkdir()
        made(store)
        git_repo(store)
        best: dict[str, float] = {}
        for turn in range(runs + 1):  # in turn, so that a busy machine is busy for all; the first is to warm up
            found = {"empty app, first paint": first_empty(folder)}
            for name, words in COMMANDS.items():
                found[name], found[f"{name}: processor time"] = _command(store, folder, *words)
            with _memdesk(store, folder) as terminal:
                found["workbench, first paint"] = terminal.until(b"memdesk") - terminal.started
                found["workbench, list on screen"] = terminal.until(FIRST) - terminal.started
            if turn:
                best = {name: min(seconds, best.get(name, seconds)) for name, seconds in found.items()}
        print(f"{FEATURES} features of {EACH} fragments, {FEATURES * EACH * 4} entries in them")
        base = best["empty app, first paint"]
        for name, seconds in best.items():
            _line(name, seconds, "s", seconds / base if "workbench" in name else None)
        for name in ("memdesk inbox", "workbench, list on screen"):
            print(f"{name}: {best[name]:.2f} s (at most 1)")
        return best


def _command(store: Path, folder: str, *words: str) -> tuple[float, float]:
    """Seconds from start to end, and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *words], cwd=store, env=_environ(folder), capture_output=True, check=False)
    taken = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr.decode()
    return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    run()
