"""Why something loads or not: every reason of every layout, to the letter, with the line that would change it."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.core.errors import UsageError
from memdesk.core.routing import categories, left_out, why
from tests.support.following import World, followed, loading
from tests.support.stores import CATEGORIES, FACTS, LINT, STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"
TODAY = date(2026, 5, 10)


def custodian(files: dict[str, str] | None = None, links: dict[str, str] | None = None, **words: object) -> World:
    made = {**STANDARD, "manifest.md": manifest(**words), **(files or {})}  # type: ignore[arg-type]
    targets = {f"{HOME}/{name}": target for name, target in (links or {}).items()}
    return World({f"{HOME}/{name}": text for name, text in made.items()}, targets)


def said(world: World, name: str, task: str = "history", **words: object) -> tuple[str, str]:
    """Reason and change of what doesn't load; its path from the store's folder."""
    found = world.asked(f"{HOME}/{name}", task, **words)  # type: ignore[arg-type]
    assert not found.loads
    return found.reason, found.change


def line(world: World, text: str, name: str = f"{HOME}/manifest.md") -> int:
    """The number of the one line that reads so."""
    lines = [number for number, one in enumerate(world.files[name].split("\n"), 1) if one.strip() == text]
    assert len(lines) == 1, lines
    return lines[0]


OTHER = "- `areas/storage.md`: when the task touches storage"


# custodian: files


def test_not_routed_for_a_task_that_others_are() -> None:
    there = custodian()
    number = line(there, "### Change history / recap") + 4
    assert said(there, "constraints.md") == (
        "not routed for history; loads for implementation, maintenance",
        f"{HOME}/manifest.md:{number} (below “- `decisions.md`” add “- `constraints.md`”)",
    )
    assert loading(there, f"{HOME}/constraints.md", "history")[1] == 1


def test_a_task_without_a_section_of_its_own_gets_the_files_that_always_load() -> None:
    there = custodian()
    assert said(there, "constraints.md", "general") == (
        "not routed for general (the always-load files alone); loads for implementation, maintenance",
        f"{HOME}/manifest.md:{line(there, '- `brief.md`')} (below “- `brief.md`” add “- `constraints.md`”)",
    )
    assert loading(there, f"{HOME}/constraints.md", "general")[1] == 1


def test_not_routed_at_all() -> None:
    there = custodian({"stray.md": "# Stray\n"})
    label = line(there, "### Preferences") + 4
    assert said(there, "stray.md", "preferences") == (
        "not routed for preferences, nor for any other task",
        f"{HOME}/manifest.md:{label} (below “- `preferences.md`” add “- `stray.md`”)",
    )
    assert loading(there, f"{HOME}/stray.md", "preferences")[1] == 1


def test_a_section_that_names_no_file_yet() -> None:
    routes = [(heading, (), ()) if heading == "Preferences" else (heading, *rest) for heading, *rest in CATEGORIES]
    there = custodian(categories=routes)
    number = line(there, "### Preferences")
    assert said(there, "constraints.md", "preferences")[1] == (
        f"{HOME}/manifest.md:{number} (below `### Preferences` add `- constraints.md`)"
    )
    assert loading(there, f"{HOME}/constraints.md", "preferences")[1] == 1


def test_below_a_bullet_that_goes_on_in_the_next_lines() -> None:
    text = manifest().replace("- `brief.md`", "* brief.md: what it is,\n  and for whom\n  - never more than a page")
    there = custodian({"manifest.md": text})
    number = line(there, "- never more than a page")
    assert said(there, "constraints.md", "general")[1] == (
        f"{HOME}/manifest.md:{number} (below `- never more than a page` add `* constraints.md`)"
    )
    assert loading(there, f"{HOME}/constraints.md", "general")[1] == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("manifest.md", "the manifest routes and is not loaded itself"),
        ("subjects.md", "registry of subjects: no task loads it"),
        ("inbox.md", f"inbox: candidates load for maintenance only, or with --path {HOME}/inbox.md"),
        ("archive/old.md", f"archive: loads for maintenance only, or with --path {HOME}/archive/old.md"),
    ],
)
def test_what_no_line_loads(name: str, reason: str) -> None:
    there = custodian({"subjects.md": "# Subjects\n", "archive/old.md": "# Old\n"})
    assert said(there, name) == (reason, "")


@pytest.mark.parametrize("name", ["inbox.md", "archive/old.md"])
def test_the_option_that_a_reason_names_loads_it(name: str) -> None:
    there = custodian({"archive/old.md": "# Old\n"})
    option = said(there, name)[0].rpartition("--path ")[2]
    assert there.asked(f"{HOME}/{name}", "history", paths=(option,)).loads


@pytest.mark.parametrize(("name", "lead"), [
    ("inbox.md", f"inbox: candidates load for maintenance only, or with --path {HOME}/inbox.md"),
    ("archive/old.md", f"archive: loads for maintenance only, or with --path {HOME}/archive/old.md"),
    ("subjects.md", "registry of subjects: no task loads it"),
])
def test_named_where_that_has_no_effect(name: str, lead: str) -> None:
    routes = [(heading, (*required, name), ()) if "recap" in heading else (heading, required, optional)
              for heading, required, optional in CATEGORIES]
    there = custodian({"archive/old.md": "# Old\n", "subjects.md": "# Subjects\n"}, categories=routes)
    number = line(there, "### Change history / recap") + 5
    assert said(there, name) == (
        f"{lead}, although the manifest names it", f"{HOME}/manifest.md:{number} (this line has no effect)",
    )


def test_an_archived_file_for_maintenance() -> None:
    there = custodian({"archive/old.md": "# Old\n"})
    number = line(there, "### Memory maintenance") + 7
    assert said(there, "archive/old.md", "maintenance") == (
        f"not routed for maintenance; loads with --path {HOME}/archive/old.md",
        f"{HOME}/manifest.md:{number} (below “- `inbox.md`” add “- `archive/old.md`”)",
    )
    assert loading(there, f"{HOME}/archive/old.md", "maintenance")[1] == 1


# custodian: modules

MODULES = [("areas", "--area", "areas"), ("rules", "--module-rule", "rules"), ("profiles", "--profile", "profiles")]


@pytest.mark.parametrize(("folder", "flag", "field"), MODULES)
def test_a_module_that_is_not_enabled(folder: str, flag: str, field: str) -> None:
    there = custodian({f"{folder}/storage.md": "# Storage\n"})
    number = line(there, f"### Enabled {folder}") + 2
    row = f"- `{folder}/storage.md`: when the task touches storage"
    assert said(there, f"{folder}/storage.md") == (
        f"not enabled: the manifest's module index has no row for it, by which {flag} storage would load it",
        f"{HOME}/manifest.md:{number} (instead of `- None enabled.` write “{row}”)",
    )
    after = followed(there, said(there, f"{folder}/storage.md")[1])
    assert after is not None
    assert after.asked(f"{HOME}/{folder}/storage.md", "history", **{field: ("storage",)}).loads
    assert loading(there, f"{HOME}/{folder}/storage.md", "history")[0].loads


@pytest.mark.parametrize(("folder", "flag", "field"), MODULES)
def test_a_module_that_is_not_requested(folder: str, flag: str, field: str) -> None:
    there = custodian({f"{folder}/storage.md": "# Storage\n"}, **{folder: ("storage",)})
    number = line(there, "### Change history / recap") + 4
    assert said(there, f"{folder}/storage.md") == (
        f"not requested ({flag} storage)",
        f"{HOME}/manifest.md:{number} (below “- `decisions.md`” add “- `{folder}/storage.md`”)",
    )
    assert there.asked(f"{HOME}/{folder}/storage.md", "history", **{field: ("storage",)}).loads
    assert loading(there, f"{HOME}/{folder}/storage.md", "history")[1] == 1


def test_a_module_beside_others() -> None:
    there = custodian({"areas/storage.md": "# S\n", "areas/export.md": "# E\n"}, areas=("export",))
    number = line(there, "- `areas/export.md`: when the task touches export")
    assert said(there, "areas/storage.md")[1] == (
        f"{HOME}/manifest.md:{number} (below “- `areas/export.md`: when the task touches export” add “{OTHER}”)"
    )


def test_a_module_that_other_tasks_load_by_name() -> None:
    routes = [(heading, (*required, "areas/storage.md"), ()) if heading.startswith("Plan") else (heading, required, optional)
              for heading, required, optional in CATEGORIES]
    there = custodian({"areas/storage.md": "# S\n"}, areas=("storage",), categories=routes)
    assert said(there, "areas/storage.md")[0] == "not requested (--area storage); loads for planning"


GLOBBED = "- `areas/storage.md`: storage\n  - activation: path\n  - paths: `src/**`, `lib/?.py`"


def test_an_area_by_path_that_no_path_was_given_for() -> None:
    there = custodian({"areas/storage.md": "# S\n"}, areas=(GLOBBED,))
    reason = "not requested (--area storage, or --path with one that matches src/**, lib/?.py)"
    assert said(there, "areas/storage.md")[0] == reason
    assert there.asked(f"{HOME}/areas/storage.md", "history", paths=("src/a.py",)).loads


def test_an_area_whose_globs_do_not_match() -> None:
    there = custodian({"areas/storage.md": "# S\n"}, areas=(GLOBBED,))
    reason, change = said(there, "areas/storage.md", paths=("lib/long.py",))
    assert reason == "not requested (--area storage), and no given path matches src/**, lib/?.py"
    row = "- paths: `src/**`, `lib/?.py`"
    assert change == f"{HOME}/manifest.md:{line(there, row)} (below “{row}” add “  - paths: `lib/long.py`”)"
    after = followed(there, change)
    assert after is not None
    assert after.asked(f"{HOME}/areas/storage.md", "history", paths=("lib/long.py",)).loads
    assert not after.asked(f"{HOME}/areas/storage.md", "history", paths=("lib/other.py",)).loads


@pytest.mark.parametrize("path", ["lib/a,b.py", "lib/[x].py", "lib/``.py"])
def test_a_path_that_no_glob_can_be(path: str) -> None:
    there = custodian({"areas/storage.md": "# S\n"}, areas=(GLOBBED,))
    assert said(there, "areas/storage.md", paths=(path,))[1].endswith("(below “- `decisions.md`” add “- `areas/storage.md`”)")


def test_a_module_whose_row_is_faulty() -> None:
    there = custodian({"areas/storage.md": "# S\n"}, rules=("- `areas/storage.md`: wrong list",))
    reason, change = said(there, "areas/storage.md")
    row = "- `areas/storage.md`: wrong list"
    assert reason == "not enabled: its row in the manifest's module index is faulty"
    assert change == f"{HOME}/manifest.md:{line(there, row)} (take out “{row}”)"
    assert loading(there, f"{HOME}/areas/storage.md", "history") == (
        there.asked(f"{HOME}/areas/storage.md", "history")._replace(loads=True, reason="task history", change=""), 3,
    )


def test_a_file_that_no_row_could_name() -> None:
    there = custodian({"areas/deep/er.md": "# S\n"})
    assert said(there, "areas/deep/er.md")[0] == (
        "not enabled: 'deep/er' is no module name, so that no row of the manifest's module index can name it"
    )
    assert loading(there, f"{HOME}/areas/deep/er.md", "history")[1] == 1


def test_a_manifest_without_a_module_index() -> None:
    text = manifest().partition("## Optional module index")[0]
    there = custodian({"areas/storage.md": "# S\n", "manifest.md": text})
    last = text.rstrip().count("\n") + 1
    assert said(there, "areas/storage.md")[1] == (
        f"{HOME}/manifest.md:{last} (below “- `preferences.md`” add `## Optional module index`, `### Enabled areas`, “{OTHER}”)"
    )
    assert loading(there, f"{HOME}/areas/storage.md", "history")[0].loads


# custodian: routes that can't be made, files that can't be read


def test_a_section_that_is_missing_comes_with_the_file_in_it() -> None:
    there = custodian(categories=[one for one in CATEGORIES if "recap" not in one[0]])
    found = there.asked(f"{HOME}/constraints.md", "history")
    number = line(there, "### Memory maintenance") + 12
    assert found.failed
    assert found.reason.startswith(f"{HOME}/manifest.md:1: There is no section `### Change history / recap`")
    assert found.change == (
        f"{HOME}/manifest.md:{number} (below “- `preferences.md`” add `### Change history / recap`, `- constraints.md`)"
    )
    assert loading(there, f"{HOME}/constraints.md", "history")[1] == 1


def test_a_manifest_without_what_always_loads() -> None:
    there = custodian({"manifest.md": manifest().replace("## Always load", "## Never")})
    found = there.asked(f"{HOME}/constraints.md", "implementation")
    assert found.failed
    assert "(below `### Enabled areas`" not in found.change
    assert found.change.endswith("add `## Always load`, `- constraints.md`)")
    assert loading(there, f"{HOME}/constraints.md", "implementation")[0].loads


def test_a_path_that_no_route_may_name() -> None:
    there = custodian({"manifest.md": manifest().replace("- `brief.md`", "- `brief.md`\n- `../out.md`")})
    found = there.asked(f"{HOME}/constraints.md", "implementation")
    assert found.failed
    assert found.change == f"{HOME}/manifest.md:{line(there, '- `../out.md`')} (take out “- `../out.md`”)"
    assert loading(there, f"{HOME}/constraints.md", "implementation")[0].loads


def test_several_sections_for_a_task() -> None:
    there = custodian({"manifest.md": manifest().replace("## Optional", "### Preferences\n\n- brief.md\n\n## Optional")})
    second = there.files[f"{HOME}/manifest.md"].split("\n### Preferences")[0:2]
    number = "\n### Preferences".join(second).count("\n") + 2
    assert there.asked(f"{HOME}/constraints.md", "preferences").change == (
        f"{HOME}/manifest.md:{number} (Task preferences needs exactly one)"
    )


def test_a_manifest_with_conflict_markers_and_one_that_is_no_text() -> None:
    marked = custodian({"manifest.md": manifest() + "\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"})
    assert marked.asked(f"{HOME}/brief.md", "general").change == (
        f"{HOME}/manifest.md:{line(marked, '<<<<<<< a')} (mend it: nothing is routed until then)"
    )
    binary = custodian({"manifest.md": "a\0b"})
    assert binary.asked(f"{HOME}/brief.md", "general").change == f"{HOME}/manifest.md"


def test_a_file_that_cannot_be_read() -> None:
    there = custodian({"brief.md": "one\n\0two\n"})
    found = there.asked(f"{HOME}/brief.md", "general")
    assert (found.loads, found.change) == (False, f"{HOME}/brief.md:2 (mend it)")
    assert found.reason.startswith("always load: it cannot be read: ")


def test_a_file_that_a_route_names_and_that_is_not_there() -> None:
    files = {name: text for name, text in STANDARD.items() if name != "brief.md"}
    there = World({f"{HOME}/{name}": text for name, text in {**files, "manifest.md": manifest()}.items()})
    found = there.asked(f"{HOME}/brief.md", "general")
    assert (found.loads, found.reason, found.change) == (
        False, "always load: there is no such file", f"{HOME}/brief.md (make it)",
    )
    optional = there.asked(f"{HOME}/changelog.md", "history")
    assert optional.reason == "task history: there is no such file; it is optional, so it is skipped"
    assert there.asked(f"{HOME}/changelog.md", "planning").reason == "there is no such file"
    with pytest.raises(UsageError, match="no memory file"):
        there.asked(f"{HOME}/nowhere.md", "history")


def test_another_name_of_a_file_is_that_file() -> None:
    there = custodian(links={"areas/code.md": f"{HOME}/constraints.md"}, areas=("code",))
    assert there.asked(f"{HOME}/areas/code.md", "implementation").loads
    assert there.asked(f"{HOME}/constraints.md", "history", areas=("code",)).reason == "area code requested"
    both = there.asked(f"{HOME}/areas/code.md", "implementation", areas=("code",))
    assert (both.loads, both.reason) == (True, "task implementation")


# custodian: entries

ENTRIES = "# Decisions\n\n## A\n\none two\n\n## B\n\nthree\n\n## ~~C~~\n\nSuperseded: 2026-05-02 by \"A\"\n"


def budget(tokens: int | str, text: str = ENTRIES) -> World:
    return custodian({"decisions.md": text}, budgets=(f"decisions.md: {tokens} tokens max",))


def test_an_entry_over_budget_says_what_stopped_it() -> None:
    there = budget(7)
    number = line(there, "- decisions.md: 7 tokens max")
    row = f"{HOME}/manifest.md:{number} (instead of `- decisions.md: 7 tokens max` write `- decisions.md: {{}} tokens max`)"
    assert said(there, "decisions.md", line=9) == (
        "omitted from the pack: it would not fit: 7 + 4 of 7 tokens", row.format(11),
    )
    assert said(there, "decisions.md", line=12) == (
        "omitted from the pack: it comes after “B” (line 7), the first that would not fit: 7 + 4 of 7 tokens", row.format(29),
    )
    assert loading(there, f"{HOME}/decisions.md", "history", line=9)[1] == 1
    assert loading(there, f"{HOME}/decisions.md", "history", line=12)[1] == 1
    assert there.asked(f"{HOME}/decisions.md", "history", line=5).reason == "task history"


def test_an_entry_behind_one_that_was_kept_whole() -> None:
    there = budget(4)
    reason, change = said(there, "decisions.md", line=7)
    assert reason == (
        "omitted from the pack: it comes after “A” (line 3), which is over the budget: 2 + 5 of 4 tokens, and was kept whole"
    )
    assert change.endswith("write `- decisions.md: 11 tokens max`)")
    assert loading(there, f"{HOME}/decisions.md", "history", line=7)[1] == 1


def test_a_file_that_loads_in_part() -> None:
    found = budget(7).asked(f"{HOME}/decisions.md", "history")
    assert (found.loads, found.reason) == (
        True, "task history; but 2 units from line 7 on are left out: it would not fit: 7 + 4 of 7 tokens",
    )
    assert found.change.endswith("write `- decisions.md: 29 tokens max`)")
    one = budget(11).asked(f"{HOME}/decisions.md", "history")
    assert one.reason == "task history; but the unit at line 11 is left out: it would not fit: 11 + 18 of 11 tokens"


def test_a_usual_budget_and_one_for_a_pattern() -> None:
    long = "# Area\n\n" + "".join(f"- bullet {number} {'word ' * 30}\n" for number in range(30))
    usual = custodian({"areas/storage.md": long}, areas=("storage",))
    found = usual.asked(f"{HOME}/areas/storage.md", "history", line=32, areas=("storage",))
    assert not found.loads
    number = line(usual, "## Context budget")
    assert found.change == f"{HOME}/manifest.md:{number} (below `## Context budget` add `- areas/storage.md: 992 tokens max`)"
    assert loading(usual, f"{HOME}/areas/storage.md", "history", line=32, areas=("storage",))[1] == 1
    several = custodian({"areas/storage.md": long}, areas=("storage",), budgets=("areas/*.md: 1,0 tokens, 60 tokens each",))
    told = several.asked(f"{HOME}/areas/storage.md", "history", line=32, areas=("storage",))
    assert "write `- areas/*.md: " in told.change
    assert loading(several, f"{HOME}/areas/storage.md", "history", line=32, areas=("storage",))[1] == 1


def test_a_manifest_without_a_budget_section() -> None:
    text = manifest().partition("\n## Context budget")[0]
    long = "# Constraints\n\n" + "".join(f"- bullet {number} {'word ' * 30}\n" for number in range(20))
    there = custodian({"constraints.md": long, "manifest.md": text})
    found = there.asked(f"{HOME}/constraints.md", "implementation", line=20)
    assert found.change.endswith("(below `- None enabled.` add `## Context budget`, `- constraints.md: 596 tokens max`)")
    assert loading(there, f"{HOME}/constraints.md", "implementation", line=20)[1] == 1


def test_a_struck_entry_loads_as_history() -> None:
    found = budget(800).asked(f"{HOME}/decisions.md", "history", line=11)
    assert (found.loads, found.reason) == (True, "task history; it is struck, and loads as history")


def test_what_is_left_out_of_a_pack_entry_by_entry() -> None:
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.packing import pack

    there, _ = budget(7).opened()
    whole = pack(there, there.stores[0], LoadRequest("history"))
    assert [(one.entry.heading, one.entry.line, one.omitted.line) for one in left_out(there, whole)] == [
        ("B", 7, 7), ("C", 11, 11),
    ]


def test_a_line_that_is_not_there() -> None:
    there, _ = custodian().opened()
    with pytest.raises(UsageError, match="has no line 4"):
        why(there, f"{HOME}/constraints.md", 4)
    assert len(why(there, f"{HOME}/constraints.md", 3)) == len(categories(there, there.stores[0]))


# three tiers

TIERS = {
    "memory/INDEX.md": "# Index\n\n- [mirrors](facts/mirrors.md): two of them\n",
    "memory/facts/mirrors.md": "---\ndescription: two of them\n---\n\nTwo.\n",
    "memory/facts/lost.md": "---\ndescription: lost\n---\n\nLost.\n",
    "memory/log/2026-05-01.md": "- done\n", "memory/log/may.md": "- done\n", "memory/log/2026-05-11.md": "- later\n",
    "memory/inbox.md": "- perhaps\n", "memory/working/plan.md": "- a plan\n", "memory/archive/old.md": "- old\n",
}


@pytest.mark.parametrize(
    ("name", "reason", "change"),
    [
        ("facts/mirrors.md", "a fact: it is opened when its line in the index bears on the task",
         "memory/INDEX.md:3 (its line there, which loads, sends to it)"),
        ("facts/lost.md", "a fact that no line of the index names, so that nobody is sent to it",
         "memory/INDEX.md (`memdesk reindex` adds its line)"),
        ("log/2026-05-01.md", "older than the last 7 days: it is recalled when a question asks for it",
         "memdesk.toml (a new file with `[tiers]`, `log_days = 10`)"),
        ("log/may.md", "its name is no date, so nobody can tell whether it is recent",
         "memory/log/may.md (name it by its day: YYYY-MM-DD.md)"),
        ("log/2026-05-11.md", "its date is still to come", ""),
        ("inbox.md", "candidates, which nobody has reviewed", ""),
        ("working/plan.md", "working state of a task: it is opened by whoever works on that", ""),
        ("archive/old.md", "it is archived, and kept for the record", ""),
    ],
)
def test_three_tiers(name: str, reason: str, change: str) -> None:
    found = World(TIERS).asked(f"memory/{name}", today=TODAY)
    assert (found.loads, found.reason, found.change) == (False, reason, change)


@pytest.mark.parametrize(
    ("name", "text", "change"),
    [
        ("memdesk.toml", "[tiers]\nmax_facts = 5\n", "memdesk.toml:1 (below `[tiers]` add `log_days = 10`)"),
        ("memdesk.toml", "[tiers]\nlog_days = 3 # few\n",
         "memdesk.toml:2 (instead of `log_days = 3 # few` write `log_days = 10 # few`)"),
        ("memdesk.toml", "[budget]\nnear = 0.9\n",
         "memdesk.toml:2 (below `near = 0.9` add `[tiers]`, `log_days = 10`)"),
        ("memdesk.toml", "", "memdesk.toml:1 (instead of this line write `[tiers]`, `log_days = 10`)"),
        ("memdesk.toml", "tiers.log_days = 3\n",
         "memdesk.toml:1 (instead of `tiers.log_days = 3` write `tiers.log_days = 10`)"),
        ("pyproject.toml", "[tool.memdesk.budget]\nnear = 0.9\n",
         "pyproject.toml:2 (below `near = 0.9` add `[tool.memdesk.tiers]`, `log_days = 10`)"),
    ],
)
def test_the_days_of_log_that_load_are_set(name: str, text: str, change: str) -> None:
    world = World({**TIERS, name: text})
    assert world.asked("memory/log/2026-05-01.md", today=TODAY).change == change
    assert loading(world, "memory/log/2026-05-01.md", "boot", today=TODAY)[1] == 1
    assert loading(World(TIERS), "memory/log/2026-05-01.md", "boot", today=TODAY)[1] == 1


# decision records


def record(status: str) -> World:
    return World({
        "CONTEXT.md": "# Words\n\n**Site**:\nA place.\n", "docs/adr/0001-a.md": f"# 1. Use A\n\n{status}\n\n## Context\n\nx\n",
        "docs/adr/0002-b.md": "# 2. Use B\n\n## Status\n\nAccepted\n", "docs/design/new.md": "# New\n\nStatus: draft\n",
        "docs/design/terms.md": "**Nest**:\nA home.\n",
    })


@pytest.mark.parametrize(
    ("status", "reason", "change"),
    [
        ("Status: proposed", "a record that is not decided (proposed)",
         "docs/adr/0001-a.md:3 (instead of `Status: proposed` write `Status: accepted`)"),
        ("## Status\n\nDraft (2026-05-01)", "a record that is not decided (draft)",
         "docs/adr/0001-a.md:5 (instead of `Draft (2026-05-01)` write `Accepted (2026-05-01)`)"),
        ("* Status: On hold", "a record that is not decided (on hold)",
         "docs/adr/0001-a.md:3 (instead of `* Status: On hold` write `* Status: Accepted`)"),
        ("**Status:** proposed", "a record that is not decided (proposed)",
         "docs/adr/0001-a.md:3 (instead of `**Status:** proposed` write `**Status:** accepted`)"),
        ("Status: Ratified", "a record whose status is missing or can't be read",
         "docs/adr/0001-a.md:3 (instead of `Status: Ratified` write `Status: accepted`)"),
        ("Nothing is said.", "a record whose status is missing or can't be read",
         "docs/adr/0001-a.md:1 (below `# 1. Use A` add `Status: accepted`)"),
        ("## Status", "a record whose status is missing or can't be read",
         "docs/adr/0001-a.md:3 (below `## Status` add `accepted`)"),
    ],
)
def test_a_record_that_is_not_decided(status: str, reason: str, change: str) -> None:
    found = record(status).asked("docs/adr/0001-a.md")
    assert (found.loads, found.reason, found.change) == (False, reason, change)
    assert loading(record(status), "docs/adr/0001-a.md", "boot")[1] == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("Status: superseded by ADR-0002", "a record that does not stand (superseded by docs/adr/0002-b.md)"),
        ("Status: superseded by ADR-0009", "a record that does not stand (superseded)"),
        ("Status: rejected", "a record that does not stand (rejected)"),
        ("Status: Deprecated", "a record that does not stand (deprecated)"),
    ],
)
def test_a_record_that_stands_no_more_is_never_advised_to_be_rewritten(status: str, reason: str) -> None:
    found = record(status).asked("docs/adr/0001-a.md")
    assert (found.reason, found.change) == (
        reason, "docs/adr/0001-a.md:3 (its status decides; only a new record reverses it)",
    )


def test_other_files_beside_records() -> None:
    there = record("Status: accepted")
    assert there.asked("docs/adr/0001-a.md").reason == "a record that stands (accepted)"
    assert there.asked("docs/design/new.md")[2:4] == (
        "a design record (draft): it is recalled when a question asks for it", "",
    )
    assert there.asked("docs/design/terms.md")[2:4] == ("words that are not settled: they await CONTEXT.md", "")
    several = record("Status: proposed\n\n* Status: draft").asked("docs/adr/0001-a.md")
    assert several.change == "docs/adr/0001-a.md:3 (it says its status in several places: keep one, `accepted`)"
    broken = World({**there.files, "docs/adr/0001-a.md": "# A\n\0\n"}).asked("docs/adr/0001-a.md")
    assert (broken.reason.startswith("it cannot be read: "), broken.change) == (True, "docs/adr/0001-a.md:2 (mend it)")


# agent-memory

ADA = "memory/people/ada.md"
NOTE = {"memory/2026-05-01.md": "- [observed] It rained (2026-05-01)\n", "memory/archive/old.md": "- [stated] Old\n"}


def facts(lint: str | None = LINT, **files: str) -> World:
    return World({**FACTS, **NOTE, **({} if lint is None else {"memory-lint.json": lint}), **files})


@pytest.mark.parametrize(
    ("path", "reason", "change"),
    [
        (ADA, "it is recalled when a question asks for it", f'memory-lint.json:3 (to `files` add `"{ADA}": {{}}`)'),
        ("memory/2026-05-01.md", "a working note: it is recalled when a question asks for it",
         'memory-lint.json:3 (to `files` add `"memory/2026-05-01.md": {}`)'),
        ("memory/archive/old.md", "it is archived: frozen, and kept for the record", ""),
    ],
)
def test_agent_memory(path: str, reason: str, change: str) -> None:
    found = facts().asked(path)
    assert (found.loads, found.reason, found.change) == (False, reason, change)
    if change:
        assert loading(facts(), path, "boot")[1] == 1


@pytest.mark.parametrize(
    ("lint", "words"),
    [
        ('{"tiers": {"rom": {"totalMaxChars": 9}}}', 'to `rom` add `"files": {"MEMORY.md": {}, "memory/people/ada.md": {}}`'),
        ('{"tiers": {}}', 'to `tiers` add `"rom": {"files": {"MEMORY.md": {"maxChars": 15000, "maxLines": 400}, '
                          '"memory/people/ada.md": {}}, "totalMaxChars": 60000}`'),
        ("{}", 'to the file add `"tiers": {"rom": {"files": {"MEMORY.md": {"maxChars": 15000, "maxLines": 400}, '
               '"memory/people/ada.md": {}}, "totalMaxChars": 60000}}`'),
    ],
)
def test_boot_files_that_are_not_named_yet(lint: str, words: str) -> None:
    world = facts(lint)
    assert world.asked(ADA).change == f"memory-lint.json:1 ({words})"
    assert loading(world, ADA, "boot")[1] == 1


@pytest.mark.parametrize("lint", [None, LINT, "{}"])
def test_naming_a_boot_file_keeps_those_that_load_now(lint: str | None) -> None:
    world = facts(lint, **{"AGENTS.md": "# Agents\n", "MEMORY.md": FACTS["MEMORY.md"]})
    assert world.asked("AGENTS.md").loads
    found = world.asked(ADA)
    after = followed(world, found.change)
    assert after is not None
    there, _ = after.opened()
    assert [after.asked(path).loads for path in (ADA, "AGENTS.md", "MEMORY.md")] == [True, True, True]
    before, _ = world.opened()
    assert there.stores[0].settings._replace(boot={}, file=None, patterns=()) == before.stores[0].settings._replace(
        boot={}, file=None, patterns=()
    )


def test_a_line_past_what_a_harness_may_read() -> None:
    index = "# Index\n\n" + "".join(f"- `memory/people/ada.md`: line {number}\n" for number in range(420))
    world = facts(**{"MEMORY.md": index})
    assert world.asked("MEMORY.md", line=400).reason == "the index"
    late = world.asked("MEMORY.md", line=402)
    assert (late.loads, late.reason) == (
        True, "the index; it stands past the cap of 400 lines, where it may not be read",
    )


# jonggrang

ROOT = ".jonggrang"
FRAGMENT = f"{ROOT}/.ephemeral/memory/fragments/counts/task-001-2026-05-07T10-15-00-000Z.md"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (f"{ROOT}/.output/features/counts/MEMORY.md", "it is recalled on demand: memdesk recall QUERY --feature counts"),
        (f"{ROOT}/.output/features/counts/progress.txt", "notes of a feature's tasks: they are recalled on demand"),
        (FRAGMENT, "it waits for compaction, and nobody has reviewed it"),
        (f"{ROOT}/.ephemeral/memory/archive/counts/2026-05-01/task-002-2026-05-01T10-15-00-000Z.md",
         "it was compacted, and is kept for a while"),
    ],
)
def test_fragments_and_features(path: str, reason: str) -> None:
    files = {
        f"{ROOT}/MEMORY.md": "---\nscope: project\n---\n\n## Conventions\n\n- One\n", FRAGMENT: "- two\n",
        f"{ROOT}/.output/features/counts/MEMORY.md": "---\nfeature_id: counts\n---\n\n## Facts\n\n- three\n",
        f"{ROOT}/.output/features/counts/progress.txt": "- four\n",
        f"{ROOT}/.ephemeral/memory/archive/counts/2026-05-01/task-002-2026-05-01T10-15-00-000Z.md": "- five\n",
    }
    found = World(files).asked(path)
    assert (found.loads, found.reason, found.change) == (False, reason, "")
    assert World(files).asked(f"{ROOT}/MEMORY.md", line=7).loads


# all of them


@pytest.mark.parametrize(
    "files",
    [
        {f"{HOME}/{name}": text for name, text in {**STANDARD, "manifest.md": manifest(areas=("in",)), "areas/in.md": "# I\n",
         "areas/out.md": "# O\n", "archive/a.md": "# A\n", "stray.md": "# S\n", "changelog.md": "\0"}.items()},
        TIERS, dict(record("Status: proposed").files), {**FACTS, **NOTE, "memory-lint.json": LINT},
        {f"{ROOT}/MEMORY.md": "# P\n", FRAGMENT: "- two\n"},
    ],
    ids=["custodian", "tiers", "records", "agent-memory", "jonggrang"],
)
def test_every_memory_file_is_accounted_for_once(files: dict[str, str]) -> None:
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.packing import pack

    there = workspace(files)
    for task in categories(there, there.stores[0]):
        whole = pack(there, there.stores[0], LoadRequest(task, today=TODAY))
        told = [file.path for file in whole.files if file.path in there.documents] + [path for path, _ in whole.not_loaded]
        assert sorted(told) == sorted(there.documents)
        assert all(reason for _, reason in whole.not_loaded)
