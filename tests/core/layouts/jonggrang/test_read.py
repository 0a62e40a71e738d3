"""What an entry is in each file of this layout: whole units, and none of them lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import layouts
from memdesk.core.layouts.jonggrang.detect import classify
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.layouts.jonggrang.read import entries, promoted_on
from memdesk.core.layouts.jonggrang.sections import SECTIONS
from memdesk.core.model import Document, Entry, Store
from tests.support.stores import FRAGMENTS, JONGGRANG, feature_memory, fragment

STORE = Store("jonggrang", ".jonggrang", "a test", Features())
TASK = f"{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-123Z.md"
FEATURE = ".output/features/counts/MEMORY.md"
NOTES = ".output/features/counts/progress.txt"
ARCHIVED = ".ephemeral/memory/archive/counts/2026-05-09/task-001-2026-05-07T10-15-00-123Z.md"


def read(name: str, text: str | bytes) -> list[Entry]:
    path = f".jonggrang/{name}"
    place = classify(STORE, path)
    assert place is not None
    return Document(path, STORE, place, text if isinstance(text, bytes) else text.encode(), entries).entries


def texts(name: str, text: str) -> list[str]:
    return [entry.text for entry in read(name, text)]


def brief(found: list[Entry]) -> list[tuple[str, int, str, bool]]:
    """Kind, line, what it says in short, and whether it waits."""
    return [(entry.kind, entry.line, entry.heading, entry.candidate) for entry in found]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_feature_s_memory(newline: str, bom: str) -> None:
    text = bom + feature_memory(
        context="The counts of spring.\n\nThey come late.",
        facts="- One file a site\n  - of 400 rows\n- Read at night\n\n### Import\n\n- By name",
        lessons="1. First\n2. Second", promotion="- ~~Old~~ struck 2026-05-03: no\n- Waits\n- Went \u2192 promoted 2026-05-04",
    ).replace("\n", newline)
    found = read(FEATURE, text)
    assert [(one.kind, one.heading, one.fields["section"], one.candidate, one.struck) for one in found] == [
        ("body", "The counts of spring.", "Context", False, False), ("body", "They come late.", "Context", False, False),
        ("bullet", "One file a site", "Facts", False, False), ("bullet", "Read at night", "Facts", False, False),
        ("bullet", "By name", "Facts", False, False), ("bullet", "First", "Lessons Learned", False, False),
        ("bullet", "Second", "Lessons Learned", False, False), ("bullet", "Old", "Promotion Candidates", False, True),
        ("bullet", "Waits", "Promotion Candidates", True, False), ("bullet", "Went", "Promotion Candidates", False, False),
    ]
    assert found[2].text == "- One file a site\n  - of 400 rows"
    assert found[4].heading_path == ("Spring counts", "Facts", "Import")
    assert {one.fields["feature"] for one in found} == {"counts"}
    assert found[-1].fields["promoted"] == "2026-05-04"
    assert found[-1].fields["text"] == "Went"
    assert all(one.raw.decode().endswith(newline) for one in found)


def test_a_project_s_memory_has_whatever_sections_it_has() -> None:
    text = (
        "---\nscope: project\n---\n\n# T\n\nBefore any.\n\n## Architectural Decisions\n\n- A\n\n## Promotion Candidates\n\n- B"
        "\n\n## Repeated Lessons\n\n_(none yet)_\n\nC\n"
    )
    found = read("MEMORY.md", text)
    assert [(one.heading, one.fields.get("section", ""), one.candidate) for one in found] == [
        ("Before any.", "", False), ("A", "Architectural Decisions", False), ("B", "Promotion Candidates", False),
        ("C", "Repeated Lessons", False),
    ]


def test_entries_of_a_fragment_are_candidates() -> None:
    found = read(TASK, fragment(free="Free text,\non two lines.", facts="- [observed] A (from src/a.py:3)", lessons="- ~~B~~"))
    assert brief(found) == [
        ("body", 1, "Free text,", True), ("bullet", 6, "[observed] A (from src/a.py:3)", True), ("bullet", 10, "B", False),
    ]
    assert found[1].tag == "observed"
    assert (found[1].source, found[1].fields["text"]) == ("src/a.py:3", "A")
    assert [one.fields.get("section", "") for one in found] == ["", "Facts", "Lessons Learned"]
    known = {"feature": "counts", "task": "task-001", "stamp": "2026-05-07T10:15:00Z"}
    assert all(known.items() <= one.fields.items() for one in found)
    assert {one.date for one in found} == {"2026-05-07"}


def test_what_is_archived_waits_no_more() -> None:
    (only,) = read(ARCHIVED, "- A\n")
    assert (only.candidate, only.fields["task"], only.tier) == (False, "task-001", "archive")


WHOLE = [
    "- a\n  - b\n\n    ```\n    c\n    ```",
    "1. a\n   continued\n\n   second",
    "Words:\n\n```python\nprint()\n\nprint()\n```",
    "Words:\n\n    indented\n\n    code",
    "Words:\n\n> quoted\n> words",
    "Words:\n\n```\na\n```\n\n```\nb\n```",
    "```\nalone\n```",
    "> alone",
    "    code alone",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "<details>\nwords\n</details>",
    "<!-- a --> words behind it",
    "[x]: https://example.com/a",
    "- [ ] to do",
    "* star",
    "+ plus",
    "One\ntwo\nthree",
    "~~gone~~ struck 2026-05-01",
]


@pytest.mark.parametrize("text", WHOLE)
@pytest.mark.parametrize("name", [TASK, ARCHIVED, FEATURE, "MEMORY.md"])
def test_a_unit_is_one_entry_whole(name: str, text: str) -> None:
    head = "# T\n\n## Facts\n\n- before\n\n<!-- -->\n\n" if name in (FEATURE, "MEMORY.md") else "- before\n\n<!-- -->\n\n"
    assert texts(name, f"{head}{text}\n\n# After\n\nafter\n") == ["- before", text, "after"]


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "\ufeff", "# Title\n", "# Title\n\n_(none yet)_\n", "---\ntask_id: task-001\n---\n", "<!-- a -->\n",
        "---\n\n***\n", "## Facts\n\n- _(none yet)_\n", "## Facts\n\n## Context\n",
        "# T\n\n## Lessons learned:\n\n<!-- <!-- -->\n\n*(none)*\n", "<!-- a --> <!-- b -->\n",
    ],
)
def test_what_is_no_entry(text: str) -> None:
    assert read(FEATURE, text) == []
    assert [one.heading for one in read(TASK, text)] == (["Title"] if text == "# Title\n" else [])


@pytest.mark.parametrize(
    "below", ["", "---\n", "***\n\n<!-- a -->\n", "<!-- a -->\n\n# Next\n\n- b\n", "---\n\n## Next\n\n- b\n"],
)
def test_rules_and_comments_below_a_heading_are_nothing(below: str) -> None:
    assert [one.heading for one in read(TASK, f"- a\n\n## Use WAL mode\n\n{below}")][:2] == ["a", "Use WAL mode"]


@pytest.mark.parametrize("line", ["_(none yet)_", "(none)"])
@pytest.mark.parametrize("ruled", ["\n", "\n---\n", "\n-\n", "\n===\n", "\n2026-05-07 a\n"])
def test_a_line_for_nothing_is_none_in_notes_whatever_stands_below(line: str, ruled: str) -> None:
    assert [one.heading for one in read(NOTES, f"{line}{ruled}")] == (["2026-05-07 a"] if "2026" in ruled else [])


def test_a_heading_with_nothing_below_is_what_a_fragment_says() -> None:
    found = read(TASK, "# Task\n\n## Use WAL mode\n\n## Facts\n\n### Batches of 400\n\n### More\n\n- a\n\n## Last\n")
    assert brief(found) == [
        ("section", 3, "Use WAL mode", True), ("section", 7, "Batches of 400", True), ("bullet", 11, "a", True),
        ("section", 13, "Last", True),
    ]
    assert (found[0].heading_path, found[0].fields["title"]) == (("Task",), "Use WAL mode")
    assert found[1].heading_path == ("Task", "Facts")
    assert read(FEATURE, "# T\n\n## Use WAL mode\n") == []


def test_what_never_closes_is_not_passed_over() -> None:
    assert texts(TASK, "- a\n\n<!-- note\n\n- b\n") == ["- a", "<!-- note\n\n- b"]
    assert texts(TASK, "Words\n\n```\n- b\n\nc\n") == ["Words\n\n```\n- b\n\nc"]


# Notes


def test_notes_by_bullet_paragraph_and_line() -> None:
    text = (
        "# Progress\n\n## 2026-05-07 - task-001\n\n- Read a file\n  - of 400 rows\n\nA paragraph\non two lines.\n\n---\n\n"
        "[2026-05-08T09:00:00Z] task-002: began\n[2026-05-08T09:30:00Z] task-002: no header\n  in two files\n"
        "task-003 done\n09:45 pushed\n\n```\nlog\n```\n"
    )
    found = read(NOTES, text)
    assert [(one.kind, one.text) for one in found] == [
        ("bullet", "- Read a file\n  - of 400 rows"), ("body", "A paragraph\non two lines."),
        ("body", "[2026-05-08T09:00:00Z] task-002: began"),
        ("body", "[2026-05-08T09:30:00Z] task-002: no header\n  in two files"), ("body", "task-003 done"),
        ("body", "09:45 pushed\n\n```\nlog\n```"),
    ]
    assert [one.fields["task"] for one in found] == ["task-001", "task-001", "task-002", "task-002", "task-003", "task-001"]
    assert [one.date for one in found] == ["2026-05-07", "2026-05-07", "2026-05-08", "2026-05-08", "2026-05-07", "2026-05-07"]
    assert [(one.line, one.end_line) for one in found][2:5] == [(13, 13), (14, 15), (16, 16)]
    assert not any(one.candidate for one in found)


def test_a_line_below_words_is_no_title_in_notes() -> None:
    """Whoever writes them rules off what is above; to Markdown that were a heading, and its words no entry."""
    found = read(NOTES, "Read a file\nof 400 rows\n---\nRead all\n===\n2026-05-08 a\n2026-05-08 b\n---\n")
    assert [one.text for one in found] == ["Read a file\nof 400 rows", "Read all", "2026-05-08 a", "2026-05-08 b"]
    assert {one.heading_path for one in found} == {()}


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_notes_that_end_in_the_middle_of_a_line(end: str) -> None:
    found = read(NOTES, f"2026-05-08 a{end or chr(10)}2026-05-08 b{end}")
    assert [one.text for one in found] == ["2026-05-08 a", "2026-05-08 b"]


# Dates, tasks and promotion


@pytest.mark.parametrize(
    ("front", "text", "date"),
    [
        ("updated_at: 2026-05-08T23:30:00Z", "- a", "2026-05-08"),
        ("updated_at: 2026-05-08T23:30:00-05:00", "- a", "2026-05-09"),
        ("updated_at: 2026-05-08", "- a", "2026-05-08"), ("updated_at: soon", "- a", None), ("tags: [a]", "- a", None),
        ("updated_at: 2026-05-08", "- a, since 2026-01-02", "2026-01-02"),
        ("updated_at: 0001-01-01T00:00:00+10:00", "- a", None),
        ("updated_at: 2026-05-08", "### 2026-02-03\n\n- a", "2026-02-03"), ("updated_at: [2026-05-08]", "- a", None),
    ],
)
def test_the_date_of_an_entry_is_its_own_else_its_file_s(front: str, text: str, date: str | None) -> None:
    assert [one.date for one in read(FEATURE, feature_memory(front=front, facts=text))] == [date]


@pytest.mark.parametrize(
    ("name", "front", "task", "stamp"),
    [
        ("notes.md", "task_id: task-007\ncreated_at: 2026-05-06T08:00:00Z", "task-007", "2026-05-06T08:00:00Z"),
        ("task-001-2026-05-07T10-15-00Z.md", "task_id: task-007\ncreated_at: 2026-05-06", "task-001", "2026-05-07T10:15:00Z"),
        ("task-001.md", "task_id: task-007\nupdated_at: 2026-05-06", "task-001", "2026-05-06T00:00:00Z"),
        ("notes.md", "task_id: seven\ncreated_at: soon\ndate: 2026-05-06", "", "2026-05-06T00:00:00Z"),
        ("notes.md", "title: x", "", ""),
    ],
)
def test_front_matter_says_what_a_fragment_s_name_does_not(name: str, front: str, task: str, stamp: str) -> None:
    (only,) = read(f"{FRAGMENTS}/counts/{name}", fragment(front=front, free="A"))
    assert (only.fields.get("task", ""), only.fields.get("stamp", "")) == (task, stamp)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("A \u2192 promoted 2026-05-04", "2026-05-04"), ("A -> promoted 2026-05-04", "2026-05-04"),
        ("A\n\u2192 promoted 2026-05-04", "2026-05-04"), ("A \u2192 promoted 2026-05-04.", None),
        ("A promoted 2026-05-04", None),
        ("A\u2192 promoted 2026-05-04", None), ("A \u2192 promoted", None),
        ("A \u2192 promoted 2026-05-04 again", None),
    ],
)
def test_when_a_line_was_promoted(text: str, day: str | None) -> None:
    assert promoted_on(text) == day


def test_the_mark_of_promotion_counts_among_promotion_candidates_alone() -> None:
    mark = "\u2192 promoted 2026-05-04"
    text = feature_memory(facts=f"- A {mark}", promotion=f"A paragraph {mark}\n\nAnother")
    found = read(FEATURE, text)
    assert [(one.fields["text"], one.fields.get("promoted"), one.candidate) for one in found] == [
        (f"A {mark}", None, False), ("A paragraph", "2026-05-04", False), ("Another", None, True),
    ]


def test_the_example_store_reads_as_it_should() -> None:
    count = {name: len(read(name, str(text))) for name, text in JONGGRANG.items() if name.endswith((".md", ".txt"))}
    assert sorted(count.values()) == [1, 2, 2, 2, 4]


# Nothing is lost


QUIET = ("_(none yet)_", "---", "<!-- c -->", "## Facts", "### Under", "# Top", "## Odd")
UNITS = st.sampled_from([*WHOLE, "words", "- bullet", *QUIET])


@settings(max_examples=150, deadline=None)
@given(st.lists(UNITS, max_size=12), st.sampled_from([TASK, ARCHIVED, NOTES, FEATURE, "MEMORY.md"]))
def test_every_line_with_words_is_in_an_entry_or_is_a_heading_or_mark(units: list[str], name: str) -> None:
    text = "\n\n".join(units) + "\n"
    found = read(name, text)
    spans = [(entry.start, entry.end) for entry in found]
    assert spans == sorted(spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    offset = 0
    for line in text.encode().splitlines(keepends=True):
        words = line.strip().decode()
        quiet = not words or words in QUIET
        inside = any(start <= offset < end for start, end in spans)
        assert quiet or inside, (words, text)
        offset += len(line)
    assert all(entry.text == entry.document.data[entry.start : entry.end].decode().strip("\n") for entry in found)


def test_the_six_sections_are_those_of_the_format() -> None:
    assert SECTIONS == (
        "Context", "Facts", "What Done & Why", "Lessons Learned", "Open Questions / What Next", "Promotion Candidates",
    )
    assert layouts.get("jonggrang").entries is entries
