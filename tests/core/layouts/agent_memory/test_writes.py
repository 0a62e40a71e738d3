"""What each verb writes, to the byte, in the forms that the format page names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan
from tests.support.planning import MemoryBench
from tests.support.stores import FACTS, LINT

NOTE = "memory/2026-11-28.md"
NOTES = (
    "# 2026-11-28\n\n- [observed] The backup took 11 minutes (2026-11-28, from the backup log)\n"
    "- [suggested] Keep backups for 30 days\n- [stated] Old clients may be refused\n"
)
PEOPLE, PROJECT, DECISION = "memory/people/ada.md", "memory/projects/plover.md", "memory/decisions/api.md"


@pytest.fixture
def bench(tmp_path: Path) -> MemoryBench:
    return MemoryBench(tmp_path, **{NOTE: NOTES, "AGENTS.md": "# For agents\n\n- Be brief.\n"})


def text(bench: MemoryBench, plan: Plan, name: str) -> str:
    return bench.after(plan, name).decode()


# add


def test_add_makes_today_s_note(bench: MemoryBench) -> None:
    plan = bench.plan("add", text="Sites drift", person=False)
    (step,) = [step for step in plan.steps if step.kind == "create"]
    assert step.path == "memory/2026-11-30.md"
    assert step.after == b"# 2026-11-30\n\n- [inferred] Sites drift (2026-11-30)\n"
    (candidate,) = [entry for entry in bench.apply(plan).candidates() if entry.path == step.path]
    assert (candidate.id, candidate.tag, candidate.date) == (plan.new_ids[0], "inferred", "2026-11-30")


@pytest.mark.parametrize(
    ("note", "after"),
    [
        ("# 2026-11-30\n\n- [observed] a\n", "# 2026-11-30\n\n- [observed] a\n- [inferred] New (2026-11-30)\n"),
        ("# 2026-11-30\n\n* a\n\n* b\n", "# 2026-11-30\n\n* a\n\n* b\n\n* [inferred] New (2026-11-30)\n"),
        ("# 2026-11-30\n\nProse.\n", "# 2026-11-30\n\nProse.\n\n- [inferred] New (2026-11-30)\n"),
        ("# 2026-11-30\r\n\r\n- a\r\n", "# 2026-11-30\r\n\r\n- a\r\n- [inferred] New (2026-11-30)\r\n"),
        ("# 2026-11-30\n\n- a", "# 2026-11-30\n\n- a\n- [inferred] New (2026-11-30)"),
        ("", "- [inferred] New (2026-11-30)\n"),
    ],
    ids=["behind a list", "a loose list", "behind prose", "CRLF", "no final newline", "empty"],
)
def test_add_goes_to_the_end_of_the_note(tmp_path: Path, note: str, after: str) -> None:
    bench = MemoryBench(tmp_path, **{"memory/2026-11-30.md": note})
    assert text(bench, bench.plan("add", text="New", person=False), "memory/2026-11-30.md") == after


def test_add_keeps_what_is_known(bench: MemoryBench) -> None:
    plan = bench.plan("add", text="X", tag="observed", kind="constraint", reason="it broke", source="a.py:3", person=False)
    made = text(bench, plan, "memory/2026-11-30.md") if "memory/2026-11-30.md" in bench.workspace.documents else ""
    assert not made
    bench.apply(plan)
    entry = bench.candidate("memory/2026-11-30.md")
    assert entry.raw == b"- [observed] X (2026-11-30, from a.py:3; for: constraint; reason: it broke)\n"
    assert (entry.fields["for"], entry.fields["reason"], entry.source) == ("constraint", "it broke", "a.py:3")


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"text": "~~X~~"}, "text"), ({"text": "X → memory/a.md"}, None), ({"text": "X", "source": "a (b)"}, "source"),
        ({"text": "X", "reason": "a; b"}, "reason"), ({"text": "```\nx"}, "text"), ({"text": "X", "tag": "stated"}, "tag"),
    ],
)
def test_add_refuses_what_would_be_read_as_something_else(bench: MemoryBench, words: dict[str, str], field: str | None) -> None:
    if field is None:  # a pointer that ends the text stands inside the bracket's line then, and points nowhere
        plan = bench.plan("add", person=False, **words)
        bench.apply(plan)
        assert bench.candidate("memory/2026-11-30.md").tag == "inferred"
        return
    with pytest.raises(Refused) as caught:
        bench.plan("add", person=False, **words)
    assert caught.value.field == field


def test_add_without_a_place_for_notes(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, lint=LINT.replace("^memory/", "^diary/").replace('"memory/context"', ""))
    with pytest.raises(Refused, match=r"memory-lint\.json.*no place for notes"):
        bench.plan("add", text="X", person=False)


def test_add_uses_the_working_folder_where_no_pattern_fits(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, lint=LINT.replace("^memory/", "^diary/"))
    assert [step.path for step in bench.plan("add", text="X", person=False).steps if step.kind == "create"] == [
        "memory/context/2026-11-30.md"
    ]


# promote


def test_promote_files_the_line_and_points_at_it(bench: MemoryBench) -> None:
    plan = bench.plan("promote", [bench.candidate(NOTE, "backup took")], to="project:plover")
    line = "- [observed] The backup took 11 minutes (2026-11-28, from the backup log)\n"
    assert text(bench, plan, PROJECT) == FACTS[PROJECT] + line
    assert text(bench, plan, NOTE) == NOTES.replace(line, line[:-1] + " → memory/projects/plover.md\n")
    assert bench.names(plan) == [PROJECT, NOTE]
    assert [entry.heading for entry in bench.apply(plan).candidates()] == [
        "Keep backups for 30 days", "Old clients may be refused"
    ]


def test_what_a_person_states_carries_today_and_its_note(bench: MemoryBench) -> None:
    plan = bench.plan("promote", [bench.candidate(NOTE, "Keep")], to="person:ada", tag="stated")
    assert text(bench, plan, PEOPLE) == (
        FACTS[PEOPLE] + "- [stated] Keep backups for 30 days (2026-11-30, from memory/2026-11-28.md)\n"
    )


def test_a_suggestion_becomes_no_fact_without_a_tag(bench: MemoryBench) -> None:
    with pytest.raises(Refused, match="one tag") as caught:
        bench.plan("promote", [bench.candidate(NOTE, "Keep")], to="person:ada")
    assert caught.value.field == "tag"


def test_a_tag_that_the_settings_don_t_know_is_not_written(tmp_path: Path) -> None:
    lint = LINT.replace('"stated", "observed", "inferred", "suggested"', '"stated", "suggested"')
    bench = MemoryBench(tmp_path, lint=lint, **{NOTE: NOTES})
    for verb, entries, words in (
        ("promote", [bench.candidate(NOTE, "Keep")], {"to": "person:ada", "tag": "observed"}), ("add", (), {"text": "X"}),
        ("strike", bench.entries(PEOPLE), {"with_": "Y", "tag": "inferred"}),
    ):
        with pytest.raises(Refused, match=r"memory-lint\.json has no tag") as caught:
            bench.plan(verb, entries, **words)
        assert "Choose stated, suggested" in caught.value.remedy
    assert bench.plan("promote", [bench.candidate(NOTE, "Keep")], to="person:ada", tag="stated").steps


def test_an_agent_can_t_state(bench: MemoryBench) -> None:
    for words in ({"tag": "stated"}, {}):
        with pytest.raises(Refused, match="Only a person can state"):
            bench.plan("promote", [bench.candidate(NOTE, "Old clients")], person=False, to="person:ada", **words)


def test_a_new_file_gets_its_row(bench: MemoryBench) -> None:
    plan = bench.plan(
        "promote", [bench.candidate(NOTE, "backup")], to="project:Backups of Plover", owns="the nightly backup",
        when_read="before a restore",
    )
    assert bench.names(plan) == ["memory/projects/backups-of-plover.md", "MEMORY.md", NOTE]
    assert text(bench, plan, "MEMORY.md") == FACTS["MEMORY.md"].replace(
        "about it\n", "about it\n- `memory/projects/backups-of-plover.md`: the nightly backup; read before a restore\n"
    )
    made = next(step.after for step in plan.steps if step.kind == "create")
    assert made == (
        b"# Backups of plover\n\n- [observed] The backup took 11 minutes (2026-11-28, from the backup log)\n"
    )


@pytest.mark.parametrize(
    ("index", "after"),
    [
        ("# Index\n", "# Index\n\n## Projects\n\n- `memory/projects/x.md`: o; read w\n"),
        ("# Index\n\n## Projects\n", "# Index\n\n## Projects\n\n- `memory/projects/x.md`: o; read w\n"),
        (
            "# Index\n\n## Our projects\n\nText.\n\n## More\n",
            "# Index\n\n## Our projects\n\nText.\n\n- `memory/projects/x.md`: o; read w\n\n## More\n",
        ),
        (
            "# Index\n\n| file | owns | when |\n| --- | --- | --- |\n| `memory/projects/plover.md` | a | b |\n\nEnd.\n",
            "# Index\n\n| file | owns | when |\n| --- | --- | --- |\n| `memory/projects/plover.md` | a | b |\n"
            "| `memory/projects/x.md` | o | w |\n\nEnd.\n",
        ),
        (
            "* [Plover](memory/projects/plover.md): a\n* other\n",
            "* [Plover](memory/projects/plover.md): a\n* `memory/projects/x.md`: o; read w\n* other\n",
        ),
    ],
    ids=["empty", "under its heading", "behind text", "a table", "stars"],
)
def test_rows_in_the_form_of_their_neighbours(tmp_path: Path, index: str, after: str) -> None:
    bench = MemoryBench(tmp_path, **{NOTE: NOTES, "MEMORY.md": index})
    plan = bench.plan("promote", [bench.candidate(NOTE, "backup")], to="project:x", owns="o", when_read="w")
    assert text(bench, plan, "MEMORY.md") == after


def test_the_index_s_cap_is_checked_first(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, lint=LINT.replace("15000", "300"), **{NOTE: NOTES})
    with pytest.raises(Refused, match=r"MEMORY\.md.*over its cap: \d+ of 300 chars"):
        bench.plan("promote", [bench.candidate(NOTE, "backup")], to="project:x", owns="y" * 60)


def test_without_an_index_no_new_file(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{NOTE: NOTES, "MEMORY.md": None})
    with pytest.raises(Refused, match="no index"):
        bench.plan("promote", [bench.candidate(NOTE, "backup")], to="project:x")
    assert bench.plan("promote", [bench.candidate(NOTE, "backup")], to="project:plover").steps


def test_under_the_heading_that_is_named(tmp_path: Path) -> None:
    text_ = "# X\n\n## Speed\n\n- [stated] a\n\n## Size\n\nProse.\n\n## Rest\n\n- [stated] b\n"
    bench = MemoryBench(tmp_path, **{NOTE: NOTES, PROJECT: text_})
    candidate = bench.candidate(NOTE, "backup")
    line = "- [observed] The backup took 11 minutes (2026-11-28, from the backup log)\n"
    speed, size = text_.replace("a\n", f"a\n{line}"), text_.replace("Prose.\n", f"Prose.\n\n{line}")
    for section, after in (("Speed", speed), ("Size", size), ("", text_ + line)):
        assert text(bench, bench.plan("promote", [candidate], to="project:plover", section=section), PROJECT) == after
    with pytest.raises(Refused, match="no heading 'Weight'"):
        bench.plan("promote", [candidate], to="project:plover", section="Weight")


def test_items_nested_in_a_fact_carry_the_tag_too(tmp_path: Path) -> None:
    note = "- [observed] Three sites drift\n  - north\n  - [stated] south\n\n  ```\n  - code\n  ```\n"
    bench = MemoryBench(tmp_path, **{NOTE: note})
    plan = bench.plan("promote", [bench.candidate(NOTE)], to="project:plover")
    assert text(bench, plan, PROJECT).removeprefix(FACTS[PROJECT]) == (
        "- [observed] Three sites drift (2026-11-28, from memory/2026-11-28.md)\n"
        "  - [observed] north\n  - [stated] south\n\n  ```\n  - code\n  ```\n"
    )


def test_an_unknown_place(bench: MemoryBench) -> None:
    for to, words in (
        ("decisions", "person:NAME, project:NAME, decision:NAME, standing:FILE"), ("standing:X.md", "AGENTS.md"),
        ("person:", "person:NAME"), ("person:...", "letters and digits"),
    ):
        with pytest.raises(Refused) as caught:
            bench.plan("promote", [bench.candidate(NOTE, "backup")], to=to)
        assert words in caught.value.remedy


# the gate

OWN = "- [inferred] When sites report late, counts drift; a second pass fixed it\n"


def lessons(tmp_path: Path, **more: str) -> MemoryBench:
    notes = {
        "memory/2026-11-29.md": f"# 2026-11-29\n\n{OWN}", "memory/2026-11-20.md": f"# n\n\n{OWN.replace('drift', 'drifted')}",
        "memory/2026-11-10.md": "# n\n\n- [inferred] Late sites make the counts drift; a second pass fixed it\n",
        "memory/2026-11-09.md": "# n\n\n- [inferred] Gulls are counted twice\n",
        "AGENTS.md": "# For agents\n\n- Be brief.\n",
    }
    return MemoryBench(tmp_path, **{**notes, **more})


def test_below_the_gate_nothing_becomes_standing(tmp_path: Path) -> None:
    bench = lessons(tmp_path)
    candidate = bench.candidate("memory/2026-11-29.md")
    for to in ("standing:AGENTS.md", "project:plover"):
        with pytest.raises(Refused, match="1 of 3 signals · 1 of 2 sessions") as caught:
            bench.plan("promote", [candidate], to=to)
        assert caught.value.field == "signals"
        assert "memory/2026-11-20.md#" in caught.value.remedy
        assert "2026-11-09" not in caught.value.remedy


@pytest.mark.parametrize("tag", ["inferred", "observed", "suggested"])
def test_no_other_tag_but_stated_leads_past_the_gate(tmp_path: Path, tag: str) -> None:
    bench = lessons(tmp_path)
    with pytest.raises(Refused, match="1 of 3 signals"):
        bench.plan("promote", [bench.candidate("memory/2026-11-29.md")], to="standing:AGENTS.md", tag=tag)


def test_what_passes_keeps_its_trail(tmp_path: Path) -> None:
    bench = lessons(tmp_path)
    candidate = bench.candidate("memory/2026-11-29.md")
    others = [bench.candidate(f"memory/2026-11-{day}.md").id for day in (10, 20)]
    words = {"signals": "\n".join(others), "when": "sites report late", "fixed": "a second pass"}
    plan = bench.plan("promote", [candidate], to="standing:AGENTS.md", **words)
    assert text(bench, plan, "AGENTS.md") == (
        "# For agents\n\n- Be brief.\n- [inferred] When sites report late, a second pass fixed it (2026-11-29, from"
        " memory/2026-11-29.md; seen 2026-11-10 in memory/2026-11-10.md, 2026-11-20 in memory/2026-11-20.md, 2026-11-29 in"
        " memory/2026-11-29.md)\n"
    )
    assert set(plan.reads) >= {"memory/2026-11-10.md", "memory/2026-11-20.md"}


def test_a_person_s_own_statement_passes_at_once(tmp_path: Path) -> None:
    bench = lessons(tmp_path)
    plan = bench.plan("promote", [bench.candidate("memory/2026-11-29.md")], to="standing:AGENTS.md", tag="stated")
    assert "- [stated] When sites report late" in text(bench, plan, "AGENTS.md")


def test_only_what_is_like_it_speaks_for_a_lesson(tmp_path: Path) -> None:
    bench = lessons(tmp_path)
    gulls = bench.candidate("memory/2026-11-09.md").id
    with pytest.raises(Refused, match="is no signal") as caught:
        bench.plan("promote", [bench.candidate("memory/2026-11-29.md")], to="standing:AGENTS.md", signals=gulls)
    assert caught.value.field == "signals"


def test_a_lesson_says_both_or_neither(tmp_path: Path) -> None:
    bench = lessons(tmp_path)
    others = "\n".join(bench.candidate(f"memory/2026-11-{day}.md").id for day in (10, 20))
    with pytest.raises(Refused) as caught:
        bench.plan("promote", [bench.candidate("memory/2026-11-29.md")], to="standing:AGENTS.md", signals=others, when="x")
    assert caught.value.field == "fixed"


def test_an_undated_line_is_no_signal(tmp_path: Path) -> None:
    bench = lessons(tmp_path, **{"memory/context/x.md": OWN})
    with pytest.raises(Refused, match="0 of 3 signals"):
        bench.plan("promote", [bench.candidate("memory/context/x.md")], to="project:plover")


# strike, reject


@pytest.mark.parametrize(
    ("words", "after"),
    [
        (
            {"with_": "Plans all counts", "source": "the June meeting"},
            "- ~~[stated] Plans the spring counts (2026-02-01, from her letter)~~ superseded 2026-11-30\n"
            "- [stated] Plans all counts (2026-11-30, from the June meeting)\n",
        ),
        (
            {"with_": "Plans all counts", "tag": "observed", "reason": "she took over"},
            "- ~~[stated] Plans the spring counts (2026-02-01, from her letter)~~ superseded 2026-11-30: she took over\n"
            "- [observed] Plans all counts (2026-11-30)\n",
        ),
        (
            {"reason": "she left"},
            "- ~~[stated] Plans the spring counts (2026-02-01, from her letter)~~ struck 2026-11-30: she left\n",
        ),
        ({}, "- ~~[stated] Plans the spring counts (2026-02-01, from her letter)~~ struck 2026-11-30\n"),
    ],
)
def test_a_line_is_struck_where_it_stands(bench: MemoryBench, words: dict[str, str], after: str) -> None:
    (entry,) = bench.entries(PEOPLE)
    plan = bench.plan("strike", [entry], **words)
    assert text(bench, plan, PEOPLE) == f"# Ada\n\n{after}"
    assert bench.apply(plan).documents[PEOPLE].entries[0].struck


def test_a_paragraph_version_is_struck_and_the_new_one_stands_below(bench: MemoryBench) -> None:
    current = bench.entries(DECISION)[-1]
    plan = bench.plan("strike", [current], with_="gRPC, chosen 2026-11-30", source="the winter review")
    assert text(bench, plan, DECISION) == FACTS[DECISION].replace(
        "**tRPC, chosen 2026-08-19, from the architecture review** [stated]\n",
        "~~**tRPC, chosen 2026-08-19, from the architecture review** [stated]~~ superseded 2026-11-30\n\n"
        "**gRPC, chosen 2026-11-30** [stated] (2026-11-30, from the winter review)\n",
    )
    after = bench.apply(plan).documents[DECISION]
    assert [entry.struck for entry in after.entries] == [True, True, True, False]


def test_a_heading_version_is_struck_with_what_stands_below_it(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{DECISION: "# API\n\n## tRPC [stated]\n\nTyped.\n\n## Why\n\nProse.\n"})
    plan = bench.plan("strike", [bench.entries(DECISION)[0]], with_="gRPC\n\nFaster.")
    assert text(bench, plan, DECISION) == (
        "# API\n\n## ~~tRPC [stated]~~ superseded 2026-11-30\n\nTyped.\n\n## gRPC [stated]\n\nFaster.\n\n(2026-11-30)\n\n"
        "## Why\n\nProse.\n"
    )


def test_what_is_struck_is_not_struck_again(bench: MemoryBench) -> None:
    with pytest.raises(Refused, match="struck already"):
        bench.plan("strike", [bench.entries(DECISION)[0]])


def test_a_text_that_holds_tildes_is_refused(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{PEOPLE: "- [stated] Was ~~here~~ there\n"})
    with pytest.raises(Refused, match="already holds ~~"):
        bench.plan("strike", bench.entries(PEOPLE))


@pytest.mark.parametrize(("verb", "said"), [("strike", "struck"), ("reject", "rejected")])
def test_a_candidate_stays_in_its_note_struck(bench: MemoryBench, verb: str, said: str) -> None:
    plan = bench.plan(verb, [bench.candidate(NOTE, "Keep")], reason="too long")
    old = "- [suggested] Keep backups for 30 days\n"
    assert text(bench, plan, NOTE) == NOTES.replace(old, f"- ~~{old[2:-1]}~~ {said} 2026-11-30: too long\n")
    assert len(bench.apply(plan).candidates()) == 2


def test_there_are_no_tombstones_here(bench: MemoryBench) -> None:
    with pytest.raises(Refused, match="no tombstones") as caught:
        bench.plan("reject", [bench.candidate(NOTE, "Keep")], reason="x", tombstone="yes")
    assert caught.value.field == "tombstone"


# edit, merge, archive, forget


def test_an_edit_of_a_durable_line_says_what_it_changes(bench: MemoryBench) -> None:
    (entry,) = bench.entries(PEOPLE)
    new = "- [stated] Plans spring counts (2026-02-01, from her letter)"
    with pytest.raises(Refused) as caught:
        bench.plan("edit", [entry], text=new)
    assert caught.value.field == "change"
    assert text(bench, bench.plan("edit", [entry], text=new, change="wording"), PEOPLE) == f"# Ada\n\n{new}\n"
    assert text(bench, bench.plan("edit", [entry], text=new, change="meaning"), PEOPLE) == (
        "# Ada\n\n- ~~[stated] Plans the spring counts (2026-02-01, from her letter)~~ superseded 2026-11-30\n"
        "- [stated] Plans spring counts (2026-11-30)\n"
    )
    with pytest.raises(Refused, match="lose its tag"):
        bench.plan("edit", [entry], text="- Plans spring counts", change="wording")


def test_a_note_is_edited_freely(bench: MemoryBench) -> None:
    plan = bench.plan("edit", [bench.candidate(NOTE, "Keep")], text="- [suggested] Keep backups for 20 days")
    assert text(bench, plan, NOTE) == NOTES.replace("30 days", "20 days")


def test_a_merge_leaves_a_pointer(bench: MemoryBench) -> None:
    (into,) = bench.entries(PEOPLE)
    merged = into.text.replace("spring", "spring and autumn")
    plan = bench.plan("merge", [bench.candidate(NOTE, "Keep")], into=into.id, text=merged)
    assert text(bench, plan, PEOPLE) == FACTS[PEOPLE].replace("spring", "spring and autumn")
    assert "- [suggested] Keep backups for 30 days → memory/people/ada.md\n" in text(bench, plan, NOTE)


def test_a_document_is_archived_whole(bench: MemoryBench) -> None:
    plan = bench.plan("archive", bench.entries(DECISION)[-1:], answers={})
    assert [(step.kind, step.path) for step in plan.steps] == [
        ("mkdir", "memory/archive"), ("mkdir", "memory/archive/decisions"), ("create", "memory/archive/decisions/api.md"),
        ("delete", DECISION), ("replace", "MEMORY.md"),
    ]
    assert plan.steps[2].after == FACTS[DECISION].encode()
    assert plan.questions == ()
    assert "api.md" not in text(bench, plan, "MEMORY.md")
    after = bench.apply(plan)
    assert after.documents["memory/archive/decisions/api.md"].place.tier == "archive"


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("memory/people/Ada Lovelace.md", "- `memory/people/Ada Lovelace.md`: who\n"),
        ("memory/people/zoë.md", "- [Zoë](memory/people/zo%C3%AB.md): who\n"),
        ("memory/people/bo.md", "- see ./memory/people/bo.md#facts\n"),
    ],
)
def test_a_row_is_found_however_it_spells_its_file(tmp_path: Path, name: str, row: str) -> None:
    index = f"# Index\n\n- `memory/people/ada.md`: who\n{row}- `memory/people/carl.md`: who\n"
    bench = MemoryBench(tmp_path, **{name: "# X\n\n- [stated] a\n", "MEMORY.md": index})
    plan = bench.plan("archive", bench.entries(name))
    assert text(bench, plan, "MEMORY.md") == index.replace(row, "")


def test_what_goes_along_is_asked_about(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{PEOPLE: "- [stated] a\n- [stated] b\n- ~~[stated] c~~\n"})
    plan = bench.plan("archive", bench.entries(PEOPLE)[:1])
    assert [question.text for question in plan.questions] == ["1 other entry goes to the archive with the file. Move it?"]
    assert bench.plan("archive", bench.entries(PEOPLE)[:1], answers={"whole": "yes"}).questions == ()


def test_nothing_is_moved_over_what_is_archived_already(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/archive/people/ada.md": "# Old\n"})
    with pytest.raises(Refused, match="is there already"):
        bench.plan("archive", bench.entries(PEOPLE))


def test_the_archive_is_frozen(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/archive/x.md": "- [stated] a\n"})
    entries = bench.entries("memory/archive/x.md")
    for verb, words in (("strike", {}), ("edit", {"text": "- [stated] b"}), ("archive", {}), ("reject", {})):
        with pytest.raises(Refused):
            bench.plan(verb, entries, **words)


def test_forgetting_is_purging(bench: MemoryBench) -> None:
    plan = bench.plan("forget", topic="backups", mode="purge")
    assert text(bench, plan, NOTE) == NOTES.replace("- [suggested] Keep backups for 30 days\n", "")
    for mode in ("soft", "hard"):
        with pytest.raises(Refused, match="purge"):
            bench.plan("forget", topic="backups", mode=mode)


def test_a_plan_is_bound_to_the_settings_file(bench: MemoryBench, tmp_path: Path) -> None:
    words: dict[str, Any] = {"to": "person:ada", "tag": "stated"}
    plan = bench.plan("promote", [bench.candidate(NOTE, "Keep")], **words)
    assert plan.reads["memory-lint.json"] is not None
    other = MemoryBench(tmp_path / "other", lint=None, **{NOTE: NOTES})
    plan = other.plan("promote", [other.candidate(NOTE, "Keep")], **words)
    assert plan.reads["memory-lint.json"] is None
