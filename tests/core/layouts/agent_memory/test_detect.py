"""Which folders are stores of this layout, with and without a settings file, and what each file in one is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.core import config, workspace
from memdesk.core.errors import StoreError
from memdesk.core.layouts.agent_memory.detect import pathspecs
from memdesk.core.model import Cap, Place, Workspace
from tests.support.checking import report
from tests.support.stores import custodian_store, git_repo, put

LINT = "memory-lint.json"


def opened(root: Path) -> Workspace:
    settings = config.load(str(root), user_file=None, explicit=None)
    return workspace.open_workspace(workspace.work_tree(str(root), settings), settings)


def stores(root: Path) -> list[tuple[str, str, bool]]:
    return [(store.path, store.reason, store.marker) for store in opened(root).stores if store.layout == "agent-memory"]


def missed(root: Path) -> dict[str, str]:
    return {miss.path: miss.why for miss in opened(root).near_misses}


def usual(root: Path, folder: str = ".") -> None:
    prefix = "" if folder == "." else folder + "/"
    put(root, f"{prefix}MEMORY.md", "# Memory\n\n- `memory/people/ada.md`: Ada\n")
    put(root, f"{prefix}memory/people/ada.md", "# Ada\n\n- [stated] Likes tea (2026-01-02)\n")


def test_an_index_beside_memory_folders_is_a_store(tmp_path: Path) -> None:
    usual(tmp_path)
    usual(tmp_path, "apps/bot")
    assert stores(tmp_path) == [
        (".", "MEMORY.md beside memory/", False), ("apps/bot", "MEMORY.md beside apps/bot/memory/", False),
    ]
    owners = {path: document.store.path for path, document in opened(tmp_path).documents.items()}
    assert owners == {
        "MEMORY.md": ".", "memory/people/ada.md": ".",
        "apps/bot/MEMORY.md": "apps/bot", "apps/bot/memory/people/ada.md": "apps/bot",
    }


def test_a_settings_file_is_a_marker_wherever_it_is(tmp_path: Path) -> None:
    put(tmp_path, f"deep/er/{LINT}", "{}")
    assert stores(tmp_path) == [("deep/er", f"deep/er/{LINT}", True)]


def test_of_nested_stores_the_deepest_has_a_file(tmp_path: Path) -> None:
    put(tmp_path, LINT, json.dumps({"tiers": {"disk": {"dirs": ["memory/people", "team"]}}}))
    put(tmp_path, f"team/{LINT}", "{}")
    put(tmp_path, "team/memory/people/bo.md", "- [stated] x\n")
    put(tmp_path, "team/other.md", "- [stated] x\n")
    owners = {path: document.store.path for path, document in opened(tmp_path).documents.items()}
    assert owners == {"team/memory/people/bo.md": "team", "team/other.md": "."}


@pytest.mark.parametrize("folder", [".jonggrang", "apps/.jonggrang/x"])
def test_another_systems_files_of_these_names_are_no_store(tmp_path: Path, folder: str) -> None:
    usual(tmp_path, folder)
    put(tmp_path, ".jonggrang/MEMORY.md", "# Project memory\n")
    put(tmp_path, "memory/MEMORY.md", "- [Colour](facts/colour.md): blue\n")
    put(tmp_path, "memory/facts/colour.md", "---\ndescription: blue\n---\n")
    put(tmp_path, "MEMORY.md", "- [Colour](memory/facts/colour.md): blue\n")
    assert (stores(tmp_path), missed(tmp_path)) == ([], {})


def test_what_is_nearly_a_store_says_what_is_missing(tmp_path: Path) -> None:
    put(tmp_path, "a/MEMORY.md", "# Memory\n")
    put(tmp_path, "a/memory/notes.md", "x\n")
    put(tmp_path, "b/memory/decisions/api.md", "x\n")
    put(tmp_path, "c/Memory.md", "x\n")
    put(tmp_path, "c/memory/people/ada.md", "x\n")
    put(tmp_path, "d/MEMORY.md", "alone, it says little\n")
    assert stores(tmp_path) == []
    assert missed(tmp_path) == {
        "a": "MEMORY.md is here, but memory/ has no folder people, projects or decisions.",
        "b": "There are memory folders, but MEMORY.md or memory-lint.json is missing beside memory/.",
        "c": "There are memory folders, and a file Memory.md; this layout reads MEMORY.md.",
    }


def test_the_settings_have_the_last_word(tmp_path: Path) -> None:
    usual(tmp_path)
    put(tmp_path, "notes/x.md", "x\n")
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"." = "none"\n"notes" = "agent-memory"\n')
    assert stores(tmp_path) == [("notes", "the settings say so", True)]
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"gone" = "agent-memory"\n')
    with pytest.raises(StoreError, match="no such folder"):
        opened(tmp_path)


def test_another_layouts_store_stands_beside_it(tmp_path: Path) -> None:
    usual(tmp_path)
    custodian_store(tmp_path)
    found = [(store.layout, store.path) for store in opened(tmp_path).stores]
    assert found == [("agent-memory", "."), ("custodian", "docs/memory")]
    assert missed(tmp_path) == {}


def test_one_broken_settings_file_hides_no_other_store(tmp_path: Path) -> None:
    usual(tmp_path)
    put(tmp_path, f"bad/{LINT}", '{\n"index": 3}')
    put(tmp_path, "bad/memory/people/bo.md", "- [stated] x\n")
    found = opened(tmp_path)
    assert [(store.path, store.read_only is not None) for store in found.stores] == [(".", False), ("bad", True)]
    assert found.documents["bad/memory/people/bo.md"].place.role == "people"  # shown, by the usual settings
    checked = report(tmp_path, only=["duplicate-entry"])
    assert (checked.exit_code, [one.path for one in checked.stores]) == (2, [".", "bad"])
    assert checked.failures[0].startswith(f"bad/{LINT}:2: index must be a text that is not empty.")


def test_a_settings_file_that_is_mended_is_read_again(tmp_path: Path) -> None:
    usual(tmp_path)
    put(tmp_path, LINT, "{")
    before = opened(tmp_path)
    assert before.stores[0].read_only
    put(tmp_path, LINT, '{"index": "OTHER.md"}')
    after = workspace.refresh(before, [LINT])
    assert (after.stores[0].read_only, after.stores[0].settings.index_file) == (None, "OTHER.md")
    assert "MEMORY.md" not in after.documents


def test_without_git_a_store_is_a_workspace_by_itself(tmp_path: Path) -> None:
    usual(tmp_path / "home")
    assert workspace.find_root(str(tmp_path / "home" / "memory" / "people")) == str((tmp_path / "home").resolve())


def test_what_each_file_is(tmp_path: Path) -> None:
    usual(tmp_path)
    put(tmp_path, "sub/" + LINT, json.dumps({
        "tiers": {
            "rom": {"files": {"MEMORY.md": {"maxChars": 9, "maxLines": 3}, "SOUL.txt": {"maxLines": 2}, "team/me.md": {}}},
            "ram": {"patterns": ["^memory/\\d", "^log/"], "maxChars": 7}, "disk": {"dirs": ["memory/people", "facts"]},
        },
    }))  # fmt: skip
    here, sub = opened(tmp_path).stores
    from memdesk.core.layouts.agent_memory.detect import classify

    notes = Cap("chars", 30000, "default")
    file = f"sub/{LINT}"
    expected = {
        "MEMORY.md": Place("index", "index", Cap("chars", 15000, "default"), more=(Cap("lines", 400, "default"),)),
        "AGENTS.md": Place("instructions", "index"), "GEMINI.md": Place("instructions", "index"), "README.md": None,
        "memory/people/ada.md": Place("people", "durable", scope="person:ada"),
        "memory/projects/deep/x.md": Place("projects", "durable", scope="project:x"),
        "memory/decisions/api.md": Place("decisions", "durable"), "memory/people/ada.txt": None, "memory/other.md": None,
        "memory/2026-01-02.md": Place("note", "working", notes), "memory/2026-01-02-x/y.md": Place("context", "working", notes),
        "memory/context/now.md": Place("context", "working", notes),
        "memory/context/2026-01-02.md": Place("context", "working", notes),
        "memory/archive/old.md": Place("archive", "archive"), "memory/archive/2026-01-02.md": Place("archive", "archive"),
    }
    assert {path: classify(here, path) for path in expected} == expected
    mine = {
        "sub/MEMORY.md": Place("index", "index", Cap("chars", 9, file), more=(Cap("lines", 3, file),)),
        "sub/SOUL.txt": Place("instructions", "index", Cap("lines", 2, file)), "sub/team/me.md": Place("instructions", "index"),
        "sub/AGENTS.md": None, "AGENTS.md": None, "memory/people/ada.md": None,
        "sub/facts/projects/x.md": Place("projects", "durable", scope="project:x"), "sub/facts/x.md": Place("facts", "durable"),
        "sub/log/2026-01-02.md": Place("note", "working", Cap("chars", 7, file)),
        "sub/log/x.md": Place("context", "working", Cap("chars", 7, file)),
    }
    assert {path: classify(sub, path) for path in mine} == mine
    assert (pathspecs(here), pathspecs(sub)) == ((":(literal)memory/archive",), (":(literal)sub/memory/archive",))


def test_a_repository_full_of_other_files_is_looked_through_once(tmp_path: Path) -> None:
    usual(tmp_path)
    git_repo(tmp_path)
    for number in range(50):
        put(tmp_path, f"src/pkg{number}/memory/context.py", "x\n")
    assert (len(stores(tmp_path)), missed(tmp_path)) == (1, {})
