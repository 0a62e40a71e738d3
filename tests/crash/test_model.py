"""Every state that a crash could leave of a commit, for every shape of plan: recovery brings each to before or to after.

The states are those of `model.py`, the shapes those of `shapes.py`. The end of a test run says how many were explored.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memdesk.core.transaction import recovery
from memdesk.core.transaction.commit import Commit
from memdesk.core.transaction.files import REAL
from memdesk.core.transaction.ground import Ground
from memdesk.core.transaction.history import History
from memdesk.core.transaction.problems import Foreign
from tests.crash.model import BLOCK, File, ModelFiles, Nodes, crashes, everything
from tests.crash.shapes import FILES, IDENT, QUICK, REST, ROOT, SECRET, STATE, Shape, plan, prepared, start
from tests.support.faults import WRITING

Disk = Mapping[str, "File | None"]
Count = Callable[[Shape, int], None]


class Violation(AssertionError):
    """A crash state that recovery did not bring to before or to after."""


class Explored(int):
    """How many states were judged. `torn`: how many of them had files with bytes lost."""

    torn = 0


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Count:
    """Hands a shape and how many states it had to the summary at the end of the run (tests/conftest.py)."""
    return lambda shape, states: record_property("crash model", f"{'+'.join(shape)} {int(states)}")


def perform(commit: Commit) -> None:
    commit.prepare()
    commit.carry_out()
    commit.close()
    History(commit.ground).finish_purges(list)


def store(nodes: Nodes) -> dict[str, File | None]:
    """All that is neither this transaction's nor its history's: temporary files and folders too many would show."""
    mine = (f"{STATE}/txn/", f"{STATE}/history/{IDENT}")
    return {path: item for path, item in everything(nodes).items() if not path.startswith(mine)}


def recover(nodes: Nodes, **options: Any) -> ModelFiles:
    files = ModelFiles(nodes, far=(f"{ROOT}/far",), **options)
    ground = Ground(files, ROOT, STATE)
    done = recovery.recover(ground, lambda: None, None)
    if any(item.person for item in done):
        raise Violation(f"a person was asked: {done}")
    History(ground).finish_purges(list)
    return files


def judge(nodes: Nodes, before: Disk, after: Disk, committed: bool) -> None:
    now, left = store(nodes), everything(nodes)
    if committed and now != after:
        raise Violation(f"reported as done, and lost: {_difference(now, after)}")
    if now not in (before, after):
        raise Violation(f"neither before nor after: {_difference(now, after)} / {_difference(now, before)}")
    rests = [path for path in left if path.startswith(f"{STATE}/txn/") and "generation" not in path]
    if rests:
        raise Violation(f"left in txn: {rests}")
    if (f"{STATE}/history/{IDENT}/journal" in left) != (now == after):
        raise Violation(f"the history does not tell what the files are: {sorted(left)}")
    telling = [path for path, item in left.items() if path.startswith(STATE) and item and SECRET.encode() in item.data]
    if telling:
        raise Violation(f"a purge left its text in {telling}")


def _difference(now: Disk, wanted: Disk) -> str:
    nothing = File(b"nothing")
    paths = [path for path in sorted({*now, *wanted}) if now.get(path, nothing) != wanted.get(path, nothing)]
    return ", ".join(f"{path}: {now.get(path, '-')!r}" for path in paths)


def explore(shape: Shape, act: Callable[[Commit], None] = perform, most: int = 128, **options: Any) -> Explored:
    """Judges every state of a shape; how many there were. Raises Violation."""
    files = start(shape, **options)
    before = store(files.nodes)
    act(prepared(files, shape))
    after = store(files.nodes)
    assert before != after
    count = torn = 0
    settled: set[tuple[tuple[str, File | None], ...]] = set()
    for crash in crashes(files, most=most):
        count += 1
        torn += crash.torn
        again = recover(crash.nodes, **options)
        judge(again.nodes, before, after, committed=crash.length == len(files.log))
        key = tuple(sorted(everything(again.nodes).items()))
        if key in settled:
            continue  # recovery on what it left like this was run already
        settled.add(key)
        if tuple(sorted(everything(recover(again.nodes, **options).nodes).items())) != key:
            raise Violation("a second recovery changed something")
    found = Explored(count)
    found.torn = torn
    return found


@pytest.mark.parametrize("shape", QUICK, ids="+".join)
def test_every_crash_of_a_commit_is_recovered_from(shape: Shape, count: Count) -> None:
    states = explore(shape)
    count(shape, states)
    assert states > 10


@pytest.mark.slow
@pytest.mark.parametrize("shape", REST, ids="+".join)
def test_every_crash_of_larger_plans(shape: Shape, count: Count) -> None:
    states = explore(shape, most=128 if len(shape) < 4 else 64)
    count(shape, states)
    assert states > 20


@pytest.mark.parametrize("word", ["create", "replace", "delete", "deep", "far", "farther", "away", "mkdir"])
def test_one_target_more_is_the_same_once_more(word: str) -> None:
    """Why five targets stand for any number: each gets the same operations, one after another, and the rest stays the same."""
    known: tuple[list[str], list[str]] | None = None
    for size in (2, 5, 12):
        files = Recording(start((word,) * size).nodes)
        perform(prepared(files, (word,) * size))
        common = [line for number, line in files.lines if number is None]
        each = [[line for number, line in files.lines if number == target] for target in range(size)]
        assert each == [each[0]] * size
        known = known or (common, each[0])
        assert (common, each[0]) == known, size
        swept = [line for line in files.lines if line[1].startswith("unlink")]
        assert len(swept) in (0, size)
        turns = [number for number, line in files.lines if number is not None and (number, line) not in swept]
        begun = [line for _, line in files.lines].index(f"rename {STATE}/txn/{IDENT}.new {STATE}/txn/{IDENT}")
        first = sum(number is not None for number, _ in files.lines[:begun])
        assert turns[:first] == sorted(turns[:first])
        assert word == "mkdir" or turns[first:] == sorted(turns[first:])  # folders are made in turn, and synced in turn


class Recording(ModelFiles):
    """Logs what is written as words: (number of the target that it is about, the operation without the number)."""

    def __init__(self, nodes: Nodes) -> None:
        super().__init__(nodes, far=(f"{ROOT}/far",))
        self.lines: list[tuple[int | None, str]] = []

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in WRITING:
            return found

        def call(*arguments: Any) -> Any:
            paths = [path for path in arguments if isinstance(path, str)]
            numbers = {int(digits) for path in paths for digits in _NUMBER.findall(path)}
            assert len(numbers) <= 1, arguments
            words = " ".join(_NUMBER.sub("#", path) for path in paths)
            self.lines.append((next(iter(numbers), None), f"{name} {words}"))
            return found(*arguments)

        return call


_NUMBER = re.compile(r"(?<=/s)\d+|(?<=-[sp])\d+|(?<=/new)\d+|(?<=/old)\d+|(?<=/folder)\d+")


@pytest.mark.parametrize("shape", [
    ("replace", "create"), ("replace", "delete"), ("far",),
    *(pytest.param(shape, marks=pytest.mark.slow) for shape in (
        ("far", "replace"), ("replace",) * 4, ("deep", "replace", "replace", "delete"),
    )),
], ids="+".join)
def test_every_crash_without_an_exchange_of_names(shape: Shape, count: Count) -> None:
    states = explore(shape, exchange=False)
    count(shape, states)
    assert states > 20


def test_files_of_several_blocks_are_torn_at_each(count: Count) -> None:
    """On another file system a new text is written beside its target: only there an unsynced one has a name that counts."""
    assert all(len(step.after or b"") > 2 * BLOCK for step in plan(("replace", "create", "far", "farther")).steps)
    states = explore(("farther",))
    count(("farther",), states)
    assert states.torn > 10


@pytest.mark.parametrize(
    ("shape", "most"),
    [
        (("replace",), 2), pytest.param(("replace", "create"), 8, marks=pytest.mark.slow),
        pytest.param(("replace", "replace", "delete"), 8, marks=pytest.mark.slow),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "+".join(value),
)
def test_recovery_may_crash_at_each_of_its_steps(shape: Shape, most: int, count: Count) -> None:
    files = start(shape)
    before = store(files.nodes)
    perform(prepared(files, shape))
    after = store(files.nodes)
    seen: set[tuple[tuple[str, File | None], ...]] = set()
    for nodes in _halves(files, most):
        first = recover(nodes)
        for crash in crashes(first, most=most // 2):
            key = tuple(sorted(everything(crash.nodes).items()))
            if key not in seen:
                seen.add(key)
                judge(recover(crash.nodes).nodes, before, after, committed=False)
    count(shape, len(seen))
    assert len(seen) > 50


def _halves(files: ModelFiles, most: int) -> Iterator[Nodes]:
    """The crash states from which recovery has something to do."""
    for crash in crashes(files, most=most):
        if f"{STATE}/txn/{IDENT}/journal" in everything(crash.nodes):
            yield crash.nodes


def test_a_rollback_may_crash_at_each_of_its_steps() -> None:
    """An error in mid-commit: what was done is taken back, and the machine stops while it is."""
    shape = ("replace", "create", "delete")
    for stop in (0, 1, 2):
        files = start(shape)
        before = store(files.nodes)
        whole = start(shape)
        perform(prepared(whole, shape))
        after = store(whole.nodes)
        commit = prepared(files, shape)
        commit.prepare()
        for number, item in enumerate(commit.journal.changes[: stop + 1]):
            commit._put(number, item, item.before, item.after)
        assert commit.roll_back() == []
        commit.discard()
        assert store(files.nodes) == before
        for crash in crashes(files, most=64):
            judge(recover(crash.nodes).nodes, before, after, committed=False)


def test_someone_elses_text_survives_every_crash_of_a_commit_that_met_it() -> None:
    """Saved right before the exchange of names: taken out, looked at, put back; the machine stops anywhere on the way.

    With renames between folders as atomic as journalling file systems make them: docs/trust.md names that.
    """
    theirs = b"by someone else\n"
    shape = ("replace", "replace", "create")
    files = start(shape, atomic=True)
    before = store(files.nodes)
    commit = prepared(files, shape)
    exchange = files.exchange

    def meet(one: str, other: str) -> None:
        if other == f"{ROOT}/old1.md" and files.read(other) == FILES[other].data:
            files.write(f"{ROOT}/old1.md~", theirs)
            files.fsync(f"{ROOT}/old1.md~")
            files.rename(f"{ROOT}/old1.md~", other)
            files.fsync_dir(ROOT)
        exchange(one, other)

    files.exchange = meet  # type: ignore[method-assign]
    commit.prepare()
    with pytest.raises(Foreign):
        commit.carry_out()
    assert commit.roll_back() == ["old1.md"]
    commit.discard()
    assert store(files.nodes) == {**before, "/w/old1.md": File(theirs, 0o600)}
    met = 0
    for _, nodes, _ in crashes(files, most=256):
        saved = [path for path, item in everything(nodes).items() if item is not None and item.data == theirs]
        if not any(path == "/w/old1.md" or path.startswith(f"{STATE}/txn/{IDENT}/") for path in saved):
            continue  # not saved yet
        met += 1
        again = ModelFiles(nodes, atomic=True)
        (*_, item) = [None, *recovery.recover(Ground(again, ROOT, STATE), lambda: None, None)]
        assert store(again.nodes) == {**before, "/w/old1.md": File(theirs, 0o600)}, item
    assert met > 20


def test_a_sample_on_real_folders(tmp_path: Path) -> None:
    """The states of the model built as real files, and recovered by the real operations."""
    shape = ("replace", "create", "delete", "deep")
    files = start(shape)
    before = store(files.nodes)
    perform(prepared(files, shape))
    after = store(files.nodes)
    states = [crash.nodes for crash in crashes(files, most=64)]
    for count, nodes in enumerate(random.Random(7).sample(states, 25)):
        top = str(tmp_path / str(count))
        for path, item in sorted(everything(nodes).items()):
            if item is None:
                os.makedirs(f"{top}{path}", exist_ok=True)
            else:
                Path(f"{top}{path}").write_bytes(item.data)
                os.chmod(f"{top}{path}", item.mode)
        ground = Ground(REAL, f"{top}{ROOT}", f"{top}{STATE}")
        recovery.recover(ground, lambda: None, None)
        assert _on_disk(top) in (before, after)
        assert ground.prepared() == []


def _on_disk(top: str) -> dict[str, File | None]:
    """As `store`, of real files."""
    now: dict[str, File | None] = {"/": None}
    for folder, _, names in os.walk(f"{top}{ROOT}"):
        now[folder.removeprefix(top)] = None
        for name in names:
            path = os.path.join(folder, name)
            now[path.removeprefix(top)] = File(Path(path).read_bytes(), os.stat(path).st_mode & 0o7777)
    mine = (f"{STATE}/txn/", f"{STATE}/history/{IDENT}")
    return {path: item for path, item in now.items() if not path.startswith(mine)}


Order = Callable[[Commit], None]


def _unsynced(commit: Commit) -> None:
    """New texts are never synced."""
    commit.files.fsync = lambda path: None  # type: ignore[method-assign]
    perform(commit)


def _only_the_journal(commit: Commit) -> None:
    """Of all files only the journal is synced."""
    sync = commit.files.fsync
    commit.files.fsync = lambda path: sync(path) if path.endswith("journal") else None  # type: ignore[method-assign]
    perform(commit)


def _named_before_synced(commit: Commit) -> None:
    """New texts get their names first, and are synced then."""
    sync = commit.files.fsync
    commit.files.fsync = lambda path: sync(path) if path.endswith("journal") else None  # type: ignore[method-assign]
    commit.prepare()
    commit.carry_out()
    for item in commit.journal.changes:
        if item.after is not None:
            sync(f"{ROOT}/{item.real}")
    commit.close()


def _journal_after_data(commit: Commit) -> None:
    """The first target is written before there is a journal."""
    item, files = commit.journal.changes[0], commit.files
    for folder in commit.journal.made:
        files.mkdir(f"{ROOT}/{folder}")
        files.fsync_dir(os.path.dirname(f"{ROOT}/{folder}"))
    if item.after is None:
        files.unlink(f"{ROOT}/{item.real}")
    else:
        loose = f"{STATE}/txn/loose.new"  # what recovery clears away: nothing but the order is wrong
        files.write(loose, item.after)
        files.chmod(loose, 0o644 if item.before is None else FILES[f"{ROOT}/{item.real}"].mode)
        files.fsync(loose)
        files.rename(loose, f"{ROOT}/{item.real}")
    perform(commit)


def _folder_not_synced(folder: str) -> Order:
    """One folder is never synced."""

    def act(commit: Commit) -> None:
        sync = commit.files.fsync_dir
        commit.files.fsync_dir = lambda path: sync(path) if path != folder else None  # type: ignore[method-assign]
        perform(commit)

    return act


def _mark_first(commit: Commit) -> None:
    """The transaction is marked as committed, and carried out then."""
    commit.prepare()
    commit.close()
    commit.folder = f"{STATE}/history/{IDENT}"
    commit.carry_out()


def _mark_before_targets(commit: Commit) -> None:
    """The targets are synced behind the mark."""
    late: list[str] = []
    sync = commit.files.fsync_dir
    commit.files.fsync_dir = (  # type: ignore[method-assign]
        lambda path: sync(path) if path.startswith(STATE) else late.append(path)
    )
    perform(commit)
    for path in late:
        sync(path)


ALL: tuple[Shape, ...] = (("replace", "replace"), ("create", "replace"), ("create", "delete"), ("deep", "replace", "delete"))
TEXTS: tuple[Shape, ...] = (("replace", "replace"), ("create",), ("deep", "replace"), ("farther", "far"))
NEW: tuple[Shape, ...] = (("deep",), ("deep", "replace"), ("deep", "deep", "replace"))
BROKEN: Mapping[str, tuple[Order, tuple[Shape, ...]]] = {
    "texts are never synced": (_unsynced, TEXTS), "only the journal is synced": (_only_the_journal, TEXTS),
    "renamed before synced": (_named_before_synced, TEXTS), "journal after data": (_journal_after_data, ALL),
    "the targets' folder is not synced": (_folder_not_synced(ROOT), ALL),
    "a folder that was made is not synced": (_folder_not_synced(f"{ROOT}/fresh"), NEW),
    "the folder on another file system is not synced": (_folder_not_synced(f"{ROOT}/far"), (("far",), ("farther",))),
    "the folder of prepared ones is not synced": (_folder_not_synced(f"{STATE}/txn"), ALL),
    "the folder being prepared is not synced": (_folder_not_synced(f"{STATE}/txn/{IDENT}.new"), ALL),
    "the mark comes first": (_mark_first, ALL), "the mark comes before the targets are synced": (_mark_before_targets, ALL),
}


@pytest.mark.parametrize(
    ("order", "shape"),
    [
        pytest.param(name, shape, id=f"{name}: {'+'.join(shape)}", marks=[pytest.mark.slow] * (len(shape) > 2))
        for name, (_, shapes) in BROKEN.items() for shape in shapes
    ],
)
def test_a_broken_order_is_caught(order: str, shape: Shape) -> None:
    """The model catches what it is there for: each of these orders loses something in some crash."""
    with pytest.raises(Violation):
        explore(shape, BROKEN[order][0])
