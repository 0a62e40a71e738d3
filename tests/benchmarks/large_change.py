"""A change of 40,000 added lines: `memdesk --check` beside `git diff` alone, interleaved, in one run."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.check import measure
from tests.support.stores import agent_memory_store, git, git_repo, put

LINES = 40_000
FILES = 40


def repository(root: Path) -> Path:
    """A store whose change adds that many fact lines to files that are tracked."""
    files = {f"memory/projects/part-{number:02}.md": f"# Part {number}\n" for number in range(FILES)}
    agent_memory_store(root, **files)
    git_repo(root)
    for number, (path, text) in enumerate(files.items()):
        rows = (f"- [observed] Site {number}.{row} reports late (2026-10-30)\n" for row in range(LINES // FILES))
        put(root, path, text + "\n" + "".join(rows))
    return root


def run(rounds: int = 5) -> dict[str, float]:
    """Prints both times; returns the seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        root = repository(Path(folder) / "store")
        assert git(root, "diff", "--shortstat", "HEAD").split(", ")[1].startswith(f"{LINES + FILES} insertions")
        check = [sys.executable, "-c", "import sys; from memdesk.tui.cli import main; sys.exit(main())", "--check"]
        best = measure({
            "git diff": (["git", "diff", "HEAD", "-U0"], root),
            "check, its rules over the change": ([*check, "--only", "disk-provenance", "--only", "disk-history"], root),
            "check, all rules": (check, root),
        }, rounds)  # fmt: skip
    for name, seconds in best.items():
        print(f"{name:<34} {seconds * 1000:8.1f} ms")
    return best
