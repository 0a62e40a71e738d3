"""Isolation for every test: home, configuration, git, time zone, terminal; hypothesis without deadlines or randomness."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "memdesk", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("memdesk")


for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:  # so a run in the background starts; programs under test would inherit it
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _isolated(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the machine's user, git or terminal settings, and none writes outside its own folders."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "XDG_", "MEMDESK_", "TEXTUAL", "LC_")) and not name.startswith("TEXTUAL_SNAPSHOT"):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "VISUAL", "EDITOR", "PAGER", "COLUMNS", "LINES", "TMUX", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    config = home / "gitconfig"
    config.write_text(
        "[user]\n\tname = Test Person\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n"
        "[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n",
        encoding="utf-8",
    )
    for name, value in {
        "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_STATE_HOME": str(home / ".state"),
        "XDG_CACHE_HOME": str(home / ".cache"), "GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1",
        "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "xterm-256color", "MEMDESK_FSYNC": "0", "TEXTUAL_ANIMATIONS": "none",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty git repository on branch main."""
    import subprocess

    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    return root


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are cores: tests of the workbench spend a quarter of their time waiting for its loop."""
    cores = len(os.sched_getaffinity(0))
    return cores + (cores + 1) // 2


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many states the crash model went through; properties of reports come from the workers of a parallel run too."""
    found = [
        value.split(" ") for report in terminalreporter.getreports("passed") if getattr(report, "when", "") == "call"
        for name, value in report.user_properties if name == "crash model"
    ]
    if found:
        states, shapes = sum(int(count) for _, count in found), {shape for shape, _ in found}
        terminalreporter.write_line(f"crash model: {states:,} states of {len(shapes)} shapes")
