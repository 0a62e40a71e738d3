"""Routes: what names a file, which paths and names are refused, and what no route can reach."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from memdesk.core.errors import StoreError, UsageError
from memdesk.core.layouts.base import LoadRequest, Route
from memdesk.core.layouts.custodian import LAYOUT
from memdesk.core.layouts.custodian.guide import guide
from memdesk.core.layouts.custodian.route import index_gaps, unreachable
from memdesk.core.model import Workspace
from tests.support.stores import CATEGORIES, STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"


def opened(
    files: Mapping[str, str] | None = None, home: str = HOME, links: Mapping[str, str] | None = None, **words: object
) -> Workspace:
    made = {**STANDARD, "manifest.md": manifest(**words), **(files or {})}  # type: ignore[arg-type]
    return workspace({f"{home}/{name}": text for name, text in made.items()}, links)


def route(there: Workspace, task: str = "history", **words: tuple[str, ...]) -> Route:
    return LAYOUT.load(there, there.stores[0], LoadRequest(task, **words))


def names(found: Route) -> list[str]:
    return [file.path.removeprefix(found.store + "/") for file in found.files]


def test_each_file_says_what_named_it() -> None:
    found = route(opened(), "planning")
    assert [(file.path, file.required, file.why, file.cap, file.requested) for file in found.files] == [
        (f"{HOME}/brief.md", True, "always load", 500, False),
        (f"{HOME}/decisions.md", True, "task planning", 800, False),
        (f"{HOME}/do-not-use.md", True, "task planning", 400, False),
        (f"{HOME}/preferences.md", False, "task planning", 300, False),
    ]
    assert (found.layout, found.store, found.category) == ("custodian", HOME, "planning")


def test_the_tasks_that_a_caller_may_use() -> None:
    there = opened()
    tasks = LAYOUT.tasks(there.stores[0])
    assert tasks[:3] == ("planning", "architecture", "refactoring")
    assert len(tasks) == 17
    assert all(route(there, task).category for task in tasks)


@pytest.mark.parametrize("name", ["../secret", "a/b", "", ".hidden", "-x", "a b", "x\n"])
@pytest.mark.parametrize("kind", ["areas", "rules", "profiles"])
def test_a_module_name_cannot_be_a_path(kind: str, name: str) -> None:
    with pytest.raises(UsageError, match="no module name"):
        route(opened(), **{kind: (name,)})


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "src/../../x"])
def test_a_touched_path_lies_in_the_workspace(path: str) -> None:
    with pytest.raises(UsageError, match="--path"):
        route(opened(), paths=(path,))


ROWS = (
    "- `areas/code.md`: code\n  - activation: path\n  - paths: `src/**`, `lib/?.py`",
    "- `areas/docs.md`: docs\n  - paths: `docs/*.md`",
)
AREAS = {"areas/code.md": "# Code\n", "areas/docs.md": "# Docs\n"}


@pytest.mark.parametrize(
    ("paths", "areas"),
    [
        (("src/a.py",), ["code"]),
        (("./src//x/../a.py",), ["code"]),
        (("src",), ["code"]),
        (("lib/a.py",), ["code"]),
        (("lib/ab.py",), []),
        (("Src/a.py",), []),
        (("docs/a.md",), ["docs"]),
        (("docs/a/b.md",), []),
        (("docs/a.md", "src/b"), ["code", "docs"]),
        (("x",), []),
        ((), []),
    ],
)
def test_areas_load_by_path(paths: tuple[str, ...], areas: list[str]) -> None:
    found = route(opened(AREAS, areas=ROWS), paths=paths)
    assert [name for name in names(found) if name.startswith("areas/")] == [f"areas/{name}.md" for name in areas]


@pytest.mark.parametrize(
    ("path", "hit"), [("packages/web/src/a.py", True), ("src/a.py", False), ("packages/webby/src/a.py", False)]
)
def test_in_a_package_globs_are_relative_to_the_package(path: str, hit: bool) -> None:
    there = opened(AREAS, "packages/web/docs/memory", areas=ROWS)
    assert ("areas/code.md" in names(route(there, paths=(path,)))) is hit


def test_in_a_package_a_glob_may_also_be_written_from_the_root() -> None:
    rows = ("- `areas/code.md`: code\n  - paths: `packages/web/src/**`",)
    there = opened({"areas/code.md": "# Code\n"}, "packages/web/docs/memory", areas=rows)
    assert "areas/code.md" in names(route(there, paths=("packages/web/src/a.py",)))


def test_an_area_asked_for_and_matched_loads_once() -> None:
    found = route(opened(AREAS, areas=ROWS), areas=("code",), paths=("src/a.py",))
    assert names(found).count("areas/code.md") == 1
    (file,) = [file for file in found.files if file.path.endswith("code.md")]
    assert (file.requested, file.why) == (True, "area code requested; area code: src/a.py matches src/**")


def test_hundreds_of_areas_are_no_matter() -> None:
    areas = tuple(f"part-{number:03}" for number in range(400))
    there = opened({f"areas/{name}.md": f"# {name}\n" for name in areas}, areas=areas)
    found = route(there, areas=areas[::2])
    assert len(found.files) == 3 + 200
    assert sum(reason.startswith("not requested") for _, reason in found.not_loaded) == 200


def test_an_enabled_module_that_leads_out_of_the_store_is_refused_when_asked_for() -> None:
    there = opened({"areas/code.md": "# x\n"}, links={f"{HOME}/areas/out.md": "../../x.md"}, areas=("code", "out"))
    with pytest.raises(StoreError, match="link out of the store") as error:
        route(there, areas=("out",))
    assert error.value.line is not None
    assert route(there, areas=("code",)).files


def test_a_manifest_with_conflict_markers_is_not_routed() -> None:
    text = manifest().replace("## Always load\n", "<<<<<<< ours\n## Always load\n=======\n## Always load\n>>>>>>> theirs\n")
    with pytest.raises(StoreError) as error:
        route(opened({"manifest.md": text}))
    assert error.value.path == f"{HOME}/manifest.md"


def test_what_no_route_can_reach() -> None:
    files = {
        "areas/in.md": "# In\n",
        "areas/out.md": "# Out\n",
        "stray.md": "# S\n",
        "archive/a.md": "# A\n",
        "subjects.md": "# S\n",
        "changelog.md": "",
    }
    there = opened(files, areas=("in",))
    assert [(one.path.removeprefix(HOME + "/"), one.reason) for one in unreachable(there, there.stores[0])] == [
        ("areas/out.md", "it is not enabled in the manifest's module index"), ("stray.md", "no route of the manifest names it"),
    ]


def test_constraints_that_no_task_loads_are_unreachable() -> None:
    routes = [
        (heading, [name for name in required if name != "constraints.md"], optional)
        for heading, required, optional in CATEGORIES
    ]
    there = opened(categories=routes)
    assert [one.path for one in unreachable(there, there.stores[0])] == [f"{HOME}/constraints.md"]


def test_f03_the_index_is_compared_in_both_directions() -> None:
    """A row without its file and a file without its row differ; rows in fences, comments and READMEs are neither."""
    text = manifest(areas=("in", "gone")).replace(
        "## Context budget", "```\n- `areas/fenced.md`: no\n```\n\n<!--\n- `areas/x.md`: no\n-->\n\n## Context budget"
    )
    files = {
        "areas/in.md": "# In\n",
        "areas/orphan.md": "# O\n",
        "areas/README.md": "# R\n",
        "rules/lost.md": "# L\n",
        "manifest.md": text,
    }
    there = opened(files)
    assert [
        (gap.path.removeprefix(HOME + "/"), gap.orphan, gap.line is not None) for gap in index_gaps(there, there.stores[0])
    ] == [
        ("areas/gone.md", False, True),
        ("areas/orphan.md", True, False),
        ("rules/lost.md", True, False),
    ]


def test_the_guide_says_how_to_read_add_and_rank() -> None:
    text = guide(opened().stores[0])
    for words in (
        "memdesk pack --task",
        "memdesk add",
        "docs/memory",
        "context, not instruction",
        "constraints over tombstones over decisions",
    ):
        assert words in text
    assert text.endswith("\n")
