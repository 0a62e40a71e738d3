"""Which folders are stores, which nearly are, and what each file in one is."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.core import config
from memdesk.core.layouts.custodian import LAYOUT
from memdesk.core.layouts.custodian.starter import example, template
from memdesk.core.model import Workspace
from tests.support.stores import STANDARD, manifest
from tests.support.trees import MemoryTree, workspace

FULL = {**STANDARD, "manifest.md": manifest(areas=("storage",)), "areas/storage.md": "# Storage\n"}


def at(folder: str, files: dict[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}" if folder != "." else name: text for name, text in files.items()}


def paths(there: Workspace) -> list[str]:
    return [store.path for store in there.stores]


@pytest.mark.parametrize(
    "folder", ["docs/memory", "packages/web/docs/memory", "docs/project-memory", "docs/team/memory", "a/docs/b/c"]
)
def test_a_folder_under_docs_with_a_manifest_is_a_store(folder: str) -> None:
    there = workspace(at(folder, FULL))
    assert paths(there) == [folder]
    assert there.stores[0].reason == f"{folder}/manifest.md"
    assert there.near_misses == []


def test_several_stores_of_a_monorepo() -> None:
    there = workspace({**at("docs/memory", FULL), **at("packages/a/docs/memory", FULL), **at("packages/b/docs/memory", FULL)})
    assert paths(there) == ["docs/memory", "packages/a/docs/memory", "packages/b/docs/memory"]


@pytest.mark.parametrize("text", ["", "\n", "# Memory manifest\n", "lost its headings\n", "## Always load\n"])
def test_an_empty_or_broken_manifest_still_marks_the_store(text: str) -> None:
    """It must be reported, not make the memory vanish."""
    there = workspace(at("docs/memory", {**STANDARD, "manifest.md": text}))
    assert paths(there) == ["docs/memory"]
    assert there.stores[0].read_only is not None
    assert any(fault.rule == "protocol" and fault.severity == "error" for fault in there.stores[0].settings.faults)
    assert len(list(there.entries())) == 4  # and its memory is read


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"a\x00b", b"caf\xe9"])
def test_a_manifest_that_is_no_text_still_marks_the_store(data: bytes) -> None:
    there = workspace({**at("docs/memory", dict(STANDARD)), "docs/memory/manifest.md": data})
    assert "not UTF-8" in there.stores[0].settings.unreadable
    assert there.stores[0].read_only


def test_a_manifest_that_leads_out_is_a_store_that_cannot_be_read() -> None:
    there = workspace(at("docs/memory", dict(STANDARD)), {"docs/memory/manifest.md": "../m.md"})
    assert paths(there) == ["docs/memory"]
    assert there.stores[0].settings.unreadable


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"docs/memory/decisions.md": "", "docs/memory/inbox.md": ""}, "manifest.md is missing beside decisions.md, inbox.md"),
        ({"docs/memory/brief.md": "# B\n"}, "manifest.md is missing beside brief.md"),
        ({"docs/memory/Manifest.md": "# M\n", "docs/memory/brief.md": ""}, "spelled Manifest.md"),
        ({"notes/manifest.md": manifest(), "notes/brief.md": "", "notes/decisions.md": ""}, "under docs/"),
        ({"docs/old-memory/manifest.md": "# Ship's manifest\n\n- 40 crates\n"}, "none of this layout's headings"),
    ],
)
def test_near_misses_say_what_is_missing(files: dict[str, str], words: str) -> None:
    there = workspace(files)
    assert there.stores == []
    assert len(there.near_misses) == 1
    assert words in there.near_misses[0].why


@pytest.mark.parametrize(
    "files",
    [
        {"docs/cargo/manifest.md": "# Cargo\n"},
        {"manifest.md": "# M\n"},
        {"src/decisions.md": "# D\n"},
        {"docs/brief.md": "# B\n"},
        {"README.md": "# R\n"},
    ],
)
def test_other_peoples_files_are_no_near_miss(files: dict[str, str]) -> None:
    there = workspace(files)
    assert (there.stores, there.near_misses) == ([], [])


def test_a_file_called_manifest_inside_a_store_is_not_another_store() -> None:
    there = workspace(
        {**at("docs/memory", FULL), "docs/memory/areas/manifest.md": manifest(), "docs/memory/archive/manifest.md": manifest()}
    )
    assert paths(there) == ["docs/memory"]
    assert there.documents["docs/memory/areas/manifest.md"].place.scope == "area:manifest"


def test_the_settings_can_name_any_folder_or_none() -> None:
    files = {**at("docs/memory", FULL), **at("notes", FULL)}
    tree = MemoryTree({**files, "memdesk.toml": '[stores.layout]\n"notes" = "custodian"\n"docs/memory" = "none"\n'})
    settings: Any = config.load(".", tree, None, None)
    found, _ = LAYOUT.detect(tree, tree.walk(), settings)
    assert [(store.path, store.reason) for store in found] == [("notes", "the settings say so")]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("manifest.md", ("manifest", "index", None, "")),
        ("brief.md", ("brief", "working", 500, "")),
        ("decisions.md", ("decisions", "durable", 800, "")),
        ("constraints.md", ("constraints", "durable", 400, "")),
        ("do-not-use.md", ("do-not-use", "durable", 400, "")),
        ("preferences.md", ("preferences", "durable", 300, "")),
        ("inbox.md", ("inbox", "working", None, "")),
        ("changelog.md", ("changelog", "log", 800, "")),
        ("subjects.md", ("subjects", "index", None, "")),
        ("rules/a.md", ("rule", "durable", 400, "rule:a")),
        ("profiles/b.c.md", ("profile", "durable", 500, "profile:b.c")),
        ("areas/d.md", ("area", "durable", 600, "area:d")),
        ("archive/x.md", ("archive", "archive", None, "")),
        ("archive/2026/x.md", ("archive", "archive", None, "")),
        ("lessons.md", ("other", "working", None, "")),
        ("README.md", None),
        ("areas/README.md", None),
        ("rules/readme.md", None),
        ("archive/README.md", None),
        ("data.json", None),
        ("areas/x.txt", None),
    ],
)
def test_what_each_file_is(name: str, place: tuple[str, str, int | None, str] | None) -> None:
    store = workspace(at("docs/memory", FULL)).stores[0]
    found = LAYOUT.classify(store, f"docs/memory/{name}")
    assert (found and (found.role, found.tier, found.cap and found.cap.limit, found.scope)) == place


@pytest.mark.parametrize(
    "path", ["docs/memory.md", "docs/memory2/brief.md", "docs/brief.md", "brief.md", "src/docs/memory/brief.md"]
)
def test_what_lies_outside_is_not_its_memory(path: str) -> None:
    store = workspace(at("docs/memory", FULL)).stores[0]
    assert LAYOUT.classify(store, path) is None


def test_a_readme_that_the_manifest_names_is_memory() -> None:
    text = manifest(always=("brief.md", "README.md"))
    there = workspace({**at("docs/memory", {**STANDARD, "manifest.md": text}), "docs/memory/README.md": "# Read me\n"})
    assert there.documents["docs/memory/README.md"].place.role == "other"


def test_init_makes_a_store_without_faults_but_for_the_brief() -> None:
    from datetime import date

    there = workspace(dict(template("docs/memory", date(2026, 11, 30))))
    assert paths(there) == ["docs/memory"]
    assert there.stores[0].settings.faults == ()
    assert there.stores[0].read_only is None
    assert there.candidates() == []
    assert [entry.role for entry in there.entries()] == ["brief"]
    assert b"TODO:" in there.documents["docs/memory/brief.md"].data
    assert sorted(template("packages/x/docs/memory", date(2026, 11, 30)))[0].startswith("packages/x/docs/memory/")


def test_the_demo_is_a_whole_repository() -> None:
    files = dict(example())
    there = workspace(files)
    store = there.stores[0]
    assert (store.path, store.read_only, store.settings.faults) == ("docs/memory", None, ())
    assert len(there.candidates()) == 12
    assert {"struck" if entry.struck else entry.kind for entry in there.entries() if entry.role == "inbox"} == {
        "bullet",
        "section",
        "struck",
    }
    states = {budget.path.rpartition("/")[2]: budget.state() for budget in there.budgets()}
    assert states["constraints.md"] == states["do-not-use.md"] == "near"
    assert "over" not in states.values()
    for entry in there.candidates():  # sources lead somewhere
        if entry.source:
            path, _, line = entry.source.partition(":")
            assert files[path].count(b"\n") >= int(line)
    assert b"docs/memory" in files["AGENTS.md"]
