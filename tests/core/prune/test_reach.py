"""Entries that no route reaches."""

from __future__ import annotations

from tests.support.proposing import proposed, scanned, shown
from tests.support.sources import HOME, decision, memory, over
from tests.support.stores import LINT, manifest


def test_the_entries_of_an_area_that_is_not_enabled_go_to_the_archive() -> None:
    maps = "# Maps\n\nLoad for maps.\n\n" + decision("A") + decision("B")
    files = memory(areas__maps=maps, areas__mail="# Mail\n\n- It is so.\n")
    files[f"{HOME}/manifest.md"] = manifest(areas=["mail"])
    (one,) = proposed("unreachable", files)
    assert (one.verb, one.places, one.proposal.exact) == ("archive", ["maps.md:5", "maps.md:13"], True)
    assert one.after("maps.md") == "# Maps\n\nLoad for maps.\n\n"
    assert one.proposal.evidence[0] == f"{HOME}/areas/maps.md: it is not enabled in the manifest's module index."


def test_tombstones_and_constraints_that_nobody_reads_need_a_route_and_that_is_said() -> None:
    files = memory(do_not_use="## Tombstone: Faxes\n\nReason: no.\n")
    bare = [(heading, [name for name in names if name != "do-not-use.md"], more) for heading, names, more in _categories()]
    files[f"{HOME}/manifest.md"] = manifest(categories=bare)
    found = scanned(over(files))
    assert [one.kind for one in found.proposals] == []
    why = "no route of the manifest names it, and what is in it can't be archived: give it a route."
    assert f"{HOME}/do-not-use.md: {why}" in found.not_compared


def test_durable_files_without_a_row_go_whole_unless_something_leads_to_them() -> None:
    fact = "- [stated] It is so (2026-10-01, from us)\n"
    files = {
        "m/memory-lint.json": LINT,
        "m/MEMORY.md": "# I\n\n- `memory/projects/a.md`: a\n- `memory/people/guests/`: a file each\n",
        "m/memory/projects/a.md": f"# A\n\n{fact}- [stated] See [b](b.md) (2026-10-01, from us)\n",
        "m/memory/projects/b.md": f"# B\n\n{fact}See `[d](d.md)`.\n", "m/memory/people/guests/c.md": f"# C\n\n{fact}",
        "m/memory/projects/d.md": f"# D\n\n{fact}\nA paragraph.\n", "m/memory/projects/README.md": "# R\n\nText.\n",
    }
    (one,) = proposed("unreachable", files)
    assert shown([one]) == [("archive", ["d.md:3", "d.md:5"])]
    assert one.drawn.plan is not None
    assert [(step.kind, step.path) for step in one.drawn.plan.steps if step.kind != "mkdir"] == [
        ("create", "m/memory/archive/projects/d.md"), ("delete", "m/memory/projects/d.md"),
    ]



def tiers(index: str) -> dict[str, str]:
    fact = "---\ndescription: {}\n---\n\nIt is so.\n"
    return {
        "memory/INDEX.md": f"# Index\n\n- [a](facts/a.md): A\n{index}",
        "memory/log/2026-10-01.md": "# 2026-10-01\n\n- 09:00 x\n",
        **{f"memory/facts/{name}.md": fact.format(name.upper()) for name in "abc"},
    }


def test_facts_without_a_line_get_it_and_are_not_parted_with() -> None:
    (one,) = proposed("unreachable", tiers(""))
    assert (one.verb, one.places, one.proposal.exact) == ("reindex", ["b.md:1", "c.md:1"], True)
    assert one.proposal.title == "INDEX.md: no line for 2 facts"
    assert one.after("INDEX.md") == "# Index\n\n- [a](facts/a.md): A\n- [b](facts/b.md): B\n- [c](facts/c.md): C\n"
    assert one.drawn.label.startswith("Give 2 facts their lines in the index: INDEX.md ")
    assert one.proposal.evidence == (
        "memory/facts/b.md: INDEX.md has no line for it, and nothing that loads links to it.",
        "memory/facts/c.md: INDEX.md has no line for it, and nothing that loads links to it.",
        "If it should not be read, archive it instead.",
    )


def test_an_index_that_leads_nowhere_and_lacks_lines_is_made_anew_once() -> None:
    files = tiers("- [gone](facts/gone.md): Gone\n")
    assert proposed("unreachable", files) == []
    (one,) = proposed("dead-link", files)
    assert (one.verb, one.places) == ("reindex", ["INDEX.md:4"])
    assert [line.partition(":")[0] for line in one.proposal.evidence] == [
        "memory/INDEX.md", "memory/facts/b.md", "memory/facts/c.md",
    ]
    assert "gone" not in one.after("INDEX.md")
    assert "[c](facts/c.md)" in one.after("INDEX.md")


def _categories() -> list[tuple[str, list[str], list[str]]]:
    from tests.support.stores import CATEGORIES

    return [(heading, list(names), list(more)) for heading, names, more in CATEGORIES]
