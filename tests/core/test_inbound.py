"""Links to what moves or goes: those that can follow do, to the byte; the others are told of, with file and line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.core import actions, config, layouts
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Plan, Request
from memdesk.core.workspace import open_workspace
from tests.support.planning import Bench, MemoryBench, TiersBench
from tests.support.stores import custodian_store, put, record, records_store, snapshot
from tests.support.trees import MemoryTree

MOVED = "memory/facts/boats.md"
NOW = "memory/archive/boats.md"
FACT = "---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\n{body}\n"
BOATS = FACT.format(name="boats", description="Boats sail.", body="They do, because of the wind.")


def store(**files: str) -> dict[str, str]:
    index = "# Index\n\n- [boats](facts/boats.md): Boats sail.\n"
    return {"facts/boats.md": BOATS, "INDEX.md": index, **files}


def archived(bench: TiersBench) -> Plan:
    return bench.plan("archive", bench.entries("facts/boats.md"))


def fact(name: str, body: str) -> str:
    return FACT.format(name=name, description=f"On {name}.", body=body)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("See [boats](boats.md).", "See [boats](../archive/boats.md)."),
        ("See [boats](./boats.md#why \"Title\").", "See [boats](../archive/boats.md#why \"Title\")."),
        ("See [boats](<boats.md>), ![b](../facts/boats.md).", "See [boats](<../archive/boats.md>), ![b](../archive/boats.md)."),
        ("See [boats](/memory/facts/boats.md).", "See [boats](/memory/archive/boats.md)."),
        ("See [boats](memory/facts/boats.md?a=b#c).", "See [boats](memory/archive/boats.md?a=b#c)."),
        ("See [boats](facts/boats.md).", "See [boats](archive/boats.md)."),
        ("See [boats](%62oats.md:12).", "See [boats](../archive/boats.md:12)."),
        ("See [boats][b].\n\n[b]: boats.md 'T'", "See [boats][b].\n\n[b]: ../archive/boats.md 'T'"),
        ("> See [boats](boats.md).", "> See [boats](../archive/boats.md)."),
        ("[![i](p.png)](boats.md)", "[![i](p.png)](../archive/boats.md)"),
        ("Twice [a](boats.md) and [b](boats.md).", "Twice [a](../archive/boats.md) and [b](../archive/boats.md)."),
    ],
)
def test_a_link_to_a_fact_follows_it_and_nothing_else_changes(tmp_path: Path, before: str, after: str) -> None:
    bench = TiersBench(tmp_path, **store(**{"facts/wind.md": fact("wind", before + "\n\nÜber `[x](boats.md)` \t\r\n")}))
    plan = archived(bench)
    assert bench.after(plan, "facts/wind.md").decode() == fact("wind", after + "\n\nÜber `[x](boats.md)` \t\r\n")
    assert not [warning for warning in plan.warnings if "link" in warning.lower()]
    assert bench.after(plan, "archive/boats.md") == BOATS.encode()
    assert b"boats" not in bench.after(plan, "INDEX.md")


@pytest.mark.parametrize("text", ["See [[boats]].", "See [[boats|the boats]].", "`[a](boats.md)`", "[a](http://x.example/boats.md)"])
def test_what_still_leads_there_or_is_no_link_stays(tmp_path: Path, text: str) -> None:
    bench = TiersBench(tmp_path, **store(**{"facts/wind.md": fact("wind", text)}))
    plan = archived(bench)
    assert "archive/boats.md" in bench.names(plan)
    assert "facts/wind.md" not in bench.names(plan)


def test_a_name_that_would_mean_another_fact_becomes_a_link(tmp_path: Path) -> None:
    other = {"facts/old/boats.md": fact("boats", "Old ones.")}
    bench = TiersBench(tmp_path, **store(**{"facts/wind.md": fact("wind", "See [[boats]] and [[boats|them]]."), **other}))
    plan = archived(bench)
    assert bench.after(plan, "facts/wind.md").decode() == fact(
        "wind", "See [boats](../archive/boats.md) and [them](../archive/boats.md)."
    )


def test_what_stays_as_it_was_written_is_told_of(tmp_path: Path) -> None:
    link = "[b](../facts/boats.md)"
    files = {
        "log/2026-05-02.md": f"# 2026-05-02\n\n- 10:00 see {link}\n", "archive/old.md": fact("old", f"See {link}."),
        "facts/wind.md": fact("wind", f"~~See {link}.~~"),
    }
    put(tmp_path, "AGENTS.md", "# A\n\nRead memory/facts/boats.md first, not xmemory/facts/boats.md.\n")
    put(tmp_path, "README.md", "# R\n\n[b](./memory/facts/boats.md)\n")
    put(tmp_path, "CLAUDE.md", "@memory/facts/boats.mdx\n")
    bench = TiersBench(tmp_path, **store(**files))
    plan = archived(bench)
    line = files["facts/wind.md"].split("\n").index(f"~~See {link}.~~") + 1
    assert [warning for warning in plan.warnings if "boats" in warning] == [
        f"These link to {MOVED}, which is {NOW} then, and stay as they are: memory/archive/old.md:"
        f"{files['archive/old.md'].count(chr(10), 0, files['archive/old.md'].index(link)) + 1}, "
        f"memory/facts/wind.md:{line}, memory/log/2026-05-02.md:3.",
        f"Outside of memory these name {MOVED}, which is {NOW} then, and are not changed: AGENTS.md:3, README.md:3.",
    ]
    for name, text in files.items():
        assert bench.after(plan, name) == text.encode() or name.startswith("log/")


def test_a_file_that_moves_says_which_of_its_own_links_break(tmp_path: Path) -> None:
    moved = FACT.format(name="boats", description="Boats sail.", body="Not [w](wind.md), but [[wind]] and [i](../INDEX.md).")
    bench = TiersBench(tmp_path, **store(**{"facts/boats.md": moved, "facts/wind.md": fact("wind", "It blows.")}))
    plan = archived(bench)
    line = moved[: moved.index("Not")].count("\n") + 1
    assert f"Links in {NOW} lead nowhere from there, and stay as they are: line {line} (wind.md)." in plan.warnings
    assert bench.after(plan, "archive/boats.md") == moved.encode()


def test_links_from_other_stores_follow_and_accepted_records_are_told_of(tmp_path: Path) -> None:
    text = f"# Decisions\n\n## 2026-05-02 - Sails\n\nDecision:\nWe sail, see [b](../../{MOVED}).\n\nReason:\nSo.\n"
    bench = TiersBench(tmp_path, **store())
    custodian_store(tmp_path, decisions=text)
    told = record(1, "Sails", context=f"See [b](../../{MOVED}).")
    draft = record(2, "Oars", "Proposed", context=f"See [b](../../{MOVED}).")
    records_store(tmp_path, **{"docs/adr/0001-sails.md": told, "docs/adr/0002-oars.md": draft})
    bench.read()
    plan = archived(bench)
    after = {step.path: step.after for step in plan.steps}
    assert after["docs/memory/decisions.md"] == text.replace(MOVED, NOW).encode()
    assert after["docs/adr/0002-oars.md"] == draft.replace(MOVED, NOW).encode()
    assert "docs/adr/0001-sails.md" not in after
    line = told[: told.index(MOVED)].count("\n") + 1
    assert any(f"stay as they are: docs/adr/0001-sails.md:{line}." in warning for warning in plan.warnings)


def test_undoing_restores_the_links(tmp_path: Path) -> None:
    TiersBench(tmp_path, **store(**{"facts/wind.md": fact("wind", "See [boats](boats.md).\r\n")}))
    before = snapshot(tmp_path / "memory")
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)
    ident = next(entry.id for entry in desk.workspace.entries() if entry.path == MOVED)
    receipt = desk.perform(Request("archive", (ident,), person=True), "me")
    assert receipt.id is not None
    assert b"../archive/boats.md" in (tmp_path / "memory/facts/wind.md").read_bytes()
    desk.commit(desk.undo(receipt.id), "me")
    after = snapshot(tmp_path / "memory")
    logs = [name for name in after if "log/" in str(name)]
    assert {name: data for name, data in after.items() if name not in logs} == {
        name: data for name, data in before.items() if name not in logs
    }


def test_a_note_that_is_archived_whole_is_followed_by_the_index_too(tmp_path: Path) -> None:
    fact_line = "- [stated] See [the note](../2026-11-20.md) (2026-11-21, from it)\n"
    index = "# Index\n\n- `memory/projects/a.md`: a; its start is in memory/2026-11-20.md\n- [n](memory/2026-11-20.md)\n"
    bench = MemoryBench(tmp_path, **{
        "MEMORY.md": index, "memory/projects/a.md": f"# A\n\n{fact_line}",
        "memory/2026-11-20.md": "# N\n\n- ~~[observed] x~~ struck\n",
    })  # fmt: skip
    plan = bench.plan("archive", bench.entries("memory/2026-11-20.md"))
    assert bench.after(plan, "MEMORY.md").decode() == index.replace("memory/2026", "memory/archive/2026")
    assert b"(../archive/2026-11-20.md)" in bench.after(plan, "memory/projects/a.md")
    bench.apply(plan)
    document = bench.document("memory/projects/a.md")
    layout = layouts.get("agent-memory")
    (link,) = layout.links(document)
    assert layout.resolve(bench.workspace, document.store, document, link) == "memory/archive/2026-11-20.md"


# headings


SECTIONS = "# Decisions\n\n## 2026-05-02 - Sails, not oars\n\nDecision:\nSo.\n\n## 2026-05-01 - Boats\n\nDecision:\nSee {}.\n"


@pytest.mark.parametrize(("verb", "words"), [
    ("archive", {}), ("reject", {"reason": "so"}), ("edit", {"text": "## 2026-05-02 - Oars\n\nDecision:\nSo."}),
])  # fmt: skip
def test_links_to_a_heading_that_goes_are_told_of(tmp_path: Path, verb: str, words: dict[str, str]) -> None:
    own, other = "[s](#2026-05-02---sails-not-oars)", "[s](decisions.md#2026-05-02---sails-not-oars)"
    constraints = f"# Constraints\n\n- As in {other}.\n- As [b](decisions.md#2026-05-01---boats).\n- And [d](decisions.md).\n"
    bench = Bench(tmp_path, decisions=SECTIONS.format(own), constraints=constraints)
    plan = bench.plan(verb, bench.entries("decisions.md")[:1], **words)
    said = [warning for warning in plan.warnings if "heading" in warning]
    assert said == [
        "These link to a heading that is no longer in docs/memory/decisions.md then: docs/memory/constraints.md:3, "
        "docs/memory/decisions.md:11."
    ]
    assert "constraints.md" not in bench.names(plan)


@pytest.mark.parametrize("words", [{"reason": "so"}, {"with_": "New.", "reason": "so", "title": "T"}])
def test_a_heading_that_is_struck_is_still_there(tmp_path: Path, words: dict[str, str]) -> None:
    bench = Bench(tmp_path, decisions=SECTIONS.format("[s](#2026-05-02---sails-not-oars)"))
    plan = bench.plan("strike", bench.entries("decisions.md")[:1], **words)
    assert not [warning for warning in plan.warnings if "heading" in warning]


def test_what_leaves_with_the_heading_is_not_told_of(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions=SECTIONS.format("[s](#2026-05-02---sails-not-oars)"))
    plan = bench.plan("archive", bench.entries("decisions.md"))
    assert not [warning for warning in plan.warnings if "heading" in warning]


def test_a_link_in_a_heading_that_others_stand_under_is_told_of(tmp_path: Path) -> None:
    constraints = f"# Constraints\n\n## As in [b](../../{MOVED})\n\n- It holds.\n"
    bench = TiersBench(tmp_path, **store())
    custodian_store(tmp_path, constraints=constraints)
    bench.read()
    plan = archived(bench)
    assert "docs/memory/constraints.md" not in plan.paths
    assert any(warning.endswith("stay as they are: docs/memory/constraints.md:3.") for warning in plan.warnings)


class Asked(MemoryTree):
    """A tree that counts how often it is asked what is at a path."""

    asked = 0

    def kind(self, path: str) -> str:
        self.asked += 1
        return super().kind(path)


@pytest.mark.parametrize("link", ["[[fact-{}]]", "[[nothing-{}]]", "[x](fact-{}.md)", "[x](../facts/fact-{}.md#fact-{})"])
def test_where_links_lead_is_looked_up_once_for_all_that_may_move(link: str) -> None:
    facts = {
        f"memory/facts/fact-{number}.md": fact(f"fact-{number}", " ".join(link.replace("{}", str(n)) for n in range(20)))
        for number in range(20)
    }
    lines = "".join(f"- [fact-{number}](facts/fact-{number}.md): On fact-{number}.\n" for number in range(20))
    tree = Asked({**facts, "memory/INDEX.md": f"# Index\n\n{lines}"})
    workspace = open_workspace(tree, config.defaults())
    asked = []
    for number in range(3):
        entry = workspace.documents[f"memory/facts/fact-{number}.md"].entries[0]
        before = tree.asked
        plan = actions.plan(workspace, Request("archive", (entry.id,), {}, {}, person=True, at="14:05"), date(2026, 11, 30))
        followed = sum(step.path.startswith("memory/facts/") and step.kind == "replace" for step in plan.steps)
        assert followed == (19 if "(" in link else 0)
        asked.append(tree.asked - before)
    assert asked[0] > 400
    assert max(asked[1:]) < asked[0] * 0.7, asked  # a link that is rewritten is looked up again
