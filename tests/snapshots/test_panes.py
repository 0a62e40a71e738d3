"""Context, Health and History as they look: empty, typical and overflowing, at 80×24 and 120×36, and their dialogs."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memdesk.core.transaction import identifiers
from tests.support.benches import act, bench, commit, demo, keys, undo
from tests.support.stores import custodian_store, manifest

SLOW = pytest.mark.slow
SIZES = [(80, 24), pytest.param((120, 36), marks=SLOW)]
REJECT = {"reason": "no longer wanted"}
HOSTILE = (
    "# Decisions\n\n## 2026-05-02 - x [/b] y [@click=app.exit]click[/] [[wikilink]]\n\nDecision:\n"
    "escape \x1b]0;title\x07 \x1b[2J\u202e\n\n"
    "Reason:\nbecause [$var]\n\n## 2026-05-01 - 日本語のメモは一文字が一トークンなので、予算をすぐに使い切る\n\nDecision:\n"
    + "unbroken" * 40
    + "\n\nReason:\n"
    + "word " * 200
    + "\n"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "night-notes"
    folder.mkdir()
    numbers = count(1)
    monkeypatch.setattr(
        identifiers, "new", lambda stamp, taken: f"{stamp.replace('-', '').replace(':', '')}-{next(numbers):04}"
    )
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-10-30T08:00:00Z")
    return folder


def past(root: Path) -> None:
    """A store with commits and actions behind it."""
    folder = demo(root)
    for number, words in enumerate((12, 60, 30, 45)):
        path = folder / "constraints.md"
        path.write_text(path.read_text().rstrip("\n") + "\n- " + "measured " * words + "\n")
        commit(root, f"Measure {number}", f"2026-11-0{number + 1}")
    act(root, "reject", "Keep the session in SQLite", REJECT, hour=8)
    act(root, "strike", "Guess", REJECT, hour=9) if "Guess" in (folder / "inbox.md").read_text() else None
    second = act(root, "reject", "encrypting", REJECT, hour=10)
    undo(root, second)


def overflowing(root: Path) -> None:
    """More than any pane can show, with texts that would like to do harm."""
    areas: dict[str, str | bytes | None] = {f"areas/part-{number:02}": f"# Part {number}\n\n- Kept.\n" for number in range(40)}
    custodian_store(root, decisions=HOSTILE * 6, budgets=["decisions.md: 700 tokens max"], **areas)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pane", ["context", "health", "history"])
def test_empty(root: Path, pane: str, size: tuple[int, int], snap_compare: Any) -> None:
    """Nothing here yet: each says what to do next."""
    assert snap_compare(bench(root, pane), terminal_size=size, run_before=keys())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("pane", "steps"),
    [("context", ("t", "tab", "j", "j")), ("health", ("j", "j", "j", "j")), ("history", ("j",))],
    ids=["context", "health", "history"],
)
def test_typical(root: Path, pane: str, steps: tuple[str, ...], size: tuple[int, int], snap_compare: Any) -> None:
    past(root)
    assert snap_compare(bench(root, pane), terminal_size=size, run_before=keys(*steps))


VERSIONS = (
    "# Decisions\n\n## 2026-08-19 - The public API is tRPC\n\nDecision:\n[stated] Clients call typed procedures.\n\n"
    "Reason:\nOne client, from the architecture review.\n\n## ~~2026-01-14 - The public API is REST~~\n\n"
    "Superseded: 2026-08-19 by \"The public API is tRPC\"\n\nDecision:\n[stated] Clients fetch resources.\n"
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "query", [
        pytest.param("", id="empty", marks=pytest.mark.slow), pytest.param("current public api", id="found"),
        pytest.param("and the zebra", id="nothing", marks=pytest.mark.slow),
    ],
)
def test_a_recall(root: Path, query: str, size: tuple[int, int], snap_compare: Any) -> None:
    custodian_store(root, decisions=VERSIONS)
    assert snap_compare(bench(root, "context"), terminal_size=size, run_before=keys("r", f"={query}"))


@pytest.mark.parametrize("size", [*SIZES, pytest.param((40, 16), marks=SLOW)])
@pytest.mark.parametrize("pane", ["context", "health"])
def test_overflowing(root: Path, pane: str, size: tuple[int, int], snap_compare: Any) -> None:
    overflowing(root)
    assert snap_compare(bench(root, pane), terminal_size=size, run_before=keys("tab", "G") if pane == "context" else keys())


@pytest.mark.parametrize("size", [*SIZES, pytest.param((40, 16), marks=SLOW)])
def test_history_overflowing(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    custodian_store(root, decisions=HOSTILE)
    for number in range(30):
        text = f"## 2026-05-02 - Version {number} [/b]\n\nDecision:\n" + f"line {number}\n" * 30 + "\nReason:\nbecause\n"
        act(root, "edit", "2026-05-02", {"text": text.rstrip("\n")}, hour=number % 20)
    assert snap_compare(bench(root, "history"), terminal_size=size, run_before=keys("j"))


@pytest.mark.parametrize("size", SIZES)
def test_a_manifest_that_cannot_be_routed(root: Path, size: tuple[int, int], snap_compare: Any) -> None:
    custodian_store(root, manifest=manifest().replace("- `decisions.md`", "- `../outside.md`"))
    assert snap_compare(bench(root, "context"), terminal_size=size, run_before=keys())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pane", "steps"),
    [
        ("inbox", ("ctrl+f", "=session file", "enter", "j")),
        ("inbox", ("w",)),
        ("history", ("u",)),
        ("inbox", ("s", "=Not now", "enter", "c")),
        ("context", ("tab", "j", "j", "j", "h")),
    ],
    ids=["search", "loads", "undo", "commit", "timeline"],
)
def test_dialogs(root: Path, pane: str, steps: tuple[str, ...], snap_compare: Any) -> None:
    past(root)
    if steps == ("u",):
        steps = ("G", "u")
    assert snap_compare(bench(root, pane), terminal_size=(80, 24), run_before=keys(*steps))
