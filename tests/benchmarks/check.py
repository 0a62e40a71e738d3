"""`memdesk --check` from process start to exit, beside a stdlib-only peer and a bare interpreter in one run.

Prints the best of several rounds, interleaved so that a busy machine is busy for all, and the ratios that DESIGN.md asks
for: on a small store no longer than the peer; 10,000 entries in 400 files within 1.5 s.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.stores import MEMORY, big_store, custodian_store, put

PEER = str(Path(__file__).with_name("peer_check.py"))


def measure(commands: Mapping[str, tuple[Sequence[str], Path]], rounds: int) -> dict[str, float]:
    """Seconds of wall time for each command: the best of so many interleaved rounds, after one for Python to compile in."""
    best = dict.fromkeys(commands, float("inf"))
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for turn in range(rounds + 1):
        for name, (words, folder) in commands.items():
            start = time.perf_counter()
            subprocess.run(
                words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False
            )
            if turn:
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def repository(root: Path, big: bool) -> Path:
    """A store in a git repository with everything committed."""
    root.mkdir()
    if big:
        big_store(root)
    else:
        custodian_store(root)
    put(root, "AGENTS.md", f"Load {MEMORY}/manifest.md first.\n")
    git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], cwd=root, check=True)
    return root


def run(rounds: int = 30) -> dict[str, float]:
    """Prints a table and the ratios; returns the seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        small, big = repository(Path(folder) / "small", big=False), repository(Path(folder) / "big", big=True)
        check = [sys.executable, "-c", "import sys; from memdesk.tui.cli import main; sys.exit(main())", "--check"]
        peer = [sys.executable, PEER, MEMORY]
        best = measure({
            "bare": ([sys.executable, "-c", "pass"], small),
            "peer, small": (peer, small), "check, small": (check, small),
        }, rounds)  # fmt: skip
        best |= measure({"peer, big": (peer, big), "check, big": (check, big)}, max(2, rounds // 6))
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1000:8.1f} ms")
    print(f"check/peer on a small store: {best['check, small'] / best['peer, small']:.2f} (at most 1)")
    print(f"check over a bare interpreter: {(best['check, small'] - best['bare']) * 1000:.1f} ms")
    print(f"check/peer on 10,000 entries in 400 files: {best['check, big'] / best['peer, big']:.2f}")
    print(f"10,000 entries in 400 files: {best['check, big']:.2f} s (at most 1.5)")
    return best
