"""Every state that a crash could leave of a commit, for every shape of plan: recovery brings each to before or to after.

The states are those of `model.py`. `pytest -s` prints how many were explored.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memdesk.core.plan import Plan, Request, Step
from memdesk.core.transaction import recovery, targets
from memdesk.core.transaction.commit import Commit
from memdesk.core.transaction.files import REAL
from memdesk.core.transaction.ground import Ground
from memdesk.core.transaction.journal import Journal
from memdesk.core.transaction.problems import Foreign
from tests.crash.model import ModelFiles, Nodes, crashes, disk, everything

ROOT, STATE = "/w", "/w/.git/memdesk"
IDENT = "20261130T040251Z-k3f9"
FILES = {f"/w/{name}.md": f"{name} as before\n".encode() for name in "abcde"} | {"/w/far/f.md": b"far\n", "/w/other.md": b"x\n"}

STEPS: Mapping[str, Callable[[int], Step]] = {
    "replace": lambda n: Step("replace", f"{'abcde'[n]}.md", FILES[f"/w/{'abcde'[n]}.md"], b"%d after\n" % n),
    "create": lambda n: Step("create", f"new{n}.md", None, b"%d made\n" % n),
    "delete": lambda n: Step("delete", f"{'abcde'[n]}.md", FILES[f"/w/{'abcde'[n]}.md"], None),
    "mkdir": lambda n: Step("mkdir", f"folder{n}"),
    "deep": lambda n: Step("create", f"folder{n}/in/new.md", None, b"%d made deep\n" % n),
    "far": lambda n: Step("replace", "far/f.md", b"far\n", b"far after\n"),
    "farther": lambda n: Step("create", f"far/new{n}.md", None, b"%d made far\n" % n),
}

SHAPES = [
    ("replace",), ("create",), ("delete",), ("mkdir",), ("deep",), ("far",), ("replace", "replace"), ("replace", "create"),
    ("create", "delete"), ("replace", "mkdir"), ("deep", "replace"), ("far", "replace"), ("replace", "replace", "replace"),
]
MANY = [
    *itertools.combinations_with_replacement(("replace", "create", "delete", "deep", "mkdir"), 3),
    *itertools.combinations_with_replacement(("replace", "create", "delete"), 4), ("farther", "far", "replace", "delete"),
    ("replace",) * 5, ("create",) * 5, ("delete",) * 5, ("replace", "create", "delete", "deep", "far"),
    ("deep", "deep", "replace", "replace", "delete"),
]


class Violation(AssertionError):
    """A crash state that recovery did not bring to before or to after."""


def plan(shape: tuple[str, ...]) -> Plan:
    return Plan(Request("promote"), "s", "l", tuple(STEPS[kind](number) for number, kind in enumerate(shape)))


def start(**options: Any) -> ModelFiles:
    nodes = disk(FILES, ("/w/.git/memdesk/txn", "/w/.git/memdesk/history"))
    return ModelFiles(nodes, far=("/w/far",), **options)


def prepared(files: ModelFiles, shape: tuple[str, ...]) -> Commit:
    ground = Ground(files, ROOT, STATE)
    changes, made = targets.changes(ground, plan(shape))
    facts = (IDENT, "2026-11-30T04:02:51Z", "Ada", "promote", "s")
    return Commit(ground, Journal(*facts, made=tuple(made), changes=tuple(changes)))


def perform(commit: Commit) -> None:
    commit.prepare()
    commit.carry_out()
    commit.close()


def store(nodes: Nodes) -> dict[str, bytes | None]:
    """All but the state folder: temporary files and folders too many would show."""
    return {path: data for path, data in everything(nodes).items() if not path.startswith("/w/.git")}


def recover(nodes: Nodes, **options: Any) -> ModelFiles:
    files = ModelFiles(nodes, far=("/w/far",), **options)
    done = recovery.recover(Ground(files, ROOT, STATE), lambda: None, None)
    if any(item.person for item in done):
        raise Violation(f"a person was asked: {done}")
    return files


def judge(nodes: Nodes, before: Mapping[str, bytes | None], after: Mapping[str, bytes | None], committed: bool) -> None:
    now = store(nodes)
    if committed and now != after:
        raise Violation(f"reported as done, and lost: {_difference(now, after)}")
    if now not in (before, after):
        raise Violation(f"neither before nor after: {_difference(now, after)} / {_difference(now, before)}")
    rests = [path for path in everything(nodes) if path.startswith(f"{STATE}/txn/") and "generation" not in path]
    if rests:
        raise Violation(f"left in txn: {rests}")


def _difference(now: Mapping[str, bytes | None], wanted: Mapping[str, bytes | None]) -> str:
    paths = [path for path in sorted({*now, *wanted}) if now.get(path, b"-") != wanted.get(path, b"-")]
    return ", ".join(f"{path}: {now.get(path, '-')!r}" for path in paths)


def explore(shape: tuple[str, ...], act: Callable[[Commit], None] = perform, most: int = 128, **options: Any) -> int:
    """Judges every state of a shape; how many there were. Raises Violation."""
    files = start(**options)
    before = store(files.nodes)
    act(prepared(files, shape))
    after = store(files.nodes)
    assert before != after
    count = 0
    for length, nodes in crashes(files, most=most):
        count += 1
        again = recover(nodes, **options)
        judge(again.nodes, before, after, committed=length == len(files.log))
        settled = everything(again.nodes)
        if everything(recover(again.nodes, **options).nodes) != settled:
            raise Violation("a second recovery changed something")
    return count


@pytest.mark.parametrize("shape", SHAPES, ids="+".join)
def test_every_crash_of_a_commit_is_recovered_from(shape: tuple[str, ...]) -> None:
    states = explore(shape)
    print(f"{'+'.join(shape)}: {states} states")  # noqa: T201
    assert states > 10


@pytest.mark.parametrize("shape", [("replace", "create"), ("replace", "delete"), ("far", "replace")], ids="+".join)
def test_every_crash_without_an_exchange_of_names(shape: tuple[str, ...]) -> None:
    assert explore(shape, exchange=False) > 20


@pytest.mark.slow
@pytest.mark.parametrize("shape", MANY, ids="+".join)
def test_every_crash_of_larger_plans(shape: tuple[str, ...]) -> None:
    assert explore(shape, most=128) > 20


@pytest.mark.parametrize(
    "shape", [("replace", "create"), pytest.param(("replace", "replace", "delete"), marks=pytest.mark.slow)], ids="+".join
)
def test_recovery_may_crash_at_each_of_its_steps(shape: tuple[str, ...]) -> None:
    files = start()
    before = store(files.nodes)
    perform(prepared(files, shape))
    after = store(files.nodes)
    seen: set[tuple[tuple[str, bytes | None], ...]] = set()
    for _, nodes in _halves(files):
        first = recover(nodes)
        for _, later in crashes(first, most=4):
            key = tuple(sorted(everything(later).items()))
            if key not in seen:
                seen.add(key)
                judge(recover(later).nodes, before, after, committed=False)
    print(f"recovery of {'+'.join(shape)}: {len(seen)} states")  # noqa: T201
    assert len(seen) > 100


def _halves(files: ModelFiles) -> Iterator[tuple[int, Nodes]]:
    """The crash states from which recovery has something to do."""
    for length, nodes in crashes(files, most=8):
        if f"{STATE}/txn/{IDENT}/journal" in everything(nodes):
            yield length, nodes


def test_a_rollback_may_crash_at_each_of_its_steps() -> None:
    """An error in mid-commit: what was done is taken back, and the machine stops while it is."""
    shape = ("replace", "create", "delete")
    for stop in (0, 1, 2):
        files = start()
        before = store(files.nodes)
        whole = start()
        perform(prepared(whole, shape))
        after = store(whole.nodes)
        commit = prepared(files, shape)
        commit.prepare()
        for number, item in enumerate(commit.journal.changes[: stop + 1]):
            commit._put(number, item, item.before, item.after)
        assert commit.roll_back() == []
        commit.discard()
        assert store(files.nodes) == before
        for _, nodes in crashes(files, most=64):
            judge(recover(nodes).nodes, before, after, committed=False)


def test_someone_elses_text_survives_every_crash_of_a_commit_that_met_it() -> None:
    """Saved right before the exchange of names: taken out, looked at, put back; the machine stops anywhere on the way.

    With renames between folders as atomic as journalling file systems make them: docs/trust.md names that.
    """
    theirs = b"b by someone else\n"
    files = start(atomic=True)
    before = store(files.nodes)
    commit = prepared(files, ("replace", "replace", "create"))
    exchange = files.exchange

    def meet(one: str, other: str) -> None:
        if other == f"{ROOT}/b.md" and files.read(other) == FILES[other]:
            files.write(f"{ROOT}/b.md~", theirs)
            files.fsync(f"{ROOT}/b.md~")
            files.rename(f"{ROOT}/b.md~", other)
            files.fsync_dir(ROOT)
        exchange(one, other)

    files.exchange = meet  # type: ignore[method-assign]
    commit.prepare()
    with pytest.raises(Foreign):
        commit.carry_out()
    assert commit.roll_back() == ["b.md"]
    commit.discard()
    assert store(files.nodes) == {**before, "/w/b.md": theirs}
    met = 0
    for _, nodes in crashes(files, most=256):
        saved = [path for path, data in everything(nodes).items() if data == theirs]
        if not any(path == "/w/b.md" or path.startswith(f"{STATE}/txn/{IDENT}/") for path in saved):
            continue  # not saved yet
        met += 1
        again = ModelFiles(nodes, atomic=True)
        (*_, item) = [None, *recovery.recover(Ground(again, ROOT, STATE), lambda: None, None)]
        assert store(again.nodes) == {**before, "/w/b.md": theirs}, item
    assert met > 20


def test_a_sample_on_real_folders(tmp_path: Path) -> None:
    """The states of the model built as real files, and recovered by the real operations."""
    files = start()
    shape = ("replace", "create", "delete", "deep")
    before = store(files.nodes)
    perform(prepared(files, shape))
    after = store(files.nodes)
    states = [nodes for _, nodes in crashes(files, most=64)]
    for count, nodes in enumerate(random.Random(7).sample(states, 40)):
        top = tmp_path / str(count)
        for path, data in sorted(everything(nodes).items()):
            if data is None:
                os.makedirs(f"{top}{path}", exist_ok=True)
            else:
                Path(f"{top}{path}").write_bytes(data)
        ground = Ground(REAL, f"{top}{ROOT}", f"{top}{STATE}")
        recovery.recover(ground, lambda: None, None)
        now: dict[str, bytes | None] = {"/": None}
        for folder, folders, names in os.walk(f"{top}{ROOT}"):
            folders[:] = [name for name in folders if name != ".git"]
            now[folder.removeprefix(str(top))] = None
            now |= {f"{folder.removeprefix(str(top))}/{name}": Path(folder, name).read_bytes() for name in names}
        assert now in (before, after)
        assert ground.prepared() == []


class TestBrokenOrders:
    """The model catches what it is there for: each of these orders loses something in some crash."""

    @staticmethod
    def _caught(act: Callable[[Commit], None], shape: tuple[str, ...] = ("replace", "replace")) -> str:
        with pytest.raises(Violation) as caught:
            explore(shape, act)
        return str(caught.value)

    def test_new_texts_are_not_synced_before_they_are_named(self) -> None:
        def act(commit: Commit) -> None:
            commit.files.fsync = lambda path: None  # type: ignore[method-assign]
            perform(commit)

        assert self._caught(act)

    def test_only_the_journal_is_synced(self) -> None:
        def act(commit: Commit) -> None:
            sync = commit.files.fsync
            commit.files.fsync = lambda path: sync(path) if path.endswith("journal") else None  # type: ignore[method-assign]
            perform(commit)

        assert self._caught(act)

    def test_the_journal_comes_after_the_data(self) -> None:
        def act(commit: Commit) -> None:
            item = commit.journal.changes[0]
            commit.files.write(f"{ROOT}/loose", item.after or b"")
            commit.files.fsync(f"{ROOT}/loose")
            commit.files.rename(f"{ROOT}/loose", f"{ROOT}/{item.real}")
            perform(commit)

        assert self._caught(act)

    @pytest.mark.parametrize("folder", [ROOT, f"{STATE}/txn"])
    def test_a_folder_is_not_synced(self, folder: str) -> None:
        def act(commit: Commit) -> None:
            sync = commit.files.fsync_dir
            commit.files.fsync_dir = lambda path: sync(path) if path != folder else None  # type: ignore[method-assign]
            perform(commit)

        assert self._caught(act, ("replace", "create"))

    def test_the_mark_of_a_commit_comes_first(self) -> None:
        def act(commit: Commit) -> None:
            commit.prepare()
            commit.close()
            commit.folder = f"{STATE}/history/{IDENT}"
            commit.carry_out()

        assert self._caught(act)

    def test_the_mark_comes_before_the_targets_are_synced(self) -> None:
        def act(commit: Commit) -> None:
            late: list[str] = []
            sync = commit.files.fsync_dir
            commit.files.fsync_dir = lambda path: late.append(path) if path == ROOT else sync(path)  # type: ignore[method-assign]
            perform(commit)
            for path in late:
                sync(path)

        assert self._caught(act)

    def test_the_folder_of_what_is_being_prepared_is_not_synced(self) -> None:
        def act(commit: Commit) -> None:
            sync = commit.files.fsync_dir
            commit.files.fsync_dir = lambda path: None if path.endswith(".new") else sync(path)  # type: ignore[method-assign]
            perform(commit)

        assert self._caught(act)
