"""What each verb writes in a store of fragments, features and a project, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan
from tests.support.planning import Bench, JonggrangBench
from tests.support.stores import FRAGMENTS, JONGGRANG, custodian_store, feature_memory, fragment

PROJECT, FEATURE = "MEMORY.md", ".output/features/counts/MEMORY.md"
FIRST = f"{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md"
FREE = f"{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md"
NEW = f"{FRAGMENTS}/counts/task-003-2026-11-30T14-05-09-000Z"
STAMP = "updated_at: 2026-11-30T14:05:09Z"
LINK = "[counts](.jonggrang/.output/features/counts/MEMORY.md)"
LESSON = "Read the header by name, never by place"
FRONT = "---\nscope: project\ntags: []\nupdated_at: 2026-04-20T08:00:00Z\n---\n\n"
SAID = f"- {LESSON} (from {LINK}, 2026-11-30)\n"
KEY = "AKIA" + "QWERTYUIOPASDFGH"
ENDINGS = ["lf", "crlf", "bare", "bom"]


@pytest.fixture
def bench(tmp_path: Path) -> JonggrangBench:
    return JonggrangBench(tmp_path)


def formed(text: str, form: str) -> bytes:
    """A text as a file in one of the forms that files have."""
    data = text.encode()
    return {
        "lf": data, "crlf": data.replace(b"\n", b"\r\n"), "bare": data.removesuffix(b"\n"), "bom": b"\xef\xbb\xbf" + data,
    }[form]


def stamped(text: str) -> str:
    """A memory of the standard store with the time of the plans in its front matter."""
    before = "updated_at: 2026-04-20T08:00:00Z" if "scope: project" in text else "updated_at: 2026-05-08T09:30:00Z"
    assert before in text
    return text.replace(before, STAMP)


def made(bench: JonggrangBench, plan: Plan, name: str) -> str:
    (step,) = [step for step in plan.steps if step.kind == "create" and step.path == bench.path(name)]
    assert step.after is not None
    return step.after.decode()


# add


def test_add_makes_one_fragment_and_touches_nothing_else(bench: JonggrangBench) -> None:
    plan = bench.plan(
        "add", text="Gulls are counted twice\n\n- at dawn\n- at dusk", person=False, feature="counts", task_id="task-003",
        kind="fact", source="src/a.py:12", tag="observed", reason="so",
    )
    assert bench.names(plan) == [f"{NEW}.md"]
    assert made(bench, plan, f"{NEW}.md") == (
        "- [observed] Gulls are counted twice\n\n  - at dawn\n  - at dusk\n\n  (for: fact; reason: so; from src/a.py:12)\n"
    )
    (entry,) = [entry for entry in bench.apply(plan).candidates() if "Gulls" in entry.text]
    assert (entry.id, entry.fields["feature"], entry.fields["task"]) == (plan.new_ids[0], "counts", "task-003")
    assert (entry.date, entry.tag, entry.source) == ("2026-11-30", "observed", "src/a.py:12")


def test_two_in_one_second_get_two_names(bench: JonggrangBench) -> None:
    for number in ("", "-2", "-3"):
        plan = bench.plan("add", text="x", person=False, feature="counts", task_id="task-003")
        assert bench.names(plan) == [f"{NEW}{number}.md"]
        bench.apply(plan)
    assert len({entry.id for entry in bench.workspace.candidates() if entry.text == "- x"}) == 3


def test_a_new_feature_needs_no_more_than_its_name(bench: JonggrangBench) -> None:
    plan = bench.plan("add", text="x", person=False, feature="New_1", task_id="task-1")
    assert bench.names(plan) == [f"{FRAGMENTS}/New_1/task-1-2026-11-30T14-05-09-000Z.md"]


@pytest.mark.parametrize(
    ("words", "field", "named"),
    [
        ({}, "feature", "counts"), ({"task_id": "task-001"}, "feature", "counts"),
        ({"feature": "counts"}, "task_id", "task-001, task-002"), ({"feature": "other"}, "task_id", "as in task-001"),
        ({"feature": "../x", "task_id": "task-001"}, "feature", "Letters"),
        ({"feature": "a b", "task_id": "task-001"}, "feature", "Letters"),
        ({"feature": "zähler", "task_id": "task-001"}, "feature", "Letters"),
        ({"feature": "counts\n", "task_id": "task-001;rm"}, "task_id", "task- and digits"),
        ({"feature": "counts", "task_id": "task-1/2"}, "task_id", "task- and digits"),
    ],
)
def test_an_id_that_is_none_is_refused_with_what_there_is(
    bench: JonggrangBench, words: dict[str, str], field: str, named: str
) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("add", text="x", person=False, **words)
    assert caught.value.field == field
    assert named in caught.value.remedy


def test_a_secret_or_a_heading_is_not_added(bench: JonggrangBench) -> None:
    for text in (f"The key is {KEY}", "## A heading\n\nand more", "```\nnever closed"):
        with pytest.raises(Refused):
            bench.plan("add", text=text, person=False, feature="counts", task_id="task-003")


# promote


@pytest.mark.parametrize("form", ENDINGS)
def test_promote_puts_a_line_into_the_project_and_marks_the_candidate(tmp_path: Path, form: str) -> None:
    bench = JonggrangBench(tmp_path, **{name: formed(JONGGRANG[name], form) for name in (PROJECT, FEATURE)})
    entry = bench.entry(FEATURE, LESSON, candidate=True)
    plan = bench.plan("promote", [entry], to="project-memory", section="Known Pitfalls", reviewed="yes")
    assert bench.names(plan) == [PROJECT, FEATURE]
    text = stamped(JONGGRANG[PROJECT]) + SAID
    assert bench.after(plan, PROJECT) == formed(text, form)
    head, line, tail = stamped(JONGGRANG[FEATURE]).rpartition(f"- {LESSON}\n")
    marked = f"{head}{line.rstrip()} \u2192 promoted 2026-11-30\n{tail}"
    assert bench.after(plan, FEATURE) == formed(marked, form)
    after = bench.apply(plan)
    (new,) = [entry for entry in after.entries() if entry.id == plan.new_ids[0]]
    assert (new.role, new.fields["section"], new.date) == ("project", "Known Pitfalls", "2026-11-30")
    assert not [entry for entry in after.candidates() if entry.role == "feature"]
    (old,) = [one for one in after.entries() if one.fields.get("promoted")]
    assert (old.fields["promoted"], old.fields["text"]) == ("2026-11-30", LESSON)


@pytest.mark.parametrize(
    "rest", ["", "\n\n  - below\n\n  ```\n  code\n  ```", "\n  ```\n  code\n  ```", "\n  1. one", "\n  > so"]
)
def test_the_end_of_the_first_paragraph_says_that_it_was_promoted(tmp_path: Path, rest: str) -> None:
    line = "- Two words\n  of it" + rest
    bench = JonggrangBench(tmp_path, **{FEATURE: feature_memory(promotion=line)})
    plan = bench.plan(
        "promote", [bench.entry(FEATURE, "Two")], to="project-memory", section="Conventions", reviewed="yes",
    )
    assert f"\n{line.replace('of it', 'of it → promoted 2026-11-30')}\n".encode() in bench.after(plan, FEATURE)
    assert not [entry for entry in bench.apply(plan).candidates() if entry.role == "feature"]


def test_what_any_section_of_a_feature_states_can_be_promoted_and_stays(bench: JonggrangBench) -> None:
    plan = bench.plan(
        "promote", [bench.entry(FEATURE, "Each site")], to="project-memory", section="conventions", reviewed="yes",
        reason="Always so",
    )
    assert bench.names(plan) == [PROJECT]
    line = f"- Each site sends one file (reason: Always so; from {LINK}, 2026-11-30)\n"
    first = "- Dates are written as 2026-05-02, in every file\n"
    assert bench.after(plan, PROJECT).decode() == stamped(JONGGRANG[PROJECT]).replace(first, first + line)


def test_the_review_is_confirmed_and_the_section_named(bench: JonggrangBench) -> None:
    entry = bench.entry(FEATURE, LESSON, candidate=True)
    for words, field, remedy in (
        ({"section": "Conventions"}, "reviewed", "reviewed=yes"),
        ({"section": "Conventions", "reviewed": "no"}, "reviewed", "reviewed=yes"),
        ({"reviewed": "yes"}, "section", "Conventions, Known Pitfalls"),
        ({"reviewed": "yes", "section": "Nowhere"}, "section", "Conventions, Known Pitfalls"),
    ):
        with pytest.raises(Refused) as caught:
            bench.plan("promote", [entry], to="project-memory", **words)
        assert caught.value.field == field
        assert remedy in caught.value.remedy


@pytest.mark.parametrize("empty", ["_(none yet)_", "- _(none yet)_", "*(none so far)*", "<!-- later -->\n\n_(none)_"])
def test_the_line_that_says_that_there_is_none_goes(tmp_path: Path, empty: str) -> None:
    text = FRONT + "# P\n\n## Conventions\n\n{}\n\n## Other\n\n- a\n"
    bench = JonggrangBench(tmp_path, **{PROJECT: text.format(empty)})
    plan = bench.plan(
        "promote", [bench.entry(FEATURE, candidate=True)], to="project-memory", section="Conventions", reviewed="yes"
    )
    kept = "<!-- later -->\n\n" if empty.startswith("<") else ""
    assert bench.after(plan, PROJECT).decode() == stamped(text).format(kept + SAID.rstrip("\n"))


def test_a_line_goes_above_what_stands_below_headings_of_its_own_and_in_the_form_of_its_neighbours(tmp_path: Path) -> None:
    text = (
        "---\nscope: project\ntags: []\nupdated_at: '2026-04-20T08:00:00Z'\n---\n\n"
        "## A\n\n* one\n\n* two\n\n### Deeper\n\n- no\n\n## B\n\nWords.\n\n### Deeper\n\n- no\n"
    )
    bench = JonggrangBench(tmp_path, **{PROJECT: text})
    entry = bench.entry(FEATURE, candidate=True)
    stamp = text.replace("2026-04-20T08:00:00Z", "2026-11-30T14:05:09Z")
    plan = bench.plan("promote", [entry], to="project-memory", section="A", reviewed="yes")
    assert bench.after(plan, PROJECT).decode() == stamp.replace("* two\n", f"* two\n\n*{SAID[1:]}")
    plan = bench.plan("promote", [entry], to="project-memory", section="B", reviewed="yes")
    assert bench.after(plan, PROJECT).decode() == stamp.replace("Words.\n", f"Words.\n\n{SAID}")


def test_several_at_once_are_one_list(bench: JonggrangBench) -> None:
    entries = [bench.entry(FEATURE, "Each site"), bench.entry(FEATURE, LESSON, candidate=True)]
    plan = bench.plan("promote", entries, to="project-memory", section="Known Pitfalls", reviewed="yes")
    line = f"- Each site sends one file (from {LINK}, 2026-11-30)\n"
    assert bench.after(plan, PROJECT).decode() == stamped(JONGGRANG[PROJECT]) + line + SAID


def test_a_project_memory_that_is_missing_is_made(tmp_path: Path) -> None:
    bench = JonggrangBench(tmp_path, **{PROJECT: None})
    plan = bench.plan(
        "promote", [bench.entry(FEATURE, candidate=True)], to="project-memory", section="Known Pitfalls", reviewed="yes"
    )
    text = made(bench, plan, PROJECT)
    assert text.startswith(stamped(FRONT) + "# Project memory\n\n## Conventions\n\n_(none yet)_\n")
    assert f"\n## Known Pitfalls\n\n{SAID}\n## Architectural Decisions\n\n_(none yet)_\n" in text


@pytest.mark.parametrize(
    ("front", "after"),
    [
        ("scope: project\ntags: []", f"scope: project\ntags: []\n{STAMP}"),
        ('updated_at: "2026-01-02" # by hand\nscope: project', f'updated_at: "{STAMP[12:]}" # by hand\nscope: project'),
        ("scope: project\nupdated_at: [2026]", "scope: project\nupdated_at: [2026]"),
        ("scope: &a project\nb: *a", "scope: &a project\nb: *a"),
    ],
)
def test_updated_at_is_set_where_the_front_matter_lets_it(tmp_path: Path, front: str, after: str) -> None:
    text = "---\n{}\n---\n\n## A\n\n- one\n"
    bench = JonggrangBench(tmp_path, **{PROJECT: text.format(front)})
    plan = bench.plan("strike", [bench.entry(PROJECT, "one")])
    assert bench.after(plan, PROJECT).decode() == text.format(after).replace("- one", "- ~~one~~ struck 2026-11-30")


def test_a_memory_without_front_matter_gets_none(tmp_path: Path) -> None:
    bench = JonggrangBench(tmp_path, **{PROJECT: "## A\n\n- one\n"})
    plan = bench.plan("edit", [bench.entry(PROJECT, "one")], text="- two")
    assert bench.after(plan, PROJECT) == b"## A\n\n- two\n"


def test_what_a_fragment_says_goes_to_its_feature_by_compaction(bench: JonggrangBench) -> None:
    entry = bench.entry(FIRST)
    for to in ("", "feature:counts", "project-memory"):
        words = {"to": to} if to else {}
        with pytest.raises(Refused) as caught:
            bench.plan("promote", [entry], section="Conventions", reviewed="yes", **words)
        assert "memdesk compact counts" in caught.value.remedy
    with pytest.raises(Refused, match="no destination 'decisions'") as caught:
        bench.plan("promote", [bench.entry(FEATURE, candidate=True)], to="decisions")
    assert "project-memory" in caught.value.remedy


# strike, reject


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("verb", ["strike", "reject"])
def test_a_fragment_s_line_is_struck_in_its_place(tmp_path: Path, form: str, verb: str) -> None:
    text = fragment(facts="- A file has at most 400 rows\n  - or more", lessons="- Last")
    bench = JonggrangBench(tmp_path, **{FIRST: formed(text, form)})
    plan = bench.plan(verb, [bench.entry(FIRST, "400")], reason="It has\nmore")
    word = {"strike": "struck", "reject": "rejected"}[verb]
    struck = text.replace("A file has at most 400 rows", f"~~A file has at most 400 rows~~ {word} 2026-11-30: It has more")
    assert bench.names(plan) == [FIRST]
    assert bench.after(plan, FIRST) == formed(struck, form)
    (left,) = [entry for entry in bench.apply(plan).entries() if entry.path.endswith(FIRST) and not entry.candidate]
    assert (left.struck, left.fields["text"].partition("\n")[0]) == (True, "A file has at most 400 rows")


@pytest.mark.parametrize("form", ENDINGS)
def test_free_text_of_a_fragment_is_struck_too(tmp_path: Path, form: str) -> None:
    bench = JonggrangBench(tmp_path, **{FREE: formed("Two sites\nleave it out.\n\n    code\n\n# Alone\n", form)})
    plan = bench.plan("reject", bench.entries(FREE)[:1], reason="no")
    expected = "~~Two sites\nleave it out.~~ rejected 2026-11-30: no\n\n    code\n\n# Alone\n"
    assert bench.after(plan, FREE) == formed(expected, form)
    bench.apply(plan)
    plan = bench.plan("reject", [bench.entry(FREE, "Alone")])
    assert bench.after(plan, FREE) == formed(expected.replace("# Alone", "# ~~Alone~~ rejected 2026-11-30"), form)
    assert not [entry for entry in bench.apply(plan).candidates() if entry.path.endswith(FREE)]


def test_what_begins_with_code_is_not_struck_but_named(tmp_path: Path) -> None:
    bench = JonggrangBench(tmp_path, **{FREE: "```\ncode\n```\n"})
    with pytest.raises(Refused, match="begin with a paragraph") as caught:
        bench.plan("reject", bench.entries(FREE))
    assert (caught.value.path, caught.value.line) == (bench.path(FREE), 1)


@pytest.mark.parametrize(("verb", "word"), [("strike", "struck"), ("reject", "rejected")])
def test_a_promotion_candidate_is_struck(bench: JonggrangBench, verb: str, word: str) -> None:
    plan = bench.plan(verb, [bench.entry(FEATURE, LESSON, candidate=True)], reason="Only here")
    head, _, tail = stamped(JONGGRANG[FEATURE]).rpartition(f"- {LESSON}\n")
    assert bench.after(plan, FEATURE).decode() == f"{head}- ~~{LESSON}~~ {word} 2026-11-30: Only here\n{tail}"


def test_only_candidates_are_rejected_and_no_tombstone_is_left(bench: JonggrangBench) -> None:
    with pytest.raises(Refused, match="Only a candidate"):
        bench.plan("reject", [bench.entry(PROJECT)])
    with pytest.raises(Refused, match="no tombstones"):
        bench.plan("reject", [bench.entry(FIRST)], tombstone="yes", reason="no")


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("name", [PROJECT, FEATURE])
def test_a_memory_s_line_is_struck_and_the_new_one_stands_below(tmp_path: Path, form: str, name: str) -> None:
    bench = JonggrangBench(tmp_path, **{name: formed(JONGGRANG[name], form)})
    old = {PROJECT: "Dates are written as 2026-05-02, in every file", FEATURE: "Each site sends one file"}[name]
    plan = bench.plan("strike", [bench.entry(name, old)], with_="What holds now", source="issue 4", reason="It was so")
    new = f"- ~~{old}~~ superseded 2026-11-30: It was so\n- What holds now (from issue 4)\n"
    assert bench.after(plan, name) == formed(stamped(JONGGRANG[name]).replace(f"- {old}\n", new), form)
    after = bench.apply(plan)
    assert [entry.id for entry in after.entries() if "What holds" in entry.text] == [plan.new_ids[0]]


def test_a_paragraph_of_a_memory_is_struck_with_its_successor_below(bench: JonggrangBench) -> None:
    old = "The counts of spring come in as spreadsheets."
    plan = bench.plan("strike", [bench.entry(FEATURE, old)], with_="As text.")
    new = f"~~{old}~~ superseded 2026-11-30\n\nAs text.\n"
    assert bench.after(plan, FEATURE).decode() == stamped(JONGGRANG[FEATURE]).replace(f"{old}\n", new)


# merge, edit, archive, forget, clear


def test_merge_into_the_project_is_a_promotion(bench: JonggrangBench) -> None:
    entry, into = bench.entry(FEATURE, LESSON, candidate=True), bench.entry(PROJECT, "export")
    with pytest.raises(Refused, match="review of counts") as caught:
        bench.plan("merge", [entry], into=into.id)
    assert caught.value.field == "reviewed"
    plan = bench.plan("merge", [entry], into=into.id, reviewed="yes", text=into.text + "; read by name")
    assert bench.after(plan, PROJECT).decode() == stamped(JONGGRANG[PROJECT]).replace("last line", "last line; read by name")
    assert f"- {LESSON} \u2192 promoted 2026-11-30\n".encode() in bench.after(plan, FEATURE)


def test_merge_within_a_feature_strikes_the_candidate(bench: JonggrangBench) -> None:
    entry, into = bench.entry(FEATURE, LESSON, candidate=True), bench.entry(FEATURE, LESSON, candidate=False)
    plan = bench.plan("merge", [entry], into=into.id, text=into.text)
    head, _, tail = stamped(JONGGRANG[FEATURE]).rpartition(f"- {LESSON}\n")
    assert bench.after(plan, FEATURE).decode() == f"{head}- ~~{LESSON}~~ merged 2026-11-30\n{tail}"


def test_fragments_are_merged_by_compaction_alone(bench: JonggrangBench) -> None:
    for entry, into in (
        (bench.entry(FIRST), bench.entry(PROJECT)), (bench.entry(FEATURE, candidate=True), bench.entry(FIRST)),
    ):
        with pytest.raises(Refused) as caught:
            bench.plan("merge", [entry], into=into.id, reviewed="yes")
        assert "memdesk compact counts" in caught.value.remedy


@pytest.mark.parametrize("form", ENDINGS)
def test_edit_changes_the_entry_s_own_text(tmp_path: Path, form: str) -> None:
    bench = JonggrangBench(tmp_path, **{name: formed(JONGGRANG[name], form) for name in (FIRST, FEATURE)})
    plan = bench.plan("edit", [bench.entry(FIRST, "400")], text="- A file has 300 rows")
    assert bench.after(plan, FIRST) == formed(JONGGRANG[FIRST].replace("at most 400", "300"), form)
    plan = bench.plan("edit", [bench.entry(FEATURE, "Each site")], text="- Each site sends two")
    assert bench.after(plan, FEATURE) == formed(stamped(JONGGRANG[FEATURE]).replace("one file", "two", 1), form)


def test_nothing_is_archived_by_hand(bench: JonggrangBench) -> None:
    for name in (FIRST, FEATURE, PROJECT):
        with pytest.raises(Refused, match="There is no archive in a store of this layout"):
            bench.plan("archive", [bench.entry(name)])


def test_notes_are_only_added_to(bench: JonggrangBench) -> None:
    entry = bench.entry(".output/features/counts/progress.txt")
    for verb, words in (("edit", {"text": "x"}), ("strike", {}), ("reject", {})):
        with pytest.raises(Refused, match="only added to"):
            bench.plan(verb, [entry], **words)


def test_forget_purges_what_holds_the_topic(tmp_path: Path) -> None:
    old = ".ephemeral/memory/archive/counts/2026-05-09/task-001-2026-05-01T10-15-00-000Z.md"
    bench = JonggrangBench(tmp_path, **{old: "- Read the HEADER twice\n", FIRST: "- The header is second\n- Other\n"})
    with pytest.raises(Refused, match="purging alone"):
        bench.plan("forget", topic="by name", mode="soft")
    plan = bench.plan("forget", topic="by name", mode="purge", confirmed="yes")
    assert bench.names(plan) == [FEATURE]
    assert bench.after(plan, FEATURE).decode() == stamped(JONGGRANG[FEATURE]).replace(f"- {LESSON}\n", "_(none yet)_\n")
    with pytest.raises(Refused, match="no entry of its own"):  # a paragraph may be about more
        bench.plan("forget", topic="header", mode="purge", confirmed="yes")
    files = {old: "- Read the HEADER twice\n", FIRST: "- The header is second\n- Other\n"}
    bench = JonggrangBench(tmp_path / "b", **files, **{FREE: None, ".output/features/counts/progress.txt": None})
    plan = bench.plan("forget", topic="header", mode="purge", confirmed="yes")
    assert [(step.kind, bench.names(plan)[at]) for at, step in enumerate(plan.steps)] == [
        ("delete", old), ("replace", FIRST), ("replace", FEATURE),
    ]
    assert bench.after(plan, FIRST) == b"- Other\n"


# across stores


def test_a_candidate_of_another_store_comes_to_the_project(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"inbox.md": "# Inbox\n\n- Gulls first (reason: They leave; from the club)\n- Bare\n"})
    bench = JonggrangBench(tmp_path)
    waiting = [entry for entry in bench.workspace.candidates() if entry.layout == "custodian"]
    plan = bench.plan("promote", waiting[:1], to="project-memory", section="Conventions")
    first = "- Dates are written as 2026-05-02, in every file\n"
    line = "- Gulls first (reason: They leave; from the club, 2026-11-30)\n"
    assert bench.after(plan, PROJECT).decode() == stamped(JONGGRANG[PROJECT]).replace(first, first + line)
    plan = bench.plan("promote", waiting[1:], to="project-memory", section="Conventions")
    assert b"\n- Bare (2026-11-30)\n" in bench.after(plan, PROJECT)


def test_candidates_go_to_another_store_and_leave_a_mark(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    bench = JonggrangBench(tmp_path)
    plan = bench.plan("promote", [bench.entry(FIRST, "400")], to="constraints")
    assert plan.paths == ["docs/memory/constraints.md", bench.path(FIRST)]
    struck = "- ~~A file has at most 400 rows~~ promoted 2026-11-30 to docs/memory/constraints.md\n"
    assert bench.after(plan, FIRST).decode() == JONGGRANG[FIRST].replace("- A file has at most 400 rows\n", struck)
    (step,) = [step for step in plan.steps if step.path == "docs/memory/constraints.md"]
    assert b"A file has at most 400 rows" in (step.after or b"")
    assert b".ephemeral" not in (step.after or b"")
    plan = bench.plan("promote", [bench.entry(FEATURE, LESSON, candidate=True)], to="constraints")
    assert f"- {LESSON} \u2192 promoted 2026-11-30\n".encode() in bench.after(plan, FEATURE)
    plan = bench.plan("promote", [bench.entry(FEATURE, "Each site")], to="constraints")
    assert plan.paths == ["docs/memory/constraints.md"]


@pytest.mark.parametrize(("words", "layout"), [({}, "custodian"), ({"feature": "counts", "task_id": "task-1"}, "jonggrang")])
def test_what_names_a_feature_goes_to_the_store_that_keeps_features(
    tmp_path: Path, words: dict[str, str], layout: str
) -> None:
    custodian_store(tmp_path)
    bench = JonggrangBench(tmp_path)
    bench.apply(bench.plan("add", text="Ask first", person=False, **words))
    assert [entry.layout for entry in bench.workspace.candidates() if "Ask first" in entry.text] == [layout]


def test_a_feature_that_no_store_keeps_is_not_dropped(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused, match="Nothing is kept by feature") as caught:
        bench.plan("add", text="Ask first", feature="counts")
    assert caught.value.field == "feature"
