"""Which folders are stores of this layout, what each file in one is, and what is none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.errors import StoreError
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.model import Workspace
from memdesk.core.workspace import find_root, open_workspace, refresh, work_tree
from tests.support.checking import findings, ran, report
from tests.support.stores import (
    FRAGMENTS,
    TIERS,
    agent_memory_store,
    feature_memory,
    fragment,
    git_repo,
    jonggrang_store,
    put,
    tiers_store,
)
from tests.support.trees import MemoryTree

TASK = "task-001-2026-05-07T10-15-00-000Z.md"


def opened(root: Path, toml: str = "") -> Workspace:
    if toml:
        put(root, "memdesk.toml", toml)
    settings = config.load(str(root))
    return open_workspace(work_tree(str(root), settings), settings)


def stores(root: Path, toml: str = "") -> list[str]:
    return [f"{store.layout} {store.path}" for store in opened(root, toml).stores]


def roles(root: Path, toml: str = "") -> dict[str, str]:
    return {path: document.place.role for path, document in opened(root, toml).documents.items()}


def test_a_store_and_the_role_of_each_file(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, **{
        f".ephemeral/memory/archive/counts/2026-05-01/{TASK}": fragment(facts="- old"), "locks/agent.lock": "{}",
        "config.json": "{}", ".output/features/counts/plan.md": "# Plan\n", ".output/notes.md": "x\n",
    })
    below = ".jonggrang"
    assert roles(tmp_path) == {
        f"{below}/.ephemeral/memory/archive/counts/2026-05-01/{TASK}": "archive",
        f"{below}/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md": "fragment",
        f"{below}/{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md": "fragment",
        f"{below}/.output/features/counts/MEMORY.md": "feature", f"{below}/.output/features/counts/progress.txt": "progress",
        f"{below}/MEMORY.md": "project",
    }
    (store,) = opened(tmp_path).stores
    assert (store.reason, store.marker, store.settings) == ("a folder .jonggrang/", True, Features(7, 7))


def test_the_settings_give_the_limits(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    (store,) = opened(tmp_path, "[fragments]\nwaiting_days = 3\narchive_days = 30\n").stores
    assert store.settings == Features(3, 30)


@pytest.mark.parametrize("git", [False, True])
def test_an_empty_folder_is_an_empty_store(tmp_path: Path, git: bool) -> None:
    (tmp_path / ".jonggrang").mkdir()
    if git:
        git_repo(tmp_path)
    found = opened(tmp_path)
    assert [store.path for store in found.stores] == [".jonggrang"]
    assert (dict(found.documents), found.near_misses, found.problems) == ({}, [], [])
    checked = report(tmp_path, mode="worktree" if git else "none")
    assert (checked.findings, checked.exit_code) == ((), 0)


def test_a_store_without_any_memory_has_no_finding(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, standard=False, **{"config.json": "{}", "locks/a.lock": "{}", ".gitignore": "/locks/\n"})
    git_repo(tmp_path)
    assert report(tmp_path, mode="worktree").findings == ()


def test_stores_anywhere_in_the_workspace(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    jonggrang_store(tmp_path, "apps/web/.jonggrang")
    put(tmp_path, "apps/api/.jonggrang/x.json", "{}")
    assert stores(tmp_path) == [
        "jonggrang .jonggrang", "jonggrang apps/api/.jonggrang", "jonggrang apps/web/.jonggrang",
    ]
    assert "apps/web/.jonggrang/MEMORY.md" in roles(tmp_path)


def test_a_file_of_that_name_is_no_store(tmp_path: Path) -> None:
    put(tmp_path, ".jonggrang", "x")
    put(tmp_path, "a.jonggrang/MEMORY.md", "x")
    put(tmp_path, ".jonggrangs/MEMORY.md", "x")
    assert stores(tmp_path) == []


def test_git_ignores_fragments_and_they_are_read(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    git_repo(tmp_path)
    found = opened(tmp_path)
    assert sum(document.place.role == "fragment" for document in found.documents.values()) == 2
    put(tmp_path, f".jonggrang/{FRAGMENTS}/counts/task-003-2026-05-09T10-15-00-000Z.md", "New.\n")
    again = refresh(found)
    assert sum(document.place.role == "fragment" for document in again.documents.values()) == 3
    path = f".jonggrang/{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md"
    assert again.documents[path] is found.documents[path]


def test_what_is_staged_has_no_fragments_and_nobody_says_that_none_wait(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    git_repo(tmp_path)
    checked = report(tmp_path, mode="staged")
    assert checked.stores[0].documents == 3
    for rule in ("fragment-waiting", "archive-expired"):
        assert (ran(checked, rule).status, ran(checked, rule).reason) == (
            "skip", "fragments are no part of what git keeps: only a check of the working tree sees them",
        )


def test_the_settings_name_another_folder(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, "agents")
    assert stores(tmp_path) == []
    assert stores(tmp_path, '[stores.layout]\nagents = "jonggrang"\n') == ["jonggrang agents"]
    assert "agents/MEMORY.md" in roles(tmp_path)


def test_the_settings_take_a_store_out(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    assert stores(tmp_path, '[stores.layout]\n".jonggrang" = "none"\n') == []


def test_the_settings_name_the_folder_around_it(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, "apps/.jonggrang")
    with pytest.raises(StoreError, match=r"'apps' as 'jonggrang', but The store is the folder in it: apps/\.jonggrang"):
        opened(tmp_path, '[stores.layout]\napps = "jonggrang"\n')


def test_the_root_is_found_from_below_without_git(tmp_path: Path) -> None:
    jonggrang_store(tmp_path)
    (tmp_path / "src" / "deep").mkdir(parents=True)
    assert find_root(str(tmp_path / "src" / "deep")) == str(tmp_path)
    assert find_root(str(tmp_path / ".jonggrang" / ".output")) == str(tmp_path)


def test_other_layouts_leave_its_files_alone(tmp_path: Path) -> None:
    """An index of facts, a MEMORY.md beside people, numbered records: below `.jonggrang/` they are no stores."""
    jonggrang_store(tmp_path)
    tiers_store(tmp_path, ".jonggrang", **{"inbox.md": None})
    agent_memory_store(tmp_path, ".jonggrang", lint=None, **{"MEMORY.md": None})
    found = opened(tmp_path)
    assert [store.layout for store in found.stores] == ["jonggrang"]
    assert [path for path in found.documents if "fact" in path or "people" in path] == []


def test_beside_another_memory(tmp_path: Path) -> None:
    """What is in `.jonggrang/` is its own, whatever stands around it."""
    jonggrang_store(tmp_path)
    agent_memory_store(tmp_path)
    tiers_store(tmp_path, "notes", **dict(TIERS))
    found = opened(tmp_path)
    assert {store.layout for store in found.stores} == {"agent-memory", "jonggrang", "tiers"}
    assert found.problems == []
    mine = {path for path, document in found.documents.items() if document.store.layout == "jonggrang"}
    assert mine == {path for path in found.documents if path.startswith(".jonggrang/")}
    assert len(mine) == 5


@pytest.mark.parametrize("name", ["memory.md", "Memory.md", "MEMORY.MD", ".output/features/counts/memory.md"])
def test_a_memory_by_another_spelling_is_named(name: str) -> None:
    found = open_workspace(MemoryTree({f".jonggrang/{name}": "x"}), config.defaults())
    assert [(miss.path, miss.why) for miss in found.near_misses] == [
        (f".jonggrang/{name}", "This layout reads MEMORY.md, spelled so."),
    ]


def test_links(tmp_path: Path) -> None:
    """A memory that is a link is read where it stays inside; a folder that is one isn't followed, and is named."""
    jonggrang_store(tmp_path, **{"MEMORY.md": None})
    put(tmp_path, "docs/memory.md", "# Elsewhere\n\n- One\n")
    put(tmp_path, "kept/MEMORY.md", feature_memory("kept"))
    os.symlink("../docs/memory.md", tmp_path / ".jonggrang/MEMORY.md")
    os.symlink("../../../kept", tmp_path / ".jonggrang/.output/features/kept")
    os.symlink("/etc", tmp_path / ".jonggrang/.output/features/out")
    os.symlink("/etc/hostname", tmp_path / f".jonggrang/{FRAGMENTS}/counts/task-009.md")
    found = opened(tmp_path)
    assert found.documents[".jonggrang/MEMORY.md"].data == b"# Elsewhere\n\n- One\n"
    assert [(miss.path, miss.why.partition(":")[0]) for miss in found.near_misses] == [
        (".jonggrang/.output/features/kept", "It is a link to the folder kept, and links to folders are not followed."),
        (".jonggrang/.output/features/out", "It leads out of the workspace."),
    ]
    assert [finding.path for finding in findings(tmp_path, "link-outside")] == [f".jonggrang/{FRAGMENTS}/counts/task-009.md"]


