"""Runs the benchmarks, all or those named: `python -m tests.benchmarks [reader] [check] ...` (see NAMES)."""

from __future__ import annotations

import importlib
import os
import platform
import sys

NAMES = (
    "reader", "check", "large_change", "conflicts", "prune", "alike", "packdiff", "compact", "verdict", "workbench",
    "fragments",
)  # fmt: skip


def main(names: list[str]) -> int:
    """Prints the machine, then each benchmark's own table."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in names or NAMES:
        print(f"\n== {name}")
        importlib.import_module(f"tests.benchmarks.{name}").run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
