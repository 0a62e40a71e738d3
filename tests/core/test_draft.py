"""Drafts: what binds a plan, what may not be edited, and the tree as it would be."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from memdesk.core.draft import Draft, OverlayTree
from memdesk.core.errors import ReadOnly, Refused, StoreError
from memdesk.core.tree import Item
from tests.support.planning import Bench
from tests.support.stores import MEMORY, manifest, put
from tests.support.trees import MemoryTree


def test_a_plan_is_bound_to_what_it_looked_at(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    draft = Draft(bench.workspace)
    assert draft.look(f"{MEMORY}/brief.md") is bench.document("brief.md")
    assert draft.look(f"{MEMORY}/changelog.md") is None
    assert draft.bound() == {
        f"{MEMORY}/brief.md": sha256(bench.document("brief.md").data).hexdigest(), f"{MEMORY}/changelog.md": None,
    }
    draft.names(MEMORY)
    assert draft.bound()[MEMORY] == bench.workspace.tree.digest(MEMORY)


def test_what_is_changed_is_bound_by_its_step_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    draft = Draft(bench.workspace)
    document = draft.look(f"{MEMORY}/constraints.md")
    assert document is not None
    draft.cut(document.entries[0])
    draft.look(f"{MEMORY}/constraints.md")
    assert draft.bound() == {}
    (step,) = draft.steps()
    assert (step.kind, step.before, step.after) == ("replace", document.data, b"# Constraints\n")
    assert step.mode == bench.workspace.tree.mode(document.path)


def test_the_bound_digest_is_of_what_was_read_not_of_what_is_there_now(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    read = bench.document("manifest.md").data
    put(tmp_path, f"{MEMORY}/manifest.md", "# Other\n")
    draft = Draft(bench.workspace)
    draft.look(f"{MEMORY}/manifest.md")
    assert draft.bound() == {f"{MEMORY}/manifest.md": sha256(read).hexdigest()}


def test_a_new_file_comes_with_its_folders(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    draft = Draft(bench.workspace)
    store = bench.workspace.stores[0]
    made = draft.make(store, store.join("areas/storage.md"), b"# Storage\n")
    draft.insert(made, len(made.data), "- A", loose=True, entry=True)
    assert draft.make(store, made.path, b"# Twice\n") is made
    assert [(step.kind, step.path, step.after) for step in draft.steps()] == [
        ("mkdir", f"{MEMORY}/areas", None), ("create", made.path, b"# Storage\n\n- A\n"),
    ]


def test_a_path_that_is_taken_by_something_else_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    (tmp_path / MEMORY / "preferences.md").mkdir()
    bench.read()
    with pytest.raises(Refused, match="no memory file") as caught:
        Draft(bench.workspace).make(bench.workspace.stores[0], f"{MEMORY}/preferences.md", b"")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"# C\n\n- A\n<<<<<<< ours\n- B\n=======\n- C\n>>>>>>> theirs\n", 4),
        ("# C\n\n- Zo\u00eb\n".encode("latin-1"), 3),
        ("# C\n\n- A\n".encode("utf-16"), 1),
        (b"# C\n\n- A\0\n", 3),
        (b"# C\r\r- A\r", 1),
    ],
)
def test_a_file_with_a_problem_is_not_written(tmp_path: Path, data: bytes, line: int) -> None:
    bench = Bench(tmp_path, constraints=data, inbox="# Inbox\n\n- x\n")
    with pytest.raises(Refused, match="read-only") as caught:
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    assert (caught.value.path, caught.value.line) == (f"{MEMORY}/constraints.md", line)
    assert caught.value.remedy


def test_a_file_with_two_names_is_one_document(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- x\n- y\n")
    (tmp_path / MEMORY / "preferences.md").symlink_to("constraints.md")
    bench.read()
    draft = Draft(bench.workspace)
    assert draft.look(f"{MEMORY}/preferences.md") is bench.document("constraints.md")
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], to="preferences")
    assert [(step.kind, step.path) for step in plan.steps] == [
        ("replace", f"{MEMORY}/constraints.md"), ("replace", f"{MEMORY}/inbox.md"),
    ]


def test_a_file_over_the_size_limit_is_not_written(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# C\n\n- A\n" + "x" * (8 * 1024 * 1024), inbox="# Inbox\n\n- x\n")
    with pytest.raises(Refused, match="read-only"):
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")


def test_what_nests_too_deeply_is_left_alone(tmp_path: Path) -> None:
    deep = "- " * 120 + "x"
    bench = Bench(tmp_path, constraints=f"# C\n\n- A\n{deep}\n")
    with pytest.raises(Refused, match="deeply") as caught:
        bench.plan("edit", bench.entries("constraints.md")[1:], text="- y")
    assert caught.value.path == f"{MEMORY}/constraints.md"


def test_a_store_that_is_read_only_says_why(tmp_path: Path) -> None:
    bench = Bench(tmp_path, manifest=manifest(version="0.9"))
    with pytest.raises(ReadOnly, match=r"0\.9"):
        Draft(bench.workspace).cut(bench.entries("constraints.md")[0])


def test_the_overlay_is_the_tree_as_it_would_be() -> None:
    base = MemoryTree({"a.md": "A", "d/b.md": "B", "d/c.md": "C"})
    over = OverlayTree(base, {"d/b.md": b"BB", "d/c.md": None, "e/f/new.md": b"N"})
    assert over.walk() == ["a.md", "d/b.md", "e/f/new.md"]
    assert over.list("d") == [Item("b.md", "file")]
    assert over.list(".") == [Item("a.md", "file"), Item("d", "folder"), Item("e", "folder")]
    assert [over.kind(path) for path in ("a.md", "d/c.md", "e", "e/f", "e/f/new.md", "x")] == [
        "file", "none", "folder", "folder", "file", "none",
    ]
    assert (over.read("a.md"), over.read("d/b.md"), over.size("d/b.md"), over.size("a.md")) == (b"A", b"BB", 2, 1)
    with pytest.raises(StoreError):
        over.read("d/c.md")
    assert over.digest("d/c.md") is None
    assert over.digest("d/b.md") == sha256(b"BB").hexdigest()
    assert over.digest("a.md") == base.digest("a.md")
    assert over.digest("e") != over.digest("d")
    assert over.resolve("e/f/new.md") == "e/f/new.md"
    assert (over.mode("d/c.md"), over.mode("e/f/new.md")) == (None, base.mode("e/f/new.md"))


def test_a_drafts_overlay_holds_what_it_writes(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    draft = Draft(bench.workspace)
    draft.cut(bench.entries("constraints.md")[0])
    overlay = draft.overlay()
    assert overlay.read(f"{MEMORY}/constraints.md") == b"# Constraints\n"
    assert overlay.read(f"{MEMORY}/brief.md") == bench.document("brief.md").data