HOSTILE: Mapping[str, bytes] = {
    "newline": b"task-001\n.md", "escape": b"task-\x1b[31m.md", "not utf-8": b"task-\xff\xfe.md", "long": b"t" * 200 + b".md",
    "options": b"--output=x.md", "markup": b"[bold]x.md", "bidi": "task-\u202e001.md".encode(),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_names(tmp_path: Path, kind: str) -> None:
    jonggrang_store(tmp_path)
    for folder in (f"{FRAGMENTS}/counts", f"{FRAGMENTS}/" + os.fsdecode(HOSTILE[kind][:-3])):
        place = os.fsencode(tmp_path / ".jonggrang" / folder)
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, HOSTILE[kind]), "wb") as stream:
            stream.write(b"- A fact\n")
    git_repo(tmp_path)
    found = opened(tmp_path)
    assert len(found.candidates()) == 6
    checked = report(tmp_path, mode="worktree", only=["fragment-waiting", "fragment-tracked", "archive-expired"])
    assert {rule.status for rule in checked.rules} <= {"pass", "warn"}


def test_a_feature_named_like_another_is_another(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, **{
        ".output/features/Counts/MEMORY.md": feature_memory("Counts"), f"{FRAGMENTS}/count/{TASK}": "Text.\n",
    })
    scopes = {document.place.scope for document in opened(tmp_path).documents.values()}
    assert scopes == {"", "feature:counts", "feature:Counts", "feature:count"}
    assert [finding.path for finding in findings(tmp_path, "name-clash")] != []


def test_where_there_is_none_asking_costs_next_to_nothing(tmp_path: Path) -> None:
    """Every check of every workspace asks."""
    tiers_store(tmp_path, "notes")
    code = (
        "import sys\nfrom memdesk.core import layouts\nlayouts.LAYOUTS['jonggrang'] = 'memdesk.core.layouts.jonggrang'\n"
        "from memdesk.core import config\nfrom memdesk.core.workspace import open_workspace, work_tree\n"
        "settings = config.defaults()\n"
        f"found = open_workspace(work_tree({str(tmp_path)!r}, settings), settings)\n"
        "print([store.layout for store in found.stores], 'datetime' in sys.modules)\n"
        "print(sorted(name[31:] for name in sys.modules if name.startswith('memdesk.core.layouts.jonggrang.')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "['tiers'] False\n['detect', 'kept']\n", done
